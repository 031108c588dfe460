"""Who is who: persons by what vouches for them."""

from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy import Connection

from workspace.columns import now
from workspace.database import Database
from workspace.schema import person

MAX_NAME = 200


@dataclass(frozen=True)
class Identity:
    """Somebody, as whoever vouches for them says.

    Attributes:
        issuer: Who vouches: "local", "browser", "proxy", or the address of an OpenID provider.
        subject: The name that never changes, given by the issuer; "" for the one person of a machine.
        name: To show; it may change.
        email: As the issuer says.
    """

    issuer: str
    subject: str
    name: str = ""
    email: str | None = None


LOCAL = Identity("local", "", "you")
"""Whoever runs bleuscope for themselves."""


@dataclass(frozen=True)
class Person:
    """A row of persons.

    Attributes:
        id: In this workspace.
        name: To show.
        email: As their issuer says.
    """

    id: int
    name: str
    email: str | None = None


class People:
    """All persons of a workspace."""

    def __init__(self, database: Database) -> None:
        """Of one database."""
        self._database = database
        self._known: dict[Identity, Person] = {}

    def person(self, identity: Identity) -> Person:
        """The row of somebody, made at the first time; the name follows what the issuer says now.

        Raises:
            WorkspaceError: The workspace cannot be used.
        """
        known = self._known.get(identity)
        if known is not None:
            return known
        with self._database.writing() as connection:
            found = self._kept(connection, identity)
        self._known[identity] = found
        return found

    def _kept(self, connection: Connection, identity: Identity) -> Person:
        said = {"name": identity.name[:MAX_NAME], "email": identity.email}
        row = {"issuer": identity.issuer, "subject": identity.subject, "created_at": now(), **said}
        kept = self._database.insert(person).values(row)
        kept = kept.on_conflict_do_update(index_elements=["issuer", "subject"], set_=said)
        key = connection.execute(kept.returning(person.c.id)).scalar_one()
        return Person(key, said["name"] or identity.subject, identity.email)

    def names(self) -> dict[int, str]:
        """The names of all persons, by their rows."""
        with self._database.reading() as connection:
            rows = connection.execute(sa.select(person.c.id, person.c.name, person.c.subject))
            return {row.id: row.name or row.subject for row in rows}
