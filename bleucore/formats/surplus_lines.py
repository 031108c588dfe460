"""Lines of plain texts that are no segments: remarks at the beginning, empty lines between texts and at the end."""

import re
from collections.abc import Sequence
from dataclasses import replace

from bleucore.formats.columns import Column
from bleucore.written_numbers import count_of

_REMARK = re.compile(r"\s{0,9}#{1,3}\s{0,9}[\w -]{1,40}[:=].*")
_MOST_REMARKS = 50


def without_surplus_lines(columns: Sequence[Column]) -> tuple[Column, ...]:
    """The columns; where a text has more lines than another, without the remarks and empty lines that are more.

    A text that has as many lines as another one without them keeps all of its lines.
    """
    lengths = {len(column.segments) for column in columns if _is_plain(column)}
    return tuple(_trimmed(column, lengths) if len(lengths) > 1 and _is_plain(column) else column for column in columns)


def _is_plain(column: Column) -> bool:
    return not column.is_cell and column.keys is None and column.ids is None


def _trimmed(column: Column, lengths: set[int]) -> Column:
    lines = column.segments
    n_remarks = next(
        (place for place, line in enumerate(lines[:_MOST_REMARKS]) if not _REMARK.fullmatch(line or "")), 0
    )
    n_empty = next((place for place, line in enumerate(reversed(lines)) if (line or "").strip()), 0)
    is_fenced = len(lines) - n_empty > 2 and all(  # noqa: PLR2004  # two fences and a text
        (lines[place] or "").strip().startswith("```") for place in (0, len(lines) - n_empty - 1)
    )
    if is_fenced and len(lines) - n_empty - 2 in lengths:
        return _without(column, 1, n_empty + 1)
    spaced, between = lines[: len(lines) - n_empty : 2], lines[1 : len(lines) - n_empty : 2]
    if len(spaced) in lengths and len(spaced) > 1 and not any((line or "").strip() for line in between):
        said = f"{column.file}: the empty line behind each text left out."
        return replace(column, segments=spaced, notices=(*column.notices, said))
    for first in dict.fromkeys((0, n_remarks)):
        for last in range(n_empty + 1):
            n_left = len(lines) - first - last
            if (first or last) and n_left in lengths:
                return _without(column, first, last)
    return column


def _without(column: Column, first: int, last: int) -> Column:
    said = []
    if first:
        said.append(f"{column.file}: {count_of(first, 'line')} before the texts left out, being remarks or marks.")
    if last:
        said.append(f"{column.file}: {count_of(last, 'line')} behind the texts left out, without any text.")
    return replace(
        column,
        segments=column.segments[first : len(column.segments) - last],
        first_line=column.first_line + first,
        notices=(*column.notices, *said),
    )
