"""What a reader says about segments: a tag and a note each."""

from bleucore import InputError, TestSet
from bleucore.formats import decoding
from bleucore.formats.formula_cells import as_typed
from bleucore.formats.tables import quoted_rows
from bleucore.values import shown
from bleuscope.annotations import Notes, SegmentNote
from bleuscope.content.sheets.builders import FilledField, sheet_of
from bleuscope.content.sheets.sheet import Field, Sheet

IMPORTANT = "important"
"""The tag that a key gives and takes."""
SUGGESTED_TAGS = (
    IMPORTANT,
    "mistranslation",
    "omission",
    "addition",
    "word order",
    "grammar",
    "terminology",
    "reference at fault",
)
FOR_REPORT = "for the report"
"""The tag of a segment that was chosen for the report, which writes out all that have one."""
MAX_TAG, MAX_NOTE = 40, 2_000
"""Characters."""
BETWEEN = " / "
"""Stands between two notes that become one."""
NOTES_FILE = "segment-notes.tsv"
MAX_BYTES = 64 * 1024**2
COLUMNS = ("segment", "tag", "note")
"""Of a file of notes; others say where in the texts they are."""


def with_note(notes: Notes, segment: int, note: SegmentNote) -> Notes:
    """The notes with another one for a segment; one that says nothing is left out."""
    kept = {other: said for other, said in notes.items() if other != segment}
    return _that_say_something(kept | {segment: note})


def joined(mine: SegmentNote, theirs: SegmentNote) -> SegmentNote | None:
    """One note of both; ``None`` where that is longer than a note can be."""
    note = BETWEEN.join(filter(None, (mine.note, theirs.note)))
    return None if len(note) > MAX_NOTE else SegmentNote(mine.tag or theirs.tag, note)


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
    columns: list[FilledField] = [(Field("segment", "segment", "count"), [segment + 1 for segment in segments])]
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


def read_notes(file: str, data: bytes, n_segments: int) -> Notes:
    """What ``notes_sheet`` was saved as: a table (TSV, or CSV by its name) with the columns segment, tag and note.

    Args:
        file: The file's name.
        data: The file's bytes, perhaps compressed with gzip.
        n_segments: Of the test set.

    Raises:
        InputError: A column is missing, a segment is not there or is there twice, or a text is too long to be kept.
    """
    head, *rows = quoted_rows(file, decoding.decode(file, decoding.unpack(file, data, MAX_BYTES)))
    places = {title: head.cells.index(title) for title in COLUMNS if title in head.cells}
    if len(places) < len(COLUMNS):
        raise _no_notes(file, 1, ", ".join(map(shown, head.cells[: 2 * len(COLUMNS)])), ", ".join(COLUMNS))
    notes: dict[int, SegmentNote] = {}
    for row in rows:
        number, tag, note = (as_typed(row.cells[place]) for place in places.values())
        known = number.isascii() and number.isdecimal() and len(number) < MAX_TAG and 1 <= int(number) <= n_segments
        if not known or int(number) - 1 in notes:
            raise _no_notes(file, row.line, f"segment {shown(number)}", f"segments 1 to {n_segments}, each once")
        for text, most in ((tag, MAX_TAG), (note, MAX_NOTE)):
            if len(text) > most:
                raise _no_notes(file, row.line, f"{len(text)} characters", f"a tag or note of up to {most}")
        notes[int(number) - 1] = SegmentNote(tag, note)
    return _that_say_something(notes)


def _that_say_something(notes: Notes) -> Notes:
    """The notes as they are kept; those that say nothing are left out."""
    tidy = {
        segment: SegmentNote(" ".join(said.tag.split())[:MAX_TAG], said.note.strip()[:MAX_NOTE])
        for segment, said in notes.items()
    }
    return {segment: said for segment, said in tidy.items() if said != SegmentNote()}


def _no_notes(file: str, line: int, found: str, expected: str) -> InputError:
    remedy = "Save tags and notes anew on the Segments page, or fix the table."
    return InputError(
        "these are no tags and notes of this test set",
        where=file,
        line=line,
        found=found,
        expected=expected,
        remedy=remedy,
    )
