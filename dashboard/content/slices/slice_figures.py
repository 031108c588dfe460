"""Differences of two systems by slice, as a Plotly figure."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from bleucore.analysis.slices import SliceComparison
from bleucore.counts import Floats, Ints
from dashboard.content.slices.slice_tables import SliceSummary, slice_name
from dashboard.content.style import numbers
from dashboard.content.style.charts import NAME_LENGTH, NEUTRAL, label, side_colours, styled
from dashboard.content.style.scale import Scale

MAX_DRAWN = 300
"""More bars than this are not drawn: the table has them all."""
ROW_HEIGHT, MIN_HEIGHT = 24, 220


def slices_figure(summary: SliceSummary, shown: Ints, tested: SliceComparison) -> go.Figure:
    """Δ of each slice with its interval, beside it the part in Δ. The custom data of a bar begins with its slice."""
    figure = make_subplots(1, 1 if summary.parts is None else 2, shared_yaxes=True, horizontal_spacing=0.03)
    places, names = np.arange(len(shown)), [slice_name(summary.slicing.names[index]) for index in shown]
    sizes = [numbers.counted(size, "segment") for size in summary.slicing.sizes[shown].tolist()]
    delta, is_small, unit = summary.delta[shown], summary.is_small[shown], label(summary.metric.name, NAME_LENGTH)
    figure.add_trace(
        go.Bar(
            x=delta,
            y=places,
            orientation="h",
            marker=_marker(summary.gain[shown], is_small),
            error_x=_error_bars(delta, [tested.tests[int(index)].interval for index in shown]),
            customdata=[
                [int(index), label(name, 80), size, _difference(summary.scale, tested, int(index))]
                for index, name, size in zip(shown, names, sizes, strict=True)
            ],
            hovertemplate="%{customdata[1]} (%{customdata[2]}): Δ %{customdata[3]}<extra></extra>",
        ),
        1,
        1,
    )
    figure.update_xaxes(title=f"Δ {unit} (B − A)", zeroline=True, row=1, col=1)
    if summary.parts is not None:
        parts = summary.parts[shown]
        figure.add_trace(
            go.Bar(
                x=parts,
                y=places,
                orientation="h",
                marker=_marker(summary.metric.gain(parts), is_small),
                customdata=[
                    [int(index), label(name, 80), size, numbers.part(part)]
                    for index, name, size, part in zip(shown, names, sizes, parts.tolist(), strict=True)
                ],
                hovertemplate="%{customdata[1]} (%{customdata[2]}): part in Δ %{customdata[3]}<extra></extra>",
            ),
            1,
            2,
        )
        figure.update_xaxes(title=f"part in Δ {unit}", zeroline=True, row=1, col=2)
    figure.update_yaxes(autorange="reversed", showgrid=False)
    figure.update_yaxes(tickvals=places, ticktext=[label(name, NAME_LENGTH) for name in names], row=1, col=1)
    height = max(MIN_HEIGHT, 110 + ROW_HEIGHT * len(shown))
    styled(figure, f"Difference by {summary.slicing.kind}", height=height)
    return figure.update_layout(showlegend=False, height=height, bargap=0.25)


def _error_bars(delta: Floats, intervals: Sequence[tuple[float, float] | None]) -> dict[str, object]:
    ends = np.array([interval or (value, value) for interval, value in zip(intervals, delta, strict=True)])
    return {
        "type": "data",
        "symmetric": False,
        "array": np.maximum(ends[:, 1] - delta, 0),
        "arrayminus": np.maximum(delta - ends[:, 0], 0),
        "color": NEUTRAL,
        "thickness": 1.4,
        "width": 3,
    }


def _marker(values: Floats, is_small: np.ndarray) -> dict[str, object]:
    """Colours by the system that is ahead; bars of small slices are hatched."""
    return {
        "color": side_colours(values),
        "pattern": {
            "shape": ["/" if small else "" for small in is_small],
            "fillmode": "overlay",
            "fgcolor": "white",
            "fgopacity": 0.6,
            "solidity": 0.25,
        },
    }


def _difference(scale: Scale, tested: SliceComparison, index: int) -> str:
    compared = tested.tests[index]
    text = scale.difference(compared.difference)
    return text if compared.interval is None else f"{text}, 95 % interval {scale.interval(*compared.interval)}"
