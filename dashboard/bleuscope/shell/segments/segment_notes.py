"""A tag and a note for the open segment, kept under the digest of the texts."""

from functools import partial

import streamlit as st

from bleuscope.annotations import Notes, SegmentNote
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.report.choices import TAGGED
from bleuscope.content.segments import kept_words, segment_notes
from bleuscope.content.segments.segment_notes import FOR_REPORT, IMPORTANT, MAX_NOTE
from bleuscope.content.sheets import writers
from bleuscope.content.sheets.forms import FORMS
from bleuscope.content.style import numbers
from bleuscope.runtime import params
from bleuscope.shell.controls import widgets
from bleuscope.shell.page import renaming
from bleuscope.shell.segments import note_versions
from bleuscope.shell.segments.reading_back import read_back_field
from bleuscope.shell.state import open_annotations, session, workspace_in_use

TAG_WIDTH = 260
DRAWN = "_note_drawn"
ROUNDS = "_note_rounds"
"""How often fields were given another text than a person typed. They are new fields then: what the browser had in the
old ones, and sends once more with what comes next, changes nothing."""


def notes_of(view: ComparisonContext) -> Notes:
    """What was said about the segments of the open test set."""
    return open_annotations.work_on(view.test_set).notes


def note_inputs(view: ComparisonContext, segment: int) -> None:
    """The tag and the note of a segment, and a way to save all of them."""
    if workspace_in_use.is_by_link():
        return
    said = notes_of(view).get(segment, SegmentNote())
    offered = segment_notes.tags_to_offer(notes_of(view))
    tag_key, note_key = keys = _keys(view, segment)
    not_saved = open_annotations.conflict(view.test_set, segment)
    if not_saved is None:
        _show_what_another_window_said(keys, said)
    elif session.get(note_key) is None:
        session.put(note_key, not_saved.note)
    with st.container(horizontal=True, key="segment-note"):
        tag_shown = st.selectbox(
            "Tag of this segment",
            offered,
            offered.index(said.tag) if said.tag in offered else None,
            key=tag_key,
            placeholder="none; choose or type one",
            accept_new_options=True,
            on_change=_keep,
            args=(view, segment),
            width=TAG_WIDTH,
        )
        note_shown = st.text_input(
            "Note on this segment",
            said.note,
            max_chars=MAX_NOTE,
            key=note_key,
            on_change=_keep,
            args=(view, segment),
        )
    shown = SegmentNote(tag_shown or "", note_shown or "")
    is_new_here = session.get(DRAWN, (None, None))[0] != keys
    session.put(DRAWN, (keys, said))
    if is_new_here and not_saved is None and shown != said:
        _take_from_before(view, segment, shown)
        session.put(DRAWN, (keys, shown))
        st.rerun()
    both = segment_notes.joined(shown, notes_of(view).get(segment, SegmentNote()))
    note_versions.conflict_panel(view.test_set, segment, shown, both, partial(_show, view, segment))
    note_versions.earlier_versions(view.test_set, segment, partial(_show, view, segment))


def kept_notes(view: ComparisonContext) -> None:
    """A way to save all tags and notes as a file, and where they are kept: a part of the page, not of a segment."""
    if workspace_in_use.is_by_link():
        return
    with st.container(horizontal=True, vertical_alignment="center", key="kept-notes"):
        st.caption("Tags and notes:", width="content")
        _save_button(view)
        _kept_popover(view)


def report_button(view: ComparisonContext, segment: int) -> None:
    """A button by which the report writes the segment out."""
    if workspace_in_use.is_by_link():
        return
    st.button(
        "Add to report",
        icon=":material/description:",
        type="tertiary",
        help=f"Tags the segment “{FOR_REPORT}”. Reports show every segment with a tag or a note.",
        on_click=_add_to_report,
        args=(view, segment),
        disabled=segment in notes_of(view),
        key="_add_to_report",
    )


def mark_important(view: ComparisonContext, segment: int) -> None:
    """Give a segment the tag of important ones, or take that back; another tag stays."""
    said = notes_of(view).get(segment, SegmentNote())
    if said.tag not in ("", IMPORTANT):
        st.toast(widgets.plain(f"Segment {segment + 1} keeps its tag “{said.tag}”."))
        return
    now = SegmentNote("" if said.tag else IMPORTANT, said.note)
    open_annotations.save(view.test_set, segment, said, now)
    if session.has(_keys(view, segment)[0]):
        session.put(_keys(view, segment)[0], now.tag or None)


def _add_to_report(view: ComparisonContext, segment: int) -> None:
    session.put(params.REPORT_WHICH, TAGGED)
    session.put(_keys(view, segment)[0], FOR_REPORT)
    _keep(view, segment)


def _save_button(view: ComparisonContext) -> None:
    """The file is made of the very notes that the button counts.

    It is there before the click: one that is made upon it can be gone when the run that the click begins has ended.
    """
    notes = notes_of(view)
    st.download_button(
        f"Save {numbers.count(len(notes))}" if notes else "Save",
        writers.write(segment_notes.notes_sheet(view.test_set, notes), "quoted-tsv") if notes else b"",
        segment_notes.NOTES_FILE,
        FORMS["quoted-tsv"].media_type,
        help="All tags and notes as a table (TSV).",
        icon=":material/download:",
        on_click=open_annotations.saved,
        args=(view.test_set, "notes"),
        disabled=not notes,
        type="tertiary",
        key="save_notes",
    )


def _kept_popover(view: ComparisonContext) -> None:
    """Where all this is kept, and a way to delete it."""
    with st.popover("Saved", type="tertiary", icon=":material/inventory_2:", key="kept"):
        said = kept_words.where_kept(
            is_kept=open_annotations.is_kept(view.test_set),
            is_shared=workspace_in_use.is_shared(),
            fault=open_annotations.fault(view.test_set),
        )
        st.caption(widgets.plain(said))
        if not workspace_in_use.is_by_link():
            read_back_field(view)
        st.button(
            "Delete tags, notes, preferences, names and remarks",
            icon=":material/delete:",
            on_click=_delete,
            args=(view,),
            key="delete_kept",
        )


def _keys(view: ComparisonContext, segment: int) -> tuple[str, str]:
    digest = view.test_set.texts_digest[:12]
    rounds = session.get(ROUNDS, {}).get((digest, segment))
    place = f"{digest}-{segment}" if rounds is None else f"{digest}-{segment}-{rounds}"
    return f"_tag-{place}", f"_note-{place}"


def _show_what_another_window_said(keys: tuple[str, str], said: SegmentNote) -> None:
    """Where the field is as it was drawn and the note is not, the note is newer."""
    drawn_keys, drawn = session.get(DRAWN, (None, None))
    if drawn_keys == keys and drawn != said:
        session.put(keys[0], said.tag or None)
        session.put(keys[1], said.note)


def _delete(view: ComparisonContext) -> None:
    renaming.take_back(view.loaded.as_read)
    open_annotations.forget(view.test_set)


def _show(view: ComparisonContext, segment: int, said: SegmentNote) -> None:
    """Put a note into fields of its own; for callbacks."""
    rounds, place = session.get(ROUNDS, {}), (view.test_set.texts_digest[:12], segment)
    session.put(ROUNDS, {**rounds, place: rounds.get(place, 0) + 1})
    keys = _keys(view, segment)
    session.put(keys[0], said.tag or None)
    session.put(keys[1], said.note)


def _take_from_before(view: ComparisonContext, segment: int, shown: SegmentNote) -> None:
    """Save what was typed before this session began, which had no field yet that could change."""
    base = note_versions.base_of_unknown(view.test_set, segment, shown.note)
    if base is not None:
        open_annotations.save(view.test_set, segment, SegmentNote(note=base), shown)


def _keep(view: ComparisonContext, segment: int) -> None:
    """Save what the fields say, based on what they were drawn with."""
    keys = _keys(view, segment)
    drawn_keys, drawn = session.get(DRAWN, (None, None))
    base = drawn if drawn_keys == keys else SegmentNote()
    not_saved = open_annotations.conflict(view.test_set, segment)
    if not_saved is not None:
        base = SegmentNote(base.tag, not_saved.note)
    said = SegmentNote(session.get(keys[0]) or "", session.get(keys[1]) or "")
    open_annotations.save(view.test_set, segment, base, said)
