"""Links for who has no account: each opens one view, until a day, unless it is revoked before.

Only the hash of a link's secret is kept: who reads the database cannot open what it leads to. A link into a project
works as long as whoever made it may read that project.
"""

import hashlib
import re
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, Row

from bleucore.errors import InputError
from bleuscope.workspace.access import Access
from bleuscope.workspace.columns import now
from bleuscope.workspace.database import Database
from bleuscope.workspace.errors import NotFoundError
from bleuscope.workspace.events import note_event
from bleuscope.workspace.people import Person, known_person
from bleuscope.workspace.schema import person, project, share

SECRET_BYTES = 16
SECRET = re.compile(r"[A-Za-z0-9_-]{22}")
MOST_DAYS = 366
MAX_QUERY = 8_000
"""Letters of an address that browsers and proxies hand on."""


@dataclass(frozen=True)
class Share:
    """A link.

    Attributes:
        id: Its row.
        page: The page that it opens, as its address begins.
        query: What stands behind the question mark there.
        project: The slug of the project that it shows; ``None`` outside of any.
        author: Who made it.
        created_at: When it was made.
        expires_at: Until when it works.
    """

    id: int
    page: str
    query: str
    project: str | None
    author: Person
    created_at: datetime
    expires_at: datetime


class Shares:
    """All links of a workspace."""

    def __init__(self, database: Database, access: Access) -> None:
        """Of one workspace."""
        self._database = database
        self._access = access

    def make(self, who: Person, page: str, query: str, expires_at: datetime, slug: str | None = None) -> str:
        """Make a link; its secret, which is nowhere else.

        Args:
            who: Makes it.
            page: That it opens.
            query: What stands behind the question mark there.
            expires_at: Until when it works.
            slug: Of the project that it shows.

        Raises:
            NotFoundError: There is no such project, or not for them.
            ForbiddenError: They may see it, and make no links to it.
            InputError: It would work for too long, or never, or the address is too long.
            WorkspaceError: The workspace cannot be written.
        """
        moment = now()
        if not moment < expires_at <= moment + timedelta(days=MOST_DAYS):
            raise InputError(
                "a link cannot work until then",
                where="The link",
                found=f"{expires_at:%Y-%m-%d}",
                expected=f"a day within the next {MOST_DAYS}",
                remedy="Choose another day.",
            )
        if len(query) > MAX_QUERY:
            raise InputError(
                "the address is too long for a link",
                where="The link",
                found=f"{len(query):,} characters",
                expected=f"at most {MAX_QUERY:,}",
                remedy="Take conditions or names out of the view first.",
            )
        key = None if slug is None else self._access.require(who, slug, "make link").id
        secret = secrets.token_urlsafe(SECRET_BYTES)
        row = {
            "person_id": who.id,
            "project_id": key,
            "hash": _hash(secret),
            "page": page,
            "query": query,
            "created_at": moment,
            "expires_at": expires_at,
        }
        with self._database.writing() as connection:
            made = connection.execute(sa.insert(share).values(row).returning(share.c.id)).scalar_one()
            said = {"link": made, "page": page, "until": f"{expires_at:%Y-%m-%d}"}
            note_event(connection, who, slug, "link made", said)
        return secret

    def opened_by(self, secret: str) -> Share | None:
        """The link of a secret, while it works."""
        if not SECRET.fullmatch(secret):
            return None
        return self._working(share.c.hash == _hash(secret))

    def working(self, key: int) -> Share | None:
        """The link of a row, while it works."""
        return self._working(share.c.id == key)

    def made_by(self, who: Person) -> tuple[Share, ...]:
        """The links that somebody made and that still work, the last first."""
        asked = _shares().where(share.c.person_id == who.id, *_in_force()).order_by(share.c.id.desc())
        with self._database.reading() as connection:
            return tuple(_share(row) for row in connection.execute(asked))

    def in_project(self, who: Person, slug: str) -> tuple[Share, ...]:
        """The links into a project that still work, the last first.

        Raises:
            NotFoundError: There is no such project, or not for them.
            ForbiddenError: They do not own it.
        """
        found = self._access.require(who, slug, "revoke links of others")
        asked = _shares().where(share.c.project_id == found.id, *_in_force()).order_by(share.c.id.desc())
        with self._database.reading() as connection:
            return tuple(_share(row) for row in connection.execute(asked))

    def revoke(self, who: Person, key: int) -> None:
        """End a link, at once: one's own, or as an owner one into the project.

        Raises:
            NotFoundError: There is no such link that still works, or not for them.
            WorkspaceError: The workspace cannot be written.
        """
        with self._database.reading() as connection:
            found = _one(connection, share.c.id == key)
        may = found is not None and (
            found.author.id == who.id or (found.project is not None and self._access.may(who, found.project, "own"))
        )
        if found is None or not may:
            raise NotFoundError(
                "there is no such link",
                where="The workspace",
                found=str(key),
                remedy="It has ended already, or somebody else made it.",
            )
        with self._database.writing() as connection:
            connection.execute(sa.update(share).where(share.c.id == key).values(revoked_at=now()))
            note_event(connection, who, found.project, "link revoked", {"link": key, "page": found.page})

    def _working(self, which: sa.ColumnElement[bool]) -> Share | None:
        with self._database.reading() as connection:
            found = _one(connection, which)
        if found is None or found.project is None or self._access.may(found.author, found.project, "read"):
            return found
        return None


def _one(connection: Connection, which: sa.ColumnElement[bool]) -> Share | None:
    row = connection.execute(_shares().where(which, *_in_force())).one_or_none()
    return None if row is None else _share(row)


def _in_force() -> tuple[sa.ColumnElement[bool], ...]:
    return share.c.revoked_at.is_(None), share.c.expires_at > now()


def _shares() -> sa.Select[Any]:
    said = (share.c.id.label("share_id"), share.c.page, share.c.query, share.c.expires_at)
    made = share.c.created_at.label("made_at")
    joined = share.join(person, share.c.person_id == person.c.id).outerjoin(project, share.c.project_id == project.c.id)
    return sa.select(*said, made, project.c.slug, person).select_from(joined)


def _share(row: Row[Any]) -> Share:
    author = known_person(row).person
    return Share(row.share_id, row.page, row.query, row.slug, author, row.made_at, row.expires_at)


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
