"""Views: a page with all its choices, under a name that a person gave."""

from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from bleucore.errors import InputError
from bleuscope.workspace.columns import now
from bleuscope.workspace.database import Database
from bleuscope.workspace.people import Person
from bleuscope.workspace.schema import view

MAX_NAME, MAX_QUERY = 120, 60_000
MOST_VIEWS = 500


@dataclass(frozen=True)
class NamedView:
    """A view.

    Attributes:
        name: That the person gave it; each once.
        page: As ``page_list`` names it.
        query: What stands behind the question mark of the address.
        created_at: When it was kept.
    """

    name: str
    page: str
    query: str
    created_at: datetime


class Views:
    """The views of all persons."""

    def __init__(self, database: Database) -> None:
        """Of one workspace."""
        self._database = database

    def keep(self, person: Person, name: str, page: str, query: str) -> None:
        """Keep a view; one that had the name already is replaced.

        Raises:
            InputError: It has no name, or there are too many.
            WorkspaceError: The workspace cannot be written.
        """
        tidy = " ".join(name.split())[:MAX_NAME]
        if not tidy or len(query) > MAX_QUERY:
            raise InputError("the view has no name, or too long an address", where="View", remedy="Give it a name.")
        said = {"page": page, "query": query, "created_at": now()}
        with self._database.writing() as connection:
            of = sa.select(sa.func.count()).select_from(view).where(view.c.person_id == person.id)
            if connection.execute(of).scalar_one() >= MOST_VIEWS:
                raise InputError("there are too many views", where="View", found=MOST_VIEWS, remedy="Delete one first.")
            made = self._database.insert(view).values(person_id=person.id, name=tidy, **said)
            connection.execute(made.on_conflict_do_update(index_elements=["person_id", "name"], set_=said))

    def all(self, person: Person) -> tuple[NamedView, ...]:
        """The views of a person, the last first."""
        columns = [view.c[name] for name in ("name", "page", "query", "created_at")]
        asked = sa.select(*columns).where(view.c.person_id == person.id).order_by(view.c.created_at.desc())
        with self._database.reading() as connection:
            return tuple(NamedView(*row) for row in connection.execute(asked))

    def delete(self, person: Person, name: str) -> None:
        """Forget a view.

        Raises:
            WorkspaceError: The workspace cannot be written.
        """
        with self._database.writing() as connection:
            connection.execute(sa.delete(view).where(view.c.person_id == person.id, view.c.name == name))
