"""Who may do what in a project: the one place that every route, page and command asks.

A project has readers, writers and owners; each may all that those before them may. Whoever has not logged in, because
the server asks for no login, is not told apart from others and may everything. To who may not read a project it is not
there: it is refused in the words of one that there is not.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, cast, get_args

import sqlalchemy as sa
from sqlalchemy import Connection

from bleuscope.workspace.database import Database
from bleuscope.workspace.errors import ConflictError, ForbiddenError, NotFoundError
from bleuscope.workspace.events import note_event
from bleuscope.workspace.people import WITHOUT_LOGIN, Known, Person, known_person
from bleuscope.workspace.projects import Project, Projects, no_such_project
from bleuscope.workspace.schema import member, person, project

Role = Literal["reader", "writer", "owner"]
Right = Literal["read", "write", "own"]
RIGHTS: Mapping[Role, tuple[Right, ...]] = MappingProxyType(
    {"reader": ("read",), "writer": ("read", "write"), "owner": ("read", "write", "own")}
)
"""What each role may."""

Operation = Literal[
    "see project",
    "see members",
    "read versions",
    "read texts",
    "read scores",
    "keep test set",
    "push version",
    "make link",
    "revoke links of others",
    "make token",
    "see log",
    "change members",
    "delete project",
]
OPERATIONS: Mapping[Operation, Right] = MappingProxyType(
    {
        "see project": "read",
        "see members": "read",
        "read versions": "read",
        "read texts": "read",
        "read scores": "read",
        "keep test set": "write",
        "push version": "write",
        "make link": "write",
        "revoke links of others": "own",
        "make token": "own",
        "see log": "own",
        "change members": "own",
        "delete project": "own",
    }
)
"""All that can be done in a project, and the right that it takes."""

BY_LINK: frozenset[Operation] = frozenset({"see project", "read versions", "read texts", "read scores"})
"""What whoever came by a link into a project does there in the name of who made it."""


@dataclass(frozen=True)
class Member:
    """Somebody with a role in a project.

    Attributes:
        who: The person, and who vouches for them.
        role: Theirs.
    """

    who: Known
    role: Role


class Access:
    """The rights of all persons in all projects of a workspace; asked anew each time, so a change holds at once."""

    def __init__(self, database: Database, projects: Projects) -> None:
        """Of one workspace."""
        self._database = database
        self._projects = projects

    def may(self, who: Person, slug: str, right: Right) -> bool:
        """Whether a person has a right in a project; never in one that there is not."""
        with self._database.reading() as connection:
            return _may(connection, who, slug, right)

    def require(self, who: Person, slug: str, operation: Operation) -> Project:
        """The project in which a person wants to do something, if they may.

        Raises:
            NotFoundError: There is no such project, or not for them.
            ForbiddenError: They may see it, and not do that.
        """
        with self._database.reading() as connection:
            _require(connection, who, slug, operation)
        return self._projects.find(slug)

    def visible(self, who: Person) -> tuple[Project, ...]:
        """The projects that a person may read, by their slugs."""
        if who.issuer in WITHOUT_LOGIN:
            return self._projects.all()
        asked = sa.select(project.c.slug).join(member, member.c.project_id == project.c.id)
        with self._database.reading() as connection:
            slugs = set(connection.execute(asked.where(member.c.person_id == who.id)).scalars())
        return tuple(one for one in self._projects.all() if one.slug in slugs)

    def members(self, who: Person, slug: str) -> tuple[Member, ...]:
        """Who has which role, owners first.

        Raises:
            NotFoundError: There is no such project, or not for them.
        """
        asked = (
            sa.select(person, member.c.role)
            .join(member, member.c.person_id == person.c.id)
            .join(project, member.c.project_id == project.c.id)
            .where(project.c.slug == slug)
        )
        with self._database.reading() as connection:
            _require(connection, who, slug, "see members")
            found = [Member(known_person(row), row.role) for row in connection.execute(asked)]
        order = get_args(Role)
        return tuple(sorted(found, key=lambda one: (-order.index(one.role), one.who.person.name, one.who.person.id)))

    def give(self, who: Person, slug: str, to: Person, role: Role) -> None:
        """Give somebody a role, in place of the one that they have.

        Raises:
            NotFoundError: There is no such project, or not for who gives it.
            ForbiddenError: They do not own it.
            ConflictError: Nobody would own it any more.
        """
        with self._database.writing() as connection:
            key = _require(connection, who, slug, "change members")
            row = {"project_id": key, "person_id": to.id, "role": role}
            if role != "owner":
                _refuse_last_owner(connection, key, slug, to)
            given = self._database.insert(member).values(row)
            keys = ["project_id", "person_id"]
            connection.execute(given.on_conflict_do_update(index_elements=keys, set_={"role": role}))
            note_event(connection, who, slug, "role given", {"person": to.id, "name": to.name, "role": role})

    def take(self, who: Person, slug: str, of: Person) -> None:
        """Take somebody's role: the project is not there for them any more.

        Raises:
            NotFoundError: There is no such project, not for who takes it, or without that member.
            ForbiddenError: They do not own it.
            ConflictError: Nobody would own it any more.
        """
        with self._database.writing() as connection:
            key = _require(connection, who, slug, "change members")
            _refuse_last_owner(connection, key, slug, of)
            same = (member.c.project_id == key, member.c.person_id == of.id)
            if not connection.execute(sa.delete(member).where(*same)).rowcount:
                raise NotFoundError(
                    "there is no such member",
                    where=f"Project {slug}",
                    found=of.name,
                    remedy="See who is: bleuscope team list --project NAME.",
                )
            note_event(connection, who, slug, "role taken", {"person": of.id, "name": of.name})


def _may(connection: Connection, who: Person, slug: str, right: Right) -> bool:
    return right in _rights(connection, who, slug)


def _require(connection: Connection, who: Person, slug: str, operation: Operation) -> int:
    """The row of the project, if the person may do that in it."""
    rights = _rights(connection, who, slug)
    key = connection.execute(sa.select(project.c.id).where(project.c.slug == slug)).scalar()
    if key is None or "read" not in rights:
        raise no_such_project(slug)
    needed = OPERATIONS[operation]
    if needed not in rights:
        role = next(role for role, given in RIGHTS.items() if needed in given)
        raise ForbiddenError(
            "this is not for you to do",
            where=f"Project {slug}",
            found=f"{who.name}: {operation}",
            expected=f"a role of {role}",
            remedy="Ask an owner of the project for it.",
        )
    return cast("int", key)


def _rights(connection: Connection, who: Person, slug: str) -> tuple[Right, ...]:
    if who.issuer in WITHOUT_LOGIN:
        has_it = connection.execute(sa.select(project.c.id).where(project.c.slug == slug)).scalar() is not None
        return RIGHTS["owner"] if has_it else ()
    asked = sa.select(member.c.role).join(project, member.c.project_id == project.c.id)
    role = connection.execute(asked.where(project.c.slug == slug, member.c.person_id == who.id)).scalar()
    return () if role is None else RIGHTS[cast("Role", role)]


def _refuse_last_owner(connection: Connection, key: int, slug: str, other: Person) -> None:
    owners = connection.execute(
        sa.select(member.c.person_id).where(member.c.project_id == key, member.c.role == "owner")
    ).scalars()
    if set(owners) == {other.id}:
        raise ConflictError(
            "nobody would own the project any more",
            where=f"Project {slug}",
            found=f"{other.name}, its only owner",
            remedy="Make somebody else its owner first.",
        )
