"""Is a difference real? Scores of blocks of segments and the paired t-test on them (Papineni et al. 2002)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from bleucore.bleu import Floats
from bleucore.errors import InputError
from bleucore.ngrams import Ints

Remainder = Literal["drop", "spread"]


@dataclass(frozen=True)
class BlockLayout:
    """Contiguous blocks of segments.

    Attributes:
        edges: (B + 1,): block b holds the segments ``edges[b]`` to ``edges[b + 1] - 1``.
        n_dropped: Segments at the end that belong to no block.
    """

    edges: Ints
    n_dropped: int

    @property
    def n_blocks(self) -> int:
        """B, the number of blocks."""
        return len(self.edges) - 1

    @property
    def sizes(self) -> Ints:
        """The number of segments of each block, (B,)."""
        return np.diff(self.edges)


@dataclass(frozen=True)
class BlockSummary:
    """The scores of one system over blocks: (B,), their mean, and variance with B - 1 (``None`` for one block)."""

    name: str
    scores: Floats
    mean: float
    variance: float | None

    @property
    def standard_deviation(self) -> float | None:
        """The square root of the variance."""
        return None if self.variance is None else float(np.sqrt(self.variance))


@dataclass(frozen=True)
class PairedTTest:
    """Paired t-test of one system against another over the same blocks, two-sided.

    Attributes:
        name: The system.
        other: The system it is compared with.
        differences: (B,), block scores of ``name`` minus those of ``other``.
        mean_difference: Their mean.
        statistic: t; ``None`` where there is none, and ``reason`` says why.
        degrees_of_freedom: B - 1.
        p_value: Two-sided; ``None`` where there is no t.
        interval: 95 % confidence interval of the mean difference, or ``None``.
        reason: Why there is no t, in words, or ``None``.
    """

    name: str
    other: str
    differences: Floats
    mean_difference: float
    statistic: float | None
    degrees_of_freedom: int
    p_value: float | None
    interval: tuple[float, float] | None
    reason: str | None


def blocks_of_number(n_segments: int, n_blocks: int, *, remainder: Remainder = "drop") -> BlockLayout:
    """This many blocks of equal size.

    Args:
        n_segments: S.
        n_blocks: B, from 1 to S.
        remainder: ``"drop"`` leaves the last segments out where S is no multiple of B, as a fixed block size
            does in the paper; ``"spread"`` makes some blocks one segment longer.

    Raises:
        InputError: There are fewer segments than blocks.
    """
    _check_size(n_blocks, n_segments, "number of blocks")
    if remainder == "spread":
        edges = np.arange(n_blocks + 1) * n_segments // n_blocks
    else:
        edges = np.arange(n_blocks + 1) * (n_segments // n_blocks)
    return BlockLayout(edges, n_segments - int(edges[-1]))


def blocks_of_size(n_segments: int, size: int, *, remainder: Remainder = "drop") -> BlockLayout:
    """As many blocks of this size as there are; the remainder as in ``blocks_of_number``."""
    _check_size(size, n_segments, "block size")
    n_blocks = n_segments // size
    if remainder == "spread":
        return blocks_of_number(n_segments, n_blocks, remainder="spread")
    return BlockLayout(np.arange(n_blocks + 1) * size, n_segments - n_blocks * size)


def summarise_blocks(
    name: str, counts: Ints, layout: BlockLayout, score: Callable[[NDArray[Any]], Floats]
) -> BlockSummary:
    """The corpus score of each block: counts (S, C) are summed within a block, then scored."""
    before = np.concatenate([np.zeros((1, counts.shape[1]), np.int64), np.cumsum(counts, axis=0)])
    scores = score(np.diff(before[layout.edges], axis=0))
    variance = float(scores.var(ddof=1)) if len(scores) > 1 else None
    return BlockSummary(name, scores, float(scores.mean()), variance)


def paired_t_test(system: BlockSummary, other: BlockSummary) -> PairedTTest:
    """Papineni et al. 2002, section 3: is the mean of the paired block differences zero?"""
    differences = system.scores - other.scores
    n_blocks, mean = len(differences), float(differences.mean())
    reason = _why_no_t(differences, largest_score=float(max(system.scores.max(), other.scores.max())))
    statistic = p_value = interval = None
    if reason is None:
        result = stats.ttest_rel(system.scores, other.scores)
        confidence = result.confidence_interval(0.95)
        statistic, p_value = float(result.statistic), float(result.pvalue)
        interval = (float(confidence.low), float(confidence.high))
    return PairedTTest(system.name, other.name, differences, mean, statistic, n_blocks - 1, p_value, interval, reason)


def _why_no_t(differences: Floats, *, largest_score: float) -> str | None:
    rounding = 1e-12 * largest_score  # a difference carries the rounding of the scores that it was made from
    if len(differences) == 1:
        return "One block has no variance. Choose at least two blocks."
    if float(np.abs(differences).max()) <= rounding:
        return "Both systems have the same score in every block: there is no difference to test."
    if float(np.ptp(differences)) <= rounding:
        return "The difference is the same in every block: without variance there is no t."
    return None


def _check_size(value: int, n_segments: int, what: str) -> None:
    if not 1 <= value <= n_segments:
        raise InputError(
            f"this {what} does not fit the test set",
            found=f"{value:,}",
            expected=f"1 to {n_segments:,}, the number of segments",
            remedy="Choose a smaller one." if value > n_segments else "Choose a larger one.",
        )
