"""Sheets as plain text for a terminal: aligned, and nothing in it that a terminal would obey."""

import re
from collections.abc import Sequence

from bleuscope.content.sheets.sheet import Field, Sheet
from bleuscope.content.sheets.values import STAR, Cell, is_text, legend, read_columns, read_fields
from bleuscope.content.style.invisible import in_one_line
from bleuscope.content.style.widths import first_columns, n_columns

GAP = "  "
CAPTION_WIDTH = 100
MAX_WIDTH = 160
LONG = 40
INDENT = "    "
MAX_COLUMNS = 60
"""Longer texts go on in the next line."""
RULE = "─"
PIECES = re.compile(r" *[^ ]+ *")
"""Words, which only blanks part: a narrow blank groups the digits of a number, which stays whole."""
WORDS_OR_PARTS = re.compile(rf"[^ ]{{1,{CAPTION_WIDTH}}}(?![^ ]) *|[^ |]+\|? *|[ |]+")
"""Words; of one that is wider than a line, such as a signature, the parts that end with |."""
NO_ROWS = "(none)"


def table_text(sheet: Sheet) -> str:
    """The table with its caption beneath; where it would be too wide, long texts stand beneath their rows."""
    fields, columns = read_fields(sheet), read_columns(sheet)
    beneath = _beneath(fields, columns)
    aligned = [
        _in_line([[in_one_line(one.heading)], *map(_lines, cells)], to_the_left=is_text(one))
        for place, (one, cells) in enumerate(zip(fields, columns, strict=True))
        if place not in beneath
    ]
    heading, *rows = ([GAP.join(line) for line in _beside(cells)] for cells in zip(*aligned, strict=True))
    rows = rows or [[NO_ROWS]]
    rule = RULE * max(n_columns(line) for row in (heading, *rows) for line in row)
    long = [(in_one_line(fields[place].heading), columns[place]) for place in beneath]
    rows = [[*lines, *_texts_beneath(long, row), *([""] if long else [])] for row, lines in enumerate(rows)]
    caption = broken(in_one_line(sheet.caption + legend(sheet, is_bold=False)), CAPTION_WIDTH, WORDS_OR_PARTS)
    lines = [*heading, rule, *(line for row in rows for line in row), *([] if long else [""]), *caption]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def broken(text: str, most: int, pieces: re.Pattern[str] = PIECES) -> list[str]:
    """The lines of a text, each of up to ``most`` columns, broken between pieces (words) where there are any.

    Args:
        text: The text, without line ends.
        most: Columns.
        pieces: What a line is put together from.
    """
    if n_columns(text) <= most:
        return [text]
    lines, line = [], ""
    for piece in pieces.findall(text):
        if line and n_columns(line + piece.rstrip()) > most:
            lines.append(line.rstrip())
            line = ""
        line += piece
        while n_columns(line.rstrip()) > most:
            kept = first_columns(line, most)
            lines.append(kept)
            line = line[len(kept) :]
    return [*lines, line.rstrip()]


def _beneath(fields: Sequence[Field], columns: Sequence[Sequence[Cell]]) -> list[int]:
    """Which fields stand beneath their rows: none, or the long texts of a table that is too wide."""
    widths = [
        max(n_columns(in_one_line(text)) for text in (one.heading, *(cell.text for cell in cells)))
        for one, cells in zip(fields, columns, strict=True)
    ]
    if sum(min(width, MAX_COLUMNS) + len(GAP) for width in widths) <= MAX_WIDTH:
        return []
    long = [place for place, one in enumerate(fields) if is_text(one) and widths[place] > LONG]
    return long if len(long) < len(fields) else long[1:]


def _texts_beneath(long: Sequence[tuple[str, Sequence[Cell]]], row: int) -> list[str]:
    """The long texts of a row, each behind its heading."""
    indent = max((n_columns(heading) for heading, _ in long), default=0)
    lines = []
    for heading, cells in long:
        first, *others = _lines(cells[row], CAPTION_WIDTH - indent)
        lines.append(f"{INDENT}{_padded(heading, indent, to_the_left=True)}{GAP}{first}")
        lines += [f"{INDENT}{' ' * indent}{GAP}{line}" for line in others]
    return lines


def _lines(cell: Cell, most: int = MAX_COLUMNS) -> list[str]:
    """The text of a cell in lines."""
    return broken(in_one_line(cell.text) + (STAR if cell.is_marked else ""), most)


def _in_line(cells: Sequence[Sequence[str]], *, to_the_left: bool) -> list[tuple[list[str], int]]:
    """The cells of a column, each line as wide as the widest, with that width; a star stands behind the numbers."""
    has_marks = any(line.endswith(STAR) for cell in cells[1:] for line in cell) and not to_the_left
    if has_marks:
        cells = [[line if line.endswith(STAR) else f"{line} " for line in cell] for cell in cells]
    width = max(n_columns(line) for cell in cells for line in cell)
    return [([_padded(line, width, to_the_left=to_the_left) for line in cell], width) for cell in cells]


def _beside(cells: Sequence[tuple[Sequence[str], int]]) -> list[tuple[str, ...]]:
    """The lines of a row: short cells are filled up with blanks."""
    height = max(len(lines) for lines, _ in cells)
    filled = [[*lines, *(" " * width for _ in range(height - len(lines)))] for lines, width in cells]
    return list(zip(*filled, strict=True))


def _padded(text: str, width: int, *, to_the_left: bool) -> str:
    blanks = " " * (width - n_columns(text))
    return text + blanks if to_the_left else blanks + text
