"""What a reader says about segments: a tag and a note each."""

from collections.abc import Mapping
from dataclasses import dataclass

from bleucore import TestSet
from dashboard.content.sheets.columns import Column, sheet_of
from dashboard.content.sheets.sheet import Field, Sheet

SUGGESTED_TAGS = (
    "mistranslation",
    "omission",
    "addition",
    "word order",
    "grammar",
    "terminology",
    "reference at fault",
)
MAX_TAG, MAX_NOTE = 40, 2_000
"""Characters."""


@dataclass(frozen=True)
class SegmentNote:
    """A tag to find segments by, and a note in free words; empty ones say nothing."""

    tag: str = ""
    note: str = ""


Notes = Mapping[int, SegmentNote]
"""By segment, counted from 0."""


def with_note(notes: Notes, segment: int, note: SegmentNote) -> Notes:
    """The notes with another one for a segment; one that says nothing is left out."""
    kept = {other: said for other, said in notes.items() if other != segment}
    tidy = SegmentNote(" ".join(note.tag.split())[:MAX_TAG], note.note.strip()[:MAX_NOTE])
    return kept if tidy == SegmentNote() else kept | {segment: tidy}


def segments_by_tag(notes: Notes) -> dict[str, tuple[int, ...]]:
    """The segments of each tag, rising."""
    tags = sorted({note.tag for note in notes.values() if note.tag})
    return {tag: tuple(sorted(segment for segment, note in notes.items() if note.tag == tag)) for tag in tags}


def tags_to_offer(notes: Notes) -> list[str]:
    """The tags in use first, then those suggested."""
    return list(dict.fromkeys([*segments_by_tag(notes), *SUGGESTED_TAGS]))


def notes_sheet(test_set: TestSet, notes: Notes) -> Sheet:
    """Every tag and note with the segment that it is about (counted from 1), to save."""
    segments = sorted(notes)
    columns: list[Column] = [(Field("segment", "segment", "count"), [segment + 1 for segment in segments])]
    if test_set.documents is not None:
        documents = [test_set.documents[segment] for segment in segments]
        columns.append((Field("document", "document", "text"), documents))
    columns += [
        (Field("tag", "tag", "text"), [notes[segment].tag for segment in segments]),
        (Field("note", "note", "text"), [notes[segment].note for segment in segments]),
    ]
    if test_set.source is not None:
        columns.append((Field("source", "source", "text"), [test_set.source[segment] for segment in segments]))
    return sheet_of("segment-notes", ("Tags and notes.",), columns, {"digest": test_set.digest})
