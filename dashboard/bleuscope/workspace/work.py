"""What a person said about some texts: tags, notes, blind preferences, names and remarks."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from bleuscope.annotations import Annotations, BlindTrial, Place, SegmentNote
from bleuscope.workspace import manifests
from bleuscope.workspace.columns import now
from bleuscope.workspace.database import Database
from bleuscope.workspace.people import Person, known_person
from bleuscope.workspace.schema import chosen, comparison, note, past_note, person, trial

MOST_PAST = 100
"""Earlier versions of each note, and of the remarks; older ones are deleted."""


@dataclass(frozen=True)
class PastNote:
    """An earlier version of a note, or of the remarks.

    Attributes:
        said: What it said.
        written_at: When it was written.
        replaced_at: When another one was saved instead, or it was deleted.
    """

    said: SegmentNote
    written_at: datetime
    replaced_at: datetime


@dataclass(frozen=True)
class NoteHistory:
    """The versions of a note, or of the remarks.

    Attributes:
        changed_at: When the current version was saved, or the last one deleted; ``None`` where there was never one.
        earlier: Up to ``MOST_PAST`` others, the newest first.
    """

    changed_at: datetime | None
    earlier: tuple[PastNote, ...]


class WorkOfPeople:
    """What all persons said, by the digest of the texts."""

    def __init__(self, database: Database) -> None:
        """Of one workspace."""
        self._database = database

    def revision(self, who: Person, texts_digest: str) -> int:
        """A number that grows with each change; 0 where nothing was said."""
        with self._database.reading() as connection:
            return (
                connection.execute(sa.select(chosen.c.revision).where(*_own(chosen, who, texts_digest))).scalar() or 0
            )

    def read(self, who: Person, texts_digest: str) -> tuple[Annotations, int]:
        """What a person said about some texts, and its revision.

        Raises:
            WorkspaceError: The workspace cannot be read.
        """
        with self._database.reading() as connection:
            return _read(connection, who, texts_digest)

    def change(
        self, who: Person, texts_digest: str, make: Callable[[Annotations], Annotations]
    ) -> tuple[Annotations, int]:
        """Keep what is made of the work as it is now; it is on the disk when this returns.

        Raises:
            WorkspaceError: The workspace cannot be written; all is as it was.
        """
        with self._database.writing() as connection:
            return self._changed(connection, who, texts_digest, make)

    def forget(self, who: Person, texts_digest: str) -> int:
        """Delete what a person said about some texts, with all earlier versions; the new revision.

        Raises:
            WorkspaceError: The workspace cannot be written; all is as it was.
        """
        with self._database.writing() as connection:
            _, revision = self._changed(connection, who, texts_digest, lambda _: Annotations())
            connection.execute(sa.delete(past_note).where(*_own(past_note, who, texts_digest)))
        return revision

    def history(self, who: Person, texts_digest: str, segment: Place) -> NoteHistory:
        """The versions of a person's note on a segment; of the remarks for ``None``.

        Raises:
            WorkspaceError: The workspace cannot be read.
        """
        own = _own(past_note, who, texts_digest)
        past = sa.select(past_note).where(*own, past_note.c.segment.is_not_distinct_from(segment))
        with self._database.reading() as connection:
            rows = connection.execute(past.order_by(past_note.c.id.desc())).all()
            changed_at = connection.execute(_changed_at(who, texts_digest, segment)).scalar()
        earlier = tuple(PastNote(SegmentNote(row.tag, row.note), row.written_at, row.replaced_at) for row in rows)
        return NoteHistory(changed_at or (earlier[0].replaced_at if earlier else None), earlier)

    def authors(self, texts_digest: str) -> tuple[Person, ...]:
        """Who said something about some texts."""
        asked = (
            sa.select(person)
            .join(chosen, chosen.c.person_id == person.c.id)
            .where(chosen.c.texts_digest == texts_digest)
            .order_by(person.c.id)
        )
        with self._database.reading() as connection:
            return tuple(known_person(row).person for row in connection.execute(asked))

    def n_notes_beside(self, digests: Sequence[str]) -> int:
        """How many notes all persons wrote on comparisons whose texts beside the outputs are those of a test set.

        Args:
            digests: Of test sets, as ``KeptTestSet`` has them.
        """
        with self._database.reading() as connection:
            noted = sa.select(note.c.texts_digest, sa.func.count()).group_by(note.c.texts_digest)
            n_notes = {row[0]: int(row[1]) for row in connection.execute(noted)}
            asked = sa.select(comparison.c.texts_digest, comparison.c.manifest)
            asked = asked.where(comparison.c.texts_digest.in_(sa.select(note.c.texts_digest)))
            found = {
                row.texts_digest for row in connection.execute(asked) if manifests.texts_digest(row.manifest) in digests
            }
        return sum(n_notes[digest] for digest in found)

    def _changed(
        self, connection: Connection, who: Person, texts_digest: str, make: Callable[[Annotations], Annotations]
    ) -> tuple[Annotations, int]:
        _lock(connection, who)
        before, revision = _read(connection, who, texts_digest)
        after = make(before)
        _write_past(connection, who, texts_digest, before, after)
        self._write_notes(connection, who, texts_digest, before, after)
        self._write_trials(connection, who, texts_digest, before, after)
        row = {
            "person_id": who.id,
            "texts_digest": texts_digest,
            "names": list(after.names),
            "remarks": after.remarks,
            "blind_seed": after.blind_seed,
            "revision": revision + 1,
            "changed_at": now(),
        }
        written = self._database.insert(chosen).values(row)
        keys = ["person_id", "texts_digest"]
        said = {name: value for name, value in row.items() if name not in keys}
        connection.execute(written.on_conflict_do_update(index_elements=keys, set_=said))
        return after, revision + 1

    def _write_notes(
        self, connection: Connection, who: Person, texts_digest: str, before: Annotations, after: Annotations
    ) -> None:
        gone = [segment for segment in before.notes if segment not in after.notes]
        if gone:
            connection.execute(sa.delete(note).where(*_own(note, who, texts_digest), note.c.segment.in_(gone)))
        moment = now()
        for segment, said in after.notes.items():
            if before.notes.get(segment) == said:
                continue
            row = {"person_id": who.id, "texts_digest": texts_digest, "segment": segment, "created_at": moment}
            new = {"tag": said.tag, "note": said.note, "changed_at": moment}
            written = self._database.insert(note).values(row | new)
            keys = ["texts_digest", "person_id", "segment"]
            connection.execute(written.on_conflict_do_update(index_elements=keys, set_=new))

    def _write_trials(
        self, connection: Connection, who: Person, texts_digest: str, before: Annotations, after: Annotations
    ) -> None:
        for key in before.trials.keys() - after.trials.keys():
            where = [trial.c[name] == value for name, value in _columns_of(key).items()]
            connection.execute(sa.delete(trial).where(*_own(trial, who, texts_digest), *where))
        for key, preferred in after.trials.items():
            is_over = key in after.ended
            if before.trials.get(key) == preferred and (key in before.ended) == is_over:
                continue
            row = {"person_id": who.id, "texts_digest": texts_digest, **_columns_of(key)}
            preferences = {str(segment): preference for segment, preference in sorted(preferred.items())}
            new = {"preferences": preferences, "is_over": int(is_over), "changed_at": now()}
            written = self._database.insert(trial).values(row | new)
            connection.execute(written.on_conflict_do_update(index_elements=list(row), set_=new))


def _lock(connection: Connection, who: Person) -> None:
    """Have other changes of what this person said wait until this one ends; PostgreSQL would not."""
    connection.execute(sa.select(person.c.id).where(person.c.id == who.id).with_for_update(key_share=True))


def _write_past(
    connection: Connection, who: Person, texts_digest: str, before: Annotations, after: Annotations
) -> None:
    """Keep what is replaced or set aside."""
    moment, said, said_after = now(), _said(before), _said(after)
    replaced = {place: old for place, old in said.items() if said_after.get(place) != old}
    rows = [
        (place, old, connection.execute(_changed_at(who, texts_digest, place)).scalar_one())
        for place, old in replaced.items()
    ]
    rows += [(place, one, moment) for place, one in after.set_aside.items() if one.note]
    for place, one, written_at in rows:
        row = {"person_id": who.id, "texts_digest": texts_digest, "segment": place, "tag": one.tag, "note": one.note}
        connection.execute(sa.insert(past_note).values(**row, written_at=written_at, replaced_at=moment))
        _drop_oldest(connection, who, texts_digest, place)


def _drop_oldest(connection: Connection, who: Person, texts_digest: str, place: Place) -> None:
    """Delete the versions beyond the newest ``MOST_PAST``."""
    own = (*_own(past_note, who, texts_digest), past_note.c.segment.is_not_distinct_from(place))
    newest_first = sa.select(past_note.c.id).where(*own).order_by(past_note.c.id.desc())
    last = newest_first.offset(MOST_PAST - 1).limit(1).scalar_subquery()
    connection.execute(sa.delete(past_note).where(*own, past_note.c.id < last))


def _said(work: Annotations) -> dict[Place, SegmentNote]:
    """All that has a history: notes by segment, and remarks."""
    said: dict[Place, SegmentNote] = {None: SegmentNote("", work.remarks)} if work.remarks else {}
    said.update(work.notes.items())
    return said


def _changed_at(who: Person, texts_digest: str, segment: Place) -> sa.Select[Any]:
    """When a note or the remarks were changed last."""
    if segment is None:
        return sa.select(chosen.c.changed_at).where(*_own(chosen, who, texts_digest))
    return sa.select(note.c.changed_at).where(*_own(note, who, texts_digest), note.c.segment == segment)


def _read(connection: Connection, who: Person, texts_digest: str) -> tuple[Annotations, int]:
    said = connection.execute(sa.select(chosen).where(*_own(chosen, who, texts_digest))).one_or_none()
    if said is None:
        return Annotations(), 0
    notes = connection.execute(sa.select(note).where(*_own(note, who, texts_digest)).order_by(note.c.segment))
    asked = sa.select(trial).where(*_own(trial, who, texts_digest)).order_by(trial.c.id)
    trials = {BlindTrial(row.digest, (row.first, row.second), row.seed): row for row in connection.execute(asked)}
    return (
        Annotations(
            {row.segment: SegmentNote(row.tag, row.note) for row in notes},
            {
                key: {int(segment): preference for segment, preference in row.preferences.items()}
                for key, row in trials.items()
            },
            frozenset(key for key, row in trials.items() if row.is_over),
            said.blind_seed,
            tuple(said.names),
            said.remarks,
        ),
        said.revision,
    )


def _own(table: sa.Table, who: Person, texts_digest: str) -> tuple[sa.ColumnElement[bool], ...]:
    return table.c.person_id == who.id, table.c.texts_digest == texts_digest


def _columns_of(key: BlindTrial) -> dict[str, str | int]:
    return {"digest": key.digest, "first": key.systems[0], "second": key.systems[1], "seed": key.seed}
