"""What must hold whatever happens to the program, the disk, the clock and others at the same database."""

import random
import resource
import sqlite3
import subprocess
from datetime import UTC, datetime

import pytest
import sqlalchemy as sa

from bleucore import System, TestSet
from bleuscope.annotations import Annotations, SegmentNote
from bleuscope.workspace import comparisons, database, open_workspace, work
from bleuscope.workspace.comparisons import KeptComparison
from bleuscope.workspace.database import FILE
from bleuscope.workspace.errors import WorkspaceError
from bleuscope.workspace.people import LOCAL
from tests.warm_python import warm_python

TEXTS = TestSet([System("ours", ["a b", "c"])], [["a b", "d"]])
WRITES_NOTES = """
import sys
from dataclasses import replace
from pathlib import Path
from bleuscope.annotations import SegmentNote
from bleuscope.workspace import WorkspacePlace, open_workspace
from bleuscope.workspace.people import LOCAL

with open_workspace(WorkspacePlace(Path(sys.argv[1]))) as workspace:
    me = workspace.people.person(LOCAL)
    for segment in range(100_000):
        note = {segment: SegmentNote("tag", f"note {segment}")}
        workspace.work.change(me, "texts", lambda work: replace(work, notes={**work.notes, **note}))
        print(segment, flush=True)
"""


def test_a_note_that_was_confirmed_is_there_after_the_program_was_killed(empty_place):
    drawn = random.Random(17)
    for _ in range(3):
        program = subprocess.Popen(
            [warm_python(), "-c", WRITES_NOTES, str(empty_place.folder)], stdout=subprocess.PIPE, text=True
        )
        wanted = drawn.randrange(5, 40)
        confirmed = -1
        while confirmed < wanted:
            confirmed = int(program.stdout.readline())
        program.kill()
        confirmed = max([confirmed, *map(int, program.stdout.read().split())])
        program.wait()
        program.stdout.close()
        with open_workspace(empty_place) as workspace:
            found, revision = workspace.work.read(workspace.people.person(LOCAL), "texts")
        assert set(range(confirmed + 1)) <= set(found.notes)
        assert all(said == SegmentNote("tag", f"note {segment}") for segment, said in found.notes.items())
        assert revision >= confirmed + 1


def test_a_full_database_is_said_and_nothing_of_the_change_is_kept(empty_place):
    with open_workspace(empty_place) as workspace:
        me = workspace.people.person(LOCAL)
        workspace.work.change(me, "texts", lambda _: Annotations({0: SegmentNote("", "before")}))
        with workspace.database._engine.connect() as connection:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar()

        def bound(connection, _):
            connection.execute(f"PRAGMA max_page_count = {pages}")

        workspace.database._engine.dispose()
        sa.event.listen(workspace.database._engine, "connect", bound)
        long = Annotations({segment: SegmentNote("", "x" * 2_000) for segment in range(100)})
        with pytest.raises(WorkspaceError, match="there is no more room on the disk"):
            workspace.work.change(me, "texts", lambda _: long)
        assert workspace.work.read(me, "texts")[0] == Annotations({0: SegmentNote("", "before")})


def test_a_disk_that_takes_no_more_texts_is_said(empty_place):
    with open_workspace(empty_place) as workspace:
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        many = TestSet([System("ours", [f"{number * 7919 % 10007}" for number in range(60_000)])], [["x"] * 60_000])
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, before[1]))
        try:
            with pytest.raises(WorkspaceError, match=r"the workspace cannot be written to .found file too large"):
                workspace.comparisons.keep(KeptComparison(many, "o", "title"))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        assert workspace.comparisons.find("o") is None
        assert not list(workspace.blobs.unfinished())
        workspace.comparisons.keep(KeptComparison(many, "o", "title"))


def test_a_database_that_another_program_holds_is_waited_for_and_then_said(empty_place, monkeypatch):
    monkeypatch.setattr(database, "SECONDS_TO_WAIT", 0.1)
    with open_workspace(empty_place) as workspace:
        me = workspace.people.person(LOCAL)
        other = sqlite3.connect(empty_place.folder / FILE)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(WorkspaceError, match="another program has been writing to it for long"):
            workspace.work.change(me, "texts", lambda _: Annotations(remarks="x"))
        assert workspace.work.read(me, "texts") == (Annotations(), 0), "reading goes on meanwhile"
        other.close()
        workspace.work.change(me, "texts", lambda _: Annotations(remarks="x"))


def test_a_clock_that_was_set_back_loses_nothing(workspace, monkeypatch):
    me = workspace.people.person(LOCAL)
    workspace.comparisons.keep(KeptComparison(TEXTS, "o", "title"))
    workspace.comparisons.opened(me, "o")
    workspace.work.change(me, "texts", lambda _: Annotations({0: SegmentNote("", "a")}))
    for module in (comparisons, work):
        monkeypatch.setattr(module, "now", lambda: datetime(1999, 1, 1, tzinfo=UTC))
    workspace.comparisons.opened(me, "o")
    workspace.work.change(me, "texts", lambda _: Annotations({0: SegmentNote("", "b")}))
    assert workspace.work.read(me, "texts") == (Annotations({0: SegmentNote("", "b")}), 2)
    assert [one.origin for one in workspace.comparisons.recent(me, 3)] == ["o"]


def test_a_program_writes_nothing_once_a_newer_one_changed_the_schema(workspace):
    me = workspace.people.person(LOCAL)
    with workspace.database.writing() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(WorkspaceError, match="a newer bleuscope has changed this workspace"):
        workspace.work.change(me, "texts", lambda _: Annotations(remarks="x"))


def test_many_threads_write_at_once_without_an_error(workspace):
    from concurrent.futures import ThreadPoolExecutor
    from dataclasses import replace

    me = workspace.people.person(LOCAL)

    def write(segment):
        note = {segment: SegmentNote("", str(segment))}
        workspace.work.change(me, "texts", lambda work: replace(work, notes={**work.notes, **note}))

    with ThreadPoolExecutor(20) as pool:
        list(pool.map(write, range(100)))
    assert set(workspace.work.read(me, "texts")[0].notes) == set(range(100))
