"""Two systems over the same blocks: is the difference more than chance?

The paired t-test is that of Papineni et al. 2002, section 3. The Wilcoxon signed-rank test takes the order of the
differences instead of their sizes, the sign test only which system wins a block.
"""

import sys
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from bleucore.counts import Floats, ranked, read_only
from bleucore.optional_packages import special
from bleucore.significance.blocks import BlockSummary, BlockUnit
from bleucore.significance.paired import TIE
from bleucore.written_numbers import count

BlockMethod = Literal["block-t", "block-wilcoxon", "block-sign"]

LEVEL = 0.05
"""Below it a p-value is usually called significant."""

MAX_EXACT = 50
"""With more differences than this Wilcoxon's p is that of the normal approximation, as in SciPy."""


@dataclass(frozen=True)
class BlockTest:
    """One system against another over the same blocks, two-sided.

    Attributes:
        name: The system.
        other: The system it is compared with.
        method: Which test.
        unit: What a block is.
        differences: (B,), read-only: block scores of ``name`` minus those of ``other``; 0 where only rounding differs.
        mean_difference: Their mean.
        statistic: t; or the smaller of Wilcoxon's two rank sums; or the number of blocks in which the difference is
            positive. ``None`` where there is no test.
        p_value: Two-sided, above 0 and at most 1; ``None`` where there is no test.
        interval: 95 % confidence interval of the mean difference: of the t-test only.
        reason: Why there is no test, in words, or ``None``.
        remark: What to know beside p, in words, or ``None``.
    """

    name: str
    other: str
    method: BlockMethod
    unit: BlockUnit
    differences: Floats
    mean_difference: float
    statistic: float | None = None
    p_value: float | None = None
    interval: tuple[float, float] | None = None
    reason: str | None = None
    remark: str | None = None

    @property
    def n_blocks(self) -> int:
        """B."""
        return len(self.differences)

    @property
    def degrees_of_freedom(self) -> int:
        """Those of t: B - 1."""
        return self.n_blocks - 1

    @property
    def n_positive(self) -> int:
        """The number of blocks in which ``name`` has the higher score."""
        return int(np.count_nonzero(self.differences > 0))

    @property
    def n_negative(self) -> int:
        """The number of blocks in which ``other`` has the higher score."""
        return int(np.count_nonzero(self.differences < 0))

    @property
    def smallest_p_value(self) -> float | None:
        """What p cannot fall below, whatever the blocks show; ``None`` for t, which has no such bound."""
        return None if self.method == "block-t" else min(1.0, 2.0 ** (1 - self.n_positive - self.n_negative))


def paired_t_test(system: BlockSummary, other: BlockSummary) -> BlockTest:
    """Papineni et al. 2002, section 3: is the mean of the paired block differences zero?

    t = mean / (s / √B), where s is the standard deviation of the differences with B - 1; so are the degrees of
    freedom.
    """
    untested = _untested("block-t", system, other)
    means, standard_errors = paired_means(system.scores, other.scores)
    mean, standard_error, n_blocks = float(means), float(standard_errors), untested.n_blocks
    if standard_error == 0:
        return replace(untested, reason=why_no_t(untested.differences, system.unit))
    half = standard_error * float(critical_t(n_blocks))
    return replace(
        untested,
        statistic=mean / standard_error,
        p_value=float(p_of_t(mean / standard_error, n_blocks)),
        interval=(mean - half, mean + half),
    )


def wilcoxon_test(system: BlockSummary, other: BlockSummary) -> BlockTest:
    """Wilcoxon 1945: do the blocks in which one system is ahead outrank the others, larger differences first?

    Blocks without a difference are left out before ranks are given; equally large differences share a rank. p is
    exact for up to ``MAX_EXACT`` differences, also with shared ranks, where SciPy approximates it from 14 on; and else
    that of the normal approximation with its correction for ties.
    """
    untested = _untested("block-wilcoxon", system, other)
    differing = _without_zeros(untested, system, other)
    if not len(differing):
        return replace(untested, reason=_why_no_difference(system.unit))
    ranks = ranked(np.abs(differing))
    smaller_sum = float(min(ranks[differing > 0].sum(), ranks[differing < 0].sum()))
    exact = len(differing) <= MAX_EXACT
    p_value = _exact_p(ranks, smaller_sum) if exact else _normal_p(ranks, smaller_sum)
    return replace(untested, statistic=smaller_sum, p_value=float(_above_zero(p_value)), remark=_remark(untested))


def sign_test(system: BlockSummary, other: BlockSummary) -> BlockTest:
    """Does one system win more blocks than even odds predict? Blocks without a difference are left out."""
    untested = _untested("block-sign", system, other)
    n_positive, n_differing = untested.n_positive, untested.n_positive + untested.n_negative
    if not n_differing:
        return replace(untested, reason=_why_no_difference(system.unit))
    p_value = float(_above_zero(sign_p(n_positive, n_differing)))
    return replace(untested, statistic=float(n_positive), p_value=p_value, remark=_remark(untested))


def sign_p(n_wins: int, n_decided: int) -> float:
    """The p-value, two-sided and exact, of so many wins among decided ones where even odds hold; at least one is."""
    return min(1.0, 2 * float(special.bdtr(min(n_wins, n_decided - n_wins), n_decided, 0.5)))


def every_block_test(system: BlockSummary, other: BlockSummary) -> tuple[BlockTest, BlockTest, BlockTest]:
    """The three tests: of the mean, of ranks, of signs."""
    return paired_t_test(system, other), wilcoxon_test(system, other), sign_test(system, other)


def paired_means(first: Floats, second: Floats) -> tuple[Floats, Floats]:
    """The mean of paired differences of scores (..., B), first minus second, and its standard error: (...) each.

    The standard error is 0 where there is no t: one block, or no variance but that of rounding.
    """
    differences = paired_differences(first, second)
    means = differences.mean(axis=-1)
    if differences.shape[-1] == 1:
        return means, np.zeros_like(means)
    largest = np.abs(differences).max(axis=-1, keepdims=True)
    scales = np.where(largest > 0, largest, 1.0)  # the squares of very small differences would vanish
    errors = scales[..., 0] * (differences / scales).std(axis=-1, ddof=1) / np.sqrt(differences.shape[-1])
    varies = np.ptp(differences, axis=-1) > _roundings(first, second)[..., 0]
    return means, np.where(varies, errors, 0.0)


def paired_differences(first: Floats, second: Floats) -> Floats:
    """First minus second, of scores (..., B); 0 where only rounding differs."""
    differences = first - second
    return np.asarray(np.where(np.abs(differences) > _roundings(first, second), differences, 0.0))


def critical_t(n_blocks: NDArray[Any] | int, level: float = LEVEL) -> Floats:
    """The size of t over so many blocks, each two or more, at which p is the level."""
    return np.asarray(special.stdtrit(np.asarray(n_blocks) - 1, 1 - level / 2))


def p_of_t(statistics: NDArray[Any] | float, n_blocks: NDArray[Any] | int) -> Floats:
    """Two-sided p-values of t over so many blocks, never 0."""
    return _above_zero(2 * special.stdtr(np.asarray(n_blocks) - 1, -np.abs(statistics)))


def why_no_t(differences: Floats, unit: BlockUnit) -> str:
    """Why differences (B,) whose mean has no standard error have no t."""
    if len(differences) == 1:
        return f"One {unit} has no variance: a t-test takes at least two."
    if not differences.any():
        return _why_no_difference(unit)
    return f"The difference is the same in every {unit}: without variance there is no t."


def _why_no_difference(unit: BlockUnit) -> str:
    return f"Both systems have the same score in every {unit}: there is no difference to test."


def _untested(method: BlockMethod, system: BlockSummary, other: BlockSummary) -> BlockTest:
    differences = read_only(paired_differences(system.scores, other.scores))
    return BlockTest(system.name, other.name, method, system.unit, differences, float(differences.mean()))


def _without_zeros(untested: BlockTest, system: BlockSummary, other: BlockSummary) -> Floats:
    """The differences that are not 0, in steps of their rounding: what should be equal is."""
    steps = np.where(untested.differences == 0, 1.0, _roundings(system.scores, other.scores))
    whole = np.rint(untested.differences / steps)
    return np.asarray(whole[whole != 0])


def _exact_p(ranks: Floats, smaller_sum: float) -> float:
    """The share of all ways to sign the ranks that give a sum as small, on either side.

    Sums are counted rank by rank; twice a rank is a whole number, also a shared one.
    """
    doubled = np.rint(2 * ranks).astype(np.int64)
    n_ways = np.zeros(doubled.sum() + 1)
    n_ways[0] = 1
    for rank in doubled:
        n_ways[rank:] += n_ways[:-rank].copy()
    n_as_small: float = n_ways[: round(2 * smaller_sum) + 1].sum()
    return 2 * n_as_small / 2.0 ** len(ranks)


def _normal_p(ranks: Floats, smaller_sum: float) -> float:
    """The same by the normal approximation, whose variance allows for shared ranks; at least one pair differs."""
    n_ranks = len(ranks)
    _, n_sharing = np.unique(ranks, return_counts=True)
    variance = n_ranks * (n_ranks + 1) * (2 * n_ranks + 1) / 24 - float((n_sharing**3 - n_sharing).sum()) / 48
    return float(2 * special.ndtr((smaller_sum - n_ranks * (n_ranks + 1) / 4) / np.sqrt(variance)))


def _remark(test: BlockTest) -> str | None:
    """What was left out and what holds p up."""
    n_differing = test.n_positive + test.n_negative
    n_equal = test.n_blocks - n_differing
    sentences = []
    if n_equal:
        verbs = ("shows", "is") if n_equal == 1 else ("show", "are")
        sentences.append(
            f"{count(n_equal)} of {count(test.n_blocks)} {test.unit}s {verbs[0]} no difference and {verbs[1]} left out."
        )
    smallest = test.smallest_p_value
    if smallest is not None and smallest > LEVEL:
        number = f"{n_differing} {test.unit}{' that differs' if n_differing == 1 else 's that differ'}"
        sentences.append(f"With {number}, p cannot fall below {smallest:.2g}.")
    return " ".join(sentences) or None


def _roundings(first: Floats, second: Floats) -> Floats:
    """What differences of scores (..., B) carry from the rounding of the scores: (..., 1)."""
    largest: Floats = np.maximum(np.abs(first), np.abs(second)).max(axis=-1, keepdims=True)
    return TIE * largest


def _above_zero(p_values: NDArray[Any] | float) -> Floats:
    """p-values that are too small for a float become the smallest that is none of the denormal ones."""
    return np.asarray(np.clip(p_values, sys.float_info.min, 1.0))
