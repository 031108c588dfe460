"""What is kept comes back as it was, on both databases."""

import gzip
import itertools
import random
from dataclasses import replace
from datetime import UTC, datetime

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from bleucore import InputError, System, TestSet
from bleuscope.annotations import Annotations, BlindTrial, SegmentNote
from bleuscope.workspace import disk_usage, open_workspace, texts
from bleuscope.workspace.blobs import Blobs
from bleuscope.workspace.comparisons import KeptComparison
from bleuscope.workspace.errors import ConflictError, NotFoundError, WorkspaceError
from bleuscope.workspace.events import events
from bleuscope.workspace.people import LOCAL, Identity
from bleuscope.workspace.projects import NewVersion

TEXTS = TestSet(
    [System("ours", ["ein Haus", "zwei\nZeilen", ""], "ours.txt"), System("他", ["一", "二", "三"])],
    [["a house", "two lines", "x"], ["the house", None, ""]],
    ["Haus", "Zeilen", "ا"],
    ["d1", "d1", "d2"],
    {"domain": ["news", "news", "chat"]},
    ["A", "B"],
    ["ref.A.txt", None],
    ("de", "en"),
    are_lines=True,
)
WORK = Annotations(
    {0: SegmentNote("wrong name", "„Haus“ \ud83d"), 2: SegmentNote("", "leer")},
    {
        BlindTrial("d", ("a", "b"), 2): {0: "left", 2: "tie"},
        BlindTrial("d", ("a", "c"), 2): {},
    },
    frozenset({BlindTrial("d", ("a", "b"), 2)}),
    2,
    ("x", "y"),
    "remarks",
)


@pytest.fixture
def me(workspace):
    return workspace.people.person(LOCAL)


def pushed(workspace, me, labels=("v1",), **said):
    project = workspace.projects.make("en-de", me)
    kept = workspace.projects.put_test_set(project, "tiny", TEXTS, me)
    news = [NewVersion("base", label, [f"{label} {line}" for line in range(3)], **said) for label in labels]
    return project, kept, [workspace.projects.push(project, kept, new, me) for new in news]


def test_a_comparison_comes_back_with_all_that_belongs_to_it(workspace, place):
    kept = KeptComparison(TEXTS, "o1", "Ours", {"notices": ["read as latin-1"]}, {"mqm.tsv": b"\x00\xff"})
    workspace.comparisons.keep(kept)
    with open_workspace(place) as again:
        found = again.comparisons.find("o1")
    assert found == kept
    assert found.test_set.digest == TEXTS.digest
    assert found.test_set.languages == ("de", "en")
    assert [system.file for system in found.test_set.systems] == ["ours.txt", None]
    assert workspace.comparisons.find("o2") is None


def test_the_last_opened_comes_first_under_the_name_a_person_gave(workspace, me):
    for number in range(4):
        workspace.comparisons.keep(KeptComparison(TEXTS, f"o{number}", f"title {number}"))
        workspace.comparisons.opened(me, f"o{number}")
    workspace.comparisons.opened(me, "o1")
    workspace.comparisons.rename(me, "o1", " mine ")
    assert [one.name for one in workspace.comparisons.recent(me, 3)] == ["mine", "title 3", "title 2"]
    other = workspace.people.person(Identity("browser", "b" * 32))
    assert workspace.comparisons.recent(other, 3) == ()
    with pytest.raises(NotFoundError):
        workspace.comparisons.opened(me, "gone")


def test_what_the_last_person_deletes_is_gone_from_the_disk(workspace, me):
    other = workspace.people.person(Identity("browser", "b" * 32))
    workspace.comparisons.keep(KeptComparison(TEXTS, "o", "title"))
    for person in (me, other):
        workspace.comparisons.opened(person, "o")
    workspace.comparisons.delete(me, "o")
    assert workspace.comparisons.find("o") is not None
    workspace.comparisons.delete(other, "o")
    assert workspace.comparisons.find("o") is None
    assert list(workspace.blobs.all()) == []


def test_equal_texts_are_kept_once(workspace, me):
    workspace.comparisons.keep(KeptComparison(TEXTS, "o", "title"))
    number = len(list(workspace.blobs.all()))
    project = workspace.projects.make("p", me)
    workspace.projects.put_test_set(project, "t", TEXTS, me)
    assert len(list(workspace.blobs.all())) == number
    workspace.comparisons.opened(me, "o")
    workspace.comparisons.delete(me, "o")
    assert 0 < len(list(workspace.blobs.all())) < number, "what the test set names stays"


def test_work_comes_back_and_only_its_author_s(workspace, me, place):
    workspace.work.change(me, "texts", lambda _: WORK)
    with open_workspace(place) as again:
        assert again.work.read(me, "texts") == (WORK, 1)
    workspace.work.change(me, "texts", lambda work: replace(work, notes={0: SegmentNote("", "new")}, trials={}))
    after = replace(WORK, notes={0: SegmentNote("", "new")}, trials={}, ended=frozenset())
    assert workspace.work.read(me, "texts") == (after, 2)
    assert workspace.work.revision(me, "texts") == 2
    other = workspace.people.person(Identity("proxy", "ann", "Ann"))
    assert workspace.work.read(other, "texts") == (Annotations(), 0)
    workspace.work.change(other, "texts", lambda _: Annotations({0: SegmentNote("t", "hers")}))
    assert (workspace.work.read(me, "texts")[0], workspace.work.authors("texts")) == (after, (me, other))
    workspace.work.forget(other, "texts")
    assert (workspace.work.read(me, "texts")[0], workspace.work.read(other, "texts")[0]) == (after, Annotations())


def test_a_change_that_fails_changes_nothing(workspace, me):
    workspace.work.change(me, "texts", lambda _: WORK)

    def fail(_):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        workspace.work.change(me, "texts", fail)
    assert workspace.work.read(me, "texts") == (WORK, 1)


def test_the_same_push_is_the_same_version(workspace, me):
    project, kept, (first,) = pushed(workspace, me, step=7, config={"lr": 1e-4}, tags=("best",))
    assert first.is_new
    (again,) = pushed(workspace, me, step=7, config={"lr": 1e-4}, tags=("best",))[2]
    assert again == replace(first, is_new=False)
    assert workspace.projects.versions(project, kept) == (again,)
    assert [event.action for event in events(workspace.database)] == ["version pushed", "test set kept", "project made"]
    assert (first.step, first.config, first.tags) == (7, {"lr": 1e-4}, ("best",))


def test_other_outputs_under_a_label_are_refused_with_the_way_out(workspace, me):
    project, kept, _ = pushed(workspace, me)
    with pytest.raises(ConflictError, match="Push under another label"):
        workspace.projects.push(project, kept, NewVersion("base", "v1", ["x"] * 3), me)
    changed = replace(TEXTS, source=["Haus", "Zeilen", "b"])
    with pytest.raises(ConflictError, match="Give the new texts another name"):
        workspace.projects.put_test_set(project, "tiny", changed, me)


def test_a_push_of_another_length_says_so(workspace, me):
    project, kept, _ = pushed(workspace, me)
    with pytest.raises(InputError, match="found 2, expected 3 as in test set tiny"):
        workspace.projects.push(project, kept, NewVersion("base", "v2", ["x"] * 2), me)


def test_versions_come_in_the_order_of_their_steps_with_their_texts(workspace, me):
    project, kept, _ = pushed(workspace, me, ("v10",), step=10)
    pushed(workspace, me, ("v2",), step=2)
    found = workspace.projects.versions(project, kept, "base")
    assert [one.label for one in found] == ["v2", "v10"]
    test_set = workspace.projects.texts(kept, found)
    assert test_set.system_names == ("base v2", "base v10")
    assert test_set.systems[0].hypotheses == ("v2 0", "v2 1", "v2 2")
    assert (test_set.references, test_set.source, test_set.documents) == (
        TEXTS.references,
        TEXTS.source,
        TEXTS.documents,
    )


@pytest.mark.parametrize("name", ["", "A", "a b", "ä", "../x", "-a", "a" * 65])
def test_a_project_needs_a_name_for_addresses(workspace, me, name):
    with pytest.raises(InputError, match="no name of a project"):
        workspace.projects.make(name, me)


@pytest.mark.parametrize("name", ["", " ", "a\nb", "\x1b[31m", "x" * 201])
def test_names_are_what_can_be_shown_in_a_line(workspace, me, name):
    project, kept, _ = pushed(workspace, me)
    with pytest.raises(InputError, match="no name"):
        workspace.projects.push(project, kept, NewVersion("base", name, ["x"] * 3), me)
    assert len(workspace.projects.versions(project)) == 1


def test_what_was_done_cannot_be_told_otherwise(workspace, me):
    pushed(workspace, me)
    for change in ("UPDATE event SET action = 'x'", "DELETE FROM event"):
        with pytest.raises(sa.exc.DBAPIError, match="only added"), workspace.database.writing() as connection:
            connection.execute(sa.text(change))
    assert len(events(workspace.database)) == 3


def test_a_newer_schema_is_refused_in_a_sentence(workspace, place):
    with workspace.database.writing() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(WorkspaceError, match="a newer bleuscope has changed this workspace"):
        open_workspace(place)


def test_the_tables_are_those_that_the_scripts_make(new_place):
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    from bleuscope.workspace.schema import metadata

    with open_workspace(new_place) as workspace, workspace.database.reading() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_a_blob_that_is_gone_or_changed_is_named(workspace, me):
    _, _, (first,) = pushed(workspace, me)
    path = workspace.blobs.folder / first.digest[:2] / f"{first.digest[2:]}.gz"
    path.write_bytes(gzip.compress(b"[]"))
    with pytest.raises(WorkspaceError, match="the texts of this file do not have its SHA-256"):
        workspace.projects.outputs(first)
    path.write_bytes(b"no gzip")
    with pytest.raises(WorkspaceError, match="cannot be read"):
        workspace.projects.outputs(first)
    path.unlink()
    with pytest.raises(WorkspaceError, match=r"is gone.*backup"):
        workspace.projects.outputs(first)


def test_a_full_workspace_refuses_more_and_keeps_what_it_has(place):
    with open_workspace(place, most_bytes=100) as workspace:
        with pytest.raises(WorkspaceError, match="the workspace is full"):
            workspace.comparisons.keep(KeptComparison(TEXTS, "o", "title"))
        assert workspace.comparisons.find("o") is None
        assert list(workspace.blobs.all()) == []


def test_blobs_are_not_all_looked_at_for_each_that_comes_and_what_goes_makes_room(place, monkeypatch):
    looks = []
    real = Blobs.all
    monkeypatch.setattr(Blobs, "all", lambda blobs: looks.append(1) or real(blobs))
    with open_workspace(place, most_bytes=2_000) as workspace:
        me = workspace.people.person(LOCAL)
        many = (TestSet([System("ours", [f"{number}"] * 3)], [["a", "b", "c"]]) for number in range(100))

        def keep(number, one):
            workspace.comparisons.keep(KeptComparison(one, f"o{number}", "title"))

        for number in range(10):
            keep(number, next(many))
        assert len(looks) == 1
        with pytest.raises(WorkspaceError, match="the workspace is full"):
            list(itertools.starmap(keep, enumerate(many, 10)))
        assert len(looks) == 2, "once at the first, once before it is refused"
        assert workspace.holdings.n_bytes() <= 2_000
        workspace.comparisons.opened(me, "o0")
        workspace.comparisons.delete(me, "o0")
        keep(99, TestSet([System("ours", ["99"] * 3)], [["a", "b", "c"]]))


def test_what_another_program_placed_counts_after_a_while(place, monkeypatch):
    with open_workspace(place, most_bytes=1_000) as workspace, open_workspace(place) as other:
        workspace.comparisons.keep(KeptComparison(TestSet([System("a", ["b"])], [["c"]]), "o", "title"))
        other.blobs.place(other.blobs.prepare(bytes(random.Random(1).randbytes(2_000))))
        more = KeptComparison(TestSet([System("a", ["d"])], [["e"]]), "p", "title")
        monkeypatch.setattr(disk_usage, "SECONDS_COUNTED", -1.0)
        with pytest.raises(WorkspaceError, match="the workspace is full"):
            workspace.comparisons.keep(more)


def test_a_sweep_leaves_what_is_named_and_takes_what_is_not(workspace, me):
    pushed(workspace, me)
    named = set(workspace.blobs.all())
    workspace.blobs.place(workspace.blobs.prepare(b"nobody names this"))
    assert workspace.holdings.sweep().n_blobs == 1
    assert set(workspace.blobs.all()) == named


def test_moments_are_in_utc(workspace, me):
    made_at = datetime(2026, 1, 2, 3, 4, 5, 6, tzinfo=UTC)
    project, _, _ = pushed(workspace, me, made_at=made_at)
    assert workspace.projects.versions(project)[0].made_at == made_at


@given(st.lists(st.none() | st.text(st.characters(exclude_categories=["Cs"]))))
def test_any_column_of_texts_comes_back(column):
    assert texts.read(texts.written(column), "here") == tuple(column)


@pytest.mark.parametrize("data", [b"", b"{}", b"[1]", b"\xff", b"[" * 100_000])
def test_what_is_no_column_is_refused(data):
    with pytest.raises(WorkspaceError, match="no column of texts"):
        texts.read(data, "here")


def test_notes_on_comparisons_beside_a_test_set_are_counted(workspace, me):
    _, kept, versions = pushed(workspace, me, ("v1", "v2"))
    compared, other = workspace.projects.texts(kept, versions), TestSet([System("x", ["a"])], [["b"]])
    for one in (compared, TEXTS, other):
        workspace.comparisons.keep(KeptComparison(one, one.digest[:32], "Opened"))
    for one in (compared, other):
        workspace.work.change(me, one.texts_digest, lambda _: WORK)
    assert workspace.work.n_notes_beside([kept.digest]) == 2
    assert workspace.work.n_notes_beside([]) == 0


def test_runs_of_a_version_stand_beside_each_other(workspace, me):
    project, kept, (whole,) = pushed(workspace, me)

    def push(run, outputs):
        return workspace.projects.push(project, kept, NewVersion("base", "v1", outputs, run=run), me)

    first, second = push("1", ["a", "b", "c"]), push("seed 2", ["a", "b", "d"])
    assert (first.is_new, second.is_new) == (True, True)
    assert push("1", ["a", "b", "c"]) == replace(first, is_new=False)
    found = workspace.projects.versions(project, kept)
    assert [(one.label, one.run) for one in found] == [("v1", None), ("v1", "1"), ("v1", "seed 2")]
    assert found[0] == replace(whole, is_new=False)
    assert workspace.projects.texts(kept, found).system_names == ("base v1", "base v1, run 1", "base v1, seed 2")
    with pytest.raises(ConflictError, match=r"other outputs have this label and run already.*another run or label"):
        push("1", ["x", "y", "z"])
    with pytest.raises(
        ConflictError, match=r"another run of this version has the same outputs .found the outputs of v1"
    ):
        push("3", ["a", "b", "c"])
    assert len(workspace.projects.versions(project, kept)) == 3
    with pytest.raises(InputError, match="no name"):
        push("", ["x", "y", "z"])


def test_an_earlier_workspace_keeps_its_versions_and_takes_runs(new_place):
    from bleuscope.workspace import database
    from bleuscope.workspace.migrations import make_anew

    with open_workspace(new_place) as workspace:
        project, kept, (first,) = pushed(workspace, workspace.people.person(LOCAL), ("v1",), step=3, tags=("a",))
        with workspace.database.reading() as connection:
            names = ("person", "project", "test_set", "system", "version")
            kept_rows = {name: connection.execute(sa.text(f"SELECT * FROM {name}")).mappings().all() for name in names}
    with database.Database(new_place, is_to_be_replaced=True) as old, old.migrating() as connection:
        make_anew(connection, "0002")
        for name, rows in kept_rows.items():
            for row in rows:
                said = {key: value for key, value in row.items() if (name, key) != ("version", "run")}
                columns = ", ".join(said)
                values = ", ".join(f":{key}" for key in said)
                connection.execute(sa.text(f"INSERT INTO {name} ({columns}) VALUES ({values})"), said)
            if connection.dialect.name == "postgresql":
                connection.execute(sa.text(f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), {len(rows)})"))
    with open_workspace(new_place) as workspace:
        assert workspace.projects.versions(project, kept) == (replace(first, is_new=False),)
        with workspace.database.reading() as connection:
            assert connection.execute(database.SCHEMA_NOW).scalar() == database.REVISIONS[-1]
            indices = {one["name"] for one in sa.inspect(connection).get_indexes("version")}
        assert "ix_version_test_set" in indices
        run = NewVersion("base", "v1", ["x"] * 3, run="2")
        assert workspace.projects.push(project, kept, run, workspace.people.person(LOCAL)).is_new
        assert len(workspace.projects.versions(project, kept)) == 2
