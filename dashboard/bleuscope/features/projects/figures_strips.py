"""Segments over the versions of a system: which are shown, as a figure and as sheets."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from bleucore.history import Course, SegmentStrips
from bleuscope.content.sheets.builders import sheet_of
from bleuscope.content.sheets.sheet import Field, Sheet
from bleuscope.content.style import numbers
from bleuscope.content.style.charts import DRAWN, NEUTRAL, OBSERVED, axis_names, label, styled
from bleuscope.features.projects.scored_versions import ScoredVersion, SystemHistory
from bleuscope.features.projects.sheets import VERSION

MOST_VERSIONS = 40
MOST_SCORES = 8_000_000
"""Of all segments and versions that are held: 64 MB."""
MOST_ROWS = 15
ROW_HEIGHT, AROUND, KEY_LINE = 26, 106, 22
SMALLEST, LARGEST = 7.0, 15.0
"""Pixels: of the signs of small and of large changes."""
MOST_NAMED = 12
BEGINS, NAME_COLUMNS = 18, 12
"""Columns: of the beginning of a segment, and of the name of a version."""
BETTER, WORSE, SAME = "▲", "▼", "·"
KINDS = (
    ("better than before", "triangle-up", DRAWN, 1),
    ("worse than before", "triangle-down", OBSERVED, -1),
    ("the same score", "line-ew-open", NEUTRAL, 0),
)
"""Of changes: name, symbol, colour and sign."""
KEY = '<br><span style="font-size: 12px; font-weight: normal">▲ better than before\u2003▼ worse\u2003– the same</span>'
"""Beneath the title: a legend would stand in the way of the names of versions, which are upright on a phone."""
WORDS_OF_SIGNS = {BETTER: "better than before", WORSE: "worse than before", SAME: "the same score"}


@dataclass(frozen=True, eq=False)
class ShownStrips:
    """Some segments over some versions of a system.

    Attributes:
        history: The system, with the versions that are shown.
        strips: The scores of all segments on these.
        older: The place of the version that segments are followed from, among those shown.
        newer: The place of the one they are followed to.
        course: Which segments are shown.
        rows: These, from 0, in order.
        begins: How the text of each begins, that they are told apart by.
    """

    history: SystemHistory
    strips: SegmentStrips
    older: int
    newer: int
    course: Course
    rows: tuple[int, ...]
    begins: tuple[str, ...]

    @property
    def versions(self) -> tuple[ScoredVersion, ...]:
        """Those that are shown."""
        return self.history.versions


def shown_places(n_versions: int, n_segments: int, older: int, newer: int) -> range:
    """The places of the versions that strips show: all, or as many as can be held around two of them."""
    most = max(2, min(MOST_VERSIONS, MOST_SCORES // max(1, n_segments)))
    start = max(0, min(older, n_versions - most))
    start = max(start, newer - most + 1)
    return range(start, min(n_versions, start + most))


def strips_figure(shown: ShownStrips) -> go.Figure:
    """A row for each segment, a sign for each version at which its score changed; the larger the change, the larger.

    The custom data of a sign begin with its segment, from 0.
    """
    versions, strips, rows = shown.versions, shown.strips, list(shown.rows)
    gains = strips.gains[:, rows].T
    largest = float(np.abs(gains).max(initial=0.0)) or 1.0
    figure = go.Figure()
    for name, symbol, colour, sign in KINDS:
        places = np.argwhere(np.sign(gains) == sign)
        sizes = SMALLEST + (LARGEST - SMALLEST) * np.sqrt(np.abs(gains[tuple(places.T)]) / largest)
        figure.add_scatter(
            x=places[:, 1],
            y=places[:, 0],
            mode="markers",
            name=name,
            marker={"symbol": symbol, "size": sizes, "color": colour, "opacity": 1},
            customdata=[[rows[row], _hover(shown, row, place)] for row, place in places.tolist()],
            hovertemplate="%{customdata[1]}<extra></extra>",
        )
    step = -(-len(versions) // MOST_NAMED)
    named, names = range(0, len(versions), step), axis_names([one.label for one in versions], NAME_COLUMNS)
    figure.update_xaxes(
        title="version",
        tickvals=list(named),
        ticktext=[names[place] for place in named],
        range=[-0.6, len(versions) - 0.4],
        zeroline=False,
    )
    figure.update_yaxes(
        tickvals=list(range(len(rows))),
        ticktext=[
            f"#{numbers.count(row + 1)} {label(text, BEGINS)}" for row, text in zip(rows, shown.begins, strict=True)
        ],
        range=[len(rows) - 0.4, -0.6],
        zeroline=False,
        side="left",
    )
    for place in (shown.older, shown.newer):
        figure.add_vline(place, line={"color": NEUTRAL, "width": 1, "dash": "dot"}, layer="below")
    styled(figure, f"Segments that {shown.course} most{KEY}", height=AROUND + ROW_HEIGHT * len(rows))
    return figure.update_layout(hovermode="closest", showlegend=False, margin_t=KEY_LINE + figure.layout.margin.t)


def strips_sheet(shown: ShownStrips) -> Sheet:
    """The same as a table: a row for each segment, with the version at which it lost most."""
    strips, rows, versions = shown.strips, list(shown.rows), shown.versions
    metric, gain = shown.history.scored.metric, strips.gain(shown.older, shown.newer)[list(shown.rows)]
    falls = [strips.largest_fall(row, shown.older, shown.newer) for row in rows]
    signed = 1 if strips.higher_is_better else -1
    from_to = f"{versions[shown.older].label} to {versions[shown.newer].label}"
    return sheet_of(
        "segments-over-versions",
        (
            f"Segments of {shown.history.system} that {shown.course} most, {from_to}.",
            shown.history.scored.signature_words,
        ),
        [
            (Field("segment", "segment", "count"), [row + 1 for row in rows]),
            (Field("begins", "begins", "text", is_prose=True), list(shown.begins)),
            (
                Field("difference", f"Δ {metric}", "difference", explanation=f"Of the segment's own score, {from_to}."),
                signed * gain,
            ),
            (Field("score", metric, "score"), strips.scores[shown.newer, rows]),
            (
                Field("fell_at", "lost most at", "text", explanation="The version at which it lost most."),
                [None if place is None else versions[place].label for place in falls],
            ),
            (
                Field(
                    "strip",
                    "over the versions",
                    "text",
                    explanation="A sign for each version after the first: ▲ better than before, ▼ worse, · the same.",
                ),
                [signs_of(strips.gains[1:, row]) for row in rows],
            ),
        ],
        {**shown.history.scored.facts, "system": shown.history.system},
        title=f"Segments that {shown.course} most",
    )


def strip_sheet(shown: ShownStrips, segment: int, texts: Sequence[str]) -> Sheet:
    """One segment over the versions: its score, what that gained or lost, and its text."""
    strips = shown.strips
    signed = 1 if strips.higher_is_better else -1
    gains = signed * strips.gains[:, segment]
    gains[0] = np.nan
    return sheet_of(
        "segment-over-versions",
        (f"Segment {segment + 1} over versions of {shown.history.system}.",),
        [
            (VERSION, [one.label for one in shown.versions]),
            (Field("score", shown.history.scored.metric, "score"), strips.scores[:, segment]),
            (
                Field("difference", "Δ before", "difference", explanation="Score less that of the version before."),
                gains,
            ),
            (Field("output", "output", "text", is_prose=True), list(texts)),
        ],
        {**shown.history.scored.facts, "system": shown.history.system, "segment": segment + 1},
        title=f"Segment {segment + 1} over versions",
    )


def signs_of(gains: Sequence[float] | np.ndarray) -> str:
    """A sign for each gain."""
    return "".join(BETTER if gain > 0 else WORSE if gain < 0 else SAME for gain in gains)


def _hover(shown: ShownStrips, row: int, place: int) -> str:
    segment, strips = shown.rows[row], shown.strips
    lines = [f"<b>{label(shown.versions[place].label)}</b>, segment {numbers.count(segment + 1)}"]
    score = float(strips.scores[place, segment])
    lines.append(f"{label(shown.history.scored.metric)} {numbers.score(score)}")
    if place:
        lines.append(f"{numbers.difference(score - float(strips.scores[place - 1, segment]))} from the version before")
    return "<br>".join(lines)
