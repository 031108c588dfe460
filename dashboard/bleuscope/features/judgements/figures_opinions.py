"""What people think of systems as Plotly figures: neighbours, beside a metric, and by the size of its difference."""

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from bleucore.agreement.agreement import Agreement, MetricAgreement
from bleucore.agreement.by_size import size_groups
from bleucore.agreement.opinions import OpinionDifference, normalised
from bleucore.agreement.pairwise import JudgedPair
from bleucore.agreement.people_range import BANDS
from bleucore.metrics import human_agreement
from bleucore.metrics.human_agreement import COIN_TOSS, AgreementCurve
from bleuscope.content.style import numbers
from bleuscope.content.style.charts import DRAWN, NEUTRAL, OBSERVED, WHISKER, axis_name, label, styled
from bleuscope.content.style.cut_names import NAME_LENGTH
from bleuscope.content.style.identity import SystemStyle

ROW, ROOM = 26, 120
"""Pixels: of a row, and of what surrounds all rows."""
SIZES = 100
"""Differences at which a curve is drawn."""


def neighbours_figure(
    found: Agreement, rows: Sequence[OpinionDifference], looks: Mapping[str, SystemStyle]
) -> go.Figure:
    """Each system and the next: how far people set them apart, with 95 % intervals (Papineni et al., figures 3, 4)."""
    known = [(one, one.difference) for one in rows if one.difference is not None]
    ends = [one.interval or (centre, centre) for one, centre in known]
    figure = go.Figure()
    figure.add_scatter(
        x=[centre for _, centre in known],
        y=[f"{axis_name(looks[one.better])} − {axis_name(looks[one.worse])}" for one, _ in known],
        mode="markers",
        marker={"color": OBSERVED, "size": 9},
        error_x={
            "array": [high - centre for (_, centre), (_, high) in zip(known, ends, strict=True)],
            "arrayminus": [centre - low for (_, centre), (low, _) in zip(known, ends, strict=True)],
            **WHISKER,
        },
        hovertext=[
            f"{label(one.better)} − {label(one.worse)}<br>{numbers.difference(centre)} in "
            f"{numbers.counted(one.n_segments, 'segment')}"
            for one, centre in known
        ],
        hovertemplate="%{hovertext}<extra></extra>",
    )
    figure.add_vline(x=0, line={"width": 1, "color": NEUTRAL})
    figure.update_xaxes(title=f"Δ {label(found.people.name, NAME_LENGTH)} (right: the first is better)")
    figure.update_yaxes(autorange="reversed")
    return styled(figure, "Neighbours in the raters' order", height=ROOM + ROW * len(known))


def side_by_side_figure(found: Agreement, metric: MetricAgreement, looks: Mapping[str, SystemStyle]) -> go.Figure:
    """People and a metric side by side, from 0 for the worst system to 1 for the best (Papineni et al., figure 7)."""
    order = np.argsort(-metric.people, kind="stable")
    figure = go.Figure()
    for name, values, colour, symbol in (
        (found.people.name, metric.people, OBSERVED, "diamond"),
        (metric.name, metric.sign * metric.scores, DRAWN, "circle"),
    ):
        places = normalised(values)
        if places is None:  # all the same: there is neither a worst nor a best
            continue
        figure.add_scatter(
            x=places[order],
            y=[axis_name(looks[metric.systems[place]]) for place in order],
            mode="markers",
            name=label(name),
            marker={"color": colour, "symbol": symbol, "size": 10},
            hovertext=[
                f"{label(metric.systems[place])}<br>{label(name)}: {numbers.statistic(places[place])}"
                for place in order
            ],
            hovertemplate="%{hovertext}<extra></extra>",
        )
    figure.update_xaxes(title="0: worst system, 1: best system", range=[-0.04, 1.04])
    figure.update_yaxes(autorange="reversed")
    return styled(figure, "Raters and metric, worst to best", height=ROOM + ROW * len(order))


def agreement_curve_figure(metric: MetricAgreement, curve: AgreementCurve) -> go.Figure:
    """The published share of differences of each size that people agree with, and these pairs of systems on it.

    Pairs that the curve says nothing of lie at a coin toss. Behind it, for BLEU, what later campaigns observed.
    """
    figure = go.Figure()
    largest = max((abs(pair.metric) for pair in metric.pairs), default=0.0)
    sizes = np.linspace(0, 1.05 * max(largest, 1.0), SIZES)
    published = [curve.percent(size) for size in sizes]
    figure.add_scatter(
        x=sizes, y=published, mode="lines", name="published", line={"color": NEUTRAL, "width": 2}, hoverinfo="skip"
    )
    for title, agrees, colour, symbol in (
        ("pair, people agree", True, DRAWN, "circle"),
        ("pair, people do not", False, OBSERVED, "x"),
    ):
        pairs = [pair for pair in metric.pairs if pair.agrees is agrees]
        figure.add_scatter(
            x=[abs(pair.metric) for pair in pairs],
            y=[curve.percent(pair.metric) or COIN_TOSS for pair in pairs],
            mode="markers",
            name=title,
            marker={"color": colour, "symbol": symbol, "size": 9, "opacity": 0.8},
            customdata=[[pair.first, pair.second] for pair in pairs],
            hovertext=[_said(pair) for pair in pairs],
            hovertemplate="%{hovertext}<extra></extra>",
        )
    for band in BANDS if curve == human_agreement.BLEU else ():
        if band.smallest < sizes[-1]:
            ends = {"x0": band.smallest, "x1": min(band.largest, sizes[-1]), "y0": band.low, "y1": band.high}
            figure.add_shape(type="rect", **ends, fillcolor=NEUTRAL, opacity=0.12, line_width=0, layer="below")
    groups = size_groups(metric.pairs)
    shares = [100 * group.n_agree / group.n_pairs for group in groups]
    if groups:
        figure.add_scatter(
            x=[group.mean for group in groups],
            y=shares,
            mode="lines+markers",
            name="a fifth of these pairs",
            line={"color": OBSERVED, "dash": "dot"},
            marker={"color": OBSERVED, "symbol": "diamond", "size": 11},
            hoverinfo="skip",
        )
    figure.update_xaxes(title=f"size of the difference in {label(metric.name)}")
    figure.update_yaxes(title="people agree, %", range=[min([COIN_TOSS, BANDS[0].low, *shares]) - 4, 102])
    return styled(figure, "Human agreement by size of difference", height=380)


def _said(pair: JudgedPair) -> str:
    """Both systems, the better one of the metric first, and its difference."""
    first, second = (pair.first, pair.second) if pair.metric >= 0 else (pair.second, pair.first)
    return f"{label(first)} and {label(second)}<br>{numbers.part(abs(pair.metric))}"
