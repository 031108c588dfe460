"""A restore is whole or not there: whatever a backup holds and whenever it ends, and a good one is taken after it."""

import gzip
import hashlib
import json
import random
import shutil
import tarfile
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
import sqlalchemy as sa
from hypothesis import settings

from bleuscope.workspace import WorkspacePlace, open_workspace
from bleuscope.workspace.backup import back_up
from bleuscope.workspace.errors import WorkspaceError
from bleuscope.workspace.restoring import restore
from bleuscope.workspace.schema import metadata

_spec = spec_from_file_location("backups", Path(__file__).parent / "backups.py")
backups = module_from_spec(_spec)
_spec.loader.exec_module(backups)

ROW_PARTS = [f"rows/{table.name}.jsonl" for table in metadata.sorted_tables]
EMPTY = hashlib.sha256(b"").hexdigest()


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    """A backup with rows in nearly every table."""
    folder = tmp_path_factory.mktemp("good")
    with open_workspace(WorkspacePlace(folder / "from")) as workspace:
        backups.filled_with_everything(workspace)
        back_up(workspace, folder / "good.tar")
    return folder / "good.tar"


@pytest.fixture
def parts(good):
    return backups.parts_of(good)


def blob_names(parts):
    return sorted(name for name in parts if name.startswith("blobs/"))


def refusal_of(place, file):
    """What is said of a backup that is refused, which leaves nothing behind."""
    folder = place.folder.parent
    before, database = backups.tree(folder), all_rows(place)
    with pytest.raises(WorkspaceError) as caught:
        restore(place, file)
    assert all_rows(place) == database
    assert backups.tree(folder) == before
    error = caught.value
    assert str(file) in error.where
    assert error.found
    assert error.remedy == "Use another backup; this restore has changed nothing."
    return str(error)


def all_rows(place):
    """Of a PostgreSQL, whose state lies in no folder."""
    if place.database is None:
        return None
    engine = sa.create_engine(place.database)
    with engine.connect() as connection:
        found = sa.MetaData()
        found.reflect(connection)
        all_of_it = {table.name: connection.execute(sa.select(table)).all() for table in found.sorted_tables}
    engine.dispose()
    return all_of_it


def assert_takes_the_good_one(place, good):
    restore(place, good)
    with open_workspace(place) as workspace:
        assert len(backups.rows(workspace)["version"]) == 5
        for digest in workspace.blobs.all():
            workspace.blobs.read(digest)


def missing_blob(parts):
    return {name: content for name, content in parts.items() if name != blob_names(parts)[0]}


def swapped_blobs(parts):
    first, second, *_ = blob_names(parts)
    return {**parts, first: parts[second], second: parts[first]}


@pytest.mark.parametrize("told", [backups.with_true_digests, backups.without_digests])
@pytest.mark.parametrize("change", [missing_blob, swapped_blobs])
def test_a_failed_restore_leaves_nothing_and_a_good_backup_is_taken_then(
    new_place, tmp_path, good, parts, change, told
):
    refusal_of(new_place, backups.written(tmp_path / "bad.tar", told(change(parts))))
    assert_takes_the_good_one(new_place, good)


def test_a_bomb_is_refused(tmp_path, good, parts):
    place = WorkspacePlace(tmp_path / "new")
    parts[blob_names(parts)[0]] = gzip.compress(bytes(2**26)) * 17
    file = backups.written(tmp_path / "bad.tar", backups.without_digests(parts))
    assert "more than 1,073,741,824 bytes" in refusal_of(place, file)
    assert_takes_the_good_one(place, good)


def head_with(parts, said):
    return {**parts, backups.HEAD: json.dumps({**json.loads(parts[backups.HEAD]), **said}).encode()}


HEADS = {
    "kind": {"kind": "another"},
    "format": {"format": 2},
    "revision of a newer program": {"revision": "9999"},
    "revision that is a list": {"revision": ["0001"]},
    "tables of another schema": {"tables": ["note"]},
    "tables that are no list": {"tables": "note"},
    "tables that are no texts": {"tables": [1]},
    "parts that are a list": {"parts": []},
    "parts without one": {"parts": {}},
    "parts without a digest": {"parts": {name: {} for name in ROW_PARTS}},
    "parts that are texts": {"parts": dict.fromkeys(ROW_PARTS, "x")},
}


@pytest.mark.parametrize("said", HEADS.values(), ids=HEADS)
def test_a_description_that_does_not_fit_is_refused(tmp_path, parts, said):
    changed = head_with(parts, said)
    if "revision" in said and said["revision"] == "9999":
        with pytest.raises(WorkspaceError, match=r"newer bleuscope .*schema '9999'.*at most .*changed nothing"):
            restore(WorkspacePlace(tmp_path / "new"), backups.written(tmp_path / "bad.tar", changed))
        assert not (tmp_path / "new").exists()
        return
    refusal_of(WorkspacePlace(tmp_path / "new"), backups.written(tmp_path / "bad.tar", changed))


def strange_member(kind, name="rows/note.jsonl"):
    member = tarfile.TarInfo(name)
    member.type = kind
    member.linkname = "/etc/passwd"
    return member


STRANGE = {
    "a symbolic link": strange_member(tarfile.SYMTYPE),
    "a hard link": strange_member(tarfile.LNKTYPE),
    "a device": strange_member(tarfile.CHRTYPE),
    "a folder": strange_member(tarfile.DIRTYPE, "../up"),
    "a name above": tarfile.TarInfo("../../evil"),
    "a name from the root": tarfile.TarInfo("/evil"),
    "a name through a folder": tarfile.TarInfo("blobs/../../evil.gz"),
    "another name": tarfile.TarInfo("evil"),
    "a long name": tarfile.TarInfo("evil" * 1000),
    "a part twice": tarfile.TarInfo("rows/note.jsonl"),
    "a description twice": tarfile.TarInfo("workspace.json"),
}


@pytest.mark.parametrize("member", STRANGE.values(), ids=STRANGE)
def test_a_part_that_no_backup_has_is_refused_and_nothing_is_written_to_its_name(tmp_path, good, parts, member):
    file = backups.written(tmp_path / "bad.tar", parts, (member, b""))
    place = WorkspacePlace(tmp_path / "deep" / "new")
    refusal_of(place, file)
    assert not list(tmp_path.rglob("*evil*"))
    assert_takes_the_good_one(place, good)


def test_folders_that_other_programs_write_down_are_no_parts(tmp_path, parts):
    folders = [(strange_member(tarfile.DIRTYPE, name), b"") for name in ("rows", "blobs")]
    head, *others = ((tarfile.TarInfo(name), content) for name, content in parts.items())
    packed = backups.written(tmp_path / "packed.tar", {}, head, *folders, *others)
    assert_takes_the_good_one(WorkspacePlace(tmp_path / "new"), packed)


def lines_with(parts, table, line):
    name = f"rows/{table}.jsonl"
    return {**parts, name: parts[name] + line}


def json_of(parts, table, column):
    """What the JSON in a column of the first row of a table holds."""
    return json.loads(json.loads(parts[f"rows/{table}.jsonl"].splitlines()[0])[column])


def json_with(parts, table, column, **said):
    """The same, changed in the backup."""
    return row_with(parts, table, **{column: json.dumps({**json_of(parts, table, column), **said})})


def row_with(parts, table, **said):
    """The first row of a table, changed; ``None`` takes a column away."""
    name = f"rows/{table}.jsonl"
    first, *others = parts[name].splitlines(keepends=True)
    row = {**json.loads(first), **said}
    row = {column: value for column, value in row.items() if value is not ...}
    return {**parts, name: json.dumps(row).encode() + b"\n" + b"".join(others)}


ROWS = {
    "not JSON": (lambda parts: lines_with(parts, "note", b"{\n"), "line 2"),
    "not UTF-8": (lambda parts: lines_with(parts, "note", b"\xff\n"), "line 2"),
    "nested without end": (lambda parts: lines_with(parts, "note", b"[" * 100_000), "line 2"),
    "a list": (lambda parts: lines_with(parts, "note", b"[1]\n"), "found [1]"),
    "a number with too many digits": (lambda parts: lines_with(parts, "note", b"1" * 5000), "line 2"),
    "a blank line": (lambda parts: lines_with(parts, "note", b"\n"), "line 2"),
    "a column twice": (lambda parts: lines_with(parts, "note", b'{"id": 1, "id": 2}'), "line 2"),
    "an unknown column": (lambda parts: row_with(parts, "note", more=1), "an unknown column 'more'"),
    "a column missing": (lambda parts: row_with(parts, "note", segment=...), "a row without the column 'segment'"),
    "a text for a number": (lambda parts: row_with(parts, "note", segment="1"), "'1' in the column segment"),
    "a truth for a number": (lambda parts: row_with(parts, "note", segment=True), "True in the column segment"),
    "a fraction for a number": (lambda parts: row_with(parts, "note", segment=1.5), "1.5 in the column segment"),
    "a number without bound": (lambda parts: row_with(parts, "note", segment=10**30), "a huge number"),
    "a number for a text": (lambda parts: row_with(parts, "note", tag=1), "1 in the column tag"),
    "an object for a text": (lambda parts: row_with(parts, "note", tag={"base64": "AA=="}), "in the column tag"),
    "a NUL": (lambda parts: row_with(parts, "note", tag="\0"), "in the column tag"),
    "half a character": (lambda parts: row_with(parts, "note", tag="\ud800"), "in the column tag"),
    "null": (lambda parts: row_with(parts, "note", tag=None), "null in the column tag"),
    "a text for bytes": (lambda parts: row_with(parts, "result", counts="AA=="), "in the column counts"),
    "bytes that are none": (lambda parts: row_with(parts, "result", counts={"base64": "?"}), "in the column counts"),
    "a text for a score": (lambda parts: row_with(parts, "result", score="1"), "'1' in the column score"),
    "a key twice": (lambda parts: lines_with(parts, "note", parts["rows/note.jsonl"]), "line 2"),
    "a reference to nothing": (lambda parts: row_with(parts, "note", person_id=99), "line 1"),
    "a word that is not allowed": (lambda parts: row_with(parts, "token", right="all"), "line 1"),
    "no JSON in a column": (lambda parts: row_with(parts, "comparison", manifest="{"), "manifest of id 1"),
    "other JSON in a column": (lambda parts: row_with(parts, "comparison", manifest="5"), "a JSON object"),
    "a manifest of nothing": (
        lambda parts: row_with(parts, "comparison", manifest="{}"),
        "manifest of id 1: 'systems'",
    ),
    "a manifest with a number for a column": (
        lambda parts: json_with(parts, "comparison", "manifest", source=3),
        "manifest of id 1",
    ),
    "a manifest with one system twice": (
        lambda parts: json_with(
            parts, "comparison", "manifest", systems=json_of(parts, "comparison", "manifest")["systems"] * 2
        ),
        "manifest of id 1",
    ),
    "a manifest of a test set without references": (
        lambda parts: json_with(parts, "test_set", "manifest", references=[]),
        "manifest of id 1",
    ),
    "a manifest of languages that are none": (
        lambda parts: json_with(parts, "test_set", "manifest", languages=["de"]),
        "manifest of id 1",
    ),
    "a recipe of nothing": (lambda parts: row_with(parts, "scores", recipe="{}"), "recipe of id 1: 'said'"),
    "a preference for a word": (lambda parts: row_with(parts, "trial", preferences='{"x":"left"}'), "preferences of"),
    "a preference that is a number": (lambda parts: row_with(parts, "trial", preferences='{"1":2}'), "preferences of"),
    "a tag that is a number": (lambda parts: row_with(parts, "version", tags="[1]"), "tags of id 1"),
    "a name that is null": (lambda parts: row_with(parts, "chosen", names="[null]"), "names of person_id 1"),
    "no list in a column": (lambda parts: row_with(parts, "version", tags="{}"), "a JSON list"),
    "no moment": (lambda parts: row_with(parts, "note", created_at="today"), "a moment in UTC"),
    "a moment without a zone": (lambda parts: row_with(parts, "note", created_at="2026-01-01T00:00:00"), "moment"),
    "a text with a broken escape": (lambda parts: row_with(parts, "note", note="\\u12"), "a text as bleuscope"),
    "a digest that is none": (lambda parts: row_with(parts, "version", digest="../../x"), "texts missing"),
}


@pytest.mark.parametrize("told", [backups.with_true_digests, backups.without_digests])
@pytest.mark.parametrize(("change", "said"), ROWS.values(), ids=ROWS)
def test_a_malformed_row_is_refused(tmp_path, parts, change, said, told):
    file = backups.written(tmp_path / "bad.tar", told(change(parts)))
    assert said in refusal_of(WorkspacePlace(tmp_path / "new"), file)


FOR_A_SERVER = ("half a character", "a number without bound", "a key twice", "a reference to nothing", "a NUL")


def test_malformed_rows_change_nothing_in_a_postgresql(new_place, tmp_path, good, parts):
    for name in FOR_A_SERVER:
        change, said = ROWS[name]
        file = backups.written(tmp_path / "bad.tar", backups.with_true_digests(change(parts)))
        assert said in refusal_of(new_place, file)
    assert_takes_the_good_one(new_place, good)


def test_a_changed_part_is_named_though_its_rows_make_sense(tmp_path, parts):
    file = backups.written(tmp_path / "bad.tar", row_with(parts, "note", segment=7))
    assert "rows/note.jsonl: this backup is damaged" in refusal_of(WorkspacePlace(tmp_path / "new"), file)


def test_a_backup_of_an_older_program_has_no_digests_and_is_restored(new_place, tmp_path, parts):
    file = backups.written(tmp_path / "old.tar", backups.without_digests(parts))
    assert_takes_the_good_one(new_place, file)


def test_a_backup_cut_anywhere_is_refused(tmp_path, good):
    whole = good.read_bytes()
    place, file = WorkspacePlace(tmp_path / "new"), tmp_path / "cut.tar"
    content = len(whole.rstrip(b"\0"))
    for length in [0, 1, 511, 512, 513, *range(1024, content, max(content // 20, 1))]:
        file.write_bytes(whole[:length])
        refusal_of(place, file)
    assert_takes_the_good_one(place, good)


N_MUTATIONS = 150 if settings.get_current_profile_name() == "deep" else 36
"""The first ones of the same draw."""


def mutated(draw, whole):
    """A backup with one change: bytes flipped, a stretch taken out, doubled, or put elsewhere."""
    content, at = bytearray(whole), draw.randrange(len(whole))
    end = min(len(whole), at + draw.choice([1, 2, 16, 512, 1024]))
    kind = draw.randrange(5)
    if kind == 0:
        content[at] ^= 1 << draw.randrange(8)
    elif kind == 1:
        del content[at:end]
    elif kind == 2:
        content[at:at] = content[at:end]
    elif kind == 3:
        content[at:end] = bytes(draw.randrange(256) for _ in range(end - at))
    else:
        other = draw.randrange(len(whole))
        content[at:end] = whole[other : other + end - at]
    return bytes(content)


@pytest.mark.deep
def test_every_mutation_of_a_backup_is_refused_or_restored_whole(tmp_path, good):
    draw, whole = random.Random(29), good.read_bytes()
    restore(WorkspacePlace(tmp_path / "expected"), good)
    with open_workspace(WorkspacePlace(tmp_path / "expected")) as workspace:
        expected, blobs = backups.rows(workspace), set(workspace.blobs.all())
    refusals, folder = [], tmp_path / "one"
    folder.mkdir()
    file, place = folder / "mutated.tar", WorkspacePlace(folder / "new")
    for _ in range(N_MUTATIONS):
        file.write_bytes(mutated(draw, whole))
        before = backups.tree(folder)
        try:
            restore(place, file)
        except WorkspaceError as error:
            refusals.append(error.remedy)
            assert backups.tree(folder) == before
        else:  # what changed means nothing: a date or an owner in a header, or what follows the last part
            with open_workspace(place) as workspace:
                assert (backups.rows(workspace), set(workspace.blobs.all())) == (expected, blobs)
            shutil.rmtree(place.folder)
    assert len(refusals) > N_MUTATIONS // 2
    assert all(remedy.endswith("this restore has changed nothing.") for remedy in refusals)
    assert_takes_the_good_one(place, good)


VALUES = [None, True, 0, -1, 2**63, 1.5, "", "x", "\ud800", "\0", "{}", "[]", [], {}, {"base64": "AA=="}, "a" * 10**6]


@pytest.mark.deep
def test_every_mutation_of_a_row_is_refused_or_restored_so_that_it_can_be_read(tmp_path, parts):
    draw, place, refusals = random.Random(31), WorkspacePlace(tmp_path / "new"), []
    for _ in range(N_MUTATIONS // 3):
        name = draw.choice([one for one in ROW_PARTS if parts[one]])
        lines = parts[name].splitlines(keepends=True)
        at = draw.randrange(len(lines))
        row = json.loads(lines[at])
        row[draw.choice(sorted(row))] = draw.choice(VALUES)
        lines[at] = json.dumps(row).encode() + b"\n"
        file = backups.written(tmp_path / "bad.tar", backups.with_true_digests({**parts, name: b"".join(lines)}))
        try:
            restore(place, file)
        except WorkspaceError as error:
            refusals.append(error)
            assert not place.folder.exists()
        else:
            with open_workspace(place) as workspace:
                backups.rows(workspace)
            shutil.rmtree(place.folder)
    assert refusals
    assert all(str(tmp_path / "bad.tar") in error.where and error.found for error in refusals)


def test_what_is_there_is_not_touched_by_a_restore_that_is_refused(place, tmp_path, good):
    with open_workspace(place) as workspace:
        backups.filled(workspace)
    before = all_rows(place), backups.tree(place.folder)
    with pytest.raises(WorkspaceError, match="there is a workspace already"):
        restore(place, good)
    assert (all_rows(place), backups.tree(place.folder)) == before


def test_a_workspace_without_rows_takes_a_backup(place, good):
    assert_takes_the_good_one(place, good)


def test_a_disk_that_refuses_is_named_and_not_the_backup(tmp_path, good):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(WorkspaceError, match=r"file/new: the backup cannot be restored here .*changed nothing"):
        restore(WorkspacePlace(tmp_path / "file" / "new"), good)


def test_a_backup_that_is_not_there_is_named(tmp_path):
    with pytest.raises(WorkspaceError, match=r"none\.tar: the backup cannot be read \(found no such file"):
        restore(WorkspacePlace(tmp_path / "new"), tmp_path / "none.tar")


def test_a_damaged_text_is_found_when_a_backup_is_made(empty_place, tmp_path):
    with open_workspace(empty_place) as workspace:
        backups.filled(workspace)
        digest = next(iter(workspace.blobs.all()))
        workspace.blobs.path(digest).write_bytes(gzip.compress(b"other"))
        with pytest.raises(WorkspaceError, match="do not have its SHA-256"):
            back_up(workspace, tmp_path / "a.tar")
    assert not list(tmp_path.glob("*.tar")) + list(tmp_path.glob(".*"))
