"""The bytes of planned files: from a disk, from an archive, from an archive in an archive."""

import hashlib
import stat
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from bleucore import InputError
from bleucore.formats.archives import archive_files, may_be_archive
from bleucore.formats.campaign_plan import PlannedFile
from bleuscope.features.campaign import opened_places
from bleuscope.features.campaign.opened_places import is_address
from bleuscope.shell.disk.bounded_reading import PIECE
from bleuscope.shell.disk.files import read_bytes

MAX_FILES = 20_000
MAX_BYTES = 512 * 1024**2
"""Of all files of an archive together."""
MAX_DEPTH = 2
"""Archives inside each other."""


def content_of(file: PlannedFile) -> bytes:
    """The bytes of a file.

    Raises:
        InputError: It cannot be read, or is no longer in its archive.
    """
    if file.content is not None:
        return file.content
    data = opened_places.content_at(file.path) if is_address(file.path) else read_bytes(Path(file.path))
    for depth, member in enumerate(file.members):
        inside = "/".join([file.path, *file.members[:depth]])
        found = archive_files(inside, data, max_bytes=MAX_BYTES, max_entries=MAX_FILES, may_hold_archives=True) or {}
        if member not in found:
            raise InputError(
                "the file is not in the archive any more",
                where=inside,
                found=f"no {member}",
                remedy="Plan the campaign again.",
            )
        data = found[member]
    return data


def pieces_of(file: PlannedFile) -> Iterator[bytes]:
    """The bytes of a file, some at a time where it lies on a disk.

    Raises:
        InputError: It cannot be read.
    """
    if file.content is not None or file.members:
        yield content_of(file)
        return
    try:
        with opened_places.opened(file.path) as raw:
            while piece := raw.read(PIECE):
                yield piece
    except OSError as error:
        raise InputError(
            "the file cannot be read",
            where=file.name,
            found=(error.strerror or type(error).__name__).lower(),
            remedy="Check that the file may be read.",
        ) from error


def digest_of_pieces(file: PlannedFile) -> str:
    """SHA-256 of a file's bytes, which are never held as a whole where they lie on a disk.

    Raises:
        InputError: It cannot be read.
    """
    state = hashlib.sha256()
    for piece in pieces_of(file):
        state.update(piece)
    return state.hexdigest()


def refuse_devices(file: PlannedFile) -> None:
    """Refuse what would never end, or wait for ever: pipes, devices, sockets.

    Raises:
        InputError: It is one, or it is not there.
    """
    if file.content is not None or is_address(file.path):
        return
    try:
        is_file = stat.S_ISREG(Path(file.path).stat().st_mode)
    except (OSError, ValueError) as error:
        found = getattr(error, "strerror", None) or type(error).__name__
        remedy = "Check the name, and that the file may be read."
        raise InputError("the file cannot be read", where=file.name, found=found.lower(), remedy=remedy) from error
    if not is_file:
        raise InputError(
            "this is no ordinary file",
            where=file.name,
            found="a pipe, a device or a folder",
            expected="a file of texts",
            remedy="Name a file.",
        )


def opened(file: PlannedFile) -> dict[str, PlannedFile] | None:
    """The files in an archive by their paths in the campaign, with their content; ``None`` where it is none.

    Archives in it are opened, too, within the same bounds all together.

    Raises:
        InputError: It is damaged, encrypted, too large, or holds what leads out of it.
    """
    if not may_be_archive(next(pieces_of(file), b"")):
        return None
    return _opened(file, content_of(file), MAX_BYTES)


def _opened(file: PlannedFile, data: bytes, most: int) -> dict[str, PlannedFile] | None:
    if not may_be_archive(data):
        return None
    contents = archive_files(file.name, data, max_bytes=most, max_entries=MAX_FILES, may_hold_archives=True)
    if contents is None:
        return None
    left = most - sum(map(len, contents.values()))
    found: dict[str, PlannedFile] = {}
    for path, content in contents.items():
        inner = replace(file, members=(*file.members, path), name=f"{file.name}/{path}", content=content)
        deeper = _opened(inner, content, left) if len(inner.members) < MAX_DEPTH else None
        found |= {inner.name: inner} if deeper is None else deeper
        left -= sum(len(one.content or b"") for one in (deeper or {}).values())
    return found


def without_content(file: PlannedFile) -> PlannedFile:
    """The same, to be read from the disk again."""
    return replace(file, content=None)


def with_contents(files: Iterable[PlannedFile]) -> dict[PlannedFile, PlannedFile]:
    """Files, those in archives with their content: each archive is read once for all of them.

    Raises:
        InputError: An archive cannot be read.
    """
    listed = list(dict.fromkeys(files))
    found = {file: file for file in listed}
    for path in dict.fromkeys(file.path for file in listed if file.members and file.content is None):
        inside = opened(PlannedFile(path, name=Path(path).name)) or {}
        by_members = {one.members: one.content for one in inside.values()}
        for file in listed:
            if file.path == path and file.members in by_members:
                found[file] = replace(file, content=by_members[file.members])
    return found
