"""What annotators did is in the workspace, on either database."""

import os
import threading

import pytest
import sqlalchemy as sa

from bleucore.annotation.events import Event, Finished, Marked, Removed, Reopened, Scored
from bleucore.annotation.held import adjudicator_of, shown_annotator, what_holds
from bleucore.annotation.marks import Mark
from bleucore.annotation.schemes import ESA, MQM
from bleucore.annotation.tasks import planned
from bleucore.corpus import System, TestSet
from bleucore.errors import InputError
from bleuscope.features.annotation import store as store_module
from bleuscope.features.annotation.own import own_item
from bleuscope.features.annotation.store import AnnotationStore
from bleuscope.workspace import WorkspacePlace, open_workspace, place_of
from bleuscope.workspace.backup import back_up
from bleuscope.workspace.database import Database
from bleuscope.workspace.errors import ForbiddenError, NotFoundError
from bleuscope.workspace.people import LOCAL, Identity
from bleuscope.workspace.place import FOLDER_VARIABLE
from bleuscope.workspace.restoring import restore
from bleuscope.workspace.schema import annotation_event

TEXTS = [f"the sentence {n}" for n in range(6)]
MARK = Mark(0, 3, "major")


@pytest.fixture(scope="module")
def template(postgresql_server):
    """The name of the database of an empty workspace, which others are copied from."""
    name = "template_annotation"
    Database(place_of(postgresql_server.make(name))).close()
    return name


@pytest.fixture(params=["sqlite", "postgresql"])
def workspace(request, tmp_path, monkeypatch):
    if request.param == "sqlite":
        place = request.getfixturevalue("empty_place")
    else:
        monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "workspace"))
        server = request.getfixturevalue("postgresql_server")
        name = f"a{os.getpid()}_{tmp_path.name[-20:].lower()}".replace("-", "_")
        place = place_of(server.make(name, request.getfixturevalue("template")))
    with open_workspace(place) as opened:
        yield opened


@pytest.fixture
def store(workspace):
    return AnnotationStore(workspace)


@pytest.fixture
def me(workspace):
    return workspace.people.person(LOCAL)


@pytest.fixture
def task(store, me):
    test_set = TestSet([System("secret", TEXTS), System("other", TEXTS[::-1])], [TEXTS])
    return store.task(store.create(planned(test_set, None, ["ann", "bob"], scheme=MQM, overlap=0.5), me))


def first(task, annotator="ann"):
    return task.assigned[annotator][0]


def test_a_task_comes_back_as_it_was_stored(store, task):
    assert AnnotationStore(store._workspace).task(task.id) == task
    assert [row.title for row in store.tasks()] == ["Annotation"]


def test_an_event_that_is_sent_again_is_stored_once(store, task):
    item = first(task)
    assert store.append(task.id, item, "ann", Marked("a", MARK), 0, "w.1") == 1
    assert store.append(task.id, item, "ann", Scored(5), 0, "w.2") == 2
    assert store.append(task.id, item, "ann", Marked("a", MARK), 0, "w.1") == 1
    state = store.state(task.id, item, "ann")
    assert (dict(state.marks), state.score, state.revision, state.conflicts) == ({"a": MARK}, 5, 2, ())


def test_annotators_are_not_mixed_up_and_each_has_numbers_of_their_own(store, task):
    shared = next(item for item in task.assigned["ann"] if item in task.assigned["bob"])
    assert store.append(task.id, shared, "ann", Marked("a", MARK), 0, "w.1") == 1
    assert store.append(task.id, shared, "bob", Scored(7), 0, "w.1") == 1
    assert store.state(task.id, shared, "ann").score is None
    assert not store.state(task.id, shared, "bob").marks
    assert set(store.states(task.id)) == {(shared, "ann"), (shared, "bob")}


def test_the_next_item_is_the_first_that_is_not_finished(store, task):
    items = task.items_of("ann")
    assert store.next_item(task.id, "ann") == items[0]
    store.append(task.id, items[0].id, "ann", Finished(3), 0, "w.1")
    store.append(task.id, items[1].id, "ann", Scored(3), 0, "w.2")
    assert store.next_item(task.id, "ann") == items[1]
    assert store.progress(task.id, "ann") == type(store.progress(task.id, "ann"))(len(items), 1, 2)
    store.append(task.id, items[0].id, "ann", Reopened(), 1, "w.3")
    assert store.next_item(task.id, "ann") == items[0]
    for number, item in enumerate(items):
        store.append(task.id, item.id, "ann", Finished(1), 9, f"v.{number}")
    assert store.next_item(task.id, "ann") is None


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (("nowhere", "ann", Scored(5), 0, "w.1"), "no such item"),
        ((None, "eve", Scored(5), 0, "w.1"), "no such annotator"),
        ((None, "ann", Marked("a", Mark(0, 99, "major")), 0, "w.1"), "outside the text"),
        ((None, "ann", Marked("a", Mark(0, 3, "huge")), 0, "w.1"), "severity is unknown"),
        ((None, "ann", Scored(5), 0, "a b"), "id of an event"),
    ],
)
def test_what_cannot_be_said_of_an_item_is_refused(store, task, said, words):
    with pytest.raises(InputError, match=words):
        store.append(task.id, said[0] or first(task), *said[1:])
    assert store.events(task.id) == ()


def test_a_link_leads_to_one_annotator_until_it_is_revoked(store, task):
    links = {name: store.link_for(task.id, name) for name in task.annotators}
    assert {name: store.annotator_of(link) for name, link in links.items()} == {
        name: (task.id, name) for name in task.annotators
    }
    assert store.annotator_of("x" * 22) is None
    assert store.annotator_of("nonsense") is None
    store.revoke_links(task.id, "ann")
    assert store.annotator_of(links["ann"]) is None
    assert store.annotator_of(links["bob"]) == (task.id, "bob")
    with pytest.raises(InputError, match="no such annotator"):
        store.link_for(task.id, "eve")


def test_nothing_can_be_marked_after_the_end_but_what_was_sent_is_acknowledged(store, task):
    store.append(task.id, first(task), "ann", Scored(5), 0, "w.1")
    store.end(task.id)
    assert store.append(task.id, first(task), "ann", Scored(5), 0, "w.1") == 1
    with pytest.raises(InputError, match="the task has ended"):
        store.append(task.id, first(task), "ann", Scored(6), 1, "w.2")
    store.end(task.id, is_over=False)
    assert store.append(task.id, first(task), "ann", Scored(6), 1, "w.2") == 2


def test_the_database_itself_refuses_to_change_an_annotation(store, task, workspace):
    store.append(task.id, first(task), "ann", Scored(5), 0, "w.1")
    with (
        pytest.raises(sa.exc.DBAPIError, match="annotations are only added"),
        workspace.database.writing() as connection,
    ):
        connection.execute(sa.update(annotation_event).values(annotator="eve"))
    assert store.state(task.id, first(task), "ann").score == 5


def test_a_task_goes_with_all_that_was_marked(store, task, me):
    store.append(task.id, first(task), "ann", Scored(5), 0, "w.1")
    link = store.link_for(task.id, "ann")
    store.delete(task.id, me)
    assert store.tasks() == ()
    assert store.annotator_of(link) is None
    with pytest.raises(NotFoundError, match="no such annotation task"):
        store.task(task.id)


def test_the_texts_of_a_task_are_not_swept_away(store, task, workspace):
    workspace.holdings.sweep()
    assert AnnotationStore(workspace).task(task.id) == task


def test_events_of_an_import_are_stored_all_or_none(store, task):
    good = [Event(1, first(task), "ann", Marked("a", MARK), 0), Event(2, first(task), "ann", Finished(0), 1)]
    with pytest.raises(InputError, match="no such item"):
        store.append_all(task.id, [*good, Event(1, "nowhere", "ann", Scored(1), 0)])
    assert store.events(task.id) == ()
    assert store.append_all(task.id, good) == 2
    assert store.state(task.id, first(task), "ann").is_finished


def test_marks_from_segments_go_to_a_task_of_ones_own(store, me):
    test_set = TestSet([System("A", TEXTS), System("B", TEXTS[::-1])], [TEXTS])
    assert store.own(me, test_set.texts_digest) is None
    one = own_item(store, me, test_set, "B", 4)
    assert own_item(store, me, test_set, "B", 4) == one
    other = own_item(store, me, test_set, "A", 5)
    assert one.task_id == other.task_id == store.own(me, test_set.texts_digest)
    assert [item.text for item in store.task(one.task_id).items_of(one.annotator)] == [TEXTS[1], TEXTS[5]]
    assert store.append(one.task_id, other.item.id, one.annotator, Marked("a", MARK), 0, "w.1") == 1
    with pytest.raises(InputError, match="no system of this name"):
        own_item(store, me, test_set, "C", 0)


def test_people_see_their_own_tasks_and_those_of_their_projects(store, workspace):
    ann, bob = (workspace.people.person(Identity("proxy", name, name)) for name in ("ann", "bob"))
    workspace.projects.make("ours", ann)
    plan = planned(TestSet([System("A", TEXTS)], [TEXTS]), None, ["x"], scheme=ESA)
    mine, ours = store.create(plan, ann), store.create(plan, ann, "ours")
    assert {row.id for row in store.tasks(ann)} == {mine, ours}
    assert store.require(ann, mine).maker == ann.id
    assert store.tasks(bob) == ()
    with pytest.raises(NotFoundError):
        store.require(bob, mine)
    workspace.access.give(ann, "ours", bob, "reader")
    assert [row.id for row in store.tasks(bob)] == [ours]
    with pytest.raises(ForbiddenError):
        store.create(plan, bob, "ours")


def test_a_decision_is_stored_as_a_whole_under_the_name_of_who_decided(store, task):
    item, decided = first(task), adjudicator_of(7, "cem")
    bodies = [Marked("d", MARK), Scored(5), Finished(0)]
    assert store.append_decision(task.id, item, decided, bodies, 0) == 3
    with pytest.raises(InputError, match="outside the text"):
        store.append_decision(task.id, item, decided, [Removed("d"), Marked("e", Mark(0, 99, "major"))], 3)
    state = store.state(task.id, item, decided)
    assert (dict(state.marks), state.score, state.is_finished) == ({"d": MARK}, 5, True)
    other = store.append_decision(task.id, item, decided, [Removed("d"), Scored(7), Finished(0)], 3)
    assert (other, store.state(task.id, item, decided).score) == (6, 7)
    with pytest.raises(InputError, match="no such annotator"):
        store.link_for(task.id, decided)


def test_tasks_are_bounded_apart_from_the_marks_of_each_reader(store, task, me, monkeypatch, workspace):
    plan = store.task(task.id)
    monkeypatch.setattr(store_module, "MOST_TASKS", 2)
    store.create(plan, me)
    with pytest.raises(InputError, match="too many annotation tasks"):
        store.create(plan, me)
    ann = workspace.people.person(Identity("proxy", "ann", "Ann"))
    for _ in range(2):
        store.create(plan, me, is_own=True)
        store.create(plan, ann, is_own=True)
    with pytest.raises(InputError, match="bleuscope annotate delete TASK"):
        store.create(plan, ann, is_own=True)
    store.delete(task.id, me)
    store.create(plan, me)


def test_of_two_decisions_the_later_holds(store, task):
    item = first(task)
    before = "adjudicator:cem"  # as earlier versions stored it
    by = (before, adjudicator_of(7, "cem"), adjudicator_of(8, "cem"), adjudicator_of(7, "cem"))
    for score, annotator in enumerate(by):
        store.append_decision(task.id, item, annotator, [Scored(score), Finished(0)], 0)
        (held,) = what_holds(task, store.states(task.id))
        assert (held.annotator, held.state.score) == (annotator, score)
        assert shown_annotator(held.annotator) == "cem (decided)"
    assert {event.annotator for event in store.events(task.id, item)} == set(by)


def test_a_revision_counts_events(store, task):
    before = store.revision(task.id)
    store.append(task.id, first(task), "ann", Finished(1), 0, "w.1")
    assert store.revision(task.id)[2] == before[2] + 1


def test_time_is_shared_by_its_annotator_and_taken_back(store, task):
    store.share_time(task.id, "ann")
    store.share_time(task.id, "ann")
    store.share_time(task.id, "bob")
    assert store.task(task.id).shares_time == ("ann", "bob")
    store.share_time(task.id, "ann", is_shared=False)
    assert AnnotationStore(store._workspace).task(task.id).shares_time == ("bob",)


def test_the_revision_changes_with_the_task_and_with_each_event(store, task):
    seen = {store.revision(task.id)}
    store.append(task.id, first(task), "ann", Scored(5), 0, "w.1")
    seen.add(store.revision(task.id))
    store.share_time(task.id, "ann")
    seen.add(store.revision(task.id))
    assert len(seen) == 3
    store.append(task.id, first(task), "ann", Scored(5), 0, "w.1")
    assert store.revision(task.id) in seen


def test_whoever_writes_in_a_project_decides_and_whoever_reads_does_not(store, workspace):
    ann, bob = (workspace.people.person(Identity("proxy", name, name)) for name in ("ann", "bob"))
    workspace.projects.make("ours", ann)
    ours = store.create(planned(TestSet([System("A", TEXTS)], [TEXTS]), None, ["x"], scheme=ESA), ann, "ours")
    workspace.access.give(ann, "ours", bob, "reader")
    assert [store.may_decide(who, store.require(who, ours)) for who in (ann, bob)] == [True, False]


def test_what_was_marked_is_in_a_backup(store, task, workspace, tmp_path):
    store.append(task.id, first(task), "ann", Marked("a", MARK), 0, "w.1")
    back_up(workspace, tmp_path / "all.tar")
    restore(WorkspacePlace(tmp_path / "new"), tmp_path / "all.tar")
    with open_workspace(WorkspacePlace(tmp_path / "new")) as opened:
        again = AnnotationStore(opened)
        assert again.task(task.id) == task
        assert again.state(task.id, first(task), "ann").marks == {"a": MARK}


def test_four_threads_that_mark_one_item_lose_nothing_and_number_without_gaps(store, task):
    item, n_each, failures = first(task), 15, []

    def mark(window):
        try:
            for n in range(n_each):
                store.append(task.id, item, "ann", Marked(f"{window}-{n}", MARK), n, f"{window}.{n}")
        except Exception as error:  # noqa: BLE001
            failures.append(error)

    threads = [threading.Thread(target=mark, args=(window,)) for window in "stuv"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    events = store.events(task.id, item, "ann")
    assert sorted(event.number for event in events) == list(range(1, 4 * n_each + 1))
    state = store.state(task.id, item, "ann")
    assert len(state.marks) == 4 * n_each
    assert state.conflicts
    removed = store.append(task.id, item, "ann", Removed("s-0"), state.revision, "s.99")
    assert (removed, len(store.state(task.id, item, "ann").marks)) == (4 * n_each + 1, 4 * n_each - 1)


def test_no_task_is_named_as_an_option_is(monkeypatch):
    names = iter(("-vAAAAAAAAAA", "-", "_b-cAAAAAAAA"))
    monkeypatch.setattr(store_module.secrets, "token_urlsafe", lambda _: next(names))
    assert store_module._new_name() == "_b-cAAAAAAAA"
