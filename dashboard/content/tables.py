"""Results as tables: HTML for what is read, frames for what is scrolled and clicked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from markupsafe import Markup

from bleucore import Evaluation, TestSet
from bleucore.bleu import individual_and_cumulative
from bleucore.evaluation import MetricEvaluation
from bleucore.segment_scores import SegmentScores, has_scores
from bleucore.significance import BlockSummary, PairedTTest
from dashboard.content import numbers
from dashboard.content.comparison import SCORE_DECIMALS, segment_differences
from dashboard.content.identity import Identity
from dashboard.content.markup import Column, system_label, table
from dashboard.content.terms import metric_term

SNIPPET_LENGTH = 120
NOTHING = "–"


def systems_table(evaluation: Evaluation, baseline: str, looks: Mapping[str, Identity]) -> Markup:
    """Every system with its score and what the score is made of, best first."""
    orders = [str(order) for order in range(1, evaluation.options.max_order + 1)]
    _, *others = evaluation.metrics.values()
    columns = [
        Column.of_term("system", is_text=True),
        Column.of_term("BLEU ↑", "BLEU"),
        Column.of_term("Δ"),
        *(Column.of_term(f"p{order}", order) for order in orders),
        Column.of_term("BP"),
        Column.of_term("hyp. length", "hypothesis"),
        Column.of_term("ref. length", "reference"),
        Column.of_term("ratio"),
        *(Column(f"{metric.name} {arrow(metric)}", metric_term(metric.name)) for metric in others),
    ]
    base = evaluation.systems[baseline].score.score
    rows = []
    for name in evaluation.ranked():
        result = evaluation.systems[name].score
        rows.append(
            [
                system_label(looks[name]),
                numbers.score(result.score),
                "baseline" if name == baseline else numbers.difference(result.score - base),
                *(numbers.precision(value) for value in result.precisions),
                numbers.ratio(result.brevity_penalty),
                numbers.count(result.hypothesis_length),
                numbers.count(result.reference_length),
                numbers.ratio(result.length_ratio),
                *(_metric_cell(metric, name) for metric in others),
            ]
        )
    return table(columns, rows, caption="Systems, best first", emphasised=[0])


def _metric_cell(metric: MetricEvaluation, name: str) -> str:
    """A system's score, or that a file of scores says nothing about it."""
    result = metric.systems[name]
    if isinstance(metric.options, SegmentScores) and not has_scores(result.counts.sum(axis=0)):
        return NOTHING
    return numbers.metric_score(result.score)


def arrow(metric: MetricEvaluation) -> str:
    """Which way a metric points."""
    return "↑" if metric.higher_is_better else "↓"


def orders_table(evaluation: Evaluation, looks: Mapping[str, Identity]) -> Markup:
    """Individual precisions and cumulative scores per n-gram order, as mteval prints them."""
    orders = range(1, evaluation.options.max_order + 1)
    columns = [
        Column.of_term("system", is_text=True),
        *(Column.of_term(f"{order}-gram", "individual") for order in orders),
        *(Column.of_term(f"BLEU-{order}", "cumulative") for order in orders),
    ]
    rows = []
    for name in evaluation.ranked():
        individual, cumulative = individual_and_cumulative(
            evaluation.systems[name].counts.sum(axis=0), evaluation.options
        )
        rows.append(
            [
                system_label(looks[name]),
                *(numbers.precision(value) for value in individual),
                *(numbers.score(value) for value in cumulative),
            ]
        )
    return table(columns, rows, caption="Individual precisions and cumulative scores by n-gram order")


def texts_table(test_set: TestSet, n_rows: int) -> Markup:
    """The first segments, every text of a segment in one row."""
    columns = [Column("#")]
    columns += [Column("document", is_text=True)] if test_set.documents is not None else []
    columns += [Column("source", is_text=True)] if test_set.source is not None else []
    columns += [Column(name, is_text=True) for name in test_set.reference_names or ()]
    columns += [Column(system.name, is_text=True) for system in test_set.systems]
    rows = []
    for index in range(min(n_rows, test_set.n_segments)):
        document = [test_set.documents[index]] if test_set.documents is not None else []
        texts: list[str | None] = []
        texts += [test_set.source[index]] if test_set.source is not None else []
        texts += [column[index] for column in test_set.references]
        texts += [system.hypotheses[index] for system in test_set.systems]
        rows.append([numbers.count(index + 1), *document, *(_text_cell(text) for text in texts)])
    return table(columns, rows, caption="The first segments", style="bs-texts")


@dataclass(frozen=True)
class BlockRow:
    """One system over blocks: its summary and its tests, ``None`` where there is nothing to compare with."""

    summary: BlockSummary
    against_left: PairedTTest | None
    against_baseline: PairedTTest | None


def blocks_table(rows: Sequence[BlockRow], looks: Mapping[str, Identity]) -> Markup:
    """Table 2 of Papineni et al. 2002, worst system first, with the tests against left neighbour and baseline."""
    columns = [
        Column.of_term("system", is_text=True),
        Column.of_term("mean"),
        Column.of_term("variance"),
        Column.of_term("sd"),
        Column.of_term("t (left)", "t"),
        Column.of_term("p (left)", "p"),
        Column.of_term("95 % interval (left)", "interval"),
        Column.of_term("t (baseline)", "t"),
        Column.of_term("p (baseline)", "p"),
        Column.of_term("95 % interval (baseline)", "interval"),
    ]
    cells = [
        [
            system_label(looks[row.summary.name]),
            numbers.score(row.summary.mean),
            NOTHING if row.summary.variance is None else numbers.score(row.summary.variance),
            NOTHING if row.summary.standard_deviation is None else numbers.score(row.summary.standard_deviation),
            *_test_cells(row.against_left),
            *_test_cells(row.against_baseline),
        ]
        for row in rows
    ]
    return table(columns, cells, caption="Block scores and paired t-tests, lowest corpus score first")


@dataclass(frozen=True)
class SegmentQuery:
    """Which segments to list, and in which order.

    Attributes:
        text: Only segments that hold this text in any column, whatever the case.
        document: Only segments of this document.
        delta_range: Only segments whose Δ lies in this range, ends included.
        order: A key of ``SEGMENT_ORDERS``.
    """

    text: str = ""
    document: str | None = None
    delta_range: tuple[float, float] | None = None
    order: str = "as given"


SEGMENT_ORDERS = (
    "as given",
    "Δ: B ahead first",
    "Δ: A ahead first",
    "Δ: largest first",
    "BLEU A: lowest first",
    "BLEU A: highest first",
    "BLEU B: lowest first",
    "BLEU B: highest first",
    "tokens A: most first",
    "tokens A: fewest first",
    "tokens B: most first",
    "tokens B: fewest first",
)
ORDERS_OF_COLUMN = {
    "Δ": ("Δ: B ahead first", "Δ: A ahead first"),
    "BLEU A": ("BLEU A: lowest first", "BLEU A: highest first"),
    "BLEU B": ("BLEU B: lowest first", "BLEU B: highest first"),
    "tokens A": ("tokens A: most first", "tokens A: fewest first"),
    "tokens B": ("tokens B: most first", "tokens B: fewest first"),
}
"""What a click on a heading orders by, and a second click."""


def order_after_click(column: str, order: str) -> str:
    """The order after a click on a column's heading: its first one, or the other one if that is in force."""
    first, second = ORDERS_OF_COLUMN.get(column, (SEGMENT_ORDERS[0], SEGMENT_ORDERS[0]))
    return second if order == first else first


def find_segments(test_set: TestSet, evaluation: Evaluation, pair: tuple[str, str], query: SegmentQuery) -> np.ndarray:
    """The segments (counted from 0) that a query names, in its order; equal ones keep the test set's order."""
    first, second = (np.round(evaluation.systems[name].segment_scores, SCORE_DECIMALS) for name in pair)
    delta = segment_differences(evaluation, pair)
    keep = np.ones(len(delta), bool)
    if query.text.strip():
        keep &= _holds_text(test_set, query.text.strip())
    if query.document is not None and test_set.documents is not None:
        keep &= np.array([document == query.document for document in test_set.documents])
    if query.delta_range is not None:
        keep &= (delta >= query.delta_range[0]) & (delta <= query.delta_range[1])
    first_length, second_length = (evaluation.systems[name].counts[:, 0] for name in pair)
    keys = {
        "as given": np.zeros(len(delta)),
        "Δ: B ahead first": -delta,
        "Δ: A ahead first": delta,
        "Δ: largest first": -np.abs(delta),
        "BLEU A: lowest first": first,
        "BLEU A: highest first": -first,
        "BLEU B: lowest first": second,
        "BLEU B: highest first": -second,
        "tokens A: most first": -first_length,
        "tokens A: fewest first": first_length,
        "tokens B: most first": -second_length,
        "tokens B: fewest first": second_length,
    }
    rows = np.flatnonzero(keep)
    return rows[np.argsort(keys[query.order][rows], kind="stable")]


def segments_frame(test_set: TestSet, evaluation: Evaluation, pair: tuple[str, str], rows: np.ndarray) -> pd.DataFrame:
    """Some segments with the scores of two systems and the beginning of a text."""
    first, second = (evaluation.systems[name] for name in pair)
    shown = test_set.source or test_set.system(pair[0]).hypotheses
    frame = {
        "segment": rows + 1,
        "document": None if test_set.documents is None else [test_set.documents[row] for row in rows],
        "BLEU A": first.segment_scores[rows],
        "BLEU B": second.segment_scores[rows],
        "Δ": [numbers.difference(value) for value in second.segment_scores[rows] - first.segment_scores[rows]],
        "tokens A": first.counts[rows, 0],
        "tokens B": second.counts[rows, 0],
        "text": [snippet(shown[row]) for row in rows],
    }
    return pd.DataFrame({name: column for name, column in frame.items() if column is not None})


def snippet(text: str, length: int = SNIPPET_LENGTH) -> str:
    """The beginning of a text on one line."""
    line = " ".join(text[: 4 * length].split())
    return line if len(line) <= length else line[: length - 1].rstrip() + "…"


def _holds_text(test_set: TestSet, text: str) -> np.ndarray:
    wanted = text.casefold()
    columns: list[Sequence[str | None]] = [system.hypotheses for system in test_set.systems]
    columns += list(test_set.references)
    columns += [test_set.source] if test_set.source is not None else []
    found = np.zeros(test_set.n_segments, bool)
    for column in columns:
        found |= np.fromiter((text is not None and wanted in text.casefold() for text in column), bool, len(found))
    return found


def _text_cell(text: str | None) -> Markup:
    if text is None:
        return Markup('<span class="bs-none">none</span>')
    if not text:
        return Markup('<span class="bs-none">empty</span>')
    return Markup('<span dir="auto">{}</span>').format(snippet(text, 160))


def _test_cells(test: PairedTTest | None) -> list[str | Markup]:
    if test is None:
        return [NOTHING] * 3
    if test.statistic is None or test.p_value is None or test.interval is None:
        return [Markup('<abbr tabindex="0" title="{}">no t</abbr>').format(test.reason), NOTHING, NOTHING]
    return [numbers.statistic(test.statistic), numbers.p_value(test.p_value), numbers.interval(*test.interval)]


def test_set_facts(test_set: TestSet) -> list[tuple[str, str]]:
    """What a test set holds, as value and name."""
    n_references = len(test_set.references)
    facts = [
        (numbers.count(test_set.n_segments), "segments"),
        (numbers.count(len(test_set.systems)), "systems" if len(test_set.systems) > 1 else "system"),
        (numbers.count(n_references), "references" if n_references > 1 else "reference"),
        ("yes" if test_set.source is not None else "no", "source"),
    ]
    if test_set.documents is not None:
        facts.append((numbers.count(len(set(test_set.documents))), "documents"))
    lacking = sum(text is None for column in test_set.references for text in column)
    if lacking:
        facts.append((numbers.count(lacking), "references missing in some segments"))
    empty = sum(not text.strip() for system in test_set.systems for text in system.hypotheses)
    if empty:
        facts.append((numbers.count(empty), "empty hypotheses"))
    return facts
