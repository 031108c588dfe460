"""Sheets of the block analysis: its table of systems, its tests of two systems, and the scores of the blocks."""

import numpy as np

from dashboard.content import block_words
from dashboard.content.block_tables import QUESTIONS
from dashboard.content.blocks import BlockAnalysis, Neighbour, Scale, Tests
from dashboard.content.sheets.columns import Column, ends_of, numbers_of, sheet_of
from dashboard.content.sheets.sheet import Field, Kind, Sheet
from dashboard.content.unique_names import unique_name

NOT_CORRECTED = "p-values are two-sided and not corrected for the number of comparisons."


def blocks_sheet(analysis: BlockAnalysis, neighbour: Neighbour) -> Sheet:
    """Table 2 of Papineni et al. 2002, worst system first, with the tests against the left neighbour or baseline."""
    score, difference = _kinds(analysis.scale)
    summaries = [row.summary for row in analysis.rows]
    tests = [row.tests(neighbour) for row in analysis.rows]
    other = "the system one row above" if neighbour == "left neighbour" else "the baseline"
    t_tests, wilcoxon, signs = ([None if one is None else one[place] for one in tests] for place in range(3))
    columns: list[Column] = [
        (Field("system", "system", "text"), [summary.name for summary in summaries]),
        (Field("mean", "mean", score), [summary.mean for summary in summaries]),
        (Field("variance", "variance", score), numbers_of(summaries, lambda one: one.variance)),
        (
            Field("standard_deviation", "sd", score),
            numbers_of(summaries, lambda one: one.standard_deviation),
        ),
        (
            Field("other", "tested against", "text", for_machines=True),
            [None if one is None else one.other for one in t_tests],
        ),
        (Field("difference", "Δ", difference), numbers_of(t_tests, lambda one: one.mean_difference)),
        (
            Field("difference_interval", "95 % interval of Δ", "interval", ends="difference"),
            ends_of([None if one is None else one.interval for one in t_tests]),
        ),
        (Field("t", "t", "statistic"), numbers_of(t_tests, lambda one: one.statistic)),
        (Field("p_t", "p (t)", "p"), numbers_of(t_tests, lambda one: one.p_value)),
        (Field("p_wilcoxon", "p (Wilcoxon)", "p"), numbers_of(wilcoxon, lambda one: one.p_value)),
        (Field("p_sign", "p (sign)", "p"), numbers_of(signs, lambda one: one.p_value)),
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
    )


def block_tests_sheet(analysis: BlockAnalysis, tests: Tests) -> Sheet:
    """The three tests of two systems over the blocks."""
    _, difference = _kinds(analysis.scale)
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
            (Field("test", "test", "text"), [test.method for test in tests]),
            (Field("difference", "mean Δ", difference), [test.mean_difference for test in tests]),
            (
                Field("difference_interval", "95 % interval of Δ", "interval", ends="difference"),
                ends_of([test.interval for test in tests]),
            ),
            (Field("statistic", "statistic", "statistic"), numbers_of(tests, lambda one: one.statistic)),
            (Field("n_blocks", "blocks", "count"), [test.n_blocks for test in tests]),
            (Field("n_positive", "ahead in", "count"), [test.n_positive for test in tests]),
            (Field("n_negative", "behind in", "count"), [test.n_negative for test in tests]),
            (Field("p_value", "p", "p"), numbers_of(tests, lambda one: one.p_value)),
            (Field("asks", "asks", "text"), [QUESTIONS[test.method] for test in tests]),
            (
                Field("remark", "remark", "text", for_machines=True),
                [test.reason or test.remark for test in tests],
            ),
        ],
        _facts(analysis),
    )


def block_scores_sheet(analysis: BlockAnalysis) -> Sheet:
    """The score of every system in every block."""
    score, _ = _kinds(analysis.scale)
    layout = analysis.layout
    taken = {"block", "n_segments"}
    names: Column = (Field("block", "block", "count"), np.arange(1, layout.n_blocks + 1))
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


def _kinds(scale: Scale) -> tuple[Kind, Kind]:
    """How scores and differences are written on this scale."""
    return ("score", "difference") if scale.decimals == 2 else ("metric score", "part")  # noqa: PLR2004  # as BLEU's


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
