"""Every system's difference from the one that all are measured against, drawn in a table: a forest plot."""

from collections.abc import Mapping, Sequence

import numpy as np
from markupsafe import Markup

from bleuscope.content.sheets.forest_rows import ForestRows, Panel, cluster_starts, clusters
from bleuscope.content.sheets.sheet import Sheet
from bleuscope.content.sheets.values import STAR
from bleuscope.content.style import numbers
from bleuscope.content.style.identity import Identity
from bleuscope.content.style.markup import HtmlColumn, system_label, table
from bleuscope.content.style.terms import term

DIFFERENCES = Panel("difference", "Δ BLEU", "difference_interval")


def forest_html(systems: Sheet, looks: Mapping[str, Identity]) -> Markup:
    """A row for each system, best first: its score, difference with the interval drawn, and p.

    A table as it is read by everyone, of any number of systems: no chart has to be loaded, and all share one scale.

    Args:
        systems: The sheet of that name; before the tests it has no intervals.
        looks: How each system is drawn.
    """
    frame = systems.frame
    drawn = ForestRows.of(systems, DIFFERENCES)
    starts = cluster_starts(systems)
    rows = zip(
        [system_label(looks[name]) for name in frame["system"]],
        _clusters(systems, starts),
        map(numbers.score, frame["bleu"]),
        drawn.texts,
        _drawn(drawn),
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


def _clusters(systems: Sheet, starts: Sequence[int]) -> list[str]:
    """The number of each cluster at its first system; nothing before the tests."""
    known = clusters(systems)
    return [f"{one:.0f}" if row in (0, *starts) and not np.isnan(one) else "" for row, one in enumerate(known.tolist())]


def _p_values(systems: Sheet) -> list[str | Markup]:
    written: list[str | Markup] = []
    significant = systems.frame.get("significant")
    for row, p_value in enumerate(systems.frame["corrected_p_value"].to_numpy(np.float64).tolist()):
        text = "–" if np.isnan(p_value) else numbers.p_value(p_value)
        is_marked = significant is not None and bool(significant[row])
        written.append(Markup("<b>{}</b>&#8202;{}").format(text, STAR) if is_marked else text)
    return written


def _drawn(drawn: ForestRows) -> list[Markup]:
    """The point and the interval of each difference on one scale, with a line at 0."""
    least, most = drawn.range

    def place(value: float) -> str:
        return f"{100 * (value - least) / (most - least):.2f}%"

    cells = []
    for point, (first, last), said in zip(drawn.values.tolist(), drawn.ends.tolist(), drawn.said, strict=True):
        line = Markup("")
        if first < last:
            line = Markup('<span class="bs-line" style="left:{};right:calc(100% - {})"></span>').format(
                place(first), place(last)
            )
        cells.append(
            Markup(
                '<span class="bs-drawn" role="img" aria-label="{0}" title="{0}">'
                '<span class="bs-zero" style="left:{1}"></span>{2}'
                '<span class="bs-point" style="left:{3}"></span></span>'
            ).format(said, place(0.0), line, place(point))
        )
    return cells
