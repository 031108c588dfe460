"""Every system's difference from the one that all are measured against, drawn in a table: a forest plot."""

from collections.abc import Mapping

import numpy as np
from markupsafe import Markup

from bleucore.counts import Floats
from dashboard.content.sheets.sheet import Sheet
from dashboard.content.sheets.values import STAR
from dashboard.content.style import numbers
from dashboard.content.style.identity import Identity
from dashboard.content.style.markup import HtmlColumn, system_label, table
from dashboard.content.style.terms import term

MARGIN = 0.04
"""Of the extent of all intervals, left free at both ends."""


def forest_html(systems: Sheet, looks: Mapping[str, Identity]) -> Markup:
    """A row for each system, best first: its score, difference with the interval drawn, and p.

    A table as it is read by everyone, of any number of systems: no chart has to be loaded, and all share one scale.

    Args:
        systems: The sheet of that name; before the tests it has no intervals.
        looks: How each system is drawn.
    """
    frame = systems.frame
    difference = frame["difference"].to_numpy(np.float64)
    keys = [f"difference_interval_{end}" for end in ("low", "high")]
    low, high = (np.asarray(frame[key] if key in frame else difference * np.nan, np.float64) for key in keys)
    clusters = _clusters(frame["cluster"].to_numpy(np.float64))
    starts = [row for row in range(1, len(frame)) if clusters[row]]
    rows = zip(
        [system_label(looks[name]) for name in frame["system"]],
        clusters,
        map(numbers.score, frame["bleu"]),
        _differences(difference),
        _drawn(difference, low, high),
        _p_values(systems),
        strict=True,
    )
    columns = [
        HtmlColumn("system", is_text=True),
        HtmlColumn("cluster", term("cluster")),
        HtmlColumn("BLEU ↑", term("BLEU")),
        HtmlColumn("Δ", term("Δ")),
        HtmlColumn("with 95 % interval", term("interval of Δ"), is_text=True),
        HtmlColumn("p", term("p of Δ")),
    ]
    caption = "Systems, best first, with their differences"
    return table(columns, rows, caption=caption, emphasised=systems.emphasised, parted=starts, style="bs-forest")


def _clusters(clusters: Floats) -> list[str]:
    """The number of each cluster at its first system; nothing before the tests."""
    known = ["" if np.isnan(one) else str(int(one)) for one in clusters.tolist()]
    return [one if row == 0 or one != known[row - 1] else "" for row, one in enumerate(known)]


def _differences(difference: Floats) -> list[str]:
    return ["–" if np.isnan(one) else numbers.difference(one) for one in difference.tolist()]


def _p_values(systems: Sheet) -> list[str | Markup]:
    written: list[str | Markup] = []
    significant = systems.frame.get("significant")
    for row, p_value in enumerate(systems.frame["corrected_p_value"].to_numpy(np.float64).tolist()):
        text = "–" if np.isnan(p_value) else numbers.p_value(p_value)
        is_marked = significant is not None and bool(significant[row])
        written.append(Markup("<b>{}</b>&#8202;{}").format(text, STAR) if is_marked else text)
    return written


def _drawn(difference: Floats, low: Floats, high: Floats) -> list[Markup]:
    """The point and the interval of each difference on one scale, with a line at 0."""
    known = np.concatenate([each[~np.isnan(each)] for each in (difference, low, high)])
    least, most = min(0.0, known.min(initial=0.0)), max(0.0, known.max(initial=0.0))
    extent = (most - least) * (1 + 2 * MARGIN) or 1.0

    def place(value: float) -> str:
        return f"{100 * (value - least + MARGIN * (most - least)) / extent:.2f}%"

    cells = []
    for point, first, last in zip(difference.tolist(), low.tolist(), high.tolist(), strict=True):
        at = 0.0 if np.isnan(point) else point
        line = Markup("")
        label = "no difference from itself" if np.isnan(point) else numbers.difference(point)
        if not np.isnan(first):
            line = Markup('<span class="bs-line" style="left:{};right:calc(100% - {})"></span>').format(
                place(first), place(last)
            )
            label += f", 95 % interval {numbers.interval(first, last)}"
        cells.append(
            Markup(
                '<span class="bs-drawn" role="img" aria-label="{0}" title="{0}">'
                '<span class="bs-zero" style="left:{1}"></span>{2}'
                '<span class="bs-point" style="left:{3}"></span></span>'
            ).format(label, place(0.0), line, place(at))
        )
    return cells
