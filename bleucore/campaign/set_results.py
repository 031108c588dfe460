"""What one test set of a campaign says: small enough to be kept and sent, and enough to be combined with others.

No text and no count of a segment is in it: scores, what a test says of each pair, and the differences to expect by
chance, which a combined test adds up over sets.
"""

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bleucore.checks import Finding, Severity
from bleucore.counts import Floats, Ints, Progress, Score, read_only
from bleucore.errors import InputError
from bleucore.evaluation import Evaluation
from bleucore.experiments.recipes import Recipes, by_recipes, pooled
from bleucore.short_reprs import short_repr
from bleucore.significance import (
    ComparedSystems,
    Comparison,
    PairComparison,
    PairedTestResult,
    Randomisation,
    SignificanceOptions,
    compare,
    randomise,
)
from bleucore.significance.draws import NamedCounts, names
from bleucore.significance.exchanges import exchanges
from bleucore.significance.families import Family
from bleucore.significance.paired import sides
from bleucore.significance.randomisation import randomisation_tests
from bleucore.significance.units import FEWEST_TESTED, Unit
from bleucore.values import unknown_name
from bleucore.written_numbers import count

HELD_PAIRS = 300
"""Of so many pairs, those of 25 systems, the differences by chance are held: 12 MB of 10,000 trials. Of more they are
linearised: then they are those of two systems, subtracted. With a baseline no more than these are compared at all."""
SHARE_OF_COMPARISON = 0.6
"""Of the work on a set, as its progress shows it."""
MISSING = math.nan
ERROR, SIDES = 3, slice(6, 8)
"""Columns of the numbers of a pair: the standard error, and both one-sided p-values."""
NOT_COUNTED = "Segments depend on each other here: the set counts neither as a significant win nor as a loss."
_SINGLE: TypeAlias = NDArray[np.float32]


class SetFinding(NamedTuple):
    """What the checks of the texts say, as far as a verdict asks for it.

    Attributes:
        system: The name of the system that it is about; ``None`` for references, source or all.
        severity: "error" or "warning".
        said: What is wrong, and with what, in words.
    """

    system: str | None
    severity: Severity
    said: str


@dataclass(frozen=True)
class SetPair:
    """What one test set says of two systems.

    Attributes:
        name: The system.
        other: The one that it is compared with.
        difference: The score of ``name`` minus that of ``other``.
        interval: 95 % bootstrap interval of the difference; ``None`` where there is none.
        standard_error: Of the difference, by the bootstrap; ``None`` as the interval.
        p_value: Two-sided, by the test of the options; ``None`` where there is no test, as from fewer than six units.
        corrected_p_value: The same, corrected within the set for ``family``.
        better_p_value: One-sided, by approximate randomisation: how often chance makes ``name`` as much better,
            whichever way the metric points; 1 where there is nothing to exchange, ``None`` from fewer than six units.
        worse_p_value: How often chance makes it as much worse; ``None`` as well.
        is_significant: Whether the corrected p-value is below the level, where that counts (``has_stars``).
        remark: What to know beside the p-value, in words, or ``None``.
        n_comparisons: How many comparisons of the set the p-value and the interval are corrected for.
        family: Which comparisons these are, as ``PairComparison`` has it.
        n_runs: How many runs the two have, where one has several and runs vary in the test; ``None`` of two runs.
    """

    name: str
    other: str
    difference: float
    interval: tuple[float, float] | None
    standard_error: float | None
    p_value: float | None
    corrected_p_value: float | None
    better_p_value: float | None
    worse_p_value: float | None
    is_significant: bool
    remark: str | None
    n_comparisons: int = 1
    family: Family = "pair"
    n_runs: tuple[int, int] | None = None

    def turned(self) -> "SetPair":
        """The same with the roles exchanged."""
        return replace(
            self,
            name=self.other,
            other=self.name,
            difference=0.0 - self.difference,  # never -0.0
            interval=None if self.interval is None else (0.0 - self.interval[1], 0.0 - self.interval[0]),
            better_p_value=self.worse_p_value,
            worse_p_value=self.better_p_value,
            n_runs=None if self.n_runs is None else self.n_runs[::-1],
        )


@dataclass(frozen=True, eq=False)
class SetResult:
    """One test set of a campaign. All arrays are read-only; two results are the same only if they are one object.

    Attributes:
        name: Of the test set, its own in a campaign.
        languages: Of source and references, as in ``TestSet``; ``None`` where not known.
        domain: News, conversation, or whatever sets are grouped by; ``None`` where not known.
        digest: Of the test set.
        source_digest: Equal in sets that translate the same sources; ``None`` where not known. Such sets exchange the
            same units, and are not independent of each other.
        n_segments: S.
        n_documents: ``None`` where documents are not known.
        unit: What is drawn and exchanged.
        n_units: How many of these.
        metric: Its name.
        signature: To cite with the scores.
        options: Of the tests, with the numbers of draws that were made, the unit and the seed of this set.
        asked: Of the tests, as they were given for the whole campaign: the seed of ``options`` is made of this one.
        higher_is_better: Which way the score points.
        systems: K names; a system without a score is not among them.
        scores: K.
        intervals: K, 95 %; ``None`` from fewer than six units.
        clusters: The systems in groups, best first, as ``Comparison`` has them; none where not all pairs are compared.
        rank_ranges: K, the ranks that a system can have, given what is significant among all pairs; none as clusters.
        baseline: The system whose pairs alone are held; ``None`` for all pairs.
        pair_places: (P, 2), the systems of each pair by their places.
        pair_numbers: (P, 9), of each pair the numbers of ``SetPair`` in its order; NaN for ``None``.
        pair_remarks: P.
        pair_families: P.
        null: (P, R) differences by chance of the pairs, single precision; or (K, R), see ``is_linearised``.
        is_linearised: Whether ``null`` holds for each system the linear part of what exchanges do to its score, so that
            that of a pair is a difference of two rows.
        remarks: What to know of the set, as sentences.
        has_stars: Whether small p-values count as significant, and the set as evidence in counts of sets.
        planned: (K, K, 3), of each system as the baseline (first axis) with each other: the corrected p-value and the
            ends of the interval in the family of the comparisons with that baseline; NaN for ``None``. Empty where a
            baseline was given, and of more pairs than ``HELD_PAIRS``.
        n_items: How many items there are, where rows repeat; else ``None``.
        why_untested: Why no difference can be tested, in words, or ``None``.
        findings: What the checks of the texts say, gravest first; ``None`` where they were not made.
        runs: K, the runs of each system with their scores; empty where every system is one output. A system with runs
            is a recipe, its score the mean.
        run_errors: (L, N) of all L runs in this order, single precision: the squares of a weighted sum of rows add up
            to the variance that the N units give to the sum of scores. Empty without runs.
        run_freedom: The degrees of freedom of that variance.
    """

    name: str
    languages: tuple[str | None, str | None]
    domain: str | None
    digest: str
    source_digest: str | None
    n_segments: int
    n_documents: int | None
    unit: Unit
    n_units: int
    metric: str
    signature: str
    options: SignificanceOptions
    asked: SignificanceOptions
    higher_is_better: bool
    systems: tuple[str, ...]
    scores: tuple[float, ...]
    intervals: tuple[tuple[float, float] | None, ...]
    clusters: tuple[tuple[str, ...], ...]
    rank_ranges: tuple[tuple[int, int], ...] | None
    baseline: str | None
    pair_places: Ints
    pair_numbers: Floats
    pair_remarks: tuple[str | None, ...]
    pair_families: tuple[Family, ...]
    null: NDArray[Any]
    is_linearised: bool
    remarks: tuple[str, ...]
    planned: Floats
    has_stars: bool = True
    n_items: int | None = None
    why_untested: str | None = None
    findings: tuple[SetFinding, ...] | None = None
    runs: tuple[tuple[tuple[str, float], ...], ...] = ()
    run_errors: NDArray[Any] = field(default_factory=lambda: np.empty((0, 0), np.float32))
    run_freedom: float = 1.0

    def __repr__(self) -> str:
        return short_repr(self)

    def runs_of(self, system: str) -> tuple[tuple[str, float], ...]:
        """The runs of a system with their scores; itself where it is one output, none where it has no score here."""
        place = self._places.get(system)
        if place is None:
            return ()
        return self.runs[place] if self.runs else ((system, self.scores[place]),)

    def n_runs(self, name: str, other: str) -> tuple[int, int] | None:
        """How many runs two systems have, where one has several; else ``None``."""
        found = len(self.runs_of(name)), len(self.runs_of(other))
        return found if max(found) > 1 else None

    @property
    def error(self) -> str | None:
        """What is wrong with its texts, in words, so that its scores mean nothing yet; ``None`` as far as is known."""
        return next((found.said for found in self.findings or () if found.severity == "error"), None)

    @property
    def significance_signature(self) -> str:
        """The settings of the tests, to cite with a p-value."""
        return self.options.signature()

    @property
    def is_tested(self) -> bool:
        """Whether the set counts as evidence: it has enough units to test, and p-values that count."""
        return self.has_stars and self.n_units >= FEWEST_TESTED

    @property
    def n_trials(self) -> int:
        """R, the trials of approximate randomisation."""
        return int(self.null.shape[1])

    @property
    def n_pairs(self) -> int:
        """P, the pairs that are held."""
        return len(self.pair_places)

    @property
    def pairs(self) -> tuple[SetPair, ...]:
        """The pairs that are held: all in the order of the names, or each other system with the baseline."""
        return tuple(self._pair(place) for place in range(self.n_pairs))

    def score(self, system: str) -> float | None:
        """The score of a system; ``None`` where it has none here."""
        place = self._places.get(system)
        return None if place is None else self.scores[place]

    def interval(self, system: str) -> tuple[float, float] | None:
        """The interval of a score; ``None`` where there is none."""
        place = self._places.get(system)
        return None if place is None else self.intervals[place]

    def rank_range(self, system: str) -> tuple[int, int] | None:
        """The ranks that a system can have here; ``None`` where it has no score, or not all pairs are compared."""
        place = self._places.get(system)
        return None if place is None or self.rank_ranges is None else self.rank_ranges[place]

    def cluster(self, system: str) -> int | None:
        """The number of a system's cluster, from 1, the best; ``None`` where it is in none."""
        return next((number for number, names in enumerate(self.clusters, 1) if system in names), None)

    def pair(self, name: str, other: str) -> SetPair | None:
        """The first system compared with the second; ``None`` where one of them is missing, or the pair is not held."""
        found = self._place(name, other)
        if found is None:
            return None
        place, sign = found
        return self._pair(place) if sign > 0 else self._pair(place).turned()

    def planned_pair(self, name: str, baseline: str) -> SetPair | None:
        """A system compared with a baseline that was chosen beforehand, corrected for the comparisons with it alone.

        ``None`` as for ``pair``; as ``pair`` where such families are not held.
        """
        found = self.pair(name, baseline)
        if found is None or not len(self.planned):
            return found
        of_baseline = self.planned[self._places[baseline]]
        p_value, low, high = (_known(number) for number in of_baseline[self._places[name]].tolist())
        return replace(
            found,
            interval=None if low is None or high is None else (low, high),
            corrected_p_value=p_value,
            is_significant=self._is_significant(p_value),
            n_comparisons=max(1, int((~np.isnan(of_baseline[:, 0])).sum())),
            family="baseline",
        )

    def null_differences(self, name: str, other: str) -> Floats | None:
        """What the first system's score minus the second's comes to by chance, (R,); ``None`` as for ``pair``."""
        held = self._place(name, other)
        if held is None:
            return None
        place, sign = held
        drawn: Floats
        if self.is_linearised:
            drawn = (self.null[self._places[name]] - self.null[self._places[other]]).astype(np.float64)
        else:
            drawn = self.null[place].astype(np.float64)
            drawn *= sign
        return drawn

    @cached_property
    def _places(self) -> Mapping[str, int]:
        return {name: place for place, name in enumerate(self.systems)}

    def _place(self, name: str, other: str) -> tuple[int, int] | None:
        """Where a pair is held, and 1 or -1 if it is the other way round."""
        first, second = self._places.get(name), self._places.get(other)
        if first is None or second is None or first == second:
            return None
        n_systems = len(self.systems)
        if self.baseline is not None:
            baseline = self._places.get(self.baseline)
            if baseline is None or baseline not in (first, second):
                return None
            system = first if second == baseline else second
            return system - (system > baseline), 1 if second == baseline else -1
        low, high = min(first, second), max(first, second)
        return low * (2 * n_systems - low - 1) // 2 + high - low - 1, 1 if first == low else -1

    def _pair(self, place: int) -> SetPair:
        first, second = self.pair_places[place].tolist()
        given = [_known(number) for number in self.pair_numbers[place].tolist()]
        difference, low, high, error, p_value, corrected, better, worse, n_comparisons = given
        return SetPair(
            name=self.systems[first],
            other=self.systems[second],
            difference=difference or 0.0,
            interval=None if low is None or high is None else (low, high),
            standard_error=error,
            p_value=p_value,
            corrected_p_value=corrected,
            better_p_value=better,
            worse_p_value=worse,
            is_significant=self._is_significant(corrected),
            remark=self.pair_remarks[place],
            n_comparisons=int(n_comparisons or 1),
            family=self.pair_families[place],
            n_runs=self.n_runs(self.systems[first], self.systems[second]),
        )

    def _is_significant(self, corrected: float | None) -> bool:
        return self.has_stars and corrected is not None and corrected < self.options.level


def set_findings(found: Sequence[Finding], systems: Sequence[str]) -> tuple[SetFinding, ...]:
    """The errors and warnings of these findings.

    Args:
        found: By ``check``.
        systems: The names of all systems that were checked, in their order.
    """
    return tuple(
        SetFinding(
            systems[one.index] if one.kind == "system" and one.index is not None else None,
            one.severity,
            f"{one.subject}: {one.message}",
        )
        for one in found
        if one.severity != "note"
    )


def seed_of_set(seed: int, digest: str) -> int:
    """The seed of the draws of one set of a campaign: whatever the order of the sets, each has its own."""
    return int.from_bytes(hashlib.sha256(f"bleuscope campaign\n{seed}\n{digest}".encode()).digest()[:4])


def set_result(  # noqa: PLR0913  # what is known of a set
    name: str,
    compared: ComparedSystems,
    *,
    digest: str,
    metric: str,
    signature: str,
    options: SignificanceOptions | None = None,
    baseline: str | None = None,
    languages: tuple[str | None, str | None] = (None, None),
    domain: str | None = None,
    source_digest: str | None = None,
    score: Score | None = None,
    keeps_seed: bool = False,
    remarks: Sequence[str] = (),
    findings: tuple[SetFinding, ...] | None = None,
    recipes: Mapping[str, Sequence[str]] | None = None,
    progress: Progress | None = None,
) -> SetResult:
    """What a test set says of its systems, by ``significance.compare``, with what a combined test needs.

    Sets are exchanged independently of each other: the seed is made of the one given and the digest of the set. Only
    sets of the same sources exchange the same units, since what is hard to translate is so in all of them; the test
    is as valid where it is not, because it is one of fewer exchanges (Edgington and Onghena 2007).

    Clusters and ranges of ranks rest on all pairs. Where these are more than ``HELD_PAIRS`` and a baseline is given,
    the others are compared with it alone: 199 pairs in place of 19,900, which are most of the work on 200 systems. None
    are where the set does not have it.

    Whatever test is chosen, one-sided p-values and the differences by chance are those of approximate randomisation.

    With ``recipes``, each of them is a system: its score is the mean of its runs, and where one of two has several,
    they are compared with the variance of items and runs (``experiments.recipes``).

    Args:
        name: Of the test set.
        compared: The systems with their counts. One whose score is not a number is left out, with a remark; of a file
            of scores, whose counts of a missing system are 0, leave such a system out, as ``set_result_of`` does.
        digest: Of the test set.
        metric: Its name.
        signature: To cite with the scores.
        options: How to test; as for ``compare``.
        baseline: The system whose pairs alone are held, as p-values corrected among these; ``None`` for all. A set that
            does not have it holds none.
        languages: Of source and references.
        domain: What sets are grouped by.
        source_digest: Of the sources and what is drawn of them, equal in sets of the same sources.
        score: That of ``compared`` to the last digit, where the one for very many draws gives others.
        keeps_seed: Whether the seed of the options is taken as it is, for one set by itself: then every p-value is that
            of ``compare``.
        remarks: What to know of the set.
        findings: What the checks of its texts say; ``None`` where they were not made.
        recipes: The systems that are runs of each recipe, by its name; each system stands for itself unless given.
        progress: Called with the share of the work done, 0 to 1, from time to time.

    Raises:
        InputError: There is no system with a score, counts that do not fit, or documents are the unit and not known.
    """
    asked, report = options or SignificanceOptions(), progress or (lambda _: None)
    compared, unscored = _with_scores(compared)
    scores, of_runs, runs = _scores(compared, score or compared.score), None, dict[str, float]()
    if recipes is not None:
        recipes = _with_runs(recipes, unscored)
        of_runs = Recipes.of(compared, recipes, asked)
        compared, runs = pooled(compared, recipes), dict(zip(names(compared.systems), scores, strict=True))
        scores = tuple(float(np.mean([runs[run] for run in of_recipe])) for of_recipe in recipes.values())
    options = asked if keeps_seed else replace(asked, seed=seed_of_set(asked.seed, source_digest or digest))
    given = names(compared.systems)
    held = baseline if baseline in given else None
    are_many = math.comb(len(given), 2) > HELD_PAIRS
    is_alone = are_many and baseline is not None
    told_apart = _Sides(compared.higher_is_better)
    tested = compare(
        compared,
        options,
        only_with=(held or given[0]) if is_alone else None,
        is_tested=held is not None or not is_alone,
        each_test=told_apart.take if are_many and baseline is None else None,
        progress=lambda done: report(SHARE_OF_COMPARISON * done),
    )
    if of_runs is not None and of_runs.has_several(*of_runs.runs):
        tested = by_recipes(tested, of_runs)
    planned = tested.with_baseline(held)
    pairs = [planned.pair(*each) for each in _names_of_pairs(tested.names, held)] if baseline in (None, held) else []
    drawn = _Drawn.of(compared, tested, [(one.name, one.other) for one in pairs], told_apart, report)
    told = [*remarks, *([] if tested.warning is None else [tested.warning])]
    told += [] if tested.why_untested is None else [tested.why_untested]
    told += [] if tested.has_stars else [NOT_COUNTED]
    told += [f"{system} has no score here." for system in unscored]
    if drawn.is_linearised:
        told.append(
            f"These are {count(len(pairs))} pairs, more than {count(HELD_PAIRS)}: what a combined test adds up is "
            "linearised. p-values of this set are not."
        )
    return SetResult(
        name=name,
        languages=languages,
        domain=domain,
        digest=digest,
        source_digest=source_digest,
        n_segments=tested.n_segments,
        n_documents=tested.n_documents,
        unit=drawn.unit,
        n_units=tested.n_units,
        metric=metric,
        signature=signature,
        options=tested.options,
        asked=asked,
        higher_is_better=tested.higher_is_better,
        systems=tested.names,
        scores=scores,
        intervals=tuple(tested.intervals.values()),
        clusters=tested.clusters,
        rank_ranges=None if is_alone else tuple(tested.rank_range(system) for system in tested.names),
        baseline=baseline,
        pair_places=read_only(_places(tested.names, pairs)),
        pair_numbers=read_only(_numbers_with_runs(_numbers(pairs, drawn.sides), pairs, of_runs, compared)),
        pair_remarks=tuple(one.remark for one in pairs),
        pair_families=tuple(one.family for one in pairs),
        null=drawn.null,
        is_linearised=drawn.is_linearised,
        remarks=tuple(told),
        planned=read_only(_planned(tested) if baseline is None and not are_many else np.empty((0, 0, 3))),
        has_stars=tested.has_stars,
        n_items=tested.n_items,
        why_untested=tested.why_untested,
        findings=findings,
        **({} if of_runs is None else _of_runs(of_runs, runs)),
    )


def set_result_of(  # noqa: PLR0913  # what is known of a set
    name: str,
    evaluation: Evaluation,
    documents: Sequence[str] | None = None,
    *,
    items: Ints | None = None,
    metric: str | None = None,
    options: SignificanceOptions | None = None,
    baseline: str | None = None,
    languages: tuple[str | None, str | None] = (None, None),
    domain: str | None = None,
    source: Sequence[str] | None = None,
    keeps_seed: bool = False,
    remarks: Sequence[str] = (),
    findings: tuple[SetFinding, ...] | None = None,
    recipes: Mapping[str, Sequence[str]] | None = None,
    progress: Progress | None = None,
) -> SetResult:
    """``set_result`` of an evaluation.

    Args:
        name: Of the test set.
        evaluation: Of its systems.
        documents: Of each segment, where they are known.
        items: Of each segment, where rows repeat; see ``TestSet.items``.
        metric: The name of one of the evaluation's; BLEU unless given.
        options: How to test.
        baseline: As in ``set_result``.
        languages: As in ``set_result``.
        domain: As in ``set_result``.
        source: Of each segment, where it is known: sets with the same sources are known by it.
        keeps_seed: As in ``set_result``.
        remarks: As in ``set_result``.
        findings: As in ``set_result``.
        recipes: As in ``set_result``.
        progress: As in ``set_result``.

    Raises:
        InputError: As ``set_result``, or there is no such metric.
    """
    chosen = evaluation.bleu if metric is None else evaluation.metrics.get(metric)
    if chosen is None:
        raise unknown_name(
            "metric", metric, evaluation.metrics, where="The evaluation", remedy="Choose one of its metrics."
        )
    scored = [system for system in evaluation.names if chosen.has_score(system)]
    unscored = [system for system in evaluation.names if system not in scored]
    return set_result(
        name,
        ComparedSystems(
            systems=[(system, chosen.systems[system].counts) for system in scored],
            score=chosen.draw_scores_of,
            higher_is_better=chosen.higher_is_better,
            documents=documents,
            items=items,
            single_precision=True,
        ),
        digest=evaluation.digest,
        metric=chosen.name,
        signature=chosen.signature,
        options=options,
        baseline=baseline,
        languages=languages,
        domain=domain,
        source_digest=None if source is None else digest_of_sources(source, documents),
        score=chosen.score_of,
        keeps_seed=keeps_seed,
        remarks=(*remarks, *chosen.remarks, *(f"{system} has no score here." for system in unscored)),
        findings=findings,
        recipes=recipes,
        progress=progress,
    )


def digest_of_sources(source: Sequence[str], documents: Sequence[str] | None = None) -> str:
    """SHA-256 of sources with their documents: equal where the same units of the same sources are drawn."""
    state = hashlib.sha256(b"bleuscope sources")
    for column in (source, documents or ()):
        state.update(f"\n{len(column)}".encode())
        for text in column:
            state.update(f"\n{len(text)}\n{text}".encode())
    return state.hexdigest()


@dataclass(frozen=True)
class _Sides:
    """One-sided p-values of tests, taken while their null distributions are there.

    Attributes:
        higher_is_better: Which way the score points.
        found: By the names of a pair, of its first system: better, worse.
    """

    higher_is_better: bool
    found: dict[tuple[str, str], tuple[float, float]] = field(default_factory=dict)

    def take(self, test: PairedTestResult) -> None:
        """Look at a test, if it is approximate randomisation."""
        if test.method != "approximate-randomisation":
            return
        better, worse = sides(test, higher_is_better=self.higher_is_better)
        self.found[test.name, test.other] = better, worse
        self.found[test.other, test.name] = worse, better

    def of(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """Those of pairs, (P, 2)."""
        return np.array([self.found[pair] for pair in pairs], np.float64).reshape(-1, 2)


@dataclass(frozen=True)
class _Drawn:
    """What approximate randomisation says of the held pairs.

    Attributes:
        unit: What is exchanged.
        sides: (P, 2), the one-sided p-values: better, worse.
        null: As in ``SetResult``.
        is_linearised: As in ``SetResult``.
    """

    unit: Unit
    sides: Floats
    null: NDArray[Any]
    is_linearised: bool

    @classmethod
    def of(
        cls,
        compared: ComparedSystems,
        tested: Comparison,
        pairs: Sequence[tuple[str, str]],
        sides: _Sides,
        report: Progress,
    ) -> "_Drawn":
        """Of pairs of the systems that were compared, with the sides of those that were tested so."""
        unit = tested.drawn.unit
        is_linearised = len(pairs) > HELD_PAIRS
        if not pairs:
            return cls(unit, np.empty((0, 2)), _none_drawn(tested.options.n_trials), is_linearised=False)
        units = compared.unit_counts(tested.units)
        made = tested.trials or exchanges(units, compared.score, tested.options, unit)
        trials = replace(_added_up(made, units, compared, tested), single_precision=compared.single_precision)
        place = {name: index for index, name in enumerate(tested.names)}
        places = [(place[name], place[other]) for name, other in pairs]
        held: _SINGLE = np.empty((0 if is_linearised else len(pairs), tested.options.n_trials), np.float32)
        if not (is_linearised and sides.found):
            for index, test in enumerate(randomisation_tests(trials, places)):
                sides.take(test)
                if not is_linearised:
                    held[index] = test.null_distribution
                report(SHARE_OF_COMPARISON + (1 - SHARE_OF_COMPARISON) * (index + 1) / len(pairs))
            for test in randomisation_tests(made, places) if made.is_complete else ():
                sides.take(test)
        null = _linearised(units, compared, trials) if is_linearised else held
        found = sides.of(pairs)
        if tested.n_units < FEWEST_TESTED:
            found = np.full_like(found, MISSING)
        return cls(unit, found, read_only(null), is_linearised)


def _added_up(
    made: Randomisation, units: Sequence[NamedCounts], compared: ComparedSystems, tested: Comparison
) -> Randomisation:
    """Trials that add up over sets: those of the test, or random ones where it makes all exchanges."""
    if not made.is_complete:
        return made
    options = tested.options
    return randomise(units, compared.score, trials=options.n_trials, seed=options.seed, unit=made.unit)


def _linearised(units: Sequence[NamedCounts], compared: ComparedSystems, trials: Randomisation) -> _SINGLE:
    """What the same exchanges do to each score, less what they do to the first, in the linear part: (K, R).

    A unit adds to a score what the score falls by with the mean counts of all systems in its place. Exchanging it turns
    the sign of the difference of what it adds to two scores.
    """
    mean = np.mean([counts for _, counts in units], axis=0)
    added = []
    for (name, counts), sums, score in zip(units, trials.sums, trials.scores, strict=True):
        added.append((name, (score - compared.score((sums - counts + mean).astype(np.float64)))[:, None]))
    n_trials = trials.exchanged.shape[2]
    moved = randomise(added, lambda counts: counts[..., 0], trials=n_trials, seed=trials.seed, unit=trials.unit)
    return np.asarray((moved.sums - moved.sums[0]) - 2 * moved.exchanged[:, 0], np.float32)


def _scores(compared: ComparedSystems, score: Score) -> tuple[float, ...]:
    """One system at a time, as an evaluation scores them: several at once can differ in the last digit."""
    return tuple(float(score(np.asarray(counts).sum(axis=0))) for _, counts in compared.systems)


def _with_scores(compared: ComparedSystems) -> tuple[ComparedSystems, list[str]]:
    """The systems with a score, and the names of the others."""
    given = names(compared.systems)
    has_score = [bool(np.isfinite(compared.score(_sum(counts)))) for _, counts in compared.systems]
    scored = [system for system, has in zip(compared.systems, has_score, strict=True) if has]
    if not scored:
        raise InputError("no system has a score", remedy="Give the outputs of at least one system.")
    return replace(compared, systems=scored), [one for one, has in zip(given, has_score, strict=True) if not has]


def _with_runs(recipes: Mapping[str, Sequence[str]], unscored: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The recipes without runs that have no score, and without those of which none has one."""
    left = {name: tuple(run for run in runs if run not in unscored) for name, runs in recipes.items()}
    return {name: runs for name, runs in left.items() if runs}


def _of_runs(of: Recipes, scores: Mapping[str, float]) -> dict[str, Any]:
    """What a combined test needs of runs, as fields of ``SetResult``."""
    place = {name: row for row, name in enumerate(of.scored.names)}
    rows = [place[run] for runs in of.runs.values() for run in runs]
    return {
        "runs": tuple(tuple((run, scores[run]) for run in runs) for runs in of.runs.values()),
        "run_errors": read_only(of.scored.errors[rows].astype(np.float32)),
        "run_freedom": of.scored.n_free,
    }


def _numbers_with_runs(
    numbers: Floats, pairs: Sequence[PairComparison], of: Recipes | None, compared: ComparedSystems
) -> Floats:
    """The numbers of pairs with the standard errors and the one-sided p-values of those in which runs vary."""
    for row, one in enumerate(pairs):
        found = None if of is None else of.contrast(one.name, one.other)
        if found is None or one.p_value is None:
            continue
        is_less = compared.higher_is_better
        sides = [found.one_sided(is_less=not is_less), found.one_sided(is_less=is_less)]
        numbers[row, ERROR] = found.estimate.standard_error
        numbers[row, SIDES] = [MISSING if one is None else one for one in sides]
    return numbers


def _sum(counts: NDArray[Any]) -> Floats:
    sums: Floats = counts.sum(axis=0).astype(np.float64)
    return sums


def _none_drawn(n_trials: int) -> _SINGLE:
    return read_only(np.empty((0, n_trials), np.float32))


def _names_of_pairs(systems: Sequence[str], baseline: str | None) -> Iterable[tuple[str, str]]:
    """The pairs that are held, in their order."""
    if baseline is not None:
        return [(system, baseline) for system in systems if system != baseline]
    return [(one, other) for index, one in enumerate(systems) for other in systems[index + 1 :]]


def _places(systems: Sequence[str], pairs: Sequence[PairComparison]) -> Ints:
    place = {name: index for index, name in enumerate(systems)}
    return np.array([(place[one.name], place[one.other]) for one in pairs], np.int64).reshape(-1, 2)


def _planned(tested: Comparison) -> Floats:
    """Each system as the baseline of the others: corrected p-value and interval, (K, K, 3)."""
    found = np.full((len(tested.names), len(tested.names), 3), MISSING)
    for row, baseline in enumerate(tested.names):
        against = tested.with_baseline(baseline).against(baseline)
        for column, name in enumerate(tested.names):
            if (one := against.get(name)) is not None:
                p_value = MISSING if one.corrected_p_value is None else one.corrected_p_value
                found[row, column] = p_value, *(one.interval or (MISSING, MISSING))
    return found


def _known(number: float) -> float | None:
    return None if math.isnan(number) else number


def _numbers(pairs: Sequence[PairComparison], sides: Floats) -> Floats:
    """The numbers of each pair, (P, 9)."""
    found = [
        (
            one.difference,
            *(one.interval or (MISSING, MISSING)),
            MISSING if one.standard_error is None else one.standard_error,
            MISSING if one.p_value is None else one.p_value,
            MISSING if one.corrected_p_value is None else one.corrected_p_value,
        )
        for one in pairs
    ]
    n_comparisons = np.array([one.n_comparisons for one in pairs], np.float64).reshape(-1, 1)
    return np.concatenate([np.array(found, np.float64).reshape(-1, 6), sides, n_comparisons], axis=1)
