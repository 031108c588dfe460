"""``bleuscope token``: what programs show in place of a person, made, listed and taken back."""

import json
from datetime import datetime
from typing import TYPE_CHECKING

import click

from bleuscope.cli.shared_options import examples
from bleuscope.cli.streams import notice, print_result, print_text
from bleuscope.cli.workspace_place import place_given, workspace_options

if TYPE_CHECKING:
    from bleuscope.workspace.tokens import Right, Token

RIGHTS = ("write", "read")
FORMS = ("table", "json")
_project = click.option("--project", required=True, metavar="NAME", help="The project that the token opens.")
_workspace = workspace_options()[0]


@click.group(
    "token",
    epilog=examples(
        "bleuscope token make --project en-de > token.txt",
        "bleuscope token make --project en-de --right read --expires 30 --name grafana",
        "bleuscope token list --project en-de",
        "bleuscope token revoke 3 --project en-de",
    ),
)
def token_command() -> None:
    """Make, list and revoke the tokens that programs push with.

    A token belongs to one project of the workspace on this machine. It is shown once; the workspace keeps its SHA-256.
    """


@token_command.command(
    "make",
    epilog=examples(
        "bleuscope token make --project en-de > token.txt",
        "bleuscope token make --project en-de --right read --expires 30 --name grafana",
    ),
)
@_project
@click.option("--right", type=click.Choice(RIGHTS), default=RIGHTS[0], show_default=True, help="write includes read.")
@click.option(
    "--expires",
    "days",
    type=click.IntRange(min=1),
    metavar="DAYS",
    help="How long the token lasts.  [default: a year]",
)
@click.option("--name", default="push", show_default=True, metavar="TEXT", help="Its name in the list.")
@_workspace
def make_command(project: str, right: "Right", days: int | None, name: str, workspace: str | None) -> None:
    """Print a new token, shown only once. Makes the project if there is none."""
    from bleuscope.workspace import open_workspace  # noqa: PLC0415  # with the database's library
    from bleuscope.workspace.people import LOCAL  # noqa: PLC0415  # as above
    from bleuscope.workspace.tokens import USUAL_DAYS, checked_days  # noqa: PLC0415  # as above

    lasts = checked_days(USUAL_DAYS if days is None else days)
    with open_workspace(place_given(workspace)) as opened:
        me = opened.people.person(LOCAL)
        made, token = opened.tokens.make(opened.projects.make(project, me), me, right, name=name, days=lasts)
    print_result(f"{made}\n")
    notice(f"token {token.id} may {right} in project {project} until {_day(token.expires_at)}. It is not shown again.")


@token_command.command("list", epilog=examples("bleuscope token list --project en-de"))
@_project
@click.option("-f", "--format", "form", type=click.Choice(FORMS), default=FORMS[0], show_default=True)
@_workspace
def list_command(project: str, form: str, workspace: str | None) -> None:
    """List the tokens of a project, without their values."""
    from bleuscope.workspace import open_workspace  # noqa: PLC0415  # as above
    from bleuscope.workspace.columns import now  # noqa: PLC0415  # as above

    with open_workspace(place_given(workspace)) as opened:
        found, moment = opened.tokens.all(opened.projects.find(project)), now()
    rows = [_row(one, moment) for one in found]
    if form == "json":
        print_result(f"{json.dumps({'tokens': rows}, ensure_ascii=False)}\n")
    elif rows:
        heads = list(rows[0])
        cells = [heads, *([str(row[head]) if row[head] is not None else "–" for head in heads] for row in rows)]
        widths = [max(len(row[column]) for row in cells) for column in range(len(heads))]
        print_text("".join(f"{'  '.join(map(str.ljust, row, widths)).rstrip()}\n" for row in cells))
    else:
        notice(f"project {project} has no token.")


@token_command.command("revoke", epilog=examples("bleuscope token revoke 3 --project en-de"))
@click.argument("number", type=int, metavar="ID")
@_project
@_workspace
def revoke_command(number: int, project: str, workspace: str | None) -> None:
    """Revoke the token with this number in the list."""
    from bleuscope.workspace import open_workspace  # noqa: PLC0415  # as above
    from bleuscope.workspace.people import LOCAL  # noqa: PLC0415  # as above

    with open_workspace(place_given(workspace)) as opened:
        me = opened.people.person(LOCAL)
        token = opened.tokens.revoke(opened.projects.find(project), number, me)
    print_text(f"token {token.id} ({token.name}) of project {project}: revoked\n")


def _row(token: "Token", moment: datetime) -> dict[str, object]:
    state = "revoked" if token.revoked_at is not None else "valid" if token.is_valid(moment) else "expired"
    return {
        "id": token.id,
        "name": token.name,
        "right": token.right,
        "state": state,
        "made": _day(token.created_at),
        "expires": _day(token.expires_at),
        "used": _day(token.last_used_at),
    }


def _day(moment: datetime | None) -> str | None:
    return None if moment is None else f"{moment:%Y-%m-%d}"
