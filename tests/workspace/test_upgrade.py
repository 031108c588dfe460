"""A workspace that the first program with version 0.1 wrote, at schema 0001: today's loses nothing of it.

``kept/schema-0001.tar.xz`` has its SQLite file, its texts and its own backup, with rows in every table of that schema.
"""

import sqlite3
import tarfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa

from bleucore import System, TestSet
from bleuscope.annotations import Annotations, BlindTrial, SegmentNote
from bleuscope.workspace import WorkspacePlace, open_workspace
from bleuscope.workspace.attachments import KeptBeside
from bleuscope.workspace.database import REVISIONS, SCHEMA_NOW
from bleuscope.workspace.people import LOCAL
from bleuscope.workspace.projects import NewVersion
from bleuscope.workspace.restoring import restore

KEPT = Path(__file__).parent / "kept" / "schema-0001.tar.xz"
SAFELY = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
"""Python 3.11.2, which Debian 12 has, knows no filter."""
TEXTS = TestSet(
    [System("ours", ["ein Haus", "", "三"])], [["a house", None, "x"], ["b", "c", "d"]], languages=("de", "en")
)
TRIAL = BlindTrial("d", ("a", "b"), 1)
WORK = Annotations({0: SegmentNote("\ud800", "\x00'\"")}, {TRIAL: {0: "left"}}, frozenset({TRIAL}))


@pytest.fixture
def kept(tmp_path):
    """The folder with the workspace of then, and its backup."""
    with tarfile.open(KEPT) as archive:
        archive.extractall(tmp_path / "kept", **SAFELY)
    return tmp_path / "kept"


def rows(folder):
    """All rows of an SQLite workspace, by table, as they lie in the file."""
    with closing(sqlite3.connect(folder / "workspace.sqlite")) as connection:
        connection.row_factory = sqlite3.Row
        asked = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        names = [name for (name,) in connection.execute(asked)]
        return {name: [dict(row) for row in connection.execute(f"SELECT * FROM {name}")] for name in names}


def assert_nothing_is_lost(workspace):
    """What was opened, typed and pushed then is there, and work goes on."""
    me = workspace.people.person(LOCAL)
    found = workspace.comparisons.find("o")
    assert (found.test_set, found.title) == (replace(TEXTS, are_lines=True), "Ours")
    assert workspace.work.read(me, "t")[0] == WORK
    assert workspace.beside.find("scores", "key") == KeptBeside({"a": 1}, [("s.tsv", b"1\t2\n")])
    assert [(one.name, one.page, one.query) for one in workspace.views.all(me)] == [("mine", "segments", "q=%C3%B6")]
    project = workspace.projects.find("p")
    assert [one.right for one in workspace.tokens.all(project)] == ["read"]
    (test_set,) = workspace.projects.test_sets(project)
    versions = workspace.projects.versions(project, test_set)
    assert [(one.label, one.step, one.tags) for one in versions] == [
        (f"v{step}", step, ("best",) if step == 1 else ()) for step in range(5)
    ]
    outputs = [system.hypotheses for system in workspace.projects.texts(test_set, versions).systems]
    assert outputs == [(f"a {step}", "b", "c") for step in range(5)]
    with workspace.database.reading() as connection:
        assert connection.execute(SCHEMA_NOW).scalar() == REVISIONS[-1]
        assert "ix_version_test_set" in {one["name"] for one in sa.inspect(connection).get_indexes("version")}
        assert connection.execute(sa.text("SELECT score FROM result")).scalar() == 0.1 + 0.2
        assert connection.execute(sa.text("SELECT page FROM share")).scalar() == "overview"  # however long it works
    again = NewVersion("base", "v1", ["x"] * 3, run="2")
    assert workspace.projects.push(project, test_set, again, me).is_new
    changed = replace(WORK, remarks="today")
    assert workspace.work.change(me, "t", lambda _: changed)[0] == changed
    assert len(workspace.projects.versions(project, test_set)) == 6


def test_is_brought_to_this_schema_where_it_lies(kept):
    folder = kept / "workspace"
    before = rows(folder)
    assert all(before.values())
    with open_workspace(WorkspacePlace(folder)):
        after = rows(folder)
    assert before.pop("alembic_version") != after["alembic_version"]
    for table, then in before.items():
        assert [{name: row[name] for name in then[0]} for row in after[table]] == then, table
    with open_workspace(WorkspacePlace(folder)) as workspace:
        assert_nothing_is_lost(workspace)


def test_comes_back_from_its_own_backup(kept, new_place):
    assert restore(new_place, kept / "backup.tar") == len(list((kept / "workspace" / "blobs").rglob("*.gz")))
    with open_workspace(new_place) as workspace:
        assert_nothing_is_lost(workspace)
