"""Who sees what of a project on the pages: every role opens every page, and what was opened from one."""

from datetime import timedelta

import pytest
from streamlit.runtime.context import ContextProxy

from bleuscope.features.projects import kept_versions
from bleuscope.features.projects import words_team as team_words
from bleuscope.shell.state import cached, kept_comparisons, workspace_in_use
from bleuscope.shell.state.current_user import HEADER, Entered, written
from bleuscope.workspace.access import BY_LINK, OPERATIONS, RIGHTS
from bleuscope.workspace.columns import now
from bleuscope.workspace.errors import ForbiddenError, NotFoundError
from bleuscope.workspace.people import LOCAL, Identity

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
    cached.UPLOADS.drop(loaded.origin)


def shown(app):
    return " ".join(str(getattr(one, "value", "")) or str(one.proto) for one in (*app.main, *app.sidebar))


@pytest.mark.parametrize("role", WHO)
def test_every_role_may_on_pages_what_it_may_anywhere(kept, enter, role):
    enter(role)
    for operation, right in OPERATIONS.items():
        may = operation in BY_LINK if role == LINK else right in MAY[role]
        assert workspace_in_use.may(PROJECT, operation) == may, operation
        if not may:
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
        assert "This link needs an upload that the server no longer has" in app.warning[0].value


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


class TestTeam:
    """The panel beneath a project: the commands ``team`` and ``token`` for who owns it."""

    @pytest.fixture
    def panel(self, open_link):
        def open_it(part=None):
            app = open_link("projects")
            app.session_state[f"team-{PROJECT}"] = True
            app.run()
            return app if part is None else press(app.segmented_control(key=f"team-part-{PROJECT}").set_value(part))

        return open_it

    @pytest.fixture
    def ann(self, kept):
        """Somebody who came in and has no role."""
        return kept.people.person(Identity("proxy", "ann@example.org", "<img src=x> **Ann**", "ann@example.org"))

    def roles(self, kept):
        return {one.who.person.name: one.role for one in kept.access.members(kept.people.person(LOCAL), PROJECT)}

    def test_is_not_there_where_nobody_else_can_enter(self, versions_place, panel):
        workspace_in_use.use(versions_place, is_shared=False)
        try:
            assert "Team" not in [one.label for one in panel().expander]
        finally:
            workspace_in_use.use(None, is_shared=False)

    @pytest.mark.parametrize("role", ["reader", "writer"])
    def test_shows_others_than_owners_who_is_a_member_and_nothing_to_change(self, enter, panel, role):
        enter(role)
        app = panel()
        assert role in table_of(app)
        assert not app.segmented_control
        assert "Who" not in [one.label for one in app.text_input]
        assert not [one.label for one in app.button if "role" in one.label]

    def test_says_where_nobody_logs_in_that_roles_mean_nothing_there(self, kept, panel, monkeypatch):
        monkeypatch.setattr(ContextProxy, "headers", property(lambda _: {}))
        monkeypatch.setattr(workspace_in_use, "person", lambda: "0af" * 10)
        app = panel()
        assert team_words.WITHOUT_LOGIN in [one.value for one in app.caption]
        assert "0af0af" not in table_of(app)

    def test_gives_changes_and_takes_roles_and_asks_before_it_takes_one(self, kept, enter, ann, panel):
        enter("owner")
        app = panel()
        app.text_input(key=f"team-who-{PROJECT}").set_value("ann@example.org")
        for role in ("writer", "reader"):
            app.text_input(key=f"team-who-{PROJECT}").set_value("ann@example.org")
            app.selectbox(key=f"team-role-{PROJECT}").set_value(role)
            press(app.button(key=f"team-give-{PROJECT}"))
            assert self.roles(kept)[ann.name] == role
            assert rf"\*\*Ann\*\* is {role} of" in app.success[0].value
        assert "&lt;img src=x&gt; **Ann**" in table_of(app)
        key = f"team-member-{PROJECT}"
        name = next(one for one in app.selectbox(key=key).options if "Ann" in one)
        press(app.selectbox(key=key).set_value(name))
        press(app.button(key=f"{key}-end"))
        assert "Remove" in app.warning[0].value
        assert ann.name in self.roles(kept)
        press(app.button(key=f"team-no-{PROJECT}"))
        assert not app.warning
        press(app.button(key=f"{key}-end"))
        press(app.button(key=f"team-yes-{PROJECT}"))
        assert ann.name not in self.roles(kept)
        assert "no longer has a role" in app.success[0].value

    def test_refuses_in_words_what_cannot_be(self, kept, enter, panel):
        me, owner = kept.people.person(LOCAL), enter("owner")
        kept.access.take(owner, PROJECT, me)
        app = panel()
        for who, issuer, words in (
            ("bob@example.org", "", "nobody of that name has logged in yet"),
            ("0af", "browser", "vouches for nobody"),
            ("", "proxy", "nobody can be called so"),
            ("owner", "", "only owner"),
        ):
            app.text_input(key=f"team-who-{PROJECT}").set_value(who)
            app.text_input(key=f"team-issuer-{PROJECT}").set_value(issuer)
            press(app.button(key=f"team-give-{PROJECT}"))
            assert words in app.error[0].value
        assert self.roles(kept) == {"owner": "owner"}

    def test_asks_again_in_the_moment_in_which_something_is_done(self, kept, enter, ann, panel):
        owner = enter("owner")
        app = panel()
        app.text_input(key=f"team-who-{PROJECT}").set_value("ann@example.org")
        kept.access.give(kept.people.person(LOCAL), PROJECT, owner, "reader")
        press(app.button(key=f"team-give-{PROJECT}"))
        assert ann.name not in self.roles(kept)
        assert not app.segmented_control

    def test_makes_a_token_that_is_shown_once_and_revokes_it_after_a_question(self, kept, enter, panel):
        owner = enter("owner")
        app = panel("Tokens")
        app.text_input(key=f"team-token-name-{PROJECT}").set_value("nightly")
        app.selectbox(key=f"team-token-right-{PROJECT}").set_value("read")
        press(app.button(key=f"team-make-{PROJECT}"))
        (secret,) = [one.value for one in app.code if one.value.startswith("bls_")]
        token = kept.tokens.find(secret)
        assert (token.name, token.right, token.made_by) == ("nightly", "read", owner)
        assert secret not in table_of(app)
        for part in ("Log", "Tokens"):
            press(app.segmented_control(key=f"team-part-{PROJECT}").set_value(part))
            assert secret not in str(app.main)
        key = f"team-token-one-{PROJECT}"
        press(app.selectbox(key=key).set_value(f"{token.id} nightly"))
        press(app.button(key=f"{key}-end"))
        assert kept.tokens.find(secret) is not None
        press(app.button(key=f"team-yes-{PROJECT}"))
        assert kept.tokens.find(secret) is None
        assert "revoked" in table_of(app)

    def test_ends_links_of_others_and_has_the_log(self, kept, enter, panel):
        until = now() + timedelta(days=1)
        kept.shares.make(kept.people.person(LOCAL), "leaderboard", "on=news", until, PROJECT)
        enter("owner")
        app = panel("Links")
        assert "Leaderboard" in table_of(app)
        key = f"team-link-{PROJECT}"
        press(app.selectbox(key=key).set_value(app.selectbox(key=key).options[0]))
        press(app.button(key=f"{key}-end"))
        press(app.button(key=f"team-yes-{PROJECT}"))
        assert kept.shares.in_project(kept.people.person(LOCAL), PROJECT) == ()
        log = table_of(panel("Log"))
        assert "link revoked" in log
        assert "role given" in log
        assert "version pushed" in log
        assert team_words.RUNS_IT in log
        assert ">you<" not in log


def press(element):
    app = element.click().run() if element.type == "button" else element.run()
    assert not app.exception
    return app


def table_of(app):
    """The table of the panel."""
    return str([one.proto.body for one in app.get("html") if "<table" in one.proto.body])
