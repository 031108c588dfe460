"""The tour of the sample comparison: what it claims is so, and it can be left at any stop."""

import pytest

from bleucore import System, TestSet, evaluate
from bleuscope import Settings, compare
from bleuscope.content.overview.tour_stops import STOPS
from bleuscope.shell.disk.files import load_sample
from bleuscope.shell.state.page_list import PAGES


@pytest.fixture(scope="module")
def study():
    sample = load_sample().test_set
    return compare(sample, Settings(pair=("neural-10k", "fluent")))


def test_every_stop_is_a_page_and_names_systems_that_are_there(study):
    names = set(study.evaluation.names)
    for stop in STOPS:
        assert stop.page in PAGES
        assert {value for key, value in stop.values.items() if key in ("a", "b")} <= names
    assert [stop.page for stop in STOPS].index("overview") == 0


def test_the_first_is_ahead_by_what_chance_could_give(study):
    first, second, *_ = study.evaluation.ranked()
    assert first == "neural-40k"
    assert study.comparison.pair(first, second).p_value > study.significance.level
    assert "**neural-40k** has the highest BLEU" in STOPS[0].words


def test_two_that_are_level_on_the_whole_are_not_so_in_documents(study):
    test_set = study.test_set
    whole = {name: study.evaluation.systems[name].score.score for name in ("online", "neural-40k")}
    assert abs(whole["online"] - whole["neural-40k"]) < 1
    for document, ahead in (("washing-machine", "neural-40k"), ("support-chat", "online")):
        rows = [row for row, name in enumerate(test_set.documents) if name == document]
        references = [[texts[row] for row in rows] for texts in test_set.references]
        systems = [System(name, [test_set.system(name).hypotheses[row] for row in rows]) for name in whole]
        scored = evaluate(TestSet(systems, references)).systems
        scores = {name: scored[name].score.score for name in whole}
        other = next(name for name in whole if name != ahead)
        assert scores[ahead] > scores[other] + 1


def test_two_with_one_score_differ_in_what_it_is_made_of(study):
    ten, fluent = (study.evaluation.systems[name].score for name in study.pair)
    assert 0.4 < fluent.score - ten.score < 0.6
    assert all(b > a for a, b in zip(ten.precisions, fluent.precisions, strict=True))
    assert fluent.brevity_penalty < ten.brevity_penalty
    assert 0.3 < 1 - fluent.length_ratio < 0.4


def test_a_person_is_last_but_one(study):
    assert study.evaluation.ranked()[-2] == "human"


def test_it_is_begun_gone_on_with_and_left_on_the_sample(open_page):
    app = open_page("overview")
    app.button(key="tour-begin").click().run()
    assert any("Stop 1 of 6" in one.value for one in app.markdown)
    assert "tour-back" not in [one.key for one in app.button]
    app.button(key="tour-leave").click().run()
    assert not any("Stop" in one.value for one in app.markdown)
    assert "tour-begin" in [one.key for one in app.button]


def test_it_is_not_offered_with_texts_of_ones_own(open_page):
    app = open_page("overview", {"a.txt": "one two\n", "b.txt": "one\n", "ref.txt": "one two\n"})
    assert not {"tour-begin", "tour-next"} & {one.key for one in app.button}
