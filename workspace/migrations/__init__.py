"""From each schema to the next: Alembic's scripts, run within one transaction under a lock."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection


def upgrade(connection: Connection, revision: str) -> None:
    """Bring a database to a schema.

    Args:
        connection: In a transaction that nobody else can write beside.
        revision: Of the schema.
    """
    command.upgrade(settings(connection), revision)


def settings(connection: Connection) -> Config:
    """What Alembic needs to know."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
