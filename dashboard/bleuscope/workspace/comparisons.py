"""Comparisons that somebody opened: their texts, and who opened them when."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from bleucore.corpus import TestSet
from bleuscope.workspace.blobs import Blobs
from bleuscope.workspace.columns import now
from bleuscope.workspace.database import Database
from bleuscope.workspace.disk_usage import Holdings
from bleuscope.workspace.errors import NotFoundError
from bleuscope.workspace.manifests import (
    BLOB,
    Manifest,
    Packed,
    Read,
    fitting,
    manifest_of,
    systems_of,
    test_set_of,
)
from bleuscope.workspace.people import Person
from bleuscope.workspace.schema import comparison, opening

MAX_NAME = 200
PROJECT = "project"
"""Where a manifest says of which project its texts are; those of older workspaces say nothing."""


@dataclass(frozen=True)
class KeptComparison:
    """A comparison with its texts.

    Attributes:
        test_set: The texts.
        origin: As links name it.
        title: What it is called.
        said: What else was told when it was kept, as JSON holds it.
        beside: Files that were read beside the texts: their contents by name.
        project: The slug of the project that the texts are of: who may not read it may not have them from here.
    """

    test_set: TestSet
    origin: str
    title: str
    said: Mapping[str, Any] = field(default_factory=dict)
    beside: Mapping[str, bytes] = field(default_factory=dict)
    project: str | None = None


@dataclass(frozen=True)
class Recent:
    """A comparison that a person opened.

    Attributes:
        origin: As links name it.
        name: That the person gave it, or its title.
        n_systems: How many systems.
        n_segments: Of how many segments.
        opened_at: When last.
        project: The slug of the project that its texts are of, if they are of one.
    """

    origin: str
    name: str
    n_systems: int
    n_segments: int
    opened_at: datetime
    project: str | None = None


def comparison_of(manifest: Manifest, origin: str, title: str, read: Read) -> KeptComparison:
    """The comparison that a manifest describes.

    Raises:
        WorkspaceError: A blob is gone or damaged, or the manifest is none.
    """
    with fitting():
        test_set = test_set_of(manifest, systems_of(manifest, read), read)
        beside = {str(one["name"]): read(one[BLOB]) for one in manifest["beside"]}
        return KeptComparison(test_set, origin, title, dict(manifest["said"]), beside, manifest.get(PROJECT))


class Comparisons:
    """All comparisons of a workspace."""

    def __init__(self, database: Database, blobs: Blobs, holdings: Holdings) -> None:
        """Of one workspace."""
        self._database = database
        self._blobs = blobs
        self._holdings = holdings

    def keep(self, kept: KeptComparison) -> None:
        """Keep a comparison, as it is now: what is kept of the same texts and names already is replaced.

        Raises:
            WorkspaceError: The workspace cannot be written, or is full.
        """
        packed, test_set = Packed(), kept.test_set
        manifest = manifest_of(test_set, packed)
        manifest |= {"said": dict(kept.said), PROJECT: kept.project}
        manifest["beside"] = [{"name": name, BLOB: packed.add(data)} for name, data in kept.beside.items()]
        row = {
            "origin": kept.origin,
            "digest": test_set.digest,
            "texts_digest": test_set.texts_digest,
            "title": kept.title,
            "n_systems": len(test_set.systems),
            "n_segments": test_set.n_segments,
            "manifest": manifest,
            "created_at": now(),
        }
        with self._holdings.placing(packed.contents) as connection:
            kept_row = self._database.insert(comparison).values(row)
            said = {name: row[name] for name in ("title", "manifest")}
            connection.execute(kept_row.on_conflict_do_update(index_elements=["origin"], set_=said))

    def find(self, origin: str) -> KeptComparison | None:
        """The comparison that a link names, if it is kept.

        Raises:
            WorkspaceError: A blob is gone or damaged.
        """
        with self._database.reading() as connection:
            row = connection.execute(sa.select(comparison).where(comparison.c.origin == origin)).one_or_none()
        if row is None:
            return None
        return comparison_of(row.manifest, row.origin, row.title, self._blobs.read)

    def has(self, origin: str) -> bool:
        """Whether a comparison is kept."""
        with self._database.reading() as connection:
            return (
                connection.execute(sa.select(comparison.c.id).where(comparison.c.origin == origin)).first() is not None
            )

    def opened(self, person: Person, origin: str) -> None:
        """Note that a person opened a comparison now.

        Raises:
            NotFoundError: It is not kept.
        """
        with self._database.writing() as connection:
            key = connection.execute(sa.select(comparison.c.id).where(comparison.c.origin == origin)).scalar()
            if key is None:
                raise _unknown(origin)
            row = {"person_id": person.id, "comparison_id": key, "name": None, "opened_at": now()}
            noted = self._database.insert(opening).values(row)
            keys = ["person_id", "comparison_id"]
            connection.execute(noted.on_conflict_do_update(index_elements=keys, set_={"opened_at": row["opened_at"]}))

    def recent(self, person: Person, most: int) -> tuple[Recent, ...]:
        """What a person opened, the last first."""
        joined = sa.join(opening, comparison, opening.c.comparison_id == comparison.c.id)
        asked = (
            sa.select(
                comparison.c.origin,
                sa.func.coalesce(opening.c.name, comparison.c.title).label("name"),
                comparison.c.n_systems,
                comparison.c.n_segments,
                opening.c.opened_at,
                comparison.c.manifest,
            )
            .select_from(joined)
            .where(opening.c.person_id == person.id)
            .order_by(opening.c.opened_at.desc(), comparison.c.id.desc())
            .limit(most)
        )
        with self._database.reading() as connection:
            return tuple(
                Recent(row.origin, row.name, row.n_systems, row.n_segments, row.opened_at, row.manifest.get(PROJECT))
                for row in connection.execute(asked)
            )

    def all(self) -> tuple[str, ...]:
        """How links name all that is kept, the oldest first."""
        with self._database.reading() as connection:
            return tuple(connection.execute(sa.select(comparison.c.origin).order_by(comparison.c.id)).scalars())

    def rename(self, person: Person, origin: str, name: str) -> None:
        """Call a comparison otherwise, for one person; an empty name takes the title back."""
        with self._database.writing() as connection:
            key = sa.select(comparison.c.id).where(comparison.c.origin == origin).scalar_subquery()
            mine = (opening.c.person_id == person.id) & (opening.c.comparison_id == key)
            connection.execute(sa.update(opening).where(mine).values(name=name.strip()[:MAX_NAME] or None))

    def delete(self, person: Person, origin: str) -> None:
        """Take a comparison off a person's list; with the last list that had it, its texts are gone from disk."""
        with self._database.writing() as connection:
            key = connection.execute(sa.select(comparison.c.id).where(comparison.c.origin == origin)).scalar()
            if key is None:
                return
            mine = (opening.c.person_id == person.id) & (opening.c.comparison_id == key)
            connection.execute(sa.delete(opening).where(mine))
            if connection.execute(sa.select(opening).where(opening.c.comparison_id == key)).first() is None:
                connection.execute(sa.delete(comparison).where(comparison.c.id == key))
        self._holdings.sweep()


def _unknown(origin: str) -> NotFoundError:
    return NotFoundError("there is no such comparison", found=origin[:80], remedy="Open its files again.")
