"""The segments found as Plotly figures: each system's score against the other's, as points or counted in cells."""

import math
from html import unescape

import numpy as np
import plotly.graph_objects as go

from bleucore.counts import Floats, Ints
from bleuscope.content.comparison.difference_figures import SCORE_DIFFERENCE
from bleuscope.content.comparison.differences import SCORE_DECIMALS
from bleuscope.content.sheets.builders import FilledField, sheet_of
from bleuscope.content.sheets.sheet import Field, Sheet
from bleuscope.content.style import numbers
from bleuscope.content.style.charts import NEUTRAL, axis_name, label, side_colours, styled
from bleuscope.content.style.cut_names import NAME_LENGTH
from bleuscope.content.style.identity import SystemStyle
from bleuscope.content.style.scale import ScoreScale

MAX_SCATTERED = 2_500
"""More segments than this are counted in cells: a browser would get a message as long as the corpus. So few points
need no WebGL, which not every browser has."""
CELL = 2.5
"""Width of a cell, of a scale that goes to 100."""
LARGEST_CELL = 11.0
"""Pixels: of the square of the fullest cell."""


def scatter_figure(
    first: Floats,
    second: Floats,
    rows: Ints,
    looks: tuple[SystemStyle, SystemStyle],
    scale: ScoreScale = SCORE_DIFFERENCE.scale,
) -> go.Figure:
    """The score of B against that of A of the segments found; on the diagonal both are equal.

    The custom data of a point or cell begin with whether it is a cell. A point's segment (from 0) follows; of a cell
    its ends, lowest and highest score of A and of B.

    Args:
        first: Segment scores of A, (S,).
        second: Those of B.
        rows: The segments found; those without a score of both are left out.
        looks: Of A and B.
        scale: Of the scores, BLEU's unless given.
    """
    rows = rows[np.isfinite(first[rows] + second[rows])]
    low, high = _limits(np.concatenate([first[rows], second[rows]]), scale)
    if len(rows) > MAX_SCATTERED:
        points = _cells(first[rows], second[rows], (low, high), scale)
        title = "Segments by scores (larger square: more segments)"
    else:
        points = _points(first, second, rows, scale)
        title = "Segments by their scores"
    figure, unit, margin = go.Figure(points), label(scale.unit, NAME_LENGTH), 3 * (high - low) // 100 or 0.03
    figure.add_shape(type="line", x0=low, y0=low, x1=high, y1=high, line={"color": NEUTRAL, "width": 1, "dash": "dash"})
    ends = [low - margin, high + margin]
    figure.update_xaxes(title=f"{unit} of A: {axis_name(looks[0])}", range=ends, zeroline=False)
    figure.update_yaxes(title=f"{unit} of B: {axis_name(looks[1])}", range=ends, zeroline=False)
    return styled(figure, title, height=380)


def scatter_sheet(figure: go.Figure) -> Sheet:
    """What ``scatter_figure`` draws, a row for each point or cell."""
    (drawn,), data = figure.data, figure.data[0].customdata
    across, up = (unescape(axis.title.text) for axis in (figure.layout.xaxis, figure.layout.yaxis))
    columns: list[FilledField] = [
        (Field("segment", "segment", "count"), [int(one[1]) + 1 for one in data]),
        (Field("a", across, "metric score"), drawn.x),
        (Field("b", up, "metric score"), drawn.y),
    ]
    if len(data) and data[0][0]:
        headings = (f"{across}, from", f"{across}, to", f"{up}, from", f"{up}, to")
        ends = zip(headings, ("a_from", "a_to", "b_from", "b_to"), np.array(data)[:, 1:5].T, strict=True)
        columns = [(Field(key, heading, "statistic"), values.astype(float)) for heading, key, values in ends]
        columns.append((Field("segments", "segments", "count"), [one[6] for one in data]))
    return sheet_of("scatter", (), columns, {}, title=figure.layout.title.text)


def _limits(scores: Floats, scale: ScoreScale) -> tuple[int, int]:
    """From 0 to 100, or 0 to 1 of small scores; further where scores lie beyond."""
    full, rounded = round(100 * scale.least_limit), np.round(scores, SCORE_DECIMALS)
    low, high = rounded.min(initial=0.0), rounded.max(initial=full)
    return math.floor(low / full) * full, math.ceil(high / full) * full


def _points(first: Floats, second: Floats, rows: Ints, scale: ScoreScale) -> go.Scatter:
    form = f".{scale.decimals}f"
    return go.Scatter(
        x=np.round(first[rows], scale.decimals),
        y=np.round(second[rows], scale.decimals),
        mode="markers",
        marker={"color": side_colours(scale.gain(second[rows] - first[rows])), "size": 6, "opacity": 0.6},
        customdata=[
            [False, int(row), numbers.count(int(row) + 1), scale.difference(float(second[row] - first[row]))]
            for row in rows
        ],
        hovertemplate=f"segment %{{customdata[2]}}: A %{{x:{form}}}, B %{{y:{form}}}, Δ %{{customdata[3]}}"
        "<extra></extra>",
    )


def _cells(first: Floats, second: Floats, limits: tuple[int, int], scale: ScoreScale) -> go.Scatter:
    start, end = limits
    width = CELL * (end - start) / 100
    edges = np.arange(start, end + width, width)
    counts, _, _ = np.histogram2d(np.clip(first, start, end), np.clip(second, start, end), bins=(edges, edges))
    columns, lines = np.nonzero(counts)
    filled = counts[columns, lines].astype(int)
    low, high = edges[columns], edges[lines]
    return go.Scatter(
        x=low + width / 2,
        y=high + width / 2,
        mode="markers",
        marker={
            "symbol": "square",
            "color": side_colours(scale.gain((lines - columns).astype(float))),
            "size": 2 + (LARGEST_CELL - 2) * np.sqrt(filled / filled.max()),
            "opacity": 0.85,
        },
        customdata=[
            [True, *map(float, (left, left + width, below, below + width)), numbers.counted(n, "segment"), n]
            for left, below, n in zip(low, high, filled.tolist(), strict=True)
        ],
        hovertemplate="%{customdata[5]} with A from %{customdata[1]} to %{customdata[2]} and B from %{customdata[3]} "
        "to %{customdata[4]}<extra></extra>",
    )
