"""On a full or read-only disk commands read and rescue, and pages say that nothing is saved."""

import pytest

from bleuscope.shell.state import workspace_in_use
from bleuscope.workspace import WorkspacePlace, push, reserve
from tests.dashboard import refusing_disks
from tests.dashboard.refusing_disks import BANNER, FILES, NO_ROOM, NOT_WRITTEN, REFUSING, warnings_of


@pytest.fixture
def place(tmp_path):
    with refusing_disks.place_on_small_disk(tmp_path) as place:
        yield place


@pytest.fixture
def full(tmp_path):
    with refusing_disks.refusing_place(tmp_path, "full") as place:
        yield place


@pytest.fixture
def unwritable(tmp_path):
    with refusing_disks.refusing_place(tmp_path, "unwritable") as place:
        yield place


@pytest.fixture(params=REFUSING)
def refusing(request):
    """A workspace on a disk that takes nothing, and what is said of it."""
    return request.getfixturevalue(request.param), REFUSING[request.param]


@pytest.fixture
def served(refusing):
    with refusing_disks.served(refusing[0]):
        yield workspace_in_use.workspace(), refusing[1]


class TestCommands:
    def test_read_and_rescue(self, bleuscope, refusing, tmp_path):
        place, problem = refusing
        at = ("--workspace", str(place.folder))
        code, out, err = bleuscope("workspace", "info", *at)
        assert (code, err, f"read-only: {problem}" in out) == (0, "", True)
        rescued = tmp_path / "rescued.tar"
        code, _, err = bleuscope("workspace", "backup", str(rescued), *at)
        assert (code, "all rows and 3 texts" in err) == (0, True), err
        assert bleuscope("workspace", "export", str(tmp_path / "plain"), *at)[0] == 0
        assert bleuscope("workspace", "prune", "--keep-versions", "1", "--dry-run", *at)[0] == 0
        code, _, err = bleuscope("workspace", "restore", str(rescued), "--workspace", str(tmp_path / "new"))
        assert code == 0, err

    def test_prune_makes_room_and_the_workspace_is_written_again(self, bleuscope, full):
        at = ("--workspace", str(full.folder))
        reserved = (full.folder / reserve.FILE).stat().st_size
        code, _, err = bleuscope("workspace", "prune", "--keep-versions", "1", *at)
        assert (code, "took away 0 comparisons, 1 version" in err) == (0, True), err
        assert "read-only" not in bleuscope("workspace", "info", *at)[1]
        of = {"project": "p", "test_set": "t", "system": "s", "version": "v3", "workspace": str(full.folder)}
        push(["a b c d v3", "e"], references=[["a b c d", "e"]], **of)
        assert 0 < (full.folder / reserve.FILE).stat().st_size <= reserved

    def test_prune_of_a_read_only_disk_says_so(self, bleuscope, unwritable):
        code, _, err = bleuscope("workspace", "prune", "--workspace", str(unwritable.folder))
        assert (code, NOT_WRITTEN in err) == (2, True)


class TestPages:
    @pytest.mark.parametrize("page", ["test_set", "segments"])
    def test_say_in_one_line_that_nothing_is_saved_and_go_on(self, open_page, served, page):
        _, problem = served
        app = open_page(page, FILES)
        assert not app.exception
        assert warnings_of(app).count(BANNER.format(problem)) == 1

    def test_say_before_a_note_is_typed_that_it_will_not_be_saved(self, open_page, served):
        captions = " ".join(one.value.replace("\\", "") for one in open_page("segments", FILES, segment="1").caption)
        assert f"They cannot be saved: {served[1]}." in captions

    def test_say_nothing_where_all_is_well(self, open_page, place):
        with refusing_disks.served(place):
            assert not open_page("test_set", FILES).warning

    def test_are_served_where_no_workspace_can_be_made(self, open_page, full):
        workspace_in_use.use(WorkspacePlace(full.folder.parent / "another"), is_shared=False)
        try:
            app = open_page("scores", FILES)
            assert BANNER.format(NO_ROOM) in warnings_of(app)
        finally:
            workspace_in_use.use(None, is_shared=False)
