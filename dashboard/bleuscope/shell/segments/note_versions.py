"""The versions of a note or of the remarks: two windows' at once, and the earlier ones."""

from collections.abc import Callable

import streamlit as st

from bleucore import TestSet
from bleuscope.annotations import Place, SegmentNote
from bleuscope.content.segments import note_words
from bleuscope.content.segments.annotation_changes import said_at
from bleuscope.content.style.invisible import without_controls
from bleuscope.shell.controls import widgets
from bleuscope.shell.state import open_annotations, workspace_in_use
from bleuscope.workspace.columns import now
from bleuscope.workspace.people import LOCAL

MOST_LISTED = 20

Show = Callable[[SegmentNote], None]
"""Puts a text into its field; for callbacks, which run before fields are drawn."""


def base_of_unknown(test_set: TestSet, place: Place, shown: str) -> str | None:
    """What a window of an earlier session showed before it came to show this text; ``None`` if it shows an old version.

    What begins with the text as it is now goes on from it; anything else was written without knowing of it.
    """
    said = said_at(open_annotations.work_on(test_set), place).note
    if shown != said and shown in [one.said.note for one in open_annotations.history(test_set, place).earlier]:
        return None
    return said if shown.startswith(said) else ""


def conflict_panel(test_set: TestSet, place: Place, mine: SegmentNote, both: SegmentNote | None, show: Show) -> None:
    """What another window saved, next to what this one could not, and which to keep.

    Args:
        test_set: That the text is about.
        place: The segment, or the remarks.
        mine: What the field of this window shows.
        both: One text of both; ``None`` if that is too long.
        show: See ``Show``.
    """
    if open_annotations.conflict(test_set, place) is None:
        return
    theirs, what = (
        said_at(open_annotations.work_on(test_set), place),
        note_words.REMARKS if place is None else note_words.NOTE,
    )
    changed_at = open_annotations.history(test_set, place).changed_at
    with st.container(key=f"note-conflict-{_name(place)}", border=True):
        said = note_words.not_saved(what, theirs, _who(), changed_at, now())
        st.warning(widgets.plain(said), icon=":material/sync_problem:")
        st.caption("The other version")
        st.text(without_controls(theirs.note) or "deleted")
        with st.container(horizontal=True):
            for label, chosen, is_possible in (
                ("Keep mine", mine, True),
                ("Keep theirs", theirs, True),
                ("Keep both", both or mine, both is not None and bool(theirs.note and mine.note)),
            ):
                st.button(
                    label,
                    on_click=_settle,
                    args=(test_set, place, theirs, chosen, show),
                    disabled=not is_possible,
                    key=f"_{label.lower().replace(' ', '_')}-{_name(place)}",
                )
        st.caption("All versions stay under *Earlier versions*.")


def earlier_versions(test_set: TestSet, place: Place, show: Show) -> None:
    """The earlier versions, each with a button that brings it back."""
    found = open_annotations.history(test_set, place).earlier
    if not found:
        return
    current = said_at(open_annotations.work_on(test_set), place)
    with st.popover("Earlier versions", type="tertiary", icon=":material/history:", key=f"earlier-{_name(place)}"):
        if len(found) > MOST_LISTED:
            st.caption(f"The last {MOST_LISTED} of {len(found)} versions. A backup of the workspace has the others.")
        for number, one in enumerate(found[:MOST_LISTED]):
            said = SegmentNote(one.said.tag, one.said.note)
            st.caption(widgets.plain(note_words.version_title(said, one.written_at, now())))
            st.text(without_controls(said.note) or "no note")
            st.button(
                "Restore",
                on_click=_settle,
                args=(test_set, place, current, said, show),
                key=f"_restore-{_name(place)}-{number}",
                disabled=said == current,
            )


def _settle(test_set: TestSet, place: Place, base: SegmentNote, said: SegmentNote, show: Show) -> None:
    """Save what was chosen; a callback. A change that came meanwhile is asked about again."""
    open_annotations.save(test_set, place, base, said)
    show(open_annotations.conflict(test_set, place) or said_at(open_annotations.work_on(test_set), place))


def _who() -> str:
    """Who else can have written it: the person themselves; on one's own machine whoever else uses it."""
    who = workspace_in_use.identity()
    return "" if who is None or who == LOCAL else who.name


def _name(place: Place) -> str:
    return "remarks" if place is None else str(place + 1)
