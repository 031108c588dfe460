"""Where a workspace is: a folder, with its database in it or in a PostgreSQL beside it."""

import os
from dataclasses import dataclass
from pathlib import Path

from bleucore.errors import InputError

PLACE_VARIABLE = "BLEUSCOPE_WORKSPACE"
FOLDER_VARIABLE = "BLEUSCOPE_WORKSPACE_FOLDER"
GIGABYTE = 1024**3
MOST_BYTES = 20 * GIGABYTE
"""Of texts on the disk, unless told otherwise."""
POSTGRESQL = ("postgresql://", "postgres://", "postgresql+psycopg://")


@dataclass(frozen=True)
class WorkspacePlace:
    """A workspace's place.

    Attributes:
        folder: With the blobs, and with the database unless that is elsewhere.
        database: The address of a PostgreSQL; ``None`` for SQLite in the folder.
    """

    folder: Path
    database: str | None = None

    @property
    def shown(self) -> str:
        """The place in words, without a password."""
        if self.database is None:
            return str(self.folder)
        address = self.database.partition("://")[2]
        return f"postgresql://{address.rpartition('@')[2]}, texts in {self.folder}"


def usual_place() -> WorkspacePlace:
    """What the environment names, or else the platform's folder for a person's data."""
    named = os.environ.get(PLACE_VARIABLE, "")
    return place_of(named) if named else WorkspacePlace(_usual_folder())


def place_of(named: str) -> WorkspacePlace:
    """The place that a person names: a folder, or the address of a PostgreSQL.

    Raises:
        InputError: It is an address of something else.
    """
    if named.startswith(POSTGRESQL):
        folder = os.environ.get(FOLDER_VARIABLE, "")
        address = named.partition("://")[2]
        return WorkspacePlace(Path(folder) if folder else _usual_folder(), f"postgresql+psycopg://{address}")
    if "://" in named:
        raise InputError(
            "there is no such kind of workspace",
            where="Option --workspace",
            found=f"{named.partition('://')[0]}://",
            expected="a folder or postgresql://",
            remedy="Name a folder on this machine, or a PostgreSQL database.",
        )
    return WorkspacePlace(Path(named).expanduser())


def _usual_folder() -> Path:
    from platformdirs import user_data_path  # noqa: PLC0415  # not there with the engine alone

    return user_data_path("bleuscope", appauthor=False) / "workspace"
