"""One workspace: its parts, opened together."""

import contextlib
from collections.abc import Iterator
from functools import cached_property
from typing import Self

from bleuscope.workspace import reserve
from bleuscope.workspace.access import Access
from bleuscope.workspace.attachments import Beside
from bleuscope.workspace.blobs import Blobs, RehearsedBlobs
from bleuscope.workspace.cache_files import CacheFiles, caches_of
from bleuscope.workspace.comparisons import Comparisons
from bleuscope.workspace.database import Database
from bleuscope.workspace.disk_usage import Holdings
from bleuscope.workspace.people import People
from bleuscope.workspace.place import MOST_BYTES, WorkspacePlace
from bleuscope.workspace.projects import Projects
from bleuscope.workspace.results import Results
from bleuscope.workspace.shares import Shares
from bleuscope.workspace.tokens import Tokens
from bleuscope.workspace.views import Views
from bleuscope.workspace.work import WorkOfPeople

BLOB_FOLDER = "blobs"


class Workspace:
    """What is kept in one place.

    Attributes:
        place: Where it is.
        database: Its rows.
        blobs: Its texts.
    """

    def __init__(self, database: Database, blobs: Blobs, most_bytes: int) -> None:
        """Put its parts together.

        Args:
            database: Its rows.
            blobs: Its texts.
            most_bytes: So much room its texts may take on the disk.
        """
        self.place = database.place
        self.database = database
        self.blobs = blobs
        self._most_bytes = most_bytes

    @contextlib.contextmanager
    def rehearsing(self) -> Iterator["Workspace"]:
        """This workspace, in which the end of the block undoes all that was written: for a dry run.

        Nobody else writes meanwhile.

        Raises:
            WorkspaceError: The workspace cannot be written.
        """
        with self.database.rehearsing() as database:
            yield Workspace(database, RehearsedBlobs(self.blobs.folder), self._most_bytes)

    @cached_property
    def holdings(self) -> Holdings:
        """Which blobs are named, and how much room there is."""
        return Holdings(self.database, self.blobs, self._most_bytes)

    @cached_property
    def caches(self) -> CacheFiles:
        """What can be computed again."""
        return caches_of(self.place, self._most_bytes)

    @cached_property
    def people(self) -> People:
        """Who is who."""
        return People(self.database)

    @cached_property
    def comparisons(self) -> Comparisons:
        """What was opened."""
        return Comparisons(self.database, self.blobs, self.holdings)

    @cached_property
    def beside(self) -> Beside:
        """Files that were read beside texts."""
        return Beside(self.database, self.blobs, self.holdings)

    @cached_property
    def work(self) -> WorkOfPeople:
        """What people said about texts."""
        return WorkOfPeople(self.database)

    @cached_property
    def views(self) -> Views:
        """Pages with all their choices, under names."""
        return Views(self.database)

    @cached_property
    def projects(self) -> Projects:
        """Test sets, systems and their versions."""
        return Projects(self.database, self.blobs, self.holdings)

    @cached_property
    def tokens(self) -> Tokens:
        """What programs show in place of a person."""
        return Tokens(self.database)

    @cached_property
    def results(self) -> Results:
        """What versions score."""
        return Results(self.database, self.projects)

    @cached_property
    def access(self) -> Access:
        """Who may do what in which project."""
        return Access(self.database, self.projects)

    @cached_property
    def shares(self) -> Shares:
        """Links for who has no account."""
        return Shares(self.database, self.access)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End all connections."""
        self.database.close()


def open_workspace(place: WorkspacePlace, *, most_bytes: int = MOST_BYTES) -> Workspace:
    """The workspace of a place, made if it is not there.

    On a disk that is full or may only be read, it is opened to read from.

    Args:
        place: Where it is.
        most_bytes: So much room its texts may take on the disk.

    Raises:
        WorkspaceError: It cannot be opened.
    """
    database = Database(place)
    if database.is_sqlite and database.obstacle is None:
        reserve.keep(place.folder)
    return Workspace(database, Blobs(place.folder / BLOB_FOLDER), most_bytes)
