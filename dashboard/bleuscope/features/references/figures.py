"""What the choice of references does, as Plotly figures."""

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from bleucore.counts import Floats
from bleucore.robustness.rankings import ranks
from bleucore.robustness.references import ReferenceStudy, Subset
from bleuscope.content.sheets.forest_rows import outliers
from bleuscope.content.style import numbers
from bleuscope.content.style.charts import DRAWN, NEUTRAL, OBSERVED, axis_name, label, named_at_ends, styled, with_room
from bleuscope.content.style.identity import (
    OKABE_ITO,
    SystemStyle,
    chosen_of,
    highlighted,
    in_front_last,
    named_in_chart,
)
from bleuscope.content.style.widths import n_columns
from bleuscope.features.references.sheets import charted_subsets
from bleuscope.features.references.words import references_named

LINE_HEIGHT, LEAST_HEIGHT = 26, 300
MATRIX_CELL, MATRIX_REST = 34, 150
MOST_HEIGHT, LEAST_CELL = 600, 14
"""Pixels: of the lines of a chart together, where they stay as high as this."""
MOST_UPRIGHT = 4
"""Choices whose names stand beside each other as they are; of more each word has a line."""
LONGEST_LINE = 11
"""Columns of a line of such a name; if one is longer, each word has a line."""
FEWEST_BARS = 4
BEYOND = {-1: "↓", 1: "↑"}
PATTERNS = ("/", "\\", "x", "-", "|", "+", ".")
AHEAD_COLOURS = [[0.0, OBSERVED], [0.5, "#FFFFFF"], [1.0, DRAWN]]
SPREAD = 0.4
ROOM_FOR_MEAN = 1.15
"""How high the axis of draws is beside the highest bar: its mean is named above all bars."""
MANY = 3
"""References: fewer are named one by one."""
MOST_NUMBERED = 20
"""With more systems than this ranges do not fit; the tables have them."""
MOST_WRITTEN = 8
"""With more systems than this numbers in the cells of a matrix are too small to read."""


def slope_figure(study: ReferenceStudy, looks: Mapping[str, SystemStyle]) -> go.Figure:
    """The rank of each system by each choice of references: lines that cross are reversed pairs.

    Systems are named where their lines begin.
    """
    shown = charted_subsets(study)
    titles, n_systems = [_on_lines(one, study) for one in shown], len(study.systems)
    lines = [n_columns(line) for title in titles for line in title.split("<br>")]
    if len(shown) > MOST_UPRIGHT or n_systems > MOST_WRITTEN or max(lines) > LONGEST_LINE:
        titles = [title.replace(" ", "<br>") for title in titles]
    of_subset = np.array([ranks(study.gains(one.scores)) for one in shown])
    drawn, figure = highlighted(looks), go.Figure()
    for name in in_front_last(study.systems, looks):
        place, look = study.systems.index(name), drawn[name]
        figure.add_scatter(
            x=titles,
            y=of_subset[:, place],
            mode="lines+markers",
            name=axis_name(look),
            line={"color": look.colour, "dash": look.dash, "width": 2},
            marker={"symbol": look.marker, "size": 9},
            customdata=[[numbers.score(float(one.scores[place]))] for one in shown],
            meta=label(name),
            hovertemplate=f"%{{meta}}: rank %{{y}}, {study.metric_name} %{{customdata[0]}}<extra></extra>",
        )
    places, texts = _first_ranks(of_subset[0], [looks[name] for name in study.systems])
    figure.update_yaxes(title="rank", range=[n_systems + 0.5, 0.5], tickvals=places, ticktext=texts)
    figure.update_xaxes(tickangle=0)
    height = max(LEAST_HEIGHT, 120 + _line_height(n_systems, LINE_HEIGHT) * n_systems)
    return styled(figure, "Ranks by references", height=height).update_layout(showlegend=False, height=height)


def _first_ranks(first: Floats, looks: Sequence[SystemStyle]) -> tuple[list[float], list[str]]:
    """The first ranks in rising order, and at each the systems that have it."""
    at_rank: dict[float, list[str]] = {}
    for rank, look in sorted(zip(first.tolist(), looks, strict=True), key=lambda one: one[0]):
        at_rank.setdefault(rank, []).append(axis_name(look))
    names = [f"{', '.join(here[:2])}{', …' if len(here) > 2 else ''}  {rank:g}" for rank, here in at_rank.items()]  # noqa: PLR2004
    return list(at_rank), names


def _line_height(n_lines: int, usual: int) -> int:
    """Of each of so many lines, in pixels."""
    return max(LEAST_CELL, min(usual, MOST_HEIGHT // max(n_lines, 1)))


def growth_figure(study: ReferenceStudy, looks: Mapping[str, SystemStyle]) -> go.Figure:
    """Scores by the number of references: the mean over subsets of each size, from the lowest to the highest.

    Lines are named where they end; of many those of the best, of A and B, and of their neighbours. Outliers lie beyond
    the axis, and their names have arrows and scores.
    """
    growth, has_ranges = study.growth(), len(study.systems) <= MOST_NUMBERED
    sizes = [one.size for one in growth]
    drawn, figure = highlighted(looks), go.Figure()
    for name in in_front_last(study.systems, looks):
        place, look = study.systems.index(name), drawn[name]
        means = np.array([one.means[place] for one in growth])
        aside = has_ranges * SPREAD * ((place + 0.5) / len(study.systems) - 0.5)  # or the ranges would cover each other
        figure.add_scatter(
            x=[size + aside for size in sizes],
            y=means,
            error_y={
                "type": "data",
                "visible": has_ranges,
                "symmetric": False,
                "array": [one.highest[place] - one.means[place] for one in growth],
                "arrayminus": [one.means[place] - one.lowest[place] for one in growth],
                "thickness": 1,
                "width": 0,
                "color": look.colour,
            },
            customdata=sizes,
            mode="lines+markers",
            name=axis_name(look),
            line={"color": look.colour, "dash": look.dash, "width": 2},
            marker={"symbol": look.marker, "size": 8},
            meta=label(name),
            hovertemplate="%{meta} with %{customdata}: %{y:.2f}<extra></extra>",
        )
    figure.update_xaxes(title="references", dtick=1, range=[0.6, len(study.references) + 0.4])
    figure.update_yaxes(title=f"{study.metric_name}: mean, range")
    styled(figure, f"{study.metric_name} by the number of references", height=LEAST_HEIGHT)
    last, ranges = growth[-1].means, np.array([[one.lowest, one.highest] for one in growth])
    lowest, highest = ranges.min(axis=(0, 1)), ranges.max(axis=(0, 1))
    sides = outliers(last, np.column_stack([lowest, highest]))
    scale = with_room(np.concatenate([lowest[sides == 0], highest[sides == 0]]))
    best_first = [study.systems[place] for place in np.argsort(-study.gains(last), kind="stable")]
    named = {*named_in_chart(best_first, chosen_of(looks)), *(study.systems[place] for place in np.flatnonzero(sides))}
    ends = []
    for name in study.systems:
        place = study.systems.index(name)
        side, told = int(sides[place]), axis_name(drawn[name])
        told = f"{BEYOND[side]} {told} {numbers.score(float(last[place]))}" if side else told
        ends += [(float(np.clip(last[place], *scale)), told, drawn[name].colour)] if name in named else []
    return named_at_ends(figure, ends, scale, height=LEAST_HEIGHT)


def draws_figure(study: ReferenceStudy) -> go.Figure:
    """How many pairs are reversed in how many draws."""
    flips = study.draws.stability.flips
    heights = np.bincount(flips)
    figure = go.Figure(
        go.Bar(
            x=np.arange(len(heights)),
            y=heights,
            marker={"color": NEUTRAL},
            hovertemplate="%{x} reversed pairs: %{y} draws<extra></extra>",
        )
    )
    figure.add_vline(x=study.draws.stability.flips_mean, line={"width": 2, "color": DRAWN}, annotation_text="mean")
    figure.update_xaxes(title=f"reversed pairs, of {study.n_pairs}", dtick=max(1, len(heights) // 12))
    figure.update_xaxes(range=[-0.5, max(FEWEST_BARS, len(heights)) - 0.5])
    figure.update_yaxes(title="samples", range=[0, ROOM_FOR_MEAN * float(heights.max())])
    return styled(figure, f"One reference for each {study.draws.unit}", height=LEAST_HEIGHT)


def ahead_figure(study: ReferenceStudy, looks: Mapping[str, SystemStyle]) -> go.Figure:
    """How often the system of a row is ahead of that of a column, best first."""
    order = np.argsort(-study.gains(study.base_subset.scores), kind="stable")
    shares = study.draws.stability.ahead[np.ix_(order, order)].copy()
    np.fill_diagonal(shares, np.nan)
    names = [axis_name(looks[study.systems[place]]) for place in order]
    whole = [label(study.systems[place]) for place in order]
    texts = [["" if np.isnan(share) else f"{share:.2f}" for share in row] for row in shares]
    figure = go.Figure(
        go.Heatmap(
            z=shares,
            x=names,
            y=names,
            customdata=[[[row, column] for column in whole] for row in whole],
            zmin=0,
            zmax=1,
            colorscale=AHEAD_COLOURS,
            showscale=False,
            xgap=1,
            ygap=1,
            text=texts,
            texttemplate="%{text}" if len(order) <= MOST_WRITTEN else None,
            textfont={"color": "#000000"},
            hovertemplate="%{customdata[0]} scores higher than %{customdata[1]} in %{z:.0%} of samples<extra></extra>",
        )
    )
    figure.update_yaxes(autorange="reversed")
    figure.update_xaxes(type="category", title="scores higher than", side="bottom", tickangle=-45)
    height = MATRIX_REST + _line_height(len(order), MATRIX_CELL) * len(order)
    return styled(figure, "Samples in which the row scores higher", height=height)


def matches_figure(study: ReferenceStudy) -> go.Figure:
    """Which reference matched, of all systems together, by order."""
    figure = go.Figure()
    if study.shares is None:
        return figure
    only, total = study.shares.only.sum(axis=1), study.shares.matches.sum(axis=0)
    parts = [*only, total - only.sum(axis=0)]
    names = [*(f"only {name}" for name in study.references), "several"]
    for place, (name, part) in enumerate(zip(names, parts, strict=True)):
        shares = np.divide(part, total, out=np.zeros(len(total)), where=total > 0)
        is_last = place == len(names) - 1
        figure.add_bar(
            y=[f"{order}-grams" for order in range(1, len(total) + 1)],
            x=100 * shares,
            orientation="h",
            name=label(name, 30),
            text=[f"{100 * share:.0f}" for share in shares],
            textposition="inside",
            textfont={"color": "#FFFFFF"},
            marker={
                "color": NEUTRAL if is_last else OKABE_ITO[place % len(OKABE_ITO)],
                "pattern": {
                    "shape": "" if is_last else PATTERNS[place % len(PATTERNS)],
                    "fillmode": "overlay",
                    "fgcolor": "#FFFFFF",
                    "fgopacity": 0.15,
                },
            },
            hovertemplate=f"%{{y}}, {label(name)}: %{{x:.1f}} %<extra></extra>",
        )
    figure.update_layout(barmode="stack")
    figure.update_yaxes(autorange="reversed")
    figure.update_xaxes(title="% of matched n-grams, all systems", range=[0, 100])
    return styled(figure, "Which reference matched", height=LEAST_HEIGHT)


def _on_lines(subset: Subset, study: ReferenceStudy) -> str:
    """What a subset is called, a reference a line; all of many in a word."""
    if subset.references == study.references and not subset.is_mean and len(subset.references) >= MANY:
        return "all<br>references"
    words = references_named(subset).split(" of ") if subset.is_mean else subset.references
    return (" of<br>" if subset.is_mean else " +<br>").join(label(word, 18) for word in words)
