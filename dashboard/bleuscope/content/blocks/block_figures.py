"""Block scores, their differences, and how t depends on the blocks, as Plotly figures."""

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from bleucore.counts import Floats
from bleucore.significance import BlockLayout, BlockTest, LayoutStudy, SizeStudy, critical_t
from bleuscope.content.blocks.block_analysis import BlockAnalysis
from bleuscope.content.style import numbers
from bleuscope.content.style.charts import (
    DRAWN,
    NEUTRAL,
    OBSERVED,
    axis_name,
    axis_names,
    label,
    named_at_ends,
    side_colours,
    styled,
    with_room,
)
from bleuscope.content.style.identity import SystemStyle, highlighted, named_in_chart

MAX_DRAWN = 400
"""More blocks than this are not drawn one by one."""
MAX_NAMED_DOCUMENTS = 20
MAX_MARKED = 100
SCORES_HEIGHT = 400
"""Pixels."""
N_BINS = 31
"""An odd number: in a histogram of differences one bar is around 0."""
N_LABELS = 20


def block_scores_figure(
    analysis: BlockAnalysis, main: Sequence[str], looks: Mapping[str, SystemStyle], *, show_others: bool = False
) -> go.Figure:
    """The block scores of systems, block by block, each named at the end of its line.

    Of many systems the main ones stand out, and these, the best and their neighbours have their names there.

    Args:
        analysis: At most ``MAX_DRAWN`` blocks.
        main: The systems that stand out, drawn last.
        looks: How each system is drawn.
        show_others: Draw the other systems too, in thin lines.
    """
    layout, scale = analysis.layout, analysis.scale
    blocks = np.arange(1, layout.n_blocks + 1)
    labels = block_labels(layout)
    is_dense = layout.n_blocks > MAX_MARKED
    drawn, figure = highlighted(looks, main), go.Figure()
    names = [*(name for name in looks if show_others and name not in main), *dict.fromkeys(main)]
    for name in names:
        look, scores = drawn[name], analysis.summary(name).scores
        figure.add_scatter(
            x=blocks,
            y=scores,
            name=axis_name(look),
            mode="lines" if is_dense else "lines+markers",
            line={"color": look.colour, "dash": look.dash, "width": 2.5 if name in main and not is_dense else 1.2},
            marker={"symbol": look.marker, "size": 8 if name in main else 5},
            customdata=[
                [label(name), f"{scale.score(float(value))} {label(scale.unit)}", text]
                for value, text in zip(scores, labels, strict=True)
            ],
            hovertemplate="%{customdata[0]}, %{customdata[2]}: %{customdata[1]}<extra></extra>",
        )
    _block_axis(figure, layout)
    arrow = "" if scale.higher_is_better else ", lower is better"
    figure.update_yaxes(title=f"{label(scale.unit)} of the {layout.unit}{arrow}")
    styled(figure, f"Score of each {layout.unit}", height=SCORES_HEIGHT)
    means = {name: float(scale.gain(np.array([analysis.summary(name).scores.mean()]))[0]) for name in names}
    shown = named_in_chart(sorted(names, key=lambda name: -means[name]), main)
    ends = [(float(analysis.summary(name).scores[-1]), axis_name(drawn[name]), drawn[name].colour) for name in shown]
    of_all = np.concatenate([analysis.summary(name).scores for name in names])
    return named_at_ends(figure, ends, with_room(of_all), height=SCORES_HEIGHT)


def block_differences_figure(analysis: BlockAnalysis, test: BlockTest) -> go.Figure:
    """The paired differences of two systems by block, their mean and its interval; many blocks as a histogram."""
    if test.n_blocks > MAX_DRAWN:
        return _differences_histogram(analysis, test)
    scale, layout = analysis.scale, analysis.layout
    figure = go.Figure(
        go.Bar(
            x=np.arange(1, layout.n_blocks + 1),
            y=test.differences,
            marker={"color": side_colours(scale.gain(test.differences))},
            customdata=[
                [scale.difference(float(value)), text]
                for value, text in zip(test.differences, block_labels(layout), strict=True)
            ],
            hovertemplate="%{customdata[1]}: Δ %{customdata[0]}<extra></extra>",
        )
    )
    figure.add_hline(y=test.mean_difference, line={"width": 2, "dash": "dash", "color": NEUTRAL})
    if test.interval is not None:
        figure.add_hrect(y0=test.interval[0], y1=test.interval[1], fillcolor=NEUTRAL, opacity=0.18, line_width=0)
    _block_axis(figure, layout)
    figure.update_yaxes(title=_difference_title(analysis), zeroline=True)
    return styled(figure, _mean_title(analysis, test), height=360)


def layouts_figure(study: LayoutStudy, observed: BlockTest, level: float) -> go.Figure:
    """The t of random layouts as a histogram, with the critical values and the t of the blocks in use."""
    heights, edges = np.histogram(study.statistics, bins=_edges(study.statistics))
    centres = (edges[:-1] + edges[1:]) / 2
    figure = go.Figure(
        go.Bar(
            x=centres,
            y=heights,
            width=np.diff(edges) * 0.96,
            marker={"color": DRAWN},
            customdata=[
                [numbers.statistic(float(low)), numbers.statistic(float(high)), numbers.counted(int(height), "layout")]
                for low, high, height in zip(edges[:-1], edges[1:], heights, strict=True)
            ],
            hovertemplate="t from %{customdata[0]} to %{customdata[1]}: %{customdata[2]}<extra></extra>",
        )
    )
    critical = float(critical_t(study.n_blocks, level))
    figure.add_vrect(
        x0=-critical,
        x1=critical,
        fillcolor=NEUTRAL,
        opacity=0.2,
        line_width=0,
        layer="below",
    )
    shown = [float(edges[0]), float(edges[-1]), 0.0, critical, -critical]
    if observed.statistic is not None:
        shown.append(observed.statistic)
        figure.add_vline(x=observed.statistic, line={"width": 2.5, "color": OBSERVED})
        figure.add_annotation(
            x=observed.statistic,
            y=1,
            yref="paper",
            yanchor="bottom",
            xanchor="right" if observed.statistic > (min(shown) + max(shown)) / 2 else "left",
            text=f"these blocks: {numbers.statistic(observed.statistic)}",
            showarrow=False,
        )
    figure.update_xaxes(title=f"t (band: within ±{numbers.statistic(critical)})", range=_around(shown))
    figure.update_yaxes(title="random layouts")
    return styled(figure, "t over random layouts", height=340)


def sizes_figure(study: SizeStudy, size: int | None, observed: BlockTest, level: float) -> go.Figure:
    """The t of blocks of many sizes with its critical values.

    Args:
        study: At least one size.
        size: Of the blocks in use, which are marked; ``None`` where they have no common size.
        observed: Their test.
        level: Of the critical values.
    """
    critical = study.critical_values(level)
    figure = go.Figure()
    for end, fill in ((critical, None), (-critical, "tonexty")):
        figure.add_scatter(
            x=study.sizes,
            y=end,
            mode="lines",
            line={"width": 1, "dash": "dot", "color": NEUTRAL},
            fill=fill,
            fillcolor="rgba(138, 143, 152, 0.2)",
            hoverinfo="skip",
            name="not significant",
            showlegend=fill is not None,
        )
    figure.add_scatter(
        x=study.sizes,
        y=study.statistics,
        mode="lines+markers",
        line={"color": DRAWN, "width": 2},
        marker={"size": 6},
        name="t",
        customdata=[
            [
                numbers.counted(int(blocks), "block"),
                numbers.counted(int(segments), "segment"),
                numbers.statistic(float(t)),
                numbers.p_value(float(p)).replace("<", "&lt;").replace(">", "&gt;"),
            ]
            for segments, blocks, t, p in zip(
                study.sizes, study.n_blocks, study.statistics, study.p_values, strict=True
            )
        ],
        hovertemplate="%{customdata[0]} of %{customdata[1]}: t = %{customdata[2]}, p %{customdata[3]}<extra></extra>",
    )
    if size is not None and observed.statistic is not None:
        figure.add_scatter(
            x=[size],
            y=[observed.statistic],
            mode="markers",
            marker={"symbol": "diamond", "size": 12, "color": OBSERVED},
            name="these blocks",
            hovertemplate=f"these blocks: t = {numbers.statistic(observed.statistic)}<extra></extra>",
        )
    ticks = _logarithmic_ticks(int(study.sizes[-1]) if size is None else max(size, int(study.sizes[-1])))
    figure.update_xaxes(
        title="segments in a block", type="log", tickvals=ticks, ticktext=[numbers.count(n) for n in ticks]
    )
    figure.update_yaxes(title="t", zeroline=True)
    return styled(figure, "t over block sizes", height=340)


def block_labels(layout: BlockLayout) -> list[str]:
    """What each block holds, (B,): "segments 26 to 50", "document X", "25 segments chosen at random"."""
    sizes = [numbers.counted(int(size), "segment") for size in layout.sizes]
    if layout.documents is not None:
        return [f"document {label(name)} ({size})" for name, size in zip(layout.documents, sizes, strict=True)]
    if layout.shuffle_seed is not None:
        return [f"block {numbers.count(block + 1)} ({size} chosen at random)" for block, size in enumerate(sizes)]
    ends = np.cumsum(layout.sizes)
    return [
        f"block {numbers.count(block + 1)} ({_segments(int(end - size) + 1, int(end))})"
        for block, (end, size) in enumerate(zip(ends, layout.sizes, strict=True))
    ]


def _segments(first: int, last: int) -> str:
    return (
        f"segment {numbers.count(first)}"
        if first == last
        else f"segments {numbers.count(first)} to {numbers.count(last)}"
    )


def _differences_histogram(analysis: BlockAnalysis, test: BlockTest) -> go.Figure:
    scale, unit = analysis.scale, analysis.layout.unit
    limit = float(np.abs(test.differences).max()) or 1.0
    heights, edges = np.histogram(test.differences, bins=np.linspace(-limit, limit, N_BINS + 1))
    centres = np.linspace(-limit, limit, 2 * N_BINS + 1)[1::2]
    centres[N_BINS // 2] = 0.0  # the bar in the middle is on no side
    figure = go.Figure(
        go.Bar(
            x=centres,
            y=heights,
            width=np.diff(edges) * 0.96,
            marker={"color": side_colours(scale.gain(centres))},
            customdata=[
                [scale.difference(float(low)), scale.difference(float(high)), numbers.counted(int(height), unit)]
                for low, high, height in zip(edges[:-1], edges[1:], heights, strict=True)
            ],
            hovertemplate="%{customdata[2]} with Δ from %{customdata[0]} to %{customdata[1]}<extra></extra>",
        )
    )
    figure.add_vline(x=test.mean_difference, line={"width": 2, "dash": "dash", "color": NEUTRAL})
    if test.interval is not None:
        figure.add_vrect(x0=test.interval[0], x1=test.interval[1], fillcolor=NEUTRAL, opacity=0.3, line_width=0)
    figure.update_xaxes(title=_difference_title(analysis))
    figure.update_yaxes(title=f"{unit}s")
    return styled(figure, _mean_title(analysis, test), height=360)


def _block_axis(figure: go.Figure, layout: BlockLayout) -> None:
    ends = [0.5, layout.n_blocks + 0.5]
    if layout.documents is not None and layout.n_blocks <= MAX_NAMED_DOCUMENTS:
        figure.update_xaxes(
            title="document",
            tickvals=np.arange(1, layout.n_blocks + 1),
            ticktext=axis_names(layout.documents),
            tickangle=-40,
            range=ends,
        )
        return
    order = "in the order of their first segments" if layout.documents is not None else "in the order of the segments"
    if layout.shuffle_seed is not None:
        order = "of segments sampled at random"
    figure.update_xaxes(title=f"{layout.unit}, {order}", dtick=max(1, -(-layout.n_blocks // N_LABELS)), range=ends)


def _mean_title(analysis: BlockAnalysis, test: BlockTest) -> str:
    noun = analysis.layout.unit
    return f"Paired {noun} differences: mean {analysis.scale.difference(test.mean_difference)}"


def _difference_title(analysis: BlockAnalysis) -> str:
    lower = "" if analysis.scale.higher_is_better else ", lower is better"
    return f"Δ {label(analysis.scale.unit)} (B − A{lower})"


def _edges(statistics: Floats) -> Floats:
    """Edges of bars for t, also where it is always the same."""
    low, high = float(statistics.min()), float(statistics.max())
    room = max(0.0, 0.1 - (high - low)) / 2
    n_bins = min(N_BINS, max(1, len(statistics) // 4)) if room == 0 else 1
    return np.linspace(low - room, high + room, n_bins + 1)


def _around(values: Sequence[float]) -> list[float]:
    """A range with room at both ends."""
    low, high = min(values), max(values)
    return [low - 0.06 * (high - low), high + 0.06 * (high - low)]


def _logarithmic_ticks(largest: int) -> list[int]:
    ticks = [step * 10**power for power in range(len(str(largest))) for step in (1, 2, 5)]
    return [tick for tick in ticks if tick <= largest]
