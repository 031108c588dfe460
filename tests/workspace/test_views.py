"""Views with a name: each person's own, the last first, replaced by name."""

import pytest

from bleucore import InputError
from bleuscope.workspace import views
from bleuscope.workspace.people import LOCAL, Identity


def test_views_come_back_the_last_first_and_are_one_s_own(workspace):
    me, other = workspace.people.person(LOCAL), workspace.people.person(Identity("proxy", "ann"))
    workspace.views.keep(me, " lost \n negations ", "segments", "where=a")
    workspace.views.keep(me, "verdict", "overview", "")
    workspace.views.keep(other, "verdict", "scores", "x=1")
    workspace.views.keep(me, "lost negations", "segments", "where=b")
    found = [(one.name, one.page, one.query) for one in workspace.views.all(me)]
    assert found == [("lost negations", "segments", "where=b"), ("verdict", "overview", "")]
    workspace.views.delete(me, "verdict")
    assert [one.name for one in workspace.views.all(me)] == ["lost negations"]
    assert [one.page for one in workspace.views.all(other)] == ["scores"]


@pytest.mark.parametrize(("name", "query"), [("", "x"), ("  ", "x"), ("a", "x" * 60_001)])
def test_a_view_needs_a_name_and_an_address_that_a_browser_takes(workspace, name, query):
    with pytest.raises(InputError, match="no name"):
        workspace.views.keep(workspace.people.person(LOCAL), name, "overview", query)


def test_there_is_an_end_to_views(workspace, monkeypatch):
    monkeypatch.setattr(views, "MOST_VIEWS", 2)
    me = workspace.people.person(LOCAL)
    for name in "ab":
        workspace.views.keep(me, name, "overview", "")
    with pytest.raises(InputError, match="too many views"):
        workspace.views.keep(me, "c", "overview", "")
