"""All that a workspace holds as plain files, which bleuscope and other programs read."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from bleucore import InputError, TestSet
from bleuscope.annotations import BlindTrial, Preferences, SegmentNote
from bleuscope.cli.files_out import write_file
from bleuscope.content.segments import blind_trial, segment_notes
from bleuscope.content.sheets import writers

if TYPE_CHECKING:
    from bleuscope.workspace import Workspace
    from bleuscope.workspace.comparisons import KeptComparison

LONGEST = 80
_UNSAFE = re.compile(r"[^\w.-]+")


def export(workspace: "Workspace", folder: Path) -> int:
    """Write a folder for each comparison and each project; how many files were written.

    Texts have a line a segment, or are a JSON list where one of them holds a line break. Tags, notes and preferences
    are the tables that Segments saves and reads back.

    Raises:
        InputError: The folder is there already, or cannot be written.
        WorkspaceError: Something in the workspace is gone or damaged.
    """
    try:
        folder.mkdir(parents=True)
    except OSError as error:
        raise InputError(
            "the folder cannot be made",
            where=str(folder),
            found=(error.strerror or type(error).__name__).lower(),
            remedy="Name one that is not there yet.",
        ) from error
    files = _Files(folder)
    for origin in workspace.comparisons.all():
        kept = workspace.comparisons.find(origin)
        if kept is not None:
            _comparison(workspace, kept, files)
    _projects(workspace, files)
    return files.number


class _Files:
    """What is written beneath a folder, each under a name that no other has."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._taken: set[str] = set()
        self.number = 0

    def write(self, parts: Sequence[str], ending: str, content: bytes) -> None:
        """Write a file; its folders and its name are made of these parts, without what a path could mean."""
        names = [_UNSAFE.sub("_", part).strip("._")[:LONGEST] or "_" for part in parts]
        base, number = "/".join(names), 1
        name = base + ending
        while name.lower() in self._taken:
            number += 1
            name = f"{base}-{number}{ending}"
        self._taken.add(name.lower())
        path = self._folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, content)
        self.number += 1

    def texts(self, parts: Sequence[str], column: Iterable[str | None]) -> None:
        """Write a column of texts."""
        texts = list(column)
        if any(text is None or len(text.splitlines()) > 1 for text in texts):
            self.write(parts, ".json", json.dumps(texts, ensure_ascii=False, indent=0).encode())
        else:
            self.write(parts, ".txt", "".join(f"{text}\n" for text in texts).encode())


def _comparison(workspace: "Workspace", kept: "KeptComparison", files: _Files) -> None:
    place = ("comparisons", f"{kept.title}-{kept.origin[:8]}")
    test_set = kept.test_set
    for system in test_set.systems:
        files.texts((*place, "systems", system.name), system.hypotheses)
    _references(test_set, place, files)
    for name, data in kept.beside.items():
        files.write((*place, "beside", Path(name).name), "", data)
    for author in workspace.work.authors(test_set.texts_digest):
        work = workspace.work.read(author, test_set.texts_digest)[0]
        of_author = (*place, "work", author.name or str(author.id))
        if work.notes:
            _table((*of_author, "segment-notes"), _notes(test_set, work.notes), files)
        for trial, preferences in work.trials.items():
            if preferences:
                _table((*of_author, "blind-" + "-".join(trial.systems)), _preferences(trial, preferences), files)
        if work.remarks:
            files.write((*of_author, "remarks"), ".txt", work.remarks.encode(errors="backslashreplace"))


def _projects(workspace: "Workspace", files: _Files) -> None:
    for project in workspace.projects.all():
        for kept in workspace.projects.test_sets(project):
            place = ("projects", project.slug, kept.name)
            found = workspace.projects.versions(project, kept)
            if found:
                _references(workspace.projects.texts(kept, found[:1]), place, files)
            for one in found:
                files.texts((*place, "versions", one.system, one.label), workspace.projects.outputs(one))
            said = [
                {
                    "system": one.system,
                    "version": one.label,
                    "step": one.step,
                    "made_at": one.made_at.isoformat(),
                    "pushed_at": one.pushed_at.isoformat(),
                    "digest": one.digest,
                    "config": one.config,
                    "tags": one.tags,
                }
                for one in found
            ]
            files.write((*place, "versions"), ".json", json.dumps(said, ensure_ascii=False, indent=1).encode())


def _references(test_set: TestSet, place: Sequence[str], files: _Files) -> None:
    for name, column in zip(test_set.reference_names or (), test_set.references, strict=True):
        files.texts((*place, name if name.startswith("reference") else f"reference-{name}"), column)
    beside: Mapping[str, Sequence[str] | None] = {"source": test_set.source, "documents": test_set.documents}
    for name, texts in beside.items():
        if texts is not None:
            files.texts((*place, name), texts)
    for name, label in test_set.labels.items():
        files.texts((*place, "labels", name), label)


def _notes(test_set: TestSet, notes: Mapping[int, SegmentNote]) -> str:
    return str(writers.write(segment_notes.notes_sheet(test_set, notes), "quoted-tsv").decode())


def _preferences(trial: BlindTrial, preferences: Preferences) -> str:
    return str(writers.write(blind_trial.blind_sheet(trial, preferences), "quoted-tsv").decode())


def _table(parts: Sequence[str], content: str, files: _Files) -> None:
    files.write(parts, ".tsv", content.encode())
