"""The versions of a system over time, as a Plotly figure."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal, get_args

import plotly.graph_objects as go

from bleucore.history import Version
from bleuscope.content.style import numbers
from bleuscope.content.style.charts import DRAWN, NEUTRAL, OBSERVED, WHISKER, axis_names, label, styled
from bleuscope.content.style.widths import n_columns
from bleuscope.features.projects.scored_versions import ScoredVersion, SystemHistory
from bleuscope.features.projects.sheets import ALARM_WORDS, written_moment

Along = Literal["step", "time", "order"]
ALONG: tuple[Along, ...] = get_args(Along)
AXES = {"step": "step", "time": "when the outputs were made", "order": "version"}
HEIGHT = 360
MOST_NAMED, VERSION_COLUMNS = 16, 16
"""The number of versions whose names stand at the axis, evenly spaced if there are more; and the columns of a name."""
BAND = "rgba(31, 120, 180, 0.16)"
NOT_TESTED = "not tested"
SIZE, RING, DOT = 9, 17, 6
TITLE_COLUMNS, SECOND_LINE = 38, 20
"""How long a line of the title can be on a phone, and pixels for another one."""


def history_figure(history: SystemHistory, along: Along, chosen: Sequence[int] = ()) -> go.Figure:
    """The score of each version with the band of its interval; what differs from the best, and alarms, are marked.

    Args:
        history: The versions of a system.
        along: What the axis shows.
        chosen: The places of versions that stand out, from 0.
    """
    versions, scored = history.versions, history.scored
    along = along if len(versions) > 1 else "order"
    places = _places(versions, along)
    figure = go.Figure()
    _add_band(figure, history, places)
    figure.add_scatter(
        x=places,
        y=[one.score for one in versions],
        mode="lines",
        line={"color": DRAWN, "width": 2},
        hoverinfo="skip",
        showlegend=False,
    )
    is_tested = history.found is not None and len(versions) > 1
    for name, symbol, colour, rows in _groups(history):
        figure.add_scatter(
            x=[places[row] for row in rows],
            y=[versions[row].score for row in rows],
            mode="markers",
            name=name,
            showlegend=is_tested,
            marker={"symbol": symbol, "size": SIZE, "color": colour, "line": {"width": 2, "color": colour}},
            customdata=[[row, _hover(history, row)] for row in rows],
            hovertemplate="%{customdata[1]}<extra></extra>",
            **(_whisker(versions[0]) if len(versions) == 1 else {}),
        )
    _add_runs(figure, history, places)
    if chosen:
        figure.add_scatter(
            x=[places[row] for row in chosen],
            y=[versions[row].score for row in chosen],
            mode="markers",
            name="compared beneath",
            marker={"symbol": "circle-open", "size": RING, "color": NEUTRAL, "line": {"width": 2}},
            customdata=[[row, _hover(history, row)] for row in chosen],
            hovertemplate="%{customdata[1]}<extra></extra>",
        )
    figure.update_yaxes(title=f"{scored.metric} ({'higher' if scored.higher_is_better else 'lower'} is better)")
    figure.update_xaxes(title=AXES[along], **(_names(versions) if along == "order" else {}))
    band = " with 95 % intervals" if any(one.interval for one in versions) else ""
    title = f"{scored.metric} of {label(history.system, TITLE_COLUMNS)}"
    is_long = n_columns(title + band) > TITLE_COLUMNS
    styled(figure, f"{title}<br>{band.strip()}" if is_long and band else title + band, height=HEIGHT)
    if is_long:
        figure.update_layout(margin_t=SECOND_LINE + figure.layout.margin.t, height=SECOND_LINE + figure.layout.height)
    return figure.update_layout(legend={"traceorder": "normal"}, hovermode="closest")


def axes_of(history: SystemHistory) -> tuple[Along, ...]:
    """What an axis can show: steps where every version has one of its own."""
    return ALONG if history.has_steps else ALONG[1:]


def _places(versions: Sequence[ScoredVersion], along: Along) -> Sequence[int | None] | Sequence[datetime]:
    if along == "time":
        return [one.made_at.replace(tzinfo=None) for one in versions]
    return [one.step for one in versions] if along == "step" else list(range(len(versions)))


def _names(versions: Sequence[ScoredVersion]) -> dict[str, object]:
    shown = range(0, len(versions), -(-len(versions) // MOST_NAMED))
    names = axis_names([one.label for one in versions], VERSION_COLUMNS)
    return {"tickvals": list(shown), "ticktext": [names[row] for row in shown]}


def _whisker(one: ScoredVersion) -> dict[str, object]:
    """The interval of a version that stands alone: a band takes two."""
    if one.interval is None:
        return {}
    low, high = one.interval
    ends = {"array": [high - one.score], "arrayminus": [one.score - low]}
    return {"error_y": {"type": "data", "symmetric": False, **ends, **WHISKER}}


def _add_band(figure: go.Figure, history: SystemHistory, places: Sequence[object]) -> None:
    known = [(place, one.interval) for place, one in zip(places, history.versions, strict=True) if one.interval]
    common = {"x": [place for place, _ in known], "mode": "lines", "line": {"width": 0}, "hoverinfo": "skip"}
    figure.add_scatter(**common, y=[interval[0] for _, interval in known], showlegend=False)
    figure.add_scatter(
        **common, y=[interval[1] for _, interval in known], fill="tonexty", fillcolor=BAND, showlegend=False
    )


def _add_runs(figure: go.Figure, history: SystemHistory, places: Sequence[object]) -> None:
    """A dot for each run of versions that have several."""
    dots = [
        (place, row, run)
        for row, (place, one) in enumerate(zip(places, history.versions, strict=True))
        if one.has_several_runs
        for run in zip(one.names_of_runs(one.label), one.runs, strict=True)
    ]
    if not dots:
        return
    figure.add_scatter(
        x=[place for place, _, _ in dots],
        y=[run.score for _, _, (_, run) in dots],
        mode="markers",
        name="run",
        marker={"size": DOT, "color": OBSERVED, "line": {"width": 1, "color": "white"}},
        customdata=[[row, f"{label(name)}: {numbers.score(run.score)}"] for _, row, (name, run) in dots],
        hovertemplate="%{customdata[1]}<extra></extra>",
    )


def _groups(history: SystemHistory) -> list[tuple[str, str, str, list[int]]]:
    """Name, symbol, colour and the places of versions, for each kind of marker that there is."""
    if history.found is None:
        return [("versions", "circle", DRAWN, list(range(len(history.versions))))]
    kinds = {
        "no significant difference from the best": ("circle", DRAWN),
        NOT_TESTED: ("circle", DRAWN),
        "significantly worse than the best": ("circle-open", DRAWN),
        "up from the version before": ("triangle-up", DRAWN),
        "down from the version before": ("triangle-down", OBSERVED),
        "alarm": ("x", OBSERVED),
    }
    kind_of = [_kind(one, history) for one in history.found.versions]
    rows = {name: [row for row, kind in enumerate(kind_of) if kind == name] for name in kinds}
    return [(name, *kinds[name], found) for name, found in rows.items() if found]


def _kind(one: Version, history: SystemHistory) -> str:
    if history.found is not None and history.found.why_untested is not None:
        return NOT_TESTED
    if one.alarm is not None:
        return "alarm"
    if one.before is not None and one.before.is_significant:
        is_up = history.scored.better(one.before.difference) > 0
        return "up from the version before" if is_up else "down from the version before"
    return (
        "significantly worse than the best"
        if one.best is not None and one.best.is_significant
        else "no significant difference from the best"
    )


def _hover(history: SystemHistory, row: int) -> str:
    one = history.versions[row]
    interval = (
        "" if one.interval is None else f" ({numbers.score(one.interval[0])} to {numbers.score(one.interval[1])})"
    )
    lines = [f"<b>{label(one.label)}</b>", f"{numbers.score(one.score)}{interval}"]
    lines += [numbers.runs_told(one.n_runs, one.score, one.deviation)] if one.has_several_runs else []
    lines += [] if one.step is None else [f"step {numbers.count(one.step)}"]
    lines.append(written_moment(one.made_at))
    tested = None if history.found is None else history.found.versions[row]
    if tested is not None and tested.before is not None:
        lines.append(f"{numbers.difference(tested.before.difference)} from the version before")
    if tested is not None and tested.best is not None:
        lines.append(f"{numbers.difference(tested.best.difference)} from the best")
    if tested is not None and tested.alarm is not None:
        lines.append(ALARM_WORDS[tested.alarm])
    return "<br>".join(lines)
