"""A tag and a note for the open segment, kept for the session under the digest of its texts."""

from collections.abc import Mapping

import streamlit as st

from dashboard.content import numbers, segment_notes
from dashboard.content.segment_notes import MAX_NOTE, Notes, SegmentNote
from dashboard.shell import session
from dashboard.shell.frame import View

NOTES = "_notes"
WHERE_KEPT = "Tags and notes are kept as long as this page is open: a reload may lose them. Save them as a file."


def notes_of(view: View) -> Notes:
    """What was said about the segments of the open test set."""
    return _every_note().get(view.test_set.texts_digest, {})


def note_inputs(view: View, segment: int) -> None:
    """The tag and the note of a segment, and a way to save all of them."""
    notes = notes_of(view)
    said = notes.get(segment, SegmentNote())
    offered = segment_notes.tags_to_offer(notes)
    tag_key, note_key = (f"_{kind}-{view.test_set.texts_digest[:12]}-{segment}" for kind in ("tag", "note"))
    tag, note, save = st.columns([3, 7, 2], vertical_alignment="bottom")
    with tag:
        st.selectbox(
            "Tag of this segment",
            offered,
            offered.index(said.tag) if said.tag in offered else None,
            key=tag_key,
            placeholder="none; choose or type one",
            accept_new_options=True,
            on_change=_keep,
            args=(view, segment, tag_key, note_key),
        )
    with note:
        st.text_input(
            "Note on this segment",
            said.note,
            max_chars=MAX_NOTE,
            key=note_key,
            on_change=_keep,
            args=(view, segment, tag_key, note_key),
        )
    with save:
        st.download_button(
            f"Save {numbers.count(len(notes))}" if notes else "Save",
            lambda: segment_notes.notes_table(view.test_set, notes),
            "segment-notes.tsv",
            "text/tab-separated-values",
            help=f"All tags and notes as a table (TSV). {WHERE_KEPT}",
            icon=":material/download:",
            on_click="ignore",
            disabled=not notes,
            width="stretch",
            key="save_notes",
        )


def _keep(view: View, segment: int, tag_key: str, note_key: str) -> None:
    note = SegmentNote(session.get(tag_key) or "", session.get(note_key) or "")
    notes = segment_notes.with_note(notes_of(view), segment, note)
    session.put(NOTES, {**_every_note(), view.test_set.texts_digest: notes})


def _every_note() -> Mapping[str, Notes]:
    """The notes on every test set of this session, by digest."""
    return dict(session.get(NOTES, {}))
