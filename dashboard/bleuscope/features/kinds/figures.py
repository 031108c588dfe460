"""Kinds of errors as a figure: bars of the points lost."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from bleucore.analysis.kinds import KindStudy
from bleucore.analysis.token_kinds import KINDS
from bleuscope.content.style import numbers
from bleuscope.content.style.charts import label, side_colours, styled
from bleuscope.content.style.identity import SystemStyle

ROW_HEIGHT, REST = 28, 90


def ladder_figure(study: KindStudy, looks: Sequence[SystemStyle]) -> go.Figure:
    """What each kind contributes to the difference of two systems, or cost a single one; a click gives its place.

    Args:
        study: Of A and B, or of one system.
        looks: How they are drawn.
    """
    points = study.total_gains if study.compares else study.losses[0].losses
    written = numbers.difference if study.compares else numbers.score
    tokens = [
        "; ".join(f"{label(look.name)}: {count}" for look, count in zip(looks, counts, strict=True))
        for counts in _tokens(study)
    ]
    figure = go.Figure(
        go.Bar(
            y=KINDS,
            x=points,
            orientation="h",
            marker={"color": side_colours(points) if study.compares else looks[0].colour},
            text=[written(float(value)) for value in points],
            textposition="outside",
            cliponaxis=False,
            customdata=[[place, said] for place, said in enumerate(tokens)],
            hovertemplate="%{y}: %{text} BLEU<br>tokens: %{customdata[1]}<extra></extra>",
            showlegend=False,
        )
    )
    figure.update_yaxes(autorange="reversed", type="category", showgrid=False)
    title = "contribution to Δ, in BLEU points" if study.compares else "BLEU points lost"
    room = 0.24 * (float(np.abs(points).max()) or 1.0)
    low, high = min(0.0, float(points.min())), max(0.0, float(points.max()))
    figure.update_xaxes(title=title, range=[low - (room if low else 0), high + (room if high else 0)], zeroline=True)
    heading = "Difference in BLEU, by kind" if study.compares else "BLEU points lost, by kind"
    return styled(figure, heading, height=REST + ROW_HEIGHT * len(KINDS))


def _tokens(study: KindStudy) -> list[list[int]]:
    """How many tokens of each kind each system has."""
    found: list[list[int]] = np.stack([one.counts for one in study.losses], axis=1).tolist()
    return found
