"""What a person typed outlives the session, in the workspace: for this person and these texts alone."""

from dataclasses import replace

import pytest
import sqlalchemy as sa
from streamlit.runtime.context import ContextProxy, StreamlitCookies

from bleucore import System, TestSet
from bleuscope.annotations import Annotations, BlindTrial, SegmentNote
from bleuscope.shell.state import open_annotations, session, workspace_in_use
from bleuscope.shell.state.person import COOKIE
from bleuscope.workspace.errors import WorkspaceError
from bleuscope.workspace.schema import note
from bleuscope.workspace.work import WorkOfPeople

NOTE = SegmentNote("порядок слов", "=1+1 <b>\n\x1b[0m")
ALICE, BOB = "a" * 32, "b" * 32
TEXTS = TestSet([System("one", ["a b c d", "e"]), System("two", ["a b x d", "é"])], [["a b c d", "e"]])
OTHER_TEXTS = TestSet([System("one", ["a b c d", "f"])], [["a b c d", "e"]])


@pytest.fixture
def keeps(empty_place):
    """A workspace of the test, as on a server that others can enter."""
    workspace_in_use.use(empty_place, is_shared=True)
    yield empty_place
    workspace_in_use.use(None, is_shared=False)


@pytest.fixture
def sessions(monkeypatch, keeps):
    """Begins a session of a browser."""

    def begin(person):
        monkeypatch.setattr(session, "state", {})
        cookies = {} if person is None else {COOKIE: person}
        monkeypatch.setattr(ContextProxy, "cookies", property(lambda _: StreamlitCookies(cookies)))

    return begin


def write_note(segment=0, note=NOTE, test_set=TEXTS):
    open_annotations.change(test_set, lambda work: replace(work, notes={**work.notes, segment: note}), to_save="notes")


FULL = WorkspaceError("there is no more room on the disk", where="here")


def refused(**_):
    raise FULL


def rows():
    with workspace_in_use.workspace().database.reading() as connection:
        return connection.execute(sa.select(sa.func.count()).select_from(note)).scalar()


class TestWork:
    def test_is_there_in_a_new_session_of_the_person(self, sessions):
        sessions(ALICE)
        write_note()
        sessions(ALICE)
        assert open_annotations.work_on(TEXTS).notes == {0: NOTE}
        assert open_annotations.is_kept(TEXTS)

    def test_is_there_whatever_the_texts_are_called(self, sessions):
        sessions(ALICE)
        write_note()
        sessions(ALICE)
        assert open_annotations.work_on(TEXTS.renamed(("A", "B"), None)).notes == {0: NOTE}

    def test_is_not_there_for_anyone_else(self, sessions):
        sessions(ALICE)
        write_note()
        for person in (BOB, None):
            sessions(person)
            assert not open_annotations.work_on(TEXTS).notes

    def test_is_not_there_for_other_texts(self, sessions):
        sessions(ALICE)
        write_note()
        assert not open_annotations.work_on(OTHER_TEXTS).notes

    def test_of_another_window_is_seen_and_not_overwritten(self, sessions, monkeypatch):
        sessions(ALICE)
        assert not open_annotations.work_on(TEXTS).notes
        first = session.state
        sessions(ALICE)
        write_note(1)
        second = session.state
        monkeypatch.setattr(session, "state", first)
        assert open_annotations.work_on(TEXTS).notes == {1: NOTE}
        write_note(0)
        monkeypatch.setattr(session, "state", second)
        assert open_annotations.work_on(TEXTS).notes == {0: NOTE, 1: NOTE}

    def test_is_looked_at_once_in_a_run_and_anew_in_the_next(self, sessions, monkeypatch):
        looks = []
        real = WorkOfPeople.revision
        monkeypatch.setattr(WorkOfPeople, "revision", lambda *asked: looks.append(1) or real(*asked))
        sessions(ALICE)
        session.begin_run()
        for _ in range(3):
            assert not open_annotations.work_on(TEXTS).notes
        assert len(looks) == 1
        first = session.state
        sessions(ALICE)
        write_note(1)
        monkeypatch.setattr(session, "state", first)
        assert not open_annotations.work_on(TEXTS).notes
        session.begin_run()
        assert open_annotations.work_on(TEXTS).notes == {1: NOTE}
        write_note(0)
        assert open_annotations.work_on(TEXTS).notes == {0: NOTE, 1: NOTE}

    def test_of_a_browser_without_a_mark_lasts_as_long_as_the_session(self, sessions):
        sessions(None)
        write_note()
        assert open_annotations.work_on(TEXTS).notes == {0: NOTE}
        assert not open_annotations.is_kept(TEXTS)
        assert not rows()

    @pytest.mark.parametrize("mark", ["", "../../" + "a" * 26, "A" * 32, "a" * 31])
    def test_of_a_mark_made_by_hand_is_not_kept(self, sessions, mark):
        sessions(mark)
        write_note()
        assert not rows()

    def test_is_forgotten_when_that_is_asked_for(self, sessions):
        sessions(ALICE)
        write_note()
        open_annotations.forget(TEXTS)
        assert not rows()
        assert not open_annotations.work_on(TEXTS).notes
        assert not open_annotations.has_unsaved()

    def test_on_one_s_own_machine_is_there_in_every_browser(self, sessions, keeps):
        workspace_in_use.use(keeps, is_shared=False)
        sessions(ALICE)
        write_note()
        for person in (BOB, None):
            sessions(person)
            assert open_annotations.work_on(TEXTS).notes == {0: NOTE}
            assert open_annotations.is_kept(TEXTS)

    def test_without_a_workspace_lasts_as_long_as_the_session(self, sessions):
        workspace_in_use.use(None, is_shared=False)
        sessions(ALICE)
        write_note()
        assert open_annotations.work_on(TEXTS).notes == {0: NOTE}
        assert not open_annotations.is_kept(TEXTS)
        sessions(ALICE)
        assert not open_annotations.work_on(TEXTS).notes

    def test_of_all_kinds_comes_back(self, sessions):
        trial, other = BlindTrial("d", ("one", "two"), 2), BlindTrial("d", ("one", "three"), 2)
        work = Annotations(
            {1: NOTE}, {trial: {0: "left", 1: "tie"}, other: {}}, frozenset({trial}), 2, ("x=y",), "a\nb\x00"
        )
        sessions(ALICE)
        open_annotations.change(TEXTS, lambda _: work)
        sessions(ALICE)
        assert open_annotations.work_on(TEXTS) == work

    def test_that_cannot_be_kept_is_said_and_tried_again(self, sessions, monkeypatch):
        sessions(ALICE)
        write_note()
        database = workspace_in_use.workspace().database
        with monkeypatch.context() as broken:
            broken.setattr(database, "writing", refused)
            write_note(1)
        assert open_annotations.fault(TEXTS) == str(FULL)
        assert not open_annotations.is_kept(TEXTS)
        assert open_annotations.work_on(TEXTS).notes == {0: NOTE, 1: NOTE}
        write_note(2)
        assert open_annotations.fault(TEXTS) is None
        sessions(ALICE)
        assert open_annotations.work_on(TEXTS).notes == {0: NOTE, 1: NOTE, 2: NOTE}


def say(note, base="", tag="", *, place=0):
    open_annotations.save(TEXTS, place, SegmentNote("", base), SegmentNote(tag, note))


class TestTwoWindows:
    @pytest.fixture
    def windows(self, sessions, monkeypatch):
        """Two sessions of a person; what is called goes on in the one that is named."""
        states = {}
        for name in ("first", "second"):
            sessions(ALICE)
            states[name] = session.state
        return lambda name: monkeypatch.setattr(session, "state", states[name])

    def test_that_change_one_note_keep_both_and_the_later_one_is_told(self, windows):
        windows("first")
        say("base")
        windows("second")
        say("theirs", "base")
        windows("first")
        say("mine", "base")
        assert open_annotations.conflict(TEXTS, 0) == SegmentNote("", "mine")
        assert open_annotations.work_on(TEXTS).notes == {0: SegmentNote("", "theirs")}
        assert [one.said.note for one in open_annotations.history(TEXTS, 0).earlier] == ["mine", "base"]
        windows("second")
        assert open_annotations.conflict(TEXTS, 0) is None

    @pytest.mark.parametrize("chosen", ["mine", "theirs", "mine / theirs"])
    def test_agree_after_one_was_chosen(self, windows, chosen):
        self.test_that_change_one_note_keep_both_and_the_later_one_is_told(windows)
        windows("first")
        say(chosen, "theirs")
        assert open_annotations.conflict(TEXTS, 0) is None
        assert open_annotations.work_on(TEXTS).notes == {0: SegmentNote("", chosen)}
        said = {one.said.note for one in open_annotations.history(TEXTS, 0).earlier}
        assert said | {chosen} >= {"base", "mine", "theirs"}

    def test_that_change_again_while_one_chooses_are_asked_again(self, windows):
        self.test_that_change_one_note_keep_both_and_the_later_one_is_told(windows)
        windows("second")
        say("newer", "theirs")
        windows("first")
        say("mine", "theirs")
        assert open_annotations.conflict(TEXTS, 0) == SegmentNote("", "mine")
        assert open_annotations.work_on(TEXTS).notes == {0: SegmentNote("", "newer")}

    def test_that_say_the_same_or_tag_and_note_are_not_asked(self, windows):
        windows("first")
        say("base")
        windows("second")
        say("same", "base")
        windows("first")
        say("same", "base")
        assert open_annotations.conflict(TEXTS, 0) is None
        say("same", "same", "odd")
        windows("second")
        say("other", "same")
        assert open_annotations.conflict(TEXTS, 0) is None
        assert open_annotations.work_on(TEXTS).notes == {0: SegmentNote("odd", "other")}

    def test_a_deletion_against_an_edit_loses_no_text(self, windows):
        windows("first")
        say("base")
        windows("second")
        say("", "base")
        windows("first")
        say("edited", "base")
        assert open_annotations.conflict(TEXTS, 0) == SegmentNote("", "edited")
        say("edited")
        assert open_annotations.work_on(TEXTS).notes == {0: SegmentNote("", "edited")}
        windows("second")
        say("", "base")
        assert open_annotations.conflict(TEXTS, 0) == SegmentNote()
        assert open_annotations.work_on(TEXTS).notes == {0: SegmentNote("", "edited")}

    def test_of_remarks_are_told_too(self, windows):
        windows("first")
        say("base", place=None)
        windows("second")
        say("theirs", "base", place=None)
        windows("first")
        say("mine", "base", place=None)
        assert open_annotations.conflict(TEXTS, None) == SegmentNote("", "mine")
        assert open_annotations.work_on(TEXTS).remarks == "theirs"
        assert {one.said.note for one in open_annotations.history(TEXTS, None).earlier} == {"base", "mine"}

    def test_of_which_one_could_not_save_for_a_while_keep_both(self, windows, monkeypatch):
        windows("first")
        say("base")
        database = workspace_in_use.workspace().database
        with monkeypatch.context() as broken:
            broken.setattr(database, "writing", refused)
            say("mine", "base")
            say("elsewhere", place=1)
        windows("second")
        say("theirs", "base")
        windows("first")
        say("third", place=2)
        assert open_annotations.conflict(TEXTS, 0) == SegmentNote("", "mine")
        assert {place: said.note for place, said in open_annotations.work_on(TEXTS).notes.items()} == {
            0: "theirs",
            1: "elsewhere",
            2: "third",
        }

    def test_of_which_one_deletes_everything_forget_the_earlier_versions_too(self, windows):
        self.test_that_change_one_note_keep_both_and_the_later_one_is_told(windows)
        windows("first")
        open_annotations.forget(TEXTS)
        assert open_annotations.conflict(TEXTS, 0) is None
        assert not open_annotations.history(TEXTS, 0).earlier

    def test_without_a_workspace_are_two_sessions(self, windows):
        workspace_in_use.use(None, is_shared=False)
        windows("first")
        say("mine")
        windows("second")
        say("theirs")
        assert open_annotations.conflict(TEXTS, 0) is None
        assert open_annotations.history(TEXTS, 0).earlier == ()


class TestUnsaved:
    def test_is_nothing_that_is_kept(self, sessions):
        sessions(ALICE)
        write_note()
        assert not open_annotations.has_unsaved()

    def test_is_what_was_typed_and_not_saved_since(self, sessions):
        sessions(None)
        assert not open_annotations.has_unsaved()
        write_note()
        assert open_annotations.has_unsaved()
        open_annotations.saved(TEXTS, "preferences")
        assert open_annotations.has_unsaved()
        open_annotations.saved(TEXTS, "notes")
        assert not open_annotations.has_unsaved()

    def test_is_nothing_that_was_kept_before(self, sessions):
        sessions(ALICE)
        write_note()
        sessions(ALICE)
        assert open_annotations.work_on(TEXTS).notes
        assert not open_annotations.has_unsaved()
