"""A sheet as a chart, for papers and reports too: a row for each system, a point with its interval, on some scales."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from bleucore.counts import Floats
from bleuscope.content.sheets.forest_rows import ForestRows, Panel, cluster_starts, ticks
from bleuscope.content.sheets.sheet import Sheet
from bleuscope.content.style.charts import NEUTRAL, WHISKER, axis_name, label, styled
from bleuscope.content.style.identity import SystemStyle, highlighted

MOST_HEIGHT, MOST_ROW_HEIGHT, NAMED_HEIGHT = 720.0, 26.0, 16.0
"""Pixels: of all rows together and of one at most, and what a name needs at least."""
AROUND_ROWS = 100
"""Pixels of a figure outside its rows."""
NAMED_SIZE, THIN_SIZE = 9, 5
BEYOND = {-1: "triangle-left", 1: "triangle-right"}
"""Markers at the ends of an axis, for points before and beyond it; each has its number."""
EN_SPACE = "\u2002"
PANEL_GAP, PANEL_TICKS, TICK_SIZE = 0.06, 3, 10
"""Of several panels: what is between them, and so many numbers of this size stand beneath each on a phone, too."""


def forest_figure(
    sheet: Sheet, looks: Mapping[str, SystemStyle], panels: Sequence[Panel], *, title: str, chosen: Sequence[str] = ()
) -> go.Figure:
    """A row for each system in the sheet's order, with a line between its clusters where it has any.

    The height is bounded. Of too many systems the first, the last, and the chosen ones with their neighbours have rows
    as high as a name; the others share what is left, and say on hover who they are.

    Args:
        sheet: One system a row, in the column ``system``.
        looks: How each system is drawn.
        panels: The scales, side by side; the values on a single one stand next to the names. Each covers all but
            outliers, which are marked at its ends with their numbers.
        title: Of the figure.
        chosen: Systems to name in any case.
    """
    names, styles = sheet.frame["system"].tolist(), highlighted(looks, chosen or None)
    is_named = _named_rows(names, chosen)
    edges = np.concatenate([[0.0], np.cumsum(_row_heights(is_named))])
    centres = (edges[:-1] + edges[1:]) / 2
    width = (1 - PANEL_GAP * (len(panels) - 1)) / len(panels)
    figure = go.Figure()
    for place, panel in enumerate(panels):
        start = place * (width + PANEL_GAP)
        drawn = ForestRows.of(sheet, panel)
        figure.add_trace(_points(drawn, [styles[name] for name in names], centres, is_named, f"x{place + 1}"))
        axis = {
            "title": panel.axis,
            "domain": [start, start + width],
            "range": drawn.range,
            "anchor": "y",
            "showgrid": True,
        }
        axis |= _panel_ticks(*drawn.range) if len(panels) > 1 else {}
        figure.update_layout({f"xaxis{place + 1}": axis})
    beside = ForestRows.of(sheet, panels[0]).texts if len(panels) == 1 else [""] * len(names)
    figure.update_yaxes(
        range=[edges[-1], 0],
        tickvals=centres[is_named],
        ticktext=[
            f"{axis_name(looks[names[row]])}{EN_SPACE}{beside[row]}".rstrip() for row in np.flatnonzero(is_named)
        ],
        showgrid=False,
        zeroline=False,
    )
    figure.update_layout(shapes=_cluster_lines(sheet, edges))
    height = AROUND_ROWS + round(edges[-1])
    # however low the rows are together, Plotly leaves room for the axis beneath them
    return styled(figure, title, height=height).update_layout(height=height, showlegend=False, minreducedheight=10)


def _panel_ticks(low: float, high: float) -> dict[str, Any]:
    """The numbers beneath a narrow panel: two or three, which do not meet."""
    shown = ticks(low, high, PANEL_TICKS)
    shown = shown if len(shown) > 1 else ticks(low, high)
    texts = [f"{one:g}" for one in shown]
    return {"tickvals": shown, "ticktext": texts, "tickangle": 0, "tickfont": {"size": TICK_SIZE}}


def _named_rows(names: Sequence[str], chosen: Sequence[str]) -> NDArray[np.bool_]:
    """Which rows are as high as a name, (n,)."""
    n_rows = len(names)
    if n_rows * NAMED_HEIGHT <= MOST_HEIGHT:
        return np.ones(n_rows, bool)
    is_named = np.zeros(n_rows, bool)
    is_named[[0, -1]] = True
    for row in (0, *(names.index(name) for name in chosen if name in names)):
        is_named[max(0, row - 1) : row + 2] = True
    return is_named


def _row_heights(is_named: NDArray[np.bool_]) -> Floats:
    """In pixels, (n,)."""
    if is_named.all():
        return np.full(len(is_named), min(MOST_ROW_HEIGHT, MOST_HEIGHT / len(is_named)))
    left = MOST_HEIGHT - NAMED_HEIGHT * int(is_named.sum())
    return np.where(is_named, NAMED_HEIGHT, left / int((~is_named).sum()))


def _points(
    drawn: ForestRows, looks: Sequence[SystemStyle], centres: Floats, is_named: NDArray[np.bool_], axis: str
) -> go.Scatter:
    reach = np.nan_to_num(np.abs(drawn.shown_ends - drawn.shown[:, None]))
    return go.Scatter(
        x=drawn.shown,
        y=centres,
        mode="markers+text",
        text=[text if side else "" for text, side in zip(drawn.texts, drawn.outside.tolist(), strict=True)],
        textposition=["middle left" if side > 0 else "middle right" for side in drawn.outside.tolist()],
        textfont={"size": TICK_SIZE},
        marker={
            "color": [look.colour for look in looks],
            "symbol": [BEYOND.get(side, look.marker) for look, side in zip(looks, drawn.outside.tolist(), strict=True)],
            "size": np.where(is_named, NAMED_SIZE, THIN_SIZE),
            "opacity": 1,
        },
        cliponaxis=False,
        error_x={"type": "data", "symmetric": False, "array": reach[:, 1], "arrayminus": reach[:, 0], **WHISKER},
        customdata=[
            [label(look.name), said, row] for row, (look, said) in enumerate(zip(looks, drawn.said, strict=True))
        ],
        hovertemplate="%{customdata[0]}: %{customdata[1]}<extra></extra>",
        xaxis=axis,
        yaxis="y",
    )


def _cluster_lines(sheet: Sheet, edges: Floats) -> list[dict[str, Any]]:
    """A line above the first row of every cluster but the first, with the cluster's name."""
    return [
        {
            "type": "line",
            "xref": "paper",
            "x0": 0,
            "x1": 1,
            "y0": edges[row],
            "y1": edges[row],
            "line": {"width": 1, "dash": "dot", "color": NEUTRAL},
        }
        for row in cluster_starts(sheet)
    ]
