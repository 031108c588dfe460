"""Tests of differences as tables."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from markupsafe import Markup

from bleucore.significance import Comparison, PairComparison
from dashboard.content import numbers
from dashboard.content.identity import Identity
from dashboard.content.markup import Column, system_label, system_mark, table
from dashboard.content.significance_words import FEWEST_NEEDED

NOTHING = "–"
MOST_IN_MATRIX = 24
"""Systems: a wider matrix fits no page and no screen."""
MOST_COLOUR = 0.5
"""Of a cell, which leaves text readable on it in both themes."""


def p_cell(comparison: Comparison, compared: PairComparison) -> str | Markup:
    """A corrected p-value, marked where it is significant, with what to know about it."""
    if compared.corrected_p_value is None:
        return Markup('<abbr tabindex="0" title="{}">no test</abbr>').format(compared.remark)
    text = numbers.p_value(compared.corrected_p_value)
    return Markup("<b>{}</b>&#8202;*").format(text) if comparison.is_significant(compared) else text


def interval_cell(interval: tuple[float, float] | None) -> str:
    """The ends of an interval of scores."""
    return NOTHING if interval is None else f"{numbers.score(interval[0])} to {numbers.score(interval[1])}"


def difference_interval_cell(interval: tuple[float, float] | None) -> str:
    """The ends of an interval of differences."""
    return NOTHING if interval is None else numbers.interval(*interval)


def pairs_table(comparison: Comparison, ranked: Sequence[str], looks: Mapping[str, Identity]) -> Markup:
    """Score of the row minus score of the column over its corrected p, coloured by size and direction; best first."""
    largest = max((abs(pair.difference) for pair in comparison.pairs.values()), default=0.0) or 1.0
    columns = [Column("", is_text=True), *(Column(system_mark(looks[name])) for name in ranked)]
    rows = [
        [system_label(looks[row]), *(_pair_cell(comparison, row, column, largest) for column in ranked)]
        for row in ranked
    ]
    return table(columns, rows, caption="Every pair: score of the row minus score of the column", style="bs-pairs")


def neighbours_table(comparison: Comparison, ranked: Sequence[str], looks: Mapping[str, Identity]) -> Markup:
    """Each system compared with the next one in rank, best first: what can be read of very many pairs."""
    columns = [
        Column.of_term("system", is_text=True),
        Column("next in rank", is_text=True),
        Column.of_term("difference", "Δ of two"),
        Column.of_term("95 % interval", "interval of Δ"),
        Column.of_term("p", "p corrected"),
    ]
    rows = [
        [
            system_label(looks[one.name]),
            system_label(looks[one.other]),
            numbers.difference(one.difference),
            difference_interval_cell(one.interval),
            p_cell(comparison, one),
        ]
        for one in (comparison.pair(name, following) for name, following in pairwise(ranked))
    ]
    return table(columns, rows, caption="Neighbours in rank, best first", style="bs-narrow")


def clusters_table(comparison: Comparison, scores: Mapping[str, float], looks: Mapping[str, Identity]) -> Markup:
    """The systems in groups as in WMT's tables, with the ranks that each can have."""
    columns = [
        Column.of_term("cluster"),
        Column.of_term("ranks"),
        Column.of_term("system", is_text=True),
        Column("score"),
    ]
    rows = []
    for number, cluster in enumerate(comparison.clusters, start=1):
        for place, name in enumerate(cluster):
            low, high = comparison.rank_range(name)
            rows.append(
                [
                    str(number) if place == 0 else "",
                    str(low) if low == high else f"{low}–{high}",
                    system_label(looks[name]),
                    numbers.metric_score(scores[name]),
                ]
            )
    starts = [sum(len(cluster) for cluster in comparison.clusters[:index]) for index in range(len(comparison.clusters))]
    return table(columns, rows, caption="Clusters, best first", parted=starts[1:], style="bs-narrow")


def selection_table(comparison: Comparison, baseline: str, looks: Mapping[str, Identity]) -> Markup:
    """Every system on a selection of segments, with the test of its difference from the baseline; best first."""
    columns = [
        Column.of_term("system", is_text=True),
        Column.of_term("BLEU ↑", "BLEU"),
        Column.of_term("95 % interval", "score interval"),
        Column.of_term("Δ"),
        Column.of_term("95 % interval of Δ", "interval of Δ"),
        Column.of_term("p", "p of Δ"),
    ]
    against = comparison.against(baseline)
    scores = dict(zip(comparison.names, comparison.drawn.scores.tolist(), strict=True))
    rows = []
    for name in sorted(scores, key=lambda one: -scores[one]):
        test = against.get(name)
        rows.append(
            [
                system_label(looks[name]),
                numbers.score(scores[name]),
                interval_cell(comparison.intervals[name]),
                "baseline" if test is None else numbers.difference(test.difference),
                NOTHING if test is None else difference_interval_cell(test.interval),
                NOTHING if test is None else p_cell(comparison, test),
            ]
        )
    return table(columns, rows, caption="Systems on the segments found, best first")


def power_table(comparison: Comparison, compared: Sequence[PairComparison], looks: Mapping[str, Identity]) -> Markup:
    """What the test set is able to show about some pairs."""
    columns = [
        Column.of_term("system", is_text=True),
        Column("compared with", is_text=True),
        Column.of_term("difference", "Δ of two"),
        Column.of_term("95 % interval", "interval of Δ"),
        Column.of_term("p", "p corrected"),
        Column.of_term("detectable"),
        Column.of_term(f"{comparison.options.unit}s needed", "needed"),
    ]
    rows = [
        [
            system_label(looks[one.name]),
            system_label(looks[one.other]),
            numbers.difference(one.difference),
            difference_interval_cell(one.interval),
            p_cell(comparison, one),
            NOTHING if one.smallest_detectable is None else numbers.score(one.smallest_detectable),
            _needed(one.n_needed),
        ]
        for one in compared
    ]
    return table(columns, rows, caption="What this test set is able to detect")


def _needed(n_needed: int | None) -> str:
    """How many units it takes; the normal approximation says nothing exact about very few."""
    if n_needed is None:
        return NOTHING
    return f"< {FEWEST_NEEDED}" if n_needed < FEWEST_NEEDED else numbers.count(n_needed)


def _pair_cell(comparison: Comparison, row: str, column: str, largest: float) -> Markup:
    if row == column:
        return Markup("")
    compared = comparison.pair(row, column)
    side = "bs-ahead" if compared.difference > 0 else "bs-behind"
    return Markup('<div class="{}" style="--strength:{:.0%}"><b>{}</b><small>{}</small></div>').format(
        side,
        MOST_COLOUR * abs(compared.difference) / largest,
        numbers.difference(compared.difference),
        _p_line(comparison, compared),
    )


def _p_line(comparison: Comparison, compared: PairComparison) -> Markup:
    if compared.corrected_p_value is None:
        return Markup("no test")
    star = Markup("&#8202;*") if comparison.is_significant(compared) else ""
    return Markup("p {}{}").format(numbers.p_value(compared.corrected_p_value), star)
