"""Tags and notes: what is kept, what is offered, and a table that no spreadsheet runs."""

import csv
import io
from itertools import chain

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleucore import InputError
from bleuscope.annotations import SegmentNote
from bleuscope.content.segments.segment_notes import (
    MAX_NOTE,
    MAX_TAG,
    SUGGESTED_TAGS,
    notes_sheet,
    read_notes,
    segments_by_tag,
    tags_to_offer,
    with_note,
)
from bleuscope.content.sheets.builders import sheet_of
from bleuscope.content.sheets.sheet import Field
from bleuscope.content.sheets.writers import write, write_text
from bleuscope.content.style.invisible import without_controls

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
        assert [len(row) for row in body] == [len(row) for row in rows]
        for cell, text in zip(chain(*body), map(without_controls, chain(*rows)), strict=True):
            assert cell in (text, f"'{text}")  # what a program for tables would compute is set apart

    def test_keeps_half_a_character_from_ending_in_a_fault(self, score_texts):
        scored = score_texts({"a": ["x"]}, [["x"]])
        sheet = notes_sheet(scored.test_set, {0: SegmentNote("", "half \ud83d")})
        assert write(sheet, "quoted-tsv").endswith(b"half ?\n")


class TestReading:
    @given(
        st.dictionaries(
            st.integers(0, 59),
            st.builds(
                SegmentNote,
                st.text("a =-+@'\"\t\n\u0627", max_size=8),
                st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from("\t\n'=\""), max_size=30),
            ),
        )
    )
    def test_gives_back_what_was_saved(self, sample, said):
        notes = {}
        for segment, note in said.items():
            notes = with_note(notes, segment, note)
        saved = write(notes_sheet(sample.test_set, notes), "quoted-tsv")
        assert read_notes("segment-notes.tsv", saved, sample.test_set.n_segments) == notes

    def test_takes_a_table_that_a_spreadsheet_saved_in_another_order_and_with_more(self):
        saved = 'note,who,segment,tag\n"a, ""b""\nc",me,3,odd\n,me,1,\n'.encode("utf-8-sig")
        assert read_notes("notes.csv", saved, 3) == {2: SegmentNote("odd", 'a, "b"\nc')}

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("segment\ttag\n1\tx\n", r"n.tsv, line 1: .*'segment', 'tag'.*segment, tag, note"),
            ("segment\ttag\tnote\n4\tx\ty\n", r"n.tsv, line 2: .*'4'.*segments 1 to 3"),
            ("segment\ttag\tnote\n0\tx\ty\n", r"line 2: .*'0'"),
            ("segment\ttag\tnote\n²\tx\ty\n", r"line 2: .*'²'"),
            (f"segment\ttag\tnote\n{'9' * 9_999}\tx\ty\n", r"line 2: .*'999"),
            ('segment\ttag\tnote\n1\tx\t"a\nb"\n1\tx\ty\n', r"line 4: .*'1'.*each once"),
            (f"segment\ttag\tnote\n1\t{'x' * (MAX_TAG + 1)}\ty\n", rf"line 2: .*{MAX_TAG + 1} characters"),
            ('segment\ttag\tnote\n1\tx\t"y\n', r"n.tsv, line 2: the table does not follow the rules"),
            ("segment\ttag\tnote\n1\tx\n", r"line 2: the row differs in width"),
            ("", r"n.tsv: the file is empty"),
        ],
    )
    def test_refuses_what_was_not_saved_of_this_test_set(self, text, message):
        with pytest.raises(InputError, match=message):
            read_notes("n.tsv", text.encode(), 3)

    def test_of_very_many_takes_no_time_for_each_that_is_read_already(self):
        rows = "".join(f"{number}\tx\ty\n" for number in range(1, 50_001))
        assert len(read_notes("n.tsv", f"segment\ttag\tnote\n{rows}".encode(), 50_000)) == 50_000


def as_saved(sheet):
    return write_text(sheet, "quoted-tsv")


def as_saved_rows(rows):
    """Rows of texts, under c0, c1 and so on."""
    width = len(rows[0]) if rows else 2
    columns = [(Field(f"c{place}", "", "text"), [row[place] for row in rows]) for place in range(width)]
    return as_saved(sheet_of("rows", (), columns, {}))


def read_table(text):
    return list(csv.reader(io.StringIO(text, newline=""), delimiter="\t"))
