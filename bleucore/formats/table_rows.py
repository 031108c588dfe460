"""TSV and CSV -> rows of cells."""

import csv
import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from threading import Lock

from bleucore.errors import InputError
from bleucore.formats import decoding
from bleucore.formats.columns import refuse_excess

_FIELD_LIMIT_LOCK = Lock()
_HEAD, _MOST_LINES, _LEAST_QUOTED = 1 << 16, 100, 3


@dataclass(frozen=True)
class Row:
    """A row of a table: its cells, its line in the file and that of the next row."""

    line: int
    next_line: int
    cells: list[str]


def beginning(text: str) -> list[str]:
    """Whole lines at the beginning of a text that hold something."""
    head = text[:_HEAD]
    lines = (head[: head.rfind("\n") + 1] if len(text) > _HEAD else head).splitlines()
    return [line for line in lines[:_MOST_LINES] if line.strip()]


def is_all_quoted(text: str) -> bool:
    """Whether every cell of the first lines stands in quotes of its own, as of a table that was written so."""
    cells = [cell.strip() for line in beginning(text) for cell in line.split("\t")]
    return len(cells) > 1 and all(len(cell) > 1 and cell[0] == cell[-1] == '"' for cell in cells)


def is_quoted_as_needed(text: str) -> bool:
    """Whether exactly the cells with commas or quotes stand in quotes, as Excel saves text with tabs."""
    n_quoted = 0
    for line in text.splitlines() if '"' in text else ():
        for cell in line.split("\t"):
            is_quoted = len(cell) > 1 and cell[0] == cell[-1] == '"'
            if is_quoted != ("," in cell or '"' in cell) or (is_quoted and '"' in cell[1:-1].replace('""', "")):
                return False
            if is_quoted and "," not in cell and '""' not in cell[1:-1]:
                return False
            n_quoted += is_quoted
    return n_quoted >= _LEAST_QUOTED


def without_quotes(rows: Iterator[Row], lines: list[int]) -> Iterator[Row]:
    """The rows, cells taken out of quotes that can only be those of a table: every quote in them is doubled.

    Excel writes such cells, and so do our own tables; other quotes are ordinary characters.

    Args:
        rows: As they are written.
        lines: Takes the line of each such cell.
    """
    for row in rows:
        if not any(cell.startswith('"') for cell in row.cells):
            yield row
            continue
        cells = [_out_of_quotes(cell) for cell in row.cells]
        lines += [row.line for cell in cells if cell is not None]
        pairs = zip(cells, row.cells, strict=True)
        yield replace(row, cells=[as_written if cell is None else cell for cell, as_written in pairs])


def _out_of_quotes(cell: str) -> str | None:
    """What stands in the quotes of a table; ``None`` where the quotes may be the text's own."""
    inside = cell[1:-1]
    if len(cell) < 2 or cell[0] != '"' or cell[-1] != '"' or '""' not in inside:  # noqa: PLR2004  # both quotes
        return None
    return None if '"' in inside.replace('""', "") else inside.replace('""', '"')


def tsv_rows(file: str, text: str) -> Iterator[Row]:
    """The rows of a TSV text, in which quotes are ordinary characters."""
    refuse_excess(file, text.count("\t"))
    for index, line in enumerate(decoding.lines_of(file, text)):
        refuse_excess(file, 0, line.count("\t") + 1)
        yield Row(index + 1, index + 2, line.split("\t"))


def csv_rows(file: str, text: str, delimiter: str | None = None) -> Iterator[Row]:
    r"""The records of a CSV text; lines end at "\n" alone, so that other breaks stay in their cell."""
    delimiter = delimiter or delimiter_of(text)
    refuse_excess(file, text.count(delimiter) + text.count("\n"))
    records = csv.reader(io.StringIO(text, newline="\n"), delimiter=delimiter, strict=True)
    line = 1
    try:
        for cells in records:
            refuse_excess(file, 0, len(cells))
            yield Row(line, records.line_num + 1, cells or [""])
            line = records.line_num + 1
    except csv.Error as error:
        raise InputError(
            "the table does not follow the rules of CSV",
            where=file,
            line=line,
            found=str(error),
            expected='cells with quotes or line ends inside "...", each quote doubled',
            remedy="Save the table again as CSV, or as TSV, where quotes are ordinary characters.",
        ) from error


@contextmanager
def field_limit(n_characters: int) -> Iterator[None]:
    """Let cells be as long as the text: the csv module has one limit for the whole process."""
    with _FIELD_LIMIT_LOCK:
        usual = csv.field_size_limit()
        csv.field_size_limit(max(usual, n_characters))
        try:
            yield
        finally:
            csv.field_size_limit(usual)


def delimiter_of(text: str) -> str:
    """What the first line has most of outside quotes: commas where none has more."""
    outside_quotes = "".join(text[: text.find("\n") + 1 or None].split('"')[::2])
    return max(",;\t|", key=outside_quotes.count)


def same_width(file: str, rows: Iterator[Row]) -> Iterator[Row]:
    """The rows, each as wide as the first.

    Raises:
        InputError: One is not.
    """
    width = None
    for row in rows:
        width = width or len(row.cells)
        if len(row.cells) != width:
            raise InputError(
                "the row differs in width from the first one",
                where=file,
                line=row.line,
                found=_counted(len(row.cells)),
                expected=_counted(width),
                remedy="Give every row the same number of cells.",
            )
        yield row


def _counted(n_cells: int) -> str:
    return f"{n_cells:,} cell{'s' * (n_cells != 1)}"
