"""What goes between the pen and the store is stored once, or refused, or sent again."""

import pytest

from bleucore.annotation.marks import Mark
from bleucore.annotation.schemes import ESA, MQM
from bleucore.annotation.tasks import Item, Task
from bleuscope.features.annotation.pen_letters import (
    Answer,
    answered,
    direction,
    for_browser,
    scheme_for_browser,
)
from bleuscope.features.annotation.store import AnnotationStore
from bleuscope.workspace import open_workspace
from bleuscope.workspace.errors import UnwritableError
from bleuscope.workspace.people import LOCAL

TEXT = "Cafe\u0301 zu 👩\u200d👧"
MARK = {"start": 0, "end": 5, "severity": "major", "category": "", "side": "target", "comment": ""}


@pytest.fixture
def workspace(empty_place):
    with open_workspace(empty_place) as opened:
        yield opened


@pytest.fixture
def store(workspace):
    return AnnotationStore(workspace)


@pytest.fixture
def task(workspace, store):
    items = tuple(Item(f"i{n}", n, "secret-system", "secret-document", TEXT, "A café shut") for n in range(8))
    ids = tuple(item.id for item in items)
    task = Task("Ours", MQM, items, ("ann", "bob"), {"ann": ids, "bob": ids}, languages=("en", "fr"))
    return store.task(store.create(task, workspace.people.person(LOCAL)))


def event(number, kind="marked", item="i0", base=0, **said):
    body = {"kind": kind, "mark_id": "m1", "mark": MARK} if kind == "marked" else {"kind": kind, **said}
    return {"client_id": f"w.{number}", "item": item, "base": base, "order": number, "body": body}


def letter(*events, number=1, asked=None):
    return {"number": number, "open": asked, "events": list(events)}


def test_a_letter_is_stored_once_however_often_it_comes(store, task):
    sent = letter(event(1), event(2, "scored", score=80))
    first = answered(store, task.id, "ann", sent)
    assert (first.acknowledged, first.refused) == ({"w.1": 1, "w.2": 2}, {})
    assert answered(store, task.id, "ann", sent).acknowledged == first.acknowledged
    state = store.state(task.id, "i0", "ann")
    assert (state.marks, state.score) == ({"m1": Mark(0, 5, "major")}, 80.0)
    assert store.state(task.id, "i0", "bob").marks == {}


def test_a_mark_that_splits_a_grapheme_is_refused_and_the_rest_is_stored(store, task):
    wrong = event(1)
    wrong["body"]["mark"] = {**MARK, "end": 4}
    found = answered(store, task.id, "ann", letter(wrong, event(2), event(3, item="not there")))
    assert found.acknowledged == {"w.2": 1}
    assert "splits a grapheme" in found.refused["w.1"]
    assert "no such item" in found.refused["w.3"]


@pytest.mark.parametrize(
    "sent",
    [
        None,
        "x",
        {"number": "1", "events": []},
        {"number": -1, "events": []},
        {"number": 10**12, "events": []},
        {"number": 1, "events": None},
        {"number": 1, "events": ["x", {"client_id": 3}, {"client_id": "y" * 10_000}]},
        {"number": 1, "events": "abc"},
    ],
)
def test_what_is_no_letter_stores_nothing(store, task, sent):
    found = answered(store, task.id, "ann", sent)
    assert (dict(found.acknowledged), store.events(task.id)) == ({}, ())


def test_an_event_that_is_none_is_refused(store, task):
    for number, body in enumerate([None, [], {"kind": "hack"}, {"kind": "scored", "score": "x"}], start=1):
        sent = {**event(number), "body": body}
        assert list(answered(store, task.id, "ann", letter(sent)).refused) == [f"w.{number}"]


def test_what_cannot_be_written_now_is_neither_acknowledged_nor_refused(store, task, monkeypatch):
    def full(*_):
        raise UnwritableError("the disk is full", where="The workspace")

    monkeypatch.setattr(store, "append", full)
    found = answered(store, task.id, "ann", letter(event(1), number=7))
    assert (found.number, dict(found.acknowledged), dict(found.refused)) == (7, {}, {})


def test_the_browser_gets_the_open_item_and_the_next_ones_without_names(store, task):
    answered(store, task.id, "ann", letter(*(event(n, "finished", item=f"i{n}", seconds=2) for n in (0, 1, 3))))
    data = for_browser(store, task, "ann", Answer(), items=task.items_of("ann"))
    assert (data["open"], data["of"], data["n_finished"], data["is_done"]) == ("i2", 8, 3, False)
    assert [one["item"] for one in data["items"]] == ["i1", "i2", "i3", "i4", "i5", "i6"]
    assert "secret" not in str(data)
    back = for_browser(store, task, "ann", Answer(asked="i0"), items=task.items_of("ann"))
    assert back["open"] == "i0"
    assert [one["item"] for one in back["items"]] == ["i0", "i1", "i2", "i4", "i5"]


def test_after_the_last_item_all_is_done(store, task):
    answered(store, task.id, "ann", letter(*(event(n, "finished", item=f"i{n}", seconds=2) for n in range(8))))
    data = for_browser(store, task, "ann", Answer(), items=task.items_of("ann"))
    assert (data["open"], [one["item"] for one in data["items"]], data["is_done"]) == (None, ["i7"], True)
    read = for_browser(store, task, "ann", Answer(), items=task.items_of("ann"), is_read_only=True)
    assert (read["open"], read["is_done"]) == ("i0", False)
    alone = for_browser(store, task, "ann", Answer(), items=task.items_of("ann")[:1], is_alone=True)
    assert (alone["open"], alone["is_done"]) == ("i0", False)


def test_every_subcategory_has_a_letter_of_its_own():
    said = scheme_for_browser(MQM)
    for category in said["categories"]:
        letters = [part["key"] for part in category["parts"]]
        assert all(letters)
        assert len(set(letters)) == len(letters)
    assert scheme_for_browser(ESA)["has_slider"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [("abc", "ltr"), ("", "ltr"), ("12 – שלום", "rtl"), ("مرحبا abc", "rtl"), ("“A” مرحبا", "ltr"), ("我喜欢", "ltr")],
)
def test_a_text_runs_as_its_first_letter_does(text, expected):
    assert direction(text) == expected


def test_what_comes_after_the_end_of_a_task_waits_in_the_browser_until_it_is_reopened(store, task):
    store.end(task.id)
    waiting = answered(store, task.id, "ann", letter(event(1)))
    assert (waiting.acknowledged, waiting.refused) == ({}, {})
    store.end(task.id, is_over=False)
    assert answered(store, task.id, "ann", letter(event(1), number=2)).acknowledged == {"w.1": 1}


def test_a_category_that_the_scheme_lacks_is_refused(store, task):
    for category, is_known in (
        ("accuracy", True),
        ("accuracy/omission", True),
        ("x\tMinor\nrow", False),
        ("tone", False),
    ):
        sent = event(len(category), mark_id=category)
        sent["body"] |= {"mark": {**MARK, "category": category}}
        assert bool(answered(store, task.id, "ann", letter(sent)).acknowledged) == is_known
