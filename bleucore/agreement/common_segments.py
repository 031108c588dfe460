"""Pairs of systems and the segments that both have: what an exchange there moves from one to the other."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bleucore.agreement.judged import Mask
from bleucore.counts import Ints

PAIRS_AT_ONCE, NUMBERS_AT_ONCE = 50, 2**22
"""Pairs of one system that are compared together, and the counts between them: what bounds memory."""

Pair = tuple[int, int]


@dataclass(frozen=True, eq=False)
class PairsOfOne:
    """One system with P systems behind it, each on the segments that both have. Equal to itself alone.

    Attributes:
        pairs: (first, other), P of them, all with the same first.
        segments: (n,), those that the first system has: no pair has others.
        counts: (n, C), the first system's in each of them.
        common: (P, n), those of each pair.
        between: (n, P, C), the counts of the first system less those of the other; 0 where one of them has none.
        own: (P, C), the counts of the first system in the segments of each pair, added up.
        theirs: (P, C), those of the other system.
    """

    pairs: tuple[Pair, ...]
    segments: Ints
    counts: NDArray[Any]
    common: Mask
    between: NDArray[Any]
    own: NDArray[Any]
    theirs: NDArray[Any]


def pairs_with_common_segments(known: Mask) -> list[Pair]:
    """The pairs (i, j), i < j, of systems that both have a segment of known (K, S)."""
    return [pair for pair in combinations(range(len(known)), 2) if (known[pair[0]] & known[pair[1]]).any()]


def has_one_mask(known: Mask, pairs: list[Pair]) -> bool:
    """Whether all these pairs have the same common segments, of known (K, S)."""
    masks = {(known[first] & known[second]).tobytes() for first, second in pairs}
    return len(masks) <= 1


def pairs_by_first(counts: NDArray[Any], known: Mask) -> Iterator[PairsOfOne]:
    """All pairs that have common segments of known (K, S), by their first system, some at a time; counts (K, S, C)."""
    n_systems, _, n_counts = counts.shape
    for first in range(n_systems - 1):
        segments = np.flatnonzero(known[first])
        common = known[:, segments]
        others = first + 1 + np.flatnonzero(common[first + 1 :].any(axis=1))
        numbers = max(1, len(segments) * n_counts)
        at_once = int(np.clip(NUMBERS_AT_ONCE // numbers, 1, PAIRS_AT_ONCE))
        for start in range(0, len(others), at_once):
            some = others[start : start + at_once]
            yield _of_one(counts, segments, common[some], first, some)


def _of_one(counts: NDArray[Any], segments: Ints, common: Mask, first: int, others: Ints) -> PairsOfOne:
    kept = common[..., None]
    mine = counts[first, segments]
    own = np.where(kept, mine, 0)
    theirs = np.where(kept, counts[others][:, segments], 0)
    return PairsOfOne(
        tuple((first, other) for other in others.tolist()),
        segments,
        mine,
        common,
        (own - theirs).transpose(1, 0, 2),
        own.sum(axis=1),
        theirs.sum(axis=1),
    )
