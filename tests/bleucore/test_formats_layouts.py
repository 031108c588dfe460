"""Tables that are laid out for people: what is a title, a sum or a system, and what is a text."""

import json

import pytest

from bleucore.formats import assemble, guess_roles, read
from bleucore.formats.object_cells import texts_of_objects

TEXTS = [f"the {word} dog runs to the house" for word in ["big", "old", "red", "new", "wet", "odd"]]


def table(*rows):
    return "".join(",".join(row) + "\n" for row in rows).encode()


def opened(*rows):
    return assemble(guess_roles(read("t.csv", table(*rows))))


def of_rows(*more):
    return opened(["reference", "a", "bleu"], *([text, text + " now", "31.5"] for text in TEXTS), *more)


@pytest.mark.parametrize(
    "row",
    [
        ["Average", "", "31.5"],
        ["Mean:", "", "31.50"],
        ["GESAMT", "", "189"],
        ["AVG.", "", "31.5 %"],
        ["∑", "", "189"],
        ["Ø", "-", "31.5"],
        ["平均", "", "31.5"],
        ["Overall mean", "", "31.5 ± 2.1"],
        ["BLEU", "", "41.2"],
        ["chrF2++", "", "65.1"],
    ],
)
def test_a_row_that_sums_up_is_no_segment(row):
    assert of_rows(row).n_segments == len(TEXTS)


@pytest.mark.parametrize(
    "row",
    [
        ["Total war", "", "31.5"],
        ["Average", "Durchschnitt", "31.5"],
        ["The mean dog", "The mean dog now", "31.5"],
        ["Overall", "Overall now", ""],
        ["31.5", "31.5", "31.5"],
    ],
)
def test_a_segment_with_such_a_word_stays(row):
    assert of_rows(row).n_segments == len(TEXTS) + 1


def test_rows_beneath_a_sum_and_empty_ones_above_it_go_too():
    rows = [["", "", ""], ["Mean", "", "31.5"], ["Std. dev.", "", "1.5"], ["Max", "", "40"]]
    assert of_rows(*rows).n_segments == len(TEXTS)


def test_cells_that_are_objects_with_one_text_hold_that_text():
    written = [[json.dumps({"answer": text}), json.dumps({"answer": text + " now"}), "31.5"] for text in TEXTS]
    found = opened(["reference", "a", "bleu"], *written)
    assert found.references[0] == tuple(TEXTS)
    assert found.systems[0].hypotheses == tuple(text + " now" for text in TEXTS)


@pytest.mark.parametrize(
    "odd", ['{"answer": 1}', '{"other": "x"}', '{"answer": "x", "b": "y"}', "{broken", "plain", "[1]"]
)
def test_cells_of_which_one_is_another_stay_as_they_are(odd):
    cells = [json.dumps({"answer": text}) for text in TEXTS[1:]] + [odd]
    assert texts_of_objects(cells) is None


def test_systems_in_rows_are_turned_round():
    found = opened(
        ["system", "s1", "s2", "s3", "s4"], ["reference", *TEXTS[:4]], ["a", *TEXTS[1:5]], ["b", *TEXTS[2:6]]
    )
    assert found.system_names == ("a", "b")
    assert found.references[0] == tuple(TEXTS[:4])


def test_a_table_of_short_texts_is_not_turned_round():
    found = opened(["reference", "a", "b", "c"], ["cat", "cat", "dog", "cow"], ["hen", "pig", "hen", "hen"])
    assert found.n_segments == 2


def test_titles_in_two_rows_name_each_column():
    found = opened(
        ["reference", "a", "", "b", ""],
        ["", "text", "score", "text", "score"],
        *([text, text + " now", "1", text + " then", "2"] for text in TEXTS),
    )
    assert found.system_names == ("a", "b")
    assert found.n_segments == len(TEXTS)


def test_a_system_that_was_trained_with_back_translation_is_a_system():
    rows = ([f"der {text}", text, text + " now", text + " then"] for text in TEXTS)
    assert opened(["source", "reference", "nmt-bt", "nmt+backtranslation"], *rows).system_names == (
        "nmt-bt",
        "nmt+backtranslation",
    )


def test_an_expected_output_next_to_a_prediction_is_the_reference():
    rows = (["Say it again.", f"der {text}", text, text + " now"] for text in TEXTS)
    found = opened(["instruction", "input", "output", "prediction"], *rows)
    assert found.references[0] == tuple(TEXTS)
    assert found.systems[0].hypotheses == tuple(text + " now" for text in TEXTS)


def test_a_log_without_the_name_of_one_is_no_system():
    log = "".join(f"step {number} of training took {number}.5 s\n" for number in range(6)).encode()
    files = {"a.txt": TEXTS, "b.txt": [text + " now" for text in TEXTS], "ref.txt": TEXTS}
    texts = [column for name, lines in files.items() for column in read(name, "\n".join(lines).encode())]
    found = guess_roles([*texts, *read("job.txt", log)])
    assert [column.role for column in found] == ["hypothesis", "hypothesis", "reference", "ignore"]
    assert "log" in (found[-1].left_out or "")
