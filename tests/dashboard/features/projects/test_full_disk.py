"""On a full or read-only disk versions are read, and pages over time say that nothing is saved."""

import pytest

from bleuscope.workspace import reserve
from tests.dashboard import refusing_disks
from tests.dashboard.refusing_disks import BANNER, FILES, REFUSING, warnings_of

PAGES = ("projects", "leaderboard", "history")


@pytest.fixture(params=REFUSING)
def refusing(request, tmp_path):
    """A workspace on a disk that takes nothing, and what is said of it."""
    with refusing_disks.refusing_place(tmp_path, request.param) as place:
        yield place, REFUSING[request.param]


def test_commands_read_versions_and_tokens(bleuscope, refusing):
    at = ("--workspace", str(refusing[0].folder))
    code, out, err = bleuscope("history", "--project", "p", "--test-set", "t", *at)
    assert (code, "v2" in out) == (0, True), err
    assert bleuscope("token", "list", "--project", "p", *at)[0] == 0


def test_a_command_that_saves_says_why_it_cannot(bleuscope, refusing):
    place, problem = refusing
    code, _, err = bleuscope("token", "make", "--project", "p", "--workspace", str(place.folder))
    assert (code, problem in err, "Traceback" in err) == (2, True, False)


def test_a_token_is_made_again_once_versions_are_taken_away(bleuscope, tmp_path):
    with refusing_disks.refusing_place(tmp_path, "full") as full:
        at = ("--workspace", str(full.folder))
        reserved = (full.folder / reserve.FILE).stat().st_size
        code, _, err = bleuscope("workspace", "prune", "--keep-versions", "1", *at)
        assert (code, "took away 0 comparisons, 1 version" in err) == (0, True), err
        assert bleuscope("token", "make", "--project", "p", *at)[0] == 0
        assert 0 < (full.folder / reserve.FILE).stat().st_size <= reserved


@pytest.mark.parametrize("page", PAGES)
def test_pages_say_in_one_line_that_nothing_is_saved_and_go_on(open_page, refusing, page):
    place, problem = refusing
    with refusing_disks.served(place):
        app = open_page(page, FILES)
        assert not app.exception
        assert warnings_of(app).count(BANNER.format(problem)) == 1


def test_pages_say_nothing_where_all_is_well(open_page, tmp_path):
    with refusing_disks.place_on_small_disk(tmp_path) as place, refusing_disks.served(place):
        assert not open_page("projects", FILES).warning
