"""What charts draw as tables whose rows do what a click on the chart does."""

import numpy as np
import plotly.graph_objects as go
import pytest

from bleuscope.content.comparison.difference_sheets import ends_of, sorted_segments_sheet
from bleuscope.content.comparison.differences import segment_differences
from bleuscope.content.segments.segment_figures import MAX_SCATTERED, scatter_figure, scatter_sheet
from bleuscope.content.sheets.drawn import drawn_sheet
from bleuscope.shell.state.page_list import PAGES

PANELS = ("Two systems", "Blocks", "Power")
DATA = "Data"


def choose_row(app, chart, row):
    """Open the table of a chart and select a row, as Shift + Space does; what was in the table."""
    app.session_state[f"data-{chart}"] = True
    app.run()
    (table,) = (one for one in app.dataframe if str(one.key).startswith(f"_rows_chart-{chart}"))
    app.session_state[table.key] = {"selection": {"rows": [row], "columns": [], "cells": []}}
    app.run()
    assert not app.exception
    return table.value


def opened_filter(app):
    """What the page of segments is narrowed down to."""
    return {key: app.session_state[key] for key in ("segment", "low", "high", "document") if key in app.session_state}


DRAWN = {
    "scores",
    "significance",
    "compare",
    "references",
    "sensitivity",
    "validity",
    "leaderboard",
    "history",
    "kinds",
}
"""Pages that begin with charts; Segments shows its own when asked."""

OPENED = {f"project_{name}": name for name in ("compare", "segments", "trust")}
"""Pages that open the versions of a project as a comparison, and the page that shows it."""


def chart_keys(app):
    """Of every chart on the page, without how often it was clicked."""
    keys = (one.proto.id.partition("-chart-")[2] for one in app.get("plotly_chart"))
    return [key.removesuffix("-0") for key in keys]


@pytest.mark.parametrize(
    ("page", "values"),
    [
        *((name, {}) for name in PAGES if name != "significance"),
        *(("significance", {"panel": panel}) for panel in PANELS),
        ("segments", {"charts": "true"}),
    ],
)
def test_no_chart_is_without_a_table(open_on_data, page, values):
    app = open_on_data(page, **values, a="literal", b="fluent")
    if page in OPENED:
        assert app.title[0].value == PAGES[OPENED[page]].title
        page = OPENED[page]
        app.switch_page(PAGES[page].script).run()  # where the browser is by now
    keys = chart_keys(app)
    folded = [panel for panel in app.expander if panel.label == DATA]
    if page == "slices":
        (table,) = app.dataframe  # stands open beneath the only chart
        assert (len(keys), len(folded)) == (1, 0)
        assert len(table.value)
        return
    assert len(folded) == len(keys)
    for key in keys:
        app.session_state[f"data-{key}"] = True
    app.run()
    assert not app.exception
    opened = [panel for panel in app.expander if panel.label == DATA]
    assert [bool(len(panel.dataframe) or panel.get("html")) for panel in opened] == [True] * len(keys)
    assert bool(keys) == (page in DRAWN or "charts" in values)


def test_rows_of_compare_open_what_their_bars_open(open_page, sample):
    study = sample.study(("literal", "fluent"))
    app = open_page("compare", a="literal", b="fluent")
    rows = choose_row(app, "sorted-contribution to Δ", 0)
    assert int(rows["segment"].iloc[0]) == opened_filter(app)["segment"]

    delta = segment_differences(sample.evaluation, study.pair)
    app = open_page("compare", a="literal", b="fluent")
    rows = choose_row(app, "histogram", 2)
    found = opened_filter(app)
    assert rows["segments"].sum() == sample.test_set.n_segments
    assert ((delta >= found["low"]) & (delta < found["high"])).sum() == rows["segments"].iloc[2]

    app = open_page("compare", a="literal", b="fluent")
    rows = choose_row(app, "documents-contribution to Δ", 3)
    assert (
        rows["document"].iloc[3].strip()
        == opened_filter(app)["document"]
        == list(dict.fromkeys(sample.test_set.documents))[3]
    )


def test_of_very_many_segments_both_ends_are_listed(sample):
    delta = segment_differences(sample.evaluation, sample.pair())
    sheet = sorted_segments_sheet(delta)
    assert ends_of(sheet, 200) is sheet
    ends = ends_of(sheet, 5)
    assert ends.frame["place"].tolist() == [1, 2, 3, 4, 5, 212, 213, 214, 215, 216]
    assert ends.frame["segment"].tolist()[-1] == int(delta.argmax()) + 1


def test_rows_of_segments_do_what_their_points_and_bars_do(open_page):
    app = open_page("segments", a="literal", b="fluent", charts="true")
    rows = choose_row(app, "scatter", 4)
    assert app.session_state["segment"] == int(rows["segment"].iloc[4])

    app = open_page("segments", a="literal", b="fluent", charts="true")
    rows = choose_row(app, "differences", 1)
    found = opened_filter(app)
    assert f"{found['low']:.2f}".replace("-", "−") == rows["Δ from"].iloc[1].strip()
    assert found["high"] == rows["to"].iloc[1]


def test_cells_of_very_many_segments_are_listed_with_their_edges_and_numbers(sample):
    scores = np.repeat([10.0, 60.0], [MAX_SCATTERED, 1])
    figure = scatter_figure(scores, scores[::-1].copy(), np.arange(len(scores)), sample.pair_looks())
    frame = scatter_sheet(figure).frame
    assert frame["segments"].sum() == len(scores)
    cells = [tuple(cell) for cell in frame[["a_from", "a_to", "b_from", "b_to"]].to_numpy()]
    assert cells == [tuple(point[1:5]) for point in figure.data[0].customdata]
    assert (10.0, 12.5, 60.0, 62.5) in cells


def test_a_figure_without_a_sheet_has_its_points_headed_by_its_axes():
    figure = go.Figure([go.Scatter(x=[1, 2], y=[0.123, None], name="a &amp; b"), go.Scatter(x=[4], y=[0.5], name="c")])
    figure.add_scatter(x=[9], y=[9], hoverinfo="skip")
    figure.update_layout(title={"text": "T &lt; t"}, xaxis_title="size (band: none)", yaxis_title="Δ")
    sheet = drawn_sheet(figure)
    assert sheet.title == "T < t"
    assert [(one.heading, one.kind) for one in sheet.fields] == [
        ("drawn", "text"),
        ("size", "count"),
        ("Δ", "metric score"),
    ]
    assert sheet.frame["drawn"].tolist() == ["a & b", "a & b", "c"]
    assert sheet.frame["y"].tolist()[::2] == [0.123, 0.5]


def test_bars_with_widths_have_both_ends():
    figure = go.Figure(go.Bar(x=[0.5, 1.5], y=[3, 4], width=[0.9, 0.9]), {"title": {"text": "t"}})
    figure.update_layout(xaxis_title="Δ", yaxis_title="trials")
    frame = drawn_sheet(figure).frame
    assert frame[["from", "to", "y"]].to_numpy().tolist() == [[0, 1, 3], [1, 2, 4]]
    assert drawn_sheet(figure.update_traces(x=[0.5], y=[3], width=[1])).frame[["from", "to"]].to_numpy().tolist() == [
        [0, 1]
    ]
