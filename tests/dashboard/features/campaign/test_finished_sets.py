"""Finished test sets are among what the workspace can compute again."""

import json

import pytest

from bleuscope.workspace import open_workspace


@pytest.fixture
def place(empty_place):
    with open_workspace(empty_place) as workspace:
        for name in "st":
            workspace.caches.keep(bytes(2**19), "sets", name, "a")
    return str(empty_place.folder)


def test_the_workspace_says_how_large_they_are(bleuscope, place):
    code, out, err = bleuscope("workspace", "info", "--workspace", place)
    assert (code, err) == (0, "")
    assert "finished sets      1.0 MB, 2 files\n" in out
    _, out, _ = bleuscope("workspace", "info", "--workspace", place, "-f", "json")
    assert json.loads(out)["caches"]["finished sets"]["n_files"] == 2
