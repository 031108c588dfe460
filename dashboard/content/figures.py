"""Results as Plotly figures. Texts from users are escaped, because Plotly reads some HTML in its labels."""

from collections.abc import Mapping, Sequence
from html import escape

import numpy as np
import plotly.graph_objects as go

from bleucore import Evaluation
from bleucore.bleu import Floats
from bleucore.significance import BlockLayout, BlockSummary, PairedTTest
from dashboard.content import numbers
from dashboard.content.identity import Identity

POSITIVE, NEGATIVE, NEUTRAL = "#1F78B4", "#D9760A", "#8A8F98"
"""Differences: blue where B is ahead, orange where A is."""

MAX_POINTS = 4_000
"""More segments than this are thinned out in the middle of a sorted chart, never at its ends."""

NAME_LENGTH = 24
LEGEND_COLUMNS = 3


def scores_figure(evaluation: Evaluation, looks: Mapping[str, Identity]) -> go.Figure:
    """Corpus BLEU as bars, best system first."""
    names = evaluation.ranked()
    values = [evaluation.systems[name].score.score for name in names]
    figure = go.Figure(
        go.Bar(
            x=values,
            y=[_axis_name(looks[name]) for name in names],
            orientation="h",
            marker={
                "color": [looks[name].colour for name in names],
                "pattern": {"shape": [looks[name].pattern for name in names]},
            },
            text=[numbers.score(value) for value in values],
            textposition="outside",
            cliponaxis=False,
            customdata=[[_label(name)] for name in names],
            hovertemplate="%{customdata[0]}: %{text} BLEU<extra></extra>",
        )
    )
    figure.update_xaxes(title="BLEU (0–100, higher is better)", range=[0, max(1.0, max(values) * 1.15)])
    figure.update_yaxes(autorange="reversed", automargin=True)
    return _styled(figure, "Corpus BLEU", height=max(240, 90 + 34 * len(names)))


def precisions_figure(evaluation: Evaluation, looks: Mapping[str, Identity]) -> go.Figure:
    """Precision by n-gram order, a bar per system, as in Papineni et al. 2002, Figures 1 and 2."""
    orders = [f"{order}-gram" for order in range(1, evaluation.options.max_order + 1)]
    figure = go.Figure()
    for name in evaluation.names:
        precisions = evaluation.systems[name].score.precisions
        figure.add_bar(
            x=orders,
            y=precisions,
            name=_axis_name(looks[name]),
            marker={"color": looks[name].colour, "pattern": {"shape": looks[name].pattern}},
            customdata=[[_label(name), numbers.precision(value)] for value in precisions],
            hovertemplate="%{customdata[0]}: %{customdata[1]} % of its %{x}s match<extra></extra>",
        )
    figure.update_layout(barmode="group", bargap=0.25, bargroupgap=0.06)
    figure.update_yaxes(title="precision (%)", rangemode="tozero")
    return _styled(figure, "Precision by n-gram order", height=360)


def segment_differences_figure(delta: Floats, texts: Sequence[str | None]) -> go.Figure:
    """Δ of every segment, sorted, as in iBLEU. The custom data of a point begins with its segment, from 0."""
    order = np.argsort(delta, kind="stable")
    shown = _thinned(len(order))
    segments = order[shown]
    figure = go.Figure(
        go.Bar(
            x=shown + 1,
            y=delta[segments],
            width=_bar_widths(shown, len(order)),
            offset=-0.5,  # a bar begins at its own place: centred, wide and narrow ones would overlap
            marker={"color": _difference_colours(delta[segments]), "line": {"width": 0}},
            customdata=[
                [
                    int(segment),
                    numbers.count(int(segment) + 1),
                    numbers.difference(float(delta[segment])),
                    _label(texts[segment] or "", 80),
                ]
                for segment in segments
            ],
            hovertemplate="segment %{customdata[1]}: Δ %{customdata[2]}<br>%{customdata[3]}<extra></extra>",
        )
    )
    figure.update_layout(bargap=0)
    figure.update_xaxes(title="segments, sorted by difference", showgrid=False)
    figure.update_yaxes(title="Δ BLEU (B − A)", zeroline=True)
    return _styled(figure, "Difference by segment", height=340)


def difference_histogram(delta: Floats) -> go.Figure:
    """How many segments differ by how much. The custom data of a bar are its lower and upper edge."""
    limit = max(1.0, float(np.abs(delta).max()))
    width = _round_width(limit / 15)
    n_bins = int(np.ceil(limit / width - 0.5))
    edges = (np.arange(-n_bins, n_bins + 2) - 0.5) * width
    heights, _ = np.histogram(delta, edges)
    centres = (edges[:-1] + edges[1:]) / 2
    figure = go.Figure(
        go.Bar(
            x=centres,
            y=heights,
            width=width * 0.94,
            marker={"color": _difference_colours(np.where(np.abs(centres) < width / 2, 0, centres))},
            customdata=[
                [
                    float(low),
                    float(high),
                    numbers.statistic(float(low)),
                    numbers.statistic(float(high)),
                    numbers.counted(int(height), "segment"),
                ]
                for low, high, height in zip(edges[:-1], edges[1:], heights, strict=True)
            ],
            hovertemplate="%{customdata[4]} with Δ from %{customdata[2]} to %{customdata[3]}<extra></extra>",
        )
    )
    figure.update_xaxes(title="Δ BLEU (B − A)")
    figure.update_yaxes(title="segments")
    return _styled(figure, "How large the differences are", height=340)


def document_differences_figure(documents: Sequence[str], delta: Floats, sizes: Sequence[int]) -> go.Figure:
    """Δ of every document's corpus score, sorted. The custom data of a bar begins with the document's index."""
    order = np.argsort(delta, kind="stable")[::-1]
    limit = max(1.0, float(np.abs(delta).max())) * 1.25
    figure = go.Figure(
        go.Bar(
            x=delta[order],
            y=np.arange(len(order)),
            orientation="h",
            marker={"color": _difference_colours(delta[order])},
            text=[numbers.difference(float(delta[index])) for index in order],
            textposition="outside",
            cliponaxis=False,
            customdata=[
                [int(index), _label(documents[index], 80), numbers.counted(sizes[index], "segment")] for index in order
            ],
            hovertemplate="%{customdata[1]} (%{customdata[2]}): Δ %{text}<extra></extra>",
        )
    )
    figure.update_xaxes(title="Δ BLEU (B − A)", range=[-limit, limit], zeroline=True)
    figure.update_yaxes(
        autorange="reversed",
        tickvals=np.arange(len(order)),
        ticktext=[_label(documents[index], NAME_LENGTH) for index in order],
    )
    return _styled(figure, "Difference by document", height=max(260, 90 + 24 * len(order)))


def block_scores_figure(
    summaries: Sequence[BlockSummary], layout: BlockLayout, looks: Mapping[str, Identity]
) -> go.Figure:
    """The block scores of every system, block by block."""
    figure = go.Figure()
    blocks = np.arange(1, layout.n_blocks + 1)
    for summary in summaries:
        look = looks[summary.name]
        figure.add_scatter(
            x=blocks,
            y=summary.scores,
            name=_axis_name(look),
            mode="lines+markers",
            line={"color": look.colour, "dash": look.dash, "width": 2},
            marker={"symbol": look.marker, "size": 7},
            customdata=[
                [_label(summary.name), numbers.score(float(value)), _block_range(layout, index)]
                for index, value in enumerate(summary.scores)
            ],
            hovertemplate="%{customdata[0]}, block %{x} (%{customdata[2]}): %{customdata[1]} BLEU<extra></extra>",
        )
    figure.update_xaxes(
        title="block, in the order of the segments",
        dtick=max(1, layout.n_blocks // 20),
        range=[0.5, layout.n_blocks + 0.5],
    )
    figure.update_yaxes(title="BLEU of the block", rangemode="tozero")
    return _styled(figure, "Block scores", height=380)


def block_differences_figure(test: PairedTTest, layout: BlockLayout) -> go.Figure:
    """Paired block differences of two systems, their mean and its interval."""
    differences = test.differences
    figure = go.Figure(
        go.Bar(
            x=np.arange(1, layout.n_blocks + 1),
            y=differences,
            marker={"color": _difference_colours(differences)},
            customdata=[
                [numbers.difference(float(value)), _block_range(layout, index)]
                for index, value in enumerate(differences)
            ],
            hovertemplate="block %{x} (%{customdata[1]}): Δ %{customdata[0]}<extra></extra>",
        )
    )
    figure.add_hline(y=test.mean_difference, line={"width": 2, "dash": "dash", "color": NEUTRAL})
    if test.interval is not None:
        figure.add_hrect(y0=test.interval[0], y1=test.interval[1], fillcolor=NEUTRAL, opacity=0.18, line_width=0)
    figure.update_xaxes(title="block, in the order of the segments", dtick=max(1, layout.n_blocks // 20))
    figure.update_yaxes(title="Δ BLEU (B − A)", zeroline=True)
    title = f"Paired block differences: mean {numbers.difference(test.mean_difference)}"
    return _styled(figure, title, height=340)


def _styled(figure: go.Figure, title: str, *, height: int) -> go.Figure:
    """Common looks: title at the left, legend beneath, margins as large as the labels need."""
    has_legend = len(figure.data) > 1
    figure.update_layout(
        title={"text": title, "font": {"size": 16}, "x": 0, "xanchor": "left"},
        height=height + (24 * -(-len(figure.data) // LEGEND_COLUMNS) if has_legend else 0),
        margin={"l": 8, "r": 16, "t": 44, "b": 8},
        legend={
            "orientation": "h",
            "y": -0.18,
            "yanchor": "top",
            "x": 0,
            "xanchor": "left",
            "title": None,
        },
        hoverlabel={"align": "left"},
        dragmode=False,
    )
    figure.update_xaxes(automargin=True)
    figure.update_yaxes(automargin=True)
    return figure


def _label(text: str, length: int = 60) -> str:
    line = " ".join(text[: 4 * length].split())
    return escape(line if len(line) <= length else line[: length - 1] + "…", quote=False)


def _axis_name(look: Identity) -> str:
    return f"{look.number}  {_label(look.name, NAME_LENGTH)}"


def _difference_colours(delta: Floats) -> list[str]:
    return [POSITIVE if value > 0 else NEGATIVE if value < 0 else NEUTRAL for value in delta]


def _block_range(layout: BlockLayout, block: int) -> str:
    return f"segments {numbers.count(int(layout.edges[block]) + 1)} to {numbers.count(int(layout.edges[block + 1]))}"


def _thinned(n_points: int) -> np.ndarray:
    """Places to show of a sorted chart: all of few, else both ends whole and the middle at even steps."""
    if n_points <= MAX_POINTS:
        return np.arange(n_points)
    end = MAX_POINTS // 4
    middle = np.linspace(end, n_points - end, MAX_POINTS - 2 * end, endpoint=False).astype(int)
    return np.unique(np.concatenate([np.arange(end), middle, np.arange(n_points - end, n_points)]))


def _bar_widths(places: np.ndarray, n_points: int) -> np.ndarray:
    """Each bar reaches to the next one, so that thinning leaves no gaps."""
    return np.diff(np.append(places, n_points)).astype(float)


def _round_width(width: float) -> float:
    """The next larger of 1, 2 or 5 times a power of ten."""
    power = 10.0 ** np.floor(np.log10(width))
    return float(next(step * power for step in (1, 2, 5, 10) if step * power >= width * (1 - 1e-9)))
