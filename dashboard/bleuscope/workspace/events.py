"""Who did what: rows that are only ever added."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from bleuscope.workspace.columns import now
from bleuscope.workspace.database import Database
from bleuscope.workspace.people import NAMELESS, Person
from bleuscope.workspace.schema import event, person


@dataclass(frozen=True)
class Event:
    """Something that was done.

    Attributes:
        at: When.
        author: Who, by the name of today; ``None`` where it was nobody.
        project: The slug of the project; ``None`` outside of any.
        action: What, in words.
        object: To what, as JSON holds it; never a text of a segment.
        issuer: Who vouches for the author.
    """

    at: datetime
    author: str | None
    project: str | None
    action: str
    object: Mapping[str, Any]
    issuer: str | None = None


def note_event(
    connection: Connection, who: Person | None, project: str | None, action: str, what: Mapping[str, Any]
) -> None:
    """Note what is done, in the transaction that does it."""
    row = {"at": now(), "person_id": who and who.id, "project": project, "action": action, "object": dict(what)}
    connection.execute(sa.insert(event).values(row))


def events(database: Database, project: str | None = None, most: int = 1000) -> tuple[Event, ...]:
    """What was done last, the last first.

    Args:
        database: Of the workspace.
        project: Only there.
        most: So many at most.
    """
    author = sa.case(
        (person.c.name != "", person.c.name), (person.c.issuer == "browser", NAMELESS), else_=person.c.subject
    )
    asked = sa.select(event.c.at, author, event.c.project, event.c.action, event.c.object, person.c.issuer)
    asked = asked.outerjoin(person, event.c.person_id == person.c.id).order_by(event.c.id.desc()).limit(most)
    if project is not None:
        asked = asked.where(event.c.project == project)
    with database.reading() as connection:
        return tuple(Event(*row) for row in connection.execute(asked))
