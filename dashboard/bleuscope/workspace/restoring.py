"""A workspace from a backup: every part is read and checked next to its place, then all of it is there at once.

Texts come to their place before the rows that name them. What ends a restore between the two leaves texts without a
name, as a push that is killed does, and the next ``prune`` takes them away.
"""

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy import Connection

from bleuscope.workspace.backup import tables_of
from bleuscope.workspace.backup_archive import MOST_BLOB, ROWS, Archive, Description, opened_archive
from bleuscope.workspace.backup_rows import insert_rows, refuse_meaningless
from bleuscope.workspace.blobs import ENDING, PRIVATE_FOLDER, Blobs, digest_of_packed, force_names
from bleuscope.workspace.database import FILE, REVISIONS, Database, is_there
from bleuscope.workspace.disk_usage import Holdings
from bleuscope.workspace.errors import WorkspaceError
from bleuscope.workspace.leftovers import clear_restores, staging_folder
from bleuscope.workspace.place import WorkspacePlace
from bleuscope.workspace.row_contents import refuse_unusable
from bleuscope.workspace.workspace import BLOB_FOLDER

_SHOWN = 60


def restore(place: WorkspacePlace, file: Path) -> int:
    """Make a workspace from a backup where there is none; how many texts it holds.

    A backup of an older program is brought to this one's schema. What is refused or fails changes nothing.

    Raises:
        WorkspaceError: Something is there, or the file is no backup, or of a newer program, or damaged.
    """
    with opened_archive(file) as archive, _writing(place):
        described = archive.describe(REVISIONS)
        clear_restores(place.folder)
        with _folders(place.folder), staging_folder(place.folder) as stage:
            digests = _stage_blobs(archive, stage)
            with _placed(stage, digests, place.folder / BLOB_FOLDER) as put_in_place:
                if place.database is None and not is_there(place):
                    with _rows_in(WorkspacePlace(stage), archive, described, digests):
                        pass
                    put_in_place()
                    _publish(stage / FILE, place)
                else:
                    with _rows_in(place, archive, described, digests):
                        put_in_place()
    return len(digests)


@contextlib.contextmanager
def _rows_in(
    place: WorkspacePlace, archive: Archive, described: Description, digests: frozenset[str]
) -> Iterator[None]:
    """A transaction with all rows of a backup, which is kept when the block ends."""
    with Database(place, is_to_be_replaced=True) as database, database.migrating() as connection:
        _refuse_used(connection, place)
        _read_rows(connection, archive, described)
        for refuse in (refuse_meaningless, refuse_unusable):
            refuse(connection, lambda table, *said: archive.damaged(f"{ROWS}/{table}.jsonl", *said))
        named = Holdings(database, Blobs(place.folder)).named(connection)
        lost = sorted(named - digests)
        if lost:
            raise archive.damaged(None, f"{len(lost):,} texts missing, the first {lost[0][:_SHOWN]!r}", "all texts")
        yield


def _read_rows(connection: Connection, archive: Archive, described: Description) -> None:
    from bleuscope.workspace.migrations import make_anew, upgrade  # noqa: PLC0415  # Alembic takes half a second to import

    make_anew(connection, described.revision)
    tables = tables_of(connection)
    if sorted(table.name for table in tables) != sorted(described.tables):
        raise archive.damaged(None, "other tables than its schema has", f"those of schema {described.revision}")
    for table in tables:  # in an order in which what a row names is there before it
        part = f"{ROWS}/{table.name}.jsonl"
        insert_rows(connection, table, archive.lines(part), lambda *said, part=part: archive.damaged(part, *said))
        _count_on(connection, table)
    upgrade(connection, REVISIONS[-1])


def _count_on(connection: Connection, table: sa.Table) -> None:
    """Have PostgreSQL number new rows after those that came with their numbers, as SQLite does by itself."""
    if connection.dialect.name == "postgresql" and "id" in table.columns:
        counter = sa.func.pg_get_serial_sequence(table.name, "id")
        last = sa.select(sa.func.coalesce(sa.func.max(table.c.id), 0) + 1).scalar_subquery()
        connection.execute(sa.select(sa.func.setval(counter, last, False)))  # noqa: FBT003  # SQL's own


def _stage_blobs(archive: Archive, stage: Path) -> frozenset[str]:
    """Write the texts of a backup to a folder, each checked and forced to the disk; their digests."""
    for digest, name in archive.blobs.items():
        packed = archive.read(name, MOST_BLOB)
        try:
            found = digest_of_packed(packed, name)
        except WorkspaceError as error:
            raise archive.damaged(name, error.problem) from error
        if found != digest:
            raise archive.damaged(name, f"texts with the SHA-256 {found[:12]}…", f"{digest[:12]}…")
        with (stage / f"{digest}{ENDING}").open("xb") as opened:
            opened.write(packed)
            opened.flush()
            os.fsync(opened.fileno())
    return frozenset(archive.blobs)


@contextlib.contextmanager
def _placed(stage: Path, digests: frozenset[str], folder: Path) -> Iterator["_Placing"]:
    """What puts staged texts to their place; they leave it again if the block fails."""
    placing = _Placing(stage, digests, Blobs(folder))
    try:
        yield placing
    except BaseException:
        placing.undo()
        raise


class _Placing:
    """Puts staged texts to their place."""

    def __init__(self, stage: Path, digests: frozenset[str], blobs: Blobs) -> None:
        """From a folder to blobs."""
        self._stage, self._digests, self._blobs = stage, digests, blobs
        self._made: list[Path] = []

    def __call__(self) -> None:
        """Move them, and have the disk know their names."""
        folders = {self._blobs.path(digest).parent for digest in self._digests}
        for folder in (self._blobs.folder, *sorted(folders)):
            if not folder.exists():
                folder.mkdir(mode=PRIVATE_FOLDER)
                self._made.append(folder)
        for digest in sorted(self._digests):
            path = self._blobs.path(digest)
            if not path.exists():
                self._made.append(path)
                (self._stage / f"{digest}{ENDING}").replace(path)
        for folder in (*folders, self._blobs.folder):
            force_names(folder)

    def undo(self) -> None:
        """Take away what came."""
        for path in reversed(self._made):
            with contextlib.suppress(OSError):
                path.rmdir() if path.is_dir() else path.unlink()


def _publish(database: Path, place: WorkspacePlace) -> None:
    """Give a finished database its name, unless another one has it by now."""
    if database.with_name(f"{FILE}-wal").exists():
        raise OSError(errno.EIO, "the database is not complete")
    with database.open("rb") as opened:
        os.fsync(opened.fileno())
    target = place.folder / FILE
    try:
        os.link(database, target)
    except FileExistsError as error:
        raise _used(place, "a workspace that somebody made just now") from error
    except OSError:  # a file system without links
        if is_there(place):
            raise _used(place, "a workspace that somebody made just now") from None
        database.rename(target)
    force_names(place.folder)


@contextlib.contextmanager
def _folders(folder: Path) -> Iterator[None]:
    """Make a folder with those above it; they go again if the block fails."""
    made = [path for path in (folder, *folder.parents) if not path.exists()]
    try:
        folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
        yield
    except BaseException:
        for path in made:
            with contextlib.suppress(OSError):
                path.rmdir()
        raise


def _refuse_used(connection: Connection, place: WorkspacePlace) -> None:
    used = [table.name for table in tables_of(connection) if connection.execute(sa.select(table).limit(1)).first()]
    if used:
        raise _used(place, f"rows in {used[0]}")


def _used(place: WorkspacePlace, found: str) -> WorkspaceError:
    return WorkspaceError(
        "there is a workspace already",
        where=place.shown,
        found=found,
        expected="an empty place",
        remedy="Restore to another place: --workspace DIR.",
    )


@contextlib.contextmanager
def _writing(place: WorkspacePlace) -> Iterator[None]:
    """What the disk refuses, in a sentence."""
    try:
        yield
    except OSError as error:
        raise WorkspaceError(
            "the backup cannot be restored here",
            where=place.shown,
            found=(error.strerror or type(error).__name__).lower(),
            remedy="Make room or allow writing there; this restore has changed nothing.",
        ) from error
