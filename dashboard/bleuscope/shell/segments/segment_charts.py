"""Charts of the segments found: a click on one narrows the list down, or opens a segment."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import streamlit as st

from bleucore import InputError
from bleucore.counts import Ints
from bleuscope.content.comparison import difference_figures
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.comparison.difference_sheets import difference_bins_sheet
from bleuscope.content.comparison.differences import DifferenceBins, segment_differences
from bleuscope.content.segments import segment_figures
from bleuscope.content.segments.range_charts import RangeChart, range_charts_html
from bleuscope.content.segments.segment_queries import SegmentQuery, measures, ranges, unit_of, without_range
from bleuscope.content.style.scale import ScoreScale
from bleuscope.runtime import params
from bleuscope.shell.controls import widgets
from bleuscope.shell.controls.charts import clickable
from bleuscope.shell.controls.exports import shown_table
from bleuscope.shell.controls.widgets import plain
from bleuscope.shell.page.error_spans import marked_errors
from bleuscope.shell.segments.segment_filters import looked_at, set_range
from bleuscope.shell.state import cached, session
from bleuscope.streamlit_port import DeltaGenerator

BRUSHED, CLICKED = "_brush", "_clicked_chart"
ASKED_BARS = re.compile(r"(\d{1,3}):(\d{1,3}):(\d{1,3})\.\d+")
"""What the browser writes into the field ``BRUSHED``: a histogram, its first and its last bar, each from 0; and a
number that makes every drawing a new value."""


def range_charts(view: ComparisonContext, query: SegmentQuery, places: Sequence[DeltaGenerator]) -> None:
    """Histograms of differences, lengths and parts; each follows all filters but its own, which it sets.

    Args:
        view: What the page shows.
        query: The filters.
        places: Where those in sight go, and where the others do.
    """
    parts = cached.segment_parts(view.evaluation, view.metric, view.pair) if view.compares else None
    values = measures(view.evaluation, view.both, parts, view.metric)
    shown, known = [], looked_at(view, query)
    for name in ("Δ", "tokens", "contribution") if view.compares else ("BLEU A", "tokens"):
        others = without_range(query, name)
        try:
            rows = cached.found_segments(view.test_set, view.evaluation, view.both, others, view.metric, *known)
        except InputError:  # a pattern or a condition, which the list tells of
            return
        if np.isfinite(values[name]).any():
            shown.append(RangeChart.of(name, values[name], values[name][rows], ranges(query).get(name)))
    charts = dict(enumerate(shown))
    for place, is_first in zip(places, (True, False), strict=True):
        some = {number: chart for number, chart in charts.items() if (chart.name != "contribution") == is_first}
        if some:
            with place:
                widgets.html(range_charts_html(some, ScoreScale.of(view.metric), unit_of(view.metric)))
    with st.container(key="brush"):
        st.text_input("Bars", key=BRUSHED, max_chars=40, on_change=_brush, args=(shown,), label_visibility="collapsed")


def follow_click() -> None:
    """Do what was clicked in a chart of the run before: its filters are set before their widgets are drawn."""
    if (click := session.get(CLICKED)) is not None:
        session.drop(CLICKED)
        name, chosen = click
        ANSWERS[name](chosen)


def charts(view: ComparisonContext, rows: Ints) -> None:
    """Scores of A against B, and how large the differences are, drawn when the panel is open."""
    panel = st.expander("Charts of the segments found", **params.CHARTS.panel())
    if not panel.open:
        return
    first, second = (view.metric.known_segment_scores(name) for name in view.both)
    scale = ScoreScale.of(view.metric)
    looks = (view.looks[view.both[0]], view.looks[view.both[1]])
    with panel:
        left, right = st.columns(2, gap="large")
        with left:
            scatter = segment_figures.scatter_figure(first, second, rows, looks, scale)
            alt = "Score of B against score of A of every segment found"
            points = scatter.data[0].customdata
            table = segment_figures.scatter_sheet(scatter)
            _keep_click("scatter", clickable(scatter, "scatter", alt, table, lambda row: points[row]))
        with right:
            delta = segment_differences(view.evaluation, view.both, view.metric)[rows]
            histogram = difference_figures.difference_histogram(delta, scale)
            bins = difference_bins_sheet(DifferenceBins.of(delta, least=scale.least_limit))
            alt, ends = "How many of the segments found differ by how much", bins.frame[["from", "to"]].to_numpy()
            _keep_click("differences", clickable(histogram, "differences", alt, bins, lambda row: ends[row]))
        st.caption("Click a point to open its segment, or a square or bar to list its segments.")


def questions(view: ComparisonContext, query: SegmentQuery) -> None:
    """How often the questions that are asked hold for each system, counted when the panel is open."""
    if not query.conditions:
        return
    panel = st.expander("How often, by system", **params.HOW_OFTEN.panel())
    if not panel.open:
        return
    with panel:
        try:
            shown_table(cached.questions(view, query.conditions, marked_errors(view)), view.looks)
        except InputError as error:
            st.error(plain(str(error)))


def _brush(shown: Sequence[RangeChart]) -> None:
    """Filter by the bars that were drawn over; a callback."""
    asked = ASKED_BARS.fullmatch(session.get(BRUSHED) or "")
    chart, first, last = map(int, asked.groups()) if asked is not None else (len(shown), 0, 0)
    limits = shown[chart].range_of(first, last) if chart < len(shown) else None
    if limits is not None:
        set_range(shown[chart].name, limits)


def _open_point(data: Sequence[Any]) -> None:
    is_cell, *rest = data
    if is_cell:
        set_range("BLEU A", (float(rest[0]), float(rest[1])))
        set_range("BLEU B", (float(rest[2]), float(rest[3])))
    else:
        session.put(params.SEGMENT, int(rest[0]) + 1)


def _filter_bar(data: Sequence[Any]) -> None:
    set_range("Δ", (float(data[0]), float(data[1])))


def _ask(data: Sequence[Any]) -> None:
    session.put(params.WHERE, [str(data[0])])


ANSWERS: Mapping[str, Callable[[Sequence[Any]], None]] = {
    "scatter": _open_point,
    "differences": _filter_bar,
    "question": _ask,
}


def ask(condition: str) -> None:
    """List the segments that a condition holds for, on this page, whose filters are drawn already."""
    _keep_click("question", [condition])


def _keep_click(name: str, chosen: Sequence[Any] | None) -> None:
    if chosen is not None:
        session.put(CLICKED, (name, chosen))
        st.rerun()
