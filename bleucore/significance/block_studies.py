"""How far t depends on the choice of blocks: over random layouts, and over block sizes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from bleucore.counts import Floats, Ints, Score, group_sums, read_only
from bleucore.significance.block_tests import LEVEL, critical_t, p_of_t, paired_differences, paired_means, why_no_t
from bleucore.significance.blocks import BlockLayout, blocks_of_size
from bleucore.significance.draws import BATCH_BYTES, SCORE_BYTES, NamedCounts, check_draws, names, stacked
from bleucore.significance.paired import others

FEWEST_BLOCKS = 5
"""A block size that leaves fewer blocks is not studied: t says little with so few degrees of freedom."""

SIZES_IN_A_DECADE = 10
"""10, 13, 16, 20, 25, 32, 40, 50, 63, 79: steps that look equal on a logarithmic axis, the paper's 25 among them."""


@dataclass(frozen=True)
class LayoutStudy:
    """t of one system against another where the segments of each block are drawn at random, again and again.

    Attributes:
        name: The system.
        other: The system it is compared with.
        n_blocks: B.
        statistics: (L',), read-only: t of each layout that has one, in the order drawn.
        n_layouts: L, the layouts drawn.
        seed: Of the draws.
        reason: Why no layout has a t, in words, or ``None``.
    """

    name: str
    other: str
    n_blocks: int
    statistics: Floats
    n_layouts: int
    seed: int
    reason: str | None

    def n_beyond(self, level: float = LEVEL) -> int:
        """The number of layouts whose t is beyond the critical value of this level, on either side."""
        if not len(self.statistics):
            return 0
        return int((np.abs(self.statistics) > critical_t(self.n_blocks, level)).sum())


@dataclass(frozen=True)
class SizeStudy:
    """t of one system against another over blocks of different sizes (Z of them), the remainder left out.

    Attributes:
        name: The system.
        other: The system it is compared with.
        sizes: (Z,), segments in a block, rising. Those at which there is no t are left out, here and below.
        n_blocks: (Z,).
        mean_differences: (Z,), means of the paired block differences.
        statistics: (Z,), t.
        p_values: (Z,), two-sided, never 0.
        shuffle_seed: As for ``blocks_of_size``.
        reason: Why no size has a t, in words, or ``None``.
    """

    name: str
    other: str
    sizes: Ints
    n_blocks: Ints
    mean_differences: Floats
    statistics: Floats
    p_values: Floats
    shuffle_seed: int | None
    reason: str | None

    def critical_values(self, level: float = LEVEL) -> Floats:
        """The size of t at which p is this level, (Z,): larger where there are fewer blocks."""
        return critical_t(self.n_blocks, level)


def t_over_layouts(
    systems: Sequence[NamedCounts],
    layout: BlockLayout,
    score: Score,
    *,
    baseline: int = 0,
    layouts: int = 200,
    seed: int = 12345,
) -> tuple[LayoutStudy, ...]:
    """The t of each other system against the baseline, over blocks as many and as large as given, but drawn at random.

    One layout after the other is ``permutation(layout.groups)`` of one ``numpy.random.default_rng(seed)``: of blocks
    of neighbours, the first is the layout that ``shuffle_seed=seed`` gives. All systems share the layouts. Memory
    holds the sums of one layout at a time.

    Args:
        systems: At least two names with counts (S, C).
        layout: How many blocks there are, how large each is, and how many segments are left out.
        score: Of counts (..., C): (...).
        baseline: The index of the baseline, from 0.
        layouts: L, at least 1.
        seed: 0 or more; the same seed gives the same layouts.

    Raises:
        InputError: There is nothing to compare, counts that do not fit, or a number out of range.
    """
    compared = _Compared.of(systems, score, baseline)
    check_draws(layouts, seed, "layouts")
    generator = np.random.default_rng(seed)
    drawn = (generator.permutation(layout.groups) for _ in range(layouts))
    means, errors, reasons = compared.paired_means(drawn, [layout.n_blocks] * layouts)
    studies = []
    for column, system in enumerate(compared.others):
        has_t = errors[:, column] > 0
        studies.append(
            LayoutStudy(
                name=compared.names[system],
                other=compared.names[baseline],
                n_blocks=layout.n_blocks,
                statistics=read_only(means[has_t, column] / errors[has_t, column]),
                n_layouts=layouts,
                seed=seed,
                reason=None if has_t.any() else reasons[column],
            )
        )
    return tuple(studies)


def t_over_sizes(
    systems: Sequence[NamedCounts],
    score: Score,
    *,
    baseline: int = 0,
    shuffle_seed: int | None = None,
) -> tuple[SizeStudy, ...]:
    """The t of each other system against the baseline, over blocks of each of ``block_sizes``.

    Args:
        systems: At least two names with counts (S, C).
        score: Of counts (..., C): (...).
        baseline: The index of the baseline, from 0.
        shuffle_seed: As for ``blocks_of_size``; blocks of all sizes are cut from one order.

    Raises:
        InputError: There is nothing to compare, counts that do not fit, or the seed is negative.
    """
    compared = _Compared.of(systems, score, baseline)
    n_segments = len(compared.counts)
    sizes = block_sizes(n_segments)
    n_blocks = n_segments // sizes
    layouts = (blocks_of_size(n_segments, int(size), shuffle_seed=shuffle_seed).groups for size in sizes)
    means, errors, reasons = compared.paired_means(layouts, n_blocks.tolist())
    studies = []
    for column, system in enumerate(compared.others):
        has_t = errors[:, column] > 0
        statistics = means[has_t, column] / errors[has_t, column]
        studies.append(
            SizeStudy(
                name=compared.names[system],
                other=compared.names[baseline],
                sizes=read_only(sizes[has_t]),
                n_blocks=read_only(n_blocks[has_t]),
                mean_differences=read_only(means[has_t, column]),
                statistics=read_only(statistics),
                p_values=read_only(p_of_t(statistics, n_blocks[has_t])),
                shuffle_seed=shuffle_seed,
                reason=None if has_t.any() else reasons[column],
            )
        )
    return tuple(studies)


def block_sizes(n_segments: int) -> Ints:
    """Sizes in about equal ratios, from 1 to the largest that leaves ``FEWEST_BLOCKS``; none for fewer segments."""
    largest = n_segments // FEWEST_BLOCKS
    if not largest:
        return np.empty(0, np.int64)
    n_steps = int(np.log10(largest) * SIZES_IN_A_DECADE) + 1
    sizes = np.unique(np.rint(10 ** (np.arange(n_steps + 1) / SIZES_IN_A_DECADE)).astype(np.int64))
    return sizes[sizes <= largest]


@dataclass(frozen=True)
class _Compared:
    """The counts (S, K, C) of systems, as float64, and which of them are compared with the baseline."""

    names: tuple[str, ...]
    counts: Floats
    score: Score
    baseline: int
    others: list[int]

    @classmethod
    def of(cls, systems: Sequence[NamedCounts], score: Score, baseline: int) -> "_Compared":
        """Systems that fit together."""
        system_names = names(systems)
        return cls(system_names, stacked(systems).astype(np.float64), score, baseline, others(system_names, baseline))

    def paired_means(self, layouts: Iterable[Ints], n_blocks: Sequence[int]) -> tuple[Floats, Floats, list[str]]:
        """For each layout (S,) of so many blocks, the means and standard errors of each other system's differences.

        Returns:
            (L, K - 1) each, as ``block_tests.paired_means``, and for each system why it would have no t.
        """
        means = np.empty((len(n_blocks), len(self.others)))
        errors = np.empty_like(means)
        reasons = [f"{FEWEST_BLOCKS} blocks take at least {FEWEST_BLOCKS} segments."] * len(self.others)
        for index, (groups, number) in enumerate(zip(layouts, n_blocks, strict=True)):
            scores = self._block_scores(groups, number)
            means[index], errors[index] = paired_means(scores[self.others], scores[self.baseline])
            if index == len(n_blocks) - 1:
                differences = paired_differences(scores[self.others], scores[self.baseline])
                reasons = [why_no_t(row, "block") for row in differences]
        return means, errors, reasons

    def _block_scores(self, groups: Ints, n_blocks: int) -> Floats:
        """The scores of each system's blocks, (K, B)."""
        n_segments, n_systems, n_counts = self.counts.shape
        sums = group_sums(self.counts.reshape(n_segments, -1), groups, n_blocks)
        sums = sums.reshape(n_blocks, n_systems, n_counts)
        scores = np.empty((n_systems, n_blocks))
        step = max(1, BATCH_BYTES // (n_blocks * n_counts * SCORE_BYTES))
        for start in range(0, n_systems, step):
            scores[start : start + step] = self.score(sums[:, start : start + step]).T
        return scores
