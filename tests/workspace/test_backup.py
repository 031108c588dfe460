"""A backup holds everything, goes from one database to the other, and is refused where it is none."""

import hashlib
import json
from datetime import timedelta
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
import sqlalchemy as sa

from bleuscope.annotations import Annotations, SegmentNote
from bleuscope.workspace import WorkspacePlace, open_workspace
from bleuscope.workspace.backup import back_up
from bleuscope.workspace.columns import now
from bleuscope.workspace.errors import WorkspaceError
from bleuscope.workspace.events import events
from bleuscope.workspace.maintenance import info, prune
from bleuscope.workspace.people import LOCAL
from bleuscope.workspace.projects import NewVersion
from bleuscope.workspace.restoring import restore
from bleuscope.workspace.schema import comparison, opening, result, version

_spec = spec_from_file_location("backups", Path(__file__).parent / "backups.py")
backups = module_from_spec(_spec)
_spec.loader.exec_module(backups)
filled, rows = backups.filled, backups.rows


def test_everything_comes_back_whichever_database_either_side_has(workspace, new_place, tmp_path):
    me, project, kept = filled(workspace)
    with workspace.database.writing() as connection:
        of = {"test_set_id": kept.id, "digest": "d", "signature": "s", "score": 0.1 + 0.2, "interval": ""}
        connection.execute(sa.insert(result).values(**of, counts=b"\x00\xff", made_at=now()))
    file = tmp_path / "backup.tar"
    assert back_up(workspace, file) == len(list(workspace.blobs.all()))
    restore(new_place, file)
    with open_workspace(new_place) as again:
        assert rows(again) == rows(workspace)
        assert again.comparisons.find("o") == workspace.comparisons.find("o")
        assert again.projects.texts(kept, again.projects.versions(project)).digest
        again.projects.push(project, kept, NewVersion("base", "new", ["1", "2", "3"]), me)
        with pytest.raises(sa.exc.DBAPIError, match="only added"), again.database.writing() as connection:
            connection.execute(sa.text("DELETE FROM event"))


def test_a_backup_is_made_while_others_write_and_changes_nothing(workspace, tmp_path):
    filled(workspace)
    before = rows(workspace)
    back_up(workspace, tmp_path / "a.tar")
    assert rows(workspace) == before
    assert [path.name for path in tmp_path.glob("*.tar*")] == ["a.tar"]


@pytest.mark.parametrize("content", [b"", b"x" * 10_000])
def test_another_file_is_refused(tmp_path, content):
    (tmp_path / "a.tar").write_bytes(content)
    with pytest.raises(WorkspaceError, match="damaged, or it is not a backup"):
        restore(WorkspacePlace(tmp_path / "new"), tmp_path / "a.tar")


def test_what_is_there_is_counted(workspace):
    filled(workspace)
    found = info(workspace)
    assert found.counts | {"notes": 1} == found.counts
    assert (found.counts["comparisons"], found.counts["versions"], found.schema) == (1, 5, "0004")
    assert found.texts_bytes > 0 < found.database_bytes
    assert "tester" not in found.place or "@" not in found.place


def test_prune_keeps_the_newest_the_tagged_and_the_best(workspace):
    me, project, kept = filled(workspace)
    best = workspace.projects.versions(project)[0]
    with workspace.database.writing() as connection:
        of = {"test_set_id": kept.id, "digest": best.digest, "signature": "s", "score": 99.0, "interval": ""}
        connection.execute(sa.insert(result).values(**of, counts=b"", made_at=now()))
    trial = prune(workspace, me, most_versions=2, is_trial=True)
    assert (trial.n_versions, len(workspace.projects.versions(project))) == (1, 5)
    done = prune(workspace, me, most_versions=2)
    assert (done.n_versions, done.n_blobs) == (1, 1)
    assert [one.label for one in workspace.projects.versions(project)] == ["v0", "v1", "v3", "v4"]
    assert events(workspace.database)[0].object == {"comparisons": 0, "versions": 1}


def test_prune_counts_the_runs_of_a_version_as_one(workspace):
    me, project, kept = filled(workspace)
    for run in "123":
        workspace.projects.push(project, kept, NewVersion("base", "v9", [run, "2", "3"], 9, run=run), me)
    before = {one.label for one in workspace.projects.versions(project)}
    prune(workspace, me, most_versions=2)
    kept_now = workspace.projects.versions(project)
    assert [one.run for one in kept_now if one.label == "v9"] == ["1", "2", "3"]
    assert "v4" in {one.label for one in kept_now} < before
    prune(workspace, me, most_versions=1)
    assert "v9" in {one.label for one in workspace.projects.versions(project)}


def test_prune_takes_what_nobody_opened_for_long(workspace):
    me, _, _ = filled(workspace)
    assert prune(workspace, me, unopened_days=30).n_comparisons == 0
    long_ago = now() - timedelta(days=31)
    with workspace.database.writing() as connection:
        connection.execute(sa.update(opening).values(opened_at=long_ago))
        connection.execute(sa.update(comparison).values(created_at=long_ago))
    assert prune(workspace, me, unopened_days=30).n_comparisons == 1
    assert workspace.comparisons.find("o") is None
    with workspace.database.reading() as connection:
        assert connection.execute(sa.select(sa.func.count()).select_from(version)).scalar() == 5


def test_a_deleted_note_is_in_no_file_any_more(empty_place):
    secret = "a very private remark"
    with open_workspace(empty_place) as workspace:
        me = workspace.people.person(LOCAL)
        workspace.work.change(me, "t", lambda _: Annotations({0: SegmentNote("", secret)}))
        workspace.work.forget(me, "t")
        prune(workspace, me)
    assert not [
        path for path in empty_place.folder.rglob("*") if path.is_file() and secret.encode() in path.read_bytes()
    ]


def test_the_description_says_what_it_is_and_comes_last(workspace, tmp_path):
    filled(workspace)
    back_up(workspace, tmp_path / "a.tar")
    parts = backups.parts_of(tmp_path / "a.tar")
    head = json.loads(parts["workspace.json"])
    assert (head["kind"], head["revision"], list(parts)[-1]) == ("bleuscope workspace", "0004", "workspace.json")
    assert {name: said["sha256"] for name, said in head["parts"].items()} == {
        name: hashlib.sha256(content).hexdigest() for name, content in parts.items() if name != "workspace.json"
    }
