"""What all charts have in common."""

from html import escape

import numpy as np
import plotly.graph_objects as go

from bleucore.counts import Floats
from bleuscope.content.style.identity import SIDE_COLOURS, SystemStyle
from bleuscope.content.style.widths import FROM_THE_RIGHT, first_columns, last_columns, n_columns

DRAWN, OBSERVED, NEUTRAL = "#1F78B4", "#D9760A", "#7F858E"
"""What was drawn or counted, what was observed, and what is neither."""


INK = "#22282E"
"""Of the whiskers in a picture on white; a dark page has its own (``charts.css``)."""
WHISKER = {"color": INK, "thickness": 1.5, "width": 0}
"""The bars of an interval, which stand out from what they lie on."""


MAX_POINTS = 4_000
"""More segments than this are thinned out in the middle of a sorted chart, never at its ends."""


NAME_LENGTH = 24


LEGEND_COLUMNS = 3


LEGEND_DISTANCE, ABOVE_AND_BELOW = 62, 110
"""Pixels: of the legend from the axis, past its numbers and title; and of a figure outside its plot."""


def styled(figure: go.Figure, title: str, *, height: int) -> go.Figure:
    """The figure in common looks: title at the left, legend beneath, margins as large as the labels need."""
    has_legend = len(figure.data) > 1
    figure.update_layout(
        title={"text": title, "font": {"size": 16}, "x": 0, "xanchor": "left"},
        height=height + (24 * -(-len(figure.data) // LEGEND_COLUMNS) if has_legend else 0),
        margin={"l": 8, "r": 16, "t": 44, "b": 8},
        legend={
            "orientation": "h",
            "y": -LEGEND_DISTANCE / (height - ABOVE_AND_BELOW),
            "yanchor": "top",
            "x": 0,
            "xanchor": "left",
            "title": None,
        },
        hoverlabel={"align": "left"},
        dragmode=False,
    )
    figure.update_xaxes(automargin=True)
    figure.update_yaxes(automargin=True)
    return figure


def label(text: str, length: int = 60) -> str:
    """A text on one line and escaped, because Plotly reads some HTML; a longer one than so many columns is cut."""
    line = " ".join(text[: 4 * length].split())
    return _isolated(line if n_columns(line) <= length else first_columns(line, length - 1) + "…")


def short_name(name: str) -> str:
    """A name at an axis. Those of one shared task, or of one site, begin or end alike: a long one loses its middle."""
    line, end = " ".join(name.split()), NAME_LENGTH // 2
    if n_columns(line) <= NAME_LENGTH:
        return _isolated(line)
    return _isolated(f"{first_columns(line, end - 1)}…{last_columns(line, end)}")


def axis_name(look: SystemStyle) -> str:
    """A system at an axis or in a legend."""
    return f"{look.number}  {short_name(look.name)}"


def _isolated(line: str) -> str:
    """Escaped; what is written from the right keeps its place beside numbers that stand before and behind it."""
    escaped = escape(line, quote=False)
    return f"\N{FIRST STRONG ISOLATE}{escaped}\N{POP DIRECTIONAL ISOLATE}" if FROM_THE_RIGHT.search(line) else escaped


def side_colours(delta: Floats) -> list[str]:
    """The colour of who is ahead, by differences that are above 0 where B is."""
    return [SIDE_COLOURS["B"] if value > 0 else SIDE_COLOURS["A"] if value < 0 else NEUTRAL for value in delta]


def thinned(n_points: int) -> np.ndarray:
    """Places to show of a sorted chart: all of few, else both ends whole and the middle at even steps."""
    if n_points <= MAX_POINTS:
        return np.arange(n_points)
    end = MAX_POINTS // 4
    middle = np.linspace(end, n_points - end, MAX_POINTS - 2 * end, endpoint=False).astype(int)
    return np.unique(np.concatenate([np.arange(end), middle, np.arange(n_points - end, n_points)]))
