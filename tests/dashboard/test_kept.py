"""What a person typed outlives the session, on the disk of the server: for this person and these texts alone."""

import os
import stat
from dataclasses import replace

import pytest
from streamlit.runtime.context import ContextProxy, StreamlitCookies

from bleucore import System, TestSet
from dashboard.content.segments.segment_notes import SegmentNote
from dashboard.shell.state import kept, session
from dashboard.shell.state.person import COOKIE

NOTE = SegmentNote("порядок слов", "=1+1 <b>\n\x1b[0m")
ALICE, BOB = "a" * 32, "b" * 32
TEXTS = TestSet([System("one", ["a b c d", "e"]), System("two", ["a b x d", "é"])], [["a b c d", "e"]])
OTHER_TEXTS = TestSet([System("one", ["a b c d", "f"])], [["a b c d", "e"]])


@pytest.fixture
def sessions(monkeypatch, tmp_path):
    """Begins a session of a person; what is typed is kept in a folder of the test."""
    monkeypatch.setenv(kept.FOLDER_VARIABLE, str(tmp_path / "state"))

    def begin(person):
        monkeypatch.setattr(session, "state", {})
        cookies = {} if person is None else {COOKIE: person}
        monkeypatch.setattr(ContextProxy, "cookies", property(lambda _: StreamlitCookies(cookies)))

    return begin


def write_note(segment=0, note=NOTE, test_set=TEXTS):
    kept.change(test_set, lambda work: replace(work, notes={**work.notes, segment: note}), to_save="notes")


def files():
    return sorted(path for path in kept.folder().rglob("*") if path.is_file())


class TestWork:
    def test_is_there_in_a_new_session_of_the_person(self, sessions):
        sessions(ALICE)
        write_note()
        sessions(ALICE)
        assert kept.work_on(TEXTS).notes == {0: NOTE}
        assert kept.is_kept(TEXTS)

    def test_is_there_whatever_the_texts_are_called(self, sessions):
        sessions(ALICE)
        write_note()
        sessions(ALICE)
        assert kept.work_on(TEXTS.renamed(("A", "B"), None)).notes == {0: NOTE}

    def test_is_not_there_for_anyone_else(self, sessions):
        sessions(ALICE)
        write_note()
        for person in (BOB, None):
            sessions(person)
            assert not kept.work_on(TEXTS).notes

    def test_is_not_there_for_other_texts(self, sessions):
        sessions(ALICE)
        write_note()
        assert not kept.work_on(OTHER_TEXTS).notes

    def test_of_another_window_is_seen_and_not_overwritten(self, sessions, monkeypatch):
        sessions(ALICE)
        assert not kept.work_on(TEXTS).notes
        first = session.state
        sessions(ALICE)
        write_note(1)
        second = session.state
        monkeypatch.setattr(session, "state", first)
        assert kept.work_on(TEXTS).notes == {1: NOTE}
        write_note(0)
        monkeypatch.setattr(session, "state", second)
        assert kept.work_on(TEXTS).notes == {0: NOTE, 1: NOTE}

    def test_of_a_browser_without_a_mark_lasts_as_long_as_the_session(self, sessions):
        sessions(None)
        write_note()
        assert kept.work_on(TEXTS).notes == {0: NOTE}
        assert not kept.is_kept(TEXTS)
        assert not files()

    @pytest.mark.parametrize("mark", ["", "../../" + "a" * 26, "A" * 32, "a" * 31])
    def test_of_a_mark_made_by_hand_is_not_kept(self, sessions, mark):
        sessions(mark)
        write_note()
        assert not files()

    def test_is_forgotten_when_that_is_asked_for(self, sessions):
        sessions(ALICE)
        write_note()
        kept.forget(TEXTS)
        assert not files()
        assert not kept.work_on(TEXTS).notes
        assert not kept.has_unsaved()


class TestFile:
    def test_may_be_read_by_its_owner_alone_and_names_nobody(self, sessions):
        sessions(ALICE)
        write_note()
        (path,) = files()
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert all(stat.S_IMODE(folder.stat().st_mode) == 0o700 for folder in (path.parent, path.parents[1]))
        assert ALICE not in str(path)
        assert TEXTS.texts_digest[:12] not in str(path)

    @pytest.mark.parametrize("content", [b"", b"\xff", b"{}", b"[" * 10_000, b'{"version": 2}'])
    def test_that_cannot_be_read_is_said_and_left_as_it_is(self, sessions, content):
        sessions(ALICE)
        write_note()
        (path,) = files()
        path.write_bytes(content)
        sessions(ALICE)
        assert not kept.work_on(TEXTS).notes
        write_note(1)
        assert kept.work_on(TEXTS).notes == {1: NOTE}
        assert path.read_bytes() == content
        assert kept.fault(TEXTS) == f"{path} cannot be read"
        assert not kept.is_kept(TEXTS)

    def test_that_cannot_be_written_is_said_and_tried_again(self, sessions, tmp_path):
        sessions(ALICE)
        (tmp_path / "state").write_text("no folder")
        write_note()
        assert kept.fault(TEXTS) == os.strerror(17)
        assert kept.work_on(TEXTS).notes == {0: NOTE}
        (tmp_path / "state").unlink()
        write_note(1)
        assert kept.fault(TEXTS) is None
        sessions(ALICE)
        assert kept.work_on(TEXTS).notes == {0: NOTE, 1: NOTE}

    @pytest.mark.parametrize("bound", ["MOST_BYTES", "MOST_BYTES_OF_ALL", "MOST_FILES"])
    def test_beyond_a_bound_is_not_written_and_no_other_makes_room(self, sessions, monkeypatch, bound):
        sessions(ALICE)
        write_note()
        before = {path: path.read_bytes() for path in files()}
        monkeypatch.setattr(kept, bound, 1)
        sessions(BOB)
        write_note()
        assert "no more room" in kept.fault(TEXTS)
        assert {path: path.read_bytes() for path in files()} == before
        assert kept.work_on(TEXTS).notes == {0: NOTE}

    def test_lies_where_the_system_has_such_files(self, monkeypatch, tmp_path):
        monkeypatch.delenv(kept.FOLDER_VARIABLE, raising=False)
        monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
        monkeypatch.setenv("HOME", str(tmp_path))
        assert tmp_path in kept.folder().parents
        assert kept.folder().name == "bleuscope"


class TestUnsaved:
    def test_is_what_was_typed_and_not_saved_since(self, sessions):
        sessions(ALICE)
        assert not kept.has_unsaved()
        write_note()
        assert kept.has_unsaved()
        kept.saved(TEXTS, "preferences")
        assert kept.has_unsaved()
        kept.saved(TEXTS, "notes")
        assert not kept.has_unsaved()

    def test_is_nothing_that_was_kept_before(self, sessions):
        sessions(ALICE)
        write_note()
        sessions(ALICE)
        assert kept.work_on(TEXTS).notes
        assert not kept.has_unsaved()
