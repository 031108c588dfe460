"""Blocks as in Papineni et al. 2002, section 3: which blocks, what they say, and how far that depends on them."""

from typing import Any

import streamlit as st

from bleucore import TestSet
from bleucore.declarations import declarations
from bleucore.significance import BlockTest, SignificanceOptions, Verdict
from bleuscope.content.blocks import block_analysis, block_figures, block_words
from bleuscope.content.blocks import block_sheets as sheets
from bleuscope.content.blocks.block_analysis import BlockAnalysis, Tests
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.significance.verdict_words import verdict_text
from bleuscope.content.style.sentences import note, notes
from bleuscope.content.style.wordings import SIGNIFICANCE
from bleuscope.runtime import params
from bleuscope.shell.analysis.two_systems import ask_for_two
from bleuscope.shell.controls import charts, choices, widgets
from bleuscope.shell.controls.exports import export_menu, shown_table
from bleuscope.shell.controls.setting_inputs import setting_input
from bleuscope.shell.state import cached

PAPER_BLOCKS, PAPER_BLOCK_SIZE = 20, 25


def block_panel(view: ComparisonContext, found: Verdict | None) -> SignificanceOptions:
    """Everything about blocks: Table 2 of the paper, the tests of A and B, and how t varies; which were chosen.

    Args:
        view: What the page shows.
        found: The verdict about A and B, which tests over blocks do not replace.
    """
    st.markdown(block_words.INTRODUCTION)
    widgets.html(notes(view.metric.remarks))
    choice = _blocks_asked(view.test_set)
    layout = choice.block_layout(view.known_units)
    can_test = choice.can_test(layout.n_blocks)
    analysis = block_analysis.analyse(view.metric, layout, view.measured_against, can_test=can_test)
    widgets.html(note("{}", block_words.layout_words(layout)))
    if analysis.n_unscored:
        widgets.html(block_words.unscored_note(analysis))
        return choice
    tests = analysis.tests(view.pair) if view.compares else None
    if tests is not None:
        has_stars = choice.has_stars(view.known_units)
        _pair(view, analysis, tests, found, has_stars=has_stars)
    elif len(view.looks) > 1:
        ask_for_two(view, "Choose two different systems to compare them block by block.")
    _systems(view, analysis)
    widgets.heading("Block by block")
    left, right = st.columns(2, gap="large")
    if tests is not None:
        with left:
            _differences(analysis, tests[0])
    with left if tests is None else right:
        _scores(view, analysis)
    if tests is None or not can_test:
        return choice
    if block_analysis.can_be_studied(view.metric, view.pair):
        _studies(view, analysis, choice, tests[0])
    else:
        st.caption(block_words.NOT_STUDIED)
    return choice


def _pair(
    view: ComparisonContext, analysis: BlockAnalysis, tests: Tests, found: Verdict | None, *, has_stars: bool
) -> None:
    """Systems A and B in words and under three tests."""
    widgets.heading("Systems A and B")
    level = view.significance.level
    if found is not None:
        widgets.html(verdict_text(found))
    widgets.html(block_words.pair_test(analysis, tests, level, has_stars=has_stars))
    if found is not None:
        widgets.html(block_words.verdict_note(analysis, tests, found, level, has_stars=has_stars))
    shown_table(sheets.block_tests_sheet(analysis, tests))
    widgets.html(block_words.decision_note(tests) + block_words.pair_remarks(tests))


def _systems(view: ComparisonContext, analysis: BlockAnalysis) -> None:
    """Table 2 of the paper."""
    widgets.heading("Every system")
    neighbour = choices.segmented(params.AGAINST, "Test each system against", block_analysis.NEIGHBOURS)
    shown_table(sheets.blocks_sheet(analysis, neighbour), view.looks)
    widgets.html(block_words.missing_tests_note(analysis, neighbour))
    widgets.html(block_words.unmatched_note(analysis))
    st.caption(block_words.TABLE_CAPTION)


def _differences(analysis: BlockAnalysis, test: BlockTest) -> None:
    figure = block_figures.block_differences_figure(analysis, test)
    charts.chart(figure, "block-differences", "Paired block differences of systems A and B")
    st.caption(block_words.DIFFERENCES_CAPTION)


def _scores(view: ComparisonContext, analysis: BlockAnalysis) -> None:
    if analysis.layout.n_blocks > block_figures.MAX_DRAWN:
        st.caption(f"More than {block_figures.MAX_DRAWN} blocks are not drawn one by one. Choose fewer to see them.")
        export_menu(lambda: sheets.block_scores_sheet(analysis), "block-scores")
        return
    place = st.container()
    every = len(view.sides) < len(view.looks) and st.toggle("Show all systems", **params.ALL_LINES.bound())
    figure = block_figures.block_scores_figure(analysis, view.sides, view.looks, show_others=every)
    with place:
        key = f"block-scores-{'all' if every else 'pair'}"
        charts.chart(figure, key, "Score of each block by system", sheets.block_scores_sheet(analysis))
    st.caption(block_words.SCORES_CAPTION)
    export_menu(lambda: sheets.block_scores_sheet(analysis), "block-scores")


def _studies(
    view: ComparisonContext, analysis: BlockAnalysis, choice: SignificanceOptions, observed: BlockTest
) -> None:
    """How t of A and B depends on the blocks: on which segments are in them, and on their size."""
    widgets.heading("Other blocks")
    level, metric = view.significance.level, analysis.metric
    left, right = st.columns(2, gap="large")
    with left:
        layouts = cached.layout_study(view.test_set, metric, view.pair, choice, view.significance.seed)
        if layouts.reason is None:
            figure = block_figures.layouts_figure(layouts, observed, level)
            charts.chart(figure, "block-layouts", "t over random layouts")
        widgets.html(block_words.layouts_verdict(layouts, observed, level))
        if layouts.reason is None:
            st.caption(block_words.layouts_caption(analysis.layout))
    with right:
        sizes = cached.size_study(view.test_set, metric, view.pair, choice.shuffle_seed)
        if sizes.reason is None:
            figure = block_figures.sizes_figure(sizes, choice.block_size_of(view.test_set.n_segments), observed, level)
            charts.chart(figure, "block-sizes", "t over block sizes")
        widgets.html(block_words.sizes_verdict(sizes, level))
        if sizes.reason is None:
            st.caption(block_words.SIZES_CAPTION)


def _blocks_asked(test_set: TestSet) -> SignificanceOptions:
    """Which blocks to make: a test over them."""
    kinds = (*(("documents",) if test_set.documents is not None else ()), "number", "size")
    by, amount, order, rest = st.columns([3.4, 2, 3, 2.6], vertical_alignment="bottom")
    with by:
        kind = choices.segmented(
            params.BLOCKS_BY,
            "Blocks by",
            kinds,
            help="number, size: of blocks of neighbouring segments.",
        )
    if kind == "documents":
        return SignificanceOptions("block-t", unit="document")
    most = test_set.n_segments
    asked: dict[str, Any] = {}
    with amount:
        if kind == "size":
            of_panel: dict[str, Any] = {"key": params.SIZE, "help": None}
            asked["block_size"] = _asked("block_size", max_value=most, value=min(PAPER_BLOCK_SIZE, most), **of_panel)
        else:
            of_panel = {"label": "Number of blocks", "key": params.N_BLOCKS, "help": None}
            asked["n_blocks"] = _asked("n_blocks", max_value=most, value=min(PAPER_BLOCKS, most), **of_panel)
    with rest:
        asked["remainder"] = _asked("remainder")
    with order:
        asked["shuffle_seed"] = _shuffle_seed()
    return SignificanceOptions("block-t", **asked)


def _shuffle_seed() -> int | None:
    """The seed to draw segments with; ``None`` to keep their order."""
    shuffle, number = st.columns([1, 1], vertical_alignment="bottom")
    with shuffle:
        is_shuffled = st.toggle(
            "Shuffle",
            help="Draw the segments of each block at random instead of cutting the test set as it stands.",
            **params.SHUFFLE.bound(),
        )
    with number:
        seed: int | None = _asked("shuffle_seed", value=1) if is_shuffled else None
    return seed


def _asked(name: str, **changes: Any) -> Any:  # noqa: ANN401  # as many types as there are settings
    return setting_input(SIGNIFICANCE[name], declarations(SignificanceOptions)[name], **changes)
