"""Workspaces on small disks of their own: full ones, and such that may only be read."""

import threading
from contextlib import contextmanager
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from bleuscope.shell.state import workspace_in_use
from bleuscope.workspace import WorkspacePlace, push

SIZE = 32 * 2**20
BANNER = "Nothing can be saved: {}. You can still read and export everything."
NO_ROOM, NOT_WRITTEN = "there is no more room on the disk", "the workspace cannot be written to"
REFUSING = {"full": NO_ROOM, "unwritable": NOT_WRITTEN}
"""What is said of a disk that takes nothing."""
FILES = {"one.txt": "a b c d\ne\n", "two.txt": "a b x d\né\n", "ref.txt": "a b c d\ne\n"}
"""What pages are opened on."""

_spec = spec_from_file_location("disks", Path(__file__).parents[1] / "workspace" / "disks.py")
disks = module_from_spec(_spec)
_spec.loader.exec_module(disks)


@contextmanager
def place_on_small_disk(folder):
    """A workspace with two versions, on a small disk in a folder."""
    with disks.small_disk(folder / "disk", SIZE) as disk:
        place = WorkspacePlace(disk / "workspace")
        for version in ("v1", "v2"):
            of = {"project": "p", "test_set": "t", "system": "s", "version": version, "workspace": str(place.folder)}
            push([f"a b c d {version}", "e"], references=[["a b c d", "e"]], **of)
        yield place


@contextmanager
def refusing_place(folder, how):
    """The same on a disk that takes nothing, for one of the reasons of ``REFUSING``."""
    with place_on_small_disk(folder) as place:
        if how == "full":
            disks.fill(place.folder)
            yield place
        else:
            with disks.read_only(place.folder.parent):
                yield place


@contextmanager
def served(place):
    """Let pages use a workspace, until all is saved that they save."""
    workspace_in_use.use(place, is_shared=False)
    try:
        yield
        for thread in threading.enumerate():
            if thread.name == "keep":
                thread.join(60)
    finally:
        workspace_in_use.use(None, is_shared=False)


def warnings_of(app):
    """The warnings of a page, as they are read."""
    return [one.value.replace("\\", "") for one in app.warning]
