"""What a person typed, kept outside the session: in the workspace, under who it is and which texts it is about.

A session ends with the server, and 120 seconds after a connection is cut; what was typed in it would be gone.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from bleucore import TestSet
from bleuscope.annotations import Annotations, Place, SegmentNote
from bleuscope.content.segments.annotation_changes import rejoined, said_at, saved_at, with_said
from bleuscope.shell.state import session, workspace_in_use
from bleuscope.workspace.errors import WorkspaceError
from bleuscope.workspace.work import NoteHistory

WORK, UNSAVED, CONFLICTS = "_work", "_unsaved", "_conflicts"
Savable = Literal["notes", "preferences"]


@dataclass(frozen=True)
class Held:
    """What a session holds of the work on a test set.

    Attributes:
        work: The work.
        revision: That it has in the workspace; 0 where it has none.
        fault: Why it is not kept outside the session.
        as_read: The work as it was in the workspace last.
        run: Of the script, in which that revision was looked at.
    """

    work: Annotations
    revision: int = 0
    fault: str | None = None
    as_read: Annotations = field(default_factory=Annotations)
    run: int | None = None


def work_on(test_set: TestSet) -> Annotations:
    """What was said about a test set, whatever its names; in another window and another browser too."""
    return _held(test_set).work


def change(test_set: TestSet, make: Callable[[Annotations], Annotations], *, to_save: Savable | None = None) -> None:
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
            held = replace(held, work=_noting_conflicts(test_set, make(held.work)))
        else:
            kept, who = found
            after, revision = kept.work.change(who, test_set.texts_digest, lambda before: make(_as_held(before, held)))
            held = _as_read(test_set, after, revision)
    except WorkspaceError as error:
        logging.getLogger(__name__).warning("what was typed cannot be kept: %s", error)
        held = replace(held, work=_noting_conflicts(test_set, make(held.work)), fault=str(error))
    _hold(test_set, held)
    if to_save is not None and not is_kept(test_set):
        session.put(UNSAVED, _unsaved() | {(test_set.texts_digest, to_save)})


def save(test_set: TestSet, place: Place, base: SegmentNote, mine: SegmentNote) -> None:
    """Save a note, or the remarks; ``conflict`` has it where another window changed that text meanwhile.

    Args:
        test_set: That it is about.
        place: The segment, or the remarks.
        base: What this window showed before it was changed here.
        mine: What it says now.
    """
    to_save: Savable | None = None if place is None else "notes"
    change(test_set, lambda work: saved_at(work, place, base, mine), to_save=to_save)
    if said_at(work_on(test_set), place).note == said_at(with_said(Annotations(), place, mine), place).note:
        key = (test_set.texts_digest, place)
        session.put(CONFLICTS, {other: said for other, said in _conflicts().items() if other != key})


def conflict(test_set: TestSet, place: Place) -> SegmentNote | None:
    """What this window could not save there, because another one had changed the text; until both are the same."""
    return _conflicts().get((test_set.texts_digest, place))


def history(test_set: TestSet, place: Place) -> NoteHistory:
    """The versions of a note, or of the remarks; none where nothing outlives the session."""
    try:
        found = workspace_in_use.somebody()
        if found is not None:
            return found[0].work.history(found[1], test_set.texts_digest, place)
    except WorkspaceError as error:
        logging.getLogger(__name__).warning("earlier versions cannot be read: %s", error)
    return NoteHistory(None, ())


def saved(test_set: TestSet, what: Savable) -> None:
    """Note that a person has this as a file."""
    session.put(UNSAVED, _unsaved() - {(test_set.texts_digest, what)})


def has_unsaved() -> bool:
    """Whether something was typed in this session that is neither kept nor in a file of the person."""
    return bool(_unsaved())


def forget(test_set: TestSet) -> None:
    """Delete what was said about a test set, here and in the workspace, with all earlier versions."""
    try:
        found = workspace_in_use.somebody()
        revision = 0 if found is None else found[0].work.forget(found[1], test_set.texts_digest)
        _hold(test_set, _as_read(test_set, Annotations(), revision))
    except WorkspaceError as error:
        logging.getLogger(__name__).warning("what was typed cannot be deleted: %s", error)
        _hold(test_set, replace(_held(test_set), work=Annotations(), fault=str(error)))
    session.put(CONFLICTS, {key: said for key, said in _conflicts().items() if key[0] != test_set.texts_digest})
    for what in get_args(Savable):
        saved(test_set, what)


def is_kept(test_set: TestSet) -> bool:
    """Whether what is typed outlives the session."""
    return workspace_in_use.workspace() is not None and workspace_in_use.identity() is not None and not fault(test_set)


def fault(test_set: TestSet) -> str | None:
    """Why what is typed does not outlive the session, where it was meant to."""
    return _held(test_set).fault or workspace_in_use.obstacle()


def _held(test_set: TestSet) -> Held:
    """What the session holds, read anew if somebody changed it elsewhere: that is looked at once in a run."""
    held: Held = session.get(WORK, {}).get(test_set.texts_digest, Held(Annotations()))
    is_looked_at = held.run is not None and held.run == session.this_run()
    if held.fault is not None or is_looked_at:
        return held
    try:
        found = workspace_in_use.somebody()
        if found is None:
            return held
        kept, who = found
        if kept.work.revision(who, test_set.texts_digest) != held.revision:
            held = _as_read(test_set, *kept.work.read(who, test_set.texts_digest))
        held = replace(held, run=session.this_run())
    except WorkspaceError as error:
        logging.getLogger(__name__).warning("what was typed cannot be read: %s", error)
        held = replace(held, fault=str(error))
    _hold(test_set, held)
    return held


def _as_held(kept: Annotations, held: Held) -> Annotations:
    """The work as the workspace has it, with what the session had to hold alone for a while."""
    return kept if held.fault is None else rejoined(kept, held.as_read, held.work)


def _as_read(test_set: TestSet, work: Annotations, revision: int) -> Held:
    """What the workspace has by now."""
    work = _noting_conflicts(test_set, work)
    return Held(work, revision, as_read=work, run=session.this_run())


def _noting_conflicts(test_set: TestSet, work: Annotations) -> Annotations:
    """The work; what could not be saved stays with the session as a conflict."""
    set_aside = {(test_set.texts_digest, place): said for place, said in work.set_aside.items()}
    session.put(CONFLICTS, {**_conflicts(), **set_aside})
    return replace(work, set_aside={})


def _conflicts() -> Mapping[tuple[str, Place], SegmentNote]:
    found: Mapping[tuple[str, Place], SegmentNote] = session.get(CONFLICTS, {})
    return found


def _unsaved() -> frozenset[tuple[str, Savable]]:
    found: frozenset[tuple[str, Savable]] = session.get(UNSAVED, frozenset())
    return found


def _hold(test_set: TestSet, held: Held) -> None:
    session.put(WORK, {**session.get(WORK, {}), test_set.texts_digest: held})
