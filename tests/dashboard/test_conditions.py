"""One's own questions of segments."""

import json
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleucore import ChrfOptions, InputError, evaluate
from bleuscope.content.segments import patterns, question_sheets
from bleuscope.content.segments.conditions import (
    ASKED,
    ASKED_HOW,
    FUNCTIONS,
    HELP,
    READY,
    Material,
    denied,
    segments_where,
    written_condition,
)
from bleuscope.content.segments.question_sheets import questions_sheet
from bleuscope.content.segments.segment_queries import (
    SegmentQuery,
    find_segments,
    numbers_in_conditions,
    question_slicing,
)

MATERIAL = Material(
    4,
    {
        "a": [["not 3 cats", "Der Hund", "", "x"]],
        "b": [["4 cats", "Der Hund", "y", "X Berlin"]],
        "reference": [["not 4 cats", None, "z 12", "in Berlin, 7"], ["never 3 cats", "Der Hund", None, "x"]],
        "source": [["keine 3 Katzen", "der Hund", "Z 12", "X"]],
    },
    {"bleu_a": np.array([10.0, 100, 0, np.nan]), "bleu_b": np.array([40.0, 100, 0, 5]), "length": np.arange(4.0)},
    end=time.monotonic() + 86_400,
)


def found(condition):
    return np.flatnonzero(segments_where(condition, MATERIAL)).tolist()


@pytest.mark.parametrize(
    ("condition", "segments"),
    [
        ('has(a, "NOT")', [0]),
        ('has(reference, "cats")', [0]),
        ('lacks(b, "cats")', [1, 2, 3]),
        ('matches(b, r"^\\p{Lu}")', [1, 3]),
        ('matches(b, "(?i)^x")', [3]),
        ('number(reference, "[0-9]+") == 1', [0, 2, 3]),
        ('lost(b, "[0-9]+") > 0', [2]),
        ('lost(a, "[0-9]+") > 0', [2]),
        ('lost(a, "Hund|not") > 0', []),
        ("characters(b) > characters(a)", [2, 3]),
        ("bleu_b - bleu_a > 20", [0]),
        ("bleu_b - bleu_a > 20 and length > 1", []),
        ("not bleu_b > 20", [2, 3]),
        ("-length + 2 * length / 2 == 0", [0, 1, 2, 3]),
        ("0 < length <= 2", [1, 2]),
        ("bleu_a > -1", [0, 1, 2]),
        ("a == b", [1]),
        ("a != b", [0, 2, 3]),
        ('a == "x" or b == "y"', [2, 3]),
        ("a == reference", [1, 3]),
        ('matches(b, "\\bcats\\b")', [0]),
        ("has(b, 'der') and matches(b, r'\\bHund\\b') and matches(b, \"\\bHund\\b\")", [1]),
        ('matches(b, "\\\\d \\x63") and has(b, "\\u0063ats")', [0]),
        ('matches(reference, "(e)[vr]\\1")', [0]),
        ("bleu_a != 10", [1, 2]),
        ("not bleu_a > 20", [0, 2]),
        ("A lost a number", [2]),
        ("B lost a negation", [0]),
        ("A lost a negation", []),
        ("B lost a name", []),
    ],
)
def test_hold_where_they_say(condition, segments):
    assert found(condition) == segments


def test_a_name_is_lost_where_no_reference_does_without_it():
    one = Material(2, {"b": [["to Paris", "to Rome"]], "reference": [["to Rome", "to Rome"]]}, {})
    assert segments_where(READY["B lost a name"], one).tolist() == [True, False]


@pytest.mark.parametrize(
    ("reference", "right", "wrong"),
    [
        ("He didn’t come.", "He did not come.", "Not only he came."),
        ("Er hat keinen Hund.", "Er hat nicht einen Hund.", "Er hat einen Hund."),
        ("我不喜欢这本书。", "我没喜欢。", "我喜欢这本书。"),
        ("لم يذهب الولد.", "لا يذهب.", "ذهب الولد."),
        ("Он не пришёл.", "Нет его.", "Он пришёл."),
    ],
)
def test_a_negation_is_lost_where_the_output_has_none_at_all(reference, right, wrong):
    one = Material(2, {"b": [[right, wrong]], "reference": [[reference, reference]]}, {})
    assert segments_where("B lost a negation", one).tolist() == [False, True]


def test_arabic_marks_and_numbers_can_be_lost():
    one = Material(2, {"b": [["هل وصل?", "١٬٢٣٤"]], "reference": [["هل وصل؟", "١٬٢٣٤٫٥"]]}, {})
    assert segments_where("B lost a question mark or similar", one).tolist() == [True, False]
    assert segments_where("B lost a number", one).tolist() == [False, True]


SIGNS = ("<", "<=", ">", ">=", "==", "!=")


@pytest.mark.parametrize(
    ("condition", "reason"),
    [
        ("", "cannot be read"),
        ("bleu_b >", "cannot be read"),
        ("x" * 501, "too long"),
        ("bleu_b", "no yes or no"),
        ('"text"', "no yes or no"),
        ("bleu_b and length", "join what is yes or no"),
        ("a > b", "no number"),
        *((f"{left} {sign} {right}", "no number") for sign in SIGNS for left, right in (("a", "3"), ("length", "a"))),
        ("has(a)", "has asks something else"),
        ('has("a", "b")', "has asks something else"),
        ("characters(3)", "characters asks something else"),
        ("nothing > 3", "no text or number of this name"),
        ("bleu_b ** 2 > 1", "not allowed"),
        ("bleu_b if a == b else length", "not allowed"),
        ("[1 for x in a]", "not allowed"),
        ("(lambda: 1)()", "not allowed"),
        ("a.__class__", "not allowed"),
        ('__import__("os").system("true") == 0', "not allowed"),
        ("exec('1')", "not allowed"),
        ("has(words=a, text='b')", "not allowed"),
        ("bleu_b > 1j", "not allowed"),
        ("+bleu_b > 1", "not allowed"),
        ("bleu_b in length", "not compared so"),
        ('matches(a, "(")', "not a regular expression"),
        ("bleu_b > " + "9" * 400, "too deep or too large"),
        ("-" * 490 + "1 > 0", "too deep|cannot be read"),
        ("(" * 240 + "1" + ")" * 240, "cannot be read"),
    ],
)
def test_anything_else_is_refused(condition, reason):
    with pytest.raises(InputError, match=reason):
        segments_where(condition, MATERIAL)


@given(st.text("ab()[].,\"'<>=+-*/ 0123:@{}\\_lorandnt", max_size=60))
def test_whatever_is_typed_is_answered_or_refused(condition):
    with suppress(InputError):
        assert segments_where(condition, MATERIAL).shape == (4,)


def test_a_pattern_that_takes_too_long_is_given_up(monkeypatch):
    monkeypatch.setattr(patterns, "SEARCH_SECONDS", 0.05)
    slow = Material(1, {"b": [["ab" * 30 + "c"]]}, {})
    with pytest.raises(InputError, match="takes longer"):
        segments_where('matches(b, "^(([ab]|ab)*)*$")', slow)


def test_all_conditions_of_a_query_have_one_end(sample, monkeypatch):
    late = Material(1, {"b": [["ab" * 30 + "c"]]}, {}, end=0.0)
    with pytest.raises(InputError, match="takes longer"):
        segments_where('number(b, "^(([ab]|ab)*)*$") > 0', late)
    monkeypatch.setattr(question_sheets, "MOST_SECONDS", -1)
    with pytest.raises(InputError, match="for all systems"):
        question_sheets.questions_sheet(sample.study(), ("length > 3",))


@pytest.mark.parametrize("text", ['a"b', "\\d+", "it's", "é\n"])
def test_what_is_put_together_of_fields_is_read_as_it_was_written(text):
    for which in ASKED:
        material = Material(1, {"reference": [[""]], ASKED[which]: [[f"so {text} it is"]]}, {})
        assert segments_where(written_condition(which, "has", text), material).all()
    for how in ASKED_HOW:
        segments_where(written_condition("B", how, "x"), MATERIAL)


def test_what_can_be_asked_is_explained_on_the_page_and_in_the_documentation():
    guide = (Path(__file__).parents[2] / "docs" / "guide" / "segments.md").read_text(encoding="utf-8")
    for name in FUNCTIONS:
        assert f"`{name}(" in HELP, name
        assert f"`{name}(" in guide, name


def test_a_condition_is_denied_by_its_expression():
    for condition in ("A lost a number", "bleu_b > 20"):
        both = segments_where(condition, MATERIAL) | segments_where(denied(condition), MATERIAL)
        assert both.all()


class TestQueries:
    def test_have_the_scores_of_every_metric_and_what_lists_are_ordered_by(self, sample):
        evaluation = evaluate(sample.test_set, metrics=[ChrfOptions()])
        pair, names = sample.pair(), numbers_in_conditions(evaluation)
        assert names == ["bleu_a", "bleu_b", "chrf2_a", "chrf2_b", "delta", "part", "tokens_a", "tokens_b", "length"]
        condition = "delta > 10 and chrf2_b > chrf2_a and tokens_b > 0 and tokens_a > 0 and length > 20"
        rows = find_segments(sample.test_set, evaluation, pair, SegmentQuery(conditions=(condition,)))
        first, second = (evaluation.systems[name] for name in pair)
        chrf = [evaluation.metrics["chrF2"].systems[name].segment_scores for name in pair]
        expected = (second.segment_scores - first.segment_scores > 10) & (chrf[1] > chrf[0])
        assert rows.tolist() == np.flatnonzero(expected & (first.counts[:, 1] > 20)).tolist()
        assert len(rows)

    def test_hold_all_at_once_and_count_as_looking_at_scores(self, sample):
        query = SegmentQuery(conditions=("length > 10", "length < 20"))
        rows = find_segments(sample.test_set, sample.evaluation, sample.pair(), query)
        lengths = sample.evaluation.systems[sample.pair()[0]].counts[:, 1]
        assert rows.tolist() == np.flatnonzero((lengths > 10) & (lengths < 20)).tolist()
        assert query.looks_at_scores


class TestQuestions:
    def test_count_each_system_in_the_place_that_a_question_names(self, score_texts):
        texts = {"one": ["x", "not y", "z"], "two": ["x", "y", "not z"], "three": ["not x", "not y", "not z"]}
        scored = score_texts(texts, [["x", "y", "z"]])
        asked = ('has(b, "not")', 'has(a, "not")', 'has(b, "not") and lacks(a, "not")', "length == 1")
        frame = questions_sheet(scored.study(("one", "two")), asked).frame.set_index("system")
        for question, counts in zip("1234", ([1, 1, 3], [1, 1, 3], [0, 1, 2], [3, 3, 3]), strict=True):
            assert frame[f"question_{question}"][["one", "two", "three"]].to_list() == counts, question
        assert frame["question_1_share"]["three"] == 100

    def test_are_a_table_of_the_command(self, bleuscope):
        asked = ["segments", "--sample", "--where", "B lost a name", "--where", "length > 20"]
        code, out, _ = bleuscope(*asked, "--format", "json")
        told = json.loads(out)
        assert code == 0
        assert len(told["questions"]) == 8
        assert told["segments"]
        listed = bleuscope(*asked, "--format", "tsv")[1].splitlines()
        assert len(listed) - 1 == len(told["segments"]) <= min(row["question_1"] for row in told["questions"][:1])

    def test_that_cannot_be_asked_are_refused_by_the_command(self, bleuscope):
        code, _, err = bleuscope("segments", "--sample", "--where", "a.b")
        assert code == 2
        assert "Condition 'a.b': a piece of this is not allowed" in err


class TestPage:
    def test_asks_of_a_link_counts_by_system_and_leaves_out_what_cannot_be_asked(self, open_link):
        app = open_link("segments", data="sample", where=["tokens_b < 12", "B lost a name"], how_often="true")
        assert not app.exception
        assert app.multiselect(key="where").value == ["tokens_b < 12", "B lost a name"]
        assert "tokens_b &lt; 12" in "".join(element.proto.body for element in app.get("html"))
        app.multiselect(key="where").set_value(["tokens_b <"]).run()
        assert "this cannot be read" in app.error[0].value
        assert "left out" in app.error[0].value
        assert "this cannot be read" in app.error[1].value  # beside the counts too
        assert not app.exception

    def test_writes_a_question_of_three_fields(self, open_link):
        app = open_link("segments", data="sample")
        app.selectbox(key="_asked_in").set_value("A")
        app.selectbox(key="_asked_how").set_value("lacks")
        app.text_input(key="_asked_what").set_value("the").run()
        app.button(key="_ask").click().run()
        assert app.multiselect(key="where").value == ['lacks(a, "the")']
        assert app.text_input(key="_asked_what").value == ""


class TestSlices:
    def test_divide_by_what_holds_of_the_source_or_the_reference(self, sample):
        slicing = question_slicing(sample.study(), 'has(source, "nicht")')
        assert slicing.names == ("it holds", "it does not")
        rows = [row for row, text in enumerate(sample.test_set.source) if "nicht" in text.casefold()]
        assert slicing.segments(0).tolist() == rows
        assert slicing.question == 'has(source, "nicht")'

    @pytest.mark.parametrize("condition", ["bleu_b > 20", "B lost a name", "delta > 3"])
    def test_what_the_outputs_decide_is_refused(self, sample, condition):
        with pytest.raises(InputError, match="looks at the outputs that are compared"):
            question_slicing(sample.study(), condition)

    def test_are_on_the_page_and_its_command_gives_them(self, open_link, bleuscope, command_of):
        asked = 'has(source, "nicht")'
        app = open_link(
            "slices", data="sample", where=[asked, "bleu_b > 20"], slice_by=f"question {asked}", trials="99"
        )
        assert not app.exception
        assert app.selectbox(key="slice_by").options[-1] == f"question {asked}"
        assert app.selectbox(key="slice_by").value == f"question {asked}"
        assert [name.strip() for name in app.dataframe[0].value.iloc[:, 0]] == ["it holds", "it does not"]
        assert "--where 'has(source" in command_of(app)
        code, out, _ = bleuscope("slices", "--sample", "--where", asked, "--trials", "99", "--format", "tsv")
        assert code == 0
        assert [row.partition("\t")[0] for row in out.splitlines()] == ["slice", "it holds", "it does not"]
