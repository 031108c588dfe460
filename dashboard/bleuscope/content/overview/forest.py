"""Every system's difference from the one that all are measured against, drawn in a table: a forest plot."""

from collections.abc import Mapping
from itertools import starmap

import numpy as np
from markupsafe import Markup

from bleuscope.content.sheets.forest_rows import ForestRows, Panel, cluster_starts, ticks
from bleuscope.content.sheets.sheet import Sheet
from bleuscope.content.sheets.values import NOTHING, STAR
from bleuscope.content.style import numbers
from bleuscope.content.style.identity import SystemStyle
from bleuscope.content.style.markup import HtmlColumn, system_label, table
from bleuscope.content.style.terms import term

DIFFERENCES = Panel("difference", "Δ BLEU", "difference_interval")


def forest_html(systems: Sheet, looks: Mapping[str, SystemStyle]) -> Markup:
    """A row for each system, best first: its score, difference with the interval drawn, and p.

    A table as it is read by everyone, of any number of systems: no chart has to be loaded, and all share one scale.
    The scale covers the contenders; an outlier has an arrow at its end, with the number.

    Args:
        systems: The sheet of that name; before the tests it has no intervals.
        looks: How each system is drawn.
    """
    frame = systems.frame
    drawn = ForestRows.of(systems, DIFFERENCES)
    starts = cluster_starts(systems)
    ranks, p_values = _ranks(systems), _p_values(systems)
    rows = zip(
        [system_label(looks[name]) for name in frame["system"]],
        ranks,
        map(_over, map(numbers.score, frame["bleu"]), map(_rank_words, ranks)),
        map(_over, drawn.texts, starmap(_p_words, p_values)),
        _drawn(drawn),
        starmap(_p_cell, p_values),
        strict=True,
    )
    columns = [
        HtmlColumn("system", is_text=True),
        HtmlColumn("ranks", term("ranks")),
        HtmlColumn("BLEU ↑", term("BLEU")),
        HtmlColumn("Δ", term("Δ")),
        HtmlColumn("95 % interval", term("interval of Δ"), is_text=True),
        HtmlColumn("p", term("p of Δ")),
    ]
    caption = "Systems, best first, with their differences"
    return table(
        columns,
        rows,
        caption=caption,
        emphasised=systems.emphasised,
        parted=starts,
        style="bs-forest",
        foot=["", "", "", "Δ BLEU", _axis(drawn), ""],
    )


def _ranks(systems: Sheet) -> list[str]:
    """The ranks that each system can have; nothing before the tests, or where not all pairs are compared."""
    if "rank_from" not in systems.frame:
        return [""] * len(systems.frame)
    ends = systems.frame[["rank_from", "rank_to"]].to_numpy(np.float64)
    return [
        "" if np.isnan(low) else f"{low:.0f}" if low == high else f"{low:.0f}–{high:.0f}" for low, high in ends.tolist()
    ]


def _p_values(systems: Sheet) -> list[tuple[str, bool]]:
    """Each p as it is written, and whether it is significant."""
    p_values = systems.frame["corrected_p_value"].to_numpy(np.float64).tolist()
    significant = systems.frame.get("significant", [False] * len(p_values))
    texts = [NOTHING if np.isnan(one) else numbers.p_value(one) for one in p_values]
    return [(text, bool(is_significant)) for text, is_significant in zip(texts, significant, strict=True)]


def _p_cell(text: str, is_significant: bool) -> str | Markup:  # noqa: FBT001  # a pair of ``_p_values``
    return Markup("<b>{}</b>&#8202;{}").format(text, STAR) if is_significant else text


def _over(number: str, said: str) -> Markup:
    """A number, and what a phone says beneath it instead of in a column of its own."""
    return Markup('<span class="bs-over" data-beneath="{}">{}</span>').format(said or numbers.NO_BREAK, number)


def _rank_words(ranks: str) -> str:
    return ranks and f"rank {ranks}"


def _p_words(text: str, is_significant: bool) -> str:  # noqa: FBT001  # a pair of ``_p_values``
    return "" if text == NOTHING else f"p {text}{STAR if is_significant else ''}"


def _drawn(drawn: ForestRows) -> list[Markup]:
    """The point and the interval of each difference on one scale, with a line at 0; outliers at its ends."""
    low, high = drawn.range
    zero = Markup('<span class="bs-zero" style="left:{}"></span>').format(_place(drawn, 0.0))
    cells = []
    for row, said in enumerate(drawn.said):
        marks = zero if low <= 0 <= high else Markup("")
        first, last = drawn.shown_ends[row].tolist()
        if first < last:
            marks += Markup('<span class="bs-line" style="left:{};right:calc(100% - {})"></span>').format(
                _place(drawn, first), _place(drawn, last)
            )
        cells.append(
            Markup('<span class="bs-drawn" role="img" aria-label="{0}" title="{0}">{1}{2}</span>').format(
                said, marks, _point(drawn, row)
            )
        )
    return cells


def _point(drawn: ForestRows, row: int) -> Markup:
    """The point of a row; where it lies beyond the scale an arrow at its end, with the number."""
    side = int(drawn.outside[row])
    if not side:
        return Markup('<span class="bs-point" style="left:{}"></span>').format(_place(drawn, float(drawn.values[row])))
    words = f"← {drawn.texts[row]}" if side < 0 else f"{drawn.texts[row]} →"
    return Markup('<span class="bs-beyond" style="{}:0">{}</span>').format("left" if side < 0 else "right", words)


def _axis(drawn: ForestRows) -> Markup:
    """The numbers beneath the scale."""
    low, high = drawn.range
    marks = [
        Markup('<span class="bs-tick" style="left:{}">{}</span>').format(_place(drawn, tick), numbers.tick(tick))
        for tick in ticks(low, high)
    ]
    return Markup('<span class="bs-axis">{}</span>').format(Markup("").join(marks))


def _place(drawn: ForestRows, value: float) -> str:
    low, high = drawn.range
    return f"{100 * (value - low) / (high - low):.2f}%"
