"""The block analysis of Papineni et al. 2002, section 3, for all systems of an evaluation."""

from dataclasses import dataclass

import numpy as np
from markupsafe import Markup

from bleucore import Evaluation
from bleucore.bleu import scores
from bleucore.significance import BlockLayout, BlockSummary, PairedTTest, paired_t_test, summarise_blocks
from dashboard.content import numbers
from dashboard.content.tables import BlockRow

SIGNIFICANT = 0.05


@dataclass(frozen=True)
class BlockAnalysis:
    """Block summaries in the test set's order, and rows from the lowest corpus score to the highest."""

    summaries: tuple[BlockSummary, ...]
    rows: tuple[BlockRow, ...]


def analyse(evaluation: Evaluation, layout: BlockLayout, baseline: str) -> BlockAnalysis:
    """Every system over the blocks, tested against its left neighbour in rank and against the baseline."""
    summaries = {
        name: summarise_blocks(name, result.counts, layout, lambda counts: scores(counts, evaluation.options))
        for name, result in evaluation.systems.items()
    }
    rising = evaluation.ranked()[::-1]
    rows = [
        BlockRow(
            summaries[name],
            paired_t_test(summaries[name], summaries[rising[place - 1]]) if place else None,
            paired_t_test(summaries[name], summaries[baseline]) if name != baseline else None,
        )
        for place, name in enumerate(rising)
    ]
    return BlockAnalysis(tuple(summaries.values()), tuple(rows))


def pair_test(analysis: BlockAnalysis, pair: tuple[str, str]) -> PairedTTest:
    """The test of the second system against the first."""
    by_name = {summary.name: summary for summary in analysis.summaries}
    return paired_t_test(by_name[pair[1]], by_name[pair[0]])


def layout_note(layout: BlockLayout) -> Markup:
    """How many blocks of which size, and what was left over."""
    smallest, largest = int(layout.sizes.min()), int(layout.sizes.max())
    size = numbers.counted(largest, "segment")
    if smallest != largest:
        size = f"{numbers.count(smallest)} to {size}"
    verb = "is" if layout.n_dropped == 1 else "are"
    left_over = (
        f" {numbers.counted(layout.n_dropped, 'segment')} at the end {verb} left out." if layout.n_dropped else ""
    )
    return Markup('<p class="bs-source">{} of {} each.{}</p>').format(
        numbers.counted(layout.n_blocks, "block"), size, left_over
    )


def missing_tests_note(analysis: BlockAnalysis) -> Markup:
    """Why some comparisons have no t, each reason once with the systems concerned."""
    tests = [test for row in analysis.rows for test in (row.against_left, row.against_baseline) if test is not None]
    reasons: dict[str, dict[str, None]] = {}
    for test in tests:
        if test.reason is not None:
            reasons.setdefault(test.reason, {})[f"{test.other} and {test.name}"] = None
    items = [
        Markup("<p class='bs-source'><bdi>{}</bdi>: {}</p>").format("; ".join(pairs), reason)
        for reason, pairs in reasons.items()
    ]
    return Markup("").join(items)


def pair_verdict(test: PairedTTest) -> Markup:
    """What the paired test of two systems says, in words."""
    if test.name == test.other:
        return Markup("")
    won, lost = int(np.sum(test.differences > 0)), int(np.sum(test.differences < 0))
    lead = Markup("<bdi><strong>{}</strong></bdi> is ahead of <bdi><strong>{}</strong></bdi> in {} of {}").format(
        test.name, test.other, numbers.count(won), numbers.counted(len(test.differences), "block")
    )
    if test.statistic is None or test.p_value is None or test.interval is None:
        return Markup('<p class="bs-verdict">{}. {}</p>').format(lead, test.reason)
    judgement = (
        "A difference like this is unlikely to be chance."
        if test.p_value < SIGNIFICANT
        else "Chance alone could well give a difference like this."
    )
    details = Markup("by {} BLEU on average (95 % interval {}), t = {}, p {}").format(
        numbers.difference(test.mean_difference),
        numbers.interval(*test.interval),
        numbers.statistic(test.statistic),
        _p_phrase(test.p_value),
    )
    return Markup('<p class="bs-verdict">{} and behind in {}, {}. {}</p>').format(
        lead, numbers.count(lost), details, judgement
    )


def _p_phrase(p_value: float) -> str:
    text = numbers.p_value(p_value)
    return text if text[0] in "<>" else f"= {text}"
