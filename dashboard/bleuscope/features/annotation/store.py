"""What annotators did, in the workspace: tasks, their links, and events that are only added.

An event is acknowledged when its transaction is committed, and never before. An event that is sent again has the number
that it had.
"""

import hashlib
import re
import secrets
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from bleucore.annotation.events import (
    KINDS,
    Changed,
    Event,
    EventBody,
    ItemState,
    Marked,
    Reopened,
    folded,
    from_json,
    to_json,
    window_of,
)
from bleucore.annotation.marks import checked
from bleucore.annotation.tasks import ADJUDICATOR, Item, Task, task_from_json, task_to_json
from bleucore.errors import InputError
from bleucore.values import shown
from bleuscope.workspace import Workspace
from bleuscope.workspace.columns import now
from bleuscope.workspace.errors import NotFoundError
from bleuscope.workspace.events import note_event
from bleuscope.workspace.people import WITHOUT_LOGIN, Person
from bleuscope.workspace.schema import annotation_event, annotation_link, annotation_task, project

MOST_EVENTS = 5_000
"""Of one item and annotator."""
MOST_TASKS = 2_000
"""That are planned or imported; and as many of each person's own marks."""
MOST_LINKS = 2_000
"""Of one task, those that were revoked included."""
SECRET_BYTES = 16
SECRET = re.compile(r"[A-Za-z0-9_-]{22}")
NAME_BYTES = 9
TASKS_HELD = 16
"""In memory, those used last: texts of a task are read once."""
_EVENTS_AT_ONCE = 500


class TaskEndedError(InputError):
    """The task takes no more marks, until somebody reopens it."""


@dataclass(frozen=True)
class TaskRow:
    """A task without its items.

    Attributes:
        id: As links name it.
        title: To show.
        texts_digest: Of the test set.
        project: The slug of its project; ``None`` outside of any.
        maker: The id of the person who made it.
        is_own: Whether it holds the marks that its maker makes in Segments.
        created_at: When it was made.
        ended_at: When it was ended: nothing more can be marked; ``None`` while it goes on.
    """

    id: str
    title: str
    texts_digest: str
    project: str | None
    maker: int
    is_own: bool
    created_at: datetime
    ended_at: datetime | None


@dataclass(frozen=True)
class Progress:
    """How far an annotator is.

    Attributes:
        n_items: Assigned.
        n_finished: Done.
        n_begun: Begun, those that are done included.
    """

    n_items: int
    n_finished: int
    n_begun: int


@dataclass(frozen=True)
class _Row:
    """A task's row in the database."""

    key: int
    digest: str
    is_ended: bool


class AnnotationStore:
    """The annotations of a workspace."""

    def __init__(self, workspace: Workspace) -> None:
        """Of one workspace."""
        self._workspace = workspace
        self._database = workspace.database
        self._held: dict[tuple[str, str], Task] = {}

    def create(self, task: Task, by: Person, slug: str | None = None, *, is_own: bool = False) -> str:
        """Store a task; its id.

        Args:
            task: What is to be annotated.
            by: Who makes it.
            slug: The project that it belongs to.
            is_own: Whether it holds the marks that its maker makes in Segments.

        Raises:
            NotFoundError: There is no such project, or not for them.
            ForbiddenError: They may see it, and not write there.
            InputError: There are too many tasks.
            WorkspaceError: The workspace cannot be written.
        """
        key = None if slug is None else self._workspace.access.require(by, slug, "push version").id
        name, content = _new_name(), task_to_json(task)
        row = {
            "person_id": by.id,
            "project_id": key,
            "name": name,
            "title": task.name,
            "texts_digest": task.test_set,
            "digest": hashlib.sha256(content).hexdigest(),
            "is_own": int(is_own),
            "created_at": now(),
        }
        with self._workspace.holdings.placing({"task": content}) as connection:
            alike = sa.select(sa.func.count()).where(annotation_task.c.is_own == int(is_own))
            alike = alike.where(annotation_task.c.person_id == by.id) if is_own else alike
            if connection.execute(alike).scalar_one() >= MOST_TASKS:
                raise InputError(
                    "there are too many annotation tasks",
                    where="The workspace",
                    found=f"{MOST_TASKS:,}",
                    remedy="Delete one first: bleuscope annotate delete TASK.",
                )
            connection.execute(sa.insert(annotation_task).values(row))
            said = {"task": name, "items": len(task.items), "annotators": len(task.annotators)}
            note_event(connection, by, slug, "annotation task made", said)
        return name

    def task(self, task_id: str) -> Task:
        """A task with its items.

        Raises:
            NotFoundError: There is none.
        """
        with self._database.reading() as connection:
            row = _row(connection, task_id)
        return self._task(task_id, row)

    def tasks(self, who: Person | None = None, texts_digest: str | None = None) -> tuple[TaskRow, ...]:
        """All tasks, the last first.

        Args:
            who: Only those that this person may see: their own, and those of projects that they may read.
            texts_digest: Only those of this test set.
        """
        asked = _task_rows().order_by(annotation_task.c.id.desc())
        if texts_digest is not None:
            asked = asked.where(annotation_task.c.texts_digest == texts_digest)
        with self._database.reading() as connection:
            found = [_task_row(row) for row in connection.execute(asked)]
        if who is None:
            return tuple(found)
        slugs = {one.slug for one in self._workspace.access.visible(who)}
        return tuple(one for one in found if _may_see(one, who, slugs))

    def require(self, who: Person, task_id: str) -> TaskRow:
        """A task that a person may see.

        Raises:
            NotFoundError: There is none, or not for them.
        """
        found = next((one for one in self.tasks(who) if one.id == task_id), None)
        if found is None:
            raise _no_task(task_id)
        return found

    def own(self, by: Person, texts_digest: str) -> str | None:
        """The task with the marks that a person makes in Segments, of a test set; ``None`` before the first mark."""
        asked = sa.select(annotation_task.c.name).where(
            annotation_task.c.person_id == by.id,
            annotation_task.c.texts_digest == texts_digest,
            annotation_task.c.is_own == 1,
        )
        with self._database.reading() as connection:
            return connection.execute(asked.order_by(annotation_task.c.id).limit(1)).scalar()

    def add_item(self, task_id: str, item: Item, annotator: str) -> None:
        """Add an item to a task, for an annotator; nothing where the task has it.

        Raises:
            NotFoundError: There is no such task.
            WorkspaceError: The workspace cannot be written.
        """
        self._change(task_id, lambda task: task if item.id in task.by_id else _with_item(task, item, annotator))

    def share_time(self, task_id: str, annotator: str, *, is_shared: bool = True) -> None:
        """Let others see the time that an annotator takes, or no longer; it is shown once all annotators let them.

        Raises:
            NotFoundError: There is no such task.
            WorkspaceError: The workspace cannot be written.
        """

        def changed(task: Task) -> Task:
            others = tuple(name for name in task.shares_time if name != annotator)
            return replace(task, shares_time=(*others, annotator) if is_shared else others)

        self._change(task_id, changed)

    def _change(self, task_id: str, changed: Callable[[Task], Task]) -> None:
        """Store a task anew as it is changed, whoever else changes it meanwhile."""
        while True:
            with self._database.reading() as connection:
                row = _row(connection, task_id)
            before = self._task(task_id, row)
            content = task_to_json(changed(before))
            digest = hashlib.sha256(content).hexdigest()
            if digest == row.digest:
                return
            with self._workspace.holdings.placing({"task": content}) as connection:
                now_there = _row(connection, task_id, lock=True)
                if now_there.digest == row.digest:
                    of_row = sa.update(annotation_task).where(annotation_task.c.id == row.key)
                    connection.execute(of_row.values(digest=digest))
                    return

    def link_for(self, task_id: str, annotator: str) -> str:
        """A new link for an annotator: its secret, which is nowhere else. Earlier links keep working.

        Raises:
            NotFoundError: There is no such task.
            InputError: It has no such annotator, or too many links.
        """
        task = self.task(task_id)
        if annotator not in task.annotators:
            raise InputError(
                "there is no such annotator",
                where=f"Task {shown(task.name)}",
                found=shown(annotator),
                expected=", ".join(task.annotators),
                remedy="Choose one of these.",
            )
        secret = secrets.token_urlsafe(SECRET_BYTES)
        with self._database.writing() as connection:
            row = _row(connection, task_id)
            of_task = annotation_link.c.annotation_task_id == row.key
            counted = sa.select(sa.func.count()).select_from(annotation_link).where(of_task)
            if connection.execute(counted).scalar_one() >= MOST_LINKS:
                raise InputError("there are too many links", where="Annotation", expected=f"at most {MOST_LINKS:,}")
            made = {"annotation_task_id": row.key, "annotator": annotator, "hash": _hash(secret), "created_at": now()}
            connection.execute(sa.insert(annotation_link).values(made))
        return secret

    def annotator_of(self, token: str) -> tuple[str, str] | None:
        """The task and the annotator of a link's secret; ``None`` where it does not work."""
        if not SECRET.fullmatch(token):
            return None
        asked = (
            sa.select(annotation_task.c.name, annotation_link.c.annotator)
            .join(annotation_task, annotation_link.c.annotation_task_id == annotation_task.c.id)
            .where(annotation_link.c.hash == _hash(token), annotation_link.c.revoked_at.is_(None))
        )
        with self._database.reading() as connection:
            found = connection.execute(asked).one_or_none()
        return None if found is None else (found[0], found[1])

    def revoke_links(self, task_id: str, annotator: str) -> None:
        """End all links of an annotator.

        Raises:
            NotFoundError: There is no such task.
        """
        with self._database.writing() as connection:
            row = _row(connection, task_id)
            mine = (annotation_link.c.annotation_task_id == row.key, annotation_link.c.annotator == annotator)
            still = sa.update(annotation_link).where(*mine, annotation_link.c.revoked_at.is_(None))
            connection.execute(still.values(revoked_at=now()))

    def end(self, task_id: str, *, is_over: bool = True) -> None:
        """End a task, so that nothing more can be marked; or let it go on.

        Raises:
            NotFoundError: There is no such task.
        """
        with self._database.writing() as connection:
            row = _row(connection, task_id)
            ended = sa.update(annotation_task).where(annotation_task.c.id == row.key)
            connection.execute(ended.values(ended_at=now() if is_over else None))

    def has_ended(self, task_id: str) -> bool:
        """Whether a task was ended.

        Raises:
            NotFoundError: There is no such task.
        """
        with self._database.reading() as connection:
            return _row(connection, task_id).is_ended

    def delete(self, task_id: str, by: Person) -> None:
        """Delete a task with all that was marked.

        Raises:
            NotFoundError: There is no such task.
        """
        with self._database.writing() as connection:
            row = _row(connection, task_id)
            connection.execute(sa.delete(annotation_task).where(annotation_task.c.id == row.key))
            note_event(connection, by, None, "annotation task deleted", {"task": task_id})
        self._held.clear()

    def append(self, task_id: str, item: str, annotator: str, body: EventBody, base: int, client_id: str) -> int:
        """Store what an annotator did; its number among the annotator's events of the item, from 1.

        It is on the disk when this returns. An event that is sent again with its ``client_id`` has its first number.

        Args:
            task_id: Of the task.
            item: Of the item.
            annotator: Who.
            body: What.
            base: The number of the last event that the window had seen, 0 for none.
            client_id: ``WINDOW.NUMBER``, each once.

        Raises:
            NotFoundError: There is no such task.
            TaskEndedError: The task has ended.
            InputError: The task has no such item, or a mark is none of the text or has a category that is none.
            WorkspaceError: The workspace cannot be written.
        """
        window_of(client_id)
        task = self.task(task_id)
        _check(task, task.item(item), annotator, body)
        _refuse_other_categories(task, body)
        with self._database.writing() as connection:
            row = _row(connection, task_id)
            self._lock(connection, row.key, item, annotator)
            mine = (annotation_event.c.annotation_task_id == row.key, annotation_event.c.annotator == annotator)
            sent = sa.select(annotation_event.c.number).where(*mine, annotation_event.c.client == client_id)
            known = connection.execute(sent).scalar()
            if known is not None:
                return int(known)
            if row.is_ended:
                raise TaskEndedError(
                    "the task has ended", where=f"Task {shown(task.name)}", remedy="Ask whoever made it to reopen it."
                )
            last = sa.select(sa.func.max(annotation_event.c.number)).where(*mine, annotation_event.c.item == item)
            number = (connection.execute(last).scalar() or 0) + 1
            if number > MOST_EVENTS:
                raise InputError(
                    "there are too many changes of one item",
                    where=f"Task {shown(task.name)}",
                    expected=f"at most {MOST_EVENTS:,}",
                )
            connection.execute(
                sa.insert(annotation_event).values(
                    annotation_task_id=row.key,
                    item=item,
                    annotator=annotator,
                    number=number,
                    base=max(0, min(base, number - 1)),
                    client=client_id,
                    kind=KINDS[type(body)],
                    body=to_json(body),
                    at=now(),
                )
            )
        return number

    def append_decision(self, task_id: str, item: str, annotator: str, bodies: Sequence[EventBody], base: int) -> int:
        """Store what an adjudicator decided about an item, all of it or nothing; the number of the last event.

        Args:
            task_id: Of the task.
            item: Of the item.
            annotator: As ``adjudicator_of`` names who decides.
            bodies: What they decided.
            base: The revision that they had seen.

        Raises:
            NotFoundError: There is no such task.
            InputError: The task has no such item, or a mark is none of its text.
        """
        task, window, moment = self.task(task_id), secrets.token_hex(8), now()
        for body in bodies:
            _check(task, task.item(item), annotator, body)
        with self._database.writing() as connection:
            key = _row(connection, task_id).key
            self._lock(connection, key, item, annotator)
            mine = (annotation_event.c.annotation_task_id == key, annotation_event.c.annotator == annotator)
            last = sa.select(sa.func.max(annotation_event.c.number)).where(*mine, annotation_event.c.item == item)
            number = connection.execute(last).scalar() or 0
            self._reopen_other_decisions(connection, key, item, annotator)
            rows = [
                {
                    "annotation_task_id": key,
                    "item": item,
                    "annotator": annotator,
                    "number": number + place,
                    "base": min(base, number + place - 1),
                    "client": f"{window}.{place}",
                    "kind": KINDS[type(body)],
                    "body": to_json(body),
                    "at": moment,
                }
                for place, body in enumerate(bodies, start=1)
            ]
            connection.execute(sa.insert(annotation_event), rows)
        return number + len(rows)

    def append_all(self, task_id: str, events: Iterable[Event]) -> int:
        """Store events of an import, all or none, under their own numbers; how many there were.

        Raises:
            NotFoundError: There is no such task.
            InputError: An event is none of the task's.
        """
        task, moment = self.task(task_id), now()
        with self._database.writing() as connection:
            key = _row(connection, task_id).key
            rows: list[dict[str, object]] = []
            for place, event in enumerate(events):
                _check(task, task.item(event.item), event.annotator, event.body)
                rows.append(
                    {
                        "annotation_task_id": key,
                        "item": event.item,
                        "annotator": event.annotator,
                        "number": event.number,
                        "base": event.base,
                        "client": f"import.{place}",
                        "kind": KINDS[type(event.body)],
                        "body": to_json(event.body),
                        "at": moment,
                    }
                )
            for start in range(0, len(rows), _EVENTS_AT_ONCE):
                connection.execute(sa.insert(annotation_event), rows[start : start + _EVENTS_AT_ONCE])
        return len(rows)

    def events(self, task_id: str, item: str | None = None, annotator: str | None = None) -> tuple[Event, ...]:
        """The events of a task, of one item or one annotator where these are given, in the order of their storing.

        Raises:
            NotFoundError: There is no such task.
        """
        columns = annotation_event.c
        asked = sa.select(columns.number, columns.item, columns.annotator, columns.body, columns.base, columns.client)
        with self._database.reading() as connection:
            asked = asked.where(columns.annotation_task_id == _row(connection, task_id).key)
            if item is not None:
                asked = asked.where(columns.item == item)
            if annotator is not None:
                asked = asked.where(columns.annotator == annotator)
            rows = connection.execute(asked.order_by(columns.id)).all()
        return tuple(Event(*row[:3], from_json(row[3]), row[4], window_of(row[5])) for row in rows)

    def state(self, task_id: str, item: str, annotator: str) -> ItemState:
        """What an annotator says of an item.

        Raises:
            NotFoundError: There is no such task.
        """
        return folded(self.events(task_id, item, annotator))

    def states(self, task_id: str) -> Mapping[tuple[str, str], ItemState]:
        """What all annotators say of all items that they began: by item and annotator.

        Raises:
            NotFoundError: There is no such task.
        """
        grouped: dict[tuple[str, str], list[Event]] = {}
        for event in self.events(task_id):
            grouped.setdefault((event.item, event.annotator), []).append(event)
        return {key: folded(events) for key, events in grouped.items()}

    def revision(self, task_id: str) -> tuple[str, int, int]:
        """What changes whenever something is said about a task: its digest, its last event and how many there are.

        PostgreSQL numbers events before they are committed, so that the last one is not always the newest.

        Raises:
            NotFoundError: There is no such task.
        """
        columns = annotation_event.c
        with self._database.reading() as connection:
            row = _row(connection, task_id)
            asked = sa.select(sa.func.max(columns.id), sa.func.count()).where(columns.annotation_task_id == row.key)
            last, n_events = connection.execute(asked).one()
            return row.digest, last or 0, n_events

    def may_decide(self, who: Person, row: TaskRow) -> bool:
        """Whether a person may decide between annotators of a task that they may see."""
        return row.project is None or self._workspace.access.may(who, row.project, "write")

    def progress(self, task_id: str, annotator: str) -> Progress:
        """How far an annotator is.

        Raises:
            NotFoundError: There is no such task.
        """
        assigned = self.task(task_id).assigned.get(annotator, ())
        finished, begun = self.finished_and_begun(task_id, annotator)
        mine = set(assigned)
        return Progress(len(assigned), len(finished & mine), len(begun & mine))

    def next_item(self, task_id: str, annotator: str) -> Item | None:
        """The first item that an annotator has not finished; ``None`` where all are.

        Raises:
            NotFoundError: There is no such task.
        """
        finished, _ = self.finished_and_begun(task_id, annotator)
        return next((item for item in self.task(task_id).items_of(annotator) if item.id not in finished), None)

    def finished_and_begun(self, task_id: str, annotator: str) -> tuple[set[str], set[str]]:
        """The items that an annotator finished, and those begun.

        Raises:
            NotFoundError: There is no such task.
        """
        columns = annotation_event.c
        with self._database.reading() as connection:
            mine = (columns.annotation_task_id == _row(connection, task_id).key, columns.annotator == annotator)
            begun = set(connection.execute(sa.select(columns.item).distinct().where(*mine)).scalars())
            asked = sa.select(columns.item, columns.kind).where(*mine, columns.kind.in_(("finished", "reopened")))
            last = {row.item: row.kind for row in connection.execute(asked.order_by(columns.number))}
        return {item for item, kind in last.items() if kind == "finished"}, begun

    def _task(self, task_id: str, row: _Row) -> Task:
        found = self._held.get((task_id, row.digest))
        if found is None:
            found = replace(task_from_json(self._workspace.blobs.read(row.digest)), id=task_id)
            self._held[task_id, row.digest] = found
            while len(self._held) > TASKS_HELD:
                self._held.pop(next(iter(self._held)), None)
        return found

    def _reopen_other_decisions(self, connection: Connection, key: int, item: str, annotator: str) -> None:
        """Have the decision of this adjudicator hold alone: what others decided before is stored, and not finished."""
        columns = annotation_event.c
        asked = sa.select(columns.annotator, sa.func.max(columns.number)).where(
            columns.annotation_task_id == key,
            columns.item == item,
            columns.annotator.startswith(ADJUDICATOR),
            columns.annotator != annotator,
        )
        rows = [
            {
                "annotation_task_id": key,
                "item": item,
                "annotator": other,
                "number": number + 1,
                "base": number,
                "client": f"{secrets.token_hex(8)}.1",
                "kind": KINDS[Reopened],
                "body": to_json(Reopened()),
                "at": now(),
            }
            for other, number in connection.execute(asked.group_by(columns.annotator)).all()
        ]
        if rows:
            connection.execute(sa.insert(annotation_event), rows)

    def _lock(self, connection: Connection, key: int, item: str, annotator: str) -> None:
        """Have nobody else number events of this item and annotator; in SQLite nobody else writes anyway."""
        if not self._database.is_sqlite:
            place = zlib.crc32(f"{key}\n{item}\n{annotator}".encode(errors="surrogatepass")) - 2**31
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCKS, place)))


_LOCKS = 0x626C
"""The first number of PostgreSQL's locks by item; the second says which."""


def _with_item(task: Task, item: Item, annotator: str) -> Task:
    assigned = {**task.assigned, annotator: (*task.assigned.get(annotator, ()), item.id)}
    return replace(task, items=(*task.items, item), assigned=assigned, id="")


def _check(task: Task, item: Item, annotator: str, body: EventBody) -> None:
    """Refuse what cannot be said of an item."""
    if annotator not in task.annotators and not annotator.startswith(ADJUDICATOR):
        raise InputError(
            "there is no such annotator",
            where=f"Task {shown(task.name)}",
            found=shown(annotator),
            remedy="Open your link to the task again.",
        )
    if isinstance(body, Marked | Changed):
        checked(body.mark, item.text_of(body.mark.side), task.scheme)


def _refuse_other_categories(task: Task, body: EventBody) -> None:
    """Refuse a category that the scheme lacks; marks of an import may have one."""
    category = body.mark.category if isinstance(body, Marked | Changed) else ""
    if category and category not in task.scheme.category_names:
        raise InputError(
            "there is no such category",
            where=f"Task {shown(task.name)}",
            found=shown(category),
            remedy="Choose another.",
        )


def _new_name() -> str:
    """A name for a task; one with a hyphen in front would be an option of a command."""
    while True:
        name = secrets.token_urlsafe(NAME_BYTES)
        if not name.startswith("-"):
            return name


def _row(connection: Connection, task_id: str, *, lock: bool = False) -> _Row:
    columns = annotation_task.c
    asked = sa.select(columns.id, columns.digest, columns.ended_at).where(columns.name == task_id)
    found = connection.execute(asked.with_for_update() if lock else asked).one_or_none()
    if found is None:
        raise _no_task(task_id)
    return _Row(found.id, found.digest, found.ended_at is not None)


def _task_rows() -> sa.Select[Any]:
    columns = annotation_task.c
    said = (columns.name, columns.title, columns.texts_digest, project.c.slug, columns.person_id, columns.is_own)
    joined = annotation_task.outerjoin(project, columns.project_id == project.c.id)
    return sa.select(*said, columns.created_at, columns.ended_at).select_from(joined)


def _task_row(row: sa.Row[Any]) -> TaskRow:
    return TaskRow(
        row.name, row.title, row.texts_digest, row.slug, row.person_id, bool(row.is_own), row.created_at, row.ended_at
    )


def _may_see(row: TaskRow, who: Person, slugs: set[str]) -> bool:
    if row.maker == who.id or (row.project is not None and row.project in slugs):
        return True
    return row.project is None and not row.is_own and who.issuer in WITHOUT_LOGIN


def _no_task(task_id: str) -> NotFoundError:
    return NotFoundError(
        "there is no such annotation task",
        where="The workspace",
        found=shown(task_id),
        remedy="See which there are: bleuscope annotate list.",
    )


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
