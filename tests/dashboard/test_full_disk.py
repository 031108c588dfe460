"""On a full or read-only disk commands read and rescue, and pages say that nothing is saved."""

import threading
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from bleuscope.shell.state import workspace_in_use
from bleuscope.workspace import WorkspacePlace, push, reserve

SIZE = 32 * 2**20
FILES = {"one.txt": "a b c d\ne\n", "two.txt": "a b x d\né\n", "ref.txt": "a b c d\ne\n"}
BANNER = "Nothing can be saved: {}. You can still read and export everything."
NO_ROOM, NOT_WRITTEN = "there is no more room on the disk", "the workspace cannot be written to"

_spec = spec_from_file_location("disks", Path(__file__).parents[1] / "workspace" / "disks.py")
disks = module_from_spec(_spec)
_spec.loader.exec_module(disks)


@pytest.fixture
def place(tmp_path):
    """A workspace on a small disk of its own, with two versions."""
    with disks.small_disk(tmp_path / "disk", SIZE) as folder:
        place = WorkspacePlace(folder / "workspace")
        for version in ("v1", "v2"):
            of = {"project": "p", "test_set": "t", "system": "s", "version": version, "workspace": str(place.folder)}
            push([f"a b c d {version}", "e"], references=[["a b c d", "e"]], **of)
        yield place


@pytest.fixture
def full(place):
    disks.fill(place.folder)
    return place


@pytest.fixture
def unwritable(place):
    with disks.read_only(place.folder.parent):
        yield place


@pytest.fixture(params=["full", "unwritable"])
def refusing(request):
    """A workspace on a disk that takes nothing, and what is said of it."""
    return request.getfixturevalue(request.param), NO_ROOM if request.param == "full" else NOT_WRITTEN


@pytest.fixture
def served(refusing):
    workspace_in_use.use(refusing[0], is_shared=False)
    yield workspace_in_use.workspace(), refusing[1]
    for thread in threading.enumerate():
        if thread.name == "keep":
            thread.join(60)
    workspace_in_use.use(None, is_shared=False)


def said(app):
    return [one.value.replace("\\", "") for one in app.warning]


class TestCommands:
    def test_read_and_rescue(self, bleuscope, refusing, tmp_path):
        place, problem = refusing
        at = ("--workspace", str(place.folder))
        code, out, err = bleuscope("workspace", "info", *at)
        assert (code, err, f"read-only: {problem}" in out) == (0, "", True)
        code, out, err = bleuscope("history", "--project", "p", "--test-set", "t", *at)
        assert (code, "v2" in out) == (0, True), err
        assert bleuscope("token", "list", "--project", "p", *at)[0] == 0
        rescued = tmp_path / "rescued.tar"
        code, _, err = bleuscope("workspace", "backup", str(rescued), *at)
        assert (code, "all rows and 3 texts" in err) == (0, True), err
        assert bleuscope("workspace", "export", str(tmp_path / "plain"), *at)[0] == 0
        assert bleuscope("workspace", "prune", "--keep-versions", "1", "--dry-run", *at)[0] == 0
        code, _, err = bleuscope("workspace", "restore", str(rescued), "--workspace", str(tmp_path / "new"))
        assert code == 0, err

    def test_that_save_say_why_they_cannot(self, bleuscope, refusing):
        place, problem = refusing
        code, _, err = bleuscope("token", "make", "--project", "p", "--workspace", str(place.folder))
        assert (code, problem in err, "Traceback" in err) == (2, True, False)

    def test_prune_makes_room_and_the_workspace_is_written_again(self, bleuscope, full):
        at = ("--workspace", str(full.folder))
        reserved = (full.folder / reserve.FILE).stat().st_size
        code, _, err = bleuscope("workspace", "prune", "--keep-versions", "1", *at)
        assert (code, "took away 0 comparisons, 1 version" in err) == (0, True), err
        assert "read-only" not in bleuscope("workspace", "info", *at)[1]
        assert bleuscope("token", "make", "--project", "p", *at)[0] == 0
        assert 0 < (full.folder / reserve.FILE).stat().st_size <= reserved

    def test_prune_of_a_read_only_disk_says_so(self, bleuscope, unwritable):
        code, _, err = bleuscope("workspace", "prune", "--workspace", str(unwritable.folder))
        assert (code, NOT_WRITTEN in err) == (2, True)


class TestPages:
    @pytest.mark.parametrize("page", ["test_set", "projects", "leaderboard", "history", "segments"])
    def test_say_in_one_line_that_nothing_is_saved_and_go_on(self, open_page, served, page):
        _, problem = served
        app = open_page(page, FILES)
        assert not app.exception
        assert said(app).count(BANNER.format(problem)) == 1

    def test_say_before_a_note_is_typed_that_it_will_not_be_saved(self, open_page, served):
        captions = " ".join(one.value.replace("\\", "") for one in open_page("segments", FILES, segment="1").caption)
        assert f"They cannot be kept any longer: {served[1]}." in captions

    def test_say_nothing_where_all_is_well(self, open_page, place):
        workspace_in_use.use(place, is_shared=False)
        try:
            assert not open_page("projects", FILES).warning
        finally:
            workspace_in_use.use(None, is_shared=False)

    def test_are_served_where_no_workspace_can_be_made(self, open_page, full):
        workspace_in_use.use(WorkspacePlace(full.folder.parent / "another"), is_shared=False)
        try:
            app = open_page("scores", FILES)
            assert BANNER.format(NO_ROOM) in said(app)
        finally:
            workspace_in_use.use(None, is_shared=False)
