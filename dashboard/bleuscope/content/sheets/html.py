"""Sheets as HTML for pages and reports: headings explained on hover and focus, systems in their colours."""

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from bleuscope.content.sheets.sheet import Field, Note, Sheet
from bleuscope.content.sheets.values import STAR, Cell, is_text, page_fields, read_column
from bleuscope.content.style import numbers
from bleuscope.content.style.identity import SystemStyle
from bleuscope.content.style.markup import HtmlColumn, language_attribute, snippet, system_label, table

SNIPPET_LENGTH = 160
NONE, EMPTY = "none", "empty"


def html_table(sheet: Sheet, looks: Mapping[str, SystemStyle] | None = None, *, style: str = "") -> Markup:
    """The table as pages show it.

    Args:
        sheet: What it holds.
        looks: How each system is drawn, for sheets that name systems.
        style: A further CSS class of ours.
    """
    shown = page_fields(sheet)
    cells = [_cells(sheet, one, looks or {}) for one in shown]
    return table(
        [HtmlColumn(one.page_heading, one.explanation, is_text(one), one.names_system) for one in shown],
        zip(*cells, strict=True),
        caption=sheet.title,
        emphasised=sheet.emphasised,
        parted=sheet.parted,
        style=style,
    )


def _cells(sheet: Sheet, one: Field, looks: Mapping[str, SystemStyle]) -> Sequence[str | Markup]:
    if one.names_system:
        written: Sequence[str | Markup] = [system_label(looks[name]) for name in sheet.frame[one.key]]
    elif one.is_prose:
        written = [_beginning(text, one.language) for text in sheet.frame[one.key]]
    elif one.is_label:
        written = [_label(cell.text) for cell in read_column(sheet, one)]
    elif one.fraction is not None:
        matches, totals = (sheet.frame[key] for key in one.fraction)
        texts = (cell.text for cell in read_column(sheet, one))
        written = [_fraction(*parts) for parts in zip(texts, matches, totals, strict=True)]
    else:
        written = [_value(cell) for cell in read_column(sheet, one)]
    return [_note(one.notes[row]) if row in one.notes else cell for row, cell in enumerate(written)]


def _value(cell: Cell) -> str | Markup:
    return Markup("<b>{}</b>&#8202;{}").format(cell.text, STAR) if cell.is_marked else cell.text


def _label(text: str) -> Markup:
    """In its own direction, and no wider than a column has room for."""
    return Markup('<bdi class="bs-label-of" title="{0}">{0}</bdi>').format(text)


def _note(note: Note) -> str | Markup:
    if note.reason is None:
        return note.text
    return Markup('<abbr tabindex="0" title="{}">{}</abbr>').format(note.reason, note.text)


def _beginning(text: object, language: str | None) -> Markup:
    """How a text of the test set begins, or that there is none."""
    if not isinstance(text, str) or not text:
        return Markup('<span class="bs-none">{}</span>').format(EMPTY if isinstance(text, str) else NONE)
    return Markup('<span dir="auto"{}>{}</span>').format(language_attribute(language), snippet(text, SNIPPET_LENGTH))


def _fraction(precision: str, matches: int, total: int) -> Markup:
    """A precision with the counts behind it."""
    title = "matches / n-grams of the hypothesis" if matches else "No match: the value comes from smoothing."
    return Markup('{} <span class="bs-fraction" title="{}">{}/{}</span>').format(
        precision, title, numbers.count(matches), numbers.count(total)
    )
