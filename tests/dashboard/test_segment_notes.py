"""Tags and notes: what is kept, what is offered, and a table that no spreadsheet runs."""

import csv
import io

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.content.invisible import without_controls
from dashboard.content.segment_notes import (
    MAX_NOTE,
    MAX_TAG,
    SUGGESTED_TAGS,
    SegmentNote,
    notes_sheet,
    segments_by_tag,
    tags_to_offer,
    with_note,
)
from dashboard.content.sheets.columns import sheet_of
from dashboard.content.sheets.sheet import Field
from dashboard.content.sheets.writers import write, write_text

NOTES = {4: SegmentNote("odd", "why?"), 0: SegmentNote("", "a note"), 2: SegmentNote("odd"), 3: SegmentNote("even")}


class TestKeeping:
    def test_a_new_note_takes_the_place_of_the_old_one(self):
        notes = with_note(NOTES, 4, SegmentNote("even", "why not"))
        assert notes == {**NOTES, 4: SegmentNote("even", "why not")}
        assert NOTES[4].tag == "odd", "what was kept before is not changed"

    def test_a_note_that_says_nothing_is_left_out(self):
        assert with_note(NOTES, 4, SegmentNote("  ", "\n")) == {row: NOTES[row] for row in (0, 2, 3)}

    def test_blanks_around_do_not_count_and_length_is_bounded(self):
        (said,) = with_note({}, 1, SegmentNote("  two \n words " + "x" * MAX_TAG, "n" * (MAX_NOTE + 5))).values()
        assert said.tag.startswith("two words x")
        assert (len(said.tag), len(said.note)) == (MAX_TAG, MAX_NOTE)


class TestTags:
    def test_name_their_segments_in_order(self):
        assert segments_by_tag(NOTES) == {"even": (3,), "odd": (2, 4)}

    def test_in_use_are_offered_before_those_suggested_and_once(self):
        notes = {1: SegmentNote(SUGGESTED_TAGS[2]), 2: SegmentNote("zebra")}
        offered = tags_to_offer(notes)
        assert offered[:2] == sorted([SUGGESTED_TAGS[2], "zebra"])
        assert sorted(offered) == sorted({*SUGGESTED_TAGS, "zebra"})


class TestTable:
    def test_has_every_note_with_its_segment_document_and_source(self, sample):
        lines = as_saved(notes_sheet(sample.test_set, NOTES)).splitlines()
        assert lines[0] == "segment\tdocument\ttag\tnote\tsource"
        assert [line.split("\t")[:4] for line in lines[1:]] == [
            [str(row + 1), sample.test_set.documents[row], NOTES[row].tag, NOTES[row].note] for row in sorted(NOTES)
        ]

    def test_has_only_the_columns_there_are(self, score_texts):
        scored = score_texts({"a": ["x"]}, [["x"]])
        assert as_saved(notes_sheet(scored.test_set, {0: SegmentNote("t", "n")})) == "segment\ttag\tnote\n1\tt\tn\n"

    @pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\tx", " =1", "\r=1", "＝1", "=cmd|' /C calc'!A0"])
    def test_holds_no_formula(self, text):
        assert read_table(as_saved_rows([[text]])) == [["c0"], ["'" + text]]

    def test_leaves_common_text_alone(self):
        assert as_saved_rows([["é 中", "a - b = c"]]) == "c0\tc1\né 中\ta - b = c\n"

    def test_keeps_tabs_line_ends_blanks_and_quotes(self, score_texts):
        note = SegmentNote("t", 'first\tline\r\nsecond  line\u3000"so"\u2028end')
        source = '"He said:\tno"  '
        scored = score_texts({"a": ["x"]}, [["x"]], source=[source])
        assert read_table(as_saved(notes_sheet(scored.test_set, {0: note}))) == [
            ["segment", "tag", "note", "source"],
            ["1", "t", note.note, source],
        ]

    def test_is_read_by_pandas_as_it_was_written(self):
        rows = [["x", 'a\tb\n"c"'], ["y", '"d" e']]
        read = pd.read_csv(io.StringIO(as_saved_rows(rows)), sep="\t")
        assert read.to_numpy().tolist() == rows

    @given(rows=st.lists(st.lists(st.text(max_size=8), min_size=2, max_size=2), max_size=4))
    def test_keeps_rows_columns_and_texts_whatever_they_are(self, rows):
        body = read_table(as_saved_rows(rows))[1:]
        assert [[cell.removeprefix("'") for cell in row] for row in body] == [
            [without_controls(cell).removeprefix("'") for cell in row] for row in rows
        ]

    def test_keeps_half_a_character_from_ending_in_a_fault(self, score_texts):
        scored = score_texts({"a": ["x"]}, [["x"]])
        sheet = notes_sheet(scored.test_set, {0: SegmentNote("", "half \ud83d")})
        assert write(sheet, "quoted-tsv").endswith(b"half ?\n")


def as_saved(sheet):
    return write_text(sheet, "quoted-tsv")


def as_saved_rows(rows):
    """Rows of texts, under c0, c1 and so on."""
    width = len(rows[0]) if rows else 2
    columns = [(Field(f"c{place}", "", "text"), [row[place] for row in rows]) for place in range(width)]
    return as_saved(sheet_of("rows", (), columns, {}))


def read_table(text):
    return list(csv.reader(io.StringIO(text, newline=""), delimiter="\t"))
