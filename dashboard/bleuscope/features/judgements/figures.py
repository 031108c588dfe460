"""The agreement of a metric with people as Plotly figures."""

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from bleucore.agreement.agreement import Agreement, MetricAgreement
from bleucore.agreement.conflicts import Conflicts
from bleucore.agreement.pairwise import JudgedPair
from bleucore.counts import Floats
from bleucore.optional_packages import special
from bleuscope.content.style import numbers
from bleuscope.content.style.charts import (
    INK,
    NEUTRAL,
    OBSERVED,
    WHISKER,
    axis_name,
    label,
    places_of_names,
    styled,
    with_room,
)
from bleuscope.content.style.identity import (
    QUIET_COLOUR,
    SystemStyle,
    chosen_of,
    highlighted,
    in_front_last,
    named_in_chart,
)

BAND = "rgba(127,133,142,0.18)"
AGREE, WEAK_AGREE, OPPOSE, WEAK_OPPOSE = "#1F78B4", "#A9CCE6", "#D9760A", "#F3CFA6"
TIED = "#C3C7CC"
FEWEST_FOR_LINE = 3
NAME_SIZE, THIN = 11, 0.7
"""Pixels: of a name at its point, and of the whiskers of grey systems."""
ROW, ROOM = 30, 130
"""Pixels: of a system in the grid, and of what surrounds it."""
Ends = Mapping[str, tuple[float, float] | None]


def scatter_figure(
    found: Agreement,
    metric: MetricAgreement,
    intervals: Ends,
    looks: Mapping[str, SystemStyle],
    *,
    without_outliers: bool,
) -> go.Figure:
    """Systems by the metric and by people, with intervals and a line, named where names have room.

    Args:
        found: What people said.
        metric: What is held against it.
        intervals: Of the metric's scores, by system, where there are any.
        looks: How each system is drawn.
        without_outliers: Whether outliers are left out.
    """
    shown = [place for place, name in enumerate(metric.systems) if not (without_outliers and name in metric.outliers)]
    x, y, errors = metric.scores[shown], metric.people[shown], _judged_errors(found)
    names = [metric.systems[place] for place in shown]
    ends = np.array(
        [intervals.get(name) or (score, score) for name, score in zip(names, x.tolist(), strict=True)]
    ).reshape(-1, 2)
    reach = np.array([errors[name] for name in names])
    figure, styles = go.Figure(), highlighted(looks)
    if len(shown) >= FEWEST_FOR_LINE and np.ptp(x) > 0:
        _line(figure, x, y)
    band = [np.asarray(trace.y, np.float64) for trace in figure.data]
    across, up = with_room(np.append(ends, x)), with_room(np.concatenate([y - reach, y + reach, *band]))
    by_people = [names[place] for place in np.argsort(-y, kind="stable")]
    named = {*named_in_chart(by_people, chosen_of(looks)), *metric.outliers}
    places = np.column_stack([(x - across[0]) / (across[1] - across[0]), (y - up[0]) / (up[1] - up[0])])
    first = sorted(range(len(names)), key=lambda place: (not looks[names[place]].side, names[place] not in named))
    told = [axis_name(looks[names[place]]) if names[place] in named else "" for place in first]
    of_names = dict(zip(first, places_of_names(places[first], told), strict=True))
    sides = [of_names[place] for place in range(len(names))]
    for name in in_front_last(names, looks):
        place = names.index(name)
        score, judged, (low, high), side = float(x[place]), float(y[place]), ends[place].tolist(), sides[place]
        look, is_outlier = styles[name], name in metric.outliers
        whisker = WHISKER if look.colour != QUIET_COLOUR else {**WHISKER, "thickness": THIN}
        figure.add_scatter(
            x=[score],
            y=[judged],
            mode="markers+text",
            text=[axis_name(look) if side else ""],
            textposition=side or "top right",
            textfont={"size": NAME_SIZE},
            name=axis_name(look),
            showlegend=False,
            marker={
                "symbol": look.marker,
                "color": look.colour,
                "size": 11,
                "line": {"width": 3 if is_outlier else 0, "color": OBSERVED},
            },
            error_x={"array": [high - score], "arrayminus": [score - low], **whisker},
            error_y={"array": [errors[name]], **whisker},
            hovertext=f"{label(name)}<br>{label(metric.name)} {numbers.metric_score(score)}<br>"
            f"{label(found.people.name)} {numbers.statistic(judged)}",
            hovertemplate="%{hovertext}<extra></extra>",
        )
    arrow = "higher" if metric.higher_is_better else "lower"
    figure.update_xaxes(title=f"{label(metric.name)} ({arrow} is better)", range=list(across))
    figure.update_yaxes(title=f"{label(found.people.name)}, mean judgement (higher is better)", range=list(up))
    return styled(figure, "Systems: metric and raters", height=420)


def pairs_figure(found: Agreement, metric: MetricAgreement, looks: Mapping[str, SystemStyle]) -> go.Figure:
    """Every pair of systems: whether metric and people agree, and who is sure."""
    order = _by_people(found, metric)
    rank = {name: place for place, name in enumerate(order)}
    figure = go.Figure()
    places = [sorted((rank[pair.first], rank[pair.second])) for pair in metric.pairs]
    cells = [_cell(pair) for pair in metric.pairs]
    figure.add_scatter(
        x=[axis_name(looks[order[column]]) for _, column in places],
        y=[axis_name(looks[order[row]]) for row, _ in places],
        mode="markers+text",  # not a heat map, whose cells nobody can choose
        text=[mark for _, mark in cells],
        textfont={"color": ["#FFFFFF" if colour == AGREE else INK for colour, _ in cells]},
        marker={"symbol": "square", "size": ROW - 4, "color": [colour for colour, _ in cells], "opacity": 1},
        customdata=[[order[row], order[column]] for row, column in places],
        hovertext=[_said(found, metric, pair) for pair in metric.pairs],
        hovertemplate="%{hovertext}<extra></extra>",
        showlegend=False,
    )
    names = [axis_name(looks[name]) for name in order]
    n_rows = len(order) - 1  # the last system has no row of its own, and the first one no column
    ends = (-0.5, n_rows - 0.5)
    figure.update_yaxes(categoryorder="array", categoryarray=names[-2::-1], range=ends, showgrid=False)
    figure.update_xaxes(categoryorder="array", categoryarray=names[1:], range=ends, showgrid=False, tickangle=-45)
    return styled(figure, "Pairs of systems", height=ROOM + ROW * n_rows)


def conflicts_figure(found: Conflicts, people: Floats, metric: Floats, names: Sequence[str]) -> go.Figure:
    """Every judged segment by both differences, conflicts in the quadrants where the signs differ.

    Args:
        found: The conflicts.
        people: (S,), judgements of B less those of A, NaN where there is none.
        metric: (S,), in the same way.
        names: Of the judgements and the metric.
    """
    known = np.flatnonzero(~np.isnan(people) & ~np.isnan(metric))
    quiet = np.setdiff1d(known, found.segments)
    figure = go.Figure()
    for title, places, colour, symbol in (
        ("same side, or a tie", quiet, NEUTRAL, "circle"),
        ("conflict", found.segments, OBSERVED, "diamond"),
    ):
        figure.add_scatter(
            x=metric[places],
            y=people[places],
            mode="markers",
            name=title,
            marker={"color": colour, "symbol": symbol, "size": 7, "opacity": 0.7},
            customdata=[[int(place), int(place) + 1] for place in places],
            hovertemplate="segment %{customdata[1]}: %{x:.2f}, %{y:.2f}<extra></extra>",
        )
    figure.add_hline(y=0, line={"width": 1, "color": NEUTRAL})
    figure.add_vline(x=0, line={"width": 1, "color": NEUTRAL})
    figure.update_xaxes(title=f"Δ {label(names[1])} (B − A, right: B is better)")
    figure.update_yaxes(title=f"Δ {label(names[0])} (B − A, up: B is better)")
    return styled(figure, "Segments: metric and raters disagree", height=380)


def _cell(pair: JudgedPair) -> tuple[str, str]:
    """The colour, and what is written."""
    certainty = pair.certainty
    letter = {"metric": "M", "people": "R"}.get(certainty or "", "")
    if pair.agrees:
        return (AGREE if certainty == "both" else WEAK_AGREE), f"✓{letter}"
    if pair.people == 0 or pair.metric == 0:
        return TIED, f"={letter}"
    return (OPPOSE if certainty == "both" else WEAK_OPPOSE), f"✗{letter}"


def _said(found: Agreement, metric: MetricAgreement, pair: JudgedPair) -> str:
    """Both differences, whoever people place first being named first."""
    first, second = (pair.first, pair.second) if pair.people >= 0 else (pair.second, pair.first)
    return (
        f"{label(first)} and {label(second)}<br>{label(found.people.name)} {numbers.difference(abs(pair.people))}, "
        f"{label(metric.name)} {numbers.part(pair.metric if pair.people >= 0 else -pair.metric)}"
    )


def _by_people(found: Agreement, metric: MetricAgreement) -> list[str]:
    order = dict(zip(found.people.systems, found.people.scores.tolist(), strict=True))
    return sorted(metric.systems, key=lambda name: -order[name])


def _judged_errors(found: Agreement) -> dict[str, float]:
    """Half of the 95 % interval of each mean judgement; 0 where there is none."""
    ends = dict(zip(found.people.systems, found.people.intervals, strict=True))
    return {name: 0.0 if of_system is None else (of_system[1] - of_system[0]) / 2 for name, of_system in ends.items()}


def _line(figure: go.Figure, x: Floats, y: Floats) -> None:
    """The least squares line with the 95 % band of its mean (Papineni et al. 2002, figures 5 and 6)."""
    n, mean, spread = len(x), x.mean(), ((x - x.mean()) ** 2).sum()
    slope = ((x - mean) * (y - y.mean())).sum() / spread
    at = np.linspace(x.min(), x.max(), 60)
    line = y.mean() + slope * (at - mean)
    residual = np.sqrt(((y - y.mean() - slope * (x - mean)) ** 2).sum() / (n - 2))
    reach = special.stdtrit(n - 2, 0.975) * residual * np.sqrt(1 / n + (at - mean) ** 2 / spread)
    outline = {"mode": "lines", "line": {"width": 0}, "hoverinfo": "skip", "showlegend": False}
    figure.add_scatter(x=at, y=line + reach, **outline)
    figure.add_scatter(x=at, y=line - reach, fill="tonexty", fillcolor=BAND, **outline)
    figure.add_scatter(
        x=at, y=line, mode="lines", line={"width": 2, "color": NEUTRAL}, hoverinfo="skip", showlegend=False
    )
