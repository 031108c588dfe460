"""Differences of two systems by slice, as a Plotly figure."""

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from bleucore.counts import Floats
from bleuscope.content.sheets.sheet import Sheet
from bleuscope.content.sheets.values import page_texts
from bleuscope.content.style import numbers
from bleuscope.content.style.charts import NEUTRAL, WHISKER, axis_names, label, side_colours, styled
from bleuscope.content.style.cut_names import NAME_LENGTH
from bleuscope.content.style.scale import ScoreScale

MAX_DRAWN = 300
"""More bars than this are not drawn: the table has them all."""
ROW_HEIGHT, MIN_HEIGHT = 24, 220


def slices_figure(sheet: Sheet, scale: ScoreScale) -> go.Figure:
    """Δ of each slice with its interval, beside it the contribution to Δ. The custom data of a bar begins with its row.

    Args:
        sheet: Of slices of two systems.
        scale: How scores of the metric are written.
    """
    frame, fields = sheet.frame, {one.key: one for one in sheet.fields}
    has_parts = "part" in fields
    figure = make_subplots(1, 1 + has_parts, shared_yaxes=True, horizontal_spacing=0.03)
    names = [note.text for _, note in sorted(fields["slice"].notes.items())]
    sizes = [numbers.counted(size, "segment") for size in frame["segments"].tolist()]
    unit, delta = label(scale.unit, NAME_LENGTH), frame["difference"].to_numpy()
    ends = frame[["difference_interval_low", "difference_interval_high"]].to_numpy()
    drawn = [
        ("difference", f"Δ {unit} (B − A)", "Δ", [_difference(scale, *row) for row in zip(delta, ends, strict=True)])
    ]
    if has_parts:
        drawn.append(
            ("part", f"contribution to Δ {unit}", "contribution to Δ", page_texts(sheet, fields["part"], mark=""))
        )
    for column, (key, axis, called, texts) in enumerate(drawn, start=1):
        values = frame[key].to_numpy()
        bars = go.Bar(
            x=values,
            y=np.arange(len(frame)),
            orientation="h",
            marker=_marker(scale.gain(values), frame["small"].to_numpy()),
            error_x=_error_bars(delta, ends) if key == "difference" else None,
            customdata=[
                [row, label(name, 80), size, text]
                for row, (name, size, text) in enumerate(zip(names, sizes, texts, strict=True))
            ],
            hovertemplate=f"%{{customdata[1]}} (%{{customdata[2]}}): {called} %{{customdata[3]}}<extra></extra>",
        )
        figure.add_trace(bars, 1, column)
        figure.update_xaxes(title=axis, zeroline=True, row=1, col=column)
    figure.update_yaxes(autorange="reversed", showgrid=False)
    ticks = axis_names(names)
    figure.update_yaxes(tickvals=np.arange(len(frame)), ticktext=ticks, row=1, col=1)
    height = max(MIN_HEIGHT, 110 + ROW_HEIGHT * len(frame))
    styled(figure, f"Difference by {fields['slice'].heading}", height=height)
    return figure.update_layout(showlegend=False, height=height, bargap=0.25)


def _error_bars(delta: Floats, ends: Floats) -> dict[str, object]:
    """To the ends of the intervals (G, 2), none where there is no interval."""
    reach = np.maximum(np.nan_to_num((ends - delta[:, None]) * (-1, 1)), 0)
    return {
        "type": "data",
        "symmetric": False,
        "array": reach[:, 1],
        "arrayminus": reach[:, 0],
        **WHISKER,
    }


def _marker(values: Floats, is_small: np.ndarray) -> dict[str, object]:
    """Colours by the system that is ahead; bars of small slices are hatched.

    Plotly paints beneath the hatching what the bar's own colour is, but looks first for a contrast to one colour, and
    warns where it finds a list: so there is one.
    """
    return {
        "color": side_colours(values),
        "pattern": {
            "shape": ["/" if small else "" for small in is_small],
            "fillmode": "overlay",
            "bgcolor": NEUTRAL,
            "fgcolor": "white",
            "fgopacity": 0.6,
            "solidity": 0.25,
        },
    }


def _difference(scale: ScoreScale, difference: float, ends: Floats) -> str:
    text = scale.difference(difference)
    return text if np.isnan(ends[0]) else f"{text}, 95 % interval {scale.interval(ends[0], ends[1])}"
