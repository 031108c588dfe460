"""Tables as R writes them: cells in quotes with a blank between them, rows with a name that no title stands for."""

import re

from bleucore.formats.table_rows import beginning

_TEXT = r'"(?:[^"\\]|\\.)*"'
_CELL = re.compile(rf"{_TEXT}|[^\s\"]+")
_ROW = re.compile(rf"(?:{_TEXT}|[^\s\"]+)(?: (?:{_TEXT}|[^\s\"]+))+")
_LEAST_ROWS, _LEAST_CELLS = 3, 2


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
