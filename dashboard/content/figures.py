"""Results as Plotly figures. Texts from users are escaped, because Plotly reads some HTML in its labels."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
import plotly.graph_objects as go

from bleucore.counts import Floats
from dashboard.content import numbers
from dashboard.content.comparison import DifferenceBins
from dashboard.content.identity import Identity
from dashboard.content.scale import Scale
from dashboard.content.sheets.sheet import Sheet

POSITIVE, NEGATIVE, NEUTRAL = "#1F78B4", "#D9760A", "#8A8F98"
"""Differences: blue where B is ahead, orange where A is."""

MAX_POINTS = 4_000
"""More segments than this are thinned out in the middle of a sorted chart, never at its ends."""

MAX_GROUPED = 12
"""More systems than this side by side in a group of bars cannot be told apart; the table has them all."""

NAME_LENGTH = 24
LEGEND_COLUMNS = 3
LEGEND_DISTANCE, ABOVE_AND_BELOW = 62, 110
"""Pixels: of the legend from the axis, past its numbers and title; and of a figure outside its plot."""


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


@dataclass(frozen=True)
class Quantity:
    """What is drawn of segments or documents: differences of their own scores, or parts in that of the corpus scores.

    Attributes:
        scale: How scores of the metric are written.
        is_part: Which of the two.
    """

    scale: Scale
    is_part: bool = False

    @property
    def name(self) -> str:
        """Within titles."""
        return "part in Δ" if self.is_part else "difference"

    @property
    def axis(self) -> str:
        """At an axis."""
        return f"{'part in ' if self.is_part else ''}Δ {label(self.scale.unit, NAME_LENGTH)} (B − A)"

    def write(self, value: float) -> str:
        """One of its numbers."""
        return numbers.part(value) if self.is_part else self.scale.difference(value)

    @property
    def title(self) -> str:
        """The name at the beginning of a title."""
        return self.name[0].upper() + self.name[1:]


SCORE_DIFFERENCE = Quantity(Scale("BLEU", higher_is_better=True, decimals=2))


def segment_differences_figure(
    delta: Floats, texts: Sequence[str | None], quantity: Quantity = SCORE_DIFFERENCE
) -> go.Figure:
    """A quantity of every segment, sorted, as in iBLEU. The custom data of a point begins with its segment, from 0."""
    order = np.argsort(delta, kind="stable")[: np.count_nonzero(np.isfinite(delta))]  # what is missing sorts last
    shown = thinned(len(order))
    segments = order[shown]
    figure = go.Figure(
        go.Bar(
            x=shown + 1,
            y=delta[segments],
            width=_bar_widths(shown, len(order)),
            offset=-0.5,  # a bar begins at its own place: centred, wide and narrow ones would overlap
            marker={"color": side_colours(quantity.scale.gain(delta[segments])), "line": {"width": 0}},
            customdata=[
                [
                    int(segment),
                    numbers.count(int(segment) + 1),
                    quantity.write(float(delta[segment])),
                    label(texts[segment] or "", 80),
                ]
                for segment in segments
            ],
            hovertemplate="segment %{customdata[1]}: Δ %{customdata[2]}<br>%{customdata[3]}<extra></extra>",
        )
    )
    figure.update_layout(bargap=0)
    figure.update_xaxes(title=f"segments, sorted by {quantity.name}", showgrid=False)
    figure.update_yaxes(title=quantity.axis, zeroline=True)
    return styled(figure, f"{quantity.title} by segment", height=340)


def difference_histogram(delta: Floats, scale: Scale = SCORE_DIFFERENCE.scale) -> go.Figure:
    """How many segments differ by how much. The custom data of a bar are its lower and upper edge."""
    bins = DifferenceBins.of(delta, least=scale.least_limit)
    edges, width, heights = bins.edges, bins.width, bins.heights
    centres = (edges[:-1] + edges[1:]) / 2
    figure = go.Figure(
        go.Bar(
            x=centres,
            y=heights,
            width=width * 0.94,
            marker={"color": side_colours(scale.gain(np.where(np.abs(centres) < width / 2, 0, centres)))},
            customdata=[
                [
                    float(low),
                    float(high),
                    scale.score(float(low)),
                    scale.score(float(high)),
                    numbers.counted(int(height), "segment"),
                ]
                for low, high, height in zip(edges[:-1], edges[1:], heights, strict=True)
            ],
            hovertemplate="%{customdata[4]} with Δ from %{customdata[2]} to %{customdata[3]}<extra></extra>",
        )
    )
    figure.update_xaxes(title="Δ of segment scores (B − A)")
    figure.update_yaxes(title="segments")
    return styled(figure, "How large the differences are", height=340)


def document_differences_figure(
    documents: Sequence[str], delta: Floats, sizes: Sequence[int], quantity: Quantity = SCORE_DIFFERENCE
) -> go.Figure:
    """A quantity of every document, sorted. The custom data of a bar begins with the document's index."""
    order = np.argsort(delta, kind="stable")[::-1]
    limit = float(np.abs(delta).max(initial=0.01)) * 1.3
    figure = go.Figure(
        go.Bar(
            x=delta[order],
            y=np.arange(len(order)),
            orientation="h",
            marker={"color": side_colours(quantity.scale.gain(delta[order]))},
            text=[quantity.write(float(delta[index])) for index in order],
            textposition="outside",
            cliponaxis=False,
            customdata=[
                [int(index), label(documents[index], 80), numbers.counted(sizes[index], "segment")] for index in order
            ],
            hovertemplate="%{customdata[1]} (%{customdata[2]}): Δ %{text}<extra></extra>",
        )
    )
    figure.update_xaxes(title=quantity.axis, range=[-limit, limit], zeroline=True)
    figure.update_yaxes(
        autorange="reversed",
        tickvals=np.arange(len(order)),
        ticktext=[label(documents[index], NAME_LENGTH) for index in order],
    )
    return styled(figure, f"{quantity.title} by document", height=max(260, 90 + 24 * len(order)))


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
    """A text on one line and escaped, because Plotly reads some HTML; a long one is cut."""
    line = " ".join(text[: 4 * length].split())
    return escape(line if len(line) <= length else line[: length - 1] + "…", quote=False)


def axis_name(look: Identity) -> str:
    """A system at an axis or in a legend."""
    return f"{look.number}  {label(look.name, NAME_LENGTH)}"


def _ends(interval: tuple[float, float] | None) -> list[str]:
    return (
        [""] if interval is None else [f", 95 % interval {numbers.score(interval[0])} to {numbers.score(interval[1])}"]
    )


def side_colours(delta: Floats) -> list[str]:
    """The colour of who is ahead, by differences that are above 0 where B is."""
    return [POSITIVE if value > 0 else NEGATIVE if value < 0 else NEUTRAL for value in delta]


def thinned(n_points: int) -> np.ndarray:
    """Places to show of a sorted chart: all of few, else both ends whole and the middle at even steps."""
    if n_points <= MAX_POINTS:
        return np.arange(n_points)
    end = MAX_POINTS // 4
    middle = np.linspace(end, n_points - end, MAX_POINTS - 2 * end, endpoint=False).astype(int)
    return np.unique(np.concatenate([np.arange(end), middle, np.arange(n_points - end, n_points)]))


def _bar_widths(places: np.ndarray, n_points: int) -> np.ndarray:
    """Each bar reaches to the next one, so that thinning leaves no gaps."""
    return np.diff(np.append(places, n_points)).astype(float)
