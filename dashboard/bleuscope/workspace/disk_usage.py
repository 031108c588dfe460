"""What the workspace holds on the disk: which blobs have a name, how much room there is, and what goes."""

import contextlib
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import sqlalchemy as sa
from sqlalchemy import Connection

from bleuscope.workspace.blobs import SECONDS_UNFINISHED, Blobs, NewBlob
from bleuscope.workspace.database import Database
from bleuscope.workspace.errors import UnwritableError, WorkspaceError
from bleuscope.workspace.manifests import blobs_in
from bleuscope.workspace.place import GIGABYTE, MOST_BYTES
from bleuscope.workspace.schema import annotation_task, comparison, scores, test_set, version

SECONDS_COUNTED = 600.0
"""For so long a count of all blobs is gone by, with what was placed since; then it is made anew: others place some."""


@dataclass(frozen=True)
class Swept:
    """What was taken away.

    Attributes:
        n_blobs: How many blobs that nothing named.
        n_bytes: The room that they took.
    """

    n_blobs: int
    n_bytes: int


@dataclass(frozen=True)
class _Counted:
    """How much room all blobs took, and when on the clock that only goes on."""

    n_bytes: int
    at: float


class Holdings:
    """The blobs of a workspace, and the rows that name them."""

    def __init__(self, database: Database, blobs: Blobs, most_bytes: int = MOST_BYTES) -> None:
        """Of one workspace, with so much room."""
        self._database = database
        self._blobs = blobs
        self._most_bytes = most_bytes
        self._counted: _Counted | None = None

    @contextlib.contextmanager
    def placing(self, contents: Mapping[str, bytes]) -> Iterator[Connection]:
        """A transaction that names blobs: they are there when it is kept, and it is not kept without them.

        Raises:
            UnwritableError: The disk is full, or may only be read.
            WorkspaceError: There is no room for them, or the workspace cannot be used.
        """
        prepared: list[NewBlob] = []
        try:
            for content in contents.values():
                prepared.append(self._blobs.prepare(content))  # noqa: PERF401  # those before a failing one are forgotten
            n_more = sum(blob.n_bytes for blob in prepared)
            self._refuse_full(n_more)
            with self._database.writing() as connection:
                for blob in prepared:
                    self._blobs.place(blob)
                yield connection
            if self._counted is not None:
                self._counted = replace(self._counted, n_bytes=self._counted.n_bytes + n_more)
        except UnwritableError as error:
            self._database.note_obstacle(error)
            raise
        finally:
            for blob in prepared:
                self._blobs.forget(blob)

    def sweep(self) -> Swept:
        """Take away what nothing names.

        Raises:
            WorkspaceError: The workspace cannot be written.
        """
        n_blobs = n_bytes = 0
        with self._database.writing(sweeps=True) as connection:
            named = self.named(connection)
            for digest in self._blobs.all():
                if digest not in named:
                    n_bytes += self._blobs.n_bytes([digest])
                    n_blobs += 1
                    self._blobs.remove(digest)
        self._counted = None
        since = time.time() - SECONDS_UNFINISHED
        for file in self._blobs.unfinished():
            with contextlib.suppress(OSError):
                if file.stat().st_mtime < since:
                    file.unlink()
        return Swept(n_blobs, n_bytes)

    def named(self, connection: Connection) -> set[str]:
        """The digests of all blobs that some row names."""
        named = set(connection.execute(sa.select(version.c.digest).distinct()).scalars())
        named.update(connection.execute(sa.select(annotation_task.c.digest)).scalars())
        for manifest in (comparison.c.manifest, test_set.c.manifest, scores.c.recipe):
            for found in connection.execute(sa.select(manifest)).scalars():
                named.update(blobs_in(found))
        return named

    def n_bytes(self) -> int:
        """How much room all blobs take."""
        return self._blobs.n_bytes(self._blobs.all())

    def _refuse_full(self, n_more: int) -> None:
        if not n_more or self._roughly() + n_more <= self._most_bytes:
            return
        self._counted = None  # something may have gone since it was counted
        n_bytes = self._roughly()
        if n_bytes + n_more > self._most_bytes:
            raise WorkspaceError(
                "the workspace is full",
                where=str(self._blobs.folder),
                found=f"{n_bytes / GIGABYTE:,.1f} GB",
                expected=f"at most {self._most_bytes / GIGABYTE:,.1f} GB",
                remedy="Delete what is not needed: bleuscope workspace prune.",
            )

    def _roughly(self) -> int:
        """How much room all blobs take, without a look at each of them where that was not long ago."""
        if self._counted is None or time.monotonic() - self._counted.at > SECONDS_COUNTED:
            at = time.monotonic()
            self._counted = _Counted(self.n_bytes(), at)
        return self._counted.n_bytes
