"""Where a difference comes from, as Plotly figures."""

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from bleucore.analysis.attribution import Attribution
from dashboard.content.attribution.attribution_words import ingredients
from dashboard.content.style import numbers
from dashboard.content.style.charts import NAME_LENGTH, NEGATIVE, NEUTRAL, POSITIVE, label, styled, thinned
from dashboard.content.style.identity import Identity


def waterfall_figure(attribution: Attribution, looks: Mapping[str, Identity]) -> go.Figure:
    """From A's score over the part of each ingredient to B's score."""
    first, second = (looks[name] for name in attribution.names)
    parts, unit = ingredients(attribution), label(attribution.metric_name, NAME_LENGTH)
    names = [f"A<br>{first.number}", *(_in_two_lines(name) for name, _ in parts), f"B<br>{second.number}"]
    full_names = [attribution.names[0], *(name for name, _ in parts), attribution.names[1]]
    texts = [
        numbers.score(attribution.scores[0]),
        *(numbers.difference(part) for _, part in parts),
        numbers.score(attribution.scores[1]),
    ]
    starts = attribution.scores[0] + np.concatenate([[0.0], np.cumsum([part for _, part in parts])])
    figure = go.Figure(
        go.Bar(
            x=names,
            y=[attribution.scores[0], *(part for _, part in parts), attribution.scores[1]],
            base=[0.0, *starts[:-1], 0.0],
            marker={"color": [first.colour, *(_colour(attribution.gain(part)) for _, part in parts), second.colour]},
            customdata=[[label(name), text] for name, text in zip(full_names, texts, strict=True)],
            hovertemplate=f"%{{customdata[0]}}: %{{customdata[1]}} {unit}<extra></extra>",
            width=0.7,
        )
    )
    tops = [attribution.scores[0], *np.maximum(starts[:-1], starts[1:]), attribution.scores[1]]
    for name, top, text in zip(names, tops, texts, strict=True):
        figure.add_annotation(x=name, y=float(top), text=text, showarrow=False, yanchor="bottom", yshift=2)
    figure.update_yaxes(title=unit, range=_range(starts, attribution))
    figure.update_xaxes(showgrid=False, tickangle=0)
    return styled(figure, "From A's score to B's", height=360)


def concentration_figure(attribution: Attribution) -> go.Figure:
    """The parts of the segments added up, from the one that does most for the difference."""
    found = attribution.concentration
    shown = thinned(len(found.cumulative))
    figure = go.Figure(
        go.Scatter(
            x=np.concatenate([[0], shown + 1]),
            y=np.concatenate([[0.0], found.cumulative[shown]]),
            mode="lines",
            line={"color": POSITIVE if attribution.gain(attribution.difference) >= 0 else NEGATIVE, "width": 2},
            name="parts added up",
            customdata=[["0", "0.00"]]
            + [[numbers.count(int(place) + 1), numbers.difference(float(found.cumulative[place]))] for place in shown],
            hovertemplate="the first %{customdata[0]} segments: Δ %{customdata[1]}<extra></extra>",
        )
    )
    figure.add_hline(y=attribution.difference, line={"width": 1, "dash": "dash", "color": NEUTRAL})
    n_ahead = attribution.lead.n_ahead
    figure.add_vline(
        x=n_ahead,
        line={"width": 1, "dash": "dot", "color": NEUTRAL},
        annotation_text=f"ahead in {numbers.count(n_ahead)} of {numbers.counted(len(found.cumulative), 'segment')}",
        annotation_position="bottom left" if 2 * n_ahead > len(found.cumulative) else "bottom right",
    )
    figure.update_xaxes(title="segments, those that add most first", range=[0, len(found.cumulative)])
    figure.update_yaxes(title=f"Δ {label(attribution.metric_name, NAME_LENGTH)}, added up")
    return styled(figure, "Parts of the segments, added up", height=360)


def _in_two_lines(ingredient: str) -> str:
    """The name of an ingredient where there is little room."""
    return ingredient.removesuffix("s").replace(" ", "<br>")


def _colour(part: float) -> str:
    return POSITIVE if part > 0 else NEGATIVE if part < 0 else NEUTRAL


def _range(starts: np.ndarray, attribution: Attribution) -> list[float]:
    """From 0, or from below the lowest step where the parts would be slivers on the whole scale."""
    low, high = float(min(starts.min(), *attribution.scores)), float(max(starts.max(), *attribution.scores))
    spread = high - low
    bottom = 0.0 if spread > high / 4 else max(0.0, low - spread)
    return [bottom, high + 0.12 * (high - bottom) + 1e-6]
