"""A workspace as one file, and back: every row and every text, whichever database either side has.

A tar archive: ``workspace.json`` says what it is, ``rows/TABLE.jsonl`` has a row a line, ``blobs/DIGEST.gz`` the texts.
Nothing in it is a path to write to: names are looked up, digests are checked.
"""

import base64
import contextlib
import io
import json
import os
import re
import tarfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import mkstemp
from typing import Any, cast

import sqlalchemy as sa
from sqlalchemy import Connection

from bleuscope.workspace.blobs import unpacked
from bleuscope.workspace.columns import now, written_moment
from bleuscope.workspace.database import REVISIONS, Database
from bleuscope.workspace.errors import WorkspaceError
from bleuscope.workspace.place import Place
from bleuscope.workspace.workspace import Workspace, open_workspace

KIND, FORMAT = "bleuscope workspace", 1
HEAD, ROWS, BLOBS = "workspace.json", "rows", "blobs"
MOST_HEAD, MOST_ROWS, MOST_BLOB = 2**20, 2**31, 2**30
"""Bytes of the parts of an archive that are read at all."""
ROWS_AT_ONCE = 500
_BLOB = re.compile(rf"{BLOBS}/([0-9a-f]{{64}})\.gz")
_BYTES = "base64"


def back_up(workspace: Workspace, file: Path) -> int:
    """Write a whole workspace to a file, which is there when it is complete; how many texts it holds.

    Others may go on working meanwhile: the file is what the workspace was at one moment.

    Raises:
        WorkspaceError: It cannot be written, or what was deleted meanwhile is missing.
    """
    with _refusals(file):
        descriptor, name = mkstemp(dir=file.parent, prefix=f".{file.name}-")
        try:
            with os.fdopen(descriptor, "wb") as whole, tarfile.open(fileobj=whole, mode="w") as archive:
                n_blobs = _write(workspace, archive)
            Path(name).replace(file)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    return n_blobs


def restore(place: Place, file: Path) -> int:
    """Make a workspace from a backup where there is none; how many texts it holds.

    A backup of an older program is brought to this one's schema.

    Raises:
        WorkspaceError: Something is there, or the file is no backup, or of a newer program, or damaged.
    """
    with _refusals(file), tarfile.open(file, "r:") as archive:
        head = _head(archive, file)
        with Database(place) as database:
            _refuse_used(database)
            with database.migrating_anew(head["revision"]) as connection:
                _read_rows(connection, archive, head["tables"], file)
        with open_workspace(place) as workspace:
            n_blobs = _read_blobs(workspace, archive, file)
            _refuse_incomplete(workspace, file)
    return n_blobs


def _write(workspace: Workspace, archive: tarfile.TarFile) -> int:
    with workspace.database.reading() as connection:
        tables = _tables(connection)
        head = {
            "kind": KIND,
            "format": FORMAT,
            "revision": REVISIONS[-1],
            "made_at": written_moment(now()),
            "tables": [table.name for table in tables],
        }
        _add(archive, HEAD, json.dumps(head, indent=1).encode())
        for table in tables:
            rows = connection.execute(sa.select(table).order_by(*table.primary_key.columns)).mappings()
            lines = (json.dumps({name: _told(value) for name, value in row.items()}) + "\n" for row in rows)
            _add(archive, f"{ROWS}/{table.name}.jsonl", "".join(lines).encode())
        named = sorted(workspace.holdings.named(connection))
    for digest in named:
        _add(archive, f"{BLOBS}/{digest}.gz", workspace.blobs.packed(digest))
    return len(named)


def _tables(connection: Connection) -> list[sa.Table]:
    """The tables as they are in the database, without what Python makes of their values."""
    found = sa.MetaData()
    found.reflect(connection)
    return [table for table in found.sorted_tables if table.name != "alembic_version"]


def _read_rows(connection: Connection, archive: tarfile.TarFile, names: list[str], file: Path) -> None:
    tables = {table.name: table for table in _tables(connection)}
    if sorted(tables) != sorted(names):
        raise _no_backup(file, "other tables than its schema has")
    for name, table in tables.items():  # in an order in which what a row names is there before it
        rows = [
            {column: _meant(value) for column, value in json.loads(line).items()}
            for line in _part(archive, f"{ROWS}/{name}.jsonl", MOST_ROWS, file).splitlines()
        ]
        for start in range(0, len(rows), ROWS_AT_ONCE):
            connection.execute(sa.insert(table), rows[start : start + ROWS_AT_ONCE])
        _count_on(connection, table)


def _count_on(connection: Connection, table: sa.Table) -> None:
    """Have PostgreSQL number new rows after those that came with their numbers, as SQLite does by itself."""
    if connection.dialect.name == "postgresql" and "id" in table.columns:
        counter = sa.func.pg_get_serial_sequence(table.name, "id")
        last = sa.select(sa.func.coalesce(sa.func.max(table.c.id), 0) + 1).scalar_subquery()
        connection.execute(sa.select(sa.func.setval(counter, last, False)))  # noqa: FBT003  # SQL's own


def _read_blobs(workspace: Workspace, archive: tarfile.TarFile, file: Path) -> int:
    n_blobs = 0
    for member in archive:
        found = _BLOB.fullmatch(member.name)
        if found is None or not member.isfile() or member.size > MOST_BLOB:
            continue
        content = unpacked(_of(archive, member), str(file))
        blob = workspace.blobs.prepare(content)
        if blob.digest != found[1]:
            workspace.blobs.forget(blob)
            raise _no_backup(file, f"{member.name} with other texts than it was made of")
        workspace.blobs.place(blob)
        n_blobs += 1
    return n_blobs


def _refuse_used(database: Database) -> None:
    with database.reading() as connection:
        used = [table.name for table in _tables(connection) if connection.execute(sa.select(table).limit(1)).first()]
    if used:
        raise WorkspaceError(
            "there is a workspace already",
            where=database.place.shown,
            found=f"rows in {used[0]}",
            expected="an empty place",
            remedy="Restore to another place: --workspace DIR.",
        )


def _refuse_incomplete(workspace: Workspace, file: Path) -> None:
    with workspace.database.reading() as connection:
        lost = [digest for digest in workspace.holdings.named(connection) if not workspace.blobs.has(digest)]
    if lost:
        raise _no_backup(file, f"{len(lost)} texts missing")


def _head(archive: tarfile.TarFile, file: Path) -> Mapping[str, Any]:
    try:
        head = json.loads(_part(archive, HEAD, MOST_HEAD, file))
        if head["kind"] != KIND or head["format"] != FORMAT:
            raise _no_backup(file, f"{head['kind']} {head['format']}"[:80])
        tables = [str(name) for name in head["tables"]]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise _no_backup(file, "no description of a workspace") from error
    if head["revision"] not in REVISIONS:
        raise WorkspaceError(
            "a newer bleuscope has made this backup",
            where=str(file),
            found=f"schema {head['revision']!r}",
            expected=f"at most {REVISIONS[-1]}",
            remedy="Use that version.",
        )
    return {**head, "tables": tables}


def _part(archive: tarfile.TarFile, name: str, most: int, file: Path) -> bytes:
    try:
        member = archive.getmember(name)
    except KeyError as error:
        raise _no_backup(file, f"no {name}") from error
    if not member.isfile() or member.size > most:
        raise _no_backup(file, f"{member.size:,} bytes of {name}")
    return _of(archive, member)


def _of(archive: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    return cast("io.BufferedReader", archive.extractfile(member)).read()


def _add(archive: tarfile.TarFile, name: str, content: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size = len(content)
    archive.addfile(member, io.BytesIO(content))


def _told(value: object) -> object:
    """A value as JSON holds it."""
    return {_BYTES: base64.b64encode(value).decode()} if isinstance(value, bytes) else value


def _meant(value: object) -> object:
    return base64.b64decode(value[_BYTES]) if isinstance(value, dict) else value


def _no_backup(file: Path, found: str) -> WorkspaceError:
    return WorkspaceError(
        "this is no backup of a workspace, or a damaged one",
        where=str(file),
        found=found,
        remedy="Take another one; nothing else was touched.",
    )


@contextlib.contextmanager
def _refusals(file: Path) -> Iterator[None]:
    try:
        yield
    except tarfile.TarError as error:
        raise _no_backup(file, str(error)) from error
    except (OSError, EOFError) as error:
        raise WorkspaceError(
            "the file cannot be read or written",
            where=str(file),
            found=(getattr(error, "strerror", None) or type(error).__name__).lower(),
            remedy="Check the name and the room on the disk.",
        ) from error
