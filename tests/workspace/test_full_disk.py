"""A disk that is full or may only be read: all is read from it, nothing is half written, and room can be made."""

import os
import shutil
import tempfile
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
import sqlalchemy as sa

from bleucore import BleuOptions
from bleucore.significance import SignificanceOptions
from bleuscope.annotations import Annotations, SegmentNote
from bleuscope.workspace import WorkspacePlace, open_workspace, place_of, reserve
from bleuscope.workspace.backup import back_up
from bleuscope.workspace.database import FILE
from bleuscope.workspace.errors import UnwritableError, WorkspaceError
from bleuscope.workspace.maintenance import info, prune
from bleuscope.workspace.people import LOCAL, NOBODY, Identity
from bleuscope.workspace.projects import NewVersion
from bleuscope.workspace.restoring import restore

SIZE = 32 * 2**20


def _module(name):
    spec = spec_from_file_location(name, Path(__file__).parent / f"{name}.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


backups, disks = _module("backups"), _module("disks")


@pytest.fixture
def disk(tmp_path):
    """A small disk with a workspace, and what the workspace holds."""
    with (
        disks.small_disk(tmp_path / "disk", SIZE) as folder,
        open_workspace(WorkspacePlace(folder / "workspace")) as workspace,
    ):
        backups.filled_with_everything(workspace)
        yield folder, backups.rows(workspace)


def closed(folder):
    """The workspace without the files that only an open one has."""
    place = WorkspacePlace(folder / "workspace")
    for ending in ("-wal", "-shm"):
        assert not Path(f"{place.folder / FILE}{ending}").exists()
    return place


@pytest.fixture
def closed_disk(tmp_path):
    """The same, when nobody has it open."""
    with disks.small_disk(tmp_path / "disk", SIZE) as folder:
        with open_workspace(WorkspacePlace(folder / "workspace")) as workspace:
            backups.filled_with_everything(workspace)
            expected = backups.rows(workspace)
        yield closed(folder), expected


def assert_reads_all(place, expected, tmp_path, problem):
    """Whatever is kept can be read, backed up and restored; nothing can be written, and why is said."""
    with open_workspace(place) as workspace:
        assert backups.rows(workspace) == expected
        assert info(workspace).obstacle == problem
        project = workspace.projects.find("p")
        assert [one.name for one in workspace.tokens.all(project)] == ["push"]
        me = workspace.people.person(LOCAL)
        assert me.id == expected["person"][0].id
        assert workspace.people.person(Identity("proxy", "new")).id == NOBODY
        of = workspace.results.scored_set(workspace.projects.test_set(project, "t"), BleuOptions())
        versions = workspace.projects.versions(project)
        assert len(workspace.results.score(of, versions, SignificanceOptions())) == len(versions)
        assert len(workspace.results.counts(of, versions)) == len(versions)
        back_up(workspace, tmp_path / "rescued.tar")
        with pytest.raises(UnwritableError, match=problem):
            workspace.work.change(me, "t", lambda _: Annotations({0: SegmentNote("", "more")}))
        new, test_set = NewVersion("base", "more", ["1", "2", "3"]), workspace.projects.test_set(project, "t")
        with pytest.raises(UnwritableError, match=r"room|written"):
            workspace.projects.push(project, test_set, new, me)
        assert backups.rows(workspace) == expected
        assert not list(workspace.blobs.unfinished())
    restore(WorkspacePlace(tmp_path / "rescued"), tmp_path / "rescued.tar")
    with open_workspace(WorkspacePlace(tmp_path / "rescued")) as rescued:
        assert backups.rows(rescued) == expected


def test_all_is_read_from_a_full_disk(closed_disk, tmp_path):
    place, expected = closed_disk
    disks.fill(place.folder)
    assert_reads_all(place, expected, tmp_path, "there is no more room on the disk")


def test_all_is_read_from_a_disk_that_is_full_while_another_program_has_it_open(disk, tmp_path):
    folder, expected = disk
    disks.fill(folder)
    assert_reads_all(WorkspacePlace(folder / "workspace"), expected, tmp_path, "there is no more room on the disk")


def test_all_is_read_from_a_read_only_disk(closed_disk, tmp_path):
    place, expected = closed_disk
    with disks.read_only(place.folder.parent):
        assert_reads_all(place, expected, tmp_path, "the workspace cannot be written to")


@pytest.mark.parametrize("kept", [("-wal", "-shm"), ("-wal",)])
def test_what_is_only_in_the_log_is_read_from_a_read_only_disk(closed_disk, tmp_path, kept, monkeypatch):
    place, _ = closed_disk
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    expected = leave_a_log(place)
    for ending in {"-wal", "-shm"} - set(kept):
        Path(f"{place.folder / FILE}{ending}").unlink()
    with disks.read_only(place.folder.parent):
        assert_reads_all(place, expected, tmp_path, "the workspace cannot be written to")
    assert not list(temporary.iterdir()), "a copy was read, and is gone"


def test_what_is_only_in_the_log_is_read_from_a_full_disk(closed_disk, tmp_path):
    place, _ = closed_disk
    expected = leave_a_log(place)
    Path(f"{place.folder / FILE}-shm").unlink()
    disks.fill(place.folder)
    assert_reads_all(place, expected, tmp_path, "there is no more room on the disk")


def leave_a_log(place):
    """Write, and be killed before the log is in the database; what is kept then."""
    copy = place.folder.parent / "copy"
    with open_workspace(place) as workspace:
        me = workspace.people.person(LOCAL)
        workspace.work.change(me, "only in the log", lambda _: Annotations({0: SegmentNote("", "n")}))
        shutil.copytree(place.folder, copy)  # as it is on the disk while it is open
        expected = backups.rows(workspace)
    shutil.rmtree(place.folder)
    copy.rename(place.folder)
    assert Path(f"{place.folder / FILE}-wal").stat().st_size
    return expected


def test_all_is_read_by_somebody_who_may_not_write(tmp_path):
    with tempfile.TemporaryDirectory(prefix="bs-nobody-") as folder:  # where others may look, as pytest's may not
        Path(folder).chmod(0o755)
        place, out = WorkspacePlace(Path(folder) / "workspace"), Path(folder) / "out"
        with open_workspace(place) as workspace:
            backups.filled_with_everything(workspace)
            expected = backups.rows(workspace)
        out.mkdir()
        out.chmod(0o777)
        with disks.as_nobody(place.folder):
            assert_reads_all(place, expected, out, "the workspace cannot be written to")


def test_prune_makes_room_on_a_full_disk_with_what_was_reserved(closed_disk):
    place, _ = closed_disk
    with open_workspace(place) as workspace:
        me = workspace.people.person(LOCAL)
        project, kept = workspace.projects.find("p"), workspace.projects.test_set(workspace.projects.find("p"), "t")
        for number in range(30):
            new = NewVersion("large", f"v{number}", [os.urandom(50_000).hex(), "b", "c"], number)
            workspace.projects.push(project, kept, new, me)
    assert (place.folder / reserve.FILE).stat().st_size >= reserve.LEAST_BYTES
    disks.fill(place.folder)
    free = shutil.disk_usage(place.folder).free
    with open_workspace(place) as workspace:
        assert info(workspace).obstacle
    assert reserve.release(place.folder)
    with open_workspace(place) as workspace:
        done = prune(workspace, workspace.people.person(LOCAL), most_versions=2)
        assert (done.n_versions > 20, done.n_blobs > 20) == (True, True)
        assert shutil.disk_usage(place.folder).free > free
        assert info(workspace).obstacle is None
    assert (place.folder / reserve.FILE).exists()


def test_a_workspace_that_could_only_be_read_is_written_again_when_there_is_room(closed_disk):
    place, _ = closed_disk
    other = disks.fill(place.folder)
    with open_workspace(place) as workspace:
        me = workspace.people.person(LOCAL)
        with pytest.raises(UnwritableError):
            workspace.work.change(me, "t", lambda _: Annotations({0: SegmentNote("", "1")}))
        other.unlink()
        workspace.work.change(me, "t", lambda _: Annotations({0: SegmentNote("", "2")}))
        assert workspace.database.obstacle is None
        assert workspace.work.read(me, "t")[0].notes[0].note == "2"


def test_no_new_workspace_is_made_where_the_disk_of_one_was_taken_away(tmp_path):
    with disks.small_disk(tmp_path / "disk", SIZE) as folder:
        place = WorkspacePlace(folder / "workspace")
        open_workspace(place).close()
        with disks.read_only(folder):
            workspace = open_workspace(place)
    with workspace, pytest.raises(UnwritableError):
        workspace.holdings.sweep()
    assert not list(folder.iterdir())


def test_no_workspace_is_made_on_a_full_disk(tmp_path):
    with disks.small_disk(tmp_path / "disk", 2**20) as folder:
        disks.fill(folder)
        before = backups.tree(folder)
        with pytest.raises(UnwritableError, match="room"):
            open_workspace(WorkspacePlace(folder / "new"))
        assert backups.tree(folder).keys() <= before.keys() | {"new", f"new/{FILE}"}


def test_a_postgresql_that_may_only_be_read_is_read(server, tmp_path, monkeypatch):
    address = server.make(f"r{os.getpid()}")
    place = WorkspacePlace(tmp_path / "texts", place_of(address).database)
    with open_workspace(place) as workspace:
        backups.filled_with_everything(workspace)
        expected = backups.rows(workspace)
    with open_workspace(place) as workspace, workspace.database.writing() as connection:
        name = place.database.rpartition("/")[2]
        connection.execute(sa.text(f'ALTER DATABASE "{name}" SET default_transaction_read_only = on'))
    with open_workspace(place) as workspace:
        assert info(workspace).obstacle == "the database may only be read"
        assert backups.rows(workspace) == expected
        back_up(workspace, tmp_path / "rescued.tar")
        me = workspace.people.person(LOCAL)
        with pytest.raises(UnwritableError, match="the workspace cannot be written to"):
            workspace.work.change(me, "t", lambda _: Annotations({0: SegmentNote("", "more")}))


def test_the_reserve_takes_a_small_part_of_what_is_free(tmp_path):
    assert reserve.keep(tmp_path)
    assert (tmp_path / reserve.FILE).stat().st_size == reserve.MOST_BYTES
    assert reserve.release(tmp_path) == reserve.MOST_BYTES
    assert reserve.release(tmp_path) == 0


def test_a_backup_or_a_restore_to_a_full_disk_leaves_nothing(closed_disk, tmp_path):
    place, _ = closed_disk
    with disks.small_disk(tmp_path / "other", 2**20) as folder:
        disks.fill(folder)
        before = backups.tree(folder)
        with open_workspace(place) as workspace:
            back_up(workspace, tmp_path / "good.tar")
            with pytest.raises(WorkspaceError, match="no space left"):
                back_up(workspace, folder / "b.tar")
        assert backups.tree(folder) == before
        with pytest.raises(WorkspaceError, match="no space left"):
            restore(WorkspacePlace(folder / "new"), tmp_path / "good.tar")
        assert backups.tree(folder) == before
