"""A link for somebody without an account: made in the popover, it opens one view and nothing beside it."""

import asyncio
from datetime import timedelta
from urllib.parse import urlencode

import pytest
from streamlit.runtime.context import ContextProxy

from bleucore import System, TestSet
from bleuscope.shell.server.share_door import ShareDoor
from bleuscope.shell.state import workspace_in_use
from bleuscope.shell.state.current_user import HEADER, Entered, written
from bleuscope.shell.state.page_list import PAGES
from bleuscope.workspace.columns import now
from bleuscope.workspace.comparisons import KeptComparison
from bleuscope.workspace.events import events
from bleuscope.workspace.people import LOCAL, Identity

OTHER = "0123456789abcdef0123456789abcdef"


@pytest.fixture
def kept(empty_place):
    workspace_in_use.use(empty_place, is_shared=False)
    yield workspace_in_use.workspace()
    workspace_in_use.use(None, is_shared=False)


@pytest.fixture
def me(kept):
    return kept.people.person(LOCAL)


@pytest.fixture
def by_link(monkeypatch, kept, me):
    """Lets the next sessions in by a link to a view."""

    def enter(page, query):
        secret = kept.shares.make(me, page, query, now() + timedelta(days=1))
        share = kept.shares.opened_by(secret)
        headers = {HEADER: written(Entered(share=share.id)).decode()}
        monkeypatch.setattr(ContextProxy, "headers", property(lambda _: headers))
        return share

    return enter


def said(app):
    return [one.proto.body for one in (*app.sidebar, *app.main) if "bs-account" in getattr(one.proto, "body", "")]


def labels(app):
    return [one.label for one in (*app.button, *app.sidebar.button)]


def test_a_link_is_made_listed_and_taken_back(kept, me, open_link):
    begun, app = now().date(), open_link("scores", tok="intl")
    app.session_state["link"] = True
    app.run()
    until = app.date_input(key="_share_until").value
    assert until - timedelta(days=7) in {begun, now().date()}, "midnight may come between"
    app.button(key="_make_share").click().run()
    assert not app.exception
    (share,) = kept.shares.made_by(me)
    assert share.page == "scores"
    assert "tok=intl" in share.query
    assert share.expires_at.date() == until
    (address,) = [code.value for code in app.code if "/share/" in code.value]
    assert kept.shares.opened_by(address.rpartition("/")[2]) == share
    app.button(key=f"_revoke-{share.id}").click().run()
    assert kept.shares.made_by(me) == ()
    assert not [code.value for code in app.code if "/share/" in code.value]


def test_no_link_is_made_of_the_page_that_opens_files_or_where_nothing_is_kept(kept, open_link):
    app = open_link("test_set")
    app.session_state["link"] = True
    app.run()
    assert "Make a link" not in labels(app)
    workspace_in_use.use(None, is_shared=False)
    app = open_link("scores")
    app.session_state["link"] = True
    app.run()
    assert "Make a link" not in labels(app)


@pytest.mark.parametrize("page", ["overview", "scores", "segments", "slices", "trust", "report"])
def test_a_session_by_link_has_its_view_and_no_way_to_anything_else(by_link, open_link, page):
    by_link(page, "data=sample")
    app = open_link(page, data="sample")
    assert app.title[0].value == PAGES[page].title
    assert any("Opened by a link, until" in one for one in said(app))
    assert not app.get("page_link")
    assert not [one for one in app.button if (one.key or "").startswith("ask-")]
    assert not app.get("file_uploader")
    assert not {"Rename", "Link to this view", "Make a link", "Add to report"} & set(labels(app))
    assert not [one for one in (*app.text_input, *app.selectbox) if "segment" in one.label and "of this" in one.label]
    assert "Blind comparison" not in [one.label for one in app.toggle]


@pytest.mark.parametrize("baseline", ["", "online"])
@pytest.mark.parametrize("page", ["overview", "scores", "compare", "significance"])
def test_a_session_by_link_reads_the_same_verdict(by_link, open_link, page, baseline):
    asked = {"data": "sample", "trials": "99", "resamples": "60", **({"baseline": baseline} if baseline else {})}

    def verdicts(app):
        bodies = [str(one.proto.body) for one in app.get("html")]
        return [body for body in bodies if 'class="bs-verdict"' in body or 'class="bs-answer"' in body]

    own = verdicts(open_link(page, **asked))
    by_link(page, urlencode(asked))
    assert own == verdicts(open_link(page, **asked))
    assert own


def test_whoever_made_it_is_named_if_they_logged_in_and_a_browser_s_mark_never_is(monkeypatch, open_link, kept):
    for identity, whose in (
        (Identity("proxy", "17", "Ada <b>"), " of Ada &lt;b&gt;"),
        (Identity("browser", "0af1"), ""),
    ):
        secret = kept.shares.make(kept.people.person(identity), "scores", "data=sample", now() + timedelta(days=1))
        headers = {HEADER: written(Entered(share=kept.shares.opened_by(secret).id)).decode()}
        monkeypatch.setattr(ContextProxy, "headers", property(lambda _, headers=headers: headers))
        (line,) = said(open_link("scores", data="sample"))
        assert f"Opened by a link{whose}, until" in line


def test_another_page_and_another_comparison_lead_back(by_link, open_link, kept, me):
    kept.comparisons.keep(KeptComparison(TestSet([System("secret", ["a"])], [["b"]]), OTHER, "secret"))
    by_link("scores", "data=sample&names=x")
    app = open_link("significance", data=OTHER)
    assert app.query_params["data"] in ("sample", ["sample"])
    assert app.title[0].value == "Scores"
    app.query_params["data"] = OTHER
    app.run()
    assert app.query_params["data"] in ("sample", ["sample"])
    assert "secret" not in str(app.main)


def test_nothing_is_shown_in_place_of_data_that_are_gone(by_link, open_link):
    by_link("scores", f"data={OTHER}")
    app = open_link("scores", data=OTHER)
    assert any("data of this link are gone or have changed" in one for one in said(app))
    assert not app.dataframe
    assert "Go on with what is shown" not in labels(app)
    by_link("scores", "data=sample&digest=0123456789abcdef")
    app = open_link("scores", data="sample")
    assert any("data of this link are gone or have changed" in one for one in said(app))


def test_a_link_that_is_taken_back_ends_open_sessions(by_link, open_link, kept, me):
    share = by_link("scores", "data=sample")
    app = open_link("scores", data="sample")
    kept.shares.revoke(me, share.id)
    app.run()
    assert any("This link no longer works: it has ended, or its author revoked it." in one for one in said(app))
    assert [one.value for one in app.title] == []


def test_a_link_to_the_page_that_opens_files_opens_nothing(by_link, open_link):
    by_link("test-set", "data=sample")
    app = open_link("scores", data="sample")
    assert any("This link no longer works: it has ended, or its author revoked it." in one for one in said(app))


def test_that_a_link_was_opened_is_noted_once_a_day(kept, me):
    secret = kept.shares.make(me, "scores", "", now() + timedelta(days=1))
    door = ShareDoor(workspace_in_use.workspace)

    async def visit():
        return [await door.opened(secret), await door.opened(secret), await door.held(secret), await door.opened("x")]

    share = kept.shares.opened_by(secret)
    assert asyncio.run(visit()) == [share, share, share, None]
    noted = [(one.action, one.author, one.object) for one in events(kept.database)]
    assert noted[:-1] == [("link opened", None, {"link": share.id, "page": "scores"})]
    workspace_in_use.use(None, is_shared=False)
    assert asyncio.run(door.opened(secret)) is None
