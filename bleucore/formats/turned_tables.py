"""Tables whose systems stand in rows and whose segments stand in columns -> tables as they are usual."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice

from bleucore.formats.columns import refuse_excess
from bleucore.formats.table_rows import Row
from bleucore.formats.usual_names import role_of

_MOST_SYSTEMS, _LEAST_SYSTEMS, _LEAST_SEGMENTS = 200, 2, 3
_LONGEST_NAME, _TIMES_LONGER = 40, 2.0
_COUNTED = re.compile(r"([^\d]{0,20}?)(\d{1,9})")


def turned_round(file: str, rows: Iterator[Row]) -> tuple[Iterator[Row], bool]:
    """The rows of a table, turned round where its systems stand in rows, and whether they do.

    They do where the first cells of rows are short names of which one says a reference, and the titles count segments,
    or say no role while other cells are long.

    Raises:
        InputError: The table holds too much.
    """
    first = list(islice(rows, _MOST_SYSTEMS + 1))
    cells = [row.cells for row in first]
    while len(cells) > 1 and sum(map(bool, cells[0])) <= 1 < len(cells[0]):
        cells = cells[1:]  # the title of the whole table
    if len(first) > _MOST_SYSTEMS or not _is_turned([[cell.strip() for cell in row] for row in cells]):
        return chain(first, rows), False
    refuse_excess(file, len(cells) * len(cells[0]))
    has_titles = _counts(cells[0][1:])
    head = ["segment_id", *(row[0].strip() for row in cells[1:])] if has_titles else [row[0].strip() for row in cells]
    segments = [[row[place] for row in cells] for place in range(1, len(cells[0]))]
    return (Row(1, 2, one) for one in [head, *segments]), True


def _is_turned(cells: Sequence[Sequence[str]]) -> bool:
    width = len(cells[0]) if cells else 0
    if width <= _LEAST_SEGMENTS or any(len(row) != width for row in cells):
        return False
    has_titles = _counts(cells[0][1:])
    body = cells[1:] if has_titles else cells
    names = [row[0] for row in body]
    if len(names) < _LEAST_SYSTEMS or len(set(names)) < len(names):
        return False
    if not all(name and len(name) <= _LONGEST_NAME for name in names):
        return False
    roles = {role_of(name) for name in names}
    if "reference" not in roles or (not has_titles and any(map(role_of, cells[0][1:]))):
        return False
    texts = [cell for row in body for cell in row[1:]]
    mean = sum(map(len, texts)) / len(texts)
    return mean > _TIMES_LONGER * sum(map(len, names)) / len(names)


def _counts(cells: Sequence[str]) -> bool:
    """Whether titles count from 0 or 1 on, with the same word before each number."""
    found = [_COUNTED.fullmatch(cell.strip()) for cell in cells]
    if None in found:
        return False
    numbers = [int(match[2]) for match in found if match is not None]
    words = {match[1] for match in found if match is not None}
    return len(words) == 1 and numbers[0] in (0, 1) and numbers == [*range(numbers[0], numbers[0] + len(numbers))]
