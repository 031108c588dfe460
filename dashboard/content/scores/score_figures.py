"""Scores as Plotly figures."""

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from dashboard.content.sheets.sheet import Sheet
from dashboard.content.style import numbers
from dashboard.content.style.charts import NEUTRAL, axis_name, label, styled
from dashboard.content.style.identity import Identity

MAX_GROUPED = 12
"""More systems than this side by side in a group of bars cannot be told apart; the table has them all."""


def scores_figure(sheet: Sheet, looks: Mapping[str, Identity]) -> go.Figure:
    """Corpus BLEU of a sheet of systems as bars, in its order, with their intervals where these are known."""
    names, values, lows, highs = (
        sheet.frame[key].tolist() for key in ("system", "bleu", "interval_low", "interval_high")
    )
    intervals = [None if np.isnan(low) else (low, high) for low, high in zip(lows, highs, strict=True)]
    ends = [interval or (value, value) for interval, value in zip(intervals, values, strict=True)]
    figure = go.Figure(
        go.Bar(
            x=values,
            y=[axis_name(looks[name]) for name in names],
            orientation="h",
            marker={
                "color": [looks[name].colour for name in names],
                "pattern": {"shape": [looks[name].pattern for name in names]},
            },
            error_x={
                "type": "data",
                "symmetric": False,
                "array": [high - value for (_, high), value in zip(ends, values, strict=True)],
                "arrayminus": [value - low for (low, _), value in zip(ends, values, strict=True)],
                "color": NEUTRAL,
                "thickness": 1.6,
                "width": 5,
            },
            customdata=[
                [label(name), numbers.score(value), *_ends(interval)]
                for name, value, interval in zip(names, values, intervals, strict=True)
            ],
            hovertemplate="%{customdata[0]}: %{customdata[1]} BLEU%{customdata[2]}<extra></extra>",
        )
    )
    furthest = max(high for _, high in ends)
    for name, value, (_, high) in zip(names, values, ends, strict=True):
        figure.add_annotation(
            x=max(value, high),
            y=axis_name(looks[name]),
            text=numbers.score(value),
            showarrow=False,
            xanchor="left",
            xshift=6,
        )
    figure.update_xaxes(title="BLEU (0–100, higher is better)", range=[0, max(1.0, furthest * 1.15)])
    figure.update_yaxes(autorange="reversed", automargin=True)
    return styled(figure, "Corpus BLEU with 95 % intervals", height=max(240, 90 + 34 * len(names)))


def precisions_figure(sheet: Sheet, looks: Mapping[str, Identity]) -> go.Figure:
    """Precision by n-gram order, a bar per system, as in Papineni et al. 2002, Figures 1 and 2; of many the best.

    Args:
        sheet: Of orders, best system first.
        looks: How each system is drawn, in the test set's order.
    """
    fields = {one.key: one.heading for one in sheet.fields if one.kind == "precision"}
    orders = list(fields.values())
    by_name = dict(zip(sheet.frame["system"], sheet.frame[list(fields)].to_numpy(np.float64), strict=True))
    best = list(by_name)[:MAX_GROUPED]
    figure = go.Figure()
    for name in filter(best.__contains__, looks):
        precisions = by_name[name]
        figure.add_bar(
            x=orders,
            y=precisions,
            name=axis_name(looks[name]),
            marker={"color": looks[name].colour, "pattern": {"shape": looks[name].pattern}},
            customdata=[[label(name), numbers.precision(value)] for value in precisions],
            hovertemplate="%{customdata[0]}: %{customdata[1]} % of its %{x}s match<extra></extra>",
        )
    figure.update_layout(barmode="group", bargap=0.25, bargroupgap=0.06)
    figure.update_yaxes(title="precision (%)", rangemode="tozero")
    said = f", the best {MAX_GROUPED} systems" if len(by_name) > MAX_GROUPED else ""
    return styled(figure, f"Precision by n-gram order{said}", height=360)


def _ends(interval: tuple[float, float] | None) -> list[str]:
    return (
        [""] if interval is None else [f", 95 % interval {numbers.score(interval[0])} to {numbers.score(interval[1])}"]
    )
