"""Where a difference in corpus BLEU comes from: parts that add up to it, by segment, by order and by n-gram.

The counts of a system are sums over segments, and the difference of two scores is the integral of BLEU's gradient
along the line between two such sums (``bleucore.bleu_line``) times their difference. So every change of a count in a
segment has a part, the integrated gradient times the change (Aumann and Shapley 1974): no order of the segments is
preferred, equal counts have no part, and turning the systems round turns every sign.

Where an order has no match in one of the systems, the score jumps at that end of the line, from what it tends to to
what smoothing makes of it. The jumps are a part of their own, which belongs to no segment. All other parts are the
same with any smoothing that leaves the other orders alone, or without one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bleucore.bleu import scores
from bleucore.bleu_line import BleuLine
from bleucore.counts import Floats, Ints, group_sums, read_only
from bleucore.ngrams import AVERAGE_LENGTH_UNIT
from bleucore.options import BleuOptions

ROUNDING = 1e-9
"""Sums of parts this close to the difference reach it."""
_NO_JUMP = 1e-11
"""The score and what it tends to are computed in two ways that agree to fewer digits than this."""


@dataclass(frozen=True)
class Concentration:
    """How few segments make the difference: their parts added up, those that do most for it first.

    Attributes:
        segments: (S,), the segments in that order; equal parts keep the order of the test set. Read-only.
        cumulative: (S,), the sum of the parts up to each. Read-only.
        n_needed: How many of the first add up to the difference; ``None`` if they never do, because a part of it
            belongs to no segment.
        n_positive: How many segments have a part above 0.
        n_negative: How many have one below 0.
        positive: The sum of the parts above 0.
        negative: The sum of those below 0.
    """

    segments: Ints
    cumulative: Floats
    n_needed: int | None
    n_positive: int
    n_negative: int
    positive: float
    negative: float


@dataclass(frozen=True)
class Attribution:
    """The parts of the difference of two corpus scores, in BLEU points. All arrays are read-only.

    ``segments`` add up to ``difference - smoothing``, and so do ``orders`` with ``brevity_penalty``.

    Attributes:
        names: Systems A and B.
        scores: Of A and B, 0-100.
        segment_orders: (S, M + 1), what each segment adds through the precision of each order, and through the
            brevity penalty (last).
        values: (M + 1, 2 + 2M), what one more of each count is worth, averaged along the line, through the precision
            of each order and through the brevity penalty (last row). The counts are those of ``bleucore.bleu``.
        changes: (2 + 2M,), the counts of B minus those of A.
        smoothing: What the score jumps by where an order has no match, or no n-gram, in one of the systems.
        reason: Why nothing is divided among the segments, in words, or ``None``.
        smoothing_reason: Why there are jumps, in words, or ``None``.
    """

    names: tuple[str, str]
    scores: tuple[float, float]
    segment_orders: Floats
    values: Floats
    changes: NDArray[Any]
    smoothing: float
    reason: str | None
    smoothing_reason: str | None

    @property
    def difference(self) -> float:
        """The score of B minus that of A: the sum of all parts."""
        return self.scores[1] - self.scores[0]

    @property
    def max_order(self) -> int:
        """M."""
        return len(self.values) - 1

    @cached_property
    def segments(self) -> Floats:
        """The part of each segment, (S,)."""
        return read_only(self.segment_orders.sum(axis=1))

    @cached_property
    def orders(self) -> Floats:
        """The part of the precision of each order, (M,): of its matches and of its totals."""
        return read_only((self.values @ self.changes)[:-1])

    @property
    def brevity_penalty(self) -> float:
        """The part of the brevity penalty: of the lengths of hypotheses and references."""
        return float(self.values[-1] @ self.changes)

    @cached_property
    def match_values(self) -> Floats:
        """What one more match of each order is worth, (M,)."""
        return read_only(self.values[:, 2 : 2 + self.max_order].sum(axis=0))

    @cached_property
    def match_parts(self) -> Floats:
        """The part of the matches of each order, (M,): ``match_values`` times the matches that B has more."""
        return read_only(self.match_values * self.changes[2 : 2 + self.max_order])

    @cached_property
    def total_parts(self) -> Floats:
        """The part of the number of n-grams of each order, (M,): longer hypotheses have more to be wrong with.

        With ``match_parts`` they add up to ``orders``, for each order alone too, but for smoothing by NLTK's methods 5,
        6 and 7, which mixes the orders.
        """
        by_totals = self.values[:, 2 + self.max_order :].sum(axis=0) * self.changes[2 + self.max_order :]
        return read_only(by_totals + self.values[:-1, 0] * self.changes[0])  # a stand-in can hang on the length

    def groups(self, groups: Ints, n_groups: int) -> Floats:
        """The part of each group of segments, (G,): of documents, labels, buckets or filters.

        Args:
            groups: (S,), the group 0 to G - 1 of each segment; -1 leaves a segment out.
            n_groups: G.
        """
        return read_only(self.group_orders(groups, n_groups).sum(axis=1))

    def group_orders(self, groups: Ints, n_groups: int) -> Floats:
        """``segment_orders`` of groups, (G, M + 1); arguments as for ``groups``."""
        return read_only(group_sums(self.segment_orders, groups, n_groups))

    @cached_property
    def concentration(self) -> Concentration:
        """How many segments, taken from the largest part down, add up to the difference."""
        direction = -1.0 if self.difference < 0 else 1.0
        order = np.argsort(-direction * self.segments, kind="stable")
        sums = np.concatenate([[0.0], np.cumsum(self.segments[order])])
        reached = np.flatnonzero(direction * (sums - self.difference) >= -ROUNDING)
        above, below = self.segments > 0, self.segments < 0
        return Concentration(
            read_only(order),
            read_only(sums[1:]),
            int(reached[0]) if len(reached) else None,
            int(above.sum()),
            int(below.sum()),
            float(self.segments[above].sum()),
            float(self.segments[below].sum()),
        )


def attribute(
    first: NDArray[Any], second: NDArray[Any], options: BleuOptions, *, names: tuple[str, str] = ("A", "B")
) -> Attribution:
    """What makes corpus BLEU of system B differ from that of system A, in parts: the score of B minus that of A.

    Rows of the counts give the difference of the scores of those segments as a corpus of their own. The line then runs
    between other sums, so the part of a segment is not the one that it has in the whole test set.

    Args:
        first: Counts of A, (S, 2 + 2M), as ``bleucore.bleu.statistics`` gives them.
        second: Those of B, of the same segments.
        options: With which the counts were made.
        names: Of A and B.

    Raises:
        ValueError: The counts are not of the same segments, or not of the orders of the options.
    """
    if first.shape != second.shape or first.shape[1:] != (2 + 2 * options.max_order,):
        raise ValueError(f"counts of shapes {first.shape} and {second.shape} for {options.max_order} orders")
    sums = np.stack([first.sum(axis=0), second.sum(axis=0)])
    line, ends = BleuLine.between(sums, options), scores(sums, options)
    limits = line.scores(line.ends)
    jumps = np.where(np.isclose(ends, limits, rtol=_NO_JUMP, atol=_NO_JUMP), 0.0, ends - limits)
    values = line.values()
    if options.reference_length == "average":
        values[:, 1] /= AVERAGE_LENGTH_UNIT
    return Attribution(
        names,
        (float(ends[0]), float(ends[1])),
        read_only((second - first) @ values.T),
        read_only(values),
        read_only(sums[1] - sums[0]),
        float(jumps[1] - jumps[0]),
        _reason(line, ends),
        _smoothing_reason(line, sums, jumps, names),
    )


def _reason(line: BleuLine, ends: Floats) -> str | None:
    """Why no segment has a part, if none has."""
    if line.zero_because is None:
        return None
    if ends.any():
        return f"No segment has a part, because {line.zero_because}."
    return f"Both scores are 0, because {line.zero_because}: there is nothing to divide."


def _smoothing_reason(line: BleuLine, sums: NDArray[Any], jumps: Floats, names: Sequence[str]) -> str | None:
    """What the systems lack at whose end of the line the score jumps."""
    if not jumps.any():
        return None
    max_order = line.options.max_order
    facts = []
    for name, counts, jump in zip(names, sums, jumps, strict=True):
        missing = line.reached & (counts[2 + max_order :] == 0)
        unmatched = line.reached & ~line.unmatched & (counts[2 : 2 + max_order] == 0) & ~missing
        if jump and unmatched.any():
            facts.append(f"{name} has no match of order {_listed(unmatched)}")
        if jump and missing.any():
            facts.append(f"{name} has no n-gram of order {_listed(missing)}")
        if jump and not (unmatched | missing).any():
            facts.append(f"{name} has too few tokens to be smoothed")
    return f"{'; '.join(facts)}. What the rules for that make of the score belongs to no segment."


def _listed(orders: NDArray[np.bool_]) -> str:
    return ", ".join(str(order + 1) for order in np.flatnonzero(orders))
