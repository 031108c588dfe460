"""The block analysis of Papineni et al. 2002, section 3, for all systems under one metric."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from bleucore import MetricEvaluation
from bleucore.significance import (
    BlockLayout,
    BlockSummary,
    BlockTest,
    LayoutStudy,
    SizeStudy,
    block_counts,
    every_block_test,
    summarise_blocks,
    t_over_layouts,
    t_over_sizes,
)
from bleucore.significance.units import too_few_words
from bleuscope.content.style.scale import ScoreScale

Neighbour = Literal["row above", "baseline"]
NEIGHBOURS: tuple[Neighbour, ...] = ("row above", "baseline")
Tests = tuple[BlockTest, BlockTest, BlockTest]
"""The paired t-test, Wilcoxon's and the sign test of two systems."""


@dataclass(frozen=True)
class BlockRow:
    """One system over blocks.

    Attributes:
        summary: Its block scores.
        against_left: Its tests against the next worse system; ``None`` for the worst.
        against_baseline: Its tests against the baseline; ``None`` for the baseline itself.
        n_unmatched: Blocks in which an n-gram order has no match; ``None`` for metrics that do not multiply orders.
    """

    summary: BlockSummary
    against_left: Tests | None
    against_baseline: Tests | None
    n_unmatched: int | None

    def tests(self, neighbour: Neighbour) -> Tests | None:
        """Those against one of the two."""
        return self.against_left if neighbour == "row above" else self.against_baseline


@dataclass(frozen=True)
class BlockAnalysis:
    """Every system over the same blocks.

    Attributes:
        metric: What is scored.
        layout: The blocks.
        scale: How its scores are written.
        rows: From the worst corpus score to the best, as in the paper's Table 2.
        n_unscored: Blocks in which a system has no score at all, as a file of scores may have it.
        why_untested: Why nothing is tested over these blocks, a sentence; ``None`` where it is.
    """

    metric: MetricEvaluation
    layout: BlockLayout
    scale: ScoreScale
    rows: tuple[BlockRow, ...]
    n_unscored: int
    why_untested: str | None = None

    def summary(self, name: str) -> BlockSummary:
        """The blocks of one system."""
        return next(row.summary for row in self.rows if row.summary.name == name)

    def tests(self, pair: tuple[str, str]) -> Tests:
        """The tests of the second system against the first."""
        return _tests(self.summary(pair[1]), self.summary(pair[0]), self.why_untested)


def analyse(metric: MetricEvaluation, layout: BlockLayout, baseline: str, *, can_test: bool = True) -> BlockAnalysis:
    """Every system over the blocks, tested against its left neighbour in rank and against the baseline.

    Args:
        metric: What is scored.
        layout: The blocks.
        baseline: A system.
        can_test: Whether there are enough blocks to test; else the tests have no p-values, and say why.
    """
    why_untested = None if can_test else too_few_words(layout.n_blocks, layout.unit)
    summaries = {
        name: summarise_blocks(name, result.counts, layout, metric.score_of) for name, result in metric.systems.items()
    }
    rising = metric.ranked()[::-1]
    rows = [
        BlockRow(
            summaries[name],
            _tests(summaries[name], summaries[rising[place - 1]], why_untested) if place else None,
            _tests(summaries[name], summaries[baseline], why_untested) if name != baseline else None,
            _n_unmatched(metric, name, layout),
        )
        for place, name in enumerate(rising)
    ]
    n_unscored = _n_unscored(metric, layout)
    return BlockAnalysis(metric, layout, ScoreScale.of(metric), tuple(rows), n_unscored, why_untested)


def can_be_studied(metric: MetricEvaluation, pair: tuple[str, str]) -> bool:
    """Whether every segment has a score of both systems, so that any blocks can be made of them."""
    return all(metric.metric.has_scores(metric.systems[name].counts).all() for name in pair)


def study_layouts(metric: MetricEvaluation, pair: tuple[str, str], layout: BlockLayout, *, seed: int) -> LayoutStudy:
    """How t of the second system against the first varies over random layouts."""
    systems = [(name, metric.systems[name].counts) for name in pair]
    return t_over_layouts(systems, layout, metric.score_of, seed=seed)[0]


def study_sizes(metric: MetricEvaluation, pair: tuple[str, str], shuffle_seed: int | None) -> SizeStudy:
    """How t of the second system against the first varies over block sizes."""
    systems = [(name, metric.systems[name].counts) for name in pair]
    return t_over_sizes(systems, metric.score_of, shuffle_seed=shuffle_seed)[0]


def _tests(summary: BlockSummary, other: BlockSummary, why_untested: str | None) -> Tests:
    made = every_block_test(summary, other)
    if why_untested is None:
        return made
    t_test, wilcoxon, sign = (
        replace(one, statistic=None, p_value=None, interval=None, reason=why_untested, remark=None) for one in made
    )
    return t_test, wilcoxon, sign


def _n_unmatched(metric: MetricEvaluation, name: str, layout: BlockLayout) -> int | None:
    if metric.metric.lacks_matches is None:
        return None
    counts = block_counts(metric.systems[name].counts, layout)
    return int(np.count_nonzero(metric.metric.lacks_matches(counts)))


def _n_unscored(metric: MetricEvaluation, layout: BlockLayout) -> int:
    if not metric.metric.is_read:
        return 0
    scored = [metric.metric.has_scores(block_counts(result.counts, layout)) for result in metric.systems.values()]
    return int(np.count_nonzero(~np.all(scored, axis=0)))
