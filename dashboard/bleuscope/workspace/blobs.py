"""A folder of compressed contents, each called by the SHA-256 of what it holds.

A blob is whole or not there: it is written beside its place, forced to the disk and then moved. It takes its place
within the transaction that first names it, and goes in one that found no name for it, so that neither a program that
is killed nor two that write at once leave a name without its blob.
"""

import contextlib
import errno
import gzip
import hashlib
import io
import os
import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkstemp

from bleuscope.workspace.errors import UnwritableError, WorkspaceError

ENDING = ".gz"
PRIVATE_FOLDER = 0o700
SECONDS_UNFINISHED = 3600.0
"""So old is what nobody writes any more."""
LEVEL = 6
MOST_CONTENT = 2**30
"""Bytes of a content in a backup."""
_DIGEST = re.compile(r"[0-9a-f]{64}")
_TEMPORARY = "new-"
_AT_ONCE = 2**20


@dataclass(frozen=True)
class NewBlob:
    """A content on the disk that has no place yet.

    Attributes:
        digest: Of what it holds.
        file: Where it waits; ``None`` where the folder has it already.
        content: What to write where it has gone again by then.
    """

    digest: str
    file: Path | None
    content: bytes

    @property
    def n_bytes(self) -> int:
        """How much more room it takes."""
        return 0 if self.file is None else self.file.stat().st_size


class Blobs:
    """The blobs beneath a folder."""

    def __init__(self, folder: Path) -> None:
        """Take a folder, which need not be there yet."""
        self.folder = folder

    def prepare(self, content: bytes) -> NewBlob:
        """Write a content beside its place: what takes time, before any lock.

        Raises:
            UnwritableError: The disk refuses it.
        """
        digest = hashlib.sha256(content).hexdigest()
        if self.path(digest).exists():
            return NewBlob(digest, None, content)
        return NewBlob(digest, self._written(content), content)

    def place(self, blob: NewBlob) -> str:
        """Move a content to its place, in the transaction that names it; its digest.

        Raises:
            UnwritableError: The disk refuses it.
        """
        path = self.path(blob.digest)
        if path.exists():
            self.forget(blob)
            return blob.digest
        file = blob.file or self._written(blob.content)  # a sweep took it after it was prepared
        with _refusals(self.folder):
            path.parent.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
            file.replace(path)
            force_names(path.parent)
        return blob.digest

    def forget(self, blob: NewBlob) -> None:
        """Delete a content that got no place."""
        if blob.file is not None:
            blob.file.unlink(missing_ok=True)

    def read(self, digest: str) -> bytes:
        """What a blob holds.

        Raises:
            WorkspaceError: It is gone, or not what it was.
        """
        path = self.path(digest)
        content = unpacked(self.packed(digest), str(path))
        if hashlib.sha256(content).hexdigest() != digest:
            raise _damaged(str(path), "the texts of this file do not have its SHA-256")
        return content

    def packed(self, digest: str) -> bytes:
        """The file of a blob.

        Raises:
            WorkspaceError: It is gone.
        """
        path = self.path(digest)
        try:
            return path.read_bytes()
        except FileNotFoundError as error:
            raise _damaged(str(path), "the file with these texts is gone") from error
        except OSError as error:
            raise _damaged(str(path), "the file with these texts cannot be read") from error

    def checked(self, digest: str) -> bytes:
        """The file of a blob that holds what it was made of.

        Raises:
            WorkspaceError: It is gone, or not what it was.
        """
        packed, path = self.packed(digest), str(self.path(digest))
        if digest_of_packed(packed, path) != digest:
            raise _damaged(path, "the texts of this file do not have its SHA-256")
        return packed

    def has(self, digest: str) -> bool:
        """Whether a blob is there."""
        return self.path(digest).exists()

    def n_bytes(self, digests: Iterable[str]) -> int:
        """How much room blobs take on the disk."""
        total = 0
        for digest in digests:
            with contextlib.suppress(OSError):
                total += self.path(digest).stat().st_size
        return total

    def all(self) -> Iterator[str]:
        """The digests of all blobs."""
        for path in sorted(self.folder.glob(f"??/*{ENDING}")):
            digest = path.parent.name + path.name.removesuffix(ENDING)
            if _DIGEST.fullmatch(digest):
                yield digest

    def remove(self, digest: str) -> None:
        """Delete a blob, in a transaction that found no name for it."""
        self.path(digest).unlink(missing_ok=True)

    def unfinished(self) -> Iterator[Path]:
        """What was written and never got a place: of programs that were killed, or that write now."""
        yield from self.folder.glob(f"{_TEMPORARY}*")

    def path(self, digest: str) -> Path:
        """Where a blob is, or would be.

        Raises:
            WorkspaceError: This can be no name of one.
        """
        if not _DIGEST.fullmatch(digest):
            raise WorkspaceError("this is no name of a blob", where=str(self.folder), found=digest[:80])
        return self.folder / digest[:2] / f"{digest[2:]}{ENDING}"

    def _written(self, content: bytes) -> Path:
        packed = gzip.compress(content, LEVEL, mtime=0)
        with _refusals(self.folder):
            self.folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
            descriptor, name = mkstemp(dir=self.folder, prefix=_TEMPORARY)
            try:
                with os.fdopen(descriptor, "wb") as file:
                    file.write(packed)
                    file.flush()
                    os.fsync(file.fileno())
            except OSError:
                Path(name).unlink(missing_ok=True)
                raise
        return Path(name)


class RehearsedBlobs(Blobs):
    """The blobs beneath a folder, with others in memory that are gone with it."""

    def __init__(self, folder: Path) -> None:
        """Take a folder, which stays as it is."""
        super().__init__(folder)
        self._contents = dict[str, bytes]()

    def prepare(self, content: bytes) -> NewBlob:
        """A content that takes no room on the disk."""
        return NewBlob(hashlib.sha256(content).hexdigest(), None, content)

    def place(self, blob: NewBlob) -> str:
        """Remember a content; its digest."""
        self._contents[blob.digest] = blob.content
        return blob.digest

    def read(self, digest: str) -> bytes:
        """What a blob holds."""
        return self._contents[digest] if digest in self._contents else super().read(digest)


def digest_of_packed(packed: bytes, place: str) -> str:
    """The SHA-256 of what a packed content holds, however large that is.

    Raises:
        WorkspaceError: It is none, or holds more than ``MOST_CONTENT``.
    """
    sha256, n_bytes = hashlib.sha256(), 0
    try:
        with gzip.open(io.BytesIO(packed)) as opened:
            while chunk := opened.read(_AT_ONCE):
                n_bytes += len(chunk)
                sha256.update(chunk)
                if n_bytes > MOST_CONTENT:
                    raise _damaged(place, f"the file holds more than {MOST_CONTENT:,} bytes")
    except (OSError, EOFError, zlib.error) as error:
        raise _damaged(place, "the file with these texts cannot be read") from error
    return sha256.hexdigest()


def unpacked(packed: bytes, place: str) -> bytes:
    """What a packed content holds.

    Raises:
        WorkspaceError: It is none.
    """
    try:
        return gzip.decompress(packed)
    except (OSError, EOFError, zlib.error) as error:
        raise _damaged(place, "the file with these texts cannot be read") from error


def _damaged(place: str, problem: str) -> WorkspaceError:
    return WorkspaceError(problem, where=place, remedy="Restore it from a backup, or open the files anew.")


def force_names(folder: Path) -> None:
    """Have the disk know the names in a folder; Windows does so by itself."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def is_full(error: OSError) -> bool:
    """Whether a disk refuses for want of room."""
    return error.errno in (errno.ENOSPC, errno.EDQUOT)


@contextlib.contextmanager
def _refusals(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UnwritableError(
            "there is no more room on the disk" if is_full(error) else "the workspace cannot be written to",
            where=str(folder),
            found=(error.strerror or type(error).__name__).lower(),
            remedy="Make room or allow writing there, or name another place with --workspace.",
        ) from error
