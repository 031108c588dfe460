"""TSV and CSV -> columns."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain, islice
from threading import Lock

from bleucore.errors import InputError
from bleucore.formats import decoding, names, usual_names
from bleucore.formats.columns import Column, refuse_excess
from bleucore.values import shown
from bleucore.written_numbers import count_of

_FIELD_LIMIT_LOCK = Lock()
_MAX_TITLES_SHOWN = 5
_MOST_ABOVE = 10
_TOTALS = frozenset({"total", "totals", "mean", "average", "avg", "sum", "overall"})
_FEW_WORDS, _LONGEST_NAME = 2, 30
_VERDICT = re.compile(r"\[(?:PASS|FAIL|ERROR)\] ?")
_HEAD, _MOST_LINES, _LEAST_ROWS = 1 << 16, 100, 3
_LONGEST_TITLE, _TIMES_LONGER, _LOOKED_AT = 40, 2.0, 20
_KINDS = frozenset({"text", "string", "str", "object", "varchar", "int", "integer", "float", "number", "bool", ""})
"""What a row beneath the titles calls what the columns hold."""


@dataclass(frozen=True)
class Row:
    """A row of a table: its cells, its line in the file and that of the next row."""

    line: int
    next_line: int
    cells: list[str]


def table_columns(file: str, text: str, *, header: bool | None) -> tuple[Column, ...]:
    """One column per column of the table.

    Raises:
        InputError: Rows differ in width, quotes are broken, or the header does not name every column.
    """
    decoding.refuse_mac_line_ends(file, text)
    with _field_limit(len(text)):
        if names.is_csv(file):
            return columns_of_rows(file, _csv_rows(file, text), header=header)
        lines: list[int] = []
        if names.is_tsv(file) or not is_csv_text(text):
            is_quoted = _is_all_quoted(text)
            rows = _csv_rows(file, text, "\t") if is_quoted else _without_quotes(_tsv_rows(file, text), lines)
        else:
            rows = _csv_rows(file, text)
        columns = columns_of_rows(file, rows, header=header)
    if not lines:
        return columns
    said = f"{file}: the quotes around {count_of(len(lines), 'cell')} were taken off, first in line {lines[0]:,}."
    return tuple(replace(column, notices=(*column.notices, said)) for column in columns)


def is_table(text: str) -> bool:
    """Whether a text without the name of a table is one: lines with equally many tabs, or CSV beneath usual titles."""
    lines = _beginning(text)
    if len(lines) < _LEAST_ROWS:
        return False
    n_tabs = {line.count("\t") for line in lines}
    return (len(n_tabs) == 1 and n_tabs != {0} and _has_sentences(lines)) or is_csv_text(text)


def _has_sentences(lines: list[str]) -> bool:
    """Whether a column holds sentences, by blanks or by length; domains and names of documents are lines of a text."""
    columns = zip(*(line.split("\t") for line in lines), strict=True)
    return any(
        sum(len(cell.split()) > _FEW_WORDS or len(cell) > _LONGEST_NAME for cell in column) * 2 > len(lines)
        for column in columns
    )


def is_csv_text(text: str) -> bool:
    """Whether a text begins as CSV does, beneath titles that are usual for texts."""
    lines = _beginning(text)
    if len(lines) < _LEAST_ROWS or "\t" in lines[0]:
        return False
    try:
        rows = list(csv.reader(lines, delimiter=_delimiter(text), strict=True))
    except csv.Error:
        return False
    widths = {len(row) for row in rows[:-1]}  # the last may go on behind what was looked at
    return len(widths) == 1 and widths != {1} and usual_names.is_header(rows[0])


def _beginning(text: str) -> list[str]:
    """Whole lines at the beginning of a text that hold something."""
    head = text[:_HEAD]
    lines = (head[: head.rfind("\n") + 1] if len(text) > _HEAD else head).splitlines()
    return [line for line in lines[:_MOST_LINES] if line.strip()]


def _is_all_quoted(text: str) -> bool:
    """Whether every cell of the first lines stands in quotes of its own, as of a table that was written so."""
    cells = [cell.strip() for line in _beginning(text) for cell in line.split("\t")]
    return len(cells) > 1 and all(len(cell) > 1 and cell[0] == cell[-1] == '"' for cell in cells)


def _without_quotes(rows: Iterator[Row], lines: list[int]) -> Iterator[Row]:
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


def quoted_rows(file: str, text: str) -> list[Row]:
    """The rows of a table in which a cell of several lines stands in quotes: TSV, or CSV by its name.

    Raises:
        InputError: Rows differ in width, or quotes are broken.
    """
    decoding.refuse_mac_line_ends(file, text)
    with _field_limit(len(text)):
        return list(_same_width(file, _csv_rows(file, text, None if names.is_csv(file) else "\t")))


def columns_of_rows(
    file: str, rows: Iterator[Row], *, header: bool | None, notices: tuple[str, ...] = ()
) -> tuple[Column, ...]:
    """One column per column of these rows, of which there is at least one.

    Raises:
        InputError: Rows differ in width, or the header does not name every column.
    """
    above, rows = _without_rows_above(rows) if header is None else (0, rows)
    rows = _same_width(file, rows)
    first = next(rows)
    following = list(islice(rows, _LOOKED_AT))
    rows = chain(following, rows)
    has_header = _is_header(first, following) if header is None else header
    titles = _titles(first.cells) if has_header else _numbered(len(first.cells))
    body: list[list[str]] = [[] if has_header else [cell] for cell in first.cells]
    second = next(rows, None) if has_header else None
    is_of_kinds = second is not None and _says_kinds(second)
    if above:
        notices = (*notices, f"{file}: {above:,} row{'s' * (above != 1)} above the titles passed over.")
    if second is not None and is_of_kinds:
        kinds = ", ".join(map(shown, dict.fromkeys(second.cells)))
        notices = (*notices, f"{file}: line {second.line:,} says what the columns hold ({kinds}) and was passed over.")
    elif second is not None:
        rows = chain([second], rows)
    finds_out, n_again = header is None and has_header, 0  # what is named a table of scores is read as it stands
    for row in rows:
        if finds_out and row.cells == first.cells:
            n_again += 1
            continue
        for texts, cell in zip(body, row.cells, strict=True):
            texts.append(cell)
    if finds_out and len(body[0]) > _LEAST_ROWS and _is_total([texts[-1] for texts in body]):
        cells = [texts.pop() for texts in body]
        notices = (
            *notices,
            f"{file}: the last row ({', '.join(filter(None, cells))}) sums up the others and was left out.",
        )
    if n_again:
        notices = (*notices, f"{file}: {count_of(n_again, 'row')} with the titles again left out.")
    filled = [place for place, texts in enumerate(body) if titles[place] or any(texts)] or list(range(len(titles)))
    titles = _own_titles(file, [titles[place] for place in filled]) if has_header else titles
    body = [body[place] for place in filled]
    if not body[0]:
        raise _header_only(file, titles)
    first_line = first.next_line if has_header else first.line
    body = [_without_verdicts(title, texts) for title, texts in zip(titles, body, strict=True)]
    return tuple(
        Column(file, title, None, tuple(texts), None, first_line, notices, is_cell=True)
        for title, texts in zip(titles, body, strict=True)
    )


def _without_verdicts(title: str, texts: list[str]) -> list[str]:
    """The texts of a provider of promptfoo without "[PASS]" and the like before each."""
    found = [_VERDICT.match(text) for text in texts] if title.startswith("[") else []
    if not found or None in found:
        return texts
    return [text[match.end() :] for text, match in zip(texts, found, strict=True) if match is not None]


def _is_total(cells: list[str]) -> bool:
    """Whether a row sums up the rows above it: a word for that, and nothing else but numbers."""
    filled = [cell.strip() for cell in cells if cell.strip()]
    words = [cell for cell in filled if not _is_number(cell)]
    return len(words) == 1 and words[0].casefold().rstrip(":.") in _TOTALS and len(cells) > len(words)


def _says_kinds(row: Row) -> bool:
    """Whether a row says no more than what the columns hold."""
    return any(map(str.strip, row.cells)) and all(cell.strip().casefold() in _KINDS for cell in row.cells)


def _without_rows_above(rows: Iterator[Row]) -> tuple[int, Iterator[Row]]:
    """How many rows with little in them stand above the titles of a table, and the rows from these on."""
    first = list(islice(rows, _MOST_ABOVE))
    headers = [place for place, row in enumerate(first) if usual_names.is_header(row.cells)]
    whole = [place for place in headers if all(cell.strip() for cell in first[place].cells)]
    place = next(iter(whole or headers), 0)
    is_empty = all(2 * sum(map(bool, row.cells)) <= max(2, len(row.cells)) for row in first[:place])
    wide = place < len(first) and len(first[place].cells) > 1
    above = place if is_empty and wide else 0
    return above, chain(first[above:], rows)


def _tsv_rows(file: str, text: str) -> Iterator[Row]:
    refuse_excess(file, text.count("\t"))
    for index, line in enumerate(decoding.lines_of(file, text)):
        refuse_excess(file, 0, line.count("\t") + 1)
        yield Row(index + 1, index + 2, line.split("\t"))


def _csv_rows(file: str, text: str, delimiter: str | None = None) -> Iterator[Row]:
    r"""The records of a CSV text; lines end at "\n" alone, so that other breaks stay in their cell."""
    delimiter = delimiter or _delimiter(text)
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
def _field_limit(n_characters: int) -> Iterator[None]:
    """Let cells be as long as the text: the csv module has one limit for the whole process."""
    with _FIELD_LIMIT_LOCK:
        usual = csv.field_size_limit()
        csv.field_size_limit(max(usual, n_characters))
        try:
            yield
        finally:
            csv.field_size_limit(usual)


def _delimiter(text: str) -> str:
    """What the first line has most of outside quotes: commas where none has more."""
    outside_quotes = "".join(text[: text.find("\n") + 1 or None].split('"')[::2])
    return max(",;\t|", key=outside_quotes.count)


def _same_width(file: str, rows: Iterator[Row]) -> Iterator[Row]:
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


def _numbered(n_columns: int) -> list[str]:
    return [f"column {number + 1}" for number in range(n_columns)]


def _header_only(file: str, titles: list[str]) -> InputError:
    return InputError(
        "the table has a header and no rows",
        where=file,
        line=1,
        found=", ".join(map(shown, titles[:_MAX_TITLES_SHOWN])),
        expected="one row per segment under the header",
        remedy="Load the complete table, or say that its first row is no header.",
    )


def _titles(cells: list[str]) -> list[str]:
    titles = [cell.strip() for cell in cells]
    if len(titles) > 1 and not titles[0] and "index" not in titles:
        titles[0] = "index"  # as data frames are written
    return titles


def _own_titles(file: str, titles: list[str]) -> list[str]:
    """The titles, each there once.

    Raises:
        InputError: One is missing or there twice.
    """
    title, times = Counter(titles).most_common(1)[0]
    if "" in titles or times > 1:
        number = titles.index("") + 1 if "" in titles else titles.index(title) + 1
        raise InputError(
            "a column has no title" if "" in titles else "two columns have the same title",
            where=file,
            line=1,
            found=f"an empty cell in column {number:,}" if "" in titles else shown(title),
            expected="a title of its own for each column",
            remedy="Correct the header, or say that the first row is no header.",
        )
    return titles


def _is_header(first: Row, following: list[Row]) -> bool:
    """Whether the first row holds titles: usual ones, one above numbers, or short ones of which one says a role."""
    cells = [cell.strip() for cell in first.cells]
    if usual_names.is_header(cells):
        return True
    is_short = all(cell and len(cell) <= _LONGEST_TITLE for cell in cells) and len(set(cells)) == len(cells)
    if not is_short or len(following) < _LEAST_ROWS or len(cells) < 2:  # noqa: PLR2004  # a text alone has no title
        return False
    columns = list(zip(*(row.cells for row in following if len(row.cells) == len(cells)), strict=True))
    if any(title in column for title, column in zip(cells, columns, strict=False)):
        return False
    for title, column in zip(cells, columns, strict=False):
        if not _is_number(title) and all(map(_is_number, column)):
            return True
    length = sum(len(cell) for column in columns for cell in column) / max(1, len(columns) * len(following))
    is_longer = length > _TIMES_LONGER * sum(map(len, cells)) / len(cells)
    return is_longer and any(map(usual_names.says_role, cells))


def _is_number(cell: str) -> bool:
    return cell.strip().lstrip("-").replace(".", "", 1).isdecimal()
