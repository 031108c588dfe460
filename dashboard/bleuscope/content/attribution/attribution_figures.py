"""Where a difference comes from, as Plotly figures."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from bleuscope.content.sheets.sheet import Sheet
from bleuscope.content.style import numbers
from bleuscope.content.style.charts import (
    label,
    side_colours,
    styled,
)
from bleuscope.content.style.cut_names import NAME_LENGTH, short_names
from bleuscope.content.style.identity import SystemStyle
from bleuscope.content.style.scale import ScoreScale
from bleuscope.content.style.widths import n_columns

BAR_COLUMNS, BAR_SIZE = (8, 10), 11
"""Columns of the two lines of the name of a system beneath its bar: on the first others stand close. Pixels."""


def waterfall_figure(sheet: Sheet, scale: ScoreScale, looks: Sequence[SystemStyle]) -> go.Figure:
    """From A's score over the part of each ingredient of a sheet to B's score.

    Args:
        sheet: Of the ingredients and their total.
        scale: How scores of the metric are written.
        looks: How A and B are drawn.
    """
    (first, second), unit = looks, label(scale.unit, NAME_LENGTH)
    names, parts = (sheet.frame[key].to_list()[:-1] for key in ("ingredient", "part"))
    low, high = (float(sheet.facts[key]) for key in ("score_a", "score_b"))
    bar_a, bar_b = _bar_names(looks)
    short = [bar_a, *(_in_two_lines(name) for name in names), bar_b]
    texts = [numbers.score(low), *(numbers.difference(part) for part in parts), numbers.score(high)]
    starts = low + np.concatenate([[0.0], np.cumsum(parts)])
    figure = go.Figure(
        go.Bar(
            x=short,
            y=[low, *parts, high],
            base=[0.0, *starts[:-1], 0.0],
            marker={"color": [first.colour, *side_colours(scale.gain(np.array(parts))), second.colour]},
            customdata=[
                [label(name), text] for name, text in zip([first.name, *names, second.name], texts, strict=True)
            ],
            hovertemplate=f"%{{customdata[0]}}: %{{customdata[1]}} {unit}<extra></extra>",
            width=0.7,
        )
    )
    for name, top, text in zip(short, [low, *np.maximum(starts[:-1], starts[1:]), high], texts, strict=True):
        figure.add_annotation(x=name, y=float(top), text=text, showarrow=False, yanchor="bottom", yshift=2)
    figure.update_yaxes(title=unit, range=_range(np.array([*starts, high])))
    figure.update_xaxes(showgrid=False, tickangle=0, tickfont={"size": BAR_SIZE})
    return styled(figure, "From A's score to B's", height=360)


def _bar_names(looks: Sequence[SystemStyle]) -> list[str]:
    """A and B with what distinguishes their names, in two lines where words allow that, else in one."""
    names = list(dict.fromkeys(look.name for look in looks))
    whole = [short.split() for short in short_names(names, sum(BAR_COLUMNS)).values()]
    fits = all(
        len(lines) <= len(BAR_COLUMNS)
        and all(n_columns(line) <= most for line, most in zip(lines, BAR_COLUMNS, strict=False))
        for lines in whole
    )
    lines = whole if fits else [[short] for short in short_names(names, BAR_COLUMNS[0]).values()]
    named = dict(zip(names, lines, strict=True))
    return ["<br>".join([letter, *map(label, named[look.name])]) for letter, look in zip("AB", looks, strict=True)]


def _in_two_lines(ingredient: str) -> str:
    """The name of an ingredient where there is little room."""
    return ingredient.removesuffix("s").replace(" ", "<br>")


def _range(levels: np.ndarray) -> list[float]:
    """From 0, or from below the lowest step where the parts would be slivers on the whole scale."""
    low, high = float(levels.min()), float(levels.max())
    spread = high - low
    bottom = 0.0 if spread > high / 4 else max(0.0, low - spread)
    return [bottom, high + 0.12 * (high - bottom) + 1e-6]
