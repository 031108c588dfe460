"""The page of a rater: what their link leads to, and what it says without one."""

import json

import pytest
from streamlit.runtime.context import ContextProxy

from bleucore.annotation.schemes import MQM
from bleucore.annotation.tasks import Item, Task
from bleuscope.content.comparison import share_words
from bleuscope.features.annotation import words_pen
from bleuscope.features.annotation.of_segments import KEY
from bleuscope.features.annotation.open_store import is_link
from bleuscope.features.annotation.store import AnnotationStore
from bleuscope.registry import segment_panels
from bleuscope.shell.state import workspace_in_use
from bleuscope.shell.state.current_user import HEADER, Entered, written
from bleuscope.shell.state.page_list import PAGES, sections_of
from bleuscope.workspace.people import LOCAL


@pytest.fixture
def store(empty_place):
    workspace_in_use.use(empty_place, is_shared=False)
    yield AnnotationStore(workspace_in_use.workspace())
    workspace_in_use.use(None, is_shared=False)


@pytest.fixture
def me(store):
    return workspace_in_use.workspace().people.person(LOCAL)


@pytest.fixture
def task_id(store, me):
    items = (Item("i0", 0, "secret", "d", "Das <b>Haus</b>", "The house"),)
    return store.create(Task("Ours", MQM, items, ("ann",), {"ann": ("i0",)}), me)


def pens(app):
    found = []

    def look(block):
        for child in block.children.values():
            if hasattr(child, "children"):
                look(child)
            elif child.type == "bidi_component":
                found.append(json.loads(child.proto.json))

    look(app.main)
    return found


def test_a_link_leads_to_the_outputs_of_its_rater_and_names_no_system(store, task_id, open_link):
    app = open_link("annotate", rater=store.link_for(task_id, "ann"))
    assert not app.exception
    (data,) = pens(app)
    assert (data["open"], data["items"][0]["text"], data["is_alone"]) == ("i0", "Das <b>Haus</b>", False)
    assert "secret" not in json.dumps(data)


def test_without_a_link_that_works_the_page_says_what_to_do(store, task_id, open_link):
    for address in ({}, {"rater": "A" * 22}):
        app = open_link("annotate", **address)
        assert [one.value for one in app.info] == [words_pen.NO_LINK]
        assert pens(app) == []


def test_an_ended_task_can_be_read_and_not_changed(store, task_id, open_link):
    link = store.link_for(task_id, "ann")
    store.end(task_id)
    app = open_link("annotate", rater=link)
    assert [one.value for one in app.info] == [words_pen.ENDED]
    assert [one["is_read_only"] for one in pens(app)] == [True]


def test_a_rater_lets_others_see_their_time_and_takes_that_back(store, task_id, open_link):
    app = open_link("annotate", rater=store.link_for(task_id, "ann"))
    for is_shared in (True, False):
        (toggle,) = app.toggle
        toggle.set_value(is_shared).run()
        assert not app.exception
        assert [one.value for one in app.toggle] == [is_shared]
        assert store.task(task_id).shares_time == (("ann",) if is_shared else ())


def test_a_server_that_saves_nothing_says_so(open_link):
    assert [one.value for one in open_link("annotate").info] == [words_pen.NO_WORKSPACE]


def test_the_page_is_behind_segments_and_no_door(store):
    assert PAGES["annotate"].door == "segments"
    assert sections_of(PAGES["segments"]) == ()


def test_segments_opens_the_pen_for_an_output_and_closes_it(store, me, open_link):
    app = open_link("segments", data="sample", segment="3")
    assert pens(app) == []
    app.button(key="_mark_errors").click().run()
    assert not app.exception
    (data,) = pens(app)
    assert data["is_alone"]
    (task,) = store.tasks(me)
    assert task.is_own
    assert [(one.segment, one.text) for one in store.task(task.id).items] == [(2, data["items"][0]["text"])]
    app.button(key="_mark_errors").click().run()
    assert pens(app) == []


def keys_said(app):
    bodies = [str(one.proto.body) for one in app.get("html")]
    (line,) = [body for body in bodies if "bs-key-line" in body]
    (pressed,) = [body for body in bodies if 'class="bs-keys"' in body]
    return (
        "<kbd>E</kbd>" in line,
        'data-panels="e"' in pressed,
        any("mark errors in the output, or stop" in body for body in bodies),
    )


def test_the_key_of_the_pen_is_said_where_it_works_alone(store, open_link):
    assert keys_said(open_link("segments", data="sample", segment="3")) == (True, True, True)
    workspace_in_use.use(None, is_shared=False)
    assert keys_said(open_link("segments", data="sample", segment="3")) == (False, False, False)


def test_the_key_of_the_pen_is_in_the_list_of_keys():
    assert KEY in [panel.key for panel in segment_panels()]


def test_the_gate_learns_which_links_work(store, task_id):
    link = store.link_for(task_id, "ann")
    assert [is_link(one) for one in (link, "A" * 22, "", "x" * 100_000)] == [True, False, False, False]
    store.revoke_links(task_id, "ann")
    assert not is_link(link)


class TestByLinkAlone:
    """Sessions that a rater's link let in, on a server that asks everybody else for its token or a login."""

    @pytest.fixture(autouse=True)
    def entered(self, monkeypatch):
        headers = {HEADER: written(Entered(page="annotate")).decode()}
        monkeypatch.setattr(ContextProxy, "headers", property(lambda _: headers))

    def test_have_the_pen_and_no_way_to_another_page(self, store, task_id, open_link):
        app = open_link("annotate", rater=store.link_for(task_id, "ann"))
        assert [one["open"] for one in pens(app)] == ["i0"]
        assert not app.get("page_link")
        assert workspace_in_use.somebody() is None

    @pytest.mark.parametrize("page", ["overview", "segments", "annotation_results", "projects"])
    def test_have_no_other_page_whatever_the_browser_asks(self, store, task_id, open_link, page):
        app = open_link(page, rater=store.link_for(task_id, "ann"), data="sample", task=task_id)
        assert [one.proto.body for one in app.get("html")][-1:] == [str(share_words.OTHER_PAGE)]
        assert not app.title
        assert not [*app.button, *app.get("page_link"), *app.get("file_uploader"), *app.dataframe]

    def test_have_the_outputs_of_their_own_link_alone(self, store, me, task_id, open_link):
        items = (Item("i9", 0, "other", "d", "Anderes", "Other"),)
        other = store.create(Task("Theirs", MQM, items, ("bob",), {"bob": ("i9",)}), me)
        app = open_link("annotate", rater=store.link_for(task_id, "ann"), task=other)
        assert [[item["text"] for item in one["items"]] for one in pens(app)] == [["Das <b>Haus</b>"]]
        assert pens(open_link("annotate", task=other)) == []

    def test_change_nothing_once_their_link_is_revoked(self, store, task_id, open_link):
        app = open_link("annotate", rater=store.link_for(task_id, "ann"))
        store.revoke_links(task_id, "ann")
        app.toggle[0].set_value(True).run()
        assert store.task(task_id).shares_time == ()
        assert [one.value for one in app.info] == [words_pen.NO_LINK]
