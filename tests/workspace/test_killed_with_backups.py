"""What kills a backup or a restore leaves the state before or the one after, and what it left over goes."""

import os
import subprocess
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from hypothesis import settings

from bleuscope.workspace import WorkspacePlace, open_workspace, place_of
from bleuscope.workspace.backup import back_up
from bleuscope.workspace.database import is_there
from bleuscope.workspace.errors import WorkspaceError
from bleuscope.workspace.leftovers import BACKING_UP, MARK, RESTORING, clear_backups, clear_restores
from bleuscope.workspace.maintenance import prune
from bleuscope.workspace.people import LOCAL
from bleuscope.workspace.restoring import restore
from tests.warm_python import warm_python

ROOT = Path(__file__).parents[2]
PROGRAM = Path(__file__).parent / "killed_with_backups.py"
IS_DEEP = settings.get_current_profile_name() == "deep"
N_KILLS, N_KILLS_OF_SERVER = (40, 20) if IS_DEEP else (8, 5)
"""Each at another line, the first and the last among them."""

_spec = spec_from_file_location("backups", Path(__file__).parent / "backups.py")
backups = module_from_spec(_spec)
_spec.loader.exec_module(backups)


@pytest.fixture
def good(tmp_path):
    """A backup, and what its workspace holds."""
    with open_workspace(WorkspacePlace(tmp_path / "from")) as workspace:
        backups.filled_with_everything(workspace)
        back_up(workspace, tmp_path / "good.tar")
        return tmp_path / "good.tar", backups.rows(workspace), set(workspace.blobs.all())


def killed(what, file, number, *places):
    """Run the program; how many of its processes were killed."""
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'dashboard'}"}
    command = [warm_python(), str(PROGRAM), what, str(file), str(number), *map(str, places)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return int(done.stdout)


def assert_whole(place, good):
    """Everything of a backup is there, and nothing else."""
    _, rows, blobs = good
    with open_workspace(place) as workspace:
        assert backups.rows(workspace) == rows
        for digest in blobs:
            workspace.blobs.read(digest)
        prune(workspace, workspace.people.person(LOCAL))
        assert set(workspace.blobs.all()) == blobs
    assert not [path for path in place.folder.iterdir() if path.name.startswith(RESTORING)]


def ends(place, good):
    """Whether a killed restore is after, and else that it can be done again as if it had never been."""
    try:
        restore(place, good[0])
    except WorkspaceError as error:
        assert error.problem == "there is a workspace already"  # noqa: PT017  # either may be
        assert_whole(place, good)
        return True
    assert_whole(place, good)
    return False


@pytest.mark.deep
def test_a_restore_that_is_killed_anywhere_has_made_nothing_or_all(tmp_path, good):
    places = [WorkspacePlace(tmp_path / "targets" / f"{number}") for number in range(N_KILLS + 1)]
    assert killed("restore", good[0], N_KILLS, *(place.folder for place in places)) == N_KILLS
    were_there = [is_there(place) for place in places[1:]]
    ended = [ends(place, good) for place in places[1:]]
    assert ended == were_there
    assert {True, False} == set(ended)


@pytest.mark.deep
def test_a_restore_to_a_postgresql_that_is_killed_anywhere_has_made_nothing_or_all(good, server):
    names = [f"k{os.getpid()}_{number}" for number in range(N_KILLS_OF_SERVER + 1)]
    addresses = [server.make(name) for name in names]
    assert killed("restore", good[0], N_KILLS_OF_SERVER, *addresses) == N_KILLS_OF_SERVER
    places = [
        WorkspacePlace(Path(f"{good[0]}-{name}"), place_of(address).database)
        for name, address in zip(names, addresses, strict=True)
    ]
    assert {True, False} == {ends(place, good) for place in places[1:]}


@pytest.mark.deep
def test_a_backup_that_is_killed_anywhere_is_not_there_or_whole(tmp_path, good):
    out = tmp_path / "out"
    out.mkdir()
    place = WorkspacePlace(tmp_path / "from")
    for number in range(2):
        file = out / f"{number}.tar"
        assert killed("back_up", file, N_KILLS // 2, place.folder, place.folder) == N_KILLS // 2
        if file.exists():
            restore(WorkspacePlace(tmp_path / f"again-{number}"), file)
            assert_whole(WorkspacePlace(tmp_path / f"again-{number}"), good)
    with open_workspace(place) as workspace:
        back_up(workspace, out / "last.tar")
        assert backups.rows(workspace) == good[1]
    assert not [path for path in out.iterdir() if path.name.startswith(".")]


def test_only_what_a_killed_program_left_is_deleted(tmp_path):
    theirs = {
        "their folder": tmp_path / f"{RESTORING}their-own",
        "no mark": tmp_path / f"{RESTORING}aaaaaaaa",
        "another mark": tmp_path / f"{RESTORING}bbbbbbbb",
    }
    for name, folder in theirs.items():
        folder.mkdir()
        (folder / (MARK if name == "another mark" else "novel.txt")).write_text("theirs")
    (tmp_path / f"{BACKING_UP}cccccccc").write_text("theirs")
    (tmp_path / f"{BACKING_UP}dddddddd").symlink_to(tmp_path / f"{BACKING_UP}cccccccc")
    (tmp_path / f"{RESTORING}eeeeeeee").symlink_to(theirs["no mark"])
    before = backups.tree(tmp_path)
    assert (clear_restores(tmp_path), clear_backups(tmp_path)) == (0, 0)
    assert backups.tree(tmp_path) == before


def test_prune_deletes_what_a_killed_restore_left(empty_place):
    left = empty_place.folder / f"{RESTORING}abcdefgh"
    left.mkdir(parents=True)
    (left / MARK).write_bytes(b"bleuscope restores a backup here\n")
    (left / "workspace.sqlite").write_bytes(b"half")
    with open_workspace(empty_place) as workspace:
        prune(workspace, workspace.people.person(LOCAL))
    assert not left.exists()
