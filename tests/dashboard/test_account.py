"""Whoever logged in sees so on every page, and is who notes are kept for."""

import pytest
from streamlit.runtime.context import ContextProxy

from bleuscope.shell.state import workspace_in_use
from bleuscope.shell.state.current_user import HEADER, Entered, written
from bleuscope.workspace.errors import NotFoundError
from bleuscope.workspace.events import events
from bleuscope.workspace.people import Identity

ADA = Identity("https://login.example.org", "17", "Ada <b>", "ada@example.org")


@pytest.fixture
def enter(monkeypatch):
    """Lets somebody in, as the gate says it."""

    def told(entered):
        headers = {HEADER: written(entered).decode()}
        monkeypatch.setattr(ContextProxy, "headers", property(lambda _: headers))

    return told


@pytest.fixture
def kept(empty_place):
    workspace_in_use.use(empty_place, is_shared=True)
    yield workspace_in_use.workspace()
    workspace_in_use.use(None, is_shared=False)


def shown(app):
    return [one.proto.body for one in app.sidebar if "bs-account" in getattr(one.proto, "body", "")]


def test_the_sidebar_names_who_logged_in_and_leads_out(enter, open_page):
    enter(Entered(ADA, sign_out="auth/logout"))
    assert shown(open_page("scores")) == [
        '<p class="bs-account">Ada &lt;b&gt; <a href="auth/logout" target="_self">Sign out</a></p>'
    ]
    enter(Entered(ADA))
    assert shown(open_page("scores")) == ['<p class="bs-account">Ada &lt;b&gt;</p>']


def test_a_page_that_was_left_open_has_nothing_of_one_person_for_the_next(enter, open_link, kept):
    enter(Entered(ADA))
    app = open_link("scores", data="sample")
    app.session_state["_mine"] = "Ada's"
    enter(Entered(Identity(ADA.issuer, "17", "Ada Lovelace")))
    app.run()
    assert app.session_state["_mine"] == "Ada's"
    enter(Entered(Identity(ADA.issuer, "18", "Bob")))
    app.run()
    assert not app.exception
    assert "_mine" not in app.session_state


def test_nobody_is_named_where_nobody_is_asked(open_page):
    assert shown(open_page("scores")) == []


def test_the_same_person_is_somebody_whatever_the_browser(enter, kept):
    enter(Entered(ADA))
    first = workspace_in_use.somebody()[1]
    assert (first.name, first.issuer) == ("Ada <b>", ADA.issuer)
    enter(Entered(Identity(ADA.issuer, "17", "Ada Lovelace", "ada@example.org")))
    assert workspace_in_use.somebody()[1].id == first.id
    enter(Entered(Identity("https://other.example", "17", "Ada")))
    assert workspace_in_use.somebody()[1].id != first.id


def test_whoever_came_by_a_link_is_nobody_to_the_workspace(enter, kept):
    enter(Entered(share=1))
    assert workspace_in_use.somebody() is None


def test_that_somebody_came_in_is_in_the_log_and_they_can_be_given_roles(kept):
    workspace_in_use.note_arrival(ADA)
    (event,) = events(kept.database)
    assert (event.author, event.action, event.object["subject"]) == ("Ada <b>", "came in", "17")
    assert kept.people.known_as("ada@example.org").name == "Ada <b>"


def test_projects_are_there_for_who_has_a_role_and_not_for_who_came_by_a_link(enter, kept):
    enter(Entered(ADA))
    kept.projects.make("mine", workspace_in_use.somebody()[1])
    kept.projects.make("other", kept.people.person(Identity("proxy", "eve")))
    assert [one.slug for one in workspace_in_use.projects()] == ["mine"]
    assert workspace_in_use.project("mine", "push version").slug == "mine"
    with pytest.raises(NotFoundError):
        workspace_in_use.project("other", "see project")
    enter(Entered(share=1))
    assert workspace_in_use.projects() == ()
    with pytest.raises(NotFoundError):
        workspace_in_use.project("mine", "see project")
