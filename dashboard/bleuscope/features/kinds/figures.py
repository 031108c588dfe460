"""Kinds of errors as a figure: bars of the points lost."""

from collections.abc import Sequence

import plotly.graph_objects as go

from bleucore.analysis.kinds import KindLosses
from bleucore.analysis.token_kinds import KINDS
from bleuscope.content.style import numbers
from bleuscope.content.style.charts import axis_name, label, styled
from bleuscope.content.style.identity import SystemStyle

ROW_HEIGHT, REST = 34, 90


def ladder_figure(losses: Sequence[KindLosses], looks: Sequence[SystemStyle]) -> go.Figure:
    """The points that each system lost, a group of bars for each kind; a click gives the kind's place.

    Args:
        losses: Of A and B, or of one system.
        looks: How they are drawn.
    """
    figure = go.Figure()
    for one, look in zip(losses, looks, strict=True):
        figure.add_bar(
            y=KINDS,
            x=one.losses,
            orientation="h",
            name=axis_name(look),
            marker={"color": look.colour},
            text=[numbers.score(float(value)) for value in one.losses],
            textposition="outside",
            cliponaxis=False,
            customdata=[[place, label(look.name), int(count)] for place, count in enumerate(one.counts)],
            hovertemplate="%{customdata[1]}: %{x:.2f} BLEU lost to %{y}, %{customdata[2]} tokens<extra></extra>",
        )
    figure.update_yaxes(autorange="reversed", type="category", showgrid=False)
    figure.update_xaxes(title="BLEU points lost", rangemode="tozero")
    figure.update_layout(barmode="group", bargap=0.25)
    return styled(figure, "BLEU points lost, by kind", height=REST + ROW_HEIGHT * len(KINDS))
