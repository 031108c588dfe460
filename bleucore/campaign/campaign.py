"""All test sets of a campaign together: every pair of systems over the sets that have both."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Literal, get_args

import numpy as np

from bleucore.campaign.mean_ranks import MeanRanks, mean_ranks
from bleucore.campaign.replicability import (
    PARTIAL_CONJUNCTIONS,
    Heterogeneity,
    PartialConjunction,
    Replicability,
    qualitative_interaction,
    replicability,
)
from bleucore.campaign.set_results import SetPair, SetResult
from bleucore.counts import Floats
from bleucore.errors import InputError
from bleucore.significance import CORRECTIONS, Correction, PairedTestResult, corrected, step_down_max_t
from bleucore.significance.paired import TIE, two_sided
from bleucore.values import not_accepted, shown
from bleucore.written_numbers import count

Scale = Literal["points", "standard-errors"]
SCALES: tuple[Scale, ...] = get_args(Scale)
SCALES_DIFFER = (
    "Scores of different test sets have no common scale: a mean of them depends on which sets there are, and on their "
    "languages and tokenizers."
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
        mean_gain: The mean over the sets of what ``name`` is better by, in standard errors of each set's difference;
            ``None`` where nothing varies in any.
        p_value: Two-sided, of both being exchangeable on every set, by stratified randomisation; ``None`` without a set
            where there is something to exchange.
        corrected_p_value: The same, corrected for ``n_comparisons``.
        n_comparisons: The pairs that have a p-value.
        is_significant: Whether the corrected p-value is below the level.
        better: On how many sets ``name`` is better, with the guarantee of replicability analysis at half the level:
            both ways together hold it. For this pair alone, not corrected for others.
        worse: On how many sets it is worse.
        heterogeneity: Whether the sets contradict each other.
        remark: What to know beside the p-value, in words, or ``None``.
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
        return tuple(self.sets[place] for place in self.better.found)

    @property
    def sets_worse(self) -> tuple[str, ...]:
        """On which sets it is worse, by Holm."""
        return tuple(self.sets[place] for place in self.worse.found)

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

    @property
    def set_names(self) -> tuple[str, ...]:
        """The names of the sets."""
        return tuple(one.name for one in self.sets)

    @property
    def higher_is_better(self) -> bool:
        """Which way the score points."""
        return self.sets[0].higher_is_better

    @cached_property
    def _places(self) -> Mapping[tuple[str, str], int]:
        return {(one.name, one.other): place for place, one in enumerate(self.pairs)}

    def set_called(self, name: str) -> SetResult:
        """The set of that name."""
        return next(one for one in self.sets if one.name == name)

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


def combine(
    results: Sequence[SetResult],
    *,
    baseline: str | None = None,
    level: float = 0.05,
    correction: Correction = "max-t",
    scale: Scale = "points",
    conjunction: PartialConjunction = "bonferroni",
) -> Campaign:
    """All pairs of systems, or each with the baseline, over all sets.

    The combined test is stratified randomisation (Noreen 1989; Edgington and Onghena 2007): units are exchanged within
    each set, so that a trial gives every set a difference by chance, and p = (#{|mean of these| >= |mean of the sets'
    differences|} + 1) / (R + 1), over the sets that have both systems. What is added up is the difference in points of
    the metric, or in the standard errors of each set by chance: then each set counts by how clearly it speaks.
    Pairs are corrected together, by step-down max-T on the trials that they share unless another correction is given.

    Args:
        results: One of each set; the sets have names of their own, and one metric.
        baseline: The system to compare all others with; ``None`` for all pairs.
        level: Below which a corrected p-value is significant, 0 to 1.
        correction: Of the combined p-values over pairs.
        scale: In what differences are added up.
        conjunction: How sets are counted; Fisher's for sets that are independent of each other.

    Raises:
        InputError: There is no set, two have the same name, metrics differ, no set has the baseline, or a set holds
            only pairs with another one.
    """
    _check(results, baseline, level, correction, scale, conjunction)
    sets = tuple(results)
    systems = tuple(dict.fromkeys(system for one in sets for system in one.systems))
    n_trials = min(one.n_trials for one in sets)
    names = (
        list(combinations(systems, 2))
        if baseline is None
        else [(system, baseline) for system in systems if system != baseline]
    )
    combined = _Combined(sets, n_trials, scale)
    pairs = [_pair(combined, name, other, level, conjunction) for name, other in names]
    complete = [one for one in sets if len(one.systems) == len(systems)]
    scores = np.array([[one.score(system) for system in systems] for one in complete], np.float64)
    return Campaign(
        sets=sets,
        systems=systems,
        baseline=baseline,
        pairs=_corrected(combined, pairs, level, correction),
        level=level,
        correction=correction,
        scale=scale,
        conjunction=conjunction,
        n_trials=n_trials,
        complete_sets=tuple(one.name for one in complete),
        ranks=mean_ranks(scores, higher_is_better=sets[0].higher_is_better, level=level) if complete else None,
        remarks=tuple(_remarks(sets, complete, conjunction)),
    )


@dataclass(frozen=True)
class _Combined:
    """What the combined test is made of.

    Attributes:
        sets: Of the campaign.
        n_trials: R, of each set the first so many.
        scale: In what differences are added up.
    """

    sets: tuple[SetResult, ...]
    n_trials: int
    scale: Scale

    def cells(self, name: str, other: str) -> list[tuple[SetResult, SetPair]]:
        """Of every set that has both systems."""
        found = ((one, one.pair(name, other)) for one in self.sets)
        return [(one, pair) for one, pair in found if pair is not None]

    def test(self, name: str, other: str) -> PairedTestResult:
        """Stratified randomisation of a pair; a ``reason`` where there is nothing to exchange."""
        cells = self.cells(name, other)
        observed, null, largest, n_varying = 0.0, np.zeros(self.n_trials), 0.0, 0
        for one, pair in cells:
            drawn = one.null_differences(name, other)
            if drawn is None:
                continue
            drawn = drawn[: self.n_trials]
            error = self._error(drawn, pair.difference)
            scale = 1.0
            if self.scale == "standard-errors":
                scale = 1 / error if error > 0 else 0.0
            observed += scale * pair.difference
            null += scale * drawn
            largest = max(largest, scale * max(abs(score) for score in one.scores))
            n_varying += error > 0
        n_sets = max(1, len(cells))
        null /= n_sets
        difference, rounded_off = observed / n_sets, ROUNDING * largest
        reason = None if n_varying else "There is nothing to exchange on any test set."
        return PairedTestResult(
            name=name,
            other=other,
            difference=difference,
            p_value=two_sided(null, difference, rounding=rounded_off) if reason is None else 1.0,
            null_distribution=null,
            interval=None,
            method="approximate-randomisation",
            resamples=self.n_trials,
            seed=self.sets[0].options.seed,
            smallest_p_value=1 / (self.n_trials + 1),
            reason=reason,
            rounding=rounded_off,
        )

    def _error(self, drawn: Floats, difference: float) -> float:
        """The root mean square of what the trials and the observation give; 0 where nothing varies."""
        size = float(np.sqrt((drawn @ drawn + difference**2) / (len(drawn) + 1)))
        return size if np.ptp(drawn) > 0 else 0.0


ROUNDING = 1e-6
"""Differences this close, relative to the largest score, are tied: those by chance are held in single precision."""


def _pair(combined: _Combined, name: str, other: str, level: float, conjunction: PartialConjunction) -> CampaignPair:
    """A pair without its correction."""
    cells = combined.cells(name, other)
    sign = 1.0 if combined.sets[0].higher_is_better else -1.0
    gains = [sign * pair.difference for _, pair in cells]
    ties = [
        abs(gain) <= TIE * max(1.0, *(abs(score) for score in one.scores))
        for gain, (one, _) in zip(gains, cells, strict=True)
    ]
    errors = [pair.standard_error for _, pair in cells]
    in_errors = [gain / error for gain, error in zip(gains, errors, strict=True) if error]
    test = combined.test(name, other)
    p_value = test.p_value if test.reason is None else None
    return CampaignPair(
        name=name,
        other=other,
        sets=tuple(one.name for one, _ in cells),
        wins=sum(gain > 0 and not tie for gain, tie in zip(gains, ties, strict=True)),
        losses=sum(gain < 0 and not tie for gain, tie in zip(gains, ties, strict=True)),
        ties=sum(ties),
        significant_wins=sum(pair.is_significant and gain > 0 for gain, (_, pair) in zip(gains, cells, strict=True)),
        significant_losses=sum(pair.is_significant and gain < 0 for gain, (_, pair) in zip(gains, cells, strict=True)),
        mean_difference=float(np.mean([pair.difference for _, pair in cells])) if cells else None,
        mean_gain=float(np.mean(in_errors)) if in_errors else None,
        p_value=p_value,
        corrected_p_value=p_value,
        n_comparisons=1,
        is_significant=False,
        better=replicability([pair.better_p_value for _, pair in cells], level / 2, conjunction),
        worse=replicability([pair.worse_p_value for _, pair in cells], level / 2, conjunction),
        heterogeneity=qualitative_interaction(gains, errors),
        remark=test.remark if cells else "No test set has both systems.",
    )


def _corrected(
    combined: _Combined, pairs: Sequence[CampaignPair], level: float, correction: Correction
) -> tuple[CampaignPair, ...]:
    """The pairs with p-values corrected as one family."""
    p_values: Sequence[float | None]
    tested = [place for place, one in enumerate(pairs) if one.p_value is not None]
    if correction == "max-t":
        sizes = {place: _size(combined.test(pairs[place].name, pairs[place].other)) for place in tested}
        rising = sorted(tested, key=sizes.__getitem__)

        def tests() -> Iterator[PairedTestResult]:
            for place in rising:
                yield combined.test(pairs[place].name, pairs[place].other)

        by_place = dict(zip(rising, step_down_max_t(tests()), strict=True))
        p_values = [by_place.get(place) for place in range(len(pairs))]
    else:
        p_values = corrected([one.p_value for one in pairs], correction)
    return tuple(
        replace(
            one,
            corrected_p_value=p,
            n_comparisons=len(tested),
            is_significant=p is not None and p < level,
        )
        for one, p in zip(pairs, p_values, strict=True)
    )


def _size(test: PairedTestResult) -> float:
    """A difference in standard errors of those by chance."""
    error = float(np.sqrt(np.mean(test.null_distribution**2)))
    return abs(test.difference) / error if error else 0.0


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


def _remarks(
    sets: Sequence[SetResult], complete: Sequence[SetResult], conjunction: PartialConjunction
) -> Iterator[str]:
    """What to know of a campaign."""
    sources = [one.source_digest for one in sets if one.source_digest is not None]
    share = len(sources) - len(set(sources))
    if share and conjunction == "fisher":
        yield (
            "Some test sets translate the same sources. Fisher's combination takes sets for independent, and these are "
            "not: count by Bonferroni."
        )
    if len({one.n_trials for one in sets}) > 1:
        yield f"The combined test uses the first {count(min(one.n_trials for one in sets))} trials of every set."
    if any(one.is_linearised for one in sets):
        names = [one.name for one in sets if one.is_linearised]
        yield (
            f"On {count(len(names))} of {count(len(sets))} test sets there are so many pairs that what chance does to "
            "their differences is linearised for the combined test."
        )
    if len(complete) < len(sets):
        yield f"Mean ranks are of the {count(len(complete))} test sets of {count(len(sets))} that have every system."
