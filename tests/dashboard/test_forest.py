"""Forest plots: all systems on one scale that covers the contenders, as a table and as a figure."""

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bleuscope.content.overview.forest import forest_html
from bleuscope.content.sheets.builders import SYSTEM, sheet_of
from bleuscope.content.sheets.forest import BEYOND, forest_figure
from bleuscope.content.sheets.forest_rows import MOST_TICKS, ForestRows, Panel, ticks
from bleuscope.content.sheets.sheet import Field
from bleuscope.content.style.identity import identities

PANEL = Panel("difference", "Δ BLEU", "difference_interval")
rows = st.lists(
    st.tuples(st.floats(-90, 90).map(lambda value: round(value, 2)), st.floats(0, 5), st.floats(0, 5)),
    min_size=1,
    max_size=40,
)


def sheet(values):
    """Systems with these differences and intervals; the first is what all others are measured against."""
    names = [f"system-{number}" for number in range(len(values))]
    differences = np.array([np.nan, *(value for value, _, _ in values[1:])])
    known = np.nan_to_num(differences)
    ends = np.array([[low, high] for _, low, high in values])
    ends = np.column_stack([known - ends[:, 0], known + ends[:, 1]])
    ends[0] = np.nan
    count = len(values)
    made = sheet_of(
        "systems",
        ("Systems.",),
        [
            (SYSTEM, names),
            (Field("bleu", "BLEU", "score"), [40.0] * count),
            (Field("difference", "Δ", "difference"), differences.tolist()),
            (Field("difference_interval", "95 % interval", "interval"), list(map(tuple, ends.tolist()))),
            (Field("corrected_p_value", "p", "p"), [np.nan] * count),
        ],
        {},
    )
    return made, identities(tuple(names), None, {}, tuple(names[:2]))


def of(*differences, reach=1.0):
    """Rows with these differences after the first, and intervals of one width."""
    return [(0.0, reach, reach), *((value, reach, reach) for value in differences)]


CASES = {
    "one": of(),
    "two": of(-0.7),
    "two far apart": of(-60.0),
    "eight": of(-0.7, -0.73, -2.6, -11.9, -12.4, -17.1, -28.4),
    "one of twelve at 0": of(*(-0.3 * number for number in range(1, 11)), -45.0),
    "one above": of(*(-0.3 * number for number in range(1, 11)), 45.0),
    "groups": of(-0.4, -0.8, -40.0, -40.5, -41.0),
    "equal": of(*[0.0] * 13),
    "equal but one": of(*[0.0] * 12, -30.0),
    "all outliers but one": of(-1.0, -10.0, -40.0, -90.0, 90.0),
    "without widths": of(-0.5, -1.0, -1.5, -50.0, reach=0.0),
    "forty": of(*(-0.2 * number for number in range(1, 37)), -60.0, -70.0, -80.0),
}


def check_rows(drawn):
    low, high = drawn.range
    inside = drawn.outside == 0
    assert low < high
    assert (drawn.ends[inside] >= low).all()
    assert (drawn.ends[inside] <= high).all()
    assert ((drawn.values[~inside] - (low + high) / 2) * drawn.outside[~inside] > 0).all()
    assert (~inside).sum() <= max(1, len(inside) // 4)


def check_both(values):
    """What holds for any systems: each is drawn once, inside the axis, and what is clipped has its number."""
    made, looks = sheet(values)
    drawn = ForestRows.of(made, PANEL)
    check_rows(drawn)
    low, high = drawn.range

    (trace,) = forest_figure(made, looks, [PANEL], title="Differences").data
    assert len(trace.x) == len(values)
    assert list(forest_figure(made, looks, [PANEL], title="Differences").layout.xaxis.range) == [low, high]
    first, last = trace.x - trace.error_x.arrayminus, trace.x + trace.error_x.array
    assert np.min(first) >= low - 1e-9
    assert np.max(last) <= high + 1e-9
    for side, symbol, text, said in zip(drawn.outside, trace.marker.symbol, trace.text, drawn.texts, strict=True):
        assert (symbol in BEYOND.values()) == (side != 0)
        assert text == (said if side else "")

    html = str(forest_html(made, looks))
    assert html.count('class="bs-point"') + html.count('class="bs-beyond"') == len(values)
    assert html.count('class="bs-beyond"') == np.count_nonzero(drawn.outside)
    places = [float(place) for place in re.findall(r"left:([-\d.e]+)%", html)]
    assert all(0 <= place <= 100 for place in places)
    assert all(drawn.texts[row] in html for row in np.flatnonzero(drawn.outside))
    assert 'class="bs-tick"' in html
    assert "Δ BLEU" in html.partition("<tfoot>")[2]


@pytest.mark.parametrize("name", CASES)
def test_every_system_is_drawn_once_on_the_axis(name):
    check_both(CASES[name])


@given(rows)
@example([(0.0, 0.0, 0.0)])
@example([(0.0, 0.0, 0.0), (1e-9, 0.0, 0.0)])
def test_every_system_is_drawn_once_on_the_axis_whatever_they_score(values):
    check_both(values)


@pytest.mark.parametrize(
    ("name", "outside"),
    [
        ("one of twelve at 0", {11: -1}),
        ("one above", {11: 1}),
        ("eight", {}),
        ("two far apart", {}),
        ("groups", {}),
        ("equal", {}),
        ("equal but one", {13: -1}),
        ("without widths", {4: -1}),
        ("forty", {37: -1, 38: -1, 39: -1}),
    ],
)
def test_the_axis_leaves_out_outliers_alone(name, outside):
    drawn = ForestRows.of(sheet(CASES[name])[0], PANEL)
    assert {row: side for row, side in enumerate(drawn.outside.tolist()) if side} == outside


def test_contenders_have_the_axis_though_one_output_is_at_zero():
    drawn = ForestRows.of(sheet(CASES["one of twelve at 0"])[0], PANEL)
    low, high = drawn.range
    assert (drawn.values[0] - drawn.values[10]) / (high - low) > 0.5


def test_what_is_measured_against_can_be_the_outlier():
    drawn = ForestRows.of(sheet(of(45.0, 45.5, 46.0, 46.2))[0], PANEL)
    assert drawn.outside.tolist() == [-1, 0, 0, 0, 0]
    html = str(forest_html(*sheet(of(45.0, 45.5, 46.0, 46.2))))
    assert "bs-zero" not in html
    assert html.count("bs-beyond") == 1


@given(st.floats(-100, 100), st.floats(0.1, 200))
@example(-0.9, 1.7)
@example(0.35, 8.1)
def test_ticks_are_few_round_and_on_the_axis(low, extent):
    found = ticks(low, low + extent)
    assert 2 <= len(found) <= MOST_TICKS
    assert all(low - 1e-9 <= one <= low + extent + 1e-9 for one in found)
    steps = np.diff(found)
    assert np.allclose(steps, steps[:1].sum() if len(steps) else 0)


def test_a_phone_reads_p_and_ranks_beneath_the_numbers(read_html):
    made, looks = sheet(of(-1.0))
    frame = made.frame.assign(
        rank_from=[1, 2], rank_to=[1, 3], corrected_p_value=[np.nan, 0.0004], significant=[False, True]
    )
    cells = read_html(forest_html(replace(made, frame=frame), looks)).of_class("bs-over")
    assert [cell.attributes["data-beneath"] for cell in cells] == ["rank 1", "\u00a0", "rank 2–3", "p < .001*"]
