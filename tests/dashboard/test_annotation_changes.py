"""What one window says, joined with what another one said meanwhile."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuscope.annotations import Annotations, BlindTrial, SegmentNote
from bleuscope.content.segments.annotation_changes import rejoined, said_at, saved_at
from bleuscope.content.segments.segment_notes import MAX_NOTE, joined

NOTES = st.builds(SegmentNote, st.sampled_from(["", "odd", "even"]), st.sampled_from(["", "a", "b", "c"]))


@pytest.mark.parametrize(
    ("base", "theirs", "mine", "saved", "set_aside"),
    [
        ("a", "a", "b", "b", None),
        ("a", "b", "b", "b", None),
        ("a", "b", "a", "b", None),
        ("a", "b", "c", "b", "c"),
        ("", "b", "c", "b", "c"),
        ("a", "", "c", "", "c"),
        ("a", "b", "", "b", ""),
        ("a", "", "", "", None),
        ("a", "b", " b ", "b", None),
    ],
)
@pytest.mark.parametrize("place", [0, None])
def test_a_text_that_both_changed_stays_and_the_new_one_is_set_aside(base, theirs, mine, saved, set_aside, place):
    work = saved_at(Annotations(), place, SegmentNote(), SegmentNote("", theirs))
    mine = mine.strip() if place is None else mine
    after = saved_at(work, place, SegmentNote("", base), SegmentNote("", mine))
    assert said_at(after, place) == SegmentNote("", saved)
    assert after.set_aside == ({} if set_aside is None else {place: SegmentNote("", set_aside)})


@given(base=NOTES, theirs=NOTES, mine=NOTES)
def test_no_text_and_no_tag_that_one_window_alone_changed_is_lost(base, theirs, mine):
    after = saved_at(Annotations({0: theirs}), 0, base, mine)
    saved = said_at(after, 0)
    assert theirs.note in (saved.note, base.note)
    assert mine.note in (saved.note, base.note, *(one.note for one in after.set_aside.values()))
    assert saved.tag == (mine.tag if mine.tag != base.tag else theirs.tag)


def test_what_a_session_could_not_save_for_a_while_joins_what_others_saved():
    trial, other = BlindTrial("d", ("a", "b"), 1), BlindTrial("d", ("a", "c"), 1)
    base = Annotations(
        {0: SegmentNote("", "a"), 1: SegmentNote("", "a"), 2: SegmentNote("", "a")}, {trial: {0: "left"}}
    )
    mine = Annotations(
        {0: SegmentNote("", "mine"), 1: SegmentNote("", "a"), 2: SegmentNote("", "mine")},
        {trial: {0: "left", 1: "tie"}},
        frozenset({trial}),
        remarks="mine",
    )
    others = Annotations(
        {0: SegmentNote("", "a"), 1: SegmentNote("", "theirs"), 2: SegmentNote("", "theirs")},
        {trial: {0: "left", 2: "right"}, other: {}},
        names=("t=theirs",),
    )
    after = rejoined(others, base, mine)
    assert after == Annotations(
        {0: SegmentNote("", "mine"), 1: SegmentNote("", "theirs"), 2: SegmentNote("", "theirs")},
        {trial: {0: "left", 1: "tie", 2: "right"}, other: {}},
        frozenset({trial}),
        names=("t=theirs",),
        remarks="mine",
        set_aside={2: SegmentNote("", "mine")},
    )


def test_two_notes_are_one_where_that_is_not_too_long():
    assert joined(SegmentNote("", "mine"), SegmentNote("odd", "theirs")) == SegmentNote("odd", "mine / theirs")
    assert joined(SegmentNote("", "x" * MAX_NOTE), SegmentNote("", "y")) is None
