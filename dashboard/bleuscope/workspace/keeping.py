"""What becomes of a push in a workspace: its test set is found or made, then its version."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bleucore.corpus import System
from bleucore.errors import InputError
from bleucore.formats.slips import slip_words
from bleucore.values import HALF_A_PAIR, lone_surrogate, shown
from bleucore.written_numbers import counted
from bleuscope.workspace import texts
from bleuscope.workspace.errors import ConflictError, NotFoundError
from bleuscope.workspace.manifests import Manifest, Packed, column_of, manifest_of_references
from bleuscope.workspace.names import checked_name
from bleuscope.workspace.parcels import GivenTexts, Parcel, Pushed
from bleuscope.workspace.people import Person
from bleuscope.workspace.projects import KeptTestSet, NewVersion, Project, Projects, checked_slug
from bleuscope.workspace.workspace import Workspace

OTHER_TEST_SET = (
    "Push the texts that it was made of, or give other texts another name: numbers of different texts cannot "
)
OTHER_TEST_SET += "be compared."


def keep(workspace: Workspace, parcel: Parcel, who: Person) -> Pushed:
    """Keep what is pushed; when this returns it is on the disk, whatever happens then.

    A project is made at its first push, and a test set at the first that has references. Texts that come with later
    pushes have to be those that are kept. The same outputs under the same names are the version that is there.

    Raises:
        ConflictError: The label has other outputs, or the test set other texts.
        NotFoundError: There is no such test set, and no references came with the push.
        InputError: The number of outputs is not that of the test set, or a name is none.
        WorkspaceError: The workspace cannot be written.
    """
    projects = workspace.projects
    project = _project(projects, parcel.project)
    if project is None or _test_set(projects, project, parcel.test_set) is None:
        _try_first(parcel)  # so that nothing is made for outputs that are refused
        project = projects.make(parcel.project, who)
    test_set, _ = keep_test_set(workspace, project, parcel.test_set, parcel.texts, who)
    return keep_version(workspace, project, test_set, parcel.version, who)


def keep_test_set(
    workspace: Workspace, project: Project, name: str, given: GivenTexts, who: Person, *, is_tried: bool = False
) -> tuple[KeptTestSet, bool]:
    """The test set of a name, made now if it is not there; and whether it was.

    Args:
        workspace: Where to keep it.
        project: In which it has that name.
        name: Of the test set.
        given: What is told of it.
        who: Keeps it.
        is_tried: Whether to look for what would be wrong, and to keep nothing: one that is not there has row 0 then.

    Raises:
        ConflictError: It has other texts.
        NotFoundError: It is not there, and there are no references.
        InputError: The texts do not fit together.
        WorkspaceError: The workspace cannot be used.
    """
    found = _test_set(workspace.projects, project, name)
    if found is None and given.references:
        made = given.test_set()
        if is_tried:
            return KeptTestSet(0, name, "", made.languages, made.n_segments, {}), True
        return workspace.projects.put_test_set(project, name, made, who), True
    if found is None:
        found = workspace.projects.test_set(project, name)  # says that it is not there
    if not given.is_nothing:
        _refuse_other_texts(workspace, project, found, given)
    return found, False


def keep_version(workspace: Workspace, project: Project, test_set: KeptTestSet, new: NewVersion, who: Person) -> Pushed:
    """Keep a version on a test set that is there.

    Raises:
        ConflictError: The label has other outputs.
        InputError: The number of outputs is not that of the test set, or a name is none.
        WorkspaceError: The workspace cannot be written.
    """
    version = workspace.projects.push(project, test_set, new, who)
    return Pushed(
        project.slug,
        test_set.name,
        version.system,
        version.label,
        version.digest,
        test_set.n_segments,
        version.is_new,
    )


def try_version(workspace: Workspace, project: Project, test_set: KeptTestSet, new: NewVersion) -> Pushed:
    """What ``keep_version`` would come to; nothing is kept.

    Raises:
        ConflictError: As there.
        InputError: As there.
        WorkspaceError: The workspace cannot be read.
    """
    is_there = workspace.projects.standing(project, test_set, new) is not None
    return _tried(project.slug, test_set.name, new, is_new=not is_there)


def try_parcel(workspace: Workspace | None, parcel: Parcel, who: Person) -> Pushed:
    """What ``keep`` would come to; nothing is kept.

    Args:
        workspace: Where it would be kept; ``None`` for one that is not there yet.
        parcel: What is pushed.
        who: Pushes it.

    Raises:
        ConflictError: As there.
        NotFoundError: As there.
        InputError: As there.
        WorkspaceError: The workspace cannot be read.
    """
    project = None if workspace is None else _project(workspace.projects, parcel.project)
    if workspace is not None and project is not None:
        test_set, is_new = keep_test_set(workspace, project, parcel.test_set, parcel.texts, who, is_tried=True)
        if not is_new:
            return try_version(workspace, project, test_set, parcel.version)
    return _try_first(parcel)


def try_first(parcel: Parcel) -> Pushed:
    """What the first push of a test set would come to.

    Raises:
        InputError: The texts do not fit together.
    """
    n_segments, new = parcel.texts.test_set().n_segments, parcel.version
    n_outputs = len(System(new.system, new.outputs).hypotheses)
    if n_outputs != n_segments:
        raise InputError(
            "the number of segments differs",
            where=new.file or f"System {new.system!r}, version {new.label!r}",
            found=f"{n_outputs:,}",
            expected=f"{n_segments:,} as in the references",
            remedy=f"{slip_words(new.outputs, parcel.texts.references)}Every file needs one line per segment, in the "
            "same order.",
        )
    return _tried(parcel.project, parcel.test_set, new, is_new=True)


def _try_first(parcel: Parcel) -> Pushed:
    if not parcel.texts.references:
        raise NotFoundError(
            "there is no such test set",
            where=f"Project {parcel.project}",
            found=repr(parcel.test_set[:80]),
            remedy="Push it with its references first: bleuscope push OUT --reference REF.",
        )
    return try_first(parcel)


def _tried(project: str, test_set: str, new: NewVersion, *, is_new: bool) -> Pushed:
    digest = texts.digest_of(texts.written(new.outputs))
    return Pushed(
        checked_slug(project),
        checked_name("Test set", test_set),
        checked_name("System", new.system),
        checked_name("Version", new.label),
        digest,
        len(new.outputs),
        is_new,
        is_kept=not is_new,
    )


def _project(projects: Projects, slug: str) -> Project | None:
    try:
        return projects.find(slug)
    except NotFoundError:
        return None


def _test_set(projects: Projects, project: Project, name: str) -> KeptTestSet | None:
    try:
        return projects.test_set(project, name.strip())
    except NotFoundError:
        return None


@dataclass(frozen=True)
class _Pair:
    """A column as it is given, and as it is kept."""

    what: str
    given: Manifest
    kept: Manifest | None


def _refuse_other_texts(workspace: Workspace, project: Project, kept: KeptTestSet, given: GivenTexts) -> None:
    """Refuse texts that are not those of the test set, with the first line that differs."""
    where, packed = f"Test set {kept.name} of project {project.slug}", Packed()
    if len(given.references) not in (0, len(kept.manifest["references"])):
        raise ConflictError(
            "it is kept with another number of references",
            where=where,
            found=str(len(given.references)),
            expected=str(len(kept.manifest["references"])),
            remedy=OTHER_TEST_SET,
        )
    for pair in _pairs(kept.manifest, given, packed):
        if pair.kept is None:
            raise ConflictError(
                f"it is kept without {pair.what}", where=where, remedy=f"Leave {pair.what} out. {OTHER_TEST_SET}"
            )
        if pair.given["blob"] != pair.kept["blob"]:
            ours = texts.read(packed.contents[pair.given["blob"]], pair.what)
            theirs = column_of(pair.kept, workspace.blobs.read)
            raise _differs(where, pair.what, ours, theirs)


def _pairs(kept: Manifest, given: GivenTexts, packed: Packed) -> Iterator[_Pair]:
    """The columns that are given, the source first: it tells best where texts have slipped."""
    for name, column, what in (
        ("source", given.source, "the source"),
        ("documents", given.documents, "the documents"),
    ):
        if column is not None:
            yield _Pair(what, packed.column(_writable(column, what)), kept[name])
    if given.references:
        manifest = manifest_of_references(given.test_set(), packed)
        for number, (ours, theirs) in enumerate(zip(manifest["references"], kept["references"], strict=True), 1):
            yield _Pair(f"reference {number}", ours, theirs)
    labels = {one["name"]: one for one in kept["labels"]}
    for name, column in given.labels.items():
        what = f"the label {shown(name)}"
        yield _Pair(what, packed.column(_writable(column, what)), labels.get(name))


def _writable(column: Sequence[str], what: str) -> Sequence[str]:
    """The column, in which every text can be written as UTF-8."""
    for number, text in enumerate(column, 1):
        surrogate = lone_surrogate(text)
        if surrogate is not None:
            raise InputError(
                f"the text holds {HALF_A_PAIR}",
                where=what[:1].upper() + what[1:],
                line=number,
                found=surrogate,
                expected="text that can be written as UTF-8",
                remedy="Fix what made it.",
            )
    return column


def _differs(where: str, what: str, ours: Sequence[str | None], theirs: Sequence[str | None]) -> ConflictError:
    line = next((number for number, (one, other) in enumerate(zip(ours, theirs, strict=False)) if one != other), None)
    if line is None:
        found, expected, line = counted(len(ours), "line"), f"{len(theirs):,}", min(len(ours), len(theirs))
    else:
        found, expected = shown(ours[line]), shown(theirs[line])
        if len(ours) != len(theirs):
            found, expected = f"{found}, {counted(len(ours), 'line')}", f"{expected}, {counted(len(theirs), 'line')}"
    return ConflictError(
        "these are other texts than those that it was made of",
        where=f"{where}, {what}",
        line=line + 1,
        found=found,
        expected=expected,
        remedy=OTHER_TEST_SET,
    )
