"""Columns of several files that name their segments, brought into one order."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from bleucore.errors import InputError
from bleucore.formats.columns import Column, Role
from bleucore.formats.names import stem
from bleucore.formats.usual_names import role_of
from bleucore.values import shown

_NUMBERED = re.compile(r"(\D*)(\d+)(\D*)")
_MOST_DIGITS, _LEAST_BETWEEN_CUES = 15, 200
"""Of an id that counts; milliseconds between the beginnings of cues, on average."""


def joined_by_ids(columns: Sequence[Column], *, is_strict: bool = True) -> tuple[Column, ...]:
    """The columns with the segments of all files in the order of the first file that names them.

    Files whose names of segments have nothing in common are taken line by line, as files without names are.

    Args:
        columns: Of all files.
        is_strict: Whether files that do not belong together are refused; else they stay as they are.

    Raises:
        InputError: A file lacks a segment that another one has, or nothing tells the order of one.
    """
    columns = joined_by_texts(_counted_beside_plain(columns))
    known = [column for column in columns if column.ids is not None and column.role != "ignore"]
    base = next((column for column in known if not column.is_unordered), known[0] if known else None)
    if base is None or base.ids is None:
        return tuple(columns)
    places = {name: place for place, name in enumerate(base.ids)}
    if is_strict:
        _refuse_unknown_order(columns, base)
    return tuple(
        _in_order(column, base, places)
        if is_strict or (column.ids is not None and places.keys() == set(column.ids))
        else column
        for column in columns
    )


def joined_by_texts(columns: Sequence[Column]) -> tuple[Column, ...]:
    """The columns; files without common ids that hold the same texts in another order, in that of the first.

    References tell the order, and sources where a file has no reference. A plain text that is called the source gives
    the order to tables with the same sources.
    """
    by_file: dict[str, list[Column]] = {}
    for column in columns:
        by_file.setdefault(column.file, []).append(column)
    if len(by_file) == 1 or any(column.ids is not None or column.keys is not None for column in columns):
        return tuple(columns)
    orders: dict[str, tuple[list[int], str, str]] = {}
    roles: tuple[tuple[Role, str], ...] = (("reference", "by their references"), ("source", "by their sources"))
    for role, by in roles:
        held = {
            file: next((one for one in found if _is_of(one, role)), None)
            for file, found in by_file.items()
            if file not in orders
        }
        known = [one for one in held.values() if one is not None and len(set(one.segments)) == len(one.segments)]
        known.sort(key=lambda one: one.is_cell)
        if len(known) < 2:  # noqa: PLR2004  # two files with such texts
            continue
        base = known[0]
        places = {text: place for place, text in enumerate(base.segments)}
        for one in known[1:]:
            if one.is_cell and one.segments != base.segments and places.keys() == set(one.segments):
                orders[one.file] = ([places[text] for text in one.segments], base.file, by)
    return tuple(
        column if column.file not in orders else _reordered(column, *orders[column.file]) for column in columns
    )


def _is_of(column: Column, role: Role) -> bool:
    """Whether a column of a table has a role by its name, or a text of its own is called so."""
    if column.is_cell:
        return (column.role or role_of(column.title or column.name)) == role
    return role == "source" and (column.role or role_of(stem(column.file))) == role


def _reordered(column: Column, places: Sequence[int], base: str, by: str) -> Column:
    """The column with each segment at its place."""
    order = [0] * len(places)
    for row, place in enumerate(places):
        order[place] = row
    said = f"{column.file}: its segments were put into the order of {base} {by}."
    return replace(
        column,
        segments=tuple(column.segments[row] for row in order),
        keys=None if column.keys is None else tuple(column.keys[row] for row in order),
        ids=None if column.ids is None else tuple(column.ids[row] for row in order),
        is_unordered=False,
        notices=(*column.notices, said),
    )


def _counted_beside_plain(columns: Sequence[Column]) -> tuple[Column, ...]:
    """The columns; next to texts without ids, those whose ids count from 0 or 1 in the order of these."""
    plain = {len(column.segments) for column in columns if column.ids is None and not column.is_cell}
    orders: dict[tuple[str, ...], list[int] | None] = {}
    found: list[Column] = []
    for column in columns:
        ids = column.ids
        if ids is not None and len(ids) in plain and ids not in orders:
            orders[ids] = _places_of_counted(ids)
        places = None if ids is None else orders.get(ids)
        found.append(column if places is None else _reordered(column, places, "the plain texts", "by their ids"))
    return tuple(found)


def _places_of_counted(ids: Sequence[str]) -> list[int] | None:
    """The place of each id among ids that count without a gap; ``None`` where they do not, or are in order."""
    order = counted_order(ids)
    if order is None or order == list(range(len(ids))):
        return None
    numbers = [int(match[2]) for one in ids if (match := _NUMBERED.fullmatch(one)) is not None]
    first = min(numbers)
    if first > 1 or max(numbers) - first + 1 != len(ids):
        return None
    return [number - first for number in numbers]


def _in_order(column: Column, base: Column, places: dict[str, int]) -> Column:
    ids = column.ids
    if ids is None or ids == base.ids or base.ids is None or _are_both_counted(ids, base.ids):
        return column
    common = sum(name in places for name in ids)
    if not common:
        return column
    if len(ids) != len(places) and are_times(column) and are_times(base):
        return column  # subtitles that are cut otherwise differ in length, which is said where lengths are checked
    if common < len(ids) or len(ids) < len(places):
        _refuse_other_segments(column, base, places)
    order = [0] * len(ids)
    for place, name in enumerate(ids):
        order[places[name]] = place
    said = f"{column.file}: its segments were put into the order of {base.file} by their ids."
    return replace(
        column,
        segments=tuple(column.segments[place] for place in order),
        keys=None if column.keys is None else tuple(column.keys[place] for place in order),
        ids=base.ids,
        is_unordered=False,
        notices=(*column.notices, said),
    )


def are_times(column: Column) -> bool:
    """Whether ids are the milliseconds at which cues begin."""
    ids = column.ids or ()
    if column.is_cell or len(ids) < 2 or not all(one.isdecimal() and len(one) <= _MOST_DIGITS for one in ids):  # noqa: PLR2004
        return False
    times = [int(one) for one in ids]
    is_rising = all(before < after for before, after in pairwise(times))
    return is_rising and times[-1] - times[0] >= _LEAST_BETWEEN_CUES * (len(times) - 1)


def _are_both_counted(ids: Sequence[str], others: Sequence[str]) -> bool:
    """Whether both only count their rows, one from 0 and one from 1."""
    starts = [one[0] for one in (ids, others) if one and one[0].isdecimal() and len(one[0]) <= _MOST_DIGITS]
    counted = [[str(int(start) + row) for row in range(len(ids))] for start in starts]
    return len(ids) == len(others) and counted == [list(ids), list(others)]


def _refuse_other_segments(column: Column, base: Column, places: dict[str, int]) -> None:
    own = set(column.ids or ())
    missing = [name for name in base.ids or () if name not in own]
    further = [name for name in column.ids or () if name not in places]
    odd = missing or further
    more = f" and {len(odd) - 1:,} more" if len(odd) > 1 else ""
    raise InputError(
        "the segments are not those of the other file",
        where=column.file,
        found=f"{'no' if missing else 'a'} segment {shown(odd[0])}{more}",
        expected=f"the {len(places):,} segments of {base.file}",
        remedy="Load files of the same test set, or take the segments that one of them lacks out of all.",
    )


def _refuse_unknown_order(columns: Sequence[Column], base: Column) -> None:
    """Refuse results of a batch whose order nothing tells, beside texts without ids."""
    others = [column for column in columns if column.ids is None and column.role not in ("ignore", "label")]
    if base.is_unordered and others and base.ids is not None:
        raise InputError(
            "the results of a batch are in no order",
            where=base.file,
            found=f"ids like {shown(base.ids[0])}",
            expected="ids that count, or a file that has the same ids in the order of the segments",
            remedy="Add the file with the requests of the batch, or write the ids into the other files.",
        )


def counted_order(ids: Sequence[str]) -> list[int] | None:
    """The places of ids in the order of their numbers ("r-2" before "r-10"); ``None`` where they do not count."""
    found = [_NUMBERED.fullmatch(name) for name in ids]
    numbers = [int(match[2]) for match in found if match is not None and len(match[2]) <= _MOST_DIGITS]
    around = {(match[1], match[3]) for match in found if match is not None}
    if len(numbers) < len(ids) or len(around) != 1 or len(set(numbers)) < len(numbers):
        return None
    return sorted(range(len(ids)), key=numbers.__getitem__)
