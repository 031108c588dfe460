"""The database behind a workspace: how it is opened, brought to this schema, read and written.

A write begins with the lock that it needs, so that it never fails halfway because another one was quicker.
"""

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import sqlalchemy as sa
from sqlalchemy import Connection, Engine
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, OperationalError, SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry

from bleuscope.workspace.blobs import PRIVATE_FOLDER
from bleuscope.workspace.errors import WorkspaceError
from bleuscope.workspace.place import Place

FILE = "workspace.sqlite"
SECONDS_TO_WAIT = 30
"""For whoever writes at the moment."""
REVISIONS = ("0001",)
"""Of the schema, the newest last: a script of ``migrations/versions`` each."""
SCHEMA_NOW = sa.text("SELECT version_num FROM alembic_version")
SWEEP_LOCK, MIGRATION_LOCK = 0x626C6575, 0x626C6576
"""Numbers of PostgreSQL's advisory locks."""
PRIVATE_FILE = 0o600


class Database:
    """Connections to one database."""

    def __init__(self, place: Place) -> None:
        """Open the database of a place, and bring it to this program's schema.

        Raises:
            WorkspaceError: There is no way to it, or a newer program has changed its schema.
        """
        self.place = place
        self.is_sqlite = place.database is None
        with self._sentences():
            if self.is_sqlite:
                _make_private(place.folder)
            self._engine = _engine(place)
            try:
                self._bring_up_to_date()
            except BaseException:
                self.close()
                raise

    @contextlib.contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection to read with, which sees one state of the database.

        Raises:
            WorkspaceError: The database cannot be read.
        """
        with self._sentences(), self._engine.connect() as connection:
            yield connection

    @contextlib.contextmanager
    def writing(self, *, sweeps: bool = False) -> Iterator[Connection]:
        """A connection to write with: all of it is kept when the block ends, or nothing.

        Args:
            sweeps: Whether blobs without a name are taken away, while nobody else may give one a name.

        Raises:
            WorkspaceError: The database cannot be written.
        """
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
    def migrating_anew(self, revision: str) -> Iterator[Connection]:
        """A connection to an empty database of that schema; when the block ends, it is brought to this program's.

        Args:
            revision: One of ``REVISIONS``.

        Raises:
            WorkspaceError: The database cannot be written.
        """
        from bleuscope.workspace.migrations import make_anew, upgrade  # noqa: PLC0415  # Alembic takes half a second to import

        with self._sentences(), self._migrating() as connection:
            make_anew(connection, revision)
            yield connection
            upgrade(connection, REVISIONS[-1])

    @contextlib.contextmanager
    def _migrating(self) -> Iterator[Connection]:
        """A connection whose transaction nobody else writes beside."""
        with self._engine.connect().execution_options(migrates=True) as connection, connection.begin():
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

    def copy_to(self, file: Path) -> None:
        """Write a copy of an SQLite database as it is at one moment, while others go on writing.

        Raises:
            WorkspaceError: It cannot be written.
        """
        with self._sentences(), self._engine.connect() as connection:
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

    def _bring_up_to_date(self) -> None:
        with self._engine.connect() as connection:
            found = _revision(connection)
        if found == REVISIONS[-1]:
            return
        _refuse_newer(found, self.place)
        with self._migrating() as connection:
            found = _revision(connection)  # another program may have done it
            if found != REVISIONS[-1]:
                _refuse_newer(found, self.place)
                from bleuscope.workspace.migrations import upgrade  # noqa: PLC0415  # Alembic takes half a second to import

                upgrade(connection, REVISIONS[-1])

    @contextlib.contextmanager
    def _sentences(self) -> Iterator[None]:
        """What a database cannot do, in a sentence."""
        try:
            yield
        except (SQLAlchemyError, OSError) as error:
            problem = _problem(error)
            if problem is None:
                raise
            raise WorkspaceError(problem[0], where=self.place.shown, found=_said(error), remedy=problem[1]) from error


def is_there(place: Place) -> bool:
    """Whether a workspace was made at a place; of a PostgreSQL, which says so itself, it is taken for granted."""
    return place.database is not None or (place.folder / FILE).exists()


def _engine(place: Place) -> Engine:
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


def _refuse_newer(found: str | None, place: Place) -> None:
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


_PROBLEMS = (
    ("locked", "another program has been writing to it for long", "Try again, or end the other program."),
    ("busy", "another program has been writing to it for long", "Try again, or end the other program."),
    ("full", "there is no more room on the disk", "Make room; nothing was kept of this."),
    ("readonly", "it cannot be written to", "Allow writing there, or name another place with --workspace."),
    ("read-only", "it cannot be written to", "Allow writing there, or name another place with --workspace."),
    ("malformed", "the database is damaged", "Restore it from a backup."),
    ("not a database", "the file is no database", "Name another folder, or restore it from a backup."),
    ("unable to open", "the database cannot be opened", "Check the folder, and that it may be read and written."),
    ("disk i/o", "the disk refuses it", "Look at the disk; nothing was kept of this."),
    ("connection", "there is no way to the database", "Check that it runs, its address, name and password."),
    ("failed to resolve", "there is no way to the database", "Check that it runs, its address, name and password."),
    ("authentication", "the database refuses the password", "Check the address, name and password."),
    ("does not exist", "there is no such database", "Make it, or check its name."),
)


def _problem(error: Exception) -> tuple[str, str] | None:
    """What is wrong, and what to do; ``None`` for a fault of this program."""
    if isinstance(error, OSError):
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            return "there is no more room on the disk", "Make room; nothing was kept of this."
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
