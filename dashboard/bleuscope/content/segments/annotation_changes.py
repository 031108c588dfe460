"""How what a person says changes, in this window and in others."""

from dataclasses import replace

from bleuscope.annotations import Annotations, Place, SegmentNote
from bleuscope.content.segments.segment_notes import with_note


def said_at(work: Annotations, place: Place) -> SegmentNote:
    """The note on a segment, or the remarks as one."""
    return SegmentNote("", work.remarks) if place is None else work.notes.get(place, SegmentNote())


def with_said(work: Annotations, place: Place, said: SegmentNote) -> Annotations:
    """The work with another note on a segment, or with other remarks."""
    if place is None:
        return replace(work, remarks=said.note)
    return replace(work, notes=with_note(work.notes, place, said))


def saved_at(work: Annotations, place: Place, base: SegmentNote, mine: SegmentNote) -> Annotations:
    """The work with what a window says at a place; a text that another one changed stays, and the new one is set aside.

    Args:
        work: As it is now.
        place: Where.
        base: What that window showed before it was changed there.
        mine: What it says now.
    """
    theirs = said_at(work, place)
    mine = said_at(with_said(Annotations(), place, mine), place)  # as it will be read
    tag = theirs.tag if mine.tag == base.tag else mine.tag
    if theirs.note in (base.note, mine.note):
        return with_said(work, place, SegmentNote(tag, mine.note))
    after = with_said(work, place, SegmentNote(tag, theirs.note))
    if mine.note == base.note:
        return after
    return replace(after, set_aside={**work.set_aside, place: mine})


def rejoined(work: Annotations, base: Annotations, mine: Annotations) -> Annotations:
    """The work as others left it, with what a session did that could not save for a while.

    Args:
        work: As it is now.
        base: What the session began with.
        mine: What the session made of it.
    """
    trials = {**work.trials, **{trial: {**work.trials.get(trial, {}), **said} for trial, said in mine.trials.items()}}
    names = mine.names if mine.names != base.names else work.names
    after = replace(work, trials=trials, ended=work.ended | mine.ended, names=names)
    after = replace(after, blind_seed=max(work.blind_seed, mine.blind_seed))
    for place in (None, *sorted(base.notes.keys() | mine.notes.keys())):
        before, said = said_at(base, place), said_at(mine, place)
        after = after if said == before else saved_at(after, place, before, said)
    return after
