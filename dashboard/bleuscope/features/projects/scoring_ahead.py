"""Versions that nobody looked at yet are scored in the background: at once after a push, or when their card is shown.

One test set after the other in one thread, the latest versions of each first. What is scored is kept in pieces, so that
little is lost when the server ends meanwhile.
"""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic

from sqlalchemy.exc import SQLAlchemyError

from bleucore import BleuOptions
from bleucore.errors import InputError
from bleuscope.features.projects import kept_versions
from bleuscope.shell.state import cached
from bleuscope.workspace import Workspace
from bleuscope.workspace.projects import KeptTestSet, KeptVersion, Project
from bleuscope.workspace.results import ScoredSet

MOST_WAITING = 100
"""Test sets; of more, those that were asked for last are scored when somebody opens them."""
MOST_OUTPUTS = 4_000_000
"""Segments of all versions of a test set that are scored ahead; the others are scored when somebody opens them."""
PIECE = 8
"""Versions that are kept together."""
THREAD = "score ahead"
EVERY = "every version"
FORGOTTEN_AFTER_SECONDS = 600.0
"""What could not be scored is tried again then: a disk that was full has room, a blob was brought back."""


@dataclass(frozen=True)
class _Asked:
    workspace: Workspace
    project: Project
    test_set: KeptTestSet


@dataclass
class _State:
    has_thread: bool = False


_lock = threading.Lock()
_state = _State()
_waiting: OrderedDict[int, _Asked] = OrderedDict()
_failed: dict[tuple[str, str], float] = {}
"""Test set and outputs, by their digests, that could not be scored (a blob is gone, or the disk is full), and when."""


def options_of(workspace: Workspace, of: KeptTestSet) -> BleuOptions:
    """How the versions on a test set are scored unless somebody chooses otherwise.

    Raises:
        WorkspaceError: A blob of it is gone or damaged.
    """
    proposal = cached.proposal_for(of.digest, lambda: workspace.projects.references(of).columns)
    return kept_versions.proposed_options(proposal)


def ask(workspace: Workspace, project: Project, test_set: KeptTestSet) -> None:
    """Have the versions on a test set scored soon; returns at once."""
    with _lock:
        if len(_waiting) >= MOST_WAITING:
            return
        _waiting[test_set.id] = _Asked(workspace, project, test_set)
        if not _state.has_thread:
            _state.has_thread = True
            threading.Thread(target=_work, name=THREAD, daemon=True).start()


def is_hopeless(of: KeptTestSet, version: KeptVersion) -> bool:
    """Whether a version was tried not long ago and could not be scored: its page says why."""
    long_ago = monotonic() - FORGOTTEN_AFTER_SECONDS
    with _lock:
        for key in [key for key, failed_at in _failed.items() if failed_at <= long_ago]:
            del _failed[key]
        return (of.digest, version.digest) in _failed or (of.digest, EVERY) in _failed


def is_at_work() -> bool:
    """Whether versions are waiting to be scored, or being scored."""
    with _lock:
        return bool(_waiting)


def _work() -> None:
    """Score what is waiting until nothing is."""
    while True:
        with _lock:
            if not _waiting:
                _state.has_thread = False
                return
            key, asked = next(iter(_waiting.items()))
        is_done = False
        try:
            _score(asked)
            is_done = True
        finally:
            with _lock:
                if _waiting.get(key) is asked:  # else it was asked for once more meanwhile
                    del _waiting[key]
                if not is_done:  # a fault of ours ends the thread; the next one that is asked for begins another
                    _failed[asked.test_set.digest, EVERY] = monotonic()
                    _state.has_thread = False


def _score(asked: _Asked) -> None:
    """Score the versions on a test set, the latest of each system first."""
    workspace, of = asked.workspace, asked.test_set
    try:
        versions = workspace.projects.versions(asked.project, of)
        scored_set = workspace.results.scored_set(of, options_of(workspace, of))
        kept = workspace.results.find(scored_set, kept_versions.DRAWN)
    except InputError:
        _note_failed(of.digest, [EVERY])
        return
    missing = {one.digest: one for one in versions if one.digest not in kept}
    latest = [one for runs in kept_versions.latest_of(versions) for one in runs if one.digest in missing]
    first = {one.digest for one in latest}
    others = [one for one in reversed(missing.values()) if one.digest not in first]
    _score_pieces(workspace, scored_set, [*latest, *others[: MOST_OUTPUTS // max(1, of.n_segments)]])


def _score_pieces(workspace: Workspace, of: ScoredSet, versions: Sequence[KeptVersion]) -> None:
    for start in range(0, len(versions), PIECE):
        some = versions[start : start + PIECE]
        try:
            workspace.results.score(of, some, kept_versions.DRAWN)
        except (InputError, SQLAlchemyError):  # the latter where a test set goes meanwhile
            _note_failed(of.test_set.digest, [one.digest for one in some])


def _note_failed(test_set: str, outputs: Sequence[str]) -> None:
    with _lock:
        _failed.update(dict.fromkeys(((test_set, digest) for digest in outputs), monotonic()))
