"""Who is who: persons by what vouches for them."""

from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, Row

from bleucore.errors import InputError
from bleuscope.workspace.columns import now
from bleuscope.workspace.database import Database
from bleuscope.workspace.errors import UnwritableError
from bleuscope.workspace.schema import person

MAX_NAME = 200
WITHOUT_LOGIN = ("local", "browser")
"""Issuers of whoever has not logged in."""
NOBODY = 0
"""The row of a person who is not in a workspace that may only be read."""
NAMELESS = "somebody"
"""What whoever has a browser's mark alone is called: the mark itself is for that browser only."""


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
        issuer: Who vouches for them.
    """

    id: int
    name: str
    email: str | None = None
    issuer: str = ""


@dataclass(frozen=True)
class Known:
    """A person with who vouches for them.

    Attributes:
        person: The row.
        identity: What their issuer says.
    """

    person: Person
    identity: Identity


class People:
    """All persons of a workspace."""

    def __init__(self, database: Database) -> None:
        """Of one database."""
        self._database = database
        self._known: dict[Identity, Person] = {}

    def person(self, identity: Identity) -> Person:
        """The row of somebody, made at the first time; the name follows what the issuer says now.

        Where nothing can be written, who was never here reads as row ``NOBODY``.

        Raises:
            WorkspaceError: The workspace cannot be used.
        """
        known = self._known.get(identity)
        if known is not None:
            return known
        try:
            with self._database.writing() as connection:
                found = self._kept(connection, identity)
        except UnwritableError:
            return self._as_found(identity)
        self._known[identity] = found
        return found

    def _as_found(self, identity: Identity) -> Person:
        """The row of somebody where none can be written; that of nobody at their first time."""
        same = (person.c.issuer == identity.issuer, person.c.subject == identity.subject)
        with self._database.reading() as connection:
            key = connection.execute(sa.select(person.c.id).where(*same)).scalar()
        name = _name(identity.issuer, identity.name, identity.subject)
        return Person(NOBODY if key is None else key, name, identity.email, identity.issuer)

    def _kept(self, connection: Connection, identity: Identity) -> Person:
        said = {"name": identity.name[:MAX_NAME], "email": identity.email}
        row = {"issuer": identity.issuer, "subject": identity.subject, "created_at": now(), **said}
        kept = self._database.insert(person).values(row)
        kept = kept.on_conflict_do_update(index_elements=["issuer", "subject"], set_=said)
        key = connection.execute(kept.returning(person.c.id)).scalar_one()
        return Person(key, _name(identity.issuer, identity.name, identity.subject), identity.email, identity.issuer)

    def known_as(self, who: str, issuer: str | None = None) -> Person:
        """The person whom somebody means who names them.

        Args:
            who: Their e-mail address, or their subject.
            issuer: Who vouches for them; with it ``who`` is their subject, and they need not have been here yet.

        Raises:
            InputError: Nobody is or can be called so, or several are.
        """
        if issuer is not None:
            return self._by_subject(who, issuer)
        same = sa.or_(sa.func.lower(person.c.email) == who.lower(), person.c.subject == who)
        asked = sa.select(person).where(same, person.c.issuer.not_in(WITHOUT_LOGIN)).order_by(person.c.id)
        with self._database.reading() as connection:
            found = [known_person(row) for row in connection.execute(asked)]
        if len(found) != 1:
            several = "; ".join(f"{one.identity.issuer} {one.identity.subject}" for one in found)
            raise InputError(
                "several people are called so" if found else "nobody of that name has logged in yet",
                where="The workspace",
                found=f"{who!r}: {several}" if found else repr(who[:MAX_NAME]),
                remedy="Say who vouches for them, and their subject: --issuer proxy, or --issuer https://….",
            )
        return found[0].person

    def _by_subject(self, subject: str, issuer: str) -> Person:
        is_issuer = issuer == "proxy" or issuer.startswith(("https://", "http://"))
        if not is_issuer or not subject or len(subject) > MAX_NAME or not subject.isprintable():
            raise InputError(
                "nobody can be called so" if is_issuer else "this vouches for nobody",
                where="The workspace",
                found=repr((subject if is_issuer else issuer)[:MAX_NAME]),
                expected="a subject, as the issuer says it" if is_issuer else "proxy, or https://…",
                remedy="Look at the log for who came in: bleuscope team log.",
            )
        same = (person.c.issuer == issuer, person.c.subject == subject)
        with self._database.reading() as connection:
            row = connection.execute(sa.select(person).where(*same)).one_or_none()
        return self.person(Identity(issuer, subject)) if row is None else known_person(row).person

    def of_row(self, key: int) -> Person:
        """The person of a row that another row names."""
        with self._database.reading() as connection:
            return known_person(connection.execute(sa.select(person).where(person.c.id == key)).one()).person

    def names(self) -> dict[int, str]:
        """The names of all persons, by their rows."""
        with self._database.reading() as connection:
            rows = connection.execute(sa.select(person))
            return {row.id: known_person(row).person.name for row in rows}


def known_person(row: Row[Any]) -> Known:
    """Who stands in a row."""
    identity = Identity(row.issuer, row.subject, row.name, row.email)
    return Known(Person(row.id, _name(row.issuer, row.name, row.subject), row.email, row.issuer), identity)


def _name(issuer: str, name: str, subject: str) -> str:
    return name[:MAX_NAME] or (NAMELESS if issuer == "browser" else subject)
