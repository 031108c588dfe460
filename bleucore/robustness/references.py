"""What the choice of references does: which of them rank systems how, and how much one reference of several says.

A score with some of the references is that of counts with these alone, so that every choice is exact. Counts with one
reference are of one segment each: a reference drawn for each document or segment is a gather and a sum of counts.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import comb
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from bleucore.corpus import System, TestSet
from bleucore.counts import Floats, Ints, Progress, read_only
from bleucore.errors import InputError
from bleucore.metrics import Metric, MetricOptions, metric_of
from bleucore.options import BleuOptions
from bleucore.robustness.counted_choices import Choice, Counts, counts_by_choice
from bleucore.robustness.flips import Base, Reordered, Scoring
from bleucore.robustness.rankings import TIE, RankStability, orders, rank_stability, tau_b
from bleucore.significance import Comparison, SignificanceOptions, TestSetUnits
from bleucore.values import not_accepted, unknown_name, whole_number

DrawUnit = Literal["document", "segment"]
DRAW_UNITS: tuple[DrawUnit, ...] = get_args(DrawUnit)
USUAL_DRAWS = 1_000
MOST_DRAWS = 100_000
MOST_SUBSETS = 31
"""Choices of references that are scored: all of up to five references, else a drawn part of each size."""
DRAWS_AT_ONCE = 250
LARGEST_SEED = 2**63 - 1
ONE_REFERENCE = "There is only one reference. A second one would show whether the order of systems depends on it."


@dataclass(frozen=True)
class DrawOptions:
    """How references are drawn.

    Attributes:
        unit: What has one reference: a document, as a story in Papineni et al. 2002, or a segment. ``None`` is the
            document where documents are known. Rows of one item, and copies of a document, have the same one.
        n: How often, 1 to ``MOST_DRAWS``.
        seed: Of the draws.
    """

    unit: DrawUnit | None = None
    n: int = USUAL_DRAWS
    seed: int = 12345

    def __post_init__(self) -> None:
        if self.unit is not None and self.unit not in DRAW_UNITS:
            raise not_accepted("unit", self.unit, f"one of {', '.join(DRAW_UNITS)}")
        object.__setattr__(self, "n", whole_number("draws", self.n, 1, MOST_DRAWS))
        object.__setattr__(self, "seed", whole_number("seed", self.seed, 0, LARGEST_SEED))

    def unit_of(self, test_set: TestSet) -> DrawUnit:
        """What is drawn for.

        Raises:
            InputError: Documents are asked for and not known.
        """
        if self.unit == "document" and test_set.documents is None:
            raise InputError(
                "the test set has no documents to draw references for",
                where="Option draw unit",
                remedy="Draw by segment, or give the document of each segment.",
            )
        return self.unit or ("segment" if test_set.documents is None else "document")


@dataclass(frozen=True)
class Draws:
    """Systems scored with one reference drawn for each unit.

    Attributes:
        unit: What has one reference.
        n: How many draws, N.
        seed: Of the draws.
        scores: (N, K), read-only.
        stability: What the orders have in common, held against the base.
    """

    unit: DrawUnit
    n: int
    seed: int
    scores: Floats
    stability: RankStability


@dataclass(frozen=True, kw_only=True, eq=False)
class Subset(Reordered):
    """Systems scored with some of the references.

    Attributes:
        references: Their names.
        intervals: (K, 2), of the scores at 95 %, as the base is drawn; NaN from fewer than six units.
        tau_b: With the base.
        is_mean: Whether it is the mean of the scores with each of them alone.
    """

    references: tuple[str, ...]
    intervals: Floats
    tau_b: float
    is_mean: bool = False


@dataclass(frozen=True)
class Growth:
    """What so many references say, over the subsets of that size.

    Attributes:
        size: How many references.
        n_subsets: How many subsets were scored.
        means: (K,), the mean score of each system.
        lowest: (K,), its lowest.
        highest: (K,), its highest.
        tau_b: The mean tau-b with the base.
        lowest_tau_b: The lowest.
        flips: The mean number of pairs turned round.
    """

    size: int
    n_subsets: int
    means: Floats
    lowest: Floats
    highest: Floats
    tau_b: float
    lowest_tau_b: float
    flips: float


@dataclass(frozen=True)
class MatchShares:
    """Which reference it was that matched.

    Attributes:
        matches: (K, M), the clipped matches with all references.
        only: (R, K, M), those that would be lost without one reference.
        lengths: (R, K), the segments whose length is that of one reference and of no other.
    """

    matches: Ints
    only: Ints
    lengths: Ints

    @property
    def several(self) -> Ints:
        """The matches that no single reference decides, (K, M)."""
        return np.asarray(self.matches - self.only.sum(axis=0))

    def shares(self) -> Floats:
        """The share of matches with one reference alone and, last, with several: (R + 1, K, M); NaN without any."""
        parts = np.concatenate([self.only, self.several[None]]).astype(np.float64)
        return np.asarray(np.divide(parts, self.matches, out=np.full(parts.shape, np.nan), where=self.matches > 0))


@dataclass(frozen=True)
class HeldOut:
    """A reference scored as a system against the others, and systems against the same.

    Attributes:
        reference: Its name.
        against: The other references.
        score: Its score.
        scores: (K,), those of the systems.
        rank: The place of the reference among the systems, from 1.
    """

    reference: str
    against: tuple[str, ...]
    score: float
    scores: Floats
    rank: int


@dataclass(frozen=True)
class Nearness:
    """How near systems and references are to each reference.

    Attributes:
        scores: (K + R, R), of systems and then references with each reference alone; NaN of a reference with itself,
            and where a segment lacks it.
        nearest: (K, R), the share of segments of a system that score highest with each reference; equal ones share.
    """

    scores: Floats
    nearest: Floats


@dataclass(frozen=True)
class ReferenceStudy:
    """What the choice of references does.

    Attributes:
        systems: K names.
        references: R names.
        options: Of the metric.
        base: The references of the base, in the order of the test set.
        tests: How pairs were tested, in the base and against it.
        subsets: Those scored: each alone first, all of them last.
        mean: The mean of the scores with each alone; ``None`` with one.
        draws: One reference drawn for each unit.
        shares: Which reference matched, for BLEU; ``None`` with one.
        nearness: How near systems and references are to each reference.
        held_out: References as systems.
        notices: What was left out and why, in sentences.
    """

    systems: tuple[str, ...]
    references: tuple[str, ...]
    options: MetricOptions
    base: tuple[str, ...]
    tests: SignificanceOptions
    subsets: tuple[Subset, ...]
    mean: Subset | None
    draws: Draws
    shares: MatchShares | None
    nearness: Nearness
    held_out: tuple[HeldOut, ...]
    notices: tuple[str, ...]

    @property
    def metric(self) -> Metric:
        """What systems are scored in."""
        return metric_of(self.options)

    @property
    def metric_name(self) -> str:
        """What that is called."""
        return self.metric.name(self.options)

    def gains(self, scores: Floats) -> Floats:
        """Scores, turned so that higher is better."""
        return scores if self.metric.higher_is_better(self.options) else -scores

    @property
    def n_pairs(self) -> int:
        """How many pairs of systems there are."""
        return comb(len(self.systems), 2)

    @property
    def base_subset(self) -> Subset:
        """The systems as the base scores them."""
        return next(one for one in self.subsets if one.references == self.base)

    @property
    def singles(self) -> tuple[Subset, ...]:
        """The systems as each reference alone scores them."""
        return tuple(one for one in self.subsets if len(one.references) == 1)

    def growth(self) -> tuple[Growth, ...]:
        """What one reference says, two, and so on."""
        found = []
        for size in range(1, len(self.references) + 1):
            of_size = [one for one in self.subsets if len(one.references) == size]
            if of_size:
                found.append(_growth(size, of_size))
        return tuple(found)


def study_references(  # noqa: PLR0913  # what can be chosen
    test_set: TestSet,
    options: MetricOptions | None = None,
    *,
    base: Sequence[str] | None = None,
    draws: DrawOptions | None = None,
    significance: SignificanceOptions | None = None,
    comparison: Comparison | None = None,
    progress: Progress | None = None,
) -> ReferenceStudy:
    """What the choice of references does to the order of systems.

    Args:
        test_set: K systems, R references.
        options: Of a metric that is computed; BLEU's as sacreBLEU has them unless given.
        base: The names of the references that others are held against; all unless given.
        draws: How one reference is drawn for each unit.
        significance: How the base is tested, and what is turned round against it.
        comparison: The tests of the base, where they are made already.
        progress: Called with the share of the work done, 0 to 1.

    Raises:
        InputError: There is no such reference, some segments have none of the base, a number is out of range, or the
            metric is not computed.
    """
    options, drawn_how = options or BleuOptions(), draws or DrawOptions()
    unit, report = drawn_how.unit_of(test_set), progress or (lambda _: None)
    names, present = _names(test_set), _present(test_set)
    chosen = _chosen(names, base, present)
    choices, notices = _choices(len(names), chosen, drawn_how.seed)
    counts = counts_by_choice(test_set, options, choices, lambda done: report(done / 2))
    base_of = Base.of(
        Scoring.of(test_set, [counts[chosen]], options), significance or SignificanceOptions(), comparison
    )
    subsets, complete = [], [choice for choice in choices if present[list(choice)].any(axis=0).all()]
    for done, choice in enumerate(complete, start=1):
        scoring = Scoring.of(test_set, [counts[choice]], options)
        subsets.append(_subset(tuple(names[index] for index in choice), base_of, scoring))
        report(0.5 + 0.4 * done / len(complete))
    singles = [counts[(index,)] for index in range(len(names))]
    is_several = len(names) > 1
    of_draws = single_reference_draws(test_set, singles, options, replace(drawn_how, unit=unit))
    sign = 1.0 if metric_of(options).higher_is_better(options) else -1.0
    stability = rank_stability(base_of.scoring.gains, sign * of_draws)
    report(1.0)
    return ReferenceStudy(
        systems=test_set.system_names,
        references=names,
        options=options,
        base=tuple(names[index] for index in chosen),
        tests=base_of.tests,
        subsets=tuple(subsets),
        mean=_subset(names, base_of, Scoring.of(test_set, singles, options), is_mean=True)
        if is_several and present.all()
        else None,
        draws=Draws(unit, drawn_how.n, drawn_how.seed, of_draws, stability),
        shares=_match_shares(counts, options, present) if is_several and isinstance(options, BleuOptions) else None,
        nearness=_nearness(test_set, singles, options),
        held_out=_held_out(test_set, counts, options, names),
        notices=(*_incomplete(names, present), *notices),
    )


def single_reference_draws(
    test_set: TestSet, singles: Sequence[Sequence[Counts]], options: MetricOptions, draws: DrawOptions
) -> Floats:
    """Scores (N, K) with one reference drawn for each document or segment (Papineni et al. 2002, section 4.1).

    The draws are ``numpy.random.default_rng(seed).integers(R, size=(N, U))``. A segment that lacks the reference drawn
    takes the next one that it has.

    Args:
        test_set: K systems, R references.
        singles: Counts (S, C) by reference and system, with each reference alone.
        options: Of the metric.
        draws: How many, for what and with which seed.
    """
    units, n_units = _units(test_set, draws.unit_of(test_set))
    n_references, n_segments = len(singles), test_set.n_segments
    taken = _next_present(_present(test_set))
    columns = np.stack([np.concatenate(of_reference, axis=1) for of_reference in singles]).astype(np.float64)
    picked = np.random.default_rng(draws.seed).integers(n_references, size=(draws.n, n_units))
    found = []
    for start in range(0, draws.n, DRAWS_AT_ONCE):
        references = taken[picked[start : start + DRAWS_AT_ONCE][:, units], np.arange(n_segments)]
        sums = sum((references == index).astype(np.float64) @ column for index, column in enumerate(columns))
        by_system = np.asarray(sums).reshape(len(references), len(test_set.systems), -1)
        found.append(metric_of(options).scores(np.rint(by_system).astype(np.int64), options))
    return read_only(np.concatenate(found))


def _names(test_set: TestSet) -> tuple[str, ...]:
    """The names of the references, each of its own."""
    given, names = test_set.reference_names or (), list[str]()
    for name in given:
        n_before = sum(other == name for other in given[: len(names)])
        names.append(f"{name} ({n_before + 1})" if n_before else name)
    return tuple(names)


def _present(test_set: TestSet) -> NDArray[np.bool_]:
    """Which segment has which reference, (R, S)."""
    return np.array([[text is not None for text in column] for column in test_set.references])


def _chosen(names: Sequence[str], base: Sequence[str] | None, present: NDArray[np.bool_]) -> tuple[int, ...]:
    """The references of the base, by their places.

    Raises:
        InputError: There is no such reference, or some segments have none of these.
    """
    for name in base or ():
        if name not in names:
            remedy = "Name references of the test set."
            raise unknown_name("reference", name, names, where="The base", remedy=remedy)
    chosen = tuple(place for place, name in enumerate(names) if not base or name in base)
    lacking = ~present[list(chosen)].any(axis=0)
    if lacking.any():
        raise InputError(
            "the segment has no reference of the base",
            where="The base",
            line=int(lacking.argmax()) + 1,
            found=", ".join(names[place] for place in chosen),
            remedy="Take one more reference into the base.",
        )
    return chosen


def _choices(n_references: int, base: tuple[int, ...], seed: int) -> tuple[list[tuple[int, ...]], tuple[str, ...]]:
    """The choices of references to score, by size, and what was not scored of them."""
    every = range(n_references)
    if 2**n_references - 1 <= MOST_SUBSETS:
        return [choice for size in range(1, n_references + 1) for choice in combinations(every, size)], ()
    needed = {*combinations(every, 1), *combinations(every, n_references - 1), tuple(every), base}
    generator, n_each = np.random.default_rng(seed), max(1, MOST_SUBSETS // n_references)
    for size in range(2, n_references - 1):
        for _ in range(n_each):
            needed.add(tuple(sorted(generator.choice(n_references, size, replace=False).tolist())))
    told = f"Not every subset of {n_references} references is scored, but up to {n_each} random ones of each size."
    return sorted(needed, key=lambda choice: (len(choice), choice)), (told,)


def _subset(names: tuple[str, ...], base: Base, scoring: Scoring, *, is_mean: bool = False) -> Subset:
    return Subset(
        references=names,
        scores=read_only(scoring.scores),
        intervals=read_only(_intervals(scoring, base.comparison.options)),
        tau_b=float(tau_b(orders(base.scoring.gains), orders(scoring.gains))),
        flips=base.flips(scoring),
        is_mean=is_mean,
    )


def _intervals(scoring: Scoring, options: SignificanceOptions) -> Floats:
    """The 95 % intervals of all systems, (K, 2), on resamples of the units of the base."""
    compared = scoring.compared(range(len(scoring.names)))
    drawn = compared.bootstrap(options)
    intervals = (options.score_interval(drawn, index) for index in range(len(drawn.names)))
    return np.array([interval or (np.nan, np.nan) for interval in intervals])


def _growth(size: int, subsets: Sequence[Subset]) -> Growth:
    of_size = np.array([one.scores for one in subsets])
    taus = [one.tau_b for one in subsets]
    return Growth(
        size,
        len(subsets),
        means=read_only(of_size.mean(axis=0)),
        lowest=read_only(of_size.min(axis=0)),
        highest=read_only(of_size.max(axis=0)),
        tau_b=float(np.mean(taus)),
        lowest_tau_b=min(taus),
        flips=float(np.mean([len(one.flips) for one in subsets])),
    )


def _match_shares(
    counts: Mapping[Choice, list[Counts]], options: BleuOptions, present: NDArray[np.bool_]
) -> MatchShares:
    """Which reference matched, of counts by choice: with all, without one, and with one alone."""
    every = tuple(range(len(present)))
    whole = np.stack(counts[every])
    matched = slice(2, 2 + options.max_order)
    total = whole[..., matched].sum(axis=1)
    without = [np.stack(counts[tuple(other for other in every if other != one)]) for one in every]
    only = np.stack([total - part[..., matched].sum(axis=1) for part in without])
    gives = np.stack([np.stack(counts[(one,)])[..., 1] == whole[..., 1] for one in every]) & present[:, None]
    alone = gives & (gives.sum(axis=0) == 1) & (options.reference_length in ("closest", "shortest"))
    return MatchShares(read_only(total), read_only(only), read_only(alone.sum(axis=-1)))


def _nearness(test_set: TestSet, singles: Sequence[Sequence[Counts]], options: MetricOptions) -> Nearness:
    """Systems and references against each reference, of counts (S, C) by reference and system."""
    metric, present = metric_of(options), _present(test_set)
    sign = 1.0 if metric.higher_is_better(options) else -1.0
    n_systems, n_references = len(test_set.systems), len(singles)
    scored = np.full((n_systems + n_references, n_references), np.nan)
    of_segments = np.array([[metric.segment_scores(counts, options) for counts in one] for one in singles])
    gains = np.where(present[:, None], sign * of_segments, -np.inf)
    best = np.abs(gains - gains.max(axis=0)) <= TIE
    for place, counts in enumerate(singles):
        if present[place].all():
            scored[:n_systems, place] = metric.scores(np.array([each.sum(axis=0) for each in counts]), options)
            others = [other for other in range(n_references) if other != place and present[other].all()]
            if others:
                scored[[n_systems + other for other in others], place] = _people(test_set, others, [place], options)
    return Nearness(read_only(scored), read_only((best / best.sum(axis=0)).mean(axis=-1).T))


def _people(test_set: TestSet, people: Sequence[int], against: Sequence[int], options: MetricOptions) -> Floats:
    """The scores of references as systems against others, all by their places."""
    systems = [System(str(place), [text or "" for text in test_set.references[place]]) for place in people]
    alone = TestSet(systems, [test_set.references[place] for place in against], are_lines=test_set.are_lines)
    every = tuple(range(len(against)))
    counts = counts_by_choice(alone, options, [every])[every]
    return metric_of(options).scores(np.array([each.sum(axis=0) for each in counts]), options)


def _held_out(
    test_set: TestSet, counts: Mapping[Choice, list[Counts]], options: MetricOptions, names: Sequence[str]
) -> tuple[HeldOut, ...]:
    """Each reference that every segment has, against the others where every segment has one of them."""
    present, found, metric = _present(test_set), [], metric_of(options)
    for place, name in enumerate(names):
        others = tuple(other for other in range(len(names)) if other != place)
        if not others or not present[place].all() or not present[list(others)].any(axis=0).all():
            continue
        score = float(_people(test_set, [place], others, options)[0])
        of_systems = metric.scores(np.array([each.sum(axis=0) for each in counts[others]]), options)
        ahead = of_systems > score if metric.higher_is_better(options) else of_systems < score
        against = tuple(names[other] for other in others)
        found.append(HeldOut(name, against, score, read_only(of_systems), 1 + int(np.count_nonzero(ahead))))
    return tuple(found)


def _incomplete(names: Sequence[str], present: NDArray[np.bool_]) -> Iterator[str]:
    for name, there in zip(names, present, strict=True):
        if not there.all():
            lacking = int(np.count_nonzero(~there))
            yield (
                f"Reference {name} lacks {lacking:,} segment{'' if lacking == 1 else 's'}: alone it scores no system, "
                "nor is it scored as one."
            )
    if len(names) == 1:
        yield ONE_REFERENCE


def _units(test_set: TestSet, unit: DrawUnit) -> tuple[Ints, int]:
    """The unit of each segment, (S,), and how many there are."""
    known = TestSetUnits(test_set.n_segments, test_set.documents, test_set.items)
    units = known.of("item" if unit == "segment" and known.items is not None else unit)
    return np.arange(test_set.n_segments) if units.layout is None else units.layout.groups, units.n_units


def _next_present(present: NDArray[np.bool_]) -> Ints:
    """For each reference and segment (R, S) the reference itself, or the next one that the segment has."""
    n_references = len(present)
    places = np.arange(n_references)
    ahead = (places[None] - places[:, None]) % n_references
    return np.asarray(np.where(present[None], ahead[:, :, None], n_references).argmin(axis=1))
