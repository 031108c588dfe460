"""The small histograms beside the list, whose bars become filters."""

import numpy as np
import pytest

from bleuscope.content.segments.range_charts import RangeChart, range_charts_html
from bleuscope.content.style.identity import SIDE_COLOURS
from bleuscope.content.style.scale import ScoreScale

BLEU, TER = ScoreScale("BLEU", higher_is_better=True, decimals=2), ScoreScale("TER", higher_is_better=False, decimals=2)
DELTA = np.array([-30.0, -1.0, 0.0, 2.0, 2.5, 30.0, np.nan])


def test_bins_hold_every_value_and_stay_where_other_filters_leave_few():
    every = RangeChart.of("Δ", DELTA, DELTA, None)
    few = RangeChart.of("Δ", DELTA, DELTA[3:5], None)
    assert every.heights.sum() == 6
    assert few.heights.sum() == 2
    assert every.edges.tolist() == few.edges.tolist()
    assert every.edges[0] == -every.edges[-1]


def test_lengths_begin_at_zero_in_whole_tokens():
    chart = RangeChart.of("tokens", np.array([1.0, 7.0]), np.array([1.0, 7.0]), None)
    assert chart.edges.tolist() == list(range(8))
    assert chart.heights.sum() == 2


def test_bars_from_one_to_another_are_a_range_and_those_that_are_not_there_are_none():
    chart = RangeChart.of("tokens", np.array([20.0]), np.array([20.0]), None)
    assert chart.range_of(2, 4) == (2.0, 5.0)
    last = len(chart.heights) - 1
    assert [chart.range_of(*bars) for bars in ((4, 2), (-1, 2), (0, last + 1))] == [None, None, None]
    low, high = chart.range_of(0, last)
    assert low <= 20 <= high


@pytest.mark.parametrize("values", [np.zeros(3), np.array([1e-9, -1e-9]), np.array([-0.8, 0.9]), np.array([1e5])])
def test_values_of_any_size_have_bins_that_rise(values):
    for name in ("Δ", "BLEU A"):
        chart = RangeChart.of(name, values, values, None)
        assert (np.diff(chart.edges) > 0).all()
        assert chart.heights.sum() == len(values)


def test_what_the_filter_leaves_out_is_faint():
    chart = RangeChart.of("tokens", np.array([10.0]), np.array([10.0]), (3.0, 5.0))
    assert np.flatnonzero(chart.is_inside()).tolist() == [3, 4]


@pytest.mark.parametrize(("scale", "ahead"), [(BLEU, "B"), (TER, "A")])
def test_bars_have_the_colour_of_the_side_that_is_ahead_and_say_what_they_hold(read_html, scale, ahead):
    chart = RangeChart.of("Δ", np.array([30.0]), np.array([30.0]), (0.0, 10.0))
    page = read_html(range_charts_html({0: chart}, scale, scale.unit))
    filled = [bar for bar in page.of_tag("i") if "height:100%" in bar.attributes["style"]]
    assert [SIDE_COLOURS[ahead] in bar.attributes["style"] for bar in filled] == [True]
    (figure,) = page.of_class("bs-brush")
    assert "Δ of 1 segment, −" in figure.attributes["aria-label"]
    assert len([title for title in page.titles() if title.endswith(": 1")]) == 1
    assert page.of_class("bs-outside")
