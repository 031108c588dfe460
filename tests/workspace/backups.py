"""Backups to restore: a workspace with something of each kind, and archives changed part by part."""

import hashlib
import io
import json
import tarfile

import sqlalchemy as sa

from bleucore import System, TestSet
from bleuscope.annotations import Annotations, BlindTrial, SegmentNote
from bleuscope.workspace.attachments import KeptBeside
from bleuscope.workspace.columns import now
from bleuscope.workspace.comparisons import KeptComparison
from bleuscope.workspace.people import LOCAL
from bleuscope.workspace.projects import NewVersion
from bleuscope.workspace.schema import metadata, result

TEXTS = TestSet(
    [System("ours", ["ein Haus", "", "三"])], [["a house", None, "x"], ["b", "c", "d"]], languages=("de", "en")
)
HEAD = "workspace.json"


def filled(workspace):
    """A workspace with something of each kind."""
    me = workspace.people.person(LOCAL)
    workspace.comparisons.keep(KeptComparison(TEXTS, "o", "Ours", {"x": [1]}, {"f": b"\x00"}))
    workspace.comparisons.opened(me, "o")
    trial = BlindTrial("d", ("a", "b"), 1)
    workspace.work.change(me, "t", lambda _: Annotations({0: SegmentNote("", "before")}, remarks="earlier remarks"))
    workspace.work.change(
        me, "t", lambda _: Annotations({0: SegmentNote("\ud800", "\x00'\"")}, {trial: {0: "left"}}, frozenset({trial}))
    )
    project = workspace.projects.make("p", me)
    kept = workspace.projects.put_test_set(project, "t", TEXTS, me)
    for step in range(5):
        new = NewVersion("base", f"v{step}", [f"a {step}", "b", "c"], step, tags=("best",) if step == 1 else ())
        workspace.projects.push(project, kept, new, me)
    return me, project, kept


def filled_with_everything(workspace):
    """The same, with rows in every table that takes any."""
    me, project, kept = filled(workspace)
    workspace.beside.keep("scores", "key", KeptBeside({"a": 1}, [("s.tsv", b"1\t2\n")]))
    workspace.tokens.make(project, me, "read")
    of = {"test_set_id": kept.id, "digest": "d", "signature": "s", "score": 0.1 + 0.2, "interval": ""}
    with workspace.database.writing() as connection:
        connection.execute(sa.insert(result).values(**of, counts=b"\x00\xff", made_at=now()))
    return me, project, kept


def rows(workspace):
    """All rows, by table."""
    with workspace.database.reading() as connection:
        asked = {table.name: sa.select(table).order_by(*table.primary_key.columns) for table in metadata.sorted_tables}
        return {name: connection.execute(one).all() for name, one in asked.items()}


def parts_of(file):
    """The contents of an archive by name."""
    with tarfile.open(file) as archive:
        return {member.name: archive.extractfile(member).read() for member in archive}


def written(file, parts, *more):
    """An archive with these parts, and with members as they are; the file."""
    with tarfile.open(file, "w") as archive:
        for name, content in parts.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
        for member, content in more:
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return file


def with_true_digests(parts):
    """The parts with a description that fits them, as whoever changes a backup on purpose writes it."""
    head = json.loads(parts[HEAD])
    head["parts"] = {
        name: {"n_bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        for name, content in parts.items()
        if name != HEAD
    }
    return {**parts, HEAD: json.dumps(head).encode()}


def without_digests(parts):
    """The parts as older programs wrote them."""
    head = json.loads(parts[HEAD])
    head.pop("parts", None)
    return {HEAD: json.dumps(head).encode(), **{name: content for name, content in parts.items() if name != HEAD}}


def tree(folder):
    """What lies beneath a folder: names and contents."""
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}
