"""Pages of two windows that change one text: both versions are shown, and earlier ones come back."""

import re

import pytest

from bleuscope.shell.state import workspace_in_use


@pytest.fixture(autouse=True)
def _in_workspace(empty_place):
    workspace_in_use.use(empty_place, is_shared=False)
    yield
    workspace_in_use.use(None, is_shared=False)


def unescaped(text):
    """A message as the browser shows it."""
    return re.sub(r"\\(.)", r"\1", text)


def note_widgets(app):
    """The fields of the tag and of the note."""
    tag = next(box for box in app.selectbox if box.label == "Tag of this segment")
    return tag, next(field for field in app.text_input if field.label == "Note on this segment")


def test_a_note_that_another_window_changed_is_shown_beside_it_until_one_is_chosen(open_link):
    first = open_link("segments", data="sample", segment="8")
    note_widgets(first)[1].set_value("base").run()
    second = open_link("segments", data="sample", segment="8")
    assert note_widgets(second)[1].value == "base"
    note_widgets(first)[1].set_value("theirs <b>").run()
    note_widgets(second)[1].set_value("mine").run()
    assert "Your note is not saved yet. Another window changed the note " in unescaped(second.warning[0].value)
    assert "theirs <b>" in [one.value for one in second.text]
    assert note_widgets(second)[1].value == "mine"
    note_widgets(second)[1].set_value("mine, longer").run()
    second.number_input(key="segment").set_value(9).run()
    assert not second.warning
    second.number_input(key="segment").set_value(8).run()
    assert note_widgets(second)[1].value == "mine, longer"
    second.button(key="_keep_mine-8").click().run()
    assert (note_widgets(second)[1].value, len(second.warning)) == ("mine, longer", 0)
    first.run()
    assert note_widgets(first)[1].value == "mine, longer"
    assert {one.value for one in second.text} >= {"base", "theirs <b>", "mine"}
    second.button(key="_restore-8-0").click().run()
    assert note_widgets(second)[1].value == "theirs <b>"
    assert not first.exception
    assert not second.exception


def test_remarks_that_another_window_changed_are_shown_beside_them(open_link):
    first, second = (open_link("report", data="sample") for _ in range(2))
    first.text_area(key="report_remarks").set_value("theirs").run()
    second.text_area(key="report_remarks").set_value("mine").run()
    assert "Your remarks are not saved yet. Another window changed the remarks" in unescaped(second.warning[0].value)
    second.run()
    assert second.text_area(key="report_remarks").value == "mine"
    second.button(key="_keep_both-remarks").click().run()
    assert second.text_area(key="report_remarks").value == "mine\n\ntheirs"
    assert not second.warning
    first.run()
    assert first.text_area(key="report_remarks").value == "mine\n\ntheirs"
