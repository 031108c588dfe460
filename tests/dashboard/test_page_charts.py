"""What charts draw as tables whose rows do what a click on the chart does."""

from dashboard.content.comparison.difference_sheets import ends_of, sorted_segments_sheet
from dashboard.content.comparison.differences import segment_differences


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


def test_rows_of_compare_open_what_their_bars_open(open_page, sample):
    study = sample.study(("literal", "fluent"))
    app = open_page("compare", a="literal", b="fluent")
    rows = choose_row(app, "sorted", 0)
    assert int(rows["segment"].iloc[0]) == opened_filter(app)["segment"]

    delta = segment_differences(sample.evaluation, study.pair)
    app = open_page("compare", a="literal", b="fluent")
    rows = choose_row(app, "histogram", 2)
    found = opened_filter(app)
    assert rows["segments"].sum() == sample.test_set.n_segments
    assert ((delta >= found["low"]) & (delta < found["high"])).sum() == rows["segments"].iloc[2]

    app = open_page("compare", a="literal", b="fluent")
    rows = choose_row(app, "documents", 3)
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
