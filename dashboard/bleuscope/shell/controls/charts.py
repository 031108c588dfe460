"""Charts, each with what it draws as a table beneath it: for whoever moves by keyboard, or hears the page."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from bleuscope.content.comparison.difference_sheets import ends_of
from bleuscope.content.sheets.drawn import drawn_sheet
from bleuscope.content.sheets.html import html_table
from bleuscope.content.sheets.sheet import Sheet
from bleuscope.content.style.identity import SystemStyle
from bleuscope.shell.controls import row_links, widgets
from bleuscope.shell.state import session

CONFIG = {
    "displaylogo": False,
    "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"],
    "toImageButtonOptions": {"format": "png", "width": 480, "scale": 3},  # where ``pictures.js`` does not run
}
MOST_ROWS = 200
"""Of a table beneath a chart, at either end."""
ASKED_POINT = "_point"
A_POINT = re.compile(r"(\d{1,9})\.\d+")
"""What the browser writes there: the first of a point's custom data, and a number that makes each click a new value."""
MOST_IN_SIGHT, COLUMN_WIDTH = 8, 85


def chart(
    figure: go.Figure, key: str, alt: str, sheet: Sheet | None = None, looks: Mapping[str, SystemStyle] | None = None
) -> None:
    """Show a figure.

    Args:
        figure: What is drawn.
        key: Of this chart.
        alt: What it shows.
        sheet: What it is made from; ``drawn_sheet`` unless given.
        looks: How each system is drawn, of a sheet that names systems.
    """
    st.plotly_chart(figure, key=f"chart-{key}", alt=alt, config=CONFIG, height=figure.layout.height)
    panel = st.expander("Data", key=f"data-{key}", on_change="rerun")
    if panel.open:
        with panel:
            widgets.html(html_table(ends_of(sheet or drawn_sheet(figure), MOST_ROWS), looks, style="bs-narrow"))


def clickable(
    figure: go.Figure, key: str, alt: str, sheet: Sheet, data_of: Callable[[int], Sequence[Any]]
) -> Sequence[Any] | None:
    """Show a figure whose points can be clicked, and so can the rows of its table.

    Args:
        figure: What is drawn.
        key: Of this chart.
        alt: What it shows.
        sheet: Its table.
        data_of: The custom data of the point that a row of the table, from 0, stands for.

    Returns:
        The custom data of the point that was chosen, at the run after the click.
    """
    found = _with_table(_chosen(figure, key, alt), key, alt, sheet, data_of)
    return found[0] if found else None


def brushable(
    figure: go.Figure, key: str, alt: str, sheet: Sheet, data_of: Callable[[int], Sequence[Any]]
) -> Sequence[Sequence[Any]]:
    """``clickable`` whose points can be drawn over, too; the first of their custom data is a whole number.

    Streamlit tells of no click on a chart that is drawn over. The browser asks for the point itself (``brushes.js``).

    Returns:
        The custom data of all points that were chosen, only the first of a click; none where nothing was.
    """
    figure.update_layout(dragmode="select", selectdirection="h")
    asked = A_POINT.fullmatch(session.get(ASKED_POINT) or "")
    session.drop(ASKED_POINT)
    drawn_over = _with_table(_chosen(figure, key, alt, can_brush=True), key, alt, sheet, data_of)
    with st.container(key="point-asked"):
        st.text_input("Point", key=ASKED_POINT, max_chars=40, label_visibility="collapsed")
    return drawn_over if asked is None else [(int(asked[1]),)]


def _with_table(
    chosen: Sequence[Sequence[Any]],
    key: str,
    alt: str,
    sheet: Sheet,
    data_of: Callable[[int], Sequence[Any]],
) -> Sequence[Sequence[Any]]:
    """What was chosen in a chart, or in its table beneath it."""
    panel = st.expander("Data", key=f"data-{key}", on_change="rerun")
    if not panel.open or not len(sheet.frame):
        return chosen
    with panel:
        row = row_links.chosen_row(
            sheet,
            f"chart-{key}",
            width_of=lambda _: COLUMN_WIDTH,
            most_rows=MOST_IN_SIGHT,
            alt=alt,
            name_width=COLUMN_WIDTH,
        )
    return chosen if row is None else [data_of(row)]


def clicked(figure: go.Figure, key: str, alt: str) -> Sequence[Any] | None:
    """``clickable`` without its table, for a page where that stands beneath it anyway."""
    found = _chosen(figure, key, alt)
    return found[0] if found else None


def _chosen(figure: go.Figure, key: str, alt: str, *, can_brush: bool = False) -> Sequence[Sequence[Any]]:
    """The custom data of the points that were clicked or drawn over, at the run after that."""
    clicks = f"_clicks_{key}"
    event = st.plotly_chart(
        figure,
        key=f"chart-{key}-{session.get(clicks, 0)}",
        alt=alt,
        config=CONFIG,
        height=figure.layout.height,  # the place is as high before there is a chart
        on_select="rerun",
        selection_mode=("points", "box") if can_brush else "points",
    )
    points = event.selection.points
    if not points:
        return []
    session.put(clicks, session.get(clicks, 0) + 1)  # a new chart: coming back does not click again
    return [list(point["customdata"]) for point in points if point.get("customdata")]
