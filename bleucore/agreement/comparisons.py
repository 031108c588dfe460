"""Comparisons of two outputs of a segment: in the order shown, and what somebody prefers of two systems.

A preference is 1 where the first is better, 0 where the second is, 0.5 for a tie. Scores become preferences by their
order within a segment, so that the scales of raters do not matter.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from bleucore.agreement.judged import tie_width
from bleucore.counts import Floats, Ints
from bleucore.judgements.records import Row

TIE = 0.5


@dataclass(frozen=True, eq=False)
class Comparisons:
    """Of one judge, in columns of one length n: systems in the order shown, segments, scores of the first."""

    first: Ints
    second: Ints
    segments: Ints
    scores: Floats


class Opinion:
    """What somebody prefers of two outputs of a segment."""

    def __init__(self, n_segments: int, values: Floats | None = None, compared: Comparisons | None = None) -> None:
        """Of scores (K, S), NaN where there is none, or of comparisons."""
        self._n_segments, self._values = n_segments, values
        self._width = 0.0 if values is None else tie_width(values)
        self._of_pairs = dict[tuple[int, int], tuple[Ints, Floats]]() if compared is None else _by_pair(compared)

    def pairs(self) -> Iterator[tuple[int, int]]:
        """The pairs of systems, the lower first, of which something may be known."""
        if self._values is None:
            return iter(self._of_pairs)
        return combinations(np.flatnonzero(~np.isnan(self._values).all(axis=1)).tolist(), 2)

    def of(self, first: int, second: int) -> Floats:
        """(S,), 1 where the first system is preferred, 0 where the second is; NaN where nothing is known."""
        if self._values is not None:
            differences = self._values[first] - self._values[second]
            preferred = (np.sign(np.where(np.abs(differences) > self._width, differences, 0.0)) + 1) / 2
            return np.where(np.isnan(differences), np.nan, preferred)
        preferred = np.full(self._n_segments, np.nan)
        found = self._of_pairs.get((min(first, second), max(first, second)))
        if found is not None:
            preferred[found[0]] = found[1] if first < second else 1 - found[1]
        return preferred


class JointOpinion(Opinion):
    """What one judge says in several files, as one opinion: the mean of what each says of two outputs."""

    def __init__(self, opinions: Sequence[Opinion]) -> None:
        """Of opinions on the same segments."""
        self._opinions = opinions

    def pairs(self) -> Iterator[tuple[int, int]]:
        """The pairs of systems of any of them."""
        return iter(sorted({pair for one in self._opinions for pair in one.pairs()}))

    def of(self, first: int, second: int) -> Floats:
        """As ``Opinion.of``; where files differ, something between 0 and 1."""
        said = np.stack([one.of(first, second) for one in self._opinions])
        n_said = (~np.isnan(said)).sum(axis=0)
        return np.where(n_said > 0, np.nansum(said, axis=0) / np.maximum(n_said, 1), np.nan)


def comparisons_of(rows: Sequence[Row], names: Sequence[str], n_segments: int) -> Comparisons | None:
    """The comparisons of a judge, once each; ``None`` where it compared nothing."""
    places: Mapping[str, int] = {name: place for place, name in enumerate(names)}
    kept = [
        (places[row.system], places[row.contest.rival], row.number, row.value)
        for row in rows
        if row.contest is not None
        and row.contest.is_first
        and row.system in places
        and row.contest.rival in places
        and row.number is not None
        and row.number < n_segments
    ]
    if all(row.contest is None for row in rows):
        return None
    first, second, segments, scores = zip(*kept, strict=True) if kept else ((), (), (), ())
    shown = np.array([first, second, segments], np.int64)
    return Comparisons(shown[0], shown[1], shown[2], np.array(scores, np.float64))


def each_order(verdicts: Comparisons) -> tuple[Ints, Ints, Ints, Floats, Ints]:
    """Each order of two outputs once: both systems, segments, the mean score of the first, and its place among them.

    The last, (n,), is where the same outputs stand in the other order; -1 where they were not shown in it.
    """
    n_systems = int(max(verdicts.first.max(initial=0), verdicts.second.max(initial=0))) + 1
    n_segments = int(verdicts.segments.max(initial=0)) + 1
    keys = (verdicts.first * n_systems + verdicts.second) * n_segments + verdicts.segments
    known, places = np.unique(keys, return_inverse=True)
    means = np.bincount(places, verdicts.scores) / np.maximum(np.bincount(places), 1)
    systems, segments = np.divmod(known, n_segments)
    first, second = np.divmod(systems, n_systems)
    turned = (second * n_systems + first) * n_segments + segments
    others = np.minimum(np.searchsorted(known, turned), max(len(known) - 1, 0))
    return first, second, segments, means, np.where(known[others] == turned, others, -1)


def _by_pair(verdicts: Comparisons) -> dict[tuple[int, int], tuple[Ints, Floats]]:
    """For each pair of systems, the lower first, its segments and how the lower one fares there.

    Each order counts the same, so that the position cannot tip a pair that was shown in both.
    """
    first, second, segments, means, others = each_order(verdicts)
    has_other = others >= 0
    fares = np.where(has_other, (means + 1 - means[others]) / 2, means)
    kept = (first < second) | ~has_other
    low, high = np.minimum(first, second)[kept], np.maximum(first, second)[kept]
    fares = np.where(first < second, fares, 1 - fares)[kept]
    segments = segments[kept]
    order = np.lexsort((segments, high, low))
    pairs = np.stack([low, high], axis=1)[order]
    starts = np.flatnonzero(np.any(np.diff(pairs, axis=0, prepend=-1), axis=1)).tolist()
    found = dict[tuple[int, int], tuple[Ints, Floats]]()
    if not len(order):
        return found
    for start, behind in zip(starts, [*starts[1:], len(order)], strict=True):
        chosen = order[start:behind]
        found[int(pairs[start, 0]), int(pairs[start, 1])] = (segments[chosen], fares[chosen])
    return found
