"""Sheets as CSV and TSV: raw values, safe to open in a spreadsheet.

A text cell that a spreadsheet could take for a formula gets an apostrophe in front (OWASP, "CSV Injection"): one that
begins with ``=``, ``+``, ``-`` or ``@``, in any width and behind whatever blanks and quotes, or with a tab or a line
end. Numbers stay numbers. A sign stands for every control character, which a terminal would obey. Only JSON and Parquet
hold every text as it is.
"""

import re

from bleucore.formats.formula_cells import harmless
from bleuscope.content.sheets.sheet import Sheet
from bleuscope.content.sheets.values import Raw, RawColumn, raw_columns
from bleuscope.content.style.invisible import without_controls

NEEDS_QUOTES = re.compile('[,"\n\r]')
LINE_OR_TAB = re.compile("[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]")


def csv_text(sheet: Sheet) -> str:
    """Comma-separated, quoted where a cell needs it, lines end with a line feed."""
    columns = raw_columns(sheet)
    lines = [[_quoted(_text(column.key)) for column in columns]]
    lines += map(list, zip(*([_quoted(_text(value)) for value in column.cells] for column in columns), strict=True))
    return "".join((",".join(line) or '""') + "\n" for line in lines)


def tsv_text(sheet: Sheet) -> str:
    """Parted by tabs, one line a row: a tab or line end within a text becomes a blank.

    A text that begins with a quote is quoted as in CSV, or spreadsheets and pandas would read on to the next quote.
    """
    columns = raw_columns(sheet)
    lines = [[_line(_text(column.key)) for column in columns]]
    lines += map(list, zip(*(_lines(column) for column in columns), strict=True))
    return "".join("\t".join(line) + "\n" for line in lines)


def quoted_tsv_text(sheet: Sheet) -> str:
    """Parted by tabs, and what people wrote stays as it is: a text with a tab or a line end stands in quotes.

    So spreadsheets, pandas and Python's ``csv`` read it.
    """
    columns = raw_columns(sheet)
    lines = [[_kept(_text(column.key)) for column in columns]]
    lines += map(list, zip(*([_kept(_text(value)) for value in column.cells] for column in columns), strict=True))
    return "".join("\t".join(line) + "\n" for line in lines)


def _text(value: Raw) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return without_controls(harmless(value)) if isinstance(value, str) else repr(value)


def _lines(column: RawColumn) -> list[str]:
    written = [_text(value) for value in column.cells]
    return [_line(cell) for cell in written] if column.kind == "text" else written


def _quoted(text: str) -> str:
    """A cell of CSV. Python's own writer leaves a lone carriage return bare, which ends the row for spreadsheets."""
    return '"' + text.replace('"', '""') + '"' if NEEDS_QUOTES.search(text) else text


def _kept(cell: str) -> str:
    is_quoted = cell.startswith('"') or LINE_OR_TAB.search(cell) is not None
    return '"' + cell.replace('"', '""') + '"' if is_quoted else cell


def _line(cell: str) -> str:
    text = LINE_OR_TAB.sub(" ", cell)
    return '"' + text.replace('"', '""') + '"' if text.startswith('"') else text
