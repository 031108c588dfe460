"""Who sees what of a project on the pages: every role opens every page, and what was opened from one."""

from datetime import timedelta

import pytest
from streamlit.runtime.context import ContextProxy

from dashboard.shell.state import cached, kept_comparisons, kept_versions, workspace_in_use
from dashboard.shell.state.entered import HEADER, Entered, written
from workspace.access import OPERATIONS, RIGHTS
from workspace.columns import now
from workspace.errors import ForbiddenError, NotFoundError
from workspace.people import LOCAL, Identity

PROJECT, SECRET_LINE = "en-de", "the cat 3 sat on the mat near house 3"
OVER_TIME = ("projects", "leaderboard", "history")
ADDRESS = {"project": PROJECT, "on": "news"}
LINK = "link"
"""Whoever came by a link to the leaderboard."""
WHO = (*RIGHTS, "nobody", LINK)
MAY = {**RIGHTS, "nobody": (), LINK: ("read",)}


@pytest.fixture
def kept(versions_place):
    workspace_in_use.use(versions_place, is_shared=True)
    yield workspace_in_use.workspace()
    workspace_in_use.use(None, is_shared=False)


@pytest.fixture
def enter(kept, monkeypatch):
    """Somebody of a role comes in."""
    me = kept.people.person(LOCAL)

    def by(role):
        identity = Identity("proxy", role, role)
        person = kept.people.person(identity)
        entered = Entered(identity)
        if role == LINK:
            until = now() + timedelta(days=1)
            secret = kept.shares.make(me, "leaderboard", "project=en-de&on=news", until, PROJECT)
            entered = Entered(share=kept.shares.opened_by(secret).id)
        elif role in RIGHTS:
            kept.access.give(me, PROJECT, person, role)
        headers = {HEADER: written(entered).decode()}
        monkeypatch.setattr(ContextProxy, "headers", property(lambda _: headers))
        return person

    return by


@pytest.fixture
def opened(kept):
    """Two versions as a comparison that a page opened before, and the workspace keeps."""
    project = kept.projects.find(PROJECT)
    news = kept.projects.test_set(project, "news")
    texts = kept.projects.texts(news, kept.projects.versions(project, news)[:2], ["one", "two"])
    loaded = kept_versions.loaded(texts, project, news)
    found = kept_comparisons.KeptComparison(texts, loaded.origin, loaded.title, project=PROJECT)
    kept.comparisons.keep(found)
    yield loaded
    cached.drop_upload(loaded.origin)


def shown(app):
    return " ".join(str(getattr(one, "value", "")) or str(one.proto) for one in (*app.main, *app.sidebar))


@pytest.mark.parametrize("role", WHO)
def test_every_role_may_on_pages_what_it_may_anywhere(kept, enter, role):
    enter(role)
    for operation, right in OPERATIONS.items():
        assert workspace_in_use.may(PROJECT, operation) == (right in MAY[role]), operation
        if right not in MAY[role]:
            refusal = ForbiddenError if role in RIGHTS else NotFoundError
            with pytest.raises(refusal):
                workspace_in_use.project(PROJECT, operation)
    assert [one.slug for one in workspace_in_use.projects()] == ([PROJECT] if MAY[role] else [])


@pytest.mark.parametrize("role", WHO)
def test_pages_over_time_are_there_for_who_may_read(kept, enter, open_link, role):
    enter(role)
    for page in OVER_TIME:
        app = open_link(page, **ADDRESS)
        assert not app.error
        assert ("German" in shown(app)) == (role != "nobody"), page
        if role == LINK:
            assert app.title[0].value == "Leaderboard"
            assert not app.get("page_link")


@pytest.mark.parametrize("role", WHO)
@pytest.mark.parametrize("is_at_hand", [False, True], ids=["kept", "held by the server"])
def test_texts_of_a_project_are_opened_by_no_one_who_knows_their_digest_alone(
    enter, opened, open_link, role, is_at_hand
):
    if is_at_hand:
        cached.keep_upload(opened)
    enter(role)
    app = open_link("segments", data=opened.origin)
    assert (SECRET_LINE in shown(app)) == (role in RIGHTS)
    if role == "nobody":
        assert "an upload that the server does not hold any more" in app.warning[0].value


def test_texts_that_somebody_brought_are_theirs_even_where_a_project_has_the_same(kept, enter, opened, open_link):
    person = enter("nobody")
    own = kept_comparisons.upload_origin(opened.test_set)
    assert own != opened.origin
    kept.comparisons.keep(kept_comparisons.KeptComparison(opened.test_set, own, "mine"))
    kept.comparisons.opened(person, own)
    assert SECRET_LINE in shown(open_link("segments", data=own))
    assert kept_comparisons.find(opened.origin).project == PROJECT


def test_a_role_that_is_taken_ends_what_is_open_and_leaves_no_trace_in_the_list(kept, enter, opened, open_link):
    person = enter("reader")
    kept.comparisons.opened(person, opened.origin)
    assert [one.project for one in kept_comparisons.recent()] == [PROJECT]
    app = open_link("segments", data=opened.origin)
    assert SECRET_LINE in shown(app)
    kept.access.take(kept.people.person(LOCAL), PROJECT, person)
    app.run()
    assert SECRET_LINE not in shown(app)
    assert "there is no such project" in app.error[0].value
    assert kept_comparisons.recent() == ()
