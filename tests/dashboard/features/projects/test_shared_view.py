"""A link for somebody without an account to a page over time: it opens one test set of a project."""

from datetime import timedelta

import pytest
from streamlit.runtime.context import ContextProxy

from bleuscope.content.comparison import link_notes, share_words
from bleuscope.shell.state import workspace_in_use
from bleuscope.shell.state.current_user import HEADER, Entered, written
from bleuscope.shell.state.page_list import PAGES
from bleuscope.workspace.columns import now
from bleuscope.workspace.people import LOCAL, Identity


def said(app):
    return [one.proto.body for one in (*app.sidebar, *app.main) if "bs-account" in getattr(one.proto, "body", "")]


def labels(app):
    return [one.label for one in (*app.button, *app.sidebar.button)]


class TestOfAProject:
    @pytest.fixture
    def kept(self, versions_place):
        workspace_in_use.use(versions_place, is_shared=False)
        yield workspace_in_use.workspace()
        workspace_in_use.use(None, is_shared=False)

    @pytest.fixture
    def me(self, kept):
        return kept.people.person(LOCAL)

    @pytest.fixture
    def enter(self, monkeypatch):
        def by(entered):
            headers = {HEADER: written(entered).decode()}
            monkeypatch.setattr(ContextProxy, "headers", property(lambda _: headers))

        return by

    @pytest.fixture
    def ann(self, kept, me):
        found = kept.people.person(Identity("proxy", "ann", "Ann"))
        kept.access.give(me, "en-de", found, "writer")
        return found

    @pytest.fixture
    def link(self, kept, ann, enter, open_link):
        """A link to a page over time, as its popover makes it."""

        def make(page, **address):
            enter(Entered(Identity("proxy", "ann", "Ann")))
            app = open_link(page, project="en-de", on="news", data="sample", **address)
            app.session_state["link"] = True
            app.run()
            app.button(key="_make_share").click().run()
            assert not app.exception
            (share,) = kept.shares.made_by(ann)
            return share

        return make

    @pytest.mark.parametrize("page", ["leaderboard", "history"])
    def test_opens_its_test_set_and_nothing_else(self, link, enter, open_link, page):
        share = link(page, tok="char")
        assert (share.page, share.project) == (page, "en-de")
        assert "on=news" in share.query
        assert "data=" not in share.query
        enter(Entered(share=share.id))
        for asked, on in ((page, "news"), (page, "olds"), ("projects", "news"), ("overview", "news")):
            app = open_link(asked, project="en-de", on=on, tok="char", data="sample")
            assert app.title[0].value.lower() == page
            assert any("Opened by a link of Ann, until" in one for one in said(app))
            assert app.query_params["on"] in ("news", ["news"])
            assert "tok:char" in str([one.proto for one in app.get("html")])
            assert not app.get("page_link")
            assert not {"Project", "Test set"} & {one.label for one in app.selectbox}
            assert not [label for label in labels(app) if "comparison" in label or "changed" in label]
            assert "olds" not in str(app.main)
            assert not {"Compare them", "Link to this view"} & set(labels(app))

    def test_ends_with_the_role_of_whoever_made_it_and_with_the_link(self, link, enter, open_link, kept, me, ann):
        share = link("leaderboard")
        enter(Entered(share=share.id))
        app = open_link("leaderboard", project="en-de", on="news")
        assert "nightly" in str(app.main)
        kept.access.take(me, "en-de", ann)
        app.run()
        assert any("This link no longer works: it has ended, or its author revoked it." in one for one in said(app))
        assert "nightly" not in str(app.main)
        kept.access.give(me, "en-de", ann, "reader")
        assert "nightly" in str(open_link("leaderboard").main)
        kept.shares.revoke(ann, share.id)
        assert "nightly" not in str(open_link("leaderboard").main)

    def test_is_made_by_writers_and_not_of_the_page_of_all_projects(self, kept, me, ann, enter, open_link):
        kept.access.give(me, "en-de", ann, "reader")
        enter(Entered(Identity("proxy", "ann", "Ann")))
        app = open_link("leaderboard", project="en-de", on="news")
        app.session_state["link"] = True
        app.run()
        assert "Make a link" not in labels(app)
        assert share_words.NOT_FOR_READERS in [one.value for one in (*app.caption, *app.sidebar.caption)]
        assert "link" not in [one.proto.popover.label for one in open_link("projects").get("popover")]

    def test_says_so_where_the_test_set_is_not_there(self, kept, me, enter, open_link):
        secret = kept.shares.make(me, "leaderboard", "project=en-de&on=gone", now() + timedelta(days=1), "en-de")
        enter(Entered(share=kept.shares.opened_by(secret).id))
        app = open_link("leaderboard", project="en-de", on="news")
        assert any("data of this link are gone or have changed" in one for one in said(app))
        assert "nightly" not in str(app.main)

    def test_of_texts_that_were_opened_from_it_is_one_into_the_project(self, kept, ann, enter, open_link):
        enter(Entered(Identity("proxy", "ann", "Ann")))
        app = open_link("leaderboard", project="en-de", on="news")
        app.button(key="open-comparison").click().run()
        assert app.title[0].value == "Summary"
        app.session_state["link"] = True
        app.switch_page(PAGES["overview"].script).run()
        assert link_notes.FOR_PROJECT in [one.value for one in (*app.caption, *app.sidebar.caption)]
        app.button(key="_make_share").click().run()
        (share,) = kept.shares.made_by(ann)
        assert (share.page, share.project) == ("overview", "en-de")
