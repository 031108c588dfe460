"""The way of a table out of the dashboard: a small menu beneath it that copies and saves."""

from collections.abc import Callable, Mapping
from functools import partial

import streamlit as st

from bleuscope.content.sheets import workbooks, writers
from bleuscope.content.sheets.builders import columns_of
from bleuscope.content.sheets.forms import FORMS, FormName, TextForm
from bleuscope.content.sheets.html import html_table
from bleuscope.content.sheets.latex import keys_that_fit
from bleuscope.content.sheets.sheet import Sheet
from bleuscope.content.sheets.values import MOST_DECIMALS, read_fields, with_decimals
from bleuscope.content.style import numbers
from bleuscope.content.style.identity import SystemStyle
from bleuscope.shell.controls import widgets

MOST_COPIED = 500
"""Rows: more than that is a file, not something to paste."""
SAVED: dict[FormName, str] = {
    "csv": "CSV",
    "xlsx": "XLSX",
    "json": "JSON",
    "latex": "LaTeX",
    "markdown": "Markdown",
}
COPIED: dict[str, TextForm] = {"TSV": "tsv", "LaTeX": "latex", "Markdown": "markdown"}
"""What pastes into a spreadsheet, a paper and an issue."""
FOR_READERS: tuple[FormName, ...] = ("latex", "markdown")
CODE_HEIGHT = 190


def shown_table(
    sheet: Sheet,
    looks: Mapping[str, SystemStyle] | None = None,
    *,
    style: str = "",
    is_part_of_fragment: bool = False,
) -> None:
    """A table with the menu that saves it.

    Args:
        sheet: What it holds; its name is the menu's key.
        looks: How each system is drawn.
        style: A further CSS class of ours.
        is_part_of_fragment: Whether it stands in a part of a page that runs by itself; see ``part_of_fragment``.
    """
    widgets.html(html_table(sheet, looks, style=style))
    (part_of_fragment if is_part_of_fragment else export_menu)(lambda: sheet, sheet.name)


@st.fragment
def export_menu(make: Callable[[], Sheet], key: str) -> None:
    """``part_of_fragment`` that does not run the page anew when it is opened."""
    part_of_fragment(make, key)


def part_of_fragment(make: Callable[[], Sheet], key: str) -> None:
    """A quiet button that opens the table's menu: copy it, or save it as CSV, XLSX, JSON, LaTeX or Markdown.

    For parts of a page that run by themselves: a fragment within a fragment takes as long as five buttons.

    Args:
        make: Makes the sheet; called when the menu is opened, and never before.
        key: A word for the table, no other on the page has it.
    """
    with st.container(horizontal=True, horizontal_alignment="right", key=f"export-{key}"):
        menu = st.popover(
            "Export",
            type="tertiary",
            icon=":material/download:",
            key=f"export-menu-{key}",
            on_change="rerun",
            wrap=False,
        )
    if not menu.open:
        return
    sheet = make()
    with menu:
        read = _for_readers(sheet, key)
        st.caption("Save as")
        with st.container(horizontal=True, gap="xsmall", key=f"export-files-{key}"):
            for form, label in SAVED.items():
                _download(read if form in FOR_READERS else sheet, form, label, key)
        _copying(sheet, read, key)


def _for_readers(sheet: Sheet, key: str) -> Sheet:
    """The sheet as LaTeX and Markdown are to have it: at first columns that fit a paper, and the page's decimals."""
    headings = {one.key: one.heading for one in read_fields(sheet)}
    chosen = st.multiselect(
        "Columns in LaTeX and Markdown",
        list(headings),
        default=keys_that_fit(sheet),
        format_func=lambda one: widgets.plain(headings[one]),
        help="At first those that fit a column of a paper. The other forms always have all.",
        key=f"export-columns-{key}",
    )
    decimals = st.number_input(
        "Decimals in LaTeX and Markdown",
        0,
        MOST_DECIMALS,
        None,
        placeholder="as on this page",
        help="Of scores, differences and intervals.",
        key=f"export-decimals-{key}",
    )
    shown = columns_of(sheet, chosen or list(headings), title=sheet.title)
    return shown if decimals is None else with_decimals(shown, decimals)


def _download(sheet: Sheet, form: FormName, label: str, key: str) -> None:
    is_too_large = form == "xlsx" and not workbooks.fits_workbook(sheet)
    st.download_button(
        label,
        partial(writers.write, sheet, form),
        f"{sheet.name}.{FORMS[form].ending}",
        FORMS[form].media_type,
        on_click="ignore",
        disabled=is_too_large,
        help="More than an Excel worksheet takes. Save CSV or JSON instead." if is_too_large else None,
        key=f"export-{form}-{key}",
    )


def _copying(sheet: Sheet, read: Sheet, key: str) -> None:
    """The table as text with a button to copy it."""
    if len(sheet.frame) > MOST_COPIED:
        st.caption(f"{numbers.count(len(sheet.frame))} rows are too many to copy from here: save a file.")
        return
    chosen = st.segmented_control(
        "Copy as",
        tuple(COPIED),
        default="TSV",
        required=True,
        key=f"export-copied-{key}",
    )
    form = COPIED[str(chosen)]
    copied = read if form in FOR_READERS else sheet
    st.code(writers.write_text(copied, form), language=None, height=CODE_HEIGHT)
