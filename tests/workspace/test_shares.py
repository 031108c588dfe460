"""Links for who has no account: what they open, until when, and for whom they end."""

from datetime import timedelta

import pytest
import sqlalchemy as sa

from bleucore import InputError
from bleuscope.workspace import shares as shares_module
from bleuscope.workspace.columns import now
from bleuscope.workspace.errors import ForbiddenError, NotFoundError
from bleuscope.workspace.events import events
from bleuscope.workspace.people import LOCAL, Identity
from bleuscope.workspace.schema import share


@pytest.fixture
def me(workspace):
    return workspace.people.person(LOCAL)


def ada(workspace):
    return workspace.people.person(Identity("https://login.example.org", "17", "Ada"))


def tomorrow():
    return now() + timedelta(days=1)


def test_a_link_opens_the_view_that_it_was_made_for(workspace, me):
    secret = workspace.shares.make(me, "scores", "data=sample&a=x", tomorrow())
    found = workspace.shares.opened_by(secret)
    assert (found.page, found.query, found.project, found.author) == ("scores", "data=sample&a=x", None, me)
    assert workspace.shares.working(found.id) == found
    assert workspace.shares.made_by(me) == (found,)
    assert workspace.shares.made_by(ada(workspace)) == ()


def test_nothing_kept_opens_it(workspace, me):
    secret = workspace.shares.make(me, "scores", "", tomorrow())
    assert len(secret) == 22
    with workspace.database.reading() as connection:
        row = connection.execute(sa.select(share)).one()
    assert secret not in repr(row)
    assert secret not in repr(events(workspace.database))
    assert workspace.shares.opened_by(row.hash) is None
    for other in ("", secret[:-1], f"{secret}A", secret.swapcase(), "%", "A" * 22):
        assert workspace.shares.opened_by(other) is None


def test_it_ends_on_its_day_or_when_it_is_revoked(workspace, me, monkeypatch):
    secret = workspace.shares.make(me, "scores", "", tomorrow())
    other = workspace.shares.make(me, "compare", "", tomorrow())
    key = workspace.shares.opened_by(other).id
    workspace.shares.revoke(me, key)
    assert (workspace.shares.opened_by(other), workspace.shares.working(key)) == (None, None)
    with pytest.raises(NotFoundError, match="no such link"):
        workspace.shares.revoke(me, key)
    later = now() + timedelta(days=1, seconds=5)
    monkeypatch.setattr(shares_module, "now", lambda: later)
    assert workspace.shares.opened_by(secret) is None
    assert workspace.shares.made_by(me) == ()
    assert [one.action for one in events(workspace.database)] == ["link revoked", "link made", "link made"]


@pytest.mark.parametrize("days", [-1, 0, 367])
def test_no_link_is_for_ever(workspace, me, days):
    with pytest.raises(InputError, match="cannot work until then"):
        workspace.shares.make(me, "scores", "", now() + timedelta(days=days, seconds=-1 if days == 0 else 60))


def test_an_address_too_long_for_browsers_is_refused(workspace, me):
    with pytest.raises(InputError, match="too long for a link"):
        workspace.shares.make(me, "scores", "x" * 8_001, tomorrow())


def test_only_whoever_made_it_or_owns_the_project_ends_it(workspace, me):
    workspace.projects.make("en-de", me)
    people = {role: workspace.people.person(Identity("proxy", role)) for role in ("reader", "writer", "owner")}
    for role, person in people.items():
        workspace.access.give(me, "en-de", person, role)
    secret = workspace.shares.make(people["writer"], "history", "", tomorrow(), "en-de")
    key = workspace.shares.opened_by(secret).id
    for person in (people["reader"], ada(workspace)):
        with pytest.raises(NotFoundError):
            workspace.shares.revoke(person, key)
    with pytest.raises(ForbiddenError):
        workspace.shares.make(people["reader"], "history", "", tomorrow(), "en-de")
    with pytest.raises(NotFoundError):
        workspace.shares.make(ada(workspace), "history", "", tomorrow(), "en-de")
    with pytest.raises(ForbiddenError):
        workspace.shares.in_project(people["writer"], "en-de")
    assert [one.id for one in workspace.shares.in_project(people["owner"], "en-de")] == [key]
    workspace.shares.revoke(people["owner"], key)
    assert workspace.shares.opened_by(secret) is None


def test_a_link_into_a_project_ends_with_the_role_of_whoever_made_it(workspace, me):
    workspace.projects.make("en-de", me)
    person = ada(workspace)
    workspace.access.give(me, "en-de", person, "writer")
    secret = workspace.shares.make(person, "history", "", tomorrow(), "en-de")
    assert workspace.shares.opened_by(secret).project == "en-de"
    workspace.access.take(me, "en-de", person)
    assert workspace.shares.opened_by(secret) is None
