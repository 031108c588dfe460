"""Files in which a reader could lose a segment or a system: all of them are there afterwards."""

import sys

import pytest

from bleucore.formats.reading import read
from bleucore.formats.reasoning import text_without_reasoning
from bleuscope import read_test_set
from tests.dashboard.file_shapes.oddities import PLAIN, thought, xliff
from tests.dashboard.file_shapes.tables import CELLS, TITLES
from tests.dashboard.file_shapes.texts import (
    REFERENCE,
    SOURCE,
    SYSTEMS,
    A,
    B,
    C,
    N,
    plain,
    rows_of,
    table,
)

EMPTY_AT = 7
WITH_GAP = [*A[:EMPTY_AT], "", *A[EMPTY_AT + 1 :]]


def opened(files, folder):
    for name, data in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(data)
    return read_test_set(str(folder))


def texts_of(test_set):
    return {system.name: list(system.hypotheses) for system in test_set.systems}


@pytest.mark.parametrize("between", [" ", "\n", "\n\n"])
def test_an_answer_that_is_empty_behind_reasoning_keeps_its_line(tmp_path, between):
    written = [f"<think>{between}Yes.{between}</think>{between}{text}" for text in WITH_GAP]
    found = opened({**PLAIN, "a.txt": plain(written)}, tmp_path)
    assert texts_of(found) == {"a": WITH_GAP, "b": B}


@pytest.mark.parametrize("place", [0, EMPTY_AT, N - 1])
def test_an_empty_line_among_lines_with_reasoning_is_a_segment(place):
    written = thought(A, " ")
    written[place] = ""
    text, n_spans = text_without_reasoning(plain(written).decode())
    assert text == plain([*A[:place], "", *A[place + 1 :]]).decode()
    assert n_spans == N - 1


def test_empty_lines_before_all_spans_are_no_segments():
    written = "\n\n".join(thought(WITH_GAP, "\n"))
    assert text_without_reasoning(written) == (plain(WITH_GAP).decode(), N)


def test_reasoning_that_is_not_closed_stays():
    written = "<think>a\n" * 5
    assert text_without_reasoning(written) == (written, 0)


def steps_of(text):
    """How many lines of Python run for a text."""
    n_steps = 0

    def count(_frame, event, _argument):
        nonlocal n_steps
        n_steps += event == "line"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        text_without_reasoning(text)
    finally:
        sys.settrace(before)
    return n_steps


@pytest.mark.parametrize(
    "write",
    [
        lambda n: "<think>\n" * n,
        lambda n: "<think>" * n,
        lambda n: "<think>\n" * n + "</reasoning>" * n,
        lambda n: "<think>a</think>b\n" * 3 + "\n" * n,
        lambda n: "<think>a</think>b\n" * n,
    ],
)
def test_the_steps_for_reasoning_are_in_proportion_to_the_text(write):
    small, large = (steps_of(write(n)) for n in (200, 800))
    assert large <= 4 * small + 100


def scored(scores, *, source=True):
    return rows_of(
        {
            **({"src": SOURCE[row], "ref": REFERENCE[row]} if source else {}),
            "hypotheses": [A[row], B[row], C[row]],
            "scores": scores,
        }
        for row in range(N)
    )


def test_outputs_whose_scores_rise_and_fall_are_all_kept():
    columns = read("t.jsonl", scored([0.3, 0.9, 0.5]))
    assert [list(column.segments) for column in columns if column.name not in ("src", "ref")] == [A, B, C]


@pytest.mark.parametrize("scores", [[-0.1, -0.2, -0.2], [[0.2], [0.3], [0.4]]])
def test_outputs_in_the_order_of_their_scores_are_lists_with_the_best_first(scores):
    columns = read("a.jsonl", scored(scores))
    assert [column.segments for column in columns if column.name not in ("src", "ref")] == [tuple(A)]


@pytest.mark.parametrize("memory", ["TM", "project.tmx", "Translation Memory", "Main"])
def test_matches_of_a_translation_memory_make_no_target_a_reference(tmp_path, memory):
    files = {f"{name}.xlf": xliff(texts, {memory: C}) for name, texts in {"deepl": A, "google": B}.items()}
    found = opened({**files, "ref.txt": plain(REFERENCE)}, tmp_path)
    assert texts_of(found) == {"deepl": A, "google": B}
    assert list(found.references[0]) == REFERENCE


def test_an_approved_target_is_the_reference_of_one_engine():
    columns = read("t.xlf", xliff(REFERENCE, {"engine": A, "TM": C}, said=' approved="yes"'))
    assert [(column.name, column.role) for column in columns] == [
        ("source", "source"),
        ("target", "reference"),
        ("engine", "hypothesis"),
    ]


@pytest.mark.parametrize("first", [["No", "No", "No", "So"], ["no", "ne", "ne", "ne"], ["UK", "UK", "UK", "UK"]])
def test_a_first_segment_that_could_name_languages_is_kept(tmp_path, first):
    found = opened({"t.csv": table([TITLES, first, *CELLS])}, tmp_path)
    assert texts_of(found) == {"a": [first[2], *A], "b": [first[3], *B]}


@pytest.mark.parametrize(
    "lines",
    [[f"{'the ' * (row % 5 + 3)}of of" for row in range(N)], ["yeah", "nope"] * (N // 2)],
    ids=["words", "answers"],
)
def test_a_system_that_says_the_same_again_and_again_is_kept(tmp_path, lines):
    found = opened({**PLAIN, "c.txt": plain(lines)}, tmp_path)
    assert texts_of(found) == {**SYSTEMS, "c": [line.strip() for line in lines]}


@pytest.mark.parametrize("row", [EMPTY_AT, N - 3])
def test_an_empty_row_of_a_table_keeps_its_place(tmp_path, row):
    rows = [["src", "ref", "a"], *zip(SOURCE, REFERENCE, A, strict=True)]
    rows[row + 1] = ["", "", ""]
    other = [*B[:row], "", *B[row + 1 :]]
    found = opened({"t.tsv": table(rows, "\t"), "b.txt": plain(other)}, tmp_path)
    assert sorted(texts_of(found).values()) == sorted([[*A[:row], "", *A[row + 1 :]], other])


def test_empty_rows_above_and_beneath_all_others_are_left_out():
    blank = [""] * 4
    columns = read("t.csv", table([TITLES, blank, *CELLS[:5], blank, *CELLS[5:], blank, blank]))
    assert len(columns[0].segments) == N + 1
    assert {"t.csv: 3 rows without any text left out.", "t.csv: 1 row without any text kept as an empty segment."} <= {
        *columns[0].notices
    }


def test_a_system_that_says_the_same_in_a_folder_of_its_own_is_kept(tmp_path):
    files = {f"{name}/hyp.txt": plain(texts) for name, texts in {**SYSTEMS, "c": ["yeah", "nope"] * (N // 2)}.items()}
    assert [*texts_of(opened({**files, "ref.txt": plain(REFERENCE)}, tmp_path))] == ["a", "b", "c"]
