"""The segments found as Plotly figures: each system's score against the other's, as points or counted in cells."""

import numpy as np
import plotly.graph_objects as go

from bleucore.counts import Floats, Ints
from dashboard.content import numbers
from dashboard.content.figures import NEUTRAL, axis_name, side_colours, styled
from dashboard.content.identity import Identity

MAX_SCATTERED = 2_500
"""More segments than this are counted in cells: a browser would get a message as long as the corpus. So few points
need no WebGL, which not every browser has."""
CELL = 2.5
"""Width of a cell in BLEU."""
LARGEST_CELL = 11.0
"""Pixels: of the square of the fullest cell."""


def scatter_figure(first: Floats, second: Floats, rows: Ints, looks: tuple[Identity, Identity]) -> go.Figure:
    """The score of B against that of A of the segments found; on the diagonal both are equal.

    The custom data of a point or cell begin with whether it is a cell. A point's segment (from 0) follows; of a cell
    its ends, lowest and highest score of A and of B.

    Args:
        first: Segment scores of A, (S,).
        second: Those of B.
        rows: The segments found.
        looks: Of A and B.
    """
    if len(rows) > MAX_SCATTERED:
        points = _cells(first[rows], second[rows])
        title = "Segments by their scores: the larger a square, the more"
    else:
        points = _points(first, second, rows)
        title = "Segments by their scores"
    figure = go.Figure(points)
    figure.add_shape(type="line", x0=0, y0=0, x1=100, y1=100, line={"color": NEUTRAL, "width": 1, "dash": "dash"})
    figure.update_xaxes(title=f"BLEU of A: {axis_name(looks[0])}", range=[-3, 103], zeroline=False)
    figure.update_yaxes(title=f"BLEU of B: {axis_name(looks[1])}", range=[-3, 103], zeroline=False)
    return styled(figure, title, height=380)


def _points(first: Floats, second: Floats, rows: Ints) -> go.Scatter:
    return go.Scatter(
        x=np.round(first[rows], 2),
        y=np.round(second[rows], 2),
        mode="markers",
        marker={"color": side_colours(second[rows] - first[rows]), "size": 6, "opacity": 0.6},
        customdata=[
            [False, int(row), numbers.count(int(row) + 1), numbers.difference(float(second[row] - first[row]))]
            for row in rows
        ],
        hovertemplate="segment %{customdata[2]}: A %{x:.2f}, B %{y:.2f}, Δ %{customdata[3]}<extra></extra>",
    )


def _cells(first: Floats, second: Floats) -> go.Scatter:
    edges = np.arange(0.0, 100.0 + CELL, CELL)
    counts, _, _ = np.histogram2d(np.clip(first, 0, 100), np.clip(second, 0, 100), bins=(edges, edges))
    columns, lines = np.nonzero(counts)
    filled = counts[columns, lines].astype(int)
    low, high = edges[columns], edges[lines]
    return go.Scatter(
        x=low + CELL / 2,
        y=high + CELL / 2,
        mode="markers",
        marker={
            "symbol": "square",
            "color": side_colours((lines - columns).astype(float)),
            "size": 2 + (LARGEST_CELL - 2) * np.sqrt(filled / filled.max()),
            "opacity": 0.85,
        },
        customdata=[
            [True, float(left), float(left + CELL), float(below), float(below + CELL), numbers.counted(n, "segment")]
            for left, below, n in zip(low, high, filled.tolist(), strict=True)
        ],
        hovertemplate="%{customdata[5]} with A from %{customdata[1]} to %{customdata[2]} and B from %{customdata[3]} "
        "to %{customdata[4]}<extra></extra>",
    )
