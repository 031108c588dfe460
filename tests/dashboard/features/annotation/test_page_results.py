"""The page Annotations: nothing yet, results of two annotators, a decision, and the way into Human judgements."""

import pytest

from bleucore.annotation.events import Finished, Marked, Scored
from bleucore.annotation.marks import Mark
from bleucore.annotation.schemes import ESA, MQM
from bleucore.annotation.tasks import planned
from bleucore.formats import assemble
from bleuscope.content.comparison.inputs import Inputs
from bleuscope.features.annotation import words
from bleuscope.features.annotation.store import AnnotationStore
from bleuscope.shell.disk import files
from bleuscope.shell.state import workspace_in_use
from bleuscope.workspace.people import LOCAL
from tests import page_texts
from tests.voice import faults_of

FILES = {
    "A.txt": "".join(f"the <b>sentence</b> {n} of A\n" for n in range(8)),
    "B.txt": "".join(f"a sentence {n} of B\n" for n in range(8)),
    "ref.txt": "".join(f"reference {n}\n" for n in range(8)),
}


@pytest.fixture
def open_results(empty_place, open_page):
    workspace_in_use.use(empty_place, is_shared=False)
    yield lambda **address: open_page("annotation_results", FILES, **address)
    workspace_in_use.use(None, is_shared=False)


def texts_of(app):
    return " ".join(str(one.proto.body) for one in app.get("html"))


def annotate(test_set, scheme, *, disagree=True):
    """A task that two annotators have finished, in the workspace that is in use."""
    workspace = workspace_in_use.workspace()
    store = AnnotationStore(workspace)
    plan = planned(test_set, None, ["ann", "bob"], scheme=scheme, overlap=1)
    task_id = store.create(plan, workspace.people.person(LOCAL))
    for annotator in plan.annotators:
        for number, item in enumerate(plan.items_of(annotator)):
            is_marked = annotator == "ann" or not disagree
            bodies = [Marked("m", Mark(0, 3, "major", comment="<i>why</i>"))] if is_marked else []
            bodies += [Scored(40.0 if is_marked else 90.0)] if scheme.has_slider else []
            for place, body in enumerate([*bodies, Finished(3.0)]):
                store.append(task_id, item.id, annotator, body, place, f"{annotator}.{number * 9 + place}")
    return store, task_id


def test_without_a_task_the_page_says_how_to_plan_one(open_results, command_of):
    page = open_results()
    assert words.NO_TASK in [one.value for one in page.info]
    assert "bleuscope annotate plan --annotators ann,bob" in command_of(page)


@pytest.fixture
def test_set_of_files(tmp_path):
    """The texts as the page reads them."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8", newline="")
    inputs = Inputs(systems=tuple(str(tmp_path / name) for name in FILES))
    return assemble(files.read_inputs(inputs))


@pytest.mark.parametrize("scheme", [ESA, MQM], ids=lambda one: one.name)
def test_results_of_two_annotators_stand_side_by_side_without_systems(open_results, test_set_of_files, scheme):
    annotate(test_set_of_files, scheme)
    page = open_results()
    said = texts_of(page)
    assert "&lt;b&gt;sentence" in said
    assert "<b>sentence" not in said
    assert "&lt;i&gt;why" in said
    assert {"Decide as ann", "Decide as bob", "Keep the marks of all"} <= {one.label for one in page.button}
    assert words.TIME_HIDDEN in [one.value for one in page.caption]
    assert not faults_of(page_texts.texts_of(page))


def test_a_decision_is_stored_with_who_decided_and_replaces_both(open_results, test_set_of_files):
    store, task_id = annotate(test_set_of_files, ESA)
    page = open_results()
    next(one for one in page.button if one.label == "Decide as bob").click().run()
    assert not page.exception
    assert not page.error, page.error[0].value
    assert [one.value.replace("\\", "") for one in page.success] == ["you decided: as bob."]
    decisions = [event for event in store.events(task_id) if event.annotator.startswith("adjudicator:")]
    me = f"adjudicator:{workspace_in_use.workspace().people.person(LOCAL).id}:you"
    assert {event.annotator for event in decisions} == {me}
    item = decisions[0].item
    state = store.state(task_id, item, me)
    assert (state.score, state.is_finished, state.comment) == (90.0, True, "as bob")
    next(one for one in page.button if one.label == "Keep the marks of all").click().run()
    assert not page.exception


@pytest.mark.parametrize("scheme", [ESA, MQM], ids=lambda one: one.name)
def test_annotations_become_human_judgements(open_results, test_set_of_files, scheme):
    annotate(test_set_of_files, scheme, disagree=False)
    page = open_results()
    next(one for one in page.button if one.label == words.FEED).click().run()
    assert not page.exception
    assert page.query_params.get("scores")
    assert page.query_params.get("judgements")
