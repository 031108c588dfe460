"""What BLEU credits against what people marked: the numbers that conditions ask for, and the tables."""

import numpy as np
import pytest

from bleucore import BleuOptions, System, TestSet
from bleucore.analysis.credited_and_marked import credited_and_marked
from bleucore.judgements.records import Judgements, Row, Span
from bleuscope.content.segments.conditions import OF_MARKS, names_in
from bleuscope.content.segments.marked_tokens import (
    NUMBER_NAMES,
    categories_sheet,
    cells_of,
    cells_sheet,
    numbers_of,
    systems_sheet,
)

OPTIONS = BleuOptions("none", max_order=2)
TEXTS = TestSet([System("A", ["a b x d", "a b", "p q"]), System("B", ["a", "b", "c"])], [["a b c d", "a b", "r s"]])
ROWS = (
    Row(1, "A", 0, spans=(Span(2, 3, "minor", "style"), Span(4, 7, "major", "accuracy"))),
    Row(2, "A", 2, spans=(Span(0, 1, "critical", ""),)),
)
COUNTED = credited_and_marked(TEXTS, "A", Judgements("mqm", "m.tsv", "MQM", ROWS), OPTIONS)
NONE = credited_and_marked(TEXTS, "B", Judgements("mqm", "m.tsv", "MQM", ROWS), OPTIONS)


def test_numbers_are_tokens_of_judged_segments_and_missing_elsewhere():
    numbers = numbers_of({"b": COUNTED}, 3)
    assert set(numbers) == {name for name in NUMBER_NAMES if name.endswith("_b")}
    wanted = {
        "marked_b": [3, np.nan, 1],
        "unmarked_b": [1, np.nan, 1],
        "matched_major_b": [1, np.nan, 0],
        "matched_minor_b": [1, np.nan, 0],
        "matched2_marked_b": [1, np.nan, 0],
        "unmatched_unmarked_b": [0, np.nan, 1],
        "unmatched_critical_b": [0, np.nan, 1],
    }
    for name, values in wanted.items():
        np.testing.assert_array_equal(numbers[name], values)


def test_ready_questions_ask_for_numbers_that_there_are():
    assert all(names_in(condition) <= NUMBER_NAMES for condition in OF_MARKS.values())


@pytest.mark.parametrize(("max_order", "n_cells"), [(1, 4), (2, 6), (4, 10), (6, 10)])
def test_cells_are_of_the_orders_there_are_and_name_their_segments(max_order, n_cells):
    cells = cells_of("a", BleuOptions("none", max_order=max_order))
    assert len(cells) == n_cells
    assert all(cell.condition.removesuffix(" > 0") in NUMBER_NAMES for cell in cells)


def test_a_row_of_the_table_of_cells_has_its_tokens_and_segments():
    frame = cells_sheet("A", COUNTED, cells_of("b", OPTIONS)).frame
    assert frame["cell"].tolist()[:4] == [
        "not credited, marked",
        "not credited, not marked",
        "credited, marked",
        "credited, not marked",
    ]
    assert frame["tokens"].tolist() == [2, 1, 2, 1, 1, 1]
    assert frame["segments"].tolist() == [2, 1, 1, 1, 1, 1]
    assert frame[["minor", "major", "critical"]].to_numpy().tolist()[:3] == [[0, 1, 1], [0, 0, 0], [1, 1, 0]]
    assert frame["share"].round(1).tolist()[:2] == [66.7, 33.3]


def test_the_table_of_systems_has_shares_of_what_there_is():
    frame = systems_sheet({"A": COUNTED, "B": NONE}, "m.tsv", "sig").frame
    assert frame["system"].tolist() == ["A", "B"]
    assert frame[["segments", "tokens", "credited", "uncredited", "in_longest"]].to_numpy().tolist() == [
        [2, 6, 3, 3, 2],
        [0] * 5,
    ]
    shares = frame[["credited_marked", "credited_major", "uncredited_marked", "in_longest_marked"]].round(1)
    np.testing.assert_array_equal(shares, [[66.7, 33.3, 66.7, 50.0], [np.nan] * 4])


def test_categories_come_with_most_marked_tokens_first():
    frame = categories_sheet("A", COUNTED).frame
    assert frame["category"].tolist() == ["accuracy", "no category", "style"]
    assert frame[["tokens", "major", "credited"]].to_numpy().tolist() == [[2, 2, 1], [1, 1, 0], [1, 0, 1]]
