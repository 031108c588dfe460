"""``bleuscope team``: who may do what in a project, and who did what."""

import json
from typing import TYPE_CHECKING, Any

import click

from bleuscope.cli.shared_options import examples
from bleuscope.cli.streams import notice, print_result, print_text
from bleuscope.cli.workspace_command import of_a_place, refuse_none

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bleuscope.workspace import WorkspacePlace
    from bleuscope.workspace.access import Role

ROLES = ("reader", "writer", "owner")
_project = click.option("--project", required=True, metavar="NAME", help="The project.")
_issuer = click.option(
    "--issuer",
    metavar="TEXT",
    help="Where WHO comes from: proxy, or the address of an OpenID provider. WHO is then the subject "
    "there, even before the first login.",
)
_form = click.option("-f", "--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)


@click.group(
    "team",
    epilog=examples(
        "bleuscope team list --project en-de",
        "bleuscope team add ada@example.org --project en-de --role writer",
        "bleuscope team add ada@example.org --project en-de --issuer proxy",
        "bleuscope team remove ada@example.org --project en-de",
        "bleuscope team log --project en-de",
    ),
)
def team_command() -> None:
    """Say who may read, write and own a project; see who did what."""


@team_command.command("list", epilog=examples("bleuscope team list --project en-de"))
@_project
@_form
@of_a_place
def list_command(place: "WorkspacePlace", project: str, form: str) -> None:
    """List the roles of people."""
    from bleuscope.workspace import open_workspace  # noqa: PLC0415  # a help does without
    from bleuscope.workspace.people import LOCAL  # noqa: PLC0415

    refuse_none(place)
    with open_workspace(place) as opened:
        members = opened.access.members(opened.people.person(LOCAL), project)
    rows = [
        {"role": one.role, "name": one.who.person.name, "email": one.who.person.email or "", "issuer": issuer.issuer}
        | {"subject": issuer.subject}
        for one in members
        for issuer in (one.who.identity,)
    ]
    _print(rows, form)


@team_command.command(
    "add", epilog=examples("bleuscope team add ada@example.org --project en-de --role writer --issuer proxy")
)
@click.argument("who")
@_project
@click.option("--role", type=click.Choice(ROLES), default=ROLES[0], show_default=True)
@_issuer
@of_a_place
def add_command(place: "WorkspacePlace", who: str, project: str, role: "Role", issuer: str | None) -> None:
    """Give WHO (e-mail address or subject) a role. It replaces any other role."""
    from bleuscope.workspace import open_workspace  # noqa: PLC0415
    from bleuscope.workspace.people import LOCAL  # noqa: PLC0415

    refuse_none(place)
    with open_workspace(place) as opened:
        me = opened.people.person(LOCAL)
        opened.access.require(me, project, "change members")
        person = opened.people.known_as(who, issuer)
        opened.access.give(me, project, person, role)
    notice(f"{person.name} ({person.issuer}) is {role} of {project}.")


@team_command.command("remove", epilog=examples("bleuscope team remove ada@example.org --project en-de"))
@click.argument("who")
@_project
@_issuer
@of_a_place
def remove_command(place: "WorkspacePlace", who: str, project: str, issuer: str | None) -> None:
    """Take the role of WHO, who then no longer sees the project."""
    from bleuscope.workspace import open_workspace  # noqa: PLC0415
    from bleuscope.workspace.people import LOCAL  # noqa: PLC0415

    refuse_none(place)
    with open_workspace(place) as opened:
        me = opened.people.person(LOCAL)
        opened.access.require(me, project, "change members")
        person = opened.people.known_as(who, issuer)
        opened.access.take(me, project, person)
    notice(f"{person.name} ({person.issuer}) has no role in {project} any more.")


@team_command.command("log", epilog=examples("bleuscope team log --project en-de", "bleuscope team log -f json"))
@click.option("--project", metavar="NAME", help="Only entries of this project.")
@click.option("--last", default=100, show_default=True, type=click.IntRange(1, 100_000), metavar="N")
@_form
@of_a_place
def log_command(place: "WorkspacePlace", project: str | None, last: int, form: str) -> None:
    """List who did what and when, newest first: pushes, roles, links, logins."""
    from bleuscope.features.projects.words_team import in_line  # noqa: PLC0415
    from bleuscope.workspace import open_workspace  # noqa: PLC0415
    from bleuscope.workspace.events import events  # noqa: PLC0415
    from bleuscope.workspace.people import LOCAL  # noqa: PLC0415

    refuse_none(place)
    with open_workspace(place) as opened:
        if project is not None:
            opened.access.require(opened.people.person(LOCAL), project, "see log")
        found = events(opened.database, project, last)
    rows: list[Mapping[str, Any]] = [
        {
            "at": one.at.isoformat(timespec="seconds"),
            "who": one.author or "",
            "project": one.project or "",
            "action": one.action,
            "object": dict(one.object) if form == "json" else in_line(one.object),
        }
        for one in found
    ]
    _print(rows, form)


def _shown(value: object) -> str:
    """In one line: a name is whatever its issuer says."""
    return "".join(letter if letter.isprintable() else " " for letter in str(value))


def _print(rows: list[Any], form: str) -> None:
    """Rows of equal columns, as a table or as JSON."""
    if form == "json":
        print_result(json.dumps(rows, ensure_ascii=False, indent=1) + "\n")
        return
    cells = [{name: _shown(value) for name, value in row.items()} for row in rows]
    widths = {name: max(len(row[name]) for row in cells) for name in (cells[0] if cells else ())}
    lines = ["  ".join(f"{row[name]:{width}}" for name, width in widths.items()).rstrip() for row in cells]
    print_text("".join(f"{line}\n" for line in lines))
