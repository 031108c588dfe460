"""Tables for consoles: as R writes them, with quotes and a name before each row, and in columns of a fixed width."""

import re
from collections.abc import Sequence

from bleucore.errors import InputError
from bleucore.formats.table_rows import beginning
from bleucore.formats.usual_names import is_header

_TEXT = r'"(?:[^"\\]|\\.)*"'
_CELL = re.compile(rf"{_TEXT}|[^\s\"]+")
_ROW = re.compile(rf"(?:{_TEXT}|[^\s\"]+)(?: (?:{_TEXT}|[^\s\"]+))+")
_LEAST_ROWS, _LEAST_CELLS = 3, 2
_CUT = "..."


def is_r_table(text: str) -> bool:
    """Whether the titles are texts in quotes, and the rows have as many cells or a name more, a text among them."""
    lines = beginning(text)
    if len(lines) < _LEAST_ROWS or not lines[0].startswith('"') or not all(map(_ROW.fullmatch, lines)):
        return False
    titles, *rows = ([cell[:1] == '"' for cell in _CELL.findall(line)] for line in lines)
    widths = {len(row) for row in rows[:-1]}  # the last may go on behind what was looked at
    return len(titles) >= _LEAST_CELLS and all(titles) and len(widths) == 1 and widths <= {len(titles), len(titles) + 1}


def with_tabs(text: str) -> str:
    """The same with a tab between two cells, and a title for the names of rows."""
    rows = [[_plain(cell) for cell in _CELL.findall(line)] for line in text.removesuffix("\n").split("\n")]
    if len(rows[0]) < len(rows[1]):
        rows[0].insert(0, "row")
    return "\n".join("\t".join(row) for row in rows) + "\n"


def _plain(cell: str) -> str:
    """What a cell says: R writes a backslash before quotation marks only, and NA without any for what is missing."""
    text = cell[1:-1].replace('\\"', '"') if cell.startswith('"') else "" if cell == "NA" else cell
    return text.replace("\t", " ")


def is_of_fixed_width(text: str) -> bool:
    """Whether blanks part the titles and all rows at the same places, as pandas prints a table."""
    lines = beginning(text)
    if len(lines) <= _LEAST_ROWS or "\t" in text[: len(lines[0])] or "  " not in lines[0].strip():
        return False
    titles = [lines[0][one].strip() for one in _places(lines)]
    return len(titles) >= _LEAST_CELLS and all(titles[1:]) and is_header([one for one in titles if one])


def _places(lines: Sequence[str]) -> list[slice]:
    """Where the columns are: behind two blanks in all lines, or behind one that a title ends before."""
    width = max(map(len, lines))
    is_blank = [True, True, *(all(line[place : place + 1] in ("", " ") for line in lines) for place in range(width))]
    parted = [
        place
        for place in range(width)
        if is_blank[place + 1]
        and not is_blank[place + 2]
        and (is_blank[place] or lines[0][place - 2 : place - 1].strip())
    ]
    return [slice(start, end) for start, end in zip(parted, [*parted[1:], None], strict=True)]


def fixed_width_with_tabs(file: str, text: str) -> str:
    """The same with a tab between two cells.

    Raises:
        InputError: Its texts were cut to fit onto a screen.
    """
    lines = [line for line in text.split("\n") if line.strip()]
    rows = [[line[one].strip().replace("\t", " ") for one in _places(lines)] for line in lines]
    for title, *cells in zip(*rows, strict=True):
        cut = [cell for cell in cells if cell.endswith(_CUT)]
        if 2 * len(cut) > len(cells) and len(set(map(len, cut))) == 1:
            raise InputError(
                "the texts of a printed table are cut off",
                where=file,
                found=f"{len(cut):,} of {len(cells):,} texts of {title} end with {_CUT}",
                expected="whole texts",
                remedy="Save the table as CSV with the program that printed it, as with to_csv.",
            )
    rows[0][0] = rows[0][0] or "row"
    return "\n".join("\t".join(row) for row in rows) + "\n"
