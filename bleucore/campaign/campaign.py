"""All test sets of a campaign together: every pair of systems over the sets that have both."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Literal, NamedTuple, get_args

import numpy as np

from bleucore.campaign.mean_ranks import MeanRanks, mean_ranks
from bleucore.campaign.replicability import (
    PARTIAL_CONJUNCTIONS,
    Heterogeneity,
    PartialConjunction,
    Replicability,
    normal_effects,
    qualitative_interaction,
    replicabilities,
)
from bleucore.campaign.runs_over_sets import OverSets, RunsOverSets
from bleucore.campaign.set_results import SetResult
from bleucore.counts import Floats, Progress
from bleucore.errors import InputError
from bleucore.short_reprs import short_repr
from bleucore.significance import (
    CORRECTIONS,
    Correction,
    PairedTestResult,
    SignificanceOptions,
    corrected,
    draws_needed,
    step_down_max_t,
)
from bleucore.significance.corrections import by_either, smallest_corrected
from bleucore.significance.paired import TIE, two_sided
from bleucore.values import not_accepted, shown, unknown_name
from bleucore.written_numbers import count, count_of

Scale = Literal["points", "standard-errors"]
SCALES: tuple[Scale, ...] = get_args(Scale)
NO_EXCHANGE = "There is nothing to exchange on any test set: the systems are equal wherever both are."
NO_SET = "No test set has both systems."
SHARE_OF_STRATA = 0.5
"""Of the work, as progress shows it; the rest is the correction."""
SINGLE = 2.0**-23
"""Of a difference by chance, relative: it is held in single precision."""
EVERY_SET_HAS_AN_ERROR = "Nothing is tested: the texts of every test set have an error."
HOLM_OF_RUNS = "Some systems have several runs, so Holm corrects all pairs instead of max-T."
SCALES_DIFFER = (
    "Scores of different test sets have no common scale. Their mean depends on the choice of test "
    "sets, their languages and tokenizers."
)


@dataclass(frozen=True)
class CampaignPair:
    """Two systems over all sets that have both.

    Attributes:
        name: The system.
        other: The one that it is compared with.
        sets: The names of the sets that have both, in the campaign's order.
        wins: On how many of them ``name`` has the better score, whichever way the metric points.
        losses: On how many it has the worse one.
        ties: On how many they are equal.
        significant_wins: How many wins are significant within their set, corrected there.
        significant_losses: How many losses are.
        mean_difference: The mean over the sets of the score of ``name`` minus that of ``other``; ``None`` without one.
        mean_gain: The mean over the sets of what ``name`` is better by, in standard errors of each set by chance
            (``null_error``); ``None`` without one.
        p_value: Two-sided, of both being exchangeable on every set, by stratified randomisation; ``None`` without a set
            where there is something to exchange.
        corrected_p_value: The same, corrected for ``n_comparisons``.
        n_comparisons: The pairs that have a p-value.
        is_significant: Whether the corrected p-value is below the level.
        better: On how many of the ``tested`` sets ``name`` is better, with the guarantee of replicability analysis at
            half the level: both ways together hold it. For this pair alone, not corrected for others.
        worse: On how many of these it is worse.
        heterogeneity: Whether the sets contradict each other.
        remark: What to know beside the p-value, in words, or ``None``.
        tested: The names of the sets that count as evidence by themselves (``SetResult.is_tested``).
        n_runs: How many runs of each p includes, where one has several: those on all sets (``runs_over_sets``);
            ``None`` of two runs.
    """

    name: str
    other: str
    sets: tuple[str, ...]
    wins: int
    losses: int
    ties: int
    significant_wins: int
    significant_losses: int
    mean_difference: float | None
    mean_gain: float | None
    p_value: float | None
    corrected_p_value: float | None
    n_comparisons: int
    is_significant: bool
    better: Replicability
    worse: Replicability
    heterogeneity: Heterogeneity
    remark: str | None = None
    tested: tuple[str, ...] = ()
    n_runs: tuple[int, int] | None = None

    @property
    def n_sets(self) -> int:
        """How many sets have both systems."""
        return len(self.sets)

    @property
    def n_sets_better(self) -> int:
        """On so many sets at least ``name`` is better: the k-hat of replicability analysis."""
        return self.better.n_found

    @property
    def n_sets_worse(self) -> int:
        """On so many sets at least it is worse."""
        return self.worse.n_found

    @property
    def sets_better(self) -> tuple[str, ...]:
        """On which sets it is better, by Holm."""
        return tuple(self.tested[place] for place in self.better.found)

    @property
    def sets_worse(self) -> tuple[str, ...]:
        """On which sets it is worse, by Holm."""
        return tuple(self.tested[place] for place in self.worse.found)

    @property
    def sets_against(self) -> tuple[str, ...]:
        """The sets that go against the rest: where the system is surely better that is the worse one on the whole."""
        return self.sets_better if (self.mean_gain or 0.0) < 0 else self.sets_worse

    def turned(self) -> "CampaignPair":
        """The same with the roles exchanged."""
        return replace(
            self,
            name=self.other,
            other=self.name,
            wins=self.losses,
            losses=self.wins,
            significant_wins=self.significant_losses,
            significant_losses=self.significant_wins,
            mean_difference=None if self.mean_difference is None else -self.mean_difference,
            mean_gain=None if self.mean_gain is None else -self.mean_gain,
            better=self.worse,
            worse=self.better,
            n_runs=None if self.n_runs is None else self.n_runs[::-1],
        )


@dataclass(frozen=True, eq=False)
class Campaign:
    """Several test sets and what they say together.

    Attributes:
        sets: In the order given.
        systems: The names of all systems of all sets, as they appear.
        baseline: The system that all others are compared with; ``None`` for all pairs.
        pairs: All pairs in the order of the systems, or each other system with the baseline.
        level: Below which a corrected p-value is significant.
        correction: Of the combined p-values over pairs.
        scale: In what the sets' differences are added up by the combined test.
        conjunction: How sets are counted.
        n_trials: Of stratified randomisation.
        complete_sets: The names of the sets that have every system: what mean ranks and scores are of.
        ranks: Over these, in the order of the systems; ``None`` where there is none.
        remarks: What to know of the campaign, as sentences.
        counted: The sets that pairs, ranks and means are of: those whose texts have no error; all where every one has.
    """

    sets: tuple[SetResult, ...]
    systems: tuple[str, ...]
    baseline: str | None
    pairs: tuple[CampaignPair, ...]
    level: float
    correction: Correction
    scale: Scale
    conjunction: PartialConjunction
    n_trials: int
    complete_sets: tuple[str, ...]
    ranks: MeanRanks | None
    remarks: tuple[str, ...]
    counted: tuple[SetResult, ...] = ()

    def __repr__(self) -> str:
        return short_repr(self)

    @property
    def set_names(self) -> tuple[str, ...]:
        """The names of the sets."""
        return tuple(one.name for one in self.sets)

    @property
    def n_tested(self) -> int:
        """How many pairs have a combined p-value, which is corrected for them."""
        return sum(one.p_value is not None for one in self.pairs)

    @property
    def higher_is_better(self) -> bool:
        """Which way the score points."""
        return self.sets[0].higher_is_better

    @property
    def asked(self) -> SignificanceOptions | None:
        """How differences were to be tested on every set; ``None`` where sets differ in that."""
        asked = self.sets[0].asked
        return asked if all(one.asked == asked for one in self.sets) else None

    @cached_property
    def _places(self) -> Mapping[tuple[str, str], int]:
        return {(one.name, one.other): place for place, one in enumerate(self.pairs)}

    def set_called(self, name: str) -> SetResult:
        """The set of that name.

        Raises:
            InputError: There is none.
        """
        for one in self.sets:
            if one.name == name:
                return one
        raise unknown_name("test set", name, self.set_names, where="The campaign", remedy="Choose one of its sets.")

    def score(self, system: str, set_name: str) -> float | None:
        """A cell: the score of a system on a set; ``None`` where it has none."""
        return self.set_called(set_name).score(system)

    def pair(self, name: str, other: str) -> CampaignPair | None:
        """The first system compared with the second over all sets; ``None`` where the pair is not compared."""
        if (name, other) in self._places:
            return self.pairs[self._places[name, other]]
        if (other, name) in self._places:
            return self.pairs[self._places[other, name]].turned()
        return None

    def mean_rank(self, system: str) -> float | None:
        """The mean rank over the complete sets, 1 the best; ``None`` where there is none."""
        return None if self.ranks is None else float(self.ranks.ranks[self.systems.index(system)])

    def mean_score(self, system: str) -> float | None:
        """The mean score over the complete sets; ``None`` where there is none. See ``SCALES_DIFFER``."""
        scores = [self.score(system, name) for name in self.complete_sets]
        known = [score for score in scores if score is not None]
        return float(np.mean(known)) if known else None


def combine(  # noqa: PLR0913  # what can be chosen
    results: Sequence[SetResult],
    *,
    baseline: str | None = None,
    level: float = 0.05,
    correction: Correction = "max-t",
    scale: Scale = "standard-errors",
    conjunction: PartialConjunction = "bonferroni",
    progress: Progress | None = None,
) -> Campaign:
    """All pairs of systems, or each with the baseline, over all sets.

    The combined test is stratified randomisation (Noreen 1989; Edgington and Onghena 2007): units are exchanged within
    each set, so that a trial gives every set a difference by chance, and p = (#{|mean of these| >= |mean of the sets'
    differences|} + 1) / (R + 1), over the sets that have both systems. What is added up is the difference in points of
    the metric, or in the standard errors of each set by chance: then each set counts by how clearly it speaks. A set
    whose texts have an error takes no part.
    Where one of two systems is a recipe with several runs, p is of Student's t with the variance of items and of runs
    (``runs_over_sets``), of the weighted mean of differences of the runs on all sets: trials know nothing of runs. All
    pairs of several sets are then corrected by Holm's steps in place of max-T.
    Pairs are corrected together, by step-down max-T on the trials that they share unless another correction is given.

    Args:
        results: One of each set; the sets have names of their own, and one metric.
        baseline: The system to compare all others with; ``None`` for all pairs.
        level: Below which a corrected p-value is significant, 0 to 1.
        correction: Of the combined p-values over pairs.
        scale: In what differences are added up.
        conjunction: How sets are counted; Fisher's for sets that are independent of each other.
        progress: Called with the share of the work done, 0 to 1, from time to time.

    Raises:
        InputError: There is no set, two have the same name, metrics differ, no set has the baseline, or a set holds
            only pairs with another one.
    """
    _check(results, baseline, level, correction, scale, conjunction)
    sets = tuple(results)
    systems = tuple(dict.fromkeys(system for one in sets for system in one.systems))
    counted = tuple(one for one in sets if one.error is None)
    untested = None if counted else EVERY_SET_HAS_AN_ERROR
    counted = counted or sets
    n_trials = min(one.n_trials for one in counted)
    has_holm = len(counted) > 1 and correction == "max-t" and RunsOverSets(counted).has_runs
    if has_holm:
        correction = "holm"
    names = (
        list(combinations(systems, 2))
        if baseline is None
        else [(system, baseline) for system in systems if system != baseline]
    )
    combined, strata = _Combined(counted, n_trials, level, scale, conjunction, baseline, untested), []
    for name, other in names:
        strata.append(combined.strata(name, other))
        if progress is not None:
            progress(SHARE_OF_STRATA * len(strata) / len(names))
    complete = [one for one in counted if len(one.systems) == len(systems)]
    scores = np.array([[one.score(system) for system in systems] for one in complete], np.float64)
    return Campaign(
        sets=sets,
        systems=systems,
        baseline=baseline,
        pairs=_corrected(combined, strata, correction),
        level=level,
        correction=correction,
        scale=scale,
        conjunction=conjunction,
        n_trials=n_trials,
        complete_sets=tuple(one.name for one in complete),
        ranks=mean_ranks(scores, higher_is_better=sets[0].higher_is_better, level=level) if complete else None,
        remarks=(
            *_on_errors(sets, untested),
            *([HOLM_OF_RUNS] if has_holm else []),
            *_on_sets(counted, complete, conjunction),
            *_on_baseline(counted, baseline),
            *_on_draws(n_trials, sum(one.by_runs is None for one in strata), len(counted), level, correction),
        ),
        counted=counted,
    )


class _Said(NamedTuple):
    """What one set says of a pair, as ``SetPair`` has it, without what nobody needs here.

    Attributes:
        difference: The score of the one minus that of the other.
        effect: Of ``normal_effects``; NaN without a test.
        better: One-sided p-value; NaN without a test.
        worse: One-sided p-value; NaN without a test.
        corrected: Its p-value, corrected within the set; NaN without a test.
        is_significant: Within the set.
        rounding: What the difference carries from the rounding of the scores.
    """

    difference: float
    effect: float
    better: float
    worse: float
    corrected: float
    is_significant: bool
    rounding: float

    def without_test(self) -> "_Said":
        """The difference alone."""
        nothing = math.nan
        return _Said(self.difference, nothing, nothing, nothing, nothing, False, self.rounding)  # noqa: FBT003  # a star

    def turned(self) -> "_Said":
        """The same with the roles exchanged."""
        return self._replace(difference=-self.difference, effect=-self.effect, better=self.worse, worse=self.better)


class _Cell(NamedTuple):
    """A set that has both systems of a pair.

    Attributes:
        of: The set.
        said: What it says of the pair.
        weight: What a point there counts for.
        gain: What the one system is better by, in standard errors by chance.
    """

    of: SetResult
    said: _Said
    weight: float
    gain: float

    @property
    def side(self) -> int:
        """1 where the one system has the better score, -1 where the other has, 0 where they are equal."""
        if abs(self.said.difference) <= self.said.rounding:
            return 0
        return 1 if (self.said.difference > 0) == self.of.higher_is_better else -1

    @property
    def is_tested(self) -> bool:
        """Whether the set has a test of the pair that counts."""
        return not math.isnan(self.said.better)


@dataclass(frozen=True)
class _Strata:
    """The combined test of a pair, without its trials.

    Attributes:
        name: The one system.
        other: The other one.
        cells: Every set that has both.
        difference: The mean of what the sets add.
        rounding: What that carries from the rounding of scores and of differences by chance.
        reason: Why there is no test, or ``None``.
        p_value: Of the test, not yet corrected; ``None`` where there is none.
        by_runs: With the variance of runs, where one of the two has several; p is of it.
    """

    name: str
    other: str
    cells: Sequence[_Cell]
    difference: float
    rounding: float
    reason: str | None
    p_value: float | None
    by_runs: OverSets | None = None

    @property
    def tested(self) -> Sequence[_Cell]:
        """The sets that count as evidence by themselves."""
        return [cell for cell in self.cells if cell.is_tested]


@dataclass(frozen=True)
class _Combined:
    """How pairs are combined.

    Attributes:
        sets: Of the campaign.
        n_trials: R, of each set the first so many.
        level: Below which p is significant.
        scale: In what differences are added up.
        conjunction: How sets are counted.
        baseline: Whose comparisons with the others are a family within each set; ``None`` for all pairs.
        untested: Why nothing is tested, or ``None``.
    """

    sets: tuple[SetResult, ...]
    n_trials: int
    level: float
    scale: Scale
    conjunction: PartialConjunction
    baseline: str | None = None
    untested: str | None = None

    @cached_property
    def _runs(self) -> RunsOverSets:
        return RunsOverSets(self.sets)

    @cached_property
    def _said(self) -> Sequence[tuple[SetResult, Mapping[tuple[str, str], _Said]]]:
        """The sets with what they say of their pairs."""
        said = [(one, _said_by(one, self.baseline)) for one in self.sets]
        if self.untested is None:
            return said
        return [(one, {pair: told.without_test() for pair, told in pairs.items()}) for one, pairs in said]

    def strata(self, name: str, other: str) -> _Strata:
        """The combined test of a pair."""
        cells: list[_Cell] = []
        null, rounded_off, observed = None, 0.0, 0.0
        for one, pairs in self._said:
            said = pairs.get((name, other))
            if said is None:
                held = pairs.get((other, name))
                if held is None:
                    continue
                said = held.turned()
            drawn = self._drawn(one, name, other)
            error = null_error(drawn, said.difference)
            weight = 1.0 if self.scale == "points" else _inverse(error)
            cells.append(_Cell(one, said, weight, _sign(one) * said.difference * _inverse(error)))
            observed += weight * said.difference
            rounded_off += weight * (said.rounding + SINGLE * float(max(drawn.max(), -drawn.min())))
            null = _added(null, drawn, weight)
        n_sets = max(1, len(cells))
        null, difference, rounded_off = self._mean(null, n_sets), observed / n_sets, rounded_off / n_sets
        error = null_error(null, difference)
        reason = self.untested or (None if error > rounded_off else NO_EXCHANGE if cells else NO_SET)
        p_value = None if reason is not None else two_sided(null, difference, rounding=rounded_off)
        by_runs = None
        if self.untested is None and cells:
            weights, sets = [cell.weight for cell in cells], [cell.of for cell in cells]
            by_runs = self._runs.contrast(name, other, weights, sets)
            p_value = p_value if by_runs is None else by_runs.p_value
            reason = reason if by_runs is None or by_runs.p_value is None else None
        return _Strata(name, other, cells, difference, rounded_off, reason, p_value, by_runs)

    def test(self, strata: _Strata) -> PairedTestResult:
        """The same with its trials."""
        null = None
        for cell in strata.cells:
            null = _added(null, self._drawn(cell.of, strata.name, strata.other), cell.weight)
        return PairedTestResult(
            name=strata.name,
            other=strata.other,
            difference=strata.difference,
            p_value=1.0 if strata.p_value is None else strata.p_value,
            null_distribution=self._mean(null, max(1, len(strata.cells))),
            interval=None,
            method="approximate-randomisation",
            resamples=self.n_trials,
            seed=self.sets[0].asked.seed,
            smallest_p_value=1 / (self.n_trials + 1),
            reason=strata.reason,
            rounding=strata.rounding,
        )

    def pairs(self, strata: Sequence[_Strata], corrected_p_values: Sequence[float | None]) -> Iterator[CampaignPair]:
        """What is said of each pair."""
        better = self._count([[cell.said.better for cell in one.tested] for one in strata])
        worse = self._count([[cell.said.worse for cell in one.tested] for one in strata])
        n_tested = sum(one.p_value is not None for one in strata)
        for one, p_value, *both_ways in zip(strata, corrected_p_values, better, worse, strict=True):
            yield self._pair(one, p_value, n_tested, *both_ways)

    def _pair(
        self, one: _Strata, corrected_p_value: float | None, n_tested: int, better: Replicability, worse: Replicability
    ) -> CampaignPair:
        """What is said of a pair; gains are in standard errors by chance."""
        sides = [cell.side for cell in one.cells]
        significant = [side for side, cell in zip(sides, one.cells, strict=True) if cell.said.is_significant]
        differences = [cell.said.difference for cell in one.cells]
        return CampaignPair(
            name=one.name,
            other=one.other,
            sets=tuple(cell.of.name for cell in one.cells),
            wins=sides.count(1),
            losses=sides.count(-1),
            ties=sides.count(0),
            significant_wins=significant.count(1),
            significant_losses=significant.count(-1),
            mean_difference=_mean(differences),
            mean_gain=_mean([cell.gain for cell in one.cells]),
            p_value=one.p_value,
            corrected_p_value=corrected_p_value,
            n_comparisons=n_tested,
            is_significant=corrected_p_value is not None and corrected_p_value < self.level,
            better=better,
            worse=worse,
            heterogeneity=qualitative_interaction(
                [effect for cell in one.tested if not math.isnan(effect := cell.said.effect)]
            ),
            remark=one.reason or (self._on_smallest(one.p_value) if one.by_runs is None else one.by_runs.remark),
            tested=tuple(cell.of.name for cell in one.tested),
            n_runs=None if one.by_runs is None else one.by_runs.n_runs,
        )

    def _count(self, p_values: Sequence[Sequence[float]]) -> list[Replicability]:
        """On how many sets there is an effect this way: at half the level, as two-sided tests have it."""
        return replicabilities(p_values, self.level / 2, self.conjunction)

    def _on_smallest(self, p_value: float | None) -> str | None:
        if p_value is None or round(p_value * (self.n_trials + 1)) > 1:
            return None
        return (
            f"No trial of {count(self.n_trials)} reached the difference: p is the smallest possible, 1 / "
            f"{count(self.n_trials + 1)}."
        )

    def _drawn(self, one: SetResult, name: str, other: str) -> Floats:
        """The differences by chance on a set, (R,), in an array of their own."""
        drawn = one.null_differences(name, other)
        return np.zeros(self.n_trials) if drawn is None else drawn[: self.n_trials]

    def _mean(self, added: Floats | None, n_sets: int) -> Floats:
        """The mean over so many sets, in place; 0 of none."""
        if added is None:
            return np.zeros(self.n_trials)
        if n_sets > 1:
            added /= n_sets
        return added


def _said_by(one: SetResult, baseline: str | None) -> Mapping[tuple[str, str], _Said]:
    """What a set says of its pairs, by their names: column by column, which is much faster than one by one."""
    systems, level = one.systems, one.options.level
    of_scores = [TIE * abs(score) for score in one.scores]
    found: dict[tuple[str, str], _Said] = {}
    numbers = one.pair_numbers
    with np.errstate(divide="ignore", invalid="ignore"):
        t = numbers[:, 0] / numbers[:, 3]
    effects = normal_effects(numbers[:, 6], numbers[:, 7], t, one.n_units, one.n_trials)
    sides = np.stack([effects, numbers[:, 6], numbers[:, 7]]) if one.is_tested else np.full((3, len(numbers)), np.nan)
    columns = (*one.pair_places.T.tolist(), numbers[:, 0].tolist(), numbers[:, 5].tolist(), *sides.tolist())
    for first, second, difference, corrected_p_value, effect, better, worse in zip(*columns, strict=True):
        found[systems[first], systems[second]] = _Said(
            0.0 if math.isnan(difference) else difference or 0.0,
            effect,
            better,
            worse,
            corrected_p_value,
            one.has_stars and corrected_p_value < level,
            max(of_scores[first], of_scores[second]),
        )
    if baseline is not None:
        for pair, said in found.items():
            if baseline in pair:
                planned = one.planned_pair(pair[0] if pair[1] == baseline else pair[1], baseline)
                p_value = None if planned is None else planned.corrected_p_value
                found[pair] = said._replace(
                    corrected=math.nan if p_value is None else p_value,
                    is_significant=planned is not None and planned.is_significant,
                )
    return found


def _added(null: Floats | None, drawn: Floats, weight: float) -> Floats:
    """The sum with the weighed differences of one more set; the arrays given are no longer what they were."""
    drawn *= weight
    if null is None:
        return drawn
    null += drawn
    return null


def _mean(values: Sequence[float]) -> float | None:
    """``None`` of no value."""
    if len(values) == 1:
        return values[0]
    return float(np.add.reduce(values) / len(values)) if values else None


def null_error(null: Floats, difference: float) -> float:
    """The standard error without a difference: the root mean square of what the draws and the observation give.

    0 where nothing varies. The observation counts as a draw, as in ``step_down_max_t``: so the scale is the same
    whichever of them is taken for the observation, and a test in such units is exact.
    """
    squares = float(null @ null)
    if not squares and not null.any():
        return 0.0
    return math.sqrt((squares + difference**2) / (len(null) + 1))


def _inverse(error: float) -> float:
    return 1 / error if error else 0.0


def _sign(one: SetResult) -> float:
    return 1.0 if one.higher_is_better else -1.0


def _corrected(combined: _Combined, strata: Sequence[_Strata], correction: Correction) -> tuple[CampaignPair, ...]:
    """The pairs with p-values corrected as one family."""
    p_values: Sequence[float | None]
    if correction == "max-t" and [one.options.effective_correction for one in combined.sets] == ["max-t"]:
        of_set = (one.cells[0].said.corrected if one.p_value is not None else None for one in strata)
        p_values = [None if p is None or math.isnan(p) else p for p in of_set]  # also what the best is claimed to lead
    elif correction == "max-t":
        tested = [place for place, one in enumerate(strata) if one.p_value is not None]

        def tests(places: Iterable[int]) -> Iterator[PairedTestResult]:
            return (combined.test(strata[tested[place]]) for place in places)

        of_t = step_down_max_t(tests(range(len(tested))), again=tests)
        by_holm = corrected([strata[place].p_value for place in tested], "holm")
        made = [by_either(*both) for both in zip(of_t, by_holm, strict=True)]
        by_place = dict(zip(tested, made, strict=True))
        p_values = [by_place.get(place) for place in range(len(strata))]
    else:
        p_values = corrected([one.p_value for one in strata], correction)
    return tuple(combined.pairs(strata, p_values))


def _check(
    results: Sequence[SetResult],
    baseline: str | None,
    level: float,
    correction: Correction,
    scale: Scale,
    conjunction: PartialConjunction,
) -> None:
    """Refuse sets that cannot be combined, and what is no setting."""
    if not results:
        raise InputError("there is no test set", where="The campaign", remedy="Give the result of at least one.")
    if not 0 < level < 1:
        raise not_accepted("level", level, "a number between 0 and 1")
    for option, value, accepted in (
        ("correction", correction, CORRECTIONS),
        ("scale", scale, SCALES),
        ("conjunction", conjunction, PARTIAL_CONJUNCTIONS),
    ):
        if value not in accepted:
            raise not_accepted(option, value, ", ".join(accepted))
    first, known = results[0], set[str]()
    for one in results:
        where = f"Test set {shown(one.name)}"
        if one.name in known:
            raise InputError(
                "two test sets have the same name", where=where, remedy="Give every set a name of its own."
            )
        known.add(one.name)
        if (one.metric, one.higher_is_better) != (first.metric, first.higher_is_better):
            raise InputError(
                "the metric differs",
                where=where,
                found=one.metric,
                expected=first.metric,
                remedy="Score all test sets with one metric.",
            )
        if one.baseline is not None and one.baseline != baseline:
            raise InputError(
                "only pairs with another system are held",
                where=where,
                found=one.baseline,
                expected=baseline or "all pairs",
                remedy="Give the same baseline as when the set was compared.",
            )
    if baseline is not None and not any(baseline in one.systems for one in results):
        raise InputError(
            "no test set has the baseline",
            where="The campaign",
            found=shown(baseline),
            remedy="Choose a system that a test set has.",
        )


def _on_errors(sets: Sequence[SetResult], untested: str | None) -> Iterator[str]:
    """Which sets take no part because of their texts."""
    if untested is not None:
        yield untested
        return
    names = [shown(one.name) for one in sets if one.error is not None]
    if names:
        takes = "takes" if len(names) == 1 else "take"
        yield (
            f"{count_of(len(names), 'test set')} of {count(len(sets))} {takes} no part in results over all test sets, "
            f"because of errors in the texts: {', '.join(names)}."
        )


def _on_sets(
    sets: Sequence[SetResult], complete: Sequence[SetResult], conjunction: PartialConjunction
) -> Iterator[str]:
    """What to know of a campaign."""
    by_digest = dict[str, list[str]]()
    for one in sets:
        by_digest.setdefault(one.digest, []).append(shown(one.name))
    for names in by_digest.values():
        if len(names) > 1:
            yield f"Test sets {' and '.join(names)} are the same, and are counted twice: leave one of them out."
    sources = [one.source_digest for one in sets if one.source_digest is not None]
    share = len(sources) - len(set(sources))
    if share and conjunction == "fisher":
        yield (
            "Some test sets translate the same sources. Fisher's combination takes sets for independent, and these are "
            "not: count by Bonferroni."
        )
    if conjunction == "fisher" and RunsOverSets(tuple(sets)).has_runs:
        yield (
            "Some systems have runs, each of which is on several test sets. Fisher's combination takes sets for "
            "independent, and these are not: count by Bonferroni."
        )
    if len({one.n_trials for one in sets}) > 1:
        yield f"The combined test uses the first {count_of(min(one.n_trials for one in sets), 'trial')} of every set."
    if any(one.is_linearised for one in sets):
        names = [one.name for one in sets if one.is_linearised]
        yield (
            f"{count(len(names))} of {count(len(sets))} test sets have too many pairs: the combined test uses a linear "
            "approximation there."
        )
    if not complete:
        yield "No test set has every system: there are no mean ranks and no mean scores."
    elif len(complete) < len(sets):
        which = "only test set" if len(complete) == 1 else f"{count(len(complete))} test sets"
        have = "has" if len(complete) == 1 else "have"
        yield f"Mean ranks are of the {which} of {count(len(sets))} that {have} every system."


def _on_baseline(sets: Sequence[SetResult], baseline: str | None) -> Iterator[str]:
    """Where nothing but pairs with the baseline is compared, or nothing at all."""
    alone = [one for one in sets if one.rank_ranges is None]
    if alone:
        yield (
            f"{count(len(alone))} of {count(len(sets))} test sets have too many systems to test all pairs. "
            "Each system is tested against the baseline alone, without clusters."
        )
    without = [one for one in alone if baseline not in one.systems]
    if without:
        yield (
            f"{count(len(without))} of them {'lacks' if len(without) == 1 else 'lack'} the baseline, so they "
            "have scores with intervals, but no tests."
        )


def _on_draws(n_trials: int, n_pairs: int, n_sets: int, level: float, correction: Correction) -> Iterator[str]:
    """Whether there are too few trials to find anything."""
    smallest = 1 / (n_trials + 1)
    if n_pairs and smallest_corrected(smallest, n_pairs, correction) >= level:
        yield (
            f"No combined p-value of {count_of(n_pairs, 'pair')} can be below {level:g} with "
            f"{count_of(n_trials, 'trial')}: draw {count(draws_needed(n_pairs, level, correction))} or more."
        )
    if n_pairs and smallest * n_sets >= level / 2:
        yield (
            f"{count_of(n_trials, 'trial')} are too few to count a system as better on any of "
            f"{count(n_sets)} test sets. Use {count(draws_needed(n_sets, level / 2, 'holm'))} or more."
        )
