"""Where a difference in a corpus score comes from: parts that add up to it, by segment, by order and by n-gram.

The counts of a system are sums over segments, and the difference of two scores is the integral of the score's
gradient along the line between two such sums (``bleucore.metrics.attribution_path``) times their difference. So every
change of a count in a segment has a part, the integrated gradient times the change (Aumann and Shapley 1974): no
order of the segments is preferred, equal counts have no part, and turning the systems round turns every sign.

Where something is missing in one of the systems, such as a match of an order in BLEU, the score jumps at that end of
the line, from what it tends to to what a rule, such as smoothing, makes of it. The jumps are a part of their own, which
belongs to no segment. All other parts of BLEU are the same with any smoothing that leaves the other orders alone, or
without one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from bleucore.counts import Floats, Ints, Signed, group_sums, read_only
from bleucore.metrics import Metric, MetricOptions, metric_of
from bleucore.metrics.attribution_path import Line
from bleucore.options import BleuOptions

ROUNDING = 1e-9
"""Sums of parts this close to the difference reach it."""
_NO_JUMP = 1e-11
"""The score and what it tends to are computed in two ways that agree to fewer digits than this."""


@dataclass(frozen=True)
class Concentration:
    """How few segments make the difference: their cumulative contribution, those that do most for it first.

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
class Lead:
    """In how many units the system that is ahead wins.

    Attributes:
        n_ahead: Units with a part for it.
        n_behind: Units with a part against it.
        n_equal: Units without a part.
    """

    n_ahead: int
    n_behind: int
    n_equal: int


def lead_of(gains: Floats) -> Lead:
    """Who wins how many units.

    Args:
        gains: (U,), parts of segments, or of documents where these are the unit; above 0 for the system ahead.
    """
    return Lead(int((gains > 0).sum()), int((gains < 0).sum()), int((gains == 0).sum()))


@dataclass(frozen=True)
class Attribution:
    """The parts of the difference of two corpus scores, in points of the metric. All arrays are read-only.

    ``segments`` add up to ``difference - jump``.

    Attributes:
        names: Systems A and B.
        scores: Of A and B.
        segment_factors: (S, F), what each segment adds through each factor of the score: of BLEU the precision of each
            order, and the brevity penalty (last); of chrF each order, characters first; of other metrics all in one.
        values: (F, C), what one more of each count is worth, averaged along the line, through each factor.
        changes: (C,), the counts of B minus those of A.
        jump: What the score jumps by where something is missing in one of the systems.
        reason: Why nothing is divided among the segments, in words, or ``None``.
        jump_reason: Why there is a jump, in words, or ``None``: two systems that jump alike differ by none.
        options: Of the metric.
    """

    names: tuple[str, str]
    scores: tuple[float, float]
    segment_factors: Floats
    values: Floats
    changes: NDArray[Any]
    jump: float
    reason: str | None
    jump_reason: str | None
    options: MetricOptions

    @property
    def metric(self) -> Metric:
        """What the scores are of."""
        return metric_of(self.options)

    @property
    def metric_name(self) -> str:
        """What it is called under the options."""
        return self.metric.name(self.options)

    @property
    def factors(self) -> Sequence[str]:
        """What each factor of the score is called, F names."""
        return self.metric.factors(self.options)

    @property
    def has_ingredients(self) -> bool:
        """Whether there are parts of more than segments."""
        return len(self.factors) > 1

    def gain(self, values: Signed) -> Signed:
        """Differences or parts as a gain: above 0 where B is better, whichever way the metric points."""
        return values if self.metric.higher_is_better(self.options) else -values

    @property
    def factor_parts(self) -> Floats:
        """The part of each factor of the score, (F,), as ``Metric.factors`` names them."""
        return read_only(self.values @ self.changes)

    @property
    def difference(self) -> float:
        """The score of B minus that of A: the sum of all parts."""
        return self.scores[1] - self.scores[0]

    @cached_property
    def segments(self) -> Floats:
        """The part of each segment, (S,)."""
        return read_only(self.segment_factors.sum(axis=1))

    @cached_property
    def lead(self) -> Lead:
        """In how many segments the system that is ahead wins."""
        return lead_of(self.towards_leader(self.segments))

    def towards_leader(self, parts: Floats) -> Floats:
        """Parts as gains of the system that is ahead: above 0 where they have the sign of the difference."""
        return -parts if self.difference < 0 else parts

    def groups(self, groups: Ints, n_groups: int) -> Floats:
        """The part of each group of segments, (G,): of documents, labels, buckets or filters.

        Args:
            groups: (S,), the group 0 to G - 1 of each segment; -1 leaves a segment out.
            n_groups: G.
        """
        return read_only(self.group_factors(groups, n_groups).sum(axis=1))

    def group_factors(self, groups: Ints, n_groups: int) -> Floats:
        """``segment_factors`` of groups, (G, F); arguments as for ``groups``."""
        return read_only(group_sums(self.segment_factors, groups, n_groups))

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


@dataclass(frozen=True)
class BleuAttribution(Attribution):
    """The parts of a difference in BLEU, whose orders and brevity penalty have parts of their own.

    ``orders`` with ``brevity_penalty`` add up to ``difference - jump``. The counts (2 + 2M) are those of
    ``bleucore.metrics.bleu``.
    """

    @property
    def max_order(self) -> int:
        """M."""
        return len(self.values) - 1

    @property
    def factor_parts(self) -> Floats:
        """Those of the orders and of the brevity penalty, (M + 1,)."""
        return read_only(np.append(self.orders, self.brevity_penalty))

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

    @property
    def halves_add_up(self) -> bool:
        """Whether ``match_parts`` and ``total_parts`` of each order are those of ``orders``."""
        return bool(np.allclose(self.match_parts + self.total_parts, self.orders, rtol=0, atol=ROUNDING))


@overload
def attribute(
    first: NDArray[Any], second: NDArray[Any], options: BleuOptions, *, names: tuple[str, str] = ("A", "B")
) -> BleuAttribution: ...


@overload
def attribute(
    first: NDArray[Any], second: NDArray[Any], options: MetricOptions, *, names: tuple[str, str] = ("A", "B")
) -> Attribution: ...


def attribute(
    first: NDArray[Any], second: NDArray[Any], options: MetricOptions, *, names: tuple[str, str] = ("A", "B")
) -> Attribution:
    """What makes the corpus score of system B differ from that of system A, in parts: the score of B minus that of A.

    Rows of the counts give the difference of the scores of those segments as a corpus of their own. The line then runs
    between other sums, so the part of a segment is not the one that it has in the whole test set.

    Args:
        first: Counts of A, (S, C), as the metric's statistics give them.
        second: Those of B, of the same segments.
        options: With which the counts were made, of any metric.
        names: Of A and B.

    Raises:
        ValueError: The counts are not of the same segments, or not of the orders of the options.
    """
    if first.shape != second.shape:
        raise ValueError(f"counts of shapes {first.shape} and {second.shape}")
    metric, sums = metric_of(options), np.stack([first.sum(axis=0), second.sum(axis=0)])
    line, ends = metric.line(sums, options), metric.scores(sums, options)
    limits = line.limits()
    jumps = np.where(np.isclose(ends, limits, rtol=_NO_JUMP, atol=_NO_JUMP), 0.0, ends - limits)
    values = line.values()
    make = BleuAttribution if isinstance(options, BleuOptions) else Attribution
    return make(
        names,
        (float(ends[0]), float(ends[1])),
        read_only((second - first) @ values.T),
        read_only(values),
        read_only(sums[1] - sums[0]),
        float(jumps[1] - jumps[0]),
        _reason(line, ends),
        _jump_reason(line, sums, jumps, names),
        options,
    )


def _reason(line: Line, ends: Floats) -> str | None:
    """Why no segment has a part, if none has."""
    if line.zero_because is None:
        return None
    if ends.any():
        return f"No segment has a part, because {line.zero_because}."
    return f"Both scores are 0, because {line.zero_because}: there is nothing to divide."


def _jump_reason(line: Line, sums: NDArray[Any], jumps: Floats, names: Sequence[str]) -> str | None:
    """What the systems lack at whose end of the line the score jumps; two equal jumps are none of the difference."""
    if jumps[0] == jumps[1]:
        return None
    jumping = [(name, counts) for name, counts, jump in zip(names, sums, jumps, strict=True) if jump]
    facts = [f"{name} {fact}" for name, counts in jumping for fact in line.lacks(counts)]
    return f"{'; '.join(facts)}. This part belongs to no segment."


def opposed_parts(first: Attribution, second: Attribution) -> Floats:
    """How far two metrics pull each segment to different systems, (S,).

    The smaller one of the segment's shares in all that pulls, of each metric, where one metric gives the segment to A
    and the other to B; else 0. Where the metrics have different systems ahead over all, segments that pull the other
    way round have their share below 0.
    """
    gains = [one.gain(one.segments) for one in (first, second)]
    shares = [gain / (np.abs(gain).sum() or 1.0) for gain in gains]
    opposed = np.where(shares[0] * shares[1] < 0, np.minimum(*np.abs(shares)), 0.0)
    ahead, other = (one.gain(one.difference) for one in (first, second))
    return opposed * np.sign(shares[0]) * np.sign(ahead) if ahead * other < 0 else opposed
