"""Scores as Plotly figures."""

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from bleuscope.content.sheets.forest import forest_figure
from bleuscope.content.sheets.forest_rows import Panel
from bleuscope.content.sheets.sheet import Sheet
from bleuscope.content.style import numbers
from bleuscope.content.style.charts import axis_name, label, styled
from bleuscope.content.style.identity import SystemStyle

MAX_GROUPED = 6
"""More systems than this side by side in a group of bars cannot be told apart: they are rows of points."""


def scores_figure(sheet: Sheet, looks: Mapping[str, SystemStyle], chosen: Sequence[str] = ()) -> go.Figure:
    """Corpus scores of a sheet of systems with the intervals, where these are known; of many the chosen are named."""
    score = next(one for one in sheet.fields if one.best is not None)
    metric = score.page_heading.removesuffix(" ↑").removesuffix(" ↓")
    scale = "0–100, higher is better" if score.best == "highest" else "lower is better"
    panel = Panel(score.key, f"{metric} ({scale})", "interval")
    return forest_figure(sheet, looks, [panel], title=f"Corpus {metric} with 95 % intervals", chosen=chosen)


def precisions_figure(sheet: Sheet, looks: Mapping[str, SystemStyle], chosen: Sequence[str] = ()) -> go.Figure:
    """Precision by n-gram order: a bar per system, as in Papineni et al. 2002, Figures 1 and 2; of many a row each.

    Args:
        sheet: Of orders, best system first.
        looks: How each system is drawn, in the test set's order.
        chosen: Of many systems those that are named in any case.
    """
    orders = {one.key: one.heading for one in sheet.fields if one.kind == "precision"}
    if len(sheet.frame) > MAX_GROUPED:
        panels = [Panel(key, f"{heading}<br>%") for key, heading in orders.items()]
        return forest_figure(sheet, looks, panels, title="Precision by n-gram order", chosen=chosen)
    by_name = dict(zip(sheet.frame["system"], sheet.frame[list(orders)].to_numpy(np.float64), strict=True))
    figure = go.Figure()
    for name in filter(by_name.__contains__, looks):
        figure.add_bar(
            x=list(orders.values()),
            y=by_name[name],
            name=axis_name(looks[name]),
            marker={"color": looks[name].colour},
            customdata=[[label(name), numbers.precision(value)] for value in by_name[name]],
            hovertemplate="%{customdata[0]}: %{customdata[1]} % of its %{x}s match<extra></extra>",
        )
    figure.update_layout(barmode="group", bargap=0.25, bargroupgap=0.06)
    figure.update_yaxes(title="precision (%)", rangemode="tozero")
    return styled(figure, "Precision by n-gram order", height=360)
