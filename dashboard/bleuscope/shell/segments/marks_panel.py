"""What BLEU credits against what people marked: tables of the judged segments, whose rows list segments."""

from collections.abc import Callable

import streamlit as st

from bleucore.analysis.credited_and_marked import CreditedAndMarked
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.segments.error_marks import MarkedErrors
from bleuscope.content.segments.marked_tokens import categories_sheet, cells_of, cells_sheet, systems_sheet
from bleuscope.runtime import params
from bleuscope.shell.controls import choices, row_links, widgets
from bleuscope.shell.controls.exports import export_menu, shown_table
from bleuscope.shell.page.error_spans import marked_errors
from bleuscope.shell.state import cached

NUMBER_WIDTH, NAME_WIDTH = 82, 230
MOST_ROWS = 10


def marks_panel(view: ComparisonContext, open_cell: Callable[[str], None]) -> None:
    """The tables, computed when the panel is opened; nothing without judgements.

    Args:
        view: What the page shows.
        open_cell: What a press on a cell does with the condition that lists its segments.
    """
    marked = marked_errors(view)
    if marked is None:
        return
    label = "BLEU credits and marked errors"
    panel = st.expander(label, **params.MARKS.panel())
    if not panel.open:
        return
    with panel:
        found = _counted(view, marked)
        signature = view.evaluation.bleu.signature
        shown_table(systems_sheet(found, marked.judgements.file, signature), view.looks)
        letters = {letter: name for letter, name in zip("AB", view.both, strict=True) if name in found}
        if not letters:
            st.info("There are no judgements of A or B.")
            return
        options = tuple(sorted(letters))
        side = str(choices.segmented(params.MARKS_OF, "Tokens of", options, usual=options[-1]))
        condition = _cells(view, letters[side], side.lower(), found[letters[side]])
        if condition is not None:
            open_cell(condition)


def _counted(view: ComparisonContext, marked: MarkedErrors) -> dict[str, CreditedAndMarked]:
    """Of every system that was judged."""
    judged = [name for name in view.evaluation.ranked() if name in marked.judgements.systems]
    work = cached.all_credited_and_marked(view.test_set, view.options, marked, judged)
    return widgets.waited_for("Counting marked tokens …", work)


def _cells(view: ComparisonContext, name: str, side: str, counted: CreditedAndMarked) -> str | None:
    """The cells of one system; the condition of one that is pressed, which lists its segments."""
    cells = cells_of(side, view.options)
    sheet = cells_sheet(name, counted, cells)
    chosen = row_links.chosen_row(
        sheet,
        "marked-cells",
        width_of=lambda _: NUMBER_WIDTH,
        most_rows=MOST_ROWS,
        alt=f"Tokens of {name} by what BLEU credits and what is marked",
        name_width=NAME_WIDTH,
    )
    export_menu(lambda: sheet, sheet.name)
    st.caption("Click a row to list the segments with such tokens.")
    shown_table(categories_sheet(name, counted))
    return None if chosen is None else cells[chosen].condition
