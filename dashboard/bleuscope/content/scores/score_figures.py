"""Scores as Plotly figures."""

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from bleuscope.content.sheets.forest import forest_figure
from bleuscope.content.sheets.forest_rows import Panel
from bleuscope.content.sheets.sheet import Sheet
from bleuscope.content.style.identity import SystemStyle


def scores_figure(sheet: Sheet, looks: Mapping[str, SystemStyle], chosen: Sequence[str] = ()) -> go.Figure:
    """Corpus scores of a sheet of systems with the intervals, where these are known; of many the chosen are named."""
    score = next(one for one in sheet.fields if one.best is not None)
    metric = score.page_heading.removesuffix(" ↑").removesuffix(" ↓")
    scale = "0–100, higher is better" if score.best == "highest" else "lower is better"
    panel = Panel(score.key, f"{metric} ({scale})", "interval")
    return forest_figure(sheet, looks, [panel], title=f"Corpus {metric} with 95 % intervals", chosen=chosen)


def precisions_figure(sheet: Sheet, looks: Mapping[str, SystemStyle], chosen: Sequence[str] = ()) -> go.Figure:
    """Precision by n-gram order, as in Papineni et al. 2002, Figures 1 and 2: a row for each system, a scale an order.

    Args:
        sheet: Of orders, best system first.
        looks: How each system is drawn, in the test set's order.
        chosen: Of many systems those that are named in any case.
    """
    panels = [Panel(one.key, f"{one.heading}<br>%") for one in sheet.fields if one.kind == "precision"]
    return forest_figure(sheet, looks, panels, title="Precision by n-gram order", chosen=chosen)
