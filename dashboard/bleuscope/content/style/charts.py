"""What all charts have in common."""

from collections.abc import Sequence
from html import escape

import numpy as np
import plotly.graph_objects as go

from bleucore.counts import Floats
from bleuscope.content.style.cut_names import NAME_LENGTH, short_names
from bleuscope.content.style.identity import SIDE_COLOURS, SystemStyle
from bleuscope.content.style.widths import FROM_THE_RIGHT, first_columns, n_columns

DRAWN, OBSERVED, NEUTRAL = "#1F78B4", "#D9760A", "#7F858E"
"""What was drawn or counted, what was observed, and what is neither."""


INK = "#22282E"
"""Of the whiskers in a picture on white; a dark page has its own (``charts.css``)."""
WHISKER = {"color": INK, "thickness": 1.5, "width": 0}
"""The bars of an interval, which stand out from what they lie on."""


MAX_POINTS = 4_000
"""More segments than this are thinned out in the middle of a sorted chart, never at its ends."""


LEGEND_COLUMNS = 3


LEGEND_DISTANCE, ABOVE_AND_BELOW = 62, 110
"""Pixels: of the legend from the axis, past its numbers and title; and of a figure outside its plot."""


def styled(figure: go.Figure, title: str, *, height: int) -> go.Figure:
    """The figure in common looks: title at the left, legend beneath, margins as large as the labels need."""
    has_legend = len(figure.data) > 1
    figure.update_layout(
        title={"text": title, "font": {"size": 16}, "x": 0, "xanchor": "left"},
        height=height + (24 * -(-len(figure.data) // LEGEND_COLUMNS) if has_legend else 0),
        margin={"l": 8, "r": 16, "t": 44, "b": 8},
        legend={
            "orientation": "h",
            "y": -LEGEND_DISTANCE / (height - ABOVE_AND_BELOW),
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


LABEL_HEIGHT = 15
"""Pixels from one name at the end of a line to the next."""


def named_at_ends(
    figure: go.Figure, ends: Sequence[tuple[float, str, str]], scale: tuple[float, float], *, height: int
) -> go.Figure:
    """The figure of lines, which has no legend then, with a name at the right end of each: at a second vertical axis.

    Names that would lie on each other move apart.

    Args:
        figure: Its lines end at the right; its vertical axis gets the scale.
        ends: The last value, the name (escaped) and the colour of each line.
        scale: The ends of the vertical axis, the upper one second, also where that is the lower number.
        height: Of the figure, in pixels.
    """
    low, high = scale
    by_place = sorted(ends, key=lambda one: (one[0] - low) / (high - low))
    apart = LABEL_HEIGHT / (height - ABOVE_AND_BELOW)
    places = _moved_apart(np.array([(value - low) / (high - low) for value, _, _ in by_place]), apart)
    figure.add_scatter(
        x=list(figure.data[0].x[-1:]),
        y=[low],
        mode="markers",
        marker={"size": 1, "opacity": 0, "color": NEUTRAL},
        name="",
        hoverinfo="skip",
        showlegend=False,
        yaxis="y2",
    )
    names = [f'<span style="color:{colour}">━</span> {name}' for _, name, colour in by_place]
    figure.update_layout(
        yaxis={"range": list(scale)},
        yaxis2={
            "overlaying": "y",
            "side": "right",
            "range": list(scale),
            "tickvals": (low + places * (high - low)).tolist(),
            "ticktext": names,
            "showgrid": False,
            "zeroline": False,
            "automargin": True,
        },
        showlegend=False,
        height=height,
    )
    if low > high:  # axes name their ticks from the lower number up
        figure.update_layout(yaxis2={"tickvals": list(figure.layout.yaxis2.tickvals)[::-1], "ticktext": names[::-1]})
    return figure


NARROW_PLOT = (290.0, 330.0)
"""Pixels of the plot of a chart of points on a phone: what has room there has room everywhere."""
LETTER, LINE, AROUND_POINT = 6.5, 14.0, 8.0
"""Pixels: of a letter's width, of a line of text, and from the middle of a point to its name."""
AROUND = {
    "top right": (0, 1),
    "bottom right": (0, -1),
    "top left": (-1, 1),
    "bottom left": (-1, -1),
    "top center": (-0.5, 1),
    "bottom center": (-0.5, -1),
}
"""Where a name can stand at its point: how much of its width lies before it, and whether it is above or below."""


def places_of_names(places: Floats, names: Sequence[str]) -> list[str | None]:
    """On which side of its point each name has room, as Plotly says it; ``None`` where it would lie on others.

    Args:
        places: Of the points, (n, 2), from 0 to 1 of the plot, right and up; the first find room first.
        names: Of the points, "" for those without a name.
    """
    points, near = places * NARROW_PLOT, AROUND_POINT / 2
    taken = [(x - near, y - near, x + near, y + near) for x, y in points.tolist()]
    found: list[str | None] = []
    for (x, y), name in zip(points.tolist(), names, strict=True):
        width, chosen = LETTER * n_columns(name), None
        for side, (before, up) in AROUND.items() if name else ():
            left = x + before * width + (near if before == 0 else -near if before == -1 else 0)
            low = y + (near if up > 0 else -near - LINE)
            box = (left, low, left + width, low + LINE)
            if left >= 0 and left + width <= NARROW_PLOT[0] and not any(_overlap(box, other) for other in taken):
                chosen = side
                taken.append(box)
                break
        found.append(chosen)
    return found


def _overlap(box: Sequence[float], other: Sequence[float]) -> bool:
    return box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3]


def with_room(values: Floats) -> tuple[float, float]:
    """The ends of an axis for these values, with room at both."""
    low, high = float(values.min()), float(values.max())
    room = max(0.06 * (high - low), 0.05)
    return low - room, high + room


def _moved_apart(places: Floats, apart: float) -> Floats:
    """Places from 0 to 1 in rising order, (n,), with at least so much from one to the next where all find room."""
    if len(places) < 2:  # noqa: PLR2004  # one has all the room
        return places
    apart = min(apart, 1 / (len(places) - 1))
    rising = np.arange(len(places)) * apart
    least = np.maximum.accumulate(places - rising) + rising
    most = (np.minimum.accumulate((places - rising)[::-1])[::-1]) + rising
    moved: Floats = np.clip((least + most) / 2, rising, 1 - rising[::-1])
    return moved


def label(text: str, length: int = 60) -> str:
    """A text on one line and escaped, because Plotly reads some HTML; a longer one than so many columns is cut."""
    line = " ".join(text[: 4 * length].split())
    return _isolated(line if n_columns(line) <= length else first_columns(line, length - 1) + "…")


def axis_names(names: Sequence[str], most: int = NAME_LENGTH) -> list[str]:
    """Names at an axis, those of documents or slices: what distinguishes long ones."""
    short = short_names(dict.fromkeys(names), most)
    return [_isolated(short[name]) for name in names]


def axis_name(look: SystemStyle) -> str:
    """A system at an axis, at its line or in a legend."""
    return _isolated(look.short or look.name)


def _isolated(line: str) -> str:
    """Escaped; what is written from the right keeps its place beside numbers that stand before and behind it."""
    escaped = escape(line, quote=False)
    return f"\N{FIRST STRONG ISOLATE}{escaped}\N{POP DIRECTIONAL ISOLATE}" if FROM_THE_RIGHT.search(line) else escaped


def side_colours(delta: Floats) -> list[str]:
    """The colour of who is ahead, by differences that are above 0 where B is."""
    return [SIDE_COLOURS["B"] if value > 0 else SIDE_COLOURS["A"] if value < 0 else NEUTRAL for value in delta]


def thinned(n_points: int) -> np.ndarray:
    """Places to show of a sorted chart: all of few, else both ends whole and the middle at even steps."""
    if n_points <= MAX_POINTS:
        return np.arange(n_points)
    end = MAX_POINTS // 4
    middle = np.linspace(end, n_points - end, MAX_POINTS - 2 * end, endpoint=False).astype(int)
    return np.unique(np.concatenate([np.arange(end), middle, np.arange(n_points - end, n_points)]))
