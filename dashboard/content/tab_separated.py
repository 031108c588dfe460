"""Tables to save as text: one row after the other, columns parted by tabs, safe to open in a spreadsheet.

What people wrote is kept as it is: a text with a tab or a line end stands in quotes, as spreadsheets, pandas and
Python's ``csv`` read it. A text that could run as a formula gets an apostrophe in front, by the rule of all exports.
"""

from collections.abc import Iterable, Sequence

from dashboard.content.sheets.delimited import LINE_OR_TAB, harmless


def tab_separated(heading: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table as text."""
    return "".join("\t".join(map(_cell, row)) + "\n" for row in (heading, *rows))


def _cell(value: object) -> str:
    """A number as it is, a text that no spreadsheet runs or takes for several cells."""
    if isinstance(value, int | float):
        return str(value)
    text = harmless(str(value))
    is_quoted = text.startswith('"') or LINE_OR_TAB.search(text) is not None
    return '"' + text.replace('"', '""') + '"' if is_quoted else text
