"""A new session finds what the person typed in an earlier one, and says so until it is seen."""

import re

import pytest

from bleuscope.annotations import Annotations, SegmentNote
from bleuscope.content.segments import kept_words
from bleuscope.shell.state import links, workspace_in_use

NOTE = "<b>où</b> est le *verbe* ?"


@pytest.fixture
def at_home(empty_place):
    """The same person in every session."""
    workspace_in_use.use(empty_place, is_shared=False)
    yield
    workspace_in_use.use(None, is_shared=False)


def told(app):
    return [re.sub(r"\\(.)", r"\1", str(one.value)) for one in app.info]


def field(app, label):
    return next(one for one in [*app.text_input, *app.selectbox, *app.text_area] if one.label == label)


def typed_note(open_page):
    app = open_page("segments", segment="7")
    field(app, "Note on this segment").set_value(NOTE).run()
    assert not told(app)
    return app


@pytest.mark.usefixtures("at_home")
class TestNotes:
    def test_are_here_again_and_that_is_said_until_it_is_seen(self, open_page):
        typed_note(open_page)
        app = open_page("segments", segment="7")
        assert field(app, "Note on this segment").value == NOTE
        assert told(app) == ["Restored from earlier: 1 segment with a tag or a note."]
        assert told(app.switch_page(links.PAGES["scores"].script).run()) == told(app)
        assert not told(app.button(key="_seen").click().run())

    def test_of_another_window_show_where_nothing_else_was_typed(self, open_page):
        first = open_page("segments", segment="7")
        typed_note(open_page)
        assert field(first.run(), "Note on this segment").value == NOTE

    def test_are_deleted_with_all_else_that_is_kept(self, open_page):
        app = typed_note(open_page)
        app.button(key="delete_kept").click().run()
        assert field(app, "Note on this segment").value == ""
        assert not told(open_page("segments", segment="7"))


@pytest.mark.usefixtures("at_home")
class TestOtherWork:
    def test_preferences_and_the_key_are_here_again(self, open_page):
        address = {"segment": "3", "blind": "true", "a": "human", "b": "literal"}
        app = open_page("segments", **address)
        app.button(key="_prefer_left").click().run()
        app.button(key="_end").click().run()
        app.button(key="_start_again").click().run()
        app.button(key="_prefer_right").click().run()
        again = open_page("segments", **address)
        assert told(again) == ["Restored from earlier: 2 preferences of blind comparisons."]
        assert any("1 segment judged" in str(one.proto.text) for one in again.get("progress"))

    def test_names_are_here_again_where_the_address_has_none(self, open_page):
        app = open_page("test_set")
        field(app, "System 1").set_value("Größe").run()
        again = open_page("compare")
        assert "Größe" in again.selectbox(key="a").options
        assert "s1=Größe" in again.query_params["names"]
        again.switch_page(links.PAGES["test_set"].script).run()
        again.button(key="names_as_read").click().run()
        assert "Größe" not in open_page("compare").selectbox(key="a").options

    def test_remarks_are_here_again(self, open_page):
        app = open_page("report")
        field(app, "Remarks").set_value("line\nline").run()
        again = open_page("report")
        assert field(again, "Remarks").value == "line\nline"
        field(again, "Remarks").set_value("").run()
        assert field(open_page("report"), "Remarks").value == ""
        assert field(app.run(), "Remarks").value == ""


def test_words_say_what_is_here_what_is_not_and_where_it_is():
    work = Annotations({1: SegmentNote("t")})
    had = kept_words.in_words(work)
    assert "Everything is restored: 1 segment with" in kept_words.new_session(had, work)
    assert "Restored: nothing; the rest could not be saved." in kept_words.new_session(had, Annotations())
    assert "Open the same texts to restore what was saved." in kept_words.new_session(had, None)
    assert "in any browser" in kept_words.where_kept(is_kept=True, is_shared=False, fault=None)
    assert "for this browser" in kept_words.where_kept(is_kept=True, is_shared=True, fault=None)
    lost = kept_words.where_kept(is_kept=False, is_shared=False, fault="No space")
    assert "until you close this page. They cannot" in lost
