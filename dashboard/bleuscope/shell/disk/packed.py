"""What a name on a command line holds: a file, the files in an archive, or those in a folder."""

import os
from collections import Counter
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from pathlib import Path

from bleucore import InputError
from bleucore.formats import Column, read, unpacked
from bleucore.formats.archives import MAX_ENTRIES, may_be_archive, to_be_read, without_binaries
from bleucore.formats.files_beside import files_beside, is_of_no_texts
from bleucore.formats.shards import joined_shards
from bleucore.formats.text_pieces import with_joined_pieces

STANDARD_INPUT, STANDARD_INPUT_NAME = "-", "standard input"
"""How it is named on a command line, and in messages."""
BESIDE_TEXTS = "scores or judgements. To use it, name it with --scores or --judgements, or add it on the page Data."
"""What a file among texts holds, and how to use it."""

_LEAST_LEFT = 2
"""Files that are left where others are of no format of texts: an output and a reference."""

ReadData = Callable[[str], bytes]


def columns_of(
    path: str, read_data: ReadData, *, encoding: str | None = None, repeated: AbstractSet[str] = frozenset()
) -> tuple[Column, ...]:
    """The columns of all files that a path names, with the notices of an archive or folder in the first.

    Args:
        path: A file, an archive, a folder or ``STANDARD_INPUT``.
        read_data: Gives the content of a file.
        encoding: What files are read in that are not UTF-8.
        repeated: Names that several files have, which are called by their folders too.

    Raises:
        InputError: A file cannot be read, or there is none in the archive or folder.
    """
    files, notices = _files_of(path, read_data, repeated)
    if len(files) > 1:
        from bleucore.judgements.reading import holds_judgements  # noqa: PLC0415  # a file alone is not asked

        beside = [name for name, data in files if holds_judgements(name, data)]
        files = tuple(file for file in files if file[0] not in beside)
        notices = (*notices, *(f"{name}: {BESIDE_TEXTS}" for name in beside))
    contents = dict(files)
    others = files_beside([*contents], contents.__getitem__)
    files = tuple(file for file in files if file[0] not in others)
    notices = (*notices, *(f"{name} is left out: {reason}" for name, reason in others.items()))
    files, joined = with_joined_pieces(files)
    empty = [name for name, data in files if not data] if len(files) > 1 else []
    files = tuple(file for file in files if file[0] not in empty)
    notices = (*notices, *joined, *(f"{name}: an empty file, left out." for name in empty))
    if not files:
        raise InputError(
            "there are scores or judgements alone",
            where=path,
            expected="outputs of systems and a reference",
            remedy="Name the folder that holds the texts.",
        )
    read_ones, faults = _read_all(files, encoding)
    notices = (*notices, *(f"{name} is left out: {fault.problem} (found {fault.found})." for name, fault in faults))
    columns = joined_shards(read_ones)
    return (replace(columns[0], notices=(*notices, *columns[0].notices)), *columns[1:])


def _read_all(
    files: Sequence[tuple[str, bytes]], encoding: str | None
) -> tuple[list[Column], list[tuple[str, InputError]]]:
    """The columns of all files, and those files among several that are of programs and of no format of texts.

    Raises:
        InputError: A file cannot be read, or too few others can.
    """
    columns: list[Column] = []
    faults: list[tuple[str, InputError]] = []
    for name, data in files:
        try:
            columns += read(name, data, encoding=encoding)
        except InputError as error:
            if not is_of_no_texts(error):
                raise
            faults.append((name, error))
    if faults and len(files) - len(faults) < _LEAST_LEFT:
        raise faults[0][1]
    return columns, faults


def contents_of(path: str, read_data: ReadData) -> tuple[tuple[str, bytes], ...]:
    """What is to be compared to tell whether anything changed: each file as it is, archives unopened.

    Raises:
        InputError: A file cannot be read.
    """
    if not _is_folder(path):
        return ((_name(path), read_data(path)),)
    kept, _ = to_be_read(path, paths_in(path))
    return tuple((name, read_data(str(Path(path) / name))) for name in kept)


def repeated_names(paths: Sequence[str]) -> frozenset[str]:
    """The names that several files in different folders have."""
    times = Counter(Path(path).name for path in dict.fromkeys(paths))
    return frozenset(name for name, number in times.items() if number > 1)


def _files_of(
    path: str, read_data: ReadData, repeated: AbstractSet[str]
) -> tuple[tuple[tuple[str, bytes], ...], tuple[str, ...]]:
    if _is_folder(path):
        return _in_folder(path, read_data)
    name = _name(path)
    found = unpacked(path if name in repeated else name, read_data(path))
    return found.files, found.notices


def _is_folder(path: str) -> bool:
    return path != STANDARD_INPUT and os.path.isdir(path)  # noqa: PTH112  # false for what no file can be named


def _name(path: str) -> str:
    return STANDARD_INPUT_NAME if path == STANDARD_INPUT else Path(path).name


def _in_folder(path: str, read_data: ReadData) -> tuple[tuple[tuple[str, bytes], ...], tuple[str, ...]]:
    """The files in a folder and its folders by their paths in it; links to folders are not followed."""
    found = paths_in(path)
    links = links_inside(path, found)
    kept, notices = to_be_read(path, [name for name in found if name not in links])
    notices = (*notices, *(f"{name} is left out: a link to {links[name]}, which is read." for name in links))
    files: list[tuple[str, bytes]] = []
    for name in kept:
        data = read_data(str(Path(path) / name))
        inside = unpacked(name, data) if may_be_archive(data, name) else None
        if inside is None or inside.files == ((name, data),):
            files.append((name, data))
        else:
            files += [(f"{name}/{inner}", content) for inner, content in inside.files]
            notices = (*notices, *inside.notices)
    read, binaries = without_binaries(path, files)
    return read, (*notices, *binaries)


def links_inside(path: str, names: Sequence[str]) -> dict[str, str]:
    """The links among files of a folder that lead to others of them, with the names of these."""
    folder = Path(path).resolve()
    known = {*names}
    found: dict[str, str] = {}
    for name in names:
        if (Path(path) / name).is_symlink():
            target = os.path.relpath((Path(path) / name).resolve(), folder).replace(os.sep, "/")
            if target in known and target != name:
                found[name] = target
    return found


def paths_in(path: str, most: int = MAX_ENTRIES) -> list[str]:
    """The paths of all files in a folder and its folders; links to folders are not followed.

    Raises:
        InputError: There are more than ``most``.
    """
    folder = Path(path)
    found: list[str] = []
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        found += [(Path(place) / name).relative_to(folder).as_posix() for name in names]
        if len(found) > most:
            raise InputError(
                "the folder holds too many files",
                where=path,
                found=f"more than {most:,}",
                remedy="Name the files that are to be compared, or a folder of these alone.",
            )
    return found
