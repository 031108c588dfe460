"""Tokens: what a program shows in place of a person. Each is of one project, with one right, until one day.

A token is drawn, shown once and never kept: the table has its SHA-256. It has 256 random bits, so nobody finds one by
trying, and a fast digest is enough, where passwords need a slow one. It is looked up by that digest: how long a look
takes may tell how much of a *digest* agrees, which is of no use to whoever cannot choose what a token's digest will be,
so nothing needs to be compared in constant time.
"""

import contextlib
import hashlib
import re
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal, get_args

import sqlalchemy as sa
from sqlalchemy import Row

from bleucore.errors import InputError
from bleucore.written_numbers import counted
from bleuscope.workspace.columns import now
from bleuscope.workspace.database import Database
from bleuscope.workspace.errors import NotFoundError, UnwritableError
from bleuscope.workspace.events import note_event
from bleuscope.workspace.names import checked_name
from bleuscope.workspace.people import Person
from bleuscope.workspace.projects import Project
from bleuscope.workspace.schema import person, project, token

Right = Literal["read", "write"]
RIGHTS: tuple[Right, ...] = get_args(Right)
PREFIX = "bls_"
"""Programs that look for secrets in places where none should be know it by this."""
N_RANDOM_BYTES = 32
FORM = re.compile(rf"{PREFIX}[A-Za-z0-9_-]{{43}}")
USUAL_DAYS, MOST_DAYS = 365, 3650
BETWEEN_NOTES = timedelta(minutes=1)
"""So rarely it is noted that a token was used: each note is a write that others wait for."""


@dataclass(frozen=True)
class Token:
    """A token without what it says.

    Attributes:
        id: Its row.
        project: The slug of its project.
        name: That whoever made it gave it.
        right: "write" holds "read".
        made_by: Who made it: what is done with it is theirs.
        created_at: When it was made.
        expires_at: From when on it is worth nothing.
        last_used_at: When it was shown last, to the minute; ``None`` if never.
        revoked_at: When it was taken back; ``None`` if never.
    """

    id: int
    project: str
    name: str
    right: Right
    made_by: Person
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    revoked_at: datetime | None

    def is_valid(self, moment: datetime) -> bool:
        """Whether it is worth something at a moment."""
        return self.revoked_at is None and (self.expires_at is None or moment < self.expires_at)


def checked_days(days: int) -> int:
    """How long a token may last.

    Raises:
        InputError: That is too long, or not at all.
    """
    if not 1 <= days <= MOST_DAYS:
        raise InputError(
            "a token cannot last so long",
            where="The token",
            found=counted(days, "day"),
            expected=f"1 to {MOST_DAYS:,}",
            remedy="Choose another number of days.",
        )
    return days


class Tokens:
    """All tokens of a workspace."""

    def __init__(self, database: Database) -> None:
        """Of one workspace."""
        self._database = database

    def make(
        self, of: Project, maker: Person, right: Right, *, name: str = "push", days: int = USUAL_DAYS
    ) -> tuple[str, Token]:
        """A new token: what it says, which nobody can ask for again, and its row.

        Args:
            of: Where it is worth something.
            maker: Who answers for what is done with it.
            right: What may be done with it.
            name: To know it by.
            days: That it lasts.

        Raises:
            InputError: The name is none, or it would last too long, or not at all.
            WorkspaceError: The workspace cannot be written.
        """
        text = PREFIX + secrets.token_urlsafe(N_RANDOM_BYTES)
        moment, lasts = now(), timedelta(days=checked_days(days))
        row = {
            "person_id": maker.id,
            "project_id": of.id,
            "hash": _digest(text),
            "name": checked_name("Token", name),
            "right": right,
            "created_at": moment,
            "expires_at": moment + lasts,
        }
        with self._database.writing() as connection:
            made = connection.execute(sa.insert(token).values(row).returning(token.c.id)).scalar_one()
            note_event(connection, maker, of.slug, "token made", {"token": made, "name": row["name"], "right": right})
            found = _token(connection.execute(_tokens().where(token.c.id == made)).one())
        return text, found

    def all(self, of: Project) -> tuple[Token, ...]:
        """The tokens of a project in the order in which they were made, worthless ones too."""
        with self._database.reading() as connection:
            rows = connection.execute(_tokens().where(token.c.project_id == of.id).order_by(token.c.id))
            return tuple(_token(row) for row in rows)

    def revoke(self, of: Project, key: int, who: Person) -> Token:
        """Make a token of a project worth nothing from now on.

        Raises:
            NotFoundError: The project has none of that number.
        """
        mine = (token.c.id == key, token.c.project_id == of.id)
        with self._database.writing() as connection:
            row = connection.execute(_tokens().where(*mine)).one_or_none()
            if row is None:
                raise NotFoundError(
                    "there is no such token",
                    where=f"Project {of.slug}",
                    found=str(key),
                    remedy=f"Look at the list: bleuscope token list --project {of.slug}.",
                )
            if row.revoked_at is None:
                connection.execute(sa.update(token).where(*mine).values(revoked_at=now()))
                note_event(connection, who, of.slug, "token revoked", {"token": key, "name": row.name})
            return _token(connection.execute(_tokens().where(*mine)).one())

    def find(self, text: str) -> Token | None:
        """The token that says this, if it is worth something now; that it was shown is noted where that is possible.

        Raises:
            WorkspaceError: The workspace cannot be used.
        """
        if not FORM.fullmatch(text):
            return None
        with self._database.reading() as connection:
            row = connection.execute(_tokens().where(token.c.hash == _digest(text))).one_or_none()
        moment = now()
        if row is None or not (found := _token(row)).is_valid(moment):
            return None
        if found.last_used_at is None or abs(moment - found.last_used_at) >= BETWEEN_NOTES:
            with contextlib.suppress(UnwritableError), self._database.writing() as connection:
                connection.execute(sa.update(token).where(token.c.id == found.id).values(last_used_at=moment))
        return found


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _tokens() -> sa.Select[Any]:
    names = ("id", "name", "right", "created_at", "expires_at", "last_used_at", "revoked_at")
    joined = token.join(project, token.c.project_id == project.c.id).join(person, token.c.person_id == person.c.id)
    maker = (
        person.c.id.label("maker_id"),
        person.c.name.label("maker"),
        person.c.subject,
        person.c.email,
        person.c.issuer,
    )
    return sa.select(*(token.c[name] for name in names), project.c.slug, *maker).select_from(joined)


def _token(row: Row[Any]) -> Token:
    return Token(
        row.id,
        row.slug,
        row.name,
        row.right,
        Person(row.maker_id, row.maker or row.subject, row.email, row.issuer),
        row.created_at,
        row.expires_at,
        row.last_used_at,
        row.revoked_at,
    )
