"""Who may do what: every role tries every operation, on both databases."""

import itertools

import pytest

from bleucore import InputError
from bleuscope.workspace.access import OPERATIONS, RIGHTS
from bleuscope.workspace.errors import ConflictError, ForbiddenError, NotFoundError
from bleuscope.workspace.events import events
from bleuscope.workspace.people import LOCAL, Identity

ISSUER = "https://login.example.org"
PROJECT = "en-de"


def login(workspace, subject, issuer=ISSUER, **said):
    return workspace.people.person(Identity(issuer, subject, **said))


@pytest.fixture
def me(workspace):
    return workspace.people.person(LOCAL)


@pytest.fixture
def project(workspace, me):
    return workspace.projects.make(PROJECT, me)


@pytest.fixture
def team(workspace, me, project):
    """Somebody of each role, somebody of none, and whoever has not logged in."""
    people = {role: login(workspace, role) for role in RIGHTS}
    for role, person in people.items():
        workspace.access.give(me, PROJECT, person, role)
    others = {"nobody": login(workspace, "nobody"), "local": me, "browser": login(workspace, "0af", "browser")}
    return people | others


MAY = {**RIGHTS, "nobody": (), "local": RIGHTS["owner"], "browser": RIGHTS["owner"]}


def test_every_role_may_what_the_declarations_say_and_nothing_else(workspace, team):
    for (role, person), (operation, right) in itertools.product(team.items(), OPERATIONS.items()):
        if right in MAY[role]:
            assert workspace.access.require(person, PROJECT, operation).slug == PROJECT, (role, operation)
        else:
            error = ForbiddenError if MAY[role] else NotFoundError
            with pytest.raises(error):
                workspace.access.require(person, PROJECT, operation)
        assert workspace.access.may(person, PROJECT, right) == (right in MAY[role])


def test_every_right_is_of_some_operation_and_each_role_may_more_than_the_one_before():
    assert set(OPERATIONS.values()) == set(RIGHTS["owner"])
    assert set(RIGHTS["reader"]) < set(RIGHTS["writer"]) < set(RIGHTS["owner"])


def test_a_project_that_is_not_for_somebody_looks_like_one_that_there_is_not(workspace, team):
    said = []
    for slug in (PROJECT, "en-fr"):
        with pytest.raises(NotFoundError) as error:
            workspace.access.require(team["nobody"], slug, "see project")
        said.append(str(error.value).replace(slug, "…"))
    assert said[0] == said[1]
    for slug in (PROJECT, "en-fr"):
        with pytest.raises(NotFoundError):
            workspace.access.members(team["nobody"], slug)
        with pytest.raises(NotFoundError):
            workspace.access.give(team["nobody"], slug, team["nobody"], "owner")
        with pytest.raises(NotFoundError):
            workspace.access.take(team["nobody"], slug, team["reader"])
    assert not workspace.access.may(team["local"], "en-fr", "read")


def test_everyone_sees_their_projects_alone(workspace, team, me):
    workspace.projects.make("secret", me)
    seen = {role: [one.slug for one in workspace.access.visible(person)] for role, person in team.items()}
    every = [PROJECT, "secret"]
    own = [PROJECT]
    assert seen == {"reader": own, "writer": own, "owner": own, "nobody": [], "local": every, "browser": every}


def test_roles_change_at_once_and_only_owners_change_them(workspace, team):
    access, ada = workspace.access, team["nobody"]
    for role in ("reader", "writer"):
        with pytest.raises(ForbiddenError, match="expected a role of owner"):
            access.give(team[role], PROJECT, team[role], "owner")
        with pytest.raises(ForbiddenError):
            access.take(team[role], PROJECT, team["reader"])
    access.give(team["owner"], PROJECT, ada, "writer")
    assert access.may(ada, PROJECT, "write")
    access.give(team["owner"], PROJECT, ada, "reader")
    assert (access.may(ada, PROJECT, "read"), access.may(ada, PROJECT, "write")) == (True, False)
    access.take(team["owner"], PROJECT, ada)
    assert not access.may(ada, PROJECT, "read")
    with pytest.raises(NotFoundError, match="no such member"):
        access.take(team["owner"], PROJECT, ada)
    done = [(one.author, one.action, one.object.get("role")) for one in events(workspace.database, PROJECT, 3)]
    assert done == [
        ("owner", "role taken", None),
        ("owner", "role given", "reader"),
        ("owner", "role given", "writer"),
    ]


def test_a_project_keeps_an_owner(workspace, me, project):
    with pytest.raises(ConflictError, match="only owner"):
        workspace.access.take(me, PROJECT, me)
    with pytest.raises(ConflictError, match="only owner"):
        workspace.access.give(me, PROJECT, me, "reader")
    workspace.access.give(me, PROJECT, login(workspace, "ada"), "owner")
    workspace.access.take(me, PROJECT, me)
    found = [(one.who.person.name, one.role) for one in workspace.access.members(me, PROJECT)]
    assert found == [("ada", "owner")]


def test_the_same_subject_of_another_issuer_is_somebody_else(workspace, team):
    stranger = login(workspace, "owner", "https://evil.example")
    assert not workspace.access.may(stranger, PROJECT, "read")


def test_people_are_found_by_address_or_subject_and_never_guessed(workspace):
    ada = login(workspace, "17", name="Ada", email="Ada@example.org")
    assert workspace.people.known_as("ada@example.org") == ada == workspace.people.known_as("17")
    with pytest.raises(InputError, match="nobody of that name has logged in yet"):
        workspace.people.known_as("bob@example.org")
    login(workspace, "18", "https://evil.example", email="ada@example.org")
    with pytest.raises(InputError, match=r"several people are called so.*evil\.example 18"):
        workspace.people.known_as("ada@example.org")
    assert workspace.people.known_as("17", ISSUER) == ada
    for subject, issuer in (("", "proxy"), ("a\nb", "proxy"), ("x" * 300, "proxy"), ("0af", "browser"), ("", "local")):
        with pytest.raises(InputError, match=r"nobody can be called so|vouches for nobody"):
            workspace.people.known_as(subject, issuer)
    bob = workspace.people.known_as("bob@example.org", "proxy")
    assert (bob.name, bob.issuer) == ("bob@example.org", "proxy")
    again = login(workspace, "bob@example.org", "proxy", name="Bob")
    assert again.id == bob.id
    assert workspace.people.of_row(bob.id) == again


def test_a_browser_s_mark_is_nobody_s_name(workspace, me):
    marked = login(workspace, "0af" * 10, "browser")
    workspace.projects.make("theirs", marked)
    assert marked.name == "somebody" == workspace.people.names()[marked.id]
    assert [one.author for one in events(workspace.database)] == ["somebody"]
