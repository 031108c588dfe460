"""Tokens are worth something in one project, until they expire or are taken back, and are not kept."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from bleucore import InputError
from bleuscope.workspace import tokens
from bleuscope.workspace.columns import now
from bleuscope.workspace.errors import NotFoundError
from bleuscope.workspace.events import events
from bleuscope.workspace.people import LOCAL


@pytest.fixture
def me(workspace):
    return workspace.people.person(LOCAL)


@pytest.fixture
def project(workspace, me):
    return workspace.projects.make("en-de", me)


def test_a_token_is_found_by_what_it_says_and_only_its_digest_is_kept(workspace, project, me, place):
    text, made = workspace.tokens.make(project, me, "write", name=" ci ", days=3)
    assert re.fullmatch(r"bls_[\w-]{43}", text)
    assert (made.project, made.name, made.right, made.made_by.id) == ("en-de", "ci", "write", me.id)
    assert made.expires_at - made.created_at == timedelta(days=3)
    assert workspace.tokens.find(text) == made
    with workspace.database.reading() as connection:
        everything = str([connection.execute(sa.select(table)).all() for table in schema_tables()])
    assert text not in everything
    assert text[4:] not in everything
    if place.database is None:
        workspace.close()
        assert all(text.encode() not in file.read_bytes() for file in Path(place.folder).rglob("*") if file.is_file())


def schema_tables():
    from bleuscope.workspace.schema import metadata

    return metadata.sorted_tables


@pytest.mark.parametrize(
    "change", [lambda text: text[:-1], lambda text: text.swapcase(), lambda text: f"{text}\n", lambda _: "", str.upper]
)
def test_nothing_but_the_token_is_the_token(workspace, project, me, change):
    text, _ = workspace.tokens.make(project, me, "read")
    assert workspace.tokens.find(change(text)) is None


def test_no_token_is_drawn_twice(workspace, project, me):
    assert len({workspace.tokens.make(project, me, "read")[0] for _ in range(5)}) == 5


def test_a_token_ends_with_its_last_day(workspace, project, me, monkeypatch):
    text, made = workspace.tokens.make(project, me, "read", days=1)
    monkeypatch.setattr(tokens, "now", lambda: made.expires_at - timedelta(microseconds=1))
    assert workspace.tokens.find(text) is not None
    monkeypatch.setattr(tokens, "now", lambda: made.expires_at)
    assert workspace.tokens.find(text) is None


def test_a_revoked_token_is_worth_nothing_at_once_and_stays_in_the_list(workspace, project, me):
    text, made = workspace.tokens.make(project, me, "write")
    other = workspace.projects.make("other", me)
    with pytest.raises(NotFoundError, match=r"no such token.*token list"):
        workspace.tokens.revoke(other, made.id, me)
    assert workspace.tokens.find(text) is not None
    first = workspace.tokens.revoke(project, made.id, me).revoked_at
    assert workspace.tokens.find(text) is None
    assert workspace.tokens.revoke(project, made.id, me).revoked_at == first
    assert [one.revoked_at for one in workspace.tokens.all(project)] == [first]
    assert workspace.tokens.all(other) == ()
    actions = [one.action for one in events(workspace.database, "en-de")]
    assert actions == ["token revoked", "token made", "project made"]


def test_when_a_token_was_used_is_noted_to_the_minute(workspace, project, me, monkeypatch):
    text, _ = workspace.tokens.make(project, me, "read")
    start = now()
    used = []
    for seconds in (0, 30, 61, -3600):  # the last: somebody set the clock back
        monkeypatch.setattr(tokens, "now", lambda seconds=seconds: start + timedelta(seconds=seconds))
        workspace.tokens.find(text)
        used.append((workspace.tokens.all(project)[0].last_used_at - start).total_seconds())
    assert used == [0, 0, 61, -3600]


@pytest.mark.parametrize("name", ["", "a\nb", "x" * 201, "\0"])
def test_a_token_has_a_name_that_can_be_shown(workspace, project, me, name):
    with pytest.raises(InputError, match="no name"):
        workspace.tokens.make(project, me, "read", name=name)
