"""Slices of the test set: by what, which of them, and where a click on one leads."""

import contextlib
from dataclasses import dataclass

import streamlit as st

from bleucore import InputError
from bleucore.analysis.slices import DOCUMENT, HOLDS, SliceComparison, Slicing, slice_kinds
from bleucore.counts import Ints
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.segments.conditions import denied
from bleuscope.content.sheets.sheet import Sheet
from bleuscope.content.slices import slice_figures, slice_sheets, slice_tables, slice_words
from bleuscope.content.slices.slice_tables import SliceSummary
from bleuscope.content.style.terms import OF_METHODS, explaining
from bleuscope.runtime import params
from bleuscope.runtime.param import Param
from bleuscope.shell.controls import charts, choices, row_links, widgets
from bleuscope.shell.controls.exports import export_menu
from bleuscope.shell.state import cached, links

MOST_ROWS = 20
NUMBER_WIDTH, KIND_WIDTH = 85, 260
WIDTHS = {"small": 60, "difference_interval": 130, "part": 125}


@dataclass(frozen=True)
class Choice:
    """What to show of the slices.

    Attributes:
        summary: The slices, with what can be said without a test.
        order: One of the summary's.
        shown: The slices to show, in order.
        others: Systems beside A and B whose scores are shown.
    """

    summary: SliceSummary
    order: str
    shown: Ints
    others: tuple[str, ...]


def choice(view: ComparisonContext) -> Choice:
    """The slices that are asked for."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        summary = _summary(view)
        order = _order(summary)
        every = summary.slicing.n_slices > slice_tables.MAX_SLICES and _toggle(
            slice_words.all_slices_label(summary), params.ALL_SLICES
        )
        others = tuple(name for name in view.evaluation.ranked() if name not in view.sides)
        shows_all = bool(others) and _toggle(f"Scores of all {len(view.looks)} systems", params.ALL_SCORES)
    shown = summary.shown(order, None if every else slice_tables.MAX_SLICES)
    return Choice(summary, order, shown, others if shows_all else ())


def compared(view: ComparisonContext, chosen: Choice) -> None:
    """Two systems on each slice: the verdict, the figure and the table; a click lists the segments of a slice."""
    summary, shown = chosen.summary, chosen.shown
    tested = _comparison(view, summary, shown)
    widgets.html(slice_words.verdict(summary, tested))
    said = slice_words.method_note(summary, tested)
    widgets.html(explaining(said, "p", *OF_METHODS))
    if len(shown) < summary.slicing.n_slices:
        st.caption(slice_words.shown_note(summary, shown, chosen.order))
    sheet = slice_sheets.slices_sheet(view, summary, tested, shown, others=chosen.others)
    widgets.heading(f"Differences by {summary.slicing.kind}")
    _figure(chosen, sheet)
    _table(chosen, sheet)
    st.caption(slice_words.CAPTION)


def scores_alone(view: ComparisonContext, chosen: Choice) -> None:
    """The scores of the systems in each slice."""
    widgets.heading(f"Scores by {chosen.summary.slicing.kind}")
    _table(chosen, slice_sheets.slices_sheet(view, chosen.summary, None, chosen.shown, others=chosen.others))


def _summary(view: ComparisonContext) -> SliceSummary:
    questions = _questions(view)
    kinds = (*slice_kinds(view.test_set), *questions)
    kind = choices.selected(params.SLICE_BY, "Slice by", kinds, width=KIND_WIDTH)
    slicing = questions.get(kind) or cached.slicing(view.test_set, view.evaluation.options, kind)
    metric = view.metric
    attribution = cached.attribution(view.evaluation, metric, view.pair) if view.compares else None
    return slice_tables.summarise(view.evaluation, slicing, view.sides, attribution, metric)


def _questions(view: ComparisonContext) -> dict[str, Slicing]:
    """The slices of the questions that are asked on Segments, but for those about the outputs."""
    found = {}
    for condition in links.questions():
        with contextlib.suppress(InputError):
            slicing = cached.question_slicing(view, condition)
            found[slicing.kind] = slicing
    return found


def _order(summary: SliceSummary) -> str:
    orders = summary.orders()
    if len(orders) == 1:
        return orders[0]
    return choices.segmented(params.SLICE_ORDER, "Order", orders)


def _toggle(label: str, key: Param) -> bool:
    return st.toggle(label, **key.bound())


def _comparison(view: ComparisonContext, summary: SliceSummary, shown: Ints) -> SliceComparison:
    """The tests of the slices that are shown; long ones show how far they are."""
    metric, chosen = summary.metric, tuple(sorted(shown.tolist()))
    work = cached.slice_comparison(view.test_set, metric, summary, chosen, view.significance)
    return widgets.waited_for("Testing the slices …", work)


def _figure(chosen: Choice, sheet: Sheet) -> None:
    summary = chosen.summary
    if len(chosen.shown) > slice_figures.MAX_DRAWN:
        st.caption(slice_words.NOT_DRAWN)
        return
    figure = slice_figures.slices_figure(sheet, summary.scale)
    clicked = charts.clicked(
        figure, f"slices-{summary.slicing.kind}", f"Δ {summary.metric.name} by {summary.slicing.kind}"
    )
    if clicked is not None:
        _open(chosen, int(clicked[0]))


def _table(chosen: Choice, sheet: Sheet) -> None:
    summary = chosen.summary
    row = row_links.chosen_row(
        sheet,
        f"slices-{summary.slicing.kind}",
        width_of=lambda column: WIDTHS.get(column, NUMBER_WIDTH),
        most_rows=MOST_ROWS,
        alt=f"Slices by {summary.slicing.kind}, with scores and differences",
    )
    if row is not None:
        _open(chosen, row)
    export_menu(lambda: sheet, "slices")


def _open(chosen: Choice, row: int) -> None:
    """List the segments of the slice in a row."""
    summary, index = chosen.summary, int(chosen.shown[row])
    question = summary.slicing.question
    if question is not None:
        links.open_where(question if summary.slicing.names[index] == HOLDS else denied(question))
    if summary.slicing.kind == DOCUMENT:
        links.open_document(summary.slicing.names[index])
    links.open_slice(slice_tables.address_of(summary.slicing, index))
