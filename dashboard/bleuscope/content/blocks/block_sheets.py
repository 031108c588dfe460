"""Sheets of the block analysis: its table of systems, its tests of two systems, and the scores of the blocks."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from bleucore.significance import BlockTest
from bleuscope.content.blocks import block_words
from bleuscope.content.blocks.block_analysis import BlockAnalysis, Neighbour, Tests
from bleuscope.content.sheets.builders import SYSTEM, FilledField, ends_of, numbers_of, sheet_of
from bleuscope.content.sheets.sheet import Ends, Field, Kind, Note, Sheet
from bleuscope.content.significance.significance_words import TEST_LABELS
from bleuscope.content.style import numbers
from bleuscope.content.style.scale import ScoreScale
from bleuscope.content.style.terms import term
from bleuscope.content.style.unique_names import unique_name

QUESTIONS = (
    "Is the mean of the differences zero?",
    "Are the ranked differences symmetric around zero?",
    "Does one system win more than half of the blocks?",
)
"""What each of the three tests asks."""
MEAN = "Usually below the corpus score: small blocks lack long matches."
DEVIATION = "Standard deviation of the block scores, in {}."
MEAN_DIFFERENCE = "This system minus {}, mean over blocks."
INTERVAL = "Of the mean difference, by the t-distribution."
P_WILCOXON = "Of the signed-rank test."
P_SIGN = "Of the sign test."
STATISTIC = "t of B minus A; Wilcoxon's smaller sum of ranks W; the blocks that B wins."
P_OF_TEST = "How often equal systems differ at least this much."

NOT_CORRECTED = "p-values are two-sided and not corrected for the number of comparisons."


def blocks_sheet(analysis: BlockAnalysis, neighbour: Neighbour) -> Sheet:
    """Table 2 of Papineni et al. 2002, worst system first, with the tests against the left neighbour or baseline."""
    score, difference, ends = kinds_of(analysis.scale)
    summaries = [row.summary for row in analysis.rows]
    tests = [row.tests(neighbour) for row in analysis.rows]
    other = "the system one row above" if neighbour == "row above" else "the baseline, or the best without one"
    t_tests, wilcoxon, signs = ([None if one is None else one[place] for one in tests] for place in range(3))
    columns: list[FilledField] = [
        (SYSTEM, [summary.name for summary in summaries]),
        (Field("mean", "mean", score, explanation=MEAN), [summary.mean for summary in summaries]),
        (
            Field("variance", "variance", score, explanation=term("variance")),
            numbers_of(summaries, lambda one: one.variance),
        ),
        (
            Field("standard_deviation", "sd", score, explanation=DEVIATION.format(analysis.scale.unit)),
            numbers_of(summaries, lambda one: one.standard_deviation),
        ),
        (
            Field("other", "tested against", "text", for_machines=True),
            [None if one is None else one.other for one in t_tests],
        ),
        (
            Field("difference", "Δ", difference, explanation=MEAN_DIFFERENCE.format(other)),
            numbers_of(t_tests, lambda one: one.mean_difference),
        ),
        (
            replace(interval_of(ends), on_pages="95 % interval", explanation=INTERVAL),
            ends_of([None if one is None else one.interval for one in t_tests]),
        ),
        (
            Field("t", "t", "statistic", explanation=term("t"), notes=_reasons("no t", t_tests)),
            numbers_of(t_tests, lambda one: one.statistic),
        ),
        (Field("p_t", "p (t)", "p", explanation=term("p")), numbers_of(t_tests, lambda one: one.p_value)),
        (
            Field("p_wilcoxon", "p (Wilcoxon)", "p", explanation=P_WILCOXON),
            numbers_of(wilcoxon, lambda one: one.p_value),
        ),
        (Field("p_sign", "p (sign)", "p", explanation=P_SIGN), numbers_of(signs, lambda one: one.p_value)),
    ]
    return sheet_of(
        "blocks",
        (
            f"Block scores in {analysis.metric.name} and paired tests against {other}, lowest corpus score first "
            "(Papineni et al. 2002, section 3).",
            block_words.layout_words(analysis.layout),
            NOT_CORRECTED,
            *_signature(analysis),
        ),
        columns,
        _facts(analysis) | {"tested_against": neighbour},
        title=f"Block scores and tests against {other}, lowest corpus score first",
    )


def block_tests_sheet(analysis: BlockAnalysis, tests: Tests) -> Sheet:
    """The three tests of two systems over the blocks, each with what it asks."""
    _, difference, ends = kinds_of(analysis.scale)
    statistics = {
        row: Note(text) for row, text in enumerate(_statistics(tests, higher_is_better=analysis.scale.higher_is_better))
    }
    return sheet_of(
        "block-tests",
        (
            f"Tests of {tests[0].name} against {tests[0].other} in {analysis.metric.name} over blocks: the first "
            "system's score minus the second's.",
            "The statistic is t, the smaller sum of ranks, or the number of blocks with a positive difference.",
            block_words.layout_words(analysis.layout),
            NOT_CORRECTED,
            *_signature(analysis),
        ),
        [
            (Field("test", "test", "text"), [TEST_LABELS[test.method] for test in tests]),
            (Field("difference", "mean Δ", difference, off_pages=True), [test.mean_difference for test in tests]),
            (replace(interval_of(ends), off_pages=True), ends_of([test.interval for test in tests])),
            (
                Field(
                    "statistic",
                    "statistic",
                    "statistic",
                    explanation=STATISTIC,
                    notes=statistics | _reasons("none", tests),
                ),
                numbers_of(tests, lambda one: one.statistic),
            ),
            (Field("n_blocks", "blocks", "count", off_pages=True), [test.n_blocks for test in tests]),
            (Field("n_positive", "ahead in", "count", off_pages=True), [test.n_positive for test in tests]),
            (Field("n_negative", "behind in", "count", off_pages=True), [test.n_negative for test in tests]),
            (Field("p_value", "p", "p", explanation=P_OF_TEST), numbers_of(tests, lambda one: one.p_value)),
            (Field("asks", "asks", "text"), QUESTIONS),
            (
                Field("remark", "remark", "text", for_machines=True),
                [test.reason or test.remark for test in tests],
            ),
        ],
        _facts(analysis),
        title="Tests of systems A and B over the blocks",
    )


def block_scores_sheet(analysis: BlockAnalysis) -> Sheet:
    """The score of every system in every block."""
    score, *_ = kinds_of(analysis.scale)
    layout = analysis.layout
    taken = {"block", "n_segments"}
    names: FilledField = (Field("block", "block", "count"), np.arange(1, layout.n_blocks + 1))
    if layout.documents is not None:
        names = (Field("block", "document", "text"), layout.documents)
    return sheet_of(
        "block-scores",
        (
            f"{analysis.metric.name} of every system in every block.",
            block_words.layout_words(layout),
            *_signature(analysis),
        ),
        [
            names,
            (Field("n_segments", "segments", "count"), layout.sizes),
            *(
                (Field(unique_name(name, taken), name, score), analysis.summary(name).scores)
                for name in analysis.metric.systems
            ),
        ],
        _facts(analysis),
    )


def kinds_of(scale: ScoreScale) -> tuple[Kind, Kind, Ends]:
    """How scores, differences and the ends of their intervals are written on this scale."""
    if scale.decimals == 2:  # noqa: PLR2004  # as BLEU's
        return "score", "difference", "difference"
    return "metric score", "part", "small difference"


def interval_of(ends: Ends) -> Field:
    """The column of the interval of a difference."""
    return Field("difference_interval", "95 % interval of Δ", "interval", ends=ends)


def _reasons(text: str, tests: Sequence[BlockTest | None]) -> dict[int, Note]:
    """What pages say where a test has no statistic, and why it has none."""
    return {
        row: Note(text, one.reason or "") for row, one in enumerate(tests) if one is not None and one.statistic is None
    }


def _statistics(tests: Tests, *, higher_is_better: bool) -> tuple[str, str, str]:
    """The statistic of each test as it is cited: ``t(19) = 2.31``, ``W = 45``, ``14 of 20``."""
    t_test, wilcoxon, signs = tests
    ranks = f"{wilcoxon.statistic or 0.0:,.1f}".removesuffix(".0").replace(",", numbers.THIN_SPACE)
    n_ahead = signs.n_positive if higher_is_better else signs.n_negative
    return (
        f"t({numbers.count(t_test.degrees_of_freedom)}) = {numbers.statistic(t_test.statistic or 0.0)}",
        f"W = {ranks}",
        f"{numbers.count(n_ahead)} of {numbers.count(signs.n_positive + signs.n_negative)}",
    )


def _signature(analysis: BlockAnalysis) -> tuple[str, ...]:
    return f"Signature: {analysis.metric.signature}.", *analysis.metric.remarks


def _facts(analysis: BlockAnalysis) -> dict[str, str | int | float]:
    layout = analysis.layout
    return {
        "metric": analysis.metric.name,
        "signature": analysis.metric.signature,
        "n_blocks": layout.n_blocks,
        "n_left_out": layout.n_dropped,
        **({} if layout.shuffle_seed is None else {"shuffle_seed": layout.shuffle_seed}),
    }
