"""Small histograms beside the list: a range of bars that is drawn over becomes a filter."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from bleucore.counts import Floats
from bleuscope.content.comparison.differences import DifferenceBins, round_width
from bleuscope.content.segments.segment_queries import Range, in_unit
from bleuscope.content.style import numbers
from bleuscope.content.style.charts import NEUTRAL, side_colours
from bleuscope.content.style.markup import together
from bleuscope.content.style.scale import ScoreScale

N_BINS = 24
SMALLEST_SHARE = 0.04
"""Of the highest bar: a bar of one segment is seen."""
SIGNED = ("contribution", "Δ")
"""Measures of which B or A has the better of it."""


@dataclass(frozen=True)
class RangeChart:
    """How many of some segments have which values, in bins that do not depend on the filters.

    Attributes:
        name: Of the filter, as in ``filters.FILTERS``.
        edges: (N + 1,).
        heights: (N,).
        limits: The range that is filtered by, if one is.
    """

    name: str
    edges: NDArray[np.floating]
    heights: NDArray[np.int64]
    limits: Range | None

    @classmethod
    def of(cls, name: str, values: Floats, found: Floats, limits: Range | None) -> "RangeChart":
        """The values of all segments decide the bins, those of the segments found by the other filters fill them."""
        largest = float(np.nanmax(np.abs(values), initial=0.0))
        if name in SIGNED:
            edges = DifferenceBins.of(values, least=largest or 1.0).edges
        else:
            low, high = min(0.0, float(np.nanmin(values, initial=0.0))), float(np.nanmax(values, initial=0.0))
            width = round_width((high - low or 1.0) / N_BINS)
            width = max(1.0, width) if name == "tokens" else width
            first, last = np.floor(low / width), np.ceil(high / width)
            edges = np.arange(first, max(last, first + 1) + 1) * width
        edges = np.array([float(f"{edge:.6g}") for edge in edges])
        return cls(name, edges, np.histogram(found[np.isfinite(found)], edges)[0], limits)

    def range_of(self, first: int, last: int) -> Range | None:
        """From the lower edge of a bar to the upper edge of another; ``None`` if there are no such bars."""
        if not 0 <= first <= last < len(self.heights):
            return None
        return float(self.edges[first]), float(self.edges[last + 1])

    def is_inside(self) -> NDArray[np.bool_]:
        """Which bars the filter lets through, in part at least, (N,)."""
        low, high = self.limits or (-np.inf, np.inf)
        return np.asarray((self.edges[1:] > low) & (self.edges[:-1] < high))


def range_charts_html(charts: Mapping[int, RangeChart], scale: ScoreScale, unit: str) -> Markup:
    """The histograms in a row, by the numbers by which ``brushes.js`` asks for the bars that are drawn over."""
    return Markup('<div class="bs-brushes">{}</div>').format(
        together(_chart(number, chart, scale, unit) for number, chart in charts.items())
    )


def _chart(place: int, chart: RangeChart, scale: ScoreScale, unit: str) -> Markup:
    low, high = (f"{edge:g}".replace("-", numbers.MINUS) for edge in (chart.edges[0], chart.edges[-1]))
    name, highest = in_unit(chart.name, unit).removesuffix(" A"), max(1, int(chart.heights.max(initial=0)))
    centres = (chart.edges[:-1] + chart.edges[1:]) / 2
    width = chart.edges[1] - chart.edges[0]
    colours = [NEUTRAL] * len(centres)
    if chart.name in SIGNED:
        colours = side_colours(scale.gain(np.where(np.abs(centres) < width / 2, 0, centres)))
    bars = [
        _bar(chart, bar, colour, highest, is_inside=bool(is_inside))
        for bar, (colour, is_inside) in enumerate(zip(colours, chart.is_inside(), strict=True))
    ]
    holds = f"{name} of {numbers.counted(int(chart.heights.sum()), 'segment')}, {low} to {high}"
    return Markup(
        '<figure class="bs-brush" data-chart="{}" role="img" aria-label="{}"><figcaption>{} <small>{} … {}</small>'
        '</figcaption><div class="bs-bars">{}</div></figure>'
    ).format(
        place,
        f"{holds}. Type a range in Filters and view.",
        name,
        low,
        high,
        together(bars),
    )


def _bar(chart: RangeChart, bar: int, colour: str, highest: int, *, is_inside: bool) -> Markup:
    height = int(chart.heights[bar])
    share = max(height / highest, SMALLEST_SHARE) if height else 0
    low, high = (f"{edge:g}".replace("-", numbers.MINUS) for edge in chart.edges[bar : bar + 2])
    return Markup('<span class="{}" title="{}"><i style="height:{:.0f}%;background:{}"></i></span>').format(
        "" if is_inside else "bs-outside", f"{low} … {high}: {numbers.count(height)}", 100 * share, colour
    )
