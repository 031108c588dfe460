"""Files that were read beside texts, kept in the workspace: a link and a restart find what they showed."""

import logging
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bleucore import InputError, TestSet
from bleucore.analysis.given_words import LabelFile
from bleucore.judgements.reading import Scores, joined
from bleucore.judgements.records import Judgements
from bleucore.metrics.segment_scores import SegmentScores
from bleuscope.content.comparison.inputs import FileBeside
from bleuscope.shell.state import cached, session, workspace_in_use
from bleuscope.workspace import Workspace, texts
from bleuscope.workspace.attachments import KeptBeside, Kind
from bleuscope.workspace.errors import WorkspaceError

NOTED = "_noted_as_kept_beside"


@dataclass(frozen=True)
class Reading:
    """Files, and how they are read for a test set.

    Attributes:
        files: In order.
        aliases: Systems by further names.
        moves_spans: Whether spans are moved to where they clearly fit better.
    """

    files: Sequence[FileBeside]
    aliases: Mapping[str, str]
    moves_spans: bool

    @property
    def digests(self) -> list[str]:
        """Of the files."""
        return [file.digest for file in self.files]

    def found(self, test_set: TestSet) -> list[Scores]:
        """What each file says about a test set.

        Raises:
            InputError: It is about other texts, or cannot be read.
        """
        return [
            cached.aligned_beside(file, test_set, self.aliases, moves_spans=self.moves_spans) for file in self.files
        ]

    def read(self, test_set: TestSet) -> tuple[list[SegmentScores], list[Judgements]]:
        """All columns of scores and all judgements in them.

        Raises:
            InputError: They are about other texts, or cannot be read.
        """
        found = self.found(test_set)
        columns = joined([column for scores in found for column in scores.columns])
        return list(columns), [one for scores in found for one in scores.judgements]


def keep(kind: Kind, key: str, reading: Reading, chosen: Sequence[Sequence[object]]) -> None:
    """Keep files, and what is shown of them; once a session, while the page goes on.

    Args:
        kind: Scores or judgements.
        key: How links name what is shown.
        reading: The files.
        chosen: What is shown of them, as JSON holds it.
    """
    kept = workspace_in_use.workspace()
    if kept is None or session.get(NOTED) == (kind, key):
        return
    session.put(NOTED, (kind, key))
    said = {"aliases": dict(reading.aliases), "moves_spans": reading.moves_spans, "chosen": chosen}
    _keep_later(kept, kind, key, KeptBeside(said, [(file.name, file.data) for file in reading.files]))


def find(kind: Kind, key: str) -> tuple[Reading, list[list[object]]] | None:
    """The files of a key and what is shown of them, if they are kept; what is damaged is not found."""
    found = _found(kind, key)
    if found is None:
        return None
    files = [FileBeside(name, data) for name, data in found.files]
    return Reading(files, found.said["aliases"], bool(found.said["moves_spans"])), found.said["chosen"]


def keep_words(key: str, given: Mapping[str, LabelFile]) -> None:
    """Keep labels of tokens, or a list of words, by the columns that they are of; once a session."""
    kept = workspace_in_use.workspace()
    if kept is None or session.get(NOTED) == ("words", key):
        return
    session.put(NOTED, ("words", key))
    files = [(file.name, texts.written(file.lines)) for file in given.values()]
    _keep_later(kept, "words", key, KeptBeside({"of": list(given)}, files))


def words(key: str) -> Mapping[str, LabelFile] | None:
    """The labels or the list of a key, if they are kept."""
    found = _found("words", key)
    if found is None:
        return None
    files = [LabelFile(name, tuple(line or "" for line in texts.read(data, name))) for name, data in found.files]
    return dict(zip(found.said["of"], files, strict=True))


def has(kind: Kind, key: str) -> bool:
    """Whether files are kept under a key."""
    kept = workspace_in_use.workspace()
    try:
        return kept is not None and kept.beside.has(kind, key)
    except WorkspaceError:
        return False


def scores_shown(key: str, test_set: TestSet) -> tuple[list[SegmentScores], list[Judgements]] | None:
    """The columns that a key names, with their directions, and all judgements of their files; if they are kept."""
    found = find("scores", key)
    if found is None:
        return None
    reading, chosen = found
    try:
        columns, judgements = reading.read(test_set)
    except InputError:  # the address named scores of another test set
        return None
    directions = {(file, name): bool(is_higher) for file, name, is_higher in chosen}
    shown = [column for column in columns if (column.file, column.name) in directions]
    directed = [replace(one, higher_is_better=directions[one.file, one.name]) for one in shown]
    return directed, judgements


def judgements_shown(key: str, test_set: TestSet) -> Judgements | None:
    """The judgements that a key names, if they are kept."""
    found = find("judgements", key)
    if found is None:
        return None
    reading, chosen = found
    try:
        _, judgements = reading.read(test_set)
    except InputError:
        return None
    names = {(file, name) for file, name in chosen}
    return next((one for one in judgements if (one.file, one.name) in names), None)


def _found(kind: Kind, key: str) -> KeptBeside | None:
    kept = workspace_in_use.workspace()
    try:
        return None if kept is None else kept.beside.find(kind, key)
    except WorkspaceError as error:
        logging.getLogger(__name__).warning("what was read beside texts cannot be found: %s", error)
        return None


def _keep_later(*arguments: object) -> None:
    threading.Thread(target=_keep, args=arguments, name="keep").start()


def _keep(kept: Workspace, kind: Kind, key: str, content: KeptBeside) -> None:
    try:
        kept.beside.keep(kind, key, content)
    except WorkspaceError as error:
        logging.getLogger(__name__).warning("what was read beside texts cannot be kept: %s", error)
