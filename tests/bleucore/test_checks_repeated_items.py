"""Rows of the same item: a note that says how many items there are."""

import pytest

from bleucore import System, TestSet
from bleucore.checks import check

LINES = tuple(f"the cat {n} sat on the mat near door {n % 7} of the house" for n in range(40))
OUTPUTS = tuple(line.replace("mat", "rug") if n % 2 else line.replace("cat", "dog") for n, line in enumerate(LINES))


def found(lines, outputs, **more):
    test_set = TestSet([System("a", outputs)], [lines], **more)
    return [one for one in check(test_set) if one.check == "repeated-items"]


@pytest.mark.parametrize("times", [2, 5])
def test_rows_that_repeat_are_a_note_with_the_items_and_how_often_each_stands_there(times):
    (one,) = found(LINES * times, OUTPUTS * times)
    assert one.severity == "note"
    assert f"40 items × {times}." in one.message
    assert len(one.segments) == 40 * times


def test_items_of_unequal_number_say_how_many_rows_there_are():
    (one,) = found(LINES * 2 + LINES[:20], OUTPUTS * 2 + OUTPUTS[:20])
    assert "40 items in 100 rows." in one.message


def test_a_label_says_which_rows_are_of_one_item():
    (one,) = found(LINES, OUTPUTS, labels={"item": tuple(str(n // 4) for n in range(40))})
    assert "10 items × 4." in one.message


@pytest.mark.parametrize("n_repeated", [0, 1, 8])
def test_a_few_equal_rows_are_no_items(n_repeated):
    assert not found(LINES + LINES[:n_repeated], OUTPUTS + OUTPUTS[:n_repeated])
