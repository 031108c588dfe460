"""Tables to save as text: one line a row, columns parted by tabs, safe to open in a spreadsheet."""

from collections.abc import Iterable, Sequence

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet may take for the beginning of a formula."""


def tab_separated(heading: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table as text. White space of any kind within a cell becomes a blank, so that rows and columns stay apart."""
    return "".join("\t".join(map(_cell, row)) + "\n" for row in (heading, *rows))


def _cell(value: object) -> str:
    """A text that a spreadsheet could run gets an apostrophe in front; numbers stay numbers."""
    if isinstance(value, int | float):
        return str(value)
    text = str(value)
    line = " ".join(text.split())
    return f"'{line}" if text.startswith(FORMULA_STARTS) or line.startswith(FORMULA_STARTS) else line
