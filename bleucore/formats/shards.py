"""Tables cut into several files, as data sets are published: "test-00000-of-00002.parquet" and so on."""

import re
from collections.abc import Sequence
from dataclasses import replace

from bleucore.errors import InputError
from bleucore.formats.columns import Column

_SHARD = re.compile(r"(.*?)[-_.](\d{1,6})[-_]of[-_](\d{1,6})(?=\.|$)(.*)", re.DOTALL)


def is_shard(file: str) -> bool:
    """Whether the name of a file says that it is a part of a table."""
    return _SHARD.fullmatch(file) is not None


def joined_shards(columns: Sequence[Column]) -> tuple[Column, ...]:
    """The columns; those of files that are parts of one table are put together in the order of their numbers.

    Raises:
        InputError: A part is missing, or has other columns.
    """
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
    titles = [[column.title or column.name for column in part] for part in ordered]
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


def _one_of(file: str, columns: Sequence[Column]) -> Column:
    first = columns[0]
    ids = [one for column in columns for one in column.ids or ()]
    segments = tuple(text for column in columns for text in column.segments)
    is_whole = len(ids) == len(segments) == len(set(ids))
    said = f"{file}: put together from {len(columns):,} parts."
    name = first.name if first.is_cell and first.title is None else file.rpartition("/")[2].rpartition(".")[0]
    return replace(
        first,
        file=file,
        name=name,
        segments=segments,
        keys=None,
        ids=tuple(ids) if is_whole else None,
        notices=(*first.notices, said),
    )
