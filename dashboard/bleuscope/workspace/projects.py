"""Projects: test sets under names, systems, and their versions, none of which ever changes."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, Row

from bleucore.corpus import System, TestSet
from bleucore.errors import InputError
from bleucore.formats.line_shifts import slip_words
from bleucore.formats.run_names import run_called
from bleucore.values import shown
from bleuscope.workspace import texts
from bleuscope.workspace.blobs import Blobs
from bleuscope.workspace.columns import now
from bleuscope.workspace.database import Database
from bleuscope.workspace.disk_usage import Holdings
from bleuscope.workspace.errors import ConflictError, NotFoundError
from bleuscope.workspace.events import note_event
from bleuscope.workspace.manifests import (
    Packed,
    References,
    column_of,
    manifest_of_references,
    references_of,
    test_set_of,
    texts_digest,
)
from bleuscope.workspace.names import MAX_NAME, checked_name
from bleuscope.workspace.people import Person
from bleuscope.workspace.schema import member, project, system, test_set, version

SLUG = re.compile(r"[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?")
MAX_TAGS = 50
OF_VERSIONS = ("id", "step", "label", "run", "made_at", "pushed_at", "digest", "config", "tags")
MOST_STEPS = 2**63 - 1
MOST_CONFIG = 256 * 1024


@dataclass(frozen=True)
class Project:
    """A project.

    Attributes:
        id: Its row.
        slug: Its name in addresses and commands.
        title: Its name for people.
        created_at: When it was made.
    """

    id: int
    slug: str
    title: str
    created_at: datetime


@dataclass(frozen=True)
class KeptTestSet:
    """References with what stands beside them, without their texts.

    Attributes:
        id: Its row.
        name: Unique in its project.
        digest: Of its texts.
        languages: Of source and target, where known.
        n_segments: S.
        manifest: Which blobs hold its texts.
    """

    id: int
    name: str
    digest: str
    languages: tuple[str | None, str | None]
    n_segments: int
    manifest: dict[str, Any] = field(repr=False)


@dataclass(frozen=True)
class NewVersion:
    """What is pushed.

    Attributes:
        system: The name of the system.
        label: Of the version: with its run unique for its system and test set.
        outputs: S texts.
        step: Of training, where it has one.
        made_at: When the outputs were made; the time of the push unless given.
        config: Settings that it was made with, as JSON holds them.
        tags: Words.
        file: What the outputs were read from, for messages.
        run: Of which run (a seed) of the version the outputs are; ``None`` where it is not told.
    """

    system: str
    label: str
    outputs: Sequence[str] = field(repr=False)
    step: int | None = None
    made_at: datetime | None = None
    config: Mapping[str, Any] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    file: str | None = None
    run: str | None = None

    @property
    def called(self) -> str:
        """What messages call it beside its system: the label, and the run if it has one."""
        return run_called(self.label, self.run)


@dataclass(frozen=True)
class KeptVersion:
    """A version that is kept.

    Attributes:
        id: Its row.
        system: The name of its system.
        test_set: The name of its test set.
        label: Its own name.
        step: Of training, where it has one.
        made_at: When its outputs were made.
        pushed_at: When it was kept.
        digest: Of the blob with its outputs.
        config: Settings that it was made with.
        tags: Words.
        is_new: Whether this push made it: the same outputs under the same label are the same version.
        run: Of which run of the version the outputs are; ``None`` where it is not told.
    """

    id: int
    system: str
    test_set: str
    label: str
    step: int | None
    made_at: datetime
    pushed_at: datetime
    digest: str
    config: Mapping[str, Any]
    tags: tuple[str, ...]
    is_new: bool = False
    run: str | None = None

    @property
    def called(self) -> str:
        """What messages call it beside its system: the label, and the run if it has one."""
        return run_called(self.label, self.run)


def checked_slug(slug: str) -> str:
    """The name of a project in addresses and commands.

    Raises:
        InputError: This can be none.
    """
    if not SLUG.fullmatch(slug):
        raise InputError(
            "this can be no name of a project",
            where="Project",
            found=repr(slug[:80]),
            expected="up to 64 small letters, digits, dots, hyphens and underscores, as in en-de",
            remedy="Choose another; its title may be anything.",
        )
    return slug


class Projects:
    """All projects of a workspace."""

    def __init__(self, database: Database, blobs: Blobs, holdings: Holdings) -> None:
        """Of one workspace."""
        self._database = database
        self._blobs = blobs
        self._holdings = holdings

    def all(self) -> tuple[Project, ...]:
        """Every project, by its slug."""
        with self._database.reading() as connection:
            return tuple(_project(row) for row in connection.execute(sa.select(project).order_by(project.c.slug)))

    def find(self, slug: str) -> Project:
        """The project of that name.

        Raises:
            NotFoundError: There is none.
        """
        with self._database.reading() as connection:
            return _found_project(connection, slug)

    def make(self, slug: str, person: Person, title: str | None = None) -> Project:
        """A project, made now unless it is there; whoever makes it owns it.

        Raises:
            InputError: This can be no name of a project.
        """
        checked_slug(slug)
        with self._database.writing() as connection:
            row = {"slug": slug, "title": (title or slug)[:MAX_NAME], "created_at": now()}
            made = self._database.insert(project).values(row).on_conflict_do_nothing(index_elements=["slug"])
            key = connection.execute(made.returning(project.c.id)).scalar()
            if key is not None:
                owner = {"project_id": key, "person_id": person.id, "role": "owner"}
                connection.execute(sa.insert(member).values(owner))
                note_event(connection, person, slug, "project made", {})
            return _found_project(connection, slug)

    def remove(self, of: Project, person: Person) -> None:
        """Delete a project with its test sets, systems and versions; their texts go when the workspace is pruned.

        Raises:
            WorkspaceError: The workspace cannot be written.
        """
        with self._database.writing() as connection:
            connection.execute(sa.delete(project).where(project.c.id == of.id))
            note_event(connection, person, of.slug, "project deleted", {})

    def test_sets(self, of: Project) -> tuple[KeptTestSet, ...]:
        """The test sets of a project, by name."""
        asked = sa.select(test_set).where(test_set.c.project_id == of.id).order_by(test_set.c.name)
        with self._database.reading() as connection:
            return tuple(_kept_test_set(row) for row in connection.execute(asked))

    def test_set(self, of: Project, name: str) -> KeptTestSet:
        """The test set of that name.

        Raises:
            NotFoundError: There is none.
        """
        with self._database.reading() as connection:
            return _found_test_set(connection, of, name)

    def put_test_set(self, of: Project, name: str, given: TestSet, person: Person) -> KeptTestSet:
        """Keep references with what stands beside them; systems of ``given`` are not.

        Raises:
            ConflictError: Other texts have that name.
            WorkspaceError: The workspace cannot be written.
        """
        name = checked_name("Test set", name)
        packed = Packed()
        manifest = manifest_of_references(given, packed)
        digest = texts_digest(manifest)
        row = {
            "project_id": of.id,
            "name": name,
            "digest": digest,
            "source_language": given.languages[0],
            "target_language": given.languages[1],
            "n_segments": given.n_segments,
            "manifest": manifest,
            "created_at": now(),
        }
        with self._holdings.placing(packed.contents) as connection:
            keys = ["project_id", "name"]
            made = self._database.insert(test_set).values(row).on_conflict_do_nothing(index_elements=keys)
            key = connection.execute(made.returning(test_set.c.id)).scalar()
            found = _found_test_set(connection, of, name)
            if found.digest != digest:
                raise ConflictError(
                    "other texts have this name already",
                    where=f"Test set {name} of project {of.slug}",
                    found=f"digest {digest[:12]}",
                    expected=f"digest {found.digest[:12]}",
                    remedy="Give the new texts another name: numbers of different texts cannot be compared.",
                )
            if key is not None:
                note_event(connection, person, of.slug, "test set kept", {"test_set": name, "digest": digest})
            return found

    def push(self, of: Project, to: KeptTestSet, new: NewVersion, person: Person) -> KeptVersion:
        """Keep a version; when this returns it is on the disk, whatever happens then.

        Pushed again, the same outputs under the same label, and run, are the version that is there. Runs of a version
        are kept next to each other; the same outputs as two runs would make their variance too small.

        Raises:
            ConflictError: The label, with this run, has other outputs; or another run of it has the same ones.
            InputError: The number of outputs is not that of the test set, or a name is none.
            WorkspaceError: The workspace cannot be written.
        """
        checked = self._checked(new, to)
        content = texts.written(checked.outputs)
        digest = texts.digest_of(content)
        moment = now()
        with self._holdings.placing({digest: content}) as connection:
            key = self._system(connection, of, checked.system)
            row = {
                "system_id": key,
                "test_set_id": to.id,
                "label": checked.label,
                "step": checked.step,
                "made_at": checked.made_at or moment,
                "pushed_at": moment,
                "digest": digest,
                "config": dict(checked.config),
                "tags": list(checked.tags),
                "person_id": person.id,
                "run": checked.run or "",
            }
            keys = ["system_id", "test_set_id", "label", "run"]
            made = self._database.insert(version).values(row).on_conflict_do_nothing(index_elements=keys)
            is_new = connection.execute(made.returning(version.c.id)).scalar() is not None
            of_version = (version.c.system_id == key, version.c.test_set_id == to.id, version.c.label == checked.label)
            rows = [_version(row) for row in connection.execute(_versions().where(*of_version).order_by(version.c.id))]
            found = next(one for one in rows if one.run == checked.run)
            if found.digest != digest:
                raise _other_outputs(of, checked, found)
            if is_new:
                _refuse_same_outputs(of, found, rows)
                said = {"system": checked.system, "version": checked.label, "test_set": to.name, "digest": digest}
                said |= {} if checked.run is None else {"run": checked.run}
                note_event(connection, person, of.slug, "version pushed", said)
            return replace(found, is_new=is_new)

    def versions(
        self, of: Project, to: KeptTestSet | None = None, system_name: str | None = None
    ) -> tuple[KeptVersion, ...]:
        """The versions of a project, oldest first: by step, where they have one, then by when they were made.

        Every run of a version is one of them, with the label of the version.
        """
        asked = _versions().where(system.c.project_id == of.id)
        if to is not None:
            asked = asked.where(version.c.test_set_id == to.id)
        if system_name is not None:
            asked = asked.where(system.c.name == system_name)
        order = (system.c.name, sa.func.coalesce(version.c.step, -1), version.c.made_at, version.c.id)
        with self._database.reading() as connection:
            return tuple(_version(row) for row in connection.execute(asked.order_by(*order)))

    def with_outputs(self, of: Sequence[Project], digests: Sequence[str]) -> tuple[tuple[Project, KeptVersion], ...]:
        """The versions in some projects whose outputs have one of these digests, oldest push first."""
        by_id = {one.id: one for one in of}
        asked = _versions().add_columns(system.c.project_id.label("project_id"))
        asked = asked.where(system.c.project_id.in_(list(by_id)), version.c.digest.in_(list(digests)))
        with self._database.reading() as connection:
            rows = connection.execute(asked.order_by(version.c.id)).all()
        return tuple((by_id[row.project_id], _version(row)) for row in rows)

    def texts(self, of: KeptTestSet, which: Sequence[KeptVersion], names: Sequence[str] | None = None) -> TestSet:
        """A test set with versions as its systems.

        Args:
            of: The test set.
            which: At least one version on it.
            names: Of the systems; system and label unless given.

        Raises:
            WorkspaceError: A blob is gone or damaged.
        """
        given = names or [f"{one.system} {one.called}" for one in which]
        systems = [System(name, self.outputs(one)) for name, one in zip(given, which, strict=True)]
        return test_set_of(of.manifest, systems, self._blobs.read)

    def references(self, of: KeptTestSet) -> References:
        """The texts of a test set that versions are scored against.

        Raises:
            WorkspaceError: A blob is gone or damaged.
        """
        return references_of(of.manifest, self._blobs.read)

    def outputs(self, of: KeptVersion) -> tuple[str, ...]:
        """The texts of a version.

        Raises:
            WorkspaceError: Their blob is gone or damaged.
        """
        found = texts.read(self._blobs.read(of.digest), f"{of.system} {of.called}")
        return tuple(text or "" for text in found)

    def file_of(self, digest: str) -> Path:
        """Where the texts with this digest are on the disk, packed as ``texts.written`` has them.

        Raises:
            WorkspaceError: This is no digest.
        """
        return self._blobs.path(digest)

    def _checked(self, new: NewVersion, to: KeptTestSet) -> NewVersion:
        outputs = System(new.system, new.outputs).hypotheses
        if len(outputs) != to.n_segments:
            raise self._unequal(new, outputs, to)
        if new.made_at is not None and new.made_at.tzinfo is None:
            raise InputError(
                "the time has no offset from UTC",
                where=f"Version {new.label!r}",
                found=new.made_at.isoformat(),
                expected="as in 2026-11-23T08:00:00+00:00",
                remedy="Add the offset.",
            )
        if new.step is not None and not 0 <= new.step <= MOST_STEPS:
            raise InputError(
                "this can be no step",
                where=f"Version {new.label!r}",
                found=shown(new.step),
                expected=f"a whole number from 0 to {MOST_STEPS}",
                remedy="Give the number of updates that were made.",
            )
        _refuse_config(new)
        tags = tuple(dict.fromkeys(checked_name("Tag", tag) for tag in new.tags))[:MAX_TAGS]
        return replace(
            new,
            system=checked_name("System", new.system),
            label=checked_name("KeptVersion", new.label),
            outputs=outputs,
            tags=tags,
            run=None if new.run is None else checked_name("Run", new.run),
        )

    def _unequal(self, new: NewVersion, outputs: Sequence[str], to: KeptTestSet) -> InputError:
        """The refusal of too many or too few outputs, with the line where they slip if their words tell."""
        references = [column_of(one, self._blobs.read) for one in to.manifest["references"]]
        return InputError(
            "the number of segments differs",
            where=new.file or f"System {new.system!r}, version {new.called!r}",
            found=f"{len(outputs):,}",
            expected=f"{to.n_segments:,} as in test set {to.name}",
            remedy=f"{slip_words(outputs, references)}Push one line per segment of the test set, in the same order, "
            "or cut the outputs at its segments with --align.",
        )

    def _system(self, connection: Connection, of: Project, name: str) -> int:
        row = {"project_id": of.id, "name": name, "created_at": now()}
        keys = ["project_id", "name"]
        connection.execute(self._database.insert(system).values(row).on_conflict_do_nothing(index_elements=keys))
        same = (system.c.project_id == of.id, system.c.name == name)
        key: int = connection.execute(sa.select(system.c.id).where(*same)).scalar_one()
        return key


def _versions() -> sa.Select[Any]:
    joined = version.join(system, version.c.system_id == system.c.id).join(
        test_set, version.c.test_set_id == test_set.c.id
    )
    columns = [version.c[name] for name in OF_VERSIONS]
    return sa.select(*columns, system.c.name.label("system"), test_set.c.name.label("test_set")).select_from(joined)


def _version(row: Row[Any]) -> KeptVersion:
    found = {name: getattr(row, name) for name in (*OF_VERSIONS, "system", "test_set")}
    return KeptVersion(**{**found, "tags": tuple(found["tags"]), "run": found["run"] or None})


def _project(row: Row[Any]) -> Project:
    return Project(row.id, row.slug, row.title, row.created_at)


def _found_project(connection: Connection, slug: str) -> Project:
    row = connection.execute(sa.select(project).where(project.c.slug == slug)).one_or_none()
    if row is None:
        raise no_such_project(slug)
    return _project(row)


def no_such_project(slug: str) -> NotFoundError:
    """How a project is refused that there is not, or not for whoever asks."""
    return NotFoundError(
        "there is no such project",
        where="The workspace",
        found=repr(slug[:80]),
        remedy="Push to it, which makes it, or ask one of its owners for a role.",
    )


def _kept_test_set(row: Row[Any]) -> KeptTestSet:
    languages = (row.source_language, row.target_language)
    return KeptTestSet(row.id, row.name, row.digest, languages, row.n_segments, row.manifest)


def _found_test_set(connection: Connection, of: Project, name: str) -> KeptTestSet:
    same = (test_set.c.project_id == of.id, test_set.c.name == name)
    row = connection.execute(sa.select(test_set).where(*same)).one_or_none()
    if row is None:
        raise NotFoundError(
            "there is no such test set",
            where=f"Project {of.slug}",
            found=repr(name[:80]),
            remedy="Push it with its references first: bleuscope push OUT --reference REF.",
        )
    return _kept_test_set(row)


def _refuse_config(new: NewVersion) -> None:
    """Refuse what JSON cannot hold, or too much of it."""
    problem, found, expected = "", "", f"at most {MOST_CONFIG:,} characters of JSON"
    try:
        size = len(json.dumps(dict(new.config), allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        problem, found, expected = "the configuration is nothing that JSON can hold", str(error), "numbers and texts"
    else:
        if size > MOST_CONFIG:
            problem, found = "the configuration is too long", f"{size:,}"
    if problem:
        raise InputError(
            problem,
            where=f"Version {new.label!r}",
            found=found,
            expected=expected,
            remedy="Keep the settings alone.",
        )


def _refuse_same_outputs(of: Project, new: KeptVersion, rows: Sequence[KeptVersion]) -> None:
    """Refuse outputs that are those of another run of the version."""
    same = next((one for one in rows if one.digest == new.digest and one.run != new.run), None)
    if same is not None:
        raise ConflictError(
            "another run of this version has the same outputs",
            where=f"Version {new.called} of system {new.system} on {new.test_set}, project {of.slug}",
            found=f"the outputs of {same.called}, pushed {same.pushed_at:%Y-%m-%d %H:%M} UTC",
            expected="outputs of another run",
            remedy="Push the outputs of this run: the same outputs twice would make the variance of runs too small.",
        )


def _other_outputs(of: Project, new: NewVersion, found: KeptVersion) -> ConflictError:
    own = new.run is not None
    return ConflictError(
        f"other outputs have this label {'and run ' if own else ''}already",
        where=f"Version {new.called} of system {new.system} on {found.test_set}, project {of.slug}",
        found=f"digest {texts.digest_of(texts.written(new.outputs))[:12]}",
        expected=f"digest {found.digest[:12]}, pushed {found.pushed_at:%Y-%m-%d %H:%M} UTC",
        remedy=f"Push under another {'run or ' if own else ''}label.",
    )
