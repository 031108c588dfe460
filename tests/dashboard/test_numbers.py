"""One form for each kind of number."""

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleucore import System, TestSet, evaluate
from bleuscope.content.style import numbers
from tests.dashboard.sheet_properties import WRONG_NUMBER


@pytest.mark.parametrize(
    ("write", "value", "text"),
    [
        (numbers.score, 0.0, "0.00"),
        (numbers.score, 36.134, "36.13"),
        (numbers.score, 100.00000000000004, "100.00"),
        (numbers.difference, -1.341, "−1.34"),
        (numbers.difference, 1.341, "+1.34"),
        (numbers.difference, 0.0, "0.00"),
        (numbers.difference, -0.0, "0.00"),
        (numbers.difference, -0.004, "0.00"),
        (numbers.difference, 0.004, "0.00"),
        (numbers.difference, -0.006, "−0.01"),
        (numbers.difference, -100.0, "−100.00"),
        (numbers.precision, 57.14, "57.1"),
        (numbers.precision, 100.0, "100.0"),
        (numbers.precision, 0.0, "0.0"),
        (numbers.ratio, 0.98449, "0.984"),
        (numbers.ratio, 1.0, "1.000"),
        (numbers.ratio, 12.3456, "12.346"),
        (numbers.ratio, -0.33549, "−0.335"),
        (numbers.ratio, -0.0001, "0.000"),
        (numbers.count, 0, "0"),
        (numbers.count, 999, "999"),
        (numbers.count, -3, "−3"),
        (numbers.count, 2037, "2\u202f037"),
        (numbers.count, 1234567, "1\u202f234\u202f567"),
        (numbers.about, 20, "20"),
        (numbers.about, 999, "1\u202f000"),
        (numbers.about, 7548, "7\u202f500"),
        (numbers.statistic, -3.4, "−3.40"),
        (numbers.statistic, 3.401, "3.40"),
        (numbers.statistic, 0.0, "0.00"),
        (numbers.statistic, -0.004, "0.00"),
        (numbers.p_value, 0.0, "< .001"),
        (numbers.p_value, 0.00099, "< .001"),
        (numbers.p_value, 0.001, ".001"),
        (numbers.p_value, 0.0124, ".012"),
        (numbers.p_value, 0.05, ".050"),
        (numbers.p_value, 0.5, ".500"),
        (numbers.p_value, 0.9994, ".999"),
        (numbers.p_value, 0.9996, "> .999"),
        (numbers.p_value, 1.0, "> .999"),
    ],
)
def test_each_kind_of_number_has_one_form(write, value, text):
    assert write(value) == text


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [(0.62, 2.05, "0.62 to 2.05"), (-1.2, -0.001, "−1.20 to 0.00"), (-0.004, 0.3, "0.00 to 0.30")],
)
def test_an_interval_has_both_ends(low, high, text):
    assert numbers.interval(low, high) == text


@pytest.mark.parametrize(
    ("value", "nouns", "text"),
    [
        (1, ("segment",), "1 segment"),
        (0, ("segment",), "0 segments"),
        (2, ("segment",), "2 segments"),
        (1234, ("segment",), "1\u202f234 segments"),
        (1, ("hypothesis", "hypotheses"), "1 hypothesis"),
        (3, ("hypothesis", "hypotheses"), "3 hypotheses"),
    ],
)
def test_a_noun_agrees_with_its_number(value, nouns, text):
    assert numbers.counted(value, *nouns) == text


@given(value=st.floats(-100, 100))
def test_a_difference_is_signed_and_reads_back_as_what_it_is(value):
    text = numbers.difference(value)
    assert re.fullmatch(r"0\.00|[+−]\d+\.\d\d", text)
    assert math.isclose(float(text.replace("−", "-")), value, abs_tol=0.00501)


@given(value=st.floats(0, 1))
def test_a_p_value_is_never_0_and_never_1(value):
    assert re.fullmatch(r"< \.001|> \.999|\.\d{3}", numbers.p_value(value))
    assert numbers.p_value(value) != ".000"


def test_a_metric_score_that_rounds_to_nothing_has_no_sign():
    assert numbers.metric_score(-0.00001) == "0.0000"


def test_one_of_anything_is_singular(bleuscope):
    out = bleuscope("segments", "--sample", "--top", "1")[1]
    assert "The first segment, " in out
    assert not WRONG_NUMBER.search(out)


def test_one_segment_is_singular_in_a_notebook():
    made = evaluate(TestSet([System("a", ["x"])], [["x"]]))._repr_html_()
    assert "1 segment;" in made
