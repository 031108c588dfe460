"""Which workspace a command keeps things in."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from bleuscope.workspace.place import WorkspacePlace

WORKSPACE_NAMES = ("workspace",)
"""The parameters of ``workspace_options`` that all commands have."""


def workspace_options(*, can_be_none: bool = False) -> list[Callable[[Any], Any]]:
    """Where a workspace is.

    Args:
        can_be_none: Whether the command can do without; then it has the parameter ``no_workspace`` too.
    """
    options = [
        click.option(
            "--workspace",
            metavar="PLACE",
            help="A folder, or postgresql://…; also read from BLEUSCOPE_WORKSPACE.  [default: the folder of this "
            "user's data]",
        )
    ]
    if can_be_none:
        options.append(click.option("--no-workspace", is_flag=True, help="Save nothing."))
    return options


def place_given(named: str | None) -> "WorkspacePlace":
    """The place that is named, or the usual one.

    Raises:
        InputError: It is an address of something else.
    """
    from bleuscope.workspace.place import place_of, usual_place  # noqa: PLC0415  # with what knows where data are

    return usual_place() if named is None else place_of(named)
