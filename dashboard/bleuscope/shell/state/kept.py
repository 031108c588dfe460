"""What a person typed, kept outside the session: in the workspace, under who it is and which texts it is about.

A session ends with the server, and 120 seconds after a connection is cut; what was typed in it would be gone.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, cast, get_args

from bleucore import TestSet
from bleuscope.content.segments.blind_trial import BlindTrial, Preferences
from bleuscope.content.segments.kept_work import Work
from bleuscope.content.segments.segment_notes import SegmentNote
from bleuscope.shell.state import session, workspace_in_use
from bleuscope.workspace.errors import WorkspaceError
from bleuscope.workspace.work import KeptNote, KeptTrial, KeptWork, TrialKey

WORK, UNSAVED = "_work", "_unsaved"
Savable = Literal["notes", "preferences"]


@dataclass(frozen=True)
class Held:
    """What a session holds of the work on a test set.

    Attributes:
        work: The work.
        revision: That it has in the workspace; 0 where it has none.
        fault: Why it is not kept outside the session.
        run: Of the script, in which that revision was looked at.
    """

    work: Work
    revision: int = 0
    fault: str | None = None
    run: int | None = None


def work_on(test_set: TestSet) -> Work:
    """What was said about a test set, whatever its names; in another window and another browser too."""
    return _held(test_set).work


def change(test_set: TestSet, make: Callable[[Work], Work], *, to_save: Savable | None = None) -> None:
    """Keep what is made of the work as it is now; it is on the disk when this returns, or ``fault`` says why not.

    Args:
        test_set: That it is about.
        make: Gives the work from what it is in this window and others.
        to_save: What a person may want to save as a file because of it, where it is not kept.
    """
    held = _held(test_set)
    try:
        found = workspace_in_use.somebody()
        if found is None:
            held = replace(held, work=make(held.work))
        else:
            kept, who = found
            after, revision = kept.work.change(
                who, test_set.texts_digest, lambda before: _to_keep(make(_as_held(before, held)))
            )
            held = Held(of_kept(after), revision, run=session.this_run())
    except WorkspaceError as error:
        logging.getLogger(__name__).warning("what was typed cannot be kept: %s", error)
        held = Held(make(held.work), held.revision, str(error))
    _hold(test_set, held)
    if to_save is not None and not is_kept(test_set):
        session.put(UNSAVED, _unsaved() | {(test_set.texts_digest, to_save)})


def saved(test_set: TestSet, what: Savable) -> None:
    """Note that a person has this as a file."""
    session.put(UNSAVED, _unsaved() - {(test_set.texts_digest, what)})


def has_unsaved() -> bool:
    """Whether something was typed in this session that is neither kept nor in a file of the person."""
    return bool(_unsaved())


def forget(test_set: TestSet) -> None:
    """Delete what was said about a test set, here and in the workspace."""
    change(test_set, lambda _: Work())
    for what in get_args(Savable):
        saved(test_set, what)


def is_kept(test_set: TestSet) -> bool:
    """Whether what is typed outlives the session."""
    return workspace_in_use.workspace() is not None and workspace_in_use.identity() is not None and not fault(test_set)


def fault(test_set: TestSet) -> str | None:
    """Why what is typed does not outlive the session, where it was meant to."""
    return _held(test_set).fault


def _held(test_set: TestSet) -> Held:
    """What the session holds, read anew if somebody changed it elsewhere: that is looked at once in a run."""
    held: Held = session.get(WORK, {}).get(test_set.texts_digest, Held(Work()))
    is_looked_at = held.run is not None and held.run == session.this_run()
    if held.fault is not None or is_looked_at:
        return held
    try:
        found = workspace_in_use.somebody()
        if found is None:
            return held
        kept, who = found
        if kept.work.revision(who, test_set.texts_digest) != held.revision:
            work, revision = kept.work.read(who, test_set.texts_digest)
            held = Held(of_kept(work), revision)
        held = replace(held, run=session.this_run())
    except WorkspaceError as error:
        logging.getLogger(__name__).warning("what was typed cannot be read: %s", error)
        held = replace(held, fault=str(error))
    _hold(test_set, held)
    return held


def _as_held(before: KeptWork, held: Held) -> Work:
    """The work as the workspace has it, with what the session had to hold alone for a while."""
    kept = of_kept(before)
    if held.fault is None:
        return kept
    notes, trials = {**kept.notes, **held.work.notes}, {**kept.trials, **held.work.trials}
    return replace(held.work, notes=notes, trials=trials, ended=kept.ended | held.work.ended)


def _unsaved() -> frozenset[tuple[str, Savable]]:
    found: frozenset[tuple[str, Savable]] = session.get(UNSAVED, frozenset())
    return found


def _hold(test_set: TestSet, held: Held) -> None:
    session.put(WORK, {**session.get(WORK, {}), test_set.texts_digest: held})


def _to_keep(work: Work) -> KeptWork:
    return KeptWork(
        {segment: KeptNote(said.tag, said.note) for segment, said in work.notes.items()},
        {
            TrialKey(trial.digest, trial.systems, trial.seed): KeptTrial(dict(preferences), trial in work.ended)
            for trial, preferences in work.trials.items()
        },
        work.blind_seed,
        work.names,
        work.remarks,
    )


def of_kept(work: KeptWork) -> Work:
    """What the workspace keeps, as pages have it."""
    trials = {BlindTrial(key.digest, key.systems, key.seed): said for key, said in work.trials.items()}
    return Work(
        {segment: SegmentNote(said.tag, said.note) for segment, said in work.notes.items()},
        {trial: cast("Preferences", said.preferences) for trial, said in trials.items()},
        frozenset(trial for trial, said in trials.items() if said.is_over),
        work.blind_seed,
        work.names,
        work.remarks,
    )
