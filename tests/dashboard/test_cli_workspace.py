"""``bleuscope workspace``: sizes, backups and what goes, each refused in a sentence where it cannot be done."""

import json
from pathlib import Path

import pytest

from bleucore import System, TestSet
from bleuscope.annotations import Annotations, BlindTrial, SegmentNote
from bleuscope.content.segments.blind_trial import read_preferences
from bleuscope.content.segments.segment_notes import read_notes
from bleuscope.workspace import WorkspacePlace, open_workspace, rotation
from bleuscope.workspace.comparisons import KeptComparison
from bleuscope.workspace.errors import WorkspaceError
from bleuscope.workspace.people import LOCAL
from bleuscope.workspace.projects import NewVersion


@pytest.fixture
def filled(empty_place):
    with open_workspace(empty_place) as workspace:
        test_set = TestSet([System("one", ["a"])], [["b"]])
        workspace.comparisons.keep(KeptComparison(test_set, "o", "title"))
        workspace.comparisons.opened(workspace.people.person(LOCAL), "o")
        for size, *name in ((2**21, "counts", "00", "a"), (2**19, "sets", "s", "b"), (2**19, "sets", "t", "c")):
            workspace.caches.keep(bytes(size), *name)
    return str(empty_place.folder)


def test_info_says_what_is_there(bleuscope, filled):
    code, out, err = bleuscope("workspace", "info", "--workspace", filled)
    assert (code, err) == (0, "")
    assert f"place              {filled}" in out
    assert "comparisons        1\n" in out
    assert "kept counts        2.0 MB, 1 file\n" in out
    _, out, _ = bleuscope("workspace", "info", "--workspace", filled, "-f", "json")
    assert json.loads(out)["counts"]["comparisons"] == 1
    assert json.loads(out)["caches"]["kept counts"]["n_files"] == 1


def test_a_backup_is_restored_elsewhere(bleuscope, filled, tmp_path):
    code, out, err = bleuscope("workspace", "backup", "b.tar", "--workspace", filled)
    assert (code, out) == (0, "")
    assert "wrote b.tar: all rows and 2 texts" in err
    code, _, err = bleuscope("workspace", "restore", "b.tar", "--workspace", "new")
    assert code == 0
    assert "restored 2 texts and all rows to new" in err
    assert "comparisons        1\n" in bleuscope("workspace", "info", "--workspace", "new")[1]
    code, _, err = bleuscope("workspace", "restore", "b.tar", "--workspace", "new")
    assert (code, "there is a workspace already" in err) == (2, True)
    code, _, err = bleuscope("workspace", "backup", "b.tar", "--workspace", filled)
    assert (code, "b.tar: the file is there already" in err) == (2, True)


def test_backups_in_turn_are_restored_on_trial_and_the_oldest_go(bleuscope, filled, tmp_path):
    folder = tmp_path / "backups"
    folder.mkdir()
    others = ["workspace-2026-01-02T030405Z.tar", "workspace-2026-01-03T030405Z.tar", "workspace-by-hand.tar"]
    for name in others:
        (folder / name).touch()
    backup = ("workspace", "backup", "backups", "--workspace", filled, "--keep")
    code, out, err = bleuscope(*backup, "2")
    assert (code, out) == (0, "")
    assert ": all rows and 2 texts, 0.0 MB. A trial restored it. 1 older backup deleted." in err
    *kept, made = sorted(path.name for path in folder.iterdir() if path.name != others[2])
    assert (kept, (folder / others[2]).exists()) == ([others[1]], True)
    assert bleuscope("workspace", "restore", f"backups/{made}", "--workspace", "new")[0] == 0
    next(Path(filled, "blobs").rglob("*.gz")).unlink()
    before = set(folder.iterdir())
    assert (bleuscope(*backup, "1")[0], set(folder.iterdir())) == (2, before)
    code, _, err = bleuscope("workspace", "backup", f"backups/{made}", "--keep", "1", "--workspace", filled)
    assert (code, "this is no folder" in err) == (2, True)


def test_a_backup_that_cannot_be_restored_does_not_stay(bleuscope, filled, tmp_path, monkeypatch):
    def refuse(*_):
        raise WorkspaceError("no room", where="here")

    (tmp_path / "backups" / "workspace-2026-01-02T030405Z.tar").mkdir(parents=True)
    backup = ("workspace", "backup", "backups", "--workspace", filled, "--keep", "1")
    with monkeypatch.context() as patched:
        patched.setattr(rotation, "restore", refuse)
        assert bleuscope(*backup)[0] == 2
    assert len(list((tmp_path / "backups").iterdir())) == 1
    assert bleuscope(*backup)[0] == 0
    assert len(list((tmp_path / "backups").iterdir())) == 2, "a folder is none of ours"


def test_prune_tells_what_would_go_and_what_went(bleuscope, filled):
    code, _, err = bleuscope("workspace", "prune", "--unopened", "1", "--dry-run", "--workspace", filled)
    said = "would take away 0 comparisons, 0 versions, 0 tokens, 0 files that can be computed again (0.0 MB)."
    assert (code, said in err) == (0, True)
    code, _, err = bleuscope("workspace", "prune", "--workspace", filled)
    assert (code, "took away 0 comparisons, 0 versions, 0 tokens, 0 texts" in err) == (0, True)


def test_prune_takes_what_can_be_computed_again(bleuscope, filled):
    prune = ("workspace", "prune", "--caches", "2", "--workspace", filled)
    assert "1 file that can be computed again (2.0 MB)." in bleuscope(*prune, "--dry-run")[2]
    assert "2.0 MB, 1 file\n" in bleuscope("workspace", "info", "--workspace", filled)[1]
    assert "0 texts, 1 file that can be computed again: 2.0 MB are free again." in bleuscope(*prune)[2]
    with open_workspace(WorkspacePlace(Path(filled))) as workspace:
        assert (workspace.caches.names("counts", "00"), workspace.caches.room("sets").n_files) == (set(), 2)


@pytest.mark.parametrize("command", [("info",), ("prune",), ("backup", "b.tar")])
def test_no_workspace_is_made_only_to_look_at_it(bleuscope, tmp_path, command):
    code, _, err = bleuscope("workspace", *command, "--workspace", "nowhere")
    assert (code, "nowhere: there is no workspace" in err) == (2, True)
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize("place", ["mysql://x/y", "http://x"])
def test_another_kind_of_place_is_refused(bleuscope, place):
    code, _, err = bleuscope("workspace", "info", "--workspace", place)
    assert (code, "there is no such kind of workspace" in err) == (2, True)


def test_a_file_in_place_of_a_folder_is_said(bleuscope, tmp_path):
    (tmp_path / "file").write_text("x")
    code, _, err = bleuscope("workspace", "restore", "b.tar", "--workspace", "file")
    assert code == 2
    assert "bleuscope: " in err
    assert "Traceback" not in err


def test_a_database_that_is_none_is_said(bleuscope, empty_place):
    (empty_place.folder / "workspace.sqlite").write_bytes(b"no database" * 1000)
    code, _, err = bleuscope("workspace", "info", "--workspace", str(empty_place.folder))
    assert (code, "the file is no database" in err) == (2, True)


def test_an_export_is_plain_files_that_are_read_back(bleuscope, empty_place, tmp_path):
    test_set = TestSet(
        [System("../one", ["a", "b"]), System("ONE", ["a\nb", ""])],
        [["a", "b"], ["c", None]],
        *(["s", "t"], ["d", "e"]),
        reference_names=("human", "reference b"),
    )
    trial = BlindTrial(test_set.digest, ("../one", "ONE"), 1)
    said = Annotations({1: SegmentNote("tag", "=note\n2")}, {trial: {0: "left"}}, remarks="r")
    with open_workspace(empty_place) as workspace:
        me = workspace.people.person(LOCAL)
        workspace.comparisons.keep(KeptComparison(test_set, "0123456789", "x/../y", {}, {"../m.tsv": b"m"}))
        workspace.work.change(me, test_set.texts_digest, lambda _: said)
        project = workspace.projects.make("p", me)
        kept = workspace.projects.put_test_set(project, "t", test_set, me)
        workspace.projects.push(project, kept, NewVersion("base", "v/1", ["x", "y"], step=3), me)
    code, _, err = bleuscope("workspace", "export", "out", "--workspace", str(empty_place.folder))
    assert (code, "wrote 16 files to out" in err) == (0, True), err
    written = {
        str(path.relative_to(tmp_path / "out")): path for path in (tmp_path / "out").rglob("*") if path.is_file()
    }
    place = "comparisons/x_.._y-01234567"
    assert written[f"{place}/systems/one.txt"].read_text() == "a\nb\n"
    assert json.loads(written[f"{place}/systems/ONE.json"].read_text()) == ["a\nb", ""]
    references = {name for name in written if name.startswith(f"{place}/ref")}
    assert references == {f"{place}/reference-human.txt", f"{place}/reference_b.json"}
    notes = written[f"{place}/work/you/segment-notes.tsv"]
    assert read_notes(notes.name, notes.read_bytes(), 2) == {1: SegmentNote("tag", "=note\n2")}
    (blind,) = [path for name, path in written.items() if "/blind-" in name]
    assert read_preferences(blind.name, blind.read_bytes(), test_set.digest, 2)[1] == {0: "left"}
    assert written["projects/p/t/versions/base/v_1.txt"].read_text() == "x\ny\n"
    assert json.loads(written["projects/p/t/versions.json"].read_text())[0]["step"] == 3
    assert bleuscope("workspace", "export", "out", "--workspace", str(empty_place.folder))[0] == 2
