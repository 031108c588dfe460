"""Judges that are models: what their logs say, and what is found where a bias was planted."""

import importlib.util
import json
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from bleucore import InputError, System, TestSet
from bleucore.agreement.comparisons import comparisons_of
from bleucore.agreement.judged import HumanScores, ScoredSystems
from bleucore.agreement.judges import judges_of, position_bias, said_own_systems
from bleucore.judgements.averaging import averaged
from bleucore.judgements.batches import with_requests
from bleucore.judgements.model_families import are_related, is_model, maker_of
from bleucore.judgements.reading import holds_judgements, read, read_judgements, read_scores
from bleucore.judgements.records import Contest, Judgements, Row
from bleucore.judgements.verdicts import score_in, winner_in

NAMES = ("GPT-4", "ONLINE-A", "ours")
SET = TestSet(
    [System(name, [f"{name} says {number}" for number in range(4)]) for name in NAMES],
    [[f"reference {number}" for number in range(4)]],
)
PROGRAM = Path(__file__).parents[1] / "benchmarks" / "calibration_judges.py"
_spec = importlib.util.spec_from_file_location("calibration_judges", PROGRAM)
calibration_judges = importlib.util.module_from_spec(_spec)
sys.modules["calibration_judges"] = calibration_judges  # its dataclasses look themselves up
_spec.loader.exec_module(calibration_judges)


def lines(*records: object) -> bytes:
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def log(*verdicts: tuple[int, str, str, str, object]) -> bytes:
    titles = ("segment", "judge", "first", "second", "winner")
    return lines(*(dict(zip(titles, one, strict=True)) for one in verdicts))


def values(judgements: Judgements) -> np.ndarray:
    return averaged(judgements, NAMES, SET.n_segments)


def judged(data: bytes, name: str = "log.jsonl") -> Judgements:
    return read_judgements(name, data, SET)[0]


def test_a_verdict_is_a_judgement_of_both_outputs_and_both_orders_count_the_same():
    found = judged(
        log(
            (1, "gpt-4", "GPT-4", "ours", "A"),
            (1, "gpt-4", "ours", "GPT-4", "ours"),
            (2, "gpt-4", "ours", "GPT-4", "tie"),
        )
    )
    assert (found.name, found.protocol, found.are_of_models) == ("pairwise (model judges)", "pairwise", True)
    np.testing.assert_array_equal(values(found)[:, :2], [[0.5, 0.5], [np.nan, np.nan], [0.5, 0.5]])


def test_people_and_models_of_one_log_are_never_averaged():
    data = log((1, "gpt-4", "GPT-4", "ours", "A"), (1, "expert_1", "GPT-4", "ours", "B"))
    people, models = read_judgements("log.jsonl", data, SET)
    assert (people.name, people.are_of_models, people.raters) == ("pairwise", False, ("expert_1",))
    assert (models.name, models.are_of_models, models.raters) == ("pairwise (model judges)", True, ("gpt-4",))
    assert values(people)[0, 0] == 0
    assert values(models)[0, 0] == 1


def test_a_model_among_the_raters_of_another_file_is_named_as_one():
    title = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
    row = "ours\td\t1\t{}\t{}\ts\tours says {}\tNo-error\tNo-error\n"
    data = (title + row.format(1, "rater1", 0) + row.format(1, "gpt-4o", 0)).encode()
    assert [(one.name, one.raters) for one in read("mqm.tsv", data).judgements] == [
        ("MQM", ("rater1",)),
        ("MQM (model judges)", ("gpt-4o",)),
    ]


def test_each_of_several_judges_is_a_column_of_its_own_too():
    data = log((1, "gpt-4", "GPT-4", "ours", "A"), (1, "claude-3", "GPT-4", "ours", "B"))
    columns = read_scores("log.jsonl", data, SET).columns
    assert [one.name for one in columns] == [
        "pairwise (model judges)",
        "gpt-4 (model judge)",
        "claude-3 (model judge)",
    ]


def test_answers_without_a_verdict_are_counted_and_named():
    found = judged(log((1, "gpt-4", "GPT-4", "ours", None), (2, "gpt-4", "GPT-4", "ours", "I cannot say which."),
                       (3, "gpt-4", "GPT-4", "ours", "A")))  # fmt: skip
    assert dict(found.unclear) == {"gpt-4": 2}
    assert "log.jsonl: left out: 2 answers of gpt-4 without a verdict." in found.notices
    assert len(found.rows) == 2


def test_both_games_of_mt_bench_have_their_orders():
    data = lines(
        {"question_id": 0, "model_1": "GPT-4", "model_2": "ours", "judge": ["gpt-4", "pair-v2"]}
        | {"g1_winner": "model_1", "g2_winner": "model_2"},
        {"question_id": 3, "model_1": "GPT-4", "model_2": "ours", "judge": ["gpt-4", "pair-v2"]}
        | {"g1_winner": "tie", "g2_winner": "error"},
    )
    found = judged(data)
    assert [(row.system, row.number, row.value) for row in found.rows if row.contest.is_first] == [
        ("GPT-4", 0, 1.0),
        ("ours", 0, 1.0),  # the second game shows model_2 first
        ("GPT-4", 3, 0.5),
    ]
    assert dict(found.unclear) == {"gpt-4": 1}


def test_a_batch_of_openai_says_in_its_ids_what_was_judged():
    def answer(custom_id: str, said: str) -> dict:
        message = {"message": {"role": "assistant", "content": said}}
        return {"custom_id": custom_id, "response": {"body": {"model": "gpt-4.1", "choices": [message]}}}

    found = judged(lines(answer("1|ours|GPT-4", "Well … [[B]]"), answer("4|ours|ONLINE-A", '{"winner": "tie"}')))
    assert found.raters == ("gpt-4.1",)
    np.testing.assert_array_equal(values(found)[:, [0, 3]], [[1, np.nan], [np.nan, 0.5], [0, 0.5]])
    scored = judged(lines(answer("1|ours", "Score: 7"), answer("2|ours", "8/10")))
    assert (scored.protocol, values(scored)[2, :2].tolist()) == ("pointwise", [7, 8])


def test_a_request_that_failed_is_an_answer_without_a_verdict():
    message = {"message": {"content": "[[A]]"}}
    answer = {"custom_id": "1|ours|GPT-4", "response": {"body": {"model": "gpt-4.1", "choices": [message]}}}
    found = judged(
        lines(answer, {"custom_id": "2|ours|GPT-4", "response": None, "error": {"code": "x"}}), "batch.jsonl"
    )
    assert (len(found.rows), found.notices[0]) == (
        2,
        "batch.jsonl: left out: 1 answer of batch without a verdict.",
    )


def answered(custom_id: str, said: str) -> dict:
    message = {"message": {"role": "assistant", "content": said}}
    return {"custom_id": custom_id, "response": {"body": {"model": "gpt-4.1", "choices": [message]}}}


def request(custom_id: str, message: str = "Which is better?", **metadata: str) -> dict:
    body = {"messages": [{"role": "system", "content": "Judge."}, {"role": "user", "content": message}]}
    return {"custom_id": custom_id, "body": {**body, "metadata": metadata}}


def test_requests_of_a_batch_say_in_their_metadata_what_was_judged():
    asked = [request(f"q{at}", segment=str(at), first="ours", second="GPT-4") for at in (1, 2)]
    asked[1]["body"]["metadata"]["swapped"] = "true"
    files = [("in.jsonl", lines(*asked)), ("out.jsonl", lines(answered("q1", "[[B]]"), answered("q2", "ours")))]
    ((name, data),) = with_requests(files)
    found = judged(data, name)
    assert (name, found.raters) == ("out.jsonl", ("gpt-4.1",))
    assert [(row.system, row.number, row.value) for row in found.rows if row.contest.is_first] == [
        ("ours", 0, 0.0),
        ("GPT-4", 1, 0.0),
    ]


def test_a_word_of_a_response_in_what_is_asked_makes_no_answer_of_it():
    asked = request("q1", segment="1", first="ours", second="GPT-4")
    asked["body"]["response_format"] = {"schema": {"properties": {"response": {"type": "string"}}}}
    assert len(with_requests([("in.jsonl", lines(asked)), ("out.jsonl", lines(answered("q1", "[[B]]")))])) == 1


def test_places_counted_from_0_are_no_ties_where_texts_say_what_was_judged():
    said = "A: ours says {0}\nB: GPT-4 says {0}"
    asked = [request(f"q{at}", said.format(at)) for at in range(1, 4)]
    data = lines(*(answered(f"q{at}", str(at % 2)) for at in range(1, 4)), *asked)
    with pytest.raises(InputError, match="not clear which output won"):
        judged(data)


def test_an_id_and_metadata_with_other_segments_are_refused():
    name = "3|ours|GPT-4"
    with pytest.raises(InputError, match="id and metadata of the request differ"):
        judged(lines(answered(name, "[[A]]"), request(name, segment="1", first="ours", second="GPT-4")))


def test_texts_of_requests_say_what_was_judged_where_they_are_certain():
    said = 'Source: x\nTranslation A: "ours says 2"\nTranslation B:\n<b>GPT-4 says 2</b>\nAnswer:'
    asked = [request("a", said), request("b", "A: ours says 3\nB: hers says 3"), request("c", said)]
    data = lines(*(answered(one, "Verdict: A") for one in "abc"), *asked)
    found = judged(data)
    first = [(row.system, row.number, row.value, row.contest.rival) for row in found.rows if row.contest.is_first]
    assert first == [("ours", 2, 1.0, "GPT-4")] * 2
    assert "log.jsonl: left out: 1 verdict on outputs that the request does not tell." in found.notices
    scored = lines(
        *(answered(one, "Score: 7") for one in "abc"),
        *(request(*one) for one in (("a", "ours says 1"), ("b", "ours says 2"), ("c", "?"))),
    )
    assert [(row.system, row.number, row.value) for row in judged(scored).rows] == [("ours", 1, 7.0), ("ours", 2, 7.0)]


@pytest.mark.parametrize(
    ("asked", "refusal"),
    [
        ([], "the id does not say what was judged (found 'a'"),
        ([request("a", "?"), request("b"), request("c")], "no request tells which outputs were judged"),
        ([request("a"), request("a")], "two requests have the same id"),
        ([request("a", segment="1", first="ours", second="GPT-4"), request("b"), request("c")],
         "some requests name what was judged, and others do not"),
    ],
)  # fmt: skip
def test_a_batch_is_refused_where_requests_do_not_tell(asked, refusal):
    with pytest.raises(InputError, match=re.escape(refusal)):
        judged(lines(*(answered(one, "[[A]]") for one in "abc"), *asked))


def test_id_and_metadata_of_a_request_are_the_same():
    data = lines(answered("1|ours|GPT-4", "A"), request("1|ours|GPT-4", segment="1", first="GPT-4", second="ours"))
    with pytest.raises(InputError, match="id and metadata of the request differ"):
        judged(data)


def test_judges_with_other_names_are_only_taken_for_models():
    said = [read("l.jsonl", log((1, name, "A", "B", "A"))).judgements[0].notices[-1] for name in ("gpt-4", "anna")]
    assert said == [
        "l.jsonl: language models, not people, judged as gpt-4.",
        "l.jsonl: taken for language models: anna. If these are people, call the column rater.",
    ]


def test_lm_eval_keeps_what_was_judged_under_doc():
    doc = {"segment": 2, "system_a": "ours", "system_b": "GPT-4", "target": "x"}
    found = judged(
        lines({"doc_id": 9, "doc": doc, "target": "B", "resps": [["A"]], "filtered_resps": ["A"]}), "gpt-4.jsonl"
    )
    assert (found.raters, values(found)[2, 1]) == (("gpt-4",), 1)


def test_texts_place_a_verdict_that_names_no_segment():
    texts = {"output_a": "ours says 2", "output_b": "GPT-4 says 2"}
    found = judged(lines({"id": "x7", "judge": "m", "system_a": "ours", "system_b": "GPT-4", "winner": "A", **texts}))
    assert {row.number for row in found.rows} == {2}


def test_a_comparison_that_texts_place_and_that_is_judged_again_is_said_to_be():
    texts = [system.hypotheses for system in SET.systems]
    data = lines(
        *(
            {
                "judge": "gpt-4",
                "first": "GPT-4",
                "second": "ours",
                "output_a": texts[0][at],
                "output_b": texts[2][at],
                "winner": winner,
            }
            for at, winner in ((1, "A"), (1, "B"), (2, "A"))
        )
    )
    assert judged(data).notices[-1] == "log.jsonl: 1 comparison judged again; their mean counts."


def test_both_outputs_of_a_comparison_are_of_one_segment():
    texts = TestSet([System("A", ["Yes", "x", "Yes"]), System("B", ["Ja", "y", "Jawohl"])], [["r"] * 3])
    verdict = {"judge": "m", "first": "A", "second": "B", "winner": "A", "output_a": "Yes"}
    found = read_judgements("log.jsonl", lines(verdict | {"output_b": "Jawohl"}, verdict | {"output_b": "Ja"}), texts)
    assert [row.number for row in found[0].rows] == [2, 2, 0, 0]
    found = read_judgements("log.jsonl", lines(verdict | {"output_b": "Ja"}, verdict | {"output_b": "y"}), texts)
    assert [row.number for row in found[0].rows] == [0, 0]


def test_a_table_of_scores_is_read_by_its_judges():
    found = judged(b"segment,judge,system,score\n1,claude-3,ours,70\n4,claude-3,ours,80\n", "scores.csv")
    assert (found.name, values(found)[2].tolist()[0::3]) == ("pointwise (model judges)", [70, 80])


@pytest.mark.parametrize(
    ("record", "refusal"),
    [
        ({"winner": "nobody"}, r"log.jsonl, line 1: the winner is neither of the two systems \(found 'nobody'"),
        ({"second": "ours"}, r"line 1: a system is compared with itself"),
        ({"segment": "x"}, r"line 1: the segment is not a whole number"),
        ({"segment": 9}, r"line 1: there is no such segment in the test set"),
        ({"swapped": True, "winner": "A"}, r"line 1: it is not clear which output won"),
        ({"swapped": "perhaps"}, r"line 1: swapped is neither true nor false"),
        ({"judge": ""}, r"line 1: the judge is no text"),
    ],
)
def test_what_no_verdict_can_be_is_refused_with_its_line(record, refusal):
    whole = {"segment": 1, "judge": "gpt-4", "first": "ours", "second": "GPT-4", "winner": "ours"} | record
    with pytest.raises(InputError, match=refusal):
        judged(lines(whole))


def test_a_log_without_any_verdict_is_refused():
    with pytest.raises(InputError, match=r"nobody has judged anything.*1 answer without a verdict"):
        judged(log((1, "gpt-4", "GPT-4", "ours", "")))


def test_translations_of_a_batch_are_no_verdicts():
    message = {"message": {"content": "Das ist gut."}}
    data = lines({"custom_id": "1|ours", "response": {"body": {"model": "gpt-4", "choices": [message]}}})
    assert not holds_judgements("out.jsonl", data)
    message = {"message": {"content": "42"}}
    number = lines({"custom_id": "2|ours", "response": {"body": {"model": "gpt-4", "choices": [message]}}})
    assert not holds_judgements("out.jsonl", data + number)


def test_a_letter_that_is_also_a_system_shown_second_is_no_answer():
    message = {"message": {"content": "[[A]]"}}
    data = lines({"custom_id": "1|B|A", "response": {"body": {"model": "gpt-4", "choices": [message]}}})
    with pytest.raises(InputError, match=r"line 1: it is not clear which output won \(found answers on 'B' and 'A'"):
        read("out.jsonl", data)
    assert len(read("out.jsonl", data.replace(b"B|A", b"A|B")).judgements[0].rows) == 2


@pytest.mark.parametrize(
    ("answer", "winner"),
    [
        *(("A", "first"), ("**B**", "second"), ("tie", "tie"), ("Both have errors. [[A]]", "first"), ("[[C]]", "tie")),
        *(("ours", "second"), ('```json\n{"winner": "B"}\n```', "second"), ("My verdict: Translation A.", "first")),
        *(("[[A]] … no: [[B]]", "second"), ("A and B are good", None), ("", None), ("{" * 9000, None)),
    ],
)
def test_the_winner_is_found_in_answers(answer, winner):
    assert winner_in(answer, ("GPT-4", "ours")) == winner


@pytest.mark.parametrize(("answer", "score"), [("8", "8"), ("9 / 10", "9"), ("Rating: [[7]]", "7"), ("good", None)])
def test_the_score_is_found_in_answers(answer, score):
    assert score_in(answer) == score


@pytest.mark.parametrize(
    ("answer", "winner"),
    [
        *(
            ("The verdict is a tie.", "tie"),
            ("Verdict: A=B", "tie"),
            ("Verdict: A<B", "second"),
            ("Verdict: A", "first"),
        ),
        *(("I compared answer A with answer B.", None), ("The better a text …", None), ("x (v2)", "first")),
        *(("T[M]", "second"), ("**Winner**: B", "second"), ('{"verdict": "T[M]"}', "second")),
    ],
)
def test_an_article_is_no_output_and_names_may_end_with_brackets(answer, winner):
    assert winner_in(answer, ("x (v2)", "T[M]")) == winner


@pytest.mark.parametrize(
    ("answer", "score"),
    [("0.8333333333333334", "0.8333333333333334"), ("Score: 8.33333333", "8.33333333"), ("Score: 8,5", None)],
)
def test_no_score_is_cut_at_a_decimal(answer, score):
    assert score_in(answer) == score


@pytest.mark.parametrize(
    ("scores", "read_as", "n_unclear"),
    [((0.8333333333333334, 3), [0.8333333333333334, 3], 0), ((7, -1, 9), [7, 9], 1), ((0, -1, -5), [0, -1, -5], 0)],
)
def test_minus_one_is_no_verdict_unless_errors_cost_points(scores, read_as, n_unclear):
    rows = [{"segment": at, "judge": "gpt-4", "system": "ours", "score": one} for at, one in enumerate(scores, start=1)]
    found = judged(lines(*rows))
    assert ([row.value for row in found.rows], found.unclear.get("gpt-4", 0)) == (read_as, n_unclear)


def test_winners_that_are_0_and_1_alone_may_count_from_0():
    data = log((1, "gpt-4", "GPT-4", "ours", 0), (2, "gpt-4", "GPT-4", "ours", 1))
    with pytest.raises(InputError, match=r"line 1: it is not clear which output won \(found winners that are 0 or 1"):
        judged(data)
    assert len(judged(data + log((3, "gpt-4", "GPT-4", "ours", 2))).rows) == 6


def test_makers_are_found_in_names():
    assert [maker_of(one) for one in ("GPT4-5shot", "o3-mini", "CommandR-plus", "ONLINE-A")] == [
        "OpenAI",
        "OpenAI",
        "Cohere",
        None,
    ]
    assert [is_model(one) for one in ("gpt-4o", "claude", "Claude-3.5", "expert_1", "yi")] == [1, 0, 1, 0, 0]
    assert [is_model(one) for one in ("o1", "o3-mini", "ada2@openai.com", "x@cohere.com")] == [0, 1, 0, 0]
    of_wmt = ("CommandA", "AyaExpanse-8B", "TowerPlus-9B[M]", "TowerInstruct-7B", "DeepSeekV3")
    assert [maker_of(one) for one in of_wmt] == ["Cohere", "Cohere", "Unbabel", "Unbabel", "DeepSeek"]
    assert are_related("gpt-4o", "GPT4-5shot")
    assert are_related("our-model", "our-model")
    assert not are_related("our-model", "ours")
    assert not any(
        are_related("gpt-4o", one) or are_related("llama-3", one) for one in ("o1", "run-o1", "meta-ensemble")
    )
    assert are_related("o1", "GPT-4")
    assert [maker_of(one) for one in ("command-r-plus", "command-line", "tower-of-babel")] == ["Cohere", None, None]


def compared(*verdicts: tuple[str, str, int, float]) -> Judgements:
    """Verdicts of one judge: systems in the order shown, the segment, the score of the first."""
    rows = []
    for first, second, segment, value in verdicts:
        rows += [
            Row(1, first, segment, "gpt-4", value, contest=Contest(second, is_first=True)),
            Row(1, second, segment, "gpt-4", 1 - value, contest=Contest(first, is_first=False)),
        ]
    return Judgements("j", "f", "pairwise", tuple(rows), are_of_models=True)


def test_position_bias_by_hand():
    both = [("GPT-4", "ours", 0, 1.0), ("ours", "GPT-4", 0, 1.0)]  # the first twice
    both += [("GPT-4", "ours", 1, 1.0), ("ours", "GPT-4", 1, 0.0)]  # one verdict
    both += [("GPT-4", "ours", 2, 0.5), ("ours", "GPT-4", 2, 0.5)]  # one verdict, a tie
    both += [("GPT-4", "ours", 3, 0.0), ("ours", "GPT-4", 3, 0.5)]
    found = judges_of([compared(*both)], NAMES, 4).judges[0].position
    assert (found.n_verdicts, found.n_ties, found.n_both, found.n_same) == (8, 3, 4, 2)
    assert (found.n_first_twice, found.n_second_twice) == (1, 0)
    assert found.first_share == pytest.approx((2 + 1 + 1 + 0.5) / 8)


def test_a_better_system_shown_first_more_often_is_no_position_bias():
    verdicts = [("GPT-4", "ours", segment, 1.0) for segment in range(15)]
    verdicts += [("ours", "GPT-4", segment, 0.0) for segment in range(15, 20)]
    found = judges_of([compared(*verdicts)], NAMES, 20).judges[0].position
    assert found.first_share == pytest.approx(0.5)


def test_one_order_alone_says_nothing_of_the_position():
    found = judges_of([compared(*(("GPT-4", "ours", at, 1.0) for at in range(9)))], NAMES, 9).judges[0].position
    assert (found.first_share, found.p_value, found.n_both) == (None, None, 0)


def test_a_judge_that_always_takes_the_first_is_found():
    verdicts = [(*names, at, 1.0) for at in range(8) for names in (("GPT-4", "ours"), ("ours", "GPT-4"))]
    found = judges_of([compared(*verdicts)], NAMES, 8).judges[0].position
    assert (found.first_share, found.interval, found.p_value) == (1.0, None, pytest.approx(2 / 2**8))


@pytest.mark.parametrize("n_rare", [1, 5])
def test_a_few_verdicts_in_the_rarer_order_prove_no_bias(n_rare):
    """GPT-4 wins half of what is shown in one order, and all of the few in the other."""
    verdicts = [("GPT-4", "ours", at, float(at % 2)) for at in range(100 - n_rare)]
    verdicts += [("ours", "GPT-4", at, 0.0) for at in range(100 - n_rare, 100)]
    found = judges_of([compared(*verdicts)], NAMES, 100).judges[0].position
    assert found.first_share == pytest.approx(0.25, abs=0.01)
    assert (found.p_value is None) == (n_rare == 1)
    assert found.p_value is None or found.p_value > 0.05
    always = [(*one[:3], 1.0) for one in verdicts]
    assert judges_of([compared(*always)], NAMES, 100).judges[0].position.p_value is None


def test_a_judge_of_other_systems_has_nothing_to_say():
    found = judges_of([compared(("GPT-4", "ours", 0, 1.0))], ["x"], 1).judges[0]
    assert (found.n_outputs, found.position.n_verdicts, found.with_judges) == (0, 0, None)


def test_names_and_order_of_systems_change_nothing():
    rng = np.random.default_rng(0)
    places = [rng.permutation(3)[:2] for _ in range(60)]
    rows = [(NAMES[a], NAMES[b], int(at), float(rng.integers(3)) / 2) for at, (a, b) in enumerate(places)]
    of = [comparisons_of(compared(*rows).rows, names, 60) for names in (NAMES, NAMES[::-1])]
    first, second = (position_bias(one) for one in of)
    assert first.first_share == pytest.approx(second.first_share)
    assert first.p_value == pytest.approx(second.p_value)


def test_self_preference_and_agreement_by_hand():
    scores = [Row(1, name, at, "gpt-4", value) for name, at, value in
              (("GPT-4", 0, 9), ("ours", 0, 5), ("GPT-4", 1, 7), ("ours", 1, 7), ("ONLINE-A", 1, 8))]  # fmt: skip
    scores += [Row(1, name, at, "claude-3", value) for name, at, value in (("GPT-4", 0, 30), ("ours", 0, 60))]
    judgements = Judgements("j", "f", "pointwise", tuple(scores), are_of_models=True)
    people = HumanScores.of("MQM", NAMES, np.array([[-5.0, -1], [np.nan, -1], [0, -2]]))
    metric = ScoredSystems("BLEU", NAMES, np.zeros(3), np.array([[1.0, 5], [2, 4], [3, 3]]))
    first, second = judges_of([judgements], NAMES, 2, people=people, metric=metric).judges
    by_people, by_judges = first.preferences
    assert first.own == ("GPT-4",)
    assert (by_people.yardstick, by_people.n_comparisons) == ("MQM", 3)
    # segment 0: 1 of the judge, 0 of people; segment 1: 0.5 and 0 of the judge, 1 and 0.5 of people
    assert by_people.difference == pytest.approx(((1 - 0) + (0.25 - 0.75)) / 2)
    assert (by_judges.yardstick, by_judges.difference, by_judges.n_comparisons) == (None, 1.0, 1)
    assert (first.with_judges.n_same, first.with_judges.n_pairs) == (0, 1)
    # GPT-4 > ours by the judge (by people <, BLEU <), = (>, >); ONLINE-A > GPT-4 (=, <), ONLINE-A > ours (>, >)
    assert (first.with_people.n_same, first.with_people.n_metric_same, first.with_people.n_pairs) == (1, 3, 4)
    assert (second.own, second.preferences) == ((), ())


def test_people_say_what_a_judge_made():
    judges, scores = ("gpt-4", "claude-3"), {"GPT-4": 9, "ours": 5}
    rows = tuple(Row(1, name, 0, judge, value) for judge in judges for name, value in scores.items())
    judgements = Judgements("j", "f", "pointwise", rows, are_of_models=True)
    own = said_own_systems(["gpt-4=ours", "gpt-4=ONLINE-A", "claude-3="], judges, NAMES)
    found = judges_of([judgements], NAMES, 1, own=own).judges
    assert [(one.own, one.is_own_said) for one in found] == [(("ONLINE-A", "ours"), True), ((), True)]
    for wrong in ("gpt-4", "gpt-5=ours", "gpt-4=hers"):
        with pytest.raises(InputError, match="Own systems"):
            said_own_systems([wrong], judges, NAMES)


def test_a_judge_of_two_files_counts_once():
    def scored(judge: str, *values: float) -> Judgements:
        rows = tuple(Row(1, name, 0, judge, value) for name, value in zip(("GPT-4", "ours"), values, strict=True))
        return Judgements("j", f"{values}", "pointwise", rows, are_of_models=True)

    files = [scored("gpt-4", 9, 5), scored("claude-3", 9, 5), scored("claude-3", 7, 6), scored("qwen", 1, 2)]
    found = judges_of(files, NAMES, 1).judges
    assert (found[0].with_judges.n_same, found[0].with_judges.n_pairs) == (1, 2)
    assert found[0].preferences[0].yardstick_share == 0.5


def test_planted_biases_are_found_and_no_others():
    planted = calibration_judges.Plan("both", first=0.6, own=0.65)
    found = calibration_judges.measured(planted, [1], 20)
    assert found.position >= 15
    assert found.by_judges >= 15
    fair = calibration_judges.measured(calibration_judges.Plan("none"), [1], 20)
    assert max(fair.position, fair.by_judges, fair.by_people) <= 4  # more in 1 of 400 such runs
