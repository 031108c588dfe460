"""What settings do to the order of systems, as Plotly figures."""

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from bleucore.robustness.rankings import ranks
from bleucore.robustness.sensitivity import Axis, SensitivityGrid, SettingResult
from bleuscope.content.style import numbers
from bleuscope.content.style.charts import INK, NEUTRAL, OBSERVED, axis_name, label, styled
from bleuscope.content.style.identity import SystemStyle, highlighted
from bleuscope.features.sensitivity.words import AXIS_TITLES

CELL_SIZE, ROW_HEIGHT, LINE_HEIGHT, REST = 34, 44, 30, 130
ON_FILLED = "#000000"
COLUMN_SHARE = 0.15
"""Of the width, so that few columns stand next to each other."""
OF_ROWS = ("tokenizer", "case")
MOST_NAMED = 8
MOST_RANKS, RANKS_APART = 10, 5
"""More ranks than this do not stand beside each other on a phone; from one that the axis names to the next."""


def grid_figure(grid: SensitivityGrid) -> go.Figure:
    """How many pairs each setting reverses: filled where one of them is significant on both sides, else hollow."""
    figure = go.Figure()
    for is_meant, name in ((False, "none, or all within noise"), (True, "some significant on both sides")):
        results = [result for result in grid.counted if (result.significant_flips > 0) == is_meant]
        if not results:
            continue
        rows, columns = ([_part(result, grid.axes, of_rows=of_rows) for result in results] for of_rows in (True, False))
        figure.add_scatter(
            x=columns,
            y=rows,
            mode="markers+text",
            name=name,
            text=[str(len(result.flips)) for result in results],
            textfont={"size": 14, **({"color": ON_FILLED} if is_meant else {})},
            marker={
                "symbol": "square" if is_meant else "square-open",
                "size": CELL_SIZE,
                "color": [OBSERVED if result.flips else NEUTRAL for result in results],
                "line": {"width": 2},
            },
            customdata=[[grid.results.index(result), _hover(result, grid)] for result in results],
            hovertemplate="%{customdata[1]}<extra></extra>",
        )
    parts = [[_part(result, grid.axes, of_rows=of_rows) for result in grid.counted] for of_rows in (True, False)]
    rows, columns = (list(dict.fromkeys(part)) for part in parts)
    figure.update_yaxes(
        autorange="reversed", type="category", categoryorder="array", categoryarray=rows, showgrid=False
    )
    width = min(1, COLUMN_SHARE * len(columns))
    figure.update_xaxes(
        type="category", categoryorder="array", categoryarray=columns, showgrid=False, domain=(0, width)
    )
    styled(figure, f"Reversed pairs, of {numbers.count(grid.n_pairs)}", height=REST + ROW_HEIGHT * len(rows))
    return figure.update_layout(legend={"itemsizing": "constant"})


def ribbons_figure(grid: SensitivityGrid, looks: Mapping[str, SystemStyle]) -> go.Figure:
    """From which rank to which each system goes, the larger a point the more settings; now: a ring."""
    found, present = grid.ranks(), ranks(grid.gains(grid.base.scores))
    order = np.argsort(present, kind="stable")
    styles, figure = highlighted(looks), go.Figure()
    for place in order.tolist():
        look = styles[grid.systems[place]]
        values, counts = np.unique(found[:, place], return_counts=True)
        shares = counts / len(found)
        figure.add_scatter(
            x=values,
            y=[axis_name(look)] * len(values),
            mode="lines+markers",
            cliponaxis=False,
            line={"color": look.colour, "width": 2},
            marker={"size": 6 + 22 * np.sqrt(shares), "color": look.colour, "symbol": "circle"},
            customdata=[[numbers.percent(float(share))] for share in shares],
            meta=label(look.name),
            hovertemplate="%{meta}: rank %{x} in %{customdata[0]} of settings<extra></extra>",
            showlegend=False,
        )
    figure.add_scatter(
        x=present[order],
        y=[axis_name(looks[grid.systems[place]]) for place in order],
        mode="markers",
        cliponaxis=False,
        marker={"symbol": "diamond", "size": 10, "color": "#FFFFFF", "line": {"width": 2, "color": INK}},
        hovertemplate="%{y}: rank %{x} now<extra></extra>",
        showlegend=False,
    )
    figure.update_yaxes(autorange="reversed", type="category")
    n_systems = len(order)
    figure.update_xaxes(
        title="rank (diamond: now;<br>larger: in more settings)",
        dtick=RANKS_APART if n_systems > MOST_RANKS else 1,
        tick0=RANKS_APART if n_systems > MOST_RANKS else 1,
        tickangle=0,
        range=[0.3, n_systems + 0.7],
    )
    styled(figure, "Ranks over all settings", height=REST)
    return figure.update_layout(height=REST + LINE_HEIGHT * len(order))


def _part(result: SettingResult, axes: tuple[Axis, ...], *, of_rows: bool) -> str:
    """The values of the axes that make rows, or columns; the first axis makes rows where none of the usual ones do."""
    varied = [axis for axis in axes if len(axis.distinct) > 1]
    in_rows = [axis for axis in varied if axis.name in OF_ROWS] or varied[:1]
    named = [label(result.setting.values[axis.name], 24) for axis in varied if (axis in in_rows) == of_rows]
    return (", " if of_rows else "<br>").join(named) or "all"


def _hover(result: SettingResult, grid: SensitivityGrid) -> str:
    """The setting, and the pairs that it reverses."""
    setting = ", ".join(f"{AXIS_TITLES[axis.name]} {label(result.setting.values[axis.name], 30)}" for axis in grid.axes)
    flips = [
        f"{label(flip.behind, 24)} over {label(flip.ahead, 24)}: {numbers.difference(flip.difference)} for "
        f"{numbers.difference(flip.base_difference)}{' (significant on both sides)' if flip.is_significant else ''}"
        for flip in sorted(result.flips, key=lambda flip: not flip.is_significant)
    ]
    more = [f"and {len(flips) - MOST_NAMED} more"] if len(flips) > MOST_NAMED else []
    return "<br>".join([setting, f"{len(flips)} of {grid.n_pairs} reversed pairs", *flips[:MOST_NAMED], *more])
