"""An SQLite database that cannot be written: how it is read all the same.

SQLite needs a file for the index of its write-ahead log, which neither a full nor a read-only disk takes. What can be
done without it depends on what is there, so each way is tried, from the one that sees most to the one that is least.
"""

import contextlib
import shutil
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import mkdtemp
from typing import Any
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry, NullPool

SECONDS_TO_WAIT = 30
LOG = "-wal"


@dataclass
class Reader:
    """A database to read from.

    Attributes:
        engine: Its connections, one for each time that something is read.
        copy: The folder of the copy that is read; ``None`` where the database itself is.
    """

    engine: Engine
    copy: Path | None = None
    _open: threading.local = field(default_factory=threading.local, repr=False)

    @contextlib.contextmanager
    def connected(self) -> Iterator[Connection]:
        """A connection; within another one of the same thread it is that one, which may have locked all others out."""
        current: Connection | None = getattr(self._open, "connection", None)
        if current is not None:
            yield current
            return
        with self.engine.connect() as connection:
            self._open.connection = connection
            try:
                yield connection
            finally:
                self._open.connection = None

    def close(self) -> None:
        """End all connections."""
        self.engine.dispose()
        if self.copy is not None:
            shutil.rmtree(self.copy, ignore_errors=True)


def reader_of(file: Path) -> Reader | None:
    """A way to read a database; ``None`` where there is none."""
    if not file.is_file() or not file.stat().st_size:
        return None
    ways: list[Callable[[Path], Reader]] = [_locked, _as_it_is, _copied if _has_log(file) else _unchanging]
    for way in ways:
        with contextlib.suppress(OSError, SQLAlchemyError):
            return _tried(way(file))
    return None


def _tried(reader: Reader) -> Reader:
    try:
        with reader.connected() as connection:
            connection.exec_driver_sql("SELECT count(*) FROM sqlite_master")
    except BaseException:
        reader.close()
        raise
    return reader


def _locked(file: Path) -> Reader:
    """Alone while it reads, with the index of the log in memory: a full disk."""
    return Reader(_engine(file, "mode=rw", ("locking_mode = EXCLUSIVE",)))


def _as_it_is(file: Path) -> Reader:
    """With the log and its index as others left them: a read-only disk."""
    return Reader(_engine(file, "mode=ro"))


def _unchanging(file: Path) -> Reader:
    """Without a log, where there is none."""
    return Reader(_engine(file, "immutable=1"))


def _copied(file: Path) -> Reader:
    """With its log, elsewhere: a read-only disk without the index."""
    copy = Path(mkdtemp(prefix="bleuscope-"))
    try:
        for ending in ("", LOG):
            shutil.copyfile(f"{file}{ending}", copy / f"{file.name}{ending}")
        return Reader(_engine(copy / file.name, "mode=rw"), copy)
    except BaseException:
        shutil.rmtree(copy, ignore_errors=True)
        raise


def _has_log(file: Path) -> bool:
    log = file.with_name(f"{file.name}{LOG}")
    return log.exists() and log.stat().st_size > 0


def _engine(file: Path, how: str, settings: tuple[str, ...] = ()) -> Engine:
    address = f"sqlite:///file:{quote(str(file.absolute()))}?{how}&uri=true"
    engine = sa.create_engine(address, poolclass=NullPool, connect_args={"timeout": SECONDS_TO_WAIT})

    def prepare(connection: Any, _entry: ConnectionPoolEntry) -> None:  # noqa: ANN401  # of the driver
        connection.isolation_level = None
        for setting in (*settings, "query_only = ON", "trusted_schema = OFF"):
            connection.execute(f"PRAGMA {setting}")

    sa.event.listen(engine, "connect", prepare)
    sa.event.listen(engine, "begin", _begin)
    return engine


def _begin(connection: Connection) -> None:
    if connection.get_execution_options().get("isolation_level") != "AUTOCOMMIT":
        connection.exec_driver_sql("BEGIN")
