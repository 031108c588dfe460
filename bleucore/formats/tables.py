"""TSV and CSV -> columns."""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice

from bleucore.errors import InputError
from bleucore.formats import decoding, names, usual_names
from bleucore.formats.columns import Column
from bleucore.formats.object_cells import texts_of_objects
from bleucore.formats.rating_tables import refuse_ratings_alone
from bleucore.formats.table_rows import (
    Row,
    beginning,
    csv_rows,
    delimiter_of,
    field_limit,
    is_all_quoted,
    is_quoted_as_needed,
    same_width,
    tsv_rows,
    without_quotes,
)
from bleucore.formats.table_titles import (
    is_header,
    joined_titles,
    own_titles,
    says_kinds,
    titles_in,
    without_rows_above,
)
from bleucore.formats.table_totals import n_totals
from bleucore.formats.turned_tables import turned_round
from bleucore.values import shown
from bleucore.written_numbers import count_of

_MAX_TITLES_SHOWN, _LEAST_ROWS, _LOOKED_AT = 5, 3, 20
_FEW_WORDS, _LONGEST_NAME = 2, 30
_EMPTY_A_FILLED = 2
"""Rows with texts for each empty one, down from which empty rows part the others."""


def table_columns(file: str, text: str, *, header: bool | None) -> tuple[Column, ...]:
    """One column per column of the table.

    Raises:
        InputError: Rows differ in width, quotes are broken, or the header does not name every column.
    """
    decoding.refuse_mac_line_ends(file, text)
    with field_limit(len(text)):
        if names.is_csv(file):
            return columns_of_rows(file, csv_rows(file, text), header=header)
        lines: list[int] = []
        if names.is_tsv(file) or not is_csv_text(text):
            is_quoted = is_all_quoted(text) or is_quoted_as_needed(text)
            rows = csv_rows(file, text, "\t") if is_quoted else without_quotes(tsv_rows(file, text), lines)
        else:
            rows = csv_rows(file, text)
        columns = columns_of_rows(file, rows, header=header)
    if not lines:
        return columns
    said = f"{file}: the quotes around {count_of(len(lines), 'cell')} were taken off, first in line {lines[0]:,}."
    return tuple(replace(column, notices=(*column.notices, said)) for column in columns)


def is_table(text: str) -> bool:
    """Whether a text without the name of a table is one: lines with equally many tabs, or CSV beneath usual titles."""
    lines = beginning(text)
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
    lines = beginning(text)
    if len(lines) < _LEAST_ROWS or "\t" in lines[0]:
        return False
    try:
        rows = list(csv.reader(lines, delimiter=delimiter_of(text), strict=True))
    except csv.Error:
        return False
    widths = {len(row) for row in rows[:-1]}  # the last may go on behind what was looked at
    return len(widths) == 1 and widths != {1} and usual_names.is_header(rows[0])


def quoted_rows(file: str, text: str) -> list[Row]:
    """The rows of a table in which a cell of several lines stands in quotes: TSV, or CSV by its name.

    Raises:
        InputError: Rows differ in width, or quotes are broken.
    """
    decoding.refuse_mac_line_ends(file, text)
    with field_limit(len(text)):
        return list(same_width(file, csv_rows(file, text, None if names.is_csv(file) else "\t")))


def columns_of_rows(
    file: str, rows: Iterator[Row], *, header: bool | None, notices: tuple[str, ...] = ()
) -> tuple[Column, ...]:
    """One column per column of these rows, of which there is at least one.

    Raises:
        InputError: Rows differ in width, or the header does not name every column.
    """
    said = [*notices]
    if header is None:
        rows, is_turned = turned_round(file, rows)
        said += [f"{file}: its systems stand in rows and its segments in columns."] if is_turned else []
    above, rows = without_rows_above(rows) if header is None else ([], rows)
    rows = same_width(file, rows)
    first = next(rows)
    following = list(islice(rows, _LOOKED_AT))
    if header is None:
        refuse_ratings_alone(file, [row.cells for row in (first, *following)])
    has_header = is_header(first, following) if header is None else header
    if above:
        said.append(f"{file}: {len(above):,} row{'s' * (len(above) != 1)} above the titles passed over.")
    titles = titles_in(first.cells) if has_header else _numbered(len(first.cells))
    if header is None and has_header and (joined := joined_titles(above, first, following)) is not None:
        titles, n_taken = joined
        del following[:n_taken]
        said.append(f"{file}: each title is put together from two rows.")
    elif has_header and following and says_kinds(following[0], following[1:]):
        kinds = ", ".join(map(shown, dict.fromkeys(following[0].cells)))
        line = following.pop(0).line
        said.append(f"{file}: line {line:,} says what the columns hold ({kinds}) and was passed over.")
    finds_out = header is None and has_header  # what is named a table of scores is read as it stands
    body: list[list[str]] = [[] if has_header else [cell] for cell in first.cells]
    said += _fill(file, body, chain(following, rows), first if finds_out else None)
    filled = [place for place, texts in enumerate(body) if titles[place] or any(texts)] or list(range(len(titles)))
    titles = own_titles(file, [titles[place] for place in filled]) if has_header else titles
    body = [body[place] for place in filled]
    if not body[0]:
        raise _header_only(file, titles)
    if finds_out:
        of_objects = {
            place: texts for place, cells in enumerate(body) if (texts := texts_of_objects(cells)) is not None
        }
        body = [of_objects.get(place, texts) for place, texts in enumerate(body)]
        names = ", ".join(shown(titles[place]) for place in of_objects)
        said += [f"{file}: each cell of {names} holds one text, which is read."] if of_objects else []
    first_line = first.next_line if has_header else first.line
    return tuple(
        Column(file, title, None, tuple(texts), None, first_line, tuple(said), is_cell=True)
        for title, texts in zip(titles, body, strict=True)
    )


def _fill(file: str, body: list[list[str]], rows: Iterator[Row], titles: Row | None) -> list[str]:
    """Put the cells of the rows into their columns, and say which rows were left out.

    Args:
        file: Its name.
        body: The texts of each column, which take up further ones.
        rows: Those beneath the titles.
        titles: The row of titles where rows like it, and sums, are left out; ``None`` where all rows are read.
    """
    said: list[str] = []
    n_again = 0
    empty: list[int] = []
    for row in rows:
        if titles is not None and row.cells == titles.cells:
            n_again += 1
            continue
        if titles is not None and len(row.cells) > 1 and not any(map(str.strip, row.cells)):
            empty.append(len(body[0]))
        for texts, cell in zip(body, row.cells, strict=True):
            texts.append(cell)
    n_dropped, first = _without_empty_rows(body, empty)
    said += _without_notes(file, body, first)
    number = n_totals(body) if titles is not None else 0
    if number:
        cells = [text for texts in body for text in texts[-number:] if text.strip()]
        rows_said = "the last row" if number == 1 else f"the last {number:,} rows"
        verb = "sums" if number == 1 else "sum"
        said.append(
            f"{file}: {rows_said} ({', '.join(cells[:_MAX_TITLES_SHOWN])}) {verb} up the others and was left out."
        )
        for texts in body:
            del texts[-number:]
    said += _said_of_empty_rows(file, body, n_dropped) if empty else []
    if n_again:
        said.append(f"{file}: {count_of(n_again, 'row')} with the titles again left out.")
    return said


def _said_of_empty_rows(file: str, body: Sequence[list[str]], n_dropped: int) -> list[str]:
    """Take out the empty rows that are now the last, and say how many were taken out and how many stay."""
    while body[0] and not any(texts[-1].strip() for texts in body):
        n_dropped += 1
        for texts in body:
            texts.pop()
    n_kept = sum(not any(map(str.strip, cells)) for cells in zip(*body, strict=True))
    said = [f"{file}: {count_of(n_dropped, 'row')} without any text left out."] if n_dropped else []
    kept = "an empty segment" if n_kept == 1 else "empty segments"
    return [*said, f"{file}: {count_of(n_kept, 'row')} without any text kept as {kept}."] if n_kept else said


def _without_empty_rows(body: Sequence[list[str]], empty: Sequence[int]) -> tuple[int, int]:
    """Take out the empty rows above and beneath all others, and those between where they part the others.

    A few empty rows between others stay, so that row and line agree with those of other files.

    Args:
        body: The texts of each column.
        empty: The rows that are empty, rising.

    Returns:
        How many rows were taken out, and the first row beneath the last empty one; 0 without any.
    """
    n_rows, left_out = len(body[0]), {*empty}
    start = next((row for row in range(n_rows) if row not in left_out), n_rows)
    end = next((row + 1 for row in range(n_rows - 1, start - 1, -1) if row not in left_out), start)
    inside = [row for row in empty if start <= row < end]
    if _EMPTY_A_FILLED * len(inside) < n_rows - len(empty):
        left_out -= {*inside}
    first = inside[-1] + 1 if inside else 0
    for texts in body if left_out else ():
        texts[:] = [cell for row, cell in enumerate(texts) if row not in left_out]
    return len(left_out), first - sum(row < first for row in left_out) if first else 0


def _without_notes(file: str, body: Sequence[list[str]], first: int) -> list[str]:
    """Take out the rows beneath the last empty one that are notes: each has one cell, and the table more columns.

    Args:
        file: Its name.
        body: The texts of each column.
        first: The first row beneath the last empty one; 0 without any.

    Returns:
        What is to be said of it.
    """
    rows = range(first, len(body[0])) if first > 1 and len(body) > 2 else range(0)  # noqa: PLR2004
    filled = [sum(bool(texts[row].strip()) for texts in body) for row in rows]
    if not filled or max(filled) > 1:
        return []
    note = next(texts[first] for texts in body if texts[first].strip())
    for texts in body:
        del texts[first:]
    return [f"{file}: {count_of(len(rows), 'row')} of notes beneath the table left out: {shown(note)}."]


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
