"""What a person typed, written down and read again."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.content.segments.blind_trial import BlindTrial
from dashboard.content.segments.kept_words import in_words
from dashboard.content.segments.kept_work import Work, read, written
from dashboard.content.segments.segment_notes import MAX_NOTE, MAX_TAG, SegmentNote

TRIAL = BlindTrial("d1", ("Система A", "ΒΗΤΑ"), 2)
WORK = Work(
    {4: SegmentNote("odd", "Почему?"), 0: SegmentNote("", "line\nline\u2028\x1b[0m")},
    {TRIAL: {3: "left", 9: "tie"}, BlindTrial("d2", ("<b>", "x"), 1): {}},
    frozenset({TRIAL}),
    2,
    ("s1=Größe", "t=A & B"),
    "remarks = 1",
)
NOTES = st.dictionaries(
    st.integers(0, 10**6),
    st.builds(SegmentNote, st.text(st.characters(), max_size=MAX_TAG), st.text(st.characters(), max_size=50)),
    max_size=5,
)


def test_work_is_read_as_it_was_written():
    assert read(written(WORK), 10) == WORK


def test_work_is_told_in_words_by_its_kinds():
    assert in_words(WORK) == (
        "2 segments with a tag or a note, 2 preferences of blind comparisons, 2 names given by hand, "
        "remarks on the report"
    )
    assert in_words(Work(names=("s1=Größe",))) == "1 name given by hand"
    assert not in_words(Work())
    assert read(written(Work()), 1) == Work()


@given(notes=NOTES)
def test_notes_stay_as_they_are_whatever_they_hold(notes):
    assert read(written(Work(notes)).encode("utf-8").decode("utf-8"), 10**6 + 1) == Work(notes)


def test_notes_longer_than_can_be_typed_are_cut():
    long = json.dumps(json.loads(written(Work())) | {"notes": {"1": ["t" * 500, "n" * 9_999]}})
    assert read(long, 2).notes[1] == SegmentNote("t" * MAX_TAG, "n" * MAX_NOTE)


@pytest.mark.parametrize(
    "change",
    [
        {"version": 2},
        {"notes": {"-1": ["", ""]}},
        {"notes": {"x": ["", ""]}},
        {"notes": {"1": ["", 5]}},
        {"notes": {"1": "ab c"}},
        {"notes": []},
        {"names": [1]},
        {"names": None},
        {"trials": [{}]},
        {"trials": [{"digest": "d", "systems": ["a"], "seed": 1, "is_over": False, "preferences": {}}]},
        {"trials": [{"digest": "d", "systems": ["a", "b"], "seed": 1, "is_over": False, "preferences": {"1": "up"}}]},
        {"trials": [{"digest": "d", "systems": ["a", "b"], "seed": 1, "is_over": False, "preferences": {"1": []}}]},
        {"remarks": {}},
        {"blind_seed": "first"},
    ],
    ids=str,
)
def test_anything_else_is_refused(change):
    with pytest.raises(ValueError, match=r".+"):
        read(json.dumps(json.loads(written(WORK)) | change), 10)


@pytest.mark.parametrize("text", ["", "[]", "{}", "null", "1", '{"version": 1', "[" * 100_000])
def test_what_is_no_work_at_all_is_refused(text):
    with pytest.raises(ValueError, match=r".+"):
        read(text, 10)


def test_a_segment_that_the_test_set_does_not_have_is_refused():
    assert read(written(Work({9: SegmentNote("t")})), 10).notes
    for work in (Work({9: SegmentNote("t")}), Work(trials={TRIAL: {9: "tie"}})):
        with pytest.raises(ValueError, match="beyond the 9"):
            read(written(work), 9)
