"""A folder of what can be computed again: bounded, the least recently used goes first, and checked when it is read.

Files, not rows: they are many and large, whichever database a workspace has, and a backup need not have them. Several
programs may use one folder: a file is written beside its place and moved, and one that is gone is one that is not kept.
"""

import contextlib
import hashlib
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkstemp

from bleuscope.workspace.blobs import PRIVATE_FOLDER
from bleuscope.workspace.errors import WorkspaceError
from bleuscope.workspace.place import MOST_BYTES, WorkspacePlace

FOLDER = "caches"
SHARE_OF_BOUND = 0.1
"""Of what texts may take, and beside it."""
TRIMMED_TO = 0.9
"""Of the bound, so that it is not reached again at once."""
TRIMMED_EVERY = 0.02
"""So much of the bound is written between two looks at how much there is."""
SECONDS_OF_A_DAY = 86_400.0
SECONDS_BETWEEN_MARKS = 600.0
"""A file that was used is marked at most so often."""
_MARK = b"bleuscope kept 1\n"
_HASH_BYTES = 32


class DamagedError(WorkspaceError):
    """What was kept is not what was written."""


def caches_of(place: WorkspacePlace, most_bytes: int = MOST_BYTES) -> "CacheFiles":
    """Those of a workspace.

    Args:
        place: Where it is.
        most_bytes: So much room its texts may take.
    """
    return CacheFiles(place.folder / FOLDER, int(SHARE_OF_BOUND * most_bytes))


@dataclass(frozen=True)
class Room:
    """What files take.

    Attributes:
        n_files: How many.
        n_bytes: Of all of them.
    """

    n_files: int
    n_bytes: int


@dataclass(frozen=True)
class _Seen:
    file: Path
    n_bytes: int
    used_at: float


class CacheFiles:
    """What is kept beneath a folder, under names of several parts."""

    def __init__(self, folder: Path, most_bytes: int) -> None:
        """Take a folder, which need not be there yet.

        Args:
            folder: Where.
            most_bytes: So much room all files may take.
        """
        self.folder = folder
        self._most_bytes = most_bytes
        self._until_look = 0.0

    def find(self, *name: str) -> bytes | None:
        """What is kept under a name.

        Raises:
            DamagedError: It is not what was written; it is kept no more.
        """
        file = self.folder.joinpath(*name)
        try:
            held = file.read_bytes()
        except OSError:
            return None
        start = len(_MARK) + _HASH_BYTES
        if not held.startswith(_MARK) or hashlib.sha256(held[start:]).digest() != held[len(_MARK) : start]:
            with contextlib.suppress(OSError):
                file.unlink()
            raise DamagedError(
                "what is kept is damaged", where=str(file), remedy="It was taken away, and is computed again."
            )
        with contextlib.suppress(OSError):
            if time.time() - file.stat().st_mtime > SECONDS_BETWEEN_MARKS:
                os.utime(file)
        return held[start:]

    def keep(self, content: bytes, *name: str) -> None:
        """Keep a content under a name, in place of what is there.

        Raises:
            WorkspaceError: The disk refuses it.
        """
        file = self.folder.joinpath(*name)
        try:
            self.folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
            file.parent.mkdir(parents=True, exist_ok=True)
            descriptor, beside = mkstemp(dir=file.parent, prefix=".new-")
            try:
                with os.fdopen(descriptor, "wb") as opened:
                    opened.write(_MARK + hashlib.sha256(content).digest() + content)
                Path(beside).replace(file)
            except BaseException:
                Path(beside).unlink(missing_ok=True)
                raise
        except OSError as error:
            raise WorkspaceError(
                "what was computed cannot be kept",
                where=str(self.folder),
                found=(error.strerror or type(error).__name__).lower(),
                remedy="Make room there, or allow writing. The results are not touched by this.",
            ) from error
        self._until_look -= len(content)
        if self._until_look < 0:
            self.trim()

    def names(self, *beneath: str) -> frozenset[str]:
        """The last parts of the names that are kept beneath the others."""
        with contextlib.suppress(OSError), os.scandir(self.folder.joinpath(*beneath)) as found:
            return frozenset(entry.name for entry in found if not entry.name.startswith("."))
        return frozenset()

    def room(self, *beneath: str) -> Room:
        """How much there is beneath some parts of names."""
        return _room(self._seen(*beneath))

    def trim(self) -> None:
        """Take away what was not used for longest, if there is too much."""
        self._until_look = TRIMMED_EVERY * self._most_bytes
        seen = list(self._seen())
        if _room(seen).n_bytes > self._most_bytes:
            _delete(_beyond(seen, TRIMMED_TO * self._most_bytes))

    def prune(self, *, unused_days: int | None = None, most_bytes: int | None = None, is_trial: bool = False) -> Room:
        """Take away what was not used for long, then what is too much, the least recently used first.

        Args:
            unused_days: What was not used for so many days goes.
            most_bytes: So much room the others may take.
            is_trial: Only tell what would go.
        """
        seen, gone = list(self._seen()), list[_Seen]()
        if unused_days is not None:
            long_ago = time.time() - unused_days * SECONDS_OF_A_DAY
            gone = [one for one in seen if one.used_at < long_ago]
            seen = [one for one in seen if one.used_at >= long_ago]
        if most_bytes is not None:
            gone += _beyond(seen, most_bytes)
        if not is_trial:
            _delete(gone)
        return _room(gone)

    def _seen(self, *beneath: str) -> Iterator[_Seen]:
        for place, _, names in os.walk(self.folder.joinpath(*beneath)):
            for name in names:
                with contextlib.suppress(OSError):
                    found = (Path(place) / name).stat()
                    yield _Seen(Path(place) / name, found.st_size, found.st_mtime)


def _room(seen: Iterable[_Seen]) -> Room:
    sizes = [one.n_bytes for one in seen]
    return Room(len(sizes), sum(sizes))


def _beyond(seen: Sequence[_Seen], most_bytes: float) -> list[_Seen]:
    """What has to go, the least recently used first, until no more than so much is left."""
    n_bytes, gone = _room(seen).n_bytes, list[_Seen]()
    for one in sorted(seen, key=lambda one: one.used_at):
        if n_bytes <= most_bytes:
            break
        gone.append(one)
        n_bytes -= one.n_bytes
    return gone


def _delete(seen: Iterable[_Seen]) -> None:
    for one in seen:
        with contextlib.suppress(OSError):
            one.file.unlink()
