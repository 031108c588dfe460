"""What is said of a text that two windows changed."""

from datetime import UTC, datetime, timedelta

import pytest

from bleuscope.annotations import SegmentNote
from bleuscope.content.segments.note_words import NOTE, REMARKS, not_saved, version_title

THEN = datetime(2026, 3, 1, 9, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("what", "theirs", "who", "at", "said"),
    [
        (NOTE, "x", "", None, "Your note is not saved yet. Another window changed the note."),
        (NOTE, "", "", None, "Your note is not saved yet. Another window deleted the note."),
        (
            REMARKS,
            "x",
            "Ann",
            THEN,
            "Your remarks are not saved yet. "
            "Ann changed the remarks in another window 3 hours ago (2026-03-01 09:05 UTC).",
        ),
    ],
)
def test_a_text_that_is_not_saved_says_who_changed_it_and_when(what, theirs, who, at, said):
    assert not_saved(what, SegmentNote("", theirs), who, at, THEN + timedelta(hours=3)) == said


def test_an_earlier_version_has_its_time_and_tag():
    assert version_title(SegmentNote("odd", "x"), THEN, THEN) == "Just now (2026-03-01 09:05 UTC) · tag: odd"
