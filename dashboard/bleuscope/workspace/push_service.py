"""What becomes of a push in a workspace: its test set is found or made, then its version."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from bleucore.errors import InputError
from bleucore.values import HALF_A_PAIR, lone_surrogate, shown
from bleucore.written_numbers import counted
from bleuscope.workspace import texts
from bleuscope.workspace.errors import ConflictError, NotFoundError
from bleuscope.workspace.manifests import Manifest, Packed, column_of, manifest_of_references
from bleuscope.workspace.people import LOCAL, Person
from bleuscope.workspace.place import WorkspacePlace
from bleuscope.workspace.projects import KeptTestSet, NewVersion, Project, Projects
from bleuscope.workspace.push_payload import GivenTexts, Parcel, Pushed
from bleuscope.workspace.workspace import Workspace, open_workspace

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
        rehearse(workspace, parcel, who)  # so that nothing is made for outputs that are refused
    return _kept(workspace, parcel, who)


def rehearse(workspace: Workspace, parcel: Parcel, who: Person) -> Pushed:
    """What ``keep`` would come to: it is done and undone.

    Raises:
        ConflictError: As there.
        NotFoundError: As there.
        InputError: As there.
        WorkspaceError: As there.
    """
    with workspace.rehearsing() as rehearsed:
        return _kept(rehearsed, parcel, who).undone()


def rehearse_first(parcel: Parcel) -> Pushed:
    """What the first push to an empty workspace would come to.

    Raises:
        NotFoundError: No references came with it.
        InputError: The texts do not fit together, or a name is none.
    """
    with TemporaryDirectory() as folder, open_workspace(WorkspacePlace(Path(folder))) as workspace:
        return _kept(workspace, parcel, workspace.people.person(LOCAL)).undone()


def keep_test_set(
    workspace: Workspace, project: Project, name: str, given: GivenTexts, who: Person
) -> tuple[KeptTestSet, bool]:
    """The test set of a name, made now if it is not there; and whether it was.

    Args:
        workspace: Where to keep it.
        project: In which it has that name.
        name: Of the test set.
        given: What is told of it.
        who: Keeps it.

    Raises:
        ConflictError: It has other texts.
        NotFoundError: It is not there, and there are no references.
        InputError: The texts do not fit together.
        WorkspaceError: The workspace cannot be used.
    """
    found = _test_set(workspace.projects, project, name)
    if found is None and given.references:
        return workspace.projects.put_test_set(project, name, given.test_set(), who), True
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
        run=version.run,
    )


def _kept(workspace: Workspace, parcel: Parcel, who: Person) -> Pushed:
    project = _project(workspace.projects, parcel.project) or workspace.projects.make(parcel.project, who)
    test_set, _ = keep_test_set(workspace, project, parcel.test_set, parcel.texts, who)
    return keep_version(workspace, project, test_set, parcel.version, who)


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
