"""Intervals of accuracies: blocks of whole units, documents say, are left out one by one (a jackknife).

Judgements of one document depend on each other. A bootstrap would not do for soft
accuracies: segments drawn twice make every pair look surer than it is.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bleucore.agreement.common_segments import Pair, PairsOfOne, pairs_by_first, pairs_with_common_segments
from bleucore.agreement.judged import Mask
from bleucore.agreement.tied_accuracy import right_pairs
from bleucore.counts import Floats, Ints, Score
from bleucore.optional_packages import special
from bleucore.significance.draws import small_products
from bleucore.significance.paired import TIE

N_BLOCKS, FEWEST_BLOCKS = 20, 5
LEVEL = 0.95
MOST_TRIALS, FEWEST_TRIALS, ALL_TRIALS = 300, 100, 25_000
"""Exchanges of a pair without a block: fewer where there are many pairs, so that all take about as long."""


def blocks_of(known: Mask, groups: Ints | None = None) -> Ints | None:
    """The block of each segment, (S,), -1 where no system has it; ``None`` with too few units.

    Units stay together, in the order of their first segments, and blocks have about as many segments each.

    Args:
        known: (K, S), the segments that a system has.
        groups: (S,), the unit of each segment; each segment is one unless given.
    """
    places = np.flatnonzero(known.any(axis=0))
    of_place = np.arange(len(places)) if groups is None else groups[places]
    _, first, units, sizes = np.unique(of_place, return_index=True, return_inverse=True, return_counts=True)
    n_blocks = min(N_BLOCKS, len(sizes))
    if n_blocks < FEWEST_BLOCKS:
        return None
    order = np.argsort(first, kind="stable")
    middles = np.empty(len(sizes))
    middles[order] = np.cumsum(sizes[order]) - sizes[order] / 2
    of_unit = (middles * n_blocks / len(places)).astype(np.int64)
    _, of_unit = np.unique(of_unit, return_inverse=True)
    blocks = np.full(known.shape[1], -1)
    blocks[places] = of_unit[units]
    return blocks if of_unit.max() + 1 >= FEWEST_BLOCKS else None


def jackknife_interval(value: float, without: Floats) -> tuple[float, float] | None:
    """95 % interval of a share by what it is without each of B blocks, (B,), of about one size; by Student's t.

    The standard error is √((B - 1) / B · Σ (x_b - mean)²) (Efron and Tibshirani 1993, chapter 11). Ends stay within 0
    and 1. ``None`` where something is unknown without a block.
    """
    number = len(without)
    if np.isnan(without).any():
        return None
    error = np.sqrt((number - 1) / number * ((without - without.mean()) ** 2).sum())
    reach = float(special.stdtrit(number - 1, (1 + LEVEL) / 2) * error)
    return max(0.0, value - reach), min(1.0, value + reach)


def tied_accuracy_interval(people: Floats, metric: Floats, groups: Ints | None = None) -> tuple[float, float] | None:
    """Of the accuracy with calibrated ties, with the threshold of all segments.

    Args:
        people: (K, S), higher is better, NaN where nobody judged.
        metric: (K, S), in the same way.
        groups: (S,), the unit of each segment; each segment is one unless given.
    """
    right = right_pairs(people, metric)
    has_pair = np.count_nonzero(~np.isnan(right), axis=0) > 0
    blocks = blocks_of(has_pair[None], groups)
    if blocks is None:
        return None
    shares, kept = np.nansum(right[:, has_pair], axis=0), blocks[has_pair]
    sums, numbers = np.bincount(kept, shares), np.bincount(kept)
    without = (shares.sum() - sums) * len(shares) / (len(shares) - numbers)
    return jackknife_interval(float(shares.sum()), without)


def p_values_without(counts: NDArray[Any], score: Score, known: Mask, blocks: Ints, *, seed: int) -> dict[Pair, Floats]:
    """One-sided p of each pair of systems without each block, (B,), by the pair (i, j), i < j; NaN if nothing is left.

    The same segments are exchanged with every block that is left out, so that only the block makes a difference, and
    for people and metrics alike.

    Args:
        counts: (K, S, C).
        score: Of sums (..., C); higher is better.
        known: (K, S), the segments that a system has.
        blocks: (S,), as ``blocks_of`` gives them.
        seed: Of the exchanges.
    """
    n_pairs = len(pairs_with_common_segments(known))
    trials = int(np.clip(ALL_TRIALS // max(n_pairs, 1), FEWEST_TRIALS, MOST_TRIALS))
    exchange = np.random.default_rng(seed).integers(2, size=(trials + 1, known.shape[1]), dtype=bool)
    exchange[0] = False  # as they are
    n_blocks = int(blocks.max()) + 1
    found = dict[Pair, Floats]()
    for some in pairs_by_first(counts, known):
        rows = _without(some, score, exchange[:, some.segments], blocks[some.segments], n_blocks)
        found |= dict(zip(some.pairs, np.stack([*rows]).T, strict=True))
    return found


def soft_accuracy_interval(
    value: float, people: Mapping[Pair, Floats], metric: Mapping[Pair, Floats]
) -> tuple[float, float] | None:
    """Of the soft pairwise accuracy, by p-values of people and of a metric without each block."""
    apart = [np.abs(people[pair] - metric[pair]) for pair in metric if pair in people]
    return jackknife_interval(value, 1 - np.mean(apart, axis=0)) if apart else None


def _without(some: PairsOfOne, score: Score, exchange: Mask, blocks: Ints, n_blocks: int) -> Iterator[Floats]:
    """The p-values of pairs, (P,), without each block in turn, by the exchanges (R + 1, n) of their segments."""
    n_pairs, n_counts = some.own.shape
    between = some.between.astype(np.float64).reshape(-1, n_pairs * n_counts)
    drawn = exchange.astype(np.float64)

    def moved(chosen: Mask) -> Floats:
        """What exchanges in some segments move, (P, R + 1, C)."""
        flat = small_products(drawn[:, chosen], between[chosen])
        return flat.reshape(-1, n_pairs, n_counts).transpose(1, 0, 2)

    parts = [moved(blocks == block) for block in range(n_blocks)]
    whole = np.sum(parts, axis=0)
    for block, part in enumerate(parts):
        chosen = blocks == block
        left = some.common[:, ~chosen].any(axis=1)
        without_own = some.common[left][:, chosen] @ some.counts[chosen]
        without_theirs = without_own - some.between[chosen][:, left].sum(axis=0)
        p_values = np.full(n_pairs, np.nan)
        p_values[left] = _p_values(
            (whole - part)[left], some.own[left] - without_own, some.theirs[left] - without_theirs, score
        )
        yield p_values


def _p_values(moved: Floats, own: NDArray[Any], theirs: NDArray[Any], score: Score) -> Floats:
    """One-sided p of pairs by the counts that each exchange moves, (P, R + 1, C); the first moves none."""
    ours, others = score(own[:, None] - moved), score(theirs[:, None] + moved)
    differences = ours - others
    width = TIE * np.maximum(np.abs(ours).max(axis=1), np.abs(others).max(axis=1))
    reached = differences[:, 1:] >= (differences[:, 0] - width)[:, None]
    p_values: Floats = (reached.sum(axis=1) + 1) / differences.shape[1]
    return p_values
