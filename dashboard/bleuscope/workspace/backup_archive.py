"""A backup as a file: its parts, and what it says of them.

A tar archive: ``rows/TABLE.jsonl`` has a row a line, ``blobs/DIGEST.gz`` the texts, and ``workspace.json``, the last to
be written, what it is and a digest of each part. Nothing in it is a path to write to: names are looked up.
"""

import contextlib
import hashlib
import io
import json
import re
import tarfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from bleuscope.workspace.errors import WorkspaceError

KIND, FORMAT = "bleuscope workspace", 1
HEAD, ROWS, BLOBS = "workspace.json", "rows", "blobs"
MOST_HEAD, MOST_ROWS, MOST_BLOB, MOST_LINE = 2**28, 2**31, 2**30, 2**28
"""Bytes of the parts of an archive that are read at all, and of a row."""
MOST_PARTS = 2**21
UNCHANGED = "Use another backup; this restore has changed nothing."
_ROWS = re.compile(rf"{ROWS}/([a-z_]{{1,60}})\.jsonl")
_BLOB = re.compile(rf"{BLOBS}/([0-9a-f]{{64}})\.gz")
_FOLDERS = (ROWS, BLOBS)
_AT_ONCE = 2**20
_SHOWN = 60


@dataclass(frozen=True)
class Description:
    """What a backup says of itself.

    Attributes:
        revision: Of its schema.
        tables: Whose rows it has.
    """

    revision: str
    tables: tuple[str, ...]


@dataclass(frozen=True)
class _Part:
    """Where the bytes of a part are in the file."""

    start: int
    n_bytes: int


class Writer:
    """Writes the parts of a backup one by one."""

    def __init__(self, opened: BinaryIO) -> None:
        """Into an empty file."""
        self._archive = tarfile.open(fileobj=opened, mode="w", format=tarfile.USTAR_FORMAT)  # noqa: SIM115  # see close
        self._parts: dict[str, dict[str, object]] = {}

    def add(self, name: str, content: bytes) -> None:
        """Write a part."""
        self._parts[name] = {"n_bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        self._add(name, content)

    def close(self, said: Mapping[str, object]) -> None:
        """Write the description, which makes it a backup."""
        head = {"kind": KIND, "format": FORMAT, **said, "parts": self._parts}
        self._add(HEAD, json.dumps(head, indent=1).encode())
        self._archive.close()

    def _add(self, name: str, content: bytes) -> None:
        member = tarfile.TarInfo(name)
        member.size = len(content)
        self._archive.addfile(member, io.BytesIO(content))


class Archive:
    """The parts of a backup that is read."""

    def __init__(self, file: Path) -> None:
        """Open a backup and find its parts; what they hold is read later.

        Raises:
            WorkspaceError: It is none.
            OSError: It cannot be read.
        """
        self.file = file
        self._opened = file.open("rb")
        try:
            self._parts = self._found()
        except BaseException:
            self._opened.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _at: TracebackType | None
    ) -> None:
        self._opened.close()

    @property
    def blobs(self) -> Mapping[str, str]:
        """The names of the parts with texts, by their digests."""
        return {found[1]: name for name in self._parts if (found := _BLOB.fullmatch(name))}

    def describe(self, revisions: tuple[str, ...]) -> Description:
        """What it says of itself, which its parts have to fit.

        Args:
            revisions: Of the schema, that this program knows.

        Raises:
            WorkspaceError: It says nothing, or nothing of its parts, or a newer program wrote it.
        """
        head = self._head()
        if head["kind"] != KIND or head["format"] != FORMAT:
            raise self.damaged(HEAD, f"{head['kind']} {head['format']}"[:_SHOWN], f"{KIND} {FORMAT}")
        if head["revision"] not in revisions:
            raise WorkspaceError(
                "a newer bleuscope has made this backup",
                where=str(self.file),
                found=f"schema {head['revision']!r}"[:_SHOWN],
                expected=f"at most {revisions[-1]}",
                remedy="Use that version; this restore has changed nothing.",
            )
        if "parts" in head:  # older programs told no digests
            self._refuse_altered(head["parts"])
        return Description(head["revision"], tuple(head["tables"]))

    def read(self, name: str, most: int) -> bytes:
        """A whole part.

        Raises:
            WorkspaceError: There is none, or it is too large.
        """
        return b"".join(self._chunks(name, most))

    def lines(self, name: str) -> Iterator[bytes]:
        """The lines of a part.

        Raises:
            WorkspaceError: There is none, or one is too large.
        """
        part = self._part(name, MOST_ROWS)
        at, end = part.start, part.start + part.n_bytes
        while at < end:
            self._opened.seek(at)
            line = self._opened.readline(min(end - at, MOST_LINE + 1))
            if len(line) > MOST_LINE:
                raise self.damaged(name, "a row that is too long", f"at most {MOST_LINE:,} bytes")
            at += len(line)
            yield line

    def damaged(
        self, part: str | None, found: str, expected: str | None = None, line: int | None = None
    ) -> WorkspaceError:
        """What to say of a part that cannot be used."""
        return WorkspaceError(
            "this backup is damaged, or it is not a backup",
            where=", ".join([str(self.file), *([part] if part else [])]),
            line=line,
            found=found,
            expected=expected,
            remedy=UNCHANGED,
        )

    def _found(self) -> dict[str, _Part]:
        size = self._opened.seek(0, io.SEEK_END)
        found, at = dict[str, _Part](), 0
        while (member := self._member(at)) is not None:
            start = at + tarfile.BLOCKSIZE
            if member.isdir() and member.name in _FOLDERS:
                at = start
                continue
            self._refuse_strange(member, found)
            if start + member.size > size:
                raise self.damaged(member.name, f"{size - start:,} bytes", f"{member.size:,}")
            found[member.name] = _Part(start, member.size)
            at = start + -(-member.size // tarfile.BLOCKSIZE) * tarfile.BLOCKSIZE
        return found

    def _member(self, at: int) -> tarfile.TarInfo | None:
        self._opened.seek(at)
        block = self._opened.read(tarfile.BLOCKSIZE)
        if at and (not block or not any(block)):
            return None
        try:
            return tarfile.TarInfo.frombuf(block, "utf-8", "backslashreplace")
        except tarfile.HeaderError as error:
            raise self.damaged(None, str(error) or "no tar archive", "a tar archive") from error

    def _refuse_strange(self, member: tarfile.TarInfo, found: Mapping[str, object]) -> None:
        name = member.name[:_SHOWN]
        if not member.isreg() or member.issparse():
            raise self.damaged(None, f"{name!r}, which is no file", "files only")
        if member.name != HEAD and not _ROWS.fullmatch(member.name) and not _BLOB.fullmatch(member.name):
            raise self.damaged(None, f"a part called {name!r}", f"{HEAD}, {ROWS}/… and {BLOBS}/…")
        if member.name in found:
            raise self.damaged(member.name, "this part twice", "once")
        if len(found) == MOST_PARTS:
            raise self.damaged(None, "too many parts", f"at most {MOST_PARTS:,}")

    def _head(self) -> dict[str, Any]:
        try:
            head = json.loads(self.read(HEAD, MOST_HEAD))
            tables = head["tables"]
            is_one = isinstance(tables, list) and all(isinstance(name, str) for name in tables)
            is_one = is_one and isinstance(head["revision"], str) and {"kind", "format"} <= head.keys()
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise self.damaged(HEAD, "no description of a workspace") from error
        if not is_one:
            raise self.damaged(HEAD, "no description of a workspace")
        return dict(head)

    def _refuse_altered(self, told: object) -> None:
        if not isinstance(told, dict):
            raise self.damaged(HEAD, "no list of parts")
        there = self._parts.keys() - {HEAD}
        for names, found in ((told.keys() - there, "no such part"), (there - told.keys(), "a part too many")):
            if names:
                raise self.damaged(min(names)[:_SHOWN], found, f"the parts that {HEAD} lists")
        for name, said in told.items():
            sha256 = hashlib.sha256()
            for chunk in self._chunks(name, MOST_ROWS):
                sha256.update(chunk)
            if not isinstance(said, dict) or said.get("sha256") != sha256.hexdigest():
                raise self.damaged(name, "other content than was written", f"the SHA-256 in {HEAD}")

    def _chunks(self, name: str, most: int) -> Iterator[bytes]:
        part = self._part(name, most)
        for at in range(0, part.n_bytes, _AT_ONCE):
            self._opened.seek(part.start + at)
            yield self._opened.read(min(_AT_ONCE, part.n_bytes - at))

    def _part(self, name: str, most: int) -> _Part:
        part = self._parts.get(name)
        if part is None:
            raise self.damaged(None, f"no {name}")
        if part.n_bytes > most:
            raise self.damaged(name, f"{part.n_bytes:,} bytes", f"at most {most:,}")
        return part


@contextlib.contextmanager
def opened_archive(file: Path) -> Iterator[Archive]:
    """A backup to read from.

    Raises:
        WorkspaceError: It is none, or cannot be read.
    """
    try:
        archive = Archive(file)
    except OSError as error:
        raise WorkspaceError(
            "the backup cannot be read",
            where=str(file),
            found=(error.strerror or type(error).__name__).lower(),
            remedy="Check the name; this restore has changed nothing.",
        ) from error
    with archive:
        yield archive
