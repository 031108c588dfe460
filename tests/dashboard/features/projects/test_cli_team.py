"""``bleuscope team``: roles and the log, from the machine."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from bleuscope.features.projects import command_token as token_command
from bleuscope.workspace import open_workspace, place_of
from bleuscope.workspace.people import LOCAL, Identity, Person
from bleuscope.workspace.tokens import Token


@pytest.fixture
def place(empty_place):
    with open_workspace(empty_place) as workspace:
        workspace.projects.make("en-de", workspace.people.person(LOCAL))
        workspace.people.person(Identity("https://login.example.org", "17", "Ada", "ada@example.org"))
    return str(empty_place.folder)


@pytest.fixture
def team(bleuscope, place):
    return lambda *words: bleuscope("team", *words, "--workspace", place)


def test_roles_are_given_listed_and_taken(team):
    assert team("add", "ada@example.org", "--project", "en-de", "--role", "writer")[::2] == (
        0,
        "bleuscope: Ada (https://login.example.org) is writer of en-de.\n",
    )
    code, out, _ = team("add", "bob@example.org", "--project", "en-de", "--issuer", "proxy")
    assert (code, out) == (0, "")
    code, out, _ = team("list", "--project", "en-de")
    assert (code, [line.split()[:2] for line in out.splitlines()]) == (
        0,
        [["owner", "you"], ["writer", "Ada"], ["reader", "bob@example.org"]],
    )
    assert team("remove", "ada@example.org", "--project", "en-de")[0] == 0
    rows = json.loads(team("list", "--project", "en-de", "-f", "json")[1])
    assert [(row["role"], row["subject"]) for row in rows] == [("owner", ""), ("reader", "bob@example.org")]


def test_the_log_says_who_did_what(team):
    team("add", "ada@example.org", "--project", "en-de")
    rows = json.loads(team("log", "--project", "en-de", "-f", "json")[1])
    assert [(row["who"], row["action"]) for row in rows] == [("you", "role given"), ("you", "project made")]
    code, out, _ = team("log", "--last", "1")
    assert (code, len(out.splitlines()), "name Ada, person" in out) == (0, 1, True)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("list", "--project", "none"), "there is no such project"),
        (("add", "ada@example.org", "--project", "none"), "there is no such project"),
        (("add", "eve@example.org", "--project", "en-de"), "nobody of that name has logged in yet"),
        (("remove", "ada@example.org", "--project", "en-de"), "there is no such member"),
        (("log", "--project", "none"), "there is no such project"),
    ],
)
def test_what_cannot_be_done_is_said(team, words, said):
    code, out, err = team(*words)
    assert (code, out, said in err) == (2, "", True)


def test_a_name_of_several_lines_makes_no_row(team, place):
    with open_workspace(place_of(place)) as workspace:
        workspace.people.person(Identity("proxy", "eve", "Eve\nowner  Ada", "eve@example.org"))
    team("add", "eve@example.org", "--project", "en-de")
    assert len(team("list", "--project", "en-de")[1].splitlines()) == 2


@pytest.mark.parametrize(
    ("expires", "revoked", "state"),
    [(None, None, "valid"), (1, None, "valid"), (-1, None, "expired"), (1, -1, "revoked"), (-1, -2, "revoked")],
)
def test_a_token_is_valid_until_it_expires_or_is_revoked(expires, revoked, state):
    moment = datetime(2026, 3, 1, tzinfo=UTC)
    expires, revoked = (None if days is None else moment + timedelta(days=days) for days in (expires, revoked))
    token = Token(1, "en-de", "ci", "read", Person(1, "Ada"), moment, expires, None, revoked)
    assert token_command._row(token, moment)["state"] == state
