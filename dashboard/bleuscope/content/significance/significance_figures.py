"""Significance tests as Plotly figures."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from bleucore import InputError
from bleucore.counts import Floats
from bleucore.significance import Comparison, PairComparison, PairedTestResult
from bleuscope.content.significance.significance_words import draws
from bleuscope.content.style import numbers
from bleuscope.content.style.charts import DRAWN, NEUTRAL, OBSERVED, styled

N_BINS = 50
LARGEST_FACTOR = 4


def null_figure(test: PairedTestResult, unit: str) -> go.Figure:
    """What differences chance alone gives, and where the observed one lies."""
    observed = test.difference
    marks = [(observed, f"observed {numbers.difference(observed)}", "solid")]
    if test.method != "sacrebleu-bs":
        marks.append((-observed, "", "dot"))
    figure = _distribution(test.null_distribution, beyond=abs(observed), what=draws(test.method))
    _mark(figure, marks)
    figure.update_xaxes(title=f"Δ {unit} by chance")
    figure.update_yaxes(title=draws(test.method))
    return styled(figure, "Differences to expect by chance", height=320)


def bootstrap_figure(compared: PairComparison, differences: Floats, unit: str) -> go.Figure:
    """The difference on resampled test sets, with its interval."""
    figure = _distribution(differences, beyond=None, what="resamples")
    if compared.interval is not None:
        figure.add_vrect(
            x0=compared.interval[0], x1=compared.interval[1], fillcolor=NEUTRAL, opacity=0.16, line_width=0
        )
    _mark(figure, [(compared.difference, f"observed {numbers.difference(compared.difference)}", "solid")])
    figure.add_vline(x=0, line={"width": 1, "color": NEUTRAL})
    figure.update_xaxes(title=f"Δ {unit} on resampled test sets (shaded: 95 % interval)")
    figure.update_yaxes(title="resamples")
    return styled(figure, "Differences on test sets like this one", height=320)


def power_figure(comparison: Comparison, compared: PairComparison, unit: str) -> go.Figure:
    """The smallest difference that test sets of other sizes would show, next to the observed one.

    Raises:
        InputError: The power is unknown, as with five units or fewer.
    """
    if compared.smallest_detectable is None:
        raise InputError(
            "the smallest difference that this test set can show is unknown",
            where=f"{compared.name} and {compared.other}",
            found=numbers.counted(comparison.n_units, comparison.units.kind),
            remedy="Compare on a test set with more units.",
        )
    n_units = comparison.n_units
    sizes = np.unique(np.geomspace(max(2, n_units / LARGEST_FACTOR), n_units * LARGEST_FACTOR, 60).astype(int))
    detectable = compared.smallest_detectable * np.sqrt(n_units / sizes)
    drawn = comparison.options.unit
    figure = go.Figure(
        go.Scatter(
            x=sizes,
            y=detectable,
            mode="lines",
            line={"color": DRAWN, "width": 2},
            name="smallest detectable Δ",
            customdata=[
                [numbers.counted(int(size), drawn), numbers.score(d)] for size, d in zip(sizes, detectable, strict=True)
            ],
            hovertemplate="%{customdata[0]}: Δ of %{customdata[1]} or more<extra></extra>",
        )
    )
    figure.add_scatter(
        x=[n_units],
        y=[abs(compared.difference) or None],  # a logarithmic axis has no place for 0
        mode="markers",
        marker={"symbol": "diamond", "size": 11, "color": OBSERVED},
        name="this test set and its Δ",
        hovertemplate=f"here: Δ {numbers.score(abs(compared.difference))}<extra></extra>",
    )
    if compared.difference:
        figure.add_hline(y=abs(compared.difference), line={"width": 1, "dash": "dot", "color": OBSERVED})
    figure.update_xaxes(title=f"{drawn}s in the test set", **_log_axis(float(sizes[0]), float(sizes[-1])))
    shown = [*detectable, *([abs(compared.difference)] if compared.difference else [])]
    figure.update_yaxes(title=f"detectable Δ {unit} (80 % power)", **_log_axis(float(min(shown)), float(max(shown))))
    return styled(figure, "Detectable Δ by test-set size", height=320)


def _log_axis(low: float, high: float) -> dict[str, Any]:
    """A logarithmic axis with ticks at 1, 2 and 5 times the powers of ten."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    ticks = [step * 10.0**power for power in powers for step in (1, 2, 5)]
    return {
        "type": "log",
        "range": [math.log10(low / 1.2), math.log10(high * 1.2)],
        "tickvals": ticks,
        "ticktext": [numbers.count(round(tick)) if tick >= 1 else f"{tick:g}" for tick in ticks],
    }


def _distribution(values: Floats, *, beyond: float | None, what: str) -> go.Figure:
    """A histogram; bars at least so far from 0 stand out."""
    heights, edges = np.histogram(values, bins=N_BINS)
    centres = (edges[:-1] + edges[1:]) / 2
    is_beyond = np.zeros(len(centres), bool) if beyond is None else np.abs(centres) >= beyond
    return go.Figure(
        go.Bar(
            x=centres,
            y=heights,
            width=np.diff(edges) * 0.96,
            marker={"color": [OBSERVED if far else NEUTRAL for far in is_beyond]},
            customdata=[
                [numbers.statistic(float(low)), numbers.statistic(float(high)), numbers.count(int(height))]
                for low, high, height in zip(edges[:-1], edges[1:], heights, strict=True)
            ],
            hovertemplate="Δ from %{customdata[0]} to %{customdata[1]}: %{customdata[2]} " + what + "<extra></extra>",
        )
    )


def _mark(figure: go.Figure, marks: Sequence[tuple[float, str, str]]) -> None:
    for value, text, dash in marks:
        figure.add_vline(
            x=value,
            line={"width": 2, "dash": dash, "color": DRAWN},
            annotation_text=text,
            annotation_position="top",
        )
