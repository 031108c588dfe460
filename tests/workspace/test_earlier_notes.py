"""Earlier versions of notes and remarks: whatever is replaced, deleted or set aside, on both databases."""

from dataclasses import replace
from threading import Barrier, Thread

import pytest

from bleuscope.annotations import Annotations, SegmentNote
from bleuscope.content.segments.annotation_changes import saved_at
from bleuscope.workspace import open_workspace, work
from bleuscope.workspace.people import LOCAL, Identity
from bleuscope.workspace.work import NoteHistory


@pytest.fixture
def me(workspace):
    """Whoever runs it."""
    return workspace.people.person(LOCAL)


def write(workspace, who, note, tag="", *, segment=0):
    said = {segment: SegmentNote(tag, note)} if note or tag else {}

    def make(work):
        return replace(work, notes={place: one for place, one in work.notes.items() if place != segment} | said)

    workspace.work.change(who, "texts", make)


def told(history):
    return [(one.said.tag, one.said.note) for one in history.earlier]


def test_are_what_was_replaced_or_deleted_the_newest_first(workspace, me):
    assert workspace.work.history(me, "texts", 0) == NoteHistory(None, ())
    for note, tag in (("one", ""), ("two", "odd"), ("", ""), ("\ud800\x00", "odd")):
        write(workspace, me, note, tag)
    history = workspace.work.history(me, "texts", 0)
    assert told(history) == [("odd", "two"), ("", "one")]
    newest, oldest = history.earlier
    assert oldest.written_at < oldest.replaced_at <= newest.written_at < newest.replaced_at < history.changed_at
    assert workspace.work.read(me, "texts")[0].notes == {0: SegmentNote("odd", "\ud800\x00")}


def test_tell_when_a_note_was_deleted(workspace, me):
    write(workspace, me, "one")
    write(workspace, me, "")
    history = workspace.work.history(me, "texts", 0)
    assert history.changed_at == history.earlier[0].replaced_at


def test_are_nothing_new_where_the_same_is_saved_twice(workspace, me):
    write(workspace, me, "one")
    write(workspace, me, "one")
    assert told(workspace.work.history(me, "texts", 0)) == []


def test_hold_what_was_set_aside_and_leave_the_note(workspace, me):
    write(workspace, me, "theirs")
    after, _ = workspace.work.change(me, "texts", lambda work: replace(work, set_aside={0: SegmentNote("", "mine")}))
    assert after.set_aside == {0: SegmentNote("", "mine")}
    assert workspace.work.read(me, "texts")[0] == Annotations({0: SegmentNote("", "theirs")})
    assert told(workspace.work.history(me, "texts", 0)) == [("", "mine")]


def test_of_remarks_are_apart_from_those_of_segments(workspace, me):
    for remarks in ("a", "b", ""):
        workspace.work.change(me, "texts", lambda work, remarks=remarks: replace(work, remarks=remarks))
    assert told(workspace.work.history(me, "texts", None)) == [("", "b"), ("", "a")]
    assert told(workspace.work.history(me, "texts", 0)) == []


def test_are_their_author_s_alone_and_of_these_texts(workspace, me):
    write(workspace, me, "one")
    write(workspace, me, "two")
    ann = workspace.people.person(Identity("proxy", "ann", "Ann"))
    assert told(workspace.work.history(ann, "texts", 0)) == []
    assert told(workspace.work.history(me, "others", 0)) == []


def test_are_bounded_for_each_segment_and_the_oldest_go_first(workspace, me, monkeypatch):
    monkeypatch.setattr(work, "MOST_PAST", 3)
    write(workspace, me, "of another segment", segment=1)
    write(workspace, me, "", segment=1)
    for number in range(6):
        write(workspace, me, str(number))
    workspace.work.change(me, "texts", lambda one: replace(one, set_aside={0: SegmentNote("", "set aside")}))
    assert told(workspace.work.history(me, "texts", 0)) == [("", "set aside"), ("", "4"), ("", "3")]
    assert told(workspace.work.history(me, "texts", 1)) == [("", "of another segment")]
    for remarks in "abcde":
        workspace.work.change(me, "texts", lambda one, remarks=remarks: replace(one, remarks=remarks))
    assert told(workspace.work.history(me, "texts", None)) == [("", "d"), ("", "c"), ("", "b")]


def test_go_when_everything_is_deleted(workspace, me):
    write(workspace, me, "one")
    write(workspace, me, "two")
    revision = workspace.work.forget(me, "texts")
    assert (told(workspace.work.history(me, "texts", 0)), workspace.work.revision(me, "texts")) == ([], revision)


def test_of_a_change_that_fails_are_none(workspace, me):
    write(workspace, me, "one")

    def fail(_):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        workspace.work.change(me, "texts", fail)
    assert told(workspace.work.history(me, "texts", 0)) == []


def test_two_programs_that_save_at_once_lose_neither_text(workspace, me, place):
    write(workspace, me, "base")
    base, ready = SegmentNote("", "base"), Barrier(2)

    def save(mine):
        def make(before):
            return saved_at(before, 0, base, SegmentNote("", mine))

        with open_workspace(place) as other:
            ready.wait()
            other.work.change(me, "texts", make)

    threads = [Thread(target=save, args=(mine,)) for mine in ("left", "right")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    saved = workspace.work.read(me, "texts")[0].notes[0].note
    assert {saved, *(note for _, note in told(workspace.work.history(me, "texts", 0)))} == {"base", "left", "right"}
