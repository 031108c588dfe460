"""Differences of two systems as Plotly figures."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from bleucore.counts import Floats
from bleuscope.content.comparison.differences import DifferenceBins, extremes
from bleuscope.content.sheets.sheet import Sheet
from bleuscope.content.style import numbers
from bleuscope.content.style.charts import (
    axis_names,
    label,
    side_colours,
    styled,
    thinned,
)
from bleuscope.content.style.cut_names import NAME_LENGTH
from bleuscope.content.style.scale import ScoreScale


@dataclass(frozen=True)
class Quantity:
    """What is drawn of segments or documents: differences of their own scores, or parts in that of the corpus scores.

    Attributes:
        scale: How scores of the metric are written.
        is_part: Which of the two.
    """

    scale: ScoreScale
    is_part: bool = False

    @property
    def key(self) -> str:
        """Of its column in a sheet."""
        return "part" if self.is_part else "difference"

    @property
    def name(self) -> str:
        """Within titles."""
        return "contribution to Δ" if self.is_part else "difference"

    @property
    def axis(self) -> str:
        """At an axis."""
        return f"{'contribution to ' if self.is_part else ''}Δ {label(self.scale.unit, NAME_LENGTH)} (B − A)"

    def write(self, value: float) -> str:
        """One of its numbers."""
        return numbers.part(value) if self.is_part else self.scale.difference(value)

    @property
    def title(self) -> str:
        """The name at the beginning of a title."""
        return self.name[0].upper() + self.name[1:]


SCORE_DIFFERENCE = Quantity(ScoreScale("BLEU", higher_is_better=True, decimals=2))


def segment_differences_figure(
    sheet: Sheet, texts: Sequence[str | None], quantity: Quantity = SCORE_DIFFERENCE
) -> go.Figure:
    """A sheet of sorted segments as bars, as in iBLEU. The custom data of a point begins with its segment, from 0."""
    shown = thinned(len(sheet.frame))
    segments, delta = (sheet.frame[key].to_numpy()[shown] for key in ("segment", quantity.key))
    figure = go.Figure(
        go.Bar(
            x=shown + 1,
            y=delta,
            width=_bar_widths(shown, len(sheet.frame)),
            offset=-0.5,  # a bar begins at its own place: centred, wide and narrow ones would overlap
            marker={"color": side_colours(quantity.scale.gain(delta)), "line": {"width": 0}},
            customdata=[
                [number - 1, numbers.count(number), quantity.write(value), label(texts[number - 1] or "", 80)]
                for number, value in zip(segments.tolist(), delta.tolist(), strict=True)
            ],
            hovertemplate="segment %{customdata[1]}: Δ %{customdata[2]}<br>%{customdata[3]}<extra></extra>",
        )
    )
    figure.update_layout(bargap=0)
    figure.update_xaxes(title=f"segments, sorted by {quantity.name}", showgrid=False)
    figure.update_yaxes(title=quantity.axis, zeroline=True)
    return styled(figure, f"{quantity.title} by segment", height=340)


def difference_histogram(delta: Floats, scale: ScoreScale = SCORE_DIFFERENCE.scale) -> go.Figure:
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
    figure.update_xaxes(title=f"Δ {label(scale.unit, NAME_LENGTH)} of segments (B − A)")
    figure.update_yaxes(title="segments")
    return styled(figure, "How large the differences are", height=340)


def document_differences_figure(
    sheet: Sheet, quantity: Quantity = SCORE_DIFFERENCE, most: int | None = None
) -> go.Figure:
    """A quantity of the documents of a sheet, sorted. The custom data of a bar begins with its row.

    Args:
        sheet: Of documents.
        quantity: Which of its columns.
        most: Only so many, those that differ most.
    """
    documents, sizes, values = (sheet.frame[key].to_numpy() for key in ("document", "segments", quantity.key))
    order = extremes(values, most)
    delta = values[order]
    limit = float(np.abs(delta).max(initial=0.01)) * 1.3
    figure = go.Figure(
        go.Bar(
            x=delta,
            y=np.arange(len(order)),
            orientation="h",
            marker={"color": side_colours(quantity.scale.gain(delta))},
            text=[quantity.scale.difference(value) for value in delta.tolist()],
            textposition="outside",
            cliponaxis=False,
            customdata=[
                [
                    int(row),
                    label(documents[row], 80),
                    numbers.counted(int(sizes[row]), "segment"),
                    quantity.write(float(values[row])),
                ]
                for row in order
            ],
            hovertemplate="%{customdata[1]} (%{customdata[2]}): Δ %{customdata[3]}<extra></extra>",
        )
    )
    figure.update_xaxes(title=quantity.axis, range=[-limit, limit], zeroline=True)
    figure.update_yaxes(
        autorange="reversed",
        tickvals=np.arange(len(order)),
        ticktext=axis_names([documents[row] for row in order]),
    )
    return styled(figure, f"{quantity.title} by document", height=max(260, 90 + 24 * len(order)))


def _bar_widths(places: np.ndarray, n_points: int) -> np.ndarray:
    """Each bar reaches to the next one, so that thinning leaves no gaps."""
    return np.diff(np.append(places, n_points)).astype(float)
