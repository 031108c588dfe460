"""From each schema to the next: Alembic's scripts, run within one transaction under a lock."""

import threading
from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection

FUNCTIONS = ("event_stays", "annotation_stays")
"""That the scripts make in PostgreSQL."""
_AT_WORK = threading.RLock()
"""Alembic's scripts share what they run in with all threads of the process."""


def upgrade(connection: Connection, revision: str) -> None:
    """Bring a database to a schema.

    Args:
        connection: In a transaction that nobody else can write beside.
        revision: Of the schema.
    """
    with _AT_WORK:
        command.upgrade(settings(connection), revision)


def make_anew(connection: Connection, revision: str) -> None:
    """Bring an empty database back to an earlier schema: all tables go, and are made as they were then.

    Args:
        connection: In a transaction that nobody else can write beside.
        revision: Of the schema.
    """
    found = sa.MetaData()
    found.reflect(connection)
    found.drop_all(connection)
    for name in FUNCTIONS if connection.dialect.name == "postgresql" else ():
        connection.execute(sa.text(f"DROP FUNCTION IF EXISTS {name}()"))
    upgrade(connection, revision)


def settings(connection: Connection) -> Config:
    """What Alembic needs to know."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
