"""The list to read: a row for each segment, with only what differs marked."""

from dataclasses import replace

import numpy as np
import pytest
from markupsafe import Markup

from bleucore.evaluation import evaluate_metric
from bleucore.metrics.segment_scores import SegmentScores, SystemScores
from bleuscope.content.comparison.differences import segment_differences
from bleuscope.content.segments.reading_list import (
    LINES,
    MAX_CHARACTERS,
    ListView,
    ahead_html,
    exchange_html,
    list_html,
    open_head,
    open_html,
    row_htmls,
)
from bleuscope.content.style import numbers

TEXTS = {
    "a": ["the cat sat on a mat", "same here", "猫が座る", ""],
    "b": ["the cat lay on the mat", "same here", "猫が立つ", "something"],
    "c": ["a third system", "says this", "猫", "here"],
}
REFERENCES = [["the cat sat on the mat", "same here", "猫が立つ", "thing"], ["a cat sat", None, "ねこ", "some"]]


@pytest.fixture(scope="module")
def study(score_texts):
    scored = score_texts(TEXTS, REFERENCES, documents=["d1", "d1", "<b>", "d2"], source=["Die Katze", "S", "K", "E"])
    return scored.study(("a", "b"))


@pytest.fixture
def rows(study, read_html):
    """Reads all four rows: ``rows(lines=…)``."""

    def read(shown=study, **view):
        found = row_htmls(shown, np.arange(4), 1, None, ListView(**view))
        return [read_html(one) for one in found]

    return read


def lines(row):
    """The texts of a row with what stands before them."""
    signs = [element.text for element in row.of_class("bs-sign-of")]
    return list(zip(signs, [element.text for element in row.of_tag("p")], strict=True))


def test_a_row_has_the_reference_above_a_and_b_each_with_its_score(study, rows):
    first = rows()[0]
    assert lines(first) == [("ref", REFERENCES[0][0]), ("A", TEXTS["a"][0]), ("B", TEXTS["b"][0])]
    scores = [float(study.metric.systems[name].segment_scores[0]) for name in "ab"]
    assert [element.text for element in first.of_class("bs-score")] == ["", *(f"{score:.2f}" for score in scores)]


def test_a_head_has_number_document_and_difference_and_opens_its_place(study, read_html):
    row = read_html(row_htmls(study, np.array([2, 0]), 21, np.array([0.5, 0, -0.25, 0]), ListView())[0])
    (head,) = row.of_class("bs-head")
    assert head.text.startswith("#3<b>−0.2500Δ ")
    assert (head.attributes["data-go"], head.attributes["aria-expanded"]) == ("21", "false")
    (opened,) = read_html(open_head(study, 2, 21, None)).of_class("bs-head")
    assert (opened.attributes["data-go"], opened.attributes["aria-expanded"]) == ("0", "true")


def test_a_head_says_what_became_of_a_segment_from_one_version_to_the_next(study, read_html):
    texts = [[study.test_set.system(name).hypotheses[row] for name in "ab"] for row in range(4)]
    gains = np.sign(segment_differences(study.evaluation, ("a", "b"), study.metric))

    def said(versions):
        page = read_html(list_html(row_htmls(study, np.arange(4), 1, None, ListView(versions=versions))))
        return [one.text for one in page.of_class("bs-change")]

    words = {1: "▲ improved", -1: "▼ regressed", 0: "~ reworded"}
    for versions, sign in ((("a", "b"), 1), (("b", "a"), -1)):  # whichever of them is A
        expected = ["= unchanged" if a == b else words[sign * gain] for (a, b), gain in zip(texts, gains, strict=True)]
        assert said(versions) == expected
    assert len(set(said(("a", "b")))) > 1
    assert said(None) == said(("a", "c")) == []


def test_the_segment_ahead_holds_the_head_and_the_texts_as_they_stand_once_it_is_open(study, read_html):
    head, texts = open_head(study, 2, 21, None), open_html(2, Markup("<p>{}</p>").format("<猫>"))
    (ahead,) = read_html(ahead_html(21, head, texts)).of_class("bs-ahead")
    assert ahead.attributes["data-place"] == "21"
    assert ahead.text == f"{head}{texts}"
    assert read_html(ahead.text).of_tag("h2")[0].text == "Segment 3"
    assert "<猫>" not in ahead.text


def exchanged(rows, study):
    """Rows with B as A, as ``exchange.js`` makes them of these: signs, texts, scores and names by lines."""
    other = dict(zip(study.pair, study.pair[::-1], strict=True))
    found = []
    for row in rows:
        signs, texts, scores = row.of_class("bs-sign-of"), row.of_tag("p"), row.of_class("bs-score")
        beside = zip(signs, texts, scores, strict=True)
        lines = {sign.text: [other.get(sign.attributes["title"]), *rest] for sign, *rest in beside}
        if "A" in lines:
            lines["A"][1:], lines["B"][1:] = lines["B"][1:], lines["A"][1:]
        found.append([[numbers.other_way(one.text) for one in row.of_class("bs-signed")], lines])
    return found


def test_b_as_a_is_an_exchange_of_lines_and_signs_where_the_browser_is_told_so(sample, hostile, study, read_html):
    for shown, view in (
        (study, ListView()),
        (study, ListView(lines=frozenset(LINES), others=("c",))),
        (sample.study(), ListView(lines=frozenset(LINES), versions=sample.study().pair)),
        (hostile.study(), ListView(lines=frozenset(LINES), others=hostile.test_set.system_names[1:-1])),
    ):
        rows, swapped = np.arange(min(40, shown.test_set.n_segments)), shown.swapped()
        parts = (shown.parts, swapped.parts)
        before, after = (
            [read_html(one) for one in row_htmls(of, rows, 1, of_it, view)]
            for of, of_it in zip((shown, swapped), parts, strict=True)
        )
        told = read_html(exchange_html(shown, rows, parts, view)).of_class("bs-exchanged-as")
        assert [(one.attributes["data-a"], one.attributes["data-b"]) for one in told] == [shown.pair]
        as_exchanged = exchanged(before, shown)
        for (signed, lines), row in zip(as_exchanged, after, strict=True):
            assert [one.text for one in row.of_class("bs-signed")] == signed
            for sign, text, score in zip(
                row.of_class("bs-sign-of"), row.of_tag("p"), row.of_class("bs-score"), strict=True
            ):
                assert lines[sign.text][0] in (None, sign.attributes["title"])
                if "A" in sign.text or "B" in sign.text:
                    assert lines[sign.text][1:] == [text, score]


def test_no_exchange_where_numbers_are_rounded_otherwise_or_equal_outputs_have_other_scores(study, sample):
    rows, half = np.arange(4), np.array([0.00005, 0.0, 0.0, 0.0])
    assert exchange_html(study, rows, (half, -half), ListView())
    assert not exchange_html(study, rows, (half, -half * (1 - 1e-9)), ListView())
    first, second = (study.test_set.system(name) for name in study.pair)
    scores = {name: SystemScores(rows + 1, rows / 4.0 + place, rows) for place, name in enumerate(TEXTS)}
    read = evaluate_metric(study.test_set, SegmentScores("read", "read.tsv", scores))
    assert first.hypotheses[1] == second.hypotheses[1]
    assert not exchange_html(replace(study, metric=read), np.array([1]), (None, None), ListView())
    assert exchange_html(replace(study, metric=read), np.array([0]), (None, None), ListView())
    alone = replace(sample.study(), sides=(sample.evaluation.names[0],) * 2)
    assert not exchange_html(alone, rows, (None, None), ListView())


def test_only_what_differs_is_marked(rows):
    first, equal, other, _ = rows()
    assert [element.text for element in first.of_class("bs-token")] == ["sat", "a", "lay", "the"]
    assert [element.text for element in first.of_class("bs-differs")] == ["lay"]
    assert [element.text for element in first.of_class("bs-m1")] == ["a"]
    assert not equal.of_class("bs-token")
    assert other.of_class("bs-token")


def test_layers_that_are_off_leave_no_marks(rows):
    assert not rows(layers=frozenset())[0].of_class("bs-token")


def test_an_ngram_that_is_looked_for_has_a_box_in_outputs_and_references(rows):
    first = rows(ngram=("the", "mat"))[0]
    assert [element.text for element in first.of_class("bs-ngram")] == ["the", "mat", "the", "mat"]


def test_equal_outputs_stand_on_one_line(rows):
    assert lines(rows()[1]) == [("ref", "same here"), ("A=B", "same here")]


def test_further_lines_are_there_when_they_are_asked_for(study, rows):
    first, second, *_ = rows(lines=frozenset(LINES), others=("c",))
    assert [sign for sign, _ in lines(first)] == ["src", "ref", "ref", "A", "B", "◆"]
    assert [sign for sign, _ in lines(second)] == ["src", "ref", "A=B", "◆"], "one reference is missing"
    assert [sign for sign, _ in lines(rows(lines=frozenset())[0])] == ["A", "B"]


def test_scores_of_other_metrics_are_named(sample, sample_errors, read_html):
    study = sample.study()
    evaluation = replace(study.evaluation, metrics={**study.evaluation.metrics, "errors": sample_errors})
    view = ListView(lines=frozenset({"other metrics"}))
    row = read_html(row_htmls(replace(study, evaluation=evaluation), np.array([5]), 1, None, view)[0])
    (first, _) = [element.text for element in row.of_class("bs-score")]
    score = sample.evaluation.systems[study.sides[0]].segment_scores[5]
    assert first == f"{score:.2f}errors {100 - score:.2f}"


def test_a_single_system_has_the_marks_of_its_matches(one_system, read_html):
    study = one_system.study(("only", "only"))
    row = read_html(row_htmls(study, np.array([0]), 1, None, ListView())[0])
    assert [element.text for element in row.of_class("bs-m4")] == ["a", "b", "c", "d"]
    assert "Δ" not in row.text
    assert not read_html(row_htmls(study, np.array([1]), 1, None, ListView())[0]).of_class("bs-token")


def test_long_and_empty_and_hostile_texts_stay_texts_within_bounds(score_texts, hostile, read_html):
    long = "word " * MAX_CHARACTERS
    study = score_texts({"a": [long], "b": [""]}, [[long]]).study()
    row = read_html(row_htmls(study, np.array([0]), 1, None, ListView())[0])
    assert len(row.text) < 3 * MAX_CHARACTERS
    assert "empty" in row.text
    count = hostile.test_set.n_segments
    view = ListView(lines=frozenset(LINES), others=hostile.test_set.system_names)
    page = read_html(list_html(row_htmls(hostile.study(), np.arange(count), 1, None, view)))
    assert all(text in page.text for text in hostile.test_set.source)
