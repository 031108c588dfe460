"""Every pair of systems: who is ahead for people and for the metric, and whether each of them is sure."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from bleucore.agreement.common_segments import (
    Pair,
    PairsOfOne,
    has_one_mask,
    pairs_by_first,
    pairs_with_common_segments,
)
from bleucore.agreement.judged import Mask, signs, tie_width
from bleucore.counts import Floats, Ints, Progress, Score, group_sums
from bleucore.significance import SignificanceOptions, randomise
from bleucore.significance.draws import batches, coins, factors, in_threads, no_weights, small_products, weighted_sums
from bleucore.significance.exchanges import exchanges
from bleucore.significance.paired import TIE, USUAL_LEVEL, one_sided
from bleucore.significance.randomisation import MOST_ENUMERATED, n_exchanges, randomisation_tests
from bleucore.significance.units import FEWEST_TESTED

Certainty = Literal["both", "metric", "people", "neither"]
"""Who finds a pair significantly different (Mathur et al. 2020): "metric" alone is an error of type I if
people are right, "people" alone one of type II."""

TRIALS = 10_000
SEED = 12345
DRAWN_AT_ONCE = 2**24
"""Bits drawn before they are packed, a byte each."""


@dataclass(frozen=True)
class PairTest:
    """One pair of systems, tested by exchanging what they say at random.

    Attributes:
        difference: Of the first system's score and the second's on these segments.
        better_p: One-sided, by segment: small where the first system is better. Soft accuracies are made of it
            (Thompson et al. 2024). Above 0, at most 1.
        p_value: Two-sided, by unit; ``None`` from fewer than six units of several segments.
        n_segments: On how many segments.
        n_units: Of how many units they are.
    """

    difference: float
    better_p: float
    p_value: float | None
    n_segments: int
    n_units: int


@dataclass(frozen=True)
class JudgedPair:
    """What people and a metric say about two systems.

    Attributes:
        first: A system.
        second: Another one, later in the order of systems.
        people: What people report for the first less the second.
        metric: The metric's reported difference, turned so that above 0 says that the first is better.
        agrees: Whether both have the same sign; a tie agrees with a tie alone.
        people_test: On the segments of both systems that people judged; ``None`` where there are none.
        metric_test: On the same ones; ``None`` as well, or where the metric's number is made of no counts.
    """

    first: str
    second: str
    people: float
    metric: float
    agrees: bool
    people_test: PairTest | None
    metric_test: PairTest | None

    @property
    def certainty(self) -> Certainty | None:
        """Who finds a difference at the level of .05, each pair by itself; ``None`` without both tests."""
        if self.people_test is None or self.metric_test is None:
            return None
        if self.people_test.p_value is None or self.metric_test.p_value is None:
            return None
        people, metric = (p < USUAL_LEVEL for p in (self.people_test.p_value, self.metric_test.p_value))
        return "both" if people and metric else "metric" if metric else "people" if people else "neither"


def pairwise_agreement(people: Floats, metric: Floats) -> tuple[Mask, Floats, Floats]:
    """For the pairs of K systems, in the order of ``combinations``: whether the signs agree, and both differences.

    Args:
        people: (K,), scores of systems, higher is better.
        metric: (K,), in the same way.

    Returns:
        Three arrays (K (K - 1) / 2,). Differences within rounding are ties; a tie agrees with a tie alone (Kocmi et
        al. 2021 have the accuracy without ties).
    """
    first, second = np.triu_indices(len(people), 1)
    by_people, by_metric = people[first] - people[second], metric[first] - metric[second]
    agrees = signs(by_people, tie_width(people)) == signs(by_metric, tie_width(metric))
    return agrees, by_people, by_metric


def pair_tests(  # noqa: PLR0913  # what tests rest on
    counts: NDArray[Any],
    score: Score,
    known: Mask,
    *,
    groups: Ints | None = None,
    trials: int = TRIALS,
    seed: int = SEED,
    progress: Progress | None = None,
) -> dict[Pair, PairTest]:
    """Approximate randomisation of each pair of systems on the segments that both have, by the pair (i, j), i < j.

    A trial exchanges the same segments or units of every pair, of people's judgements and of a metric's counts, so that
    what chance does to one of them it does to the others. Where the trials are enough for all exchanges of the units,
    these are made. Pairs without a common segment are left out.

    Args:
        counts: (K, S, C).
        score: Of sums (..., C); higher is better.
        known: (K, S), the segments that a system has.
        groups: (S,), the unit of each segment, from 0; each segment is one unless given.
        trials: Of each pair.
        seed: Of all of them.
        progress: Called with the share of the work done, 0 to 1, from time to time.
    """
    pairs = pairs_with_common_segments(known)
    if not pairs:
        return {}
    if has_one_mask(known, pairs):
        common = known[pairs[0][0]] & known[pairs[0][1]]
        some = None if groups is None else groups[common]
        return _tests_on_one_mask(
            counts[:, common], score, pairs, groups=some, trials=trials, seed=seed, progress=progress
        )
    shared = known.sum(axis=0) > 1
    known, counts = known[:, shared], counts[:, shared]
    by_segment = _Exchanges(np.arange(known.shape[1]), _exchanged(known.shape[1], trials, seed), trials)
    by_unit = by_segment if groups is None else _exchanges_of_units(groups[shared], trials, seed)
    test = partial(_tests_of_one, score=score, by_segment=by_segment, by_unit=by_unit)
    found = dict[Pair, PairTest]()
    for tests in in_threads(test, pairs_by_first(counts, known)):
        found |= tests
        if progress is not None:
            progress(len(found) / len(pairs))
    return found


def mean_counts(values: Floats, weights: Floats | float = 1.0) -> Floats:
    """Values (..., S) as counts (..., S, 2) of their mean, weighted by (S,): ``[w value, w]``, ``[0, 0]`` for NaN."""
    weighted = np.where(np.isnan(values), 0.0, weights)
    return np.stack([np.nan_to_num(values) * weighted, weighted], axis=-1)


def mean_score(counts: NDArray[Any]) -> Floats:
    """The mean of counts (..., 2) as ``mean_counts`` makes them."""
    means: Floats = counts[..., 0] / counts[..., 1]
    return means


def soft_accuracy(people: Iterable[float], metric: Iterable[float]) -> float | None:
    """1 - the mean of |p - q| over pairs, p and q one-sided and of people and metric; ``None`` without a pair.

    Thompson et al. 2024, "Improving statistical significance in human evaluation of automatic metrics via soft
    pairwise accuracy".
    """
    differences = [abs(one - other) for one, other in zip(people, metric, strict=True)]
    return 1 - float(np.mean(differences)) if differences else None


SENTENCE_TRIALS = 1000
SENTENCE_SEED = 4


def sentence_mean_p_values(
    values: Floats, pairs: Sequence[Pair], *, trials: int = SENTENCE_TRIALS, seed: int = SENTENCE_SEED
) -> list[float]:
    """One-sided p of pairs by permutation of segment means, drawn and rounded as mt-metrics-eval does it.

    p is the share of the trials, and can be 0. Single precision and the seed are part of its definition: its numbers
    hang on both in the third decimal.

    Args:
        values: (K, S), higher is better, none missing.
        pairs: (i, j): p is small where system i is better.
        trials: How often segments are exchanged.
        seed: For ``numpy.random.default_rng``.
    """
    single = values.astype(np.float32)
    sums, exchanged = single.sum(axis=1), _kept_or_turned(values.shape[1], trials, seed) @ single.T
    return [
        float(np.mean(exchanged[:, first] - exchanged[:, second] >= sums[first] - sums[second]))
        for first, second in pairs
    ]


def soft_accuracy_of_means(people: Floats, metric: Floats) -> float | None:
    """Soft pairwise accuracy of the mean segment score, as mt-metrics-eval has it; ``None`` without a pair.

    It takes the same segments of all systems for judged. Where systems were judged in other segments, a pair is
    permuted on those of both, every pair by the same signs of segments; mt-metrics-eval pairs other segments with each
    other then, or fails.

    Args:
        people: (K, S), higher is better, NaN where nobody judged.
        metric: (K, S), in the same way.
    """
    known = ~np.isnan(people) & ~np.isnan(metric)
    pairs = pairs_with_common_segments(known)
    if has_one_mask(known, pairs):
        common = known[pairs[0][0]] & known[pairs[0][1]] if pairs else np.zeros(known.shape[1], bool)
        return soft_accuracy(*(sentence_mean_p_values(values[:, common], pairs) for values in (people, metric)))
    shared = known.sum(axis=0) > 1
    known = known[:, shared]
    signs_of_trials = _kept_or_turned(known.shape[1], SENTENCE_TRIALS, SENTENCE_SEED)
    return soft_accuracy(
        *(_sentence_mean_p_values_of_pairs(values[:, shared], known, signs_of_trials) for values in (people, metric))
    )


def _kept_or_turned(n_segments: int, trials: int, seed: int) -> NDArray[np.float32]:
    """(R, S), 1 where a trial keeps a segment and -1 where it turns its difference."""
    drawn = np.random.default_rng(seed).random((trials, n_segments), np.float32)
    return 2 * np.rint(drawn) - 1


def _sentence_mean_p_values_of_pairs(values: Floats, known: Mask, turned: NDArray[np.float32]) -> list[float]:
    """As ``sentence_mean_p_values``, of all pairs, each on the segments of known (K, S) that both have."""
    found = list[float]()
    for some in pairs_by_first(np.nan_to_num(values).astype(np.float32)[..., None], known):
        between = some.between[..., 0]
        reached = small_products(turned[:, some.segments], between) >= between.sum(axis=0)
        found += reached.mean(axis=0).tolist()
    return found


@dataclass(frozen=True, eq=False)
class _Exchanges:
    """Which units each of R trials exchanges. Equal to itself alone.

    Attributes:
        groups: (S,), the unit of each segment, 0 to U - 1.
        packed: (R / 8, U), eight trials in a byte.
        trials: R.
    """

    groups: Ints
    packed: NDArray[np.uint8]
    trials: int


def _exchanges_of_units(groups: Ints, trials: int, seed: int) -> _Exchanges:
    """Of the units (S,) of the segments: all there are where the trials are enough for them, else random ones."""
    used, numbered = np.unique(groups, return_inverse=True)
    n_units = len(used)
    if not 1 < n_units <= MOST_ENUMERATED or n_exchanges(n_units) > trials + 1:
        return _Exchanges(numbered, _exchanged(n_units, trials, seed), trials)
    chosen = np.arange(1, n_exchanges(n_units))[:, None] >> np.arange(n_units) & 1
    return _Exchanges(numbered, np.packbits(chosen.astype(np.uint8), axis=0), len(chosen))


def _tests_on_one_mask(  # noqa: PLR0913  # what tests rest on
    counts: NDArray[Any],
    score: Score,
    pairs: Sequence[Pair],
    *,
    groups: Ints | None,
    trials: int,
    seed: int,
    progress: Progress | None,
) -> dict[Pair, PairTest]:
    """The tests of pairs that have the same segments, counts (K, S, C): one draw of sums for each system is enough."""
    places = sorted({place for pair in pairs for place in pair})
    of_tests = [(places.index(first), places.index(second)) for first, second in pairs]
    systems = [(str(place), counts[place]) for place in places]
    drawn = randomise(systems, score, trials=trials, seed=seed, progress=progress)
    tests = randomisation_tests(drawn, of_tests)
    n_segments = counts.shape[1]
    if groups is None:
        p_values = None
        n_units = n_segments
    else:
        used, numbered = np.unique(groups, return_inverse=True)
        n_units = len(used)
        units = [(name, group_sums(column, numbered, n_units)) for name, column in systems]
        options = SignificanceOptions(trials=trials, seed=seed)
        p_values = [
            None if n_units < FEWEST_TESTED else test.p_value
            for test in randomisation_tests(exchanges(units, score, options, "document"), of_tests)
        ]
    found = dict[Pair, PairTest]()
    for place, (pair, test) in enumerate(zip(pairs, tests, strict=True)):
        better = one_sided(test.null_distribution, test.difference, rounding=test.rounding)
        p_value = test.p_value if p_values is None else p_values[place]
        found[pair] = PairTest(test.difference, better, p_value, n_segments, n_units)
    return found


def _exchanged(n_segments: int, trials: int, seed: int) -> NDArray[np.uint8]:
    """Which segments each trial exchanges, as ``randomise`` draws them, eight trials in a byte: (R / 8, S)."""
    generator = np.random.default_rng(seed)
    step = max(32, DRAWN_AT_ONCE // n_segments // 32 * 32)  # or random bits do not continue their stream
    return np.concatenate(
        [
            np.packbits(coins(generator, min(step, trials - start), n_segments), axis=0)
            for start in range(0, trials, step)
        ]
    )


def _tests_of_one(
    some: PairsOfOne, *, score: Score, by_segment: _Exchanges, by_unit: _Exchanges
) -> dict[Pair, PairTest]:
    """The tests of some pairs, each on its own segments."""
    ours, theirs = score(some.own.astype(np.float64)), score(some.theirs.astype(np.float64))
    differences, widths = ours - theirs, TIE * np.maximum(np.abs(ours), np.abs(theirs))
    better, as_far = _shares_reached(some, score, by_segment, differences, widths)
    units = by_unit.groups[some.segments]
    if by_unit is not by_segment:
        _, as_far = _shares_reached(_by_unit(some, units), score, by_unit, differences, widths)
    found = dict[Pair, PairTest]()
    for place, pair in enumerate(some.pairs):
        n_units = len(np.unique(units[some.common[place]]))
        is_tested = by_unit is by_segment or n_units >= FEWEST_TESTED
        p_value = float(as_far[place]) if is_tested else None
        n_common = int(some.common[place].sum())
        found[pair] = PairTest(float(differences[place]), float(better[place]), p_value, n_common, n_units)
    return found


def _by_unit(some: PairsOfOne, units: Ints) -> PairsOfOne:
    """The same pairs with the unit of each segment (n,) for the segment."""
    used, numbered = np.unique(units, return_inverse=True)
    between = group_sums(some.between.reshape(len(units), -1), numbered, len(used))
    return replace(some, segments=used, between=between.reshape(len(used), *some.between.shape[1:]))


def _shares_reached(
    some: PairsOfOne, score: Score, exchanged: _Exchanges, differences: Floats, widths: Floats
) -> tuple[Floats, Floats]:
    """How often exchanges give each pair at least its difference, (P,), and one at least as far from 0."""
    n_better, n_as_far = np.zeros((2, len(some.pairs)), np.int64)
    for null in _null_differences(some, score, exchanged.packed, exchanged.trials):
        n_better += (null >= (differences - widths)[:, None]).sum(axis=1)
        n_as_far += (np.abs(null) >= (np.abs(differences) - widths)[:, None]).sum(axis=1)
    return (n_better + 1) / (exchanged.trials + 1), (n_as_far + 1) / (exchanged.trials + 1)


def _null_differences(some: PairsOfOne, score: Score, exchanged: NDArray[np.uint8], trials: int) -> Iterator[Floats]:
    """The differences of scores once segments are exchanged, some trials at a time: (P, R')."""
    n_segments, n_pairs = some.between.shape[:2]
    if not some.between.any():
        yield np.zeros((n_pairs, trials))
        return
    largest = 2 * float(np.abs(some.between).sum(axis=0, dtype=np.float64).max())
    weighed = factors(some.between, largest)
    sums = np.stack([some.own, some.theirs], axis=1).astype(np.float64).transpose(2, 0, 1)[..., None]  # (C, P, 2, 1)
    for rows in batches(trials, weighed, None, multiple=32):
        n_rows = rows.stop - rows.start
        weights = no_weights(n_rows, weighed)
        drawn = exchanged[rows.start // 8 : -(-rows.stop // 8), some.segments]
        weights[:n_rows, :n_segments] = np.unpackbits(drawn, axis=0, count=n_rows)
        across = weighted_sums(weights, weighed)[..., :n_rows].swapaxes(0, 1)  # (C, P, R')
        both = np.repeat(sums, n_rows, axis=3)
        both[:, :, 0] -= across
        both[:, :, 1] += across
        scores = score(np.moveaxis(both, 0, -1))
        yield scores[:, 0] - scores[:, 1]
