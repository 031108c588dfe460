"""Differences of two systems as Plotly figures."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from bleucore.counts import Floats
from dashboard.content.comparison.differences import DifferenceBins
from dashboard.content.style import numbers
from dashboard.content.style.charts import (
    NAME_LENGTH,
    label,
    side_colours,
    styled,
    thinned,
)
from dashboard.content.style.scale import Scale


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


def _bar_widths(places: np.ndarray, n_points: int) -> np.ndarray:
    """Each bar reaches to the next one, so that thinning leaves no gaps."""
    return np.diff(np.append(places, n_points)).astype(float)
