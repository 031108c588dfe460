"""Backups in turn: each is restored on trial when it is written, and only then the oldest make room."""

import re
from pathlib import Path

from bleuscope.workspace.backup import back_up
from bleuscope.workspace.columns import now
from bleuscope.workspace.errors import WorkspaceError
from bleuscope.workspace.leftovers import clear_restores, staging_folder
from bleuscope.workspace.place import WorkspacePlace
from bleuscope.workspace.restoring import restore
from bleuscope.workspace.workspace import Workspace

_NAME = re.compile(r"workspace-\d{4}-\d\d-\d\dT\d{6}(\.\d{6})?Z\.tar")


def back_up_in_turn(workspace: Workspace, folder: Path, n_kept: int) -> tuple[Path, int, int]:
    """Write a backup into a folder, named after the moment, and delete all but the newest.

    Returns:
        The backup, its number of texts, and how many others were deleted.

    Raises:
        WorkspaceError: It cannot be written, or cannot be restored and is not kept. No other one is deleted then.
    """
    file = folder / f"workspace-{now():%Y-%m-%dT%H%M%S.%fZ}.tar"  # two may begin in one second
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WorkspaceError(
            "this folder cannot be made",
            where=str(folder),
            found=(error.strerror or type(error).__name__).lower(),
            remedy="Name another folder for backups.",
        ) from error
    n_texts = back_up(workspace, file)
    clear_restores(folder)
    try:
        with staging_folder(folder) as stage:
            restore(WorkspacePlace(stage / "restored"), file)
    except BaseException:
        file.unlink(missing_ok=True)  # else whoever tries again and again fills the disk
        raise
    others = (path for path in folder.iterdir() if _NAME.fullmatch(path.name) and path.is_file() and path != file)
    older = sorted(others, reverse=True)
    for path in older[n_kept - 1 :]:
        path.unlink(missing_ok=True)
    return file, n_texts, len(older[n_kept - 1 :])
