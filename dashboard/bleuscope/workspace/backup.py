"""A workspace as one file: every row and every text, whichever database it has."""

from pathlib import Path

import sqlalchemy as sa
from sqlalchemy import Connection

from bleuscope.workspace.backup_archive import BLOBS, ROWS, Writer
from bleuscope.workspace.backup_rows import written_rows
from bleuscope.workspace.columns import now, written_moment
from bleuscope.workspace.database import REVISIONS
from bleuscope.workspace.errors import WorkspaceError
from bleuscope.workspace.leftovers import clear_backups, file_in_place_of
from bleuscope.workspace.workspace import Workspace


def back_up(workspace: Workspace, file: Path) -> int:
    """Write a whole workspace to a file, which is there when it is complete; how many texts it holds.

    Others may go on working meanwhile: the file is what the workspace was at one moment.

    Raises:
        WorkspaceError: It cannot be written, or a text is missing or damaged.
    """
    clear_backups(file.parent)
    try:
        with file_in_place_of(file) as opened:
            return _write(workspace, Writer(opened))
    except OSError as error:
        raise WorkspaceError(
            "the backup cannot be written",
            where=str(file),
            found=(error.strerror or type(error).__name__).lower(),
            remedy="Check the folder and the room on its disk.",
        ) from error


def tables_of(connection: Connection) -> list[sa.Table]:
    """The tables as they are in the database, without what Python makes of their values."""
    found = sa.MetaData()
    found.reflect(connection)
    return [table for table in found.sorted_tables if table.name != "alembic_version"]


def _write(workspace: Workspace, writer: Writer) -> int:
    with workspace.database.reading() as connection:
        tables = tables_of(connection)
        for table in tables:
            writer.add(f"{ROWS}/{table.name}.jsonl", b"".join(written_rows(connection, table)))
        named = sorted(workspace.holdings.named(connection))
    for digest in named:
        writer.add(f"{BLOBS}/{digest}.gz", workspace.blobs.checked(digest))
    names = [table.name for table in tables]
    writer.close({"revision": REVISIONS[-1], "made_at": written_moment(now()), "tables": names})
    return len(named)
