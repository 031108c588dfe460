"""Tables cut into several files, as data sets are published: "test-00000-of-00002.parquet" and so on."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from bleucore.errors import InputError
from bleucore.formats.columns import Column
from bleucore.formats.item_ids import counted_order
from bleucore.formats.names import stem
from bleucore.formats.text_pieces import is_named_piece, name_of_whole

_NUMBER = re.compile(r"\d+")
_SHARD = re.compile(r"(.*?)[-_.](\d{1,6})[-_]of[-_](\d{1,6})(?=\.|$)(.*)", re.DOTALL)


def is_shard(file: str) -> bool:
    """Whether the name of a file says that it is a part of a table."""
    return _SHARD.fullmatch(file) is not None


def joined_shards(columns: Sequence[Column]) -> tuple[Column, ...]:
    """The columns; those of files that are parts of one table are put together in the order of their numbers.

    Raises:
        InputError: A part is missing, or has other columns.
    """
    columns = _joined_by_ids(columns)
    parts: dict[tuple[str, str, str], dict[int, list[Column]]] = {}
    for column in columns:
        match = _SHARD.fullmatch(column.file)
        if match is not None:
            parts.setdefault((match[1], match[3], match[4]), {}).setdefault(int(match[2]), []).append(column)
    whole = {key: found for key, found in parts.items() if len(found) > 1}
    joined = {found[min(found)][0].file: _joined(key, found) for key, found in whole.items()}
    gone = {column.file for found in whole.values() for part in found.values() for column in part}
    files = list(dict.fromkeys(column.file for column in columns))
    by_file = {file: [column for column in columns if column.file == file] for file in files}
    return tuple(
        column for file in files if file in joined or file not in gone for column in joined.get(file, by_file[file])
    )


def _joined_by_ids(columns: Sequence[Column]) -> Sequence[Column]:
    """The columns; those of files that are named as parts and have different ids of one count are one text."""
    by_file: dict[str, list[Column]] = {}
    for column in columns:
        by_file.setdefault(column.file, []).append(column)
    families: dict[str, list[str]] = {}
    for file, own in by_file.items():
        if is_named_piece(file) and all(column.ids is not None for column in own):
            families.setdefault(_NUMBER.sub("", file), []).append(file)
    found: dict[str, list[Column]] = {}
    gone: set[str] = set()
    for files in families.values():
        ids = [one for file in files for one in by_file[file][0].ids or ()]
        order = counted_order(ids)
        kinds = {tuple((column.role, column.name == stem(file)) for column in by_file[file]) for file in files}
        if len(files) > 1 and len(kinds) == 1 and len(set(ids)) == len(ids) and order is not None:
            _refuse_gaps(files[0], ids)
            called = name_of_whole(files)
            called = files[0] if called in by_file else called
            whole = [_one_of(called, parts) for parts in zip(*(by_file[file] for file in files), strict=True)]
            found[files[0]] = [_in_order(column, order) for column in whole]
            gone |= {*files[1:]}
    return [column for file in by_file if file not in gone for column in found.get(file, by_file[file])]


def _refuse_gaps(file: str, ids: Sequence[str]) -> None:
    """Refuse parts whose ids have gaps together.

    Raises:
        InputError: They have, as where a part is missing.
    """
    numbers = sorted(int("".join(filter(str.isdecimal, one))) for one in ids)
    gap = next((after for before, after in pairwise([min(numbers[0], 1) - 1, *numbers]) if after - before > 1), None)
    if gap is not None:
        raise InputError(
            "a part of a text is missing",
            where=file,
            found=f"no segment numbered {gap - 1:,}",
            expected="all numbers from the first to the last",
            remedy="Load all parts together, or the parts of one process alone in a folder of their own.",
        )


def _in_order(column: Column, order: Sequence[int]) -> Column:
    ids = column.ids or ()
    return replace(
        column,
        segments=tuple(column.segments[place] for place in order),
        ids=tuple(ids[place] for place in order if place < len(ids)) or None,
    )


def _joined(key: tuple[str, str, str], parts: dict[int, list[Column]]) -> list[Column]:
    name, total, ending = key
    first = min(parts)
    missing = next((number for number in range(first, first + int(total)) if number not in parts), None)
    if missing is not None or len(parts) > int(total):
        raise InputError(
            "a part of a table is missing",
            where=f"{name}{ending}",
            found=f"{len(parts):,} parts",
            expected=f"{int(total):,}",
            remedy="Load all parts together.",
        )
    ordered = [parts[number] for number in sorted(parts)]
    names = [[(column.title, column.role) for column in part] for part in ordered]
    titles = [[_title_of(column) for column in part] for part in ordered]
    if any(len(one) != len(names[0]) for one in names) or (
        any(one != titles[0] for one in titles) and not all(len(part) == 1 for part in ordered)
    ):
        raise InputError(
            "the parts of a table have different columns",
            where=ordered[1][0].file,
            found=", ".join(titles[1]),
            expected=", ".join(titles[0]),
            remedy="Load parts of one table.",
        )
    return [_one_of(f"{name}{ending}", columns) for columns in zip(*ordered, strict=True)]


def _title_of(column: Column) -> str:
    """What a column of a part is called; nothing where its name is that of the part."""
    return column.title or ("" if column.name == stem(column.file) else column.name)


def _one_of(file: str, columns: Sequence[Column]) -> Column:
    first = columns[0]
    ids = [one for column in columns for one in column.ids or ()]
    segments = tuple(text for column in columns for text in column.segments)
    is_whole = len(ids) == len(segments) == len(set(ids))
    said = f"{file}: put together from {len(columns):,} parts."
    is_named = first.is_cell and first.title is None and first.name != stem(first.file)
    name = first.name if is_named else file.rpartition("/")[2].rpartition(".")[0]
    return replace(
        first,
        file=file,
        name=name,
        segments=segments,
        keys=None,
        ids=tuple(ids) if is_whole else None,
        notices=(*first.notices, said),
    )
