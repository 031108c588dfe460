"""``bleuscope workspace``: what is kept, how large it is, and how it is backed up, restored, exported and pruned."""

import json
from collections.abc import Callable
from dataclasses import asdict
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bleucore.errors import InputError
from bleuscope.cli.shared_options import examples
from bleuscope.cli.streams import notice, print_result, print_text
from bleuscope.cli.workspace_place import place_given, workspace_options
from bleuscope.content.style import numbers

if TYPE_CHECKING:
    from bleuscope.workspace import WorkspacePlace

MEGABYTE = 1024**2


@click.group(
    "workspace",
    epilog=examples(
        "bleuscope workspace info",
        "bleuscope workspace backup workspace.tar",
        "bleuscope workspace restore workspace.tar --workspace new-folder",
        "bleuscope workspace prune --unopened 90 --keep-versions 50 --dry-run",
    ),
)
def workspace_command() -> None:
    """See, back up, restore, export and prune what is saved."""


def of_a_place(command: Callable[..., None]) -> Callable[..., None]:
    """Gives a command the ``place`` of a workspace."""

    @wraps(command)
    def with_place(*, workspace: str | None, **given: Any) -> None:  # noqa: ANN401  # click gives each by its own type
        command(place=place_given(workspace), **given)

    for option in workspace_options():
        with_place = option(with_place)
    return with_place


@workspace_command.command("info", epilog=examples("bleuscope workspace info", "bleuscope workspace info -f json"))
@click.option("-f", "--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
@of_a_place
def info_command(place: "WorkspacePlace", form: str) -> None:
    """Print where the workspace is, its size, and what it contains."""
    from bleuscope.workspace import maintenance, open_workspace  # noqa: PLC0415  # a help does without

    refuse_none(place)
    with open_workspace(place) as opened:
        found = maintenance.info(opened)
    if form == "json":
        print_result(json.dumps(asdict(found), ensure_ascii=False, indent=1) + "\n")
        return
    rows = [("place", found.place), ("schema", found.schema)]
    if found.obstacle is not None:
        rows.append(("state", f"read-only: {found.obstacle}"))
    rows += [(name, numbers.count(number)) for name, number in found.counts.items()]
    rows += [("database", _size(found.database_bytes))]
    rows += [("texts", _files(found.n_blobs, found.texts_bytes))]
    rows += [(called, _files(room.n_files, room.n_bytes)) for called, room in found.caches.items()]
    width = max(len(name) for name, _ in rows)
    print_text("".join(f"{name:{width}}  {value}\n" for name, value in rows))


@workspace_command.command(
    "backup",
    epilog=examples(
        "bleuscope workspace backup workspace-2026-11-23.tar", "bleuscope workspace backup backups --keep 14"
    ),
)
@click.argument("file", type=click.Path())
@click.option(
    "--keep",
    "n_kept",
    type=click.IntRange(min=1),
    metavar="N",
    help="FILE is a folder: add a backup, restore it on trial, and keep only the N newest backups.",
)
@of_a_place
def backup_command(place: "WorkspacePlace", file: str, n_kept: int | None) -> None:
    """Write everything to one FILE, as of one moment. Others may go on working."""
    from bleuscope.workspace import open_workspace  # noqa: PLC0415
    from bleuscope.workspace.backup import back_up  # noqa: PLC0415
    from bleuscope.workspace.rotation import back_up_in_turn  # noqa: PLC0415

    refuse_none(place)
    made, gone = Path(file), ""
    if n_kept is None and made.exists():
        raise InputError("the file is there already", where=file, remedy="Name another one, or delete it first.")
    if n_kept is not None and made.exists() and not made.is_dir():
        raise InputError("this is no folder", where=file, remedy="Name a folder for backups, or leave --keep out.")
    with open_workspace(place) as opened:
        if n_kept is None:
            n_texts = back_up(opened, made)
        else:
            made, n_texts, n_gone = back_up_in_turn(opened, made, n_kept)
            gone = f" A trial restored it. {numbers.counted(n_gone, 'older backup')} deleted."
    notice(f"wrote {made}: all rows and {numbers.counted(n_texts, 'text')}, {_size(made.stat().st_size)}.{gone}")


@workspace_command.command("export", epilog=examples("bleuscope workspace export everything"))
@click.argument("folder", type=click.Path(file_okay=False))
@of_a_place
def export_command(place: "WorkspacePlace", folder: str) -> None:
    """Write all texts, notes and preferences to a new FOLDER, as files that Segments and other programs read."""
    from bleuscope.cli.workspace_export import export  # noqa: PLC0415
    from bleuscope.workspace import open_workspace  # noqa: PLC0415

    refuse_none(place)
    with open_workspace(place) as opened:
        n_files = export(opened, Path(folder))
    notice(f"wrote {numbers.counted(n_files, 'file')} to {folder}.")


@workspace_command.command(
    "restore", epilog=examples("bleuscope workspace restore workspace.tar --workspace new-folder")
)
@click.argument("file", type=click.Path(dir_okay=False))
@of_a_place
def restore_command(place: "WorkspacePlace", file: str) -> None:
    """Make a new workspace from the FILE of a backup, on either database."""
    from bleuscope.workspace.restoring import restore  # noqa: PLC0415

    n_texts = restore(place, Path(file))
    notice(f"restored {numbers.counted(n_texts, 'text')} and all rows to {place.shown}.")


@workspace_command.command(
    "prune",
    epilog=examples(
        "bleuscope workspace prune",
        "bleuscope workspace prune --unopened 90 --keep-versions 50 --dry-run",
        "bleuscope workspace prune --caches 500",
    ),
)
@click.option(
    "--unopened",
    "days",
    type=click.IntRange(min=1),
    metavar="DAYS",
    help="Delete comparisons not opened since, and saved counts and finished test sets not used since.",
)
@click.option(
    "--keep-versions",
    type=click.IntRange(min=1),
    metavar="N",
    help=("Keep this number of newest versions per system and test set, and versions with a tag, and the best."),
)
@click.option(
    "--caches",
    "megabytes",
    type=click.IntRange(min=0),
    metavar="MB",
    help=(
        "Keep up to this much of saved counts and finished test sets, the last used first. bleuscope can "
        "compute them again."
    ),
)
@click.option("--dry-run", "is_trial", is_flag=True, help="Only print what would be deleted.")
@of_a_place
def prune_command(
    place: "WorkspacePlace", days: int | None, keep_versions: int | None, megabytes: int | None, *, is_trial: bool
) -> None:
    """Delete what nothing needs. Without options: unused texts and expired tokens."""
    from bleuscope.workspace import maintenance, open_workspace, reserve  # noqa: PLC0415
    from bleuscope.workspace.people import LOCAL  # noqa: PLC0415

    refuse_none(place)
    if not is_trial:
        reserve.release(place.folder)  # on a full disk nothing can be deleted without some room
    with open_workspace(place) as opened:
        person = opened.people.person(LOCAL)
        done = maintenance.prune(
            opened,
            person,
            unopened_days=days,
            most_versions=keep_versions,
            most_cache_bytes=None if megabytes is None else megabytes * MEGABYTE,
            is_trial=is_trial,
        )
    gone = [
        numbers.counted(done.n_comparisons, "comparison"),
        numbers.counted(done.n_versions, "version"),
        numbers.counted(done.n_tokens, "token"),
    ]
    caches = f"{numbers.counted(done.caches.n_files, 'file')} that can be computed again"
    if is_trial:
        notice(f"would take away {', '.join([*gone, caches])} ({_size(done.caches.n_bytes)}).")
        return
    freed = _size(done.n_bytes + done.caches.n_bytes)
    gone += [numbers.counted(done.n_blobs, "text"), caches]
    notice(f"took away {', '.join(gone)}: {freed} are free again.")
    if not done.is_shrunk:
        notice("the database keeps its size, because shrinking it takes room for a copy. Prune again later.")


def refuse_none(place: "WorkspacePlace") -> None:
    """Refuse to make a workspace only to look at it."""
    from bleuscope.workspace.database import FILE  # noqa: PLC0415

    if place.database is None and not (place.folder / FILE).exists():
        raise InputError(
            "there is no workspace",
            where=str(place.folder),
            remedy="Open something with bleuscope first, or name another place: --workspace DIR.",
        )


def _files(number: int, n_bytes: int) -> str:
    return f"{_size(n_bytes)}, {numbers.counted(number, 'file')}"


def _size(n_bytes: int) -> str:
    return f"{n_bytes / MEGABYTE:,.1f} MB"
