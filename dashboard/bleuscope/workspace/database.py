"""The database behind a workspace: how it is opened, brought to this schema, read and written.

A write begins with the lock that it needs, so that it never fails halfway because another one was quicker.
"""

import contextlib
import errno
import os
import shutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import sqlalchemy as sa
from sqlalchemy import Connection, Engine
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, OperationalError, SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry

from bleuscope.workspace.blobs import PRIVATE_FOLDER, is_full
from bleuscope.workspace.errors import UnwritableError, WorkspaceError
from bleuscope.workspace.place import WorkspacePlace
from bleuscope.workspace.reading_only import Reader, reader_of

FILE = "workspace.sqlite"
SECONDS_TO_WAIT = 30
"""For whoever writes at the moment."""
SECONDS_BETWEEN_LOOKS = 10.0
"""Whether a disk that refused takes something again."""
LEAST_ROOM = 2**16
"""Bytes without which a disk counts as full."""
REVISIONS = ("0001", "0002", "0003", "0004")
"""Of the schema, the newest last: a script of ``migrations/versions`` each."""
SCHEMA_NOW = sa.text("SELECT version_num FROM alembic_version")
SWEEP_LOCK, MIGRATION_LOCK = 0x626C6575, 0x626C6576
"""Numbers of PostgreSQL's advisory locks."""
PRIVATE_FILE = 0o600


class Database:
    """Connections to one database."""

    def __init__(self, place: WorkspacePlace, *, is_to_be_replaced: bool = False) -> None:
        """Open the database of a place, and bring it to this program's schema.

        Where nothing can be written, an SQLite database is opened to read from.

        Args:
            place: Where it is.
            is_to_be_replaced: Whether to leave its schema as it is: a restore makes it anew.

        Raises:
            WorkspaceError: There is no way to it, or a newer program has changed its schema.
        """
        self.place = place
        self.is_sqlite = place.database is None
        self._obstacle: UnwritableError | None = None
        self._reader: Reader | None = None
        self._rehearsal: Connection | None = None
        self._looked_at = time.monotonic()
        self._opening = threading.Lock()
        try:
            self._engine = self._opened(is_to_be_replaced=is_to_be_replaced)
            if self.is_sqlite and not _has_room(place.folder):
                self._obstacle = UnwritableError(_FULL[0], where=place.shown, remedy=_FULL[1])
        except WorkspaceError as error:
            is_readable = self.is_sqlite and not is_to_be_replaced and _may_be_readable(error)
            reader = reader_of(place.folder / FILE) if is_readable else None
            if reader is None:
                raise
            self._engine, self._reader = reader.engine, reader
            self._obstacle = _obstacle(error, place)
            self._refuse_other_schema()

    @contextlib.contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection to read with, which sees one state of the database.

        Raises:
            WorkspaceError: The database cannot be read.
        """
        with self._sentences(), self._connected() as connection:
            yield connection

    @property
    def obstacle(self) -> UnwritableError | None:
        """Why nothing can be written, as far as is known; ``None`` where writing works.

        It is looked at again from time to time, and gone when there is room again.
        """
        if self._obstacle is not None and time.monotonic() - self._looked_at > SECONDS_BETWEEN_LOOKS:
            self._look_again()
        return self._obstacle

    def note_obstacle(self, error: UnwritableError) -> None:
        """Note that the disk refused something that rows were to name."""
        self._obstacle, self._looked_at = error, time.monotonic()

    @contextlib.contextmanager
    def writing(self, *, sweeps: bool = False) -> Iterator[Connection]:
        """A connection to write with: all of it is kept when the block ends, or nothing.

        Args:
            sweeps: Whether blobs without a name are taken away, while nobody else may give one a name.

        Raises:
            UnwritableError: The disk is full, or may only be read.
            WorkspaceError: The database cannot be written.
        """
        if self._rehearsal is not None:
            yield self._rehearsal
            return
        if self._reader is not None:
            self._open_again()
        with self._noting(), self._writing(sweeps=sweeps) as connection:
            yield connection

    @contextlib.contextmanager
    def rehearsing(self) -> Iterator["Database"]:
        """This database as one transaction reads and writes it; the end of the block undoes all that it wrote.

        Raises:
            UnwritableError: The disk is full, or may only be read.
            WorkspaceError: The database cannot be written.
        """
        with self.writing() as connection:
            try:
                yield _Rehearsed(self, connection)
            finally:
                connection.rollback()

    @contextlib.contextmanager
    def _writing(self, *, sweeps: bool) -> Iterator[Connection]:
        with (
            self._sentences(),
            self._engine.connect().execution_options(writes=True) as connection,
            connection.begin(),
        ):
            if not self.is_sqlite:
                lock = sa.func.pg_advisory_xact_lock if sweeps else sa.func.pg_advisory_xact_lock_shared
                connection.execute(sa.select(lock(SWEEP_LOCK)))
            _refuse_newer(connection.execute(SCHEMA_NOW).scalar(), self.place)  # changed while this program ran
            yield connection

    def insert(self, table: sa.Table) -> Any:  # noqa: ANN401  # each dialect has its own class
        """An insertion that can be told what to do where the row is there already (``on_conflict_…``)."""
        return sqlite.insert(table) if self.is_sqlite else postgresql.insert(table)

    @contextlib.contextmanager
    def migrating(self) -> Iterator[Connection]:
        """A connection to change the schema with, while nobody else writes: all of it is kept, or nothing.

        Raises:
            WorkspaceError: The database cannot be written.
        """
        with self._sentences(), self._migrating(self._engine) as connection:
            if not self.is_sqlite:
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(SWEEP_LOCK)))
            yield connection

    @contextlib.contextmanager
    def _migrating(self, engine: Engine) -> Iterator[Connection]:
        """A connection whose transaction nobody else writes beside."""
        with engine.connect().execution_options(migrates=True) as connection, connection.begin():
            if not self.is_sqlite:
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(MIGRATION_LOCK)))
            yield connection

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End all connections."""
        self._engine.dispose()
        if self._reader is not None:
            self._reader.close()

    def copy_to(self, file: Path) -> None:
        """Write a copy of an SQLite database as it is at one moment, while others go on writing.

        Raises:
            WorkspaceError: It cannot be written.
        """
        with self._sentences(), self._connected() as connection:
            connection.execution_options(isolation_level="AUTOCOMMIT").exec_driver_sql("VACUUM INTO ?", (str(file),))
            file.chmod(PRIVATE_FILE)

    def shrink(self) -> None:
        """Give the room of deleted rows back to the disk."""
        with self._sentences(), self._engine.connect() as connection:
            apart = connection.execution_options(isolation_level="AUTOCOMMIT")
            apart.exec_driver_sql("VACUUM")
            if self.is_sqlite:
                apart.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")

    def n_bytes(self) -> int:
        """How much room the database takes."""
        if self.is_sqlite:
            files = (self.place.folder / f"{FILE}{ending}" for ending in ("", "-wal"))
            return sum(file.stat().st_size for file in files if file.exists())
        with self.reading() as connection:
            return int(connection.execute(sa.text("SELECT pg_database_size(current_database())")).scalar_one())

    def revision(self) -> str | None:
        """That of the schema in the database; ``None`` in an empty one."""
        with self.reading() as connection:
            return _revision(connection)

    def _opened(self, *, is_to_be_replaced: bool = False) -> Engine:
        """An engine that reads and writes.

        Raises:
            WorkspaceError: There is no way to the database, or it cannot be written.
        """
        with self._sentences():
            if self.is_sqlite:
                _make_private(self.place.folder)
            engine = _engine(self.place)
            try:
                if not is_to_be_replaced:
                    self._bring_up_to_date(engine)
            except BaseException:
                engine.dispose()
                raise
        return engine

    def _bring_up_to_date(self, engine: Engine) -> None:
        with engine.connect() as connection:
            found = _revision(connection)
            if not self.is_sqlite and connection.execute(sa.text("SHOW transaction_read_only")).scalar() == "on":
                self._obstacle = UnwritableError(
                    "the database may only be read", where=self.place.shown, remedy=_ALLOW_WRITING
                )
        if found == REVISIONS[-1]:
            return
        _refuse_newer(found, self.place)
        with self._migrating(engine) as connection:
            found = _revision(connection)  # another program may have done it
            if found != REVISIONS[-1]:
                _refuse_newer(found, self.place)
                from bleuscope.workspace.migrations import upgrade  # noqa: PLC0415  # Alembic takes half a second to import

                upgrade(connection, REVISIONS[-1])

    def _refuse_other_schema(self) -> None:
        """Refuse to read what would have to be brought to this program's schema first."""
        found = self.revision()
        if found != REVISIONS[-1] and self._obstacle is not None:
            self.close()
            _refuse_newer(found, self.place)
            raise self._obstacle

    def _connected(self) -> contextlib.AbstractContextManager[Connection]:
        if self._rehearsal is not None:
            return contextlib.nullcontext(self._rehearsal)
        reader = self._reader  # which another thread may replace now
        return self._engine.connect() if reader is None else reader.connected()

    def _open_again(self) -> None:
        """Open what could only be read to write.

        Raises:
            UnwritableError: It cannot be written still.
        """
        with self._opening:
            if self._reader is None:
                return
            self._looked_at = time.monotonic()
            if not (self.place.folder / FILE).exists() and self._obstacle is not None:
                raise self._obstacle  # its disk was taken away: no new workspace is made in its place
            try:
                engine = self._opened()
            except WorkspaceError as error:
                self._obstacle = _obstacle(error, self.place)
                raise self._obstacle from error
            reader, self._engine = self._reader, engine
            self._reader = self._obstacle = None
            reader.close()

    def _look_again(self) -> None:
        self._looked_at = time.monotonic()
        if self._reader is not None:
            with contextlib.suppress(UnwritableError):
                self._open_again()
        elif self.is_sqlite and _has_room(self.place.folder) and os.access(self.place.folder / FILE, os.W_OK):
            self._obstacle = None

    @contextlib.contextmanager
    def _noting(self) -> Iterator[None]:
        """Keep in mind whether the disk took what was written."""
        try:
            yield
        except UnwritableError as error:
            self.note_obstacle(error)
            raise
        self._obstacle = None

    @contextlib.contextmanager
    def _sentences(self) -> Iterator[None]:
        """What a database cannot do, in a sentence."""
        try:
            yield
        except (SQLAlchemyError, OSError) as error:
            problem = _problem(error)
            if problem is None:
                raise
            if problem[0] == _DISK and self.is_sqlite and not _has_room(self.place.folder):
                problem = _FULL
            kind = UnwritableError if problem in _UNWRITABLE else WorkspaceError
            raise kind(problem[0], where=self.place.shown, found=_said(error), remedy=problem[1]) from error


class _Rehearsed(Database):
    """A database as one transaction reads and writes it."""

    def __init__(self, database: Database, connection: Connection) -> None:
        vars(self).update(vars(database))
        self._rehearsal = connection


def is_there(place: WorkspacePlace) -> bool:
    """Whether a workspace was made at a place; of a PostgreSQL, which says so itself, it is taken for granted."""
    return place.database is not None or (place.folder / FILE).exists()


def _may_be_readable(error: WorkspaceError) -> bool:
    return isinstance(error, UnwritableError) or error.problem in (_NOT_OPENED, _DISK)


def _obstacle(error: WorkspaceError, place: WorkspacePlace) -> UnwritableError:
    """Why a database could only be opened to read from."""
    if isinstance(error, UnwritableError):
        return error
    problem, remedy = _READ_ONLY if _has_room(place.folder) else _FULL
    found = None if problem == _FULL[0] else error.found
    return UnwritableError(problem, where=place.shown, found=found, remedy=remedy)


def _has_room(folder: Path) -> bool:
    with contextlib.suppress(OSError):
        return shutil.disk_usage(folder).free >= LEAST_ROOM
    return False


def _engine(place: WorkspacePlace) -> Engine:
    if place.database is not None:
        try:
            return sa.create_engine(place.database, pool_pre_ping=True)
        except ModuleNotFoundError as error:
            raise WorkspaceError(
                "PostgreSQL needs a package that is not installed",
                where=place.shown,
                found=f"no {error.name}",
                remedy="Install bleuscope with its extra team.",
            ) from error
    engine = sa.create_engine(f"sqlite:///{place.folder / FILE}", connect_args={"timeout": SECONDS_TO_WAIT})
    sa.event.listen(engine, "connect", _prepare_sqlite)
    sa.event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: Any, _entry: ConnectionPoolEntry) -> None:  # noqa: ANN401  # of the driver
    connection.isolation_level = None  # transactions begin below, not where Python's driver guesses
    for setting in (
        "journal_mode = WAL",
        "synchronous = FULL",
        "foreign_keys = ON",
        "secure_delete = ON",
        "trusted_schema = OFF",
    ):
        connection.execute(f"PRAGMA {setting}")


def _begin_sqlite(connection: Connection) -> None:
    asked = connection.get_execution_options()
    kind = " EXCLUSIVE" if asked.get("migrates") else " IMMEDIATE" if asked.get("writes") else ""
    if asked.get("isolation_level") != "AUTOCOMMIT":
        connection.exec_driver_sql(f"BEGIN{kind}")


def _revision(connection: Connection) -> str | None:
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(SCHEMA_NOW).scalar()


def _refuse_newer(found: str | None, place: WorkspacePlace) -> None:
    if found is not None and found not in REVISIONS:
        raise WorkspaceError(
            "a newer bleuscope has changed this workspace",
            where=place.shown,
            found=f"schema {found}",
            expected=f"at most {REVISIONS[-1]}",
            remedy="Use that version, or another workspace: --workspace DIR.",
        )


def _make_private(folder: Path) -> None:
    """Make a folder, and the file in it, that nobody else may read."""
    folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    descriptor = os.open(folder / FILE, os.O_RDWR | os.O_CREAT, PRIVATE_FILE)
    os.close(descriptor)


_ALLOW_WRITING = "Allow writing there, or name another place with --workspace."
_FULL = ("there is no more room on the disk", "Make room: bleuscope workspace prune. Nothing of this was saved.")
_READ_ONLY = ("the workspace cannot be written to", _ALLOW_WRITING)
_NOT_OPENED, _DISK = "the database cannot be opened", "the disk refuses it"
_UNWRITABLE = (_FULL, _READ_ONLY)
_PROBLEMS = (
    ("locked", "another program has been writing to it for long", "Try again, or end the other program."),
    ("busy", "another program has been writing to it for long", "Try again, or end the other program."),
    ("full", *_FULL),
    ("readonly", *_READ_ONLY),
    ("read-only", *_READ_ONLY),
    ("malformed", "the database is damaged", "Restore it from a backup."),
    ("not a database", "the file is no database", "Name another folder, or restore it from a backup."),
    ("unable to open", _NOT_OPENED, "Check the folder, and that it may be read and written."),
    ("disk i/o", _DISK, "Look at the disk; nothing was kept of this."),
    ("connection", "there is no way to the database", "Check that it runs, its address, name and password."),
    ("failed to resolve", "there is no way to the database", "Check that it runs, its address, name and password."),
    ("authentication", "the database refuses the password", "Check the address, name and password."),
    ("does not exist", "there is no such database", "Make it, or check its name."),
)


def _problem(error: Exception) -> tuple[str, str] | None:
    """What is wrong, and what to do; ``None`` for a fault of this program."""
    if isinstance(error, OSError):
        if is_full(error):
            return _FULL
        if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
            return _READ_ONLY
        return "it cannot be read or written", "Check the folder, or name another place with --workspace."
    if isinstance(error, OperationalError | DBAPIError):
        said = str(error.orig).lower()
        return next(((problem, remedy) for word, problem, remedy in _PROBLEMS if word in said), None)
    return None


def _said(error: Exception) -> str:
    """The first line of what the system or the driver says."""
    if isinstance(error, OSError):
        return (error.strerror or type(error).__name__).lower()
    said = str(getattr(error, "orig", error)).strip()
    return said.splitlines()[0] if said else type(error).__name__
