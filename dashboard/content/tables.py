"""Results as tables: HTML for what is read, frames for what is scrolled and clicked."""

from collections.abc import Mapping

import numpy as np
import pyarrow as pa
from markupsafe import Markup

from bleucore import Evaluation, TestSet
from bleucore.bleu import individual_and_cumulative
from bleucore.counts import Floats
from bleucore.evaluation import MetricEvaluation
from bleucore.significance import Comparison
from dashboard.content import numbers
from dashboard.content.identity import Identity
from dashboard.content.markup import Column, notes, system_label, table
from dashboard.content.significance_tables import interval_cell, p_cell
from dashboard.content.terms import metric_term

SNIPPET_LENGTH = 120
NOTHING, WAITING = "–", "…"


def systems_table(
    evaluation: Evaluation, comparison: Comparison | None, baseline: str, looks: Mapping[str, Identity]
) -> Markup:
    """Every system with its score, the test of its difference, and what the score is made of; best first.

    Beneath it stands what the signatures of the metrics do not say. Without a comparison yet, the places of what it
    says are kept.
    """
    orders = [str(order) for order in range(1, evaluation.options.max_order + 1)]
    others = evaluation.further_metrics
    columns = [
        Column.of_term("system", is_text=True),
        Column.of_term("BLEU ↑", "BLEU"),
        Column.of_term("95 % interval", "score interval"),
        Column.of_term("Δ"),
        Column.of_term("p", "p of Δ"),
        Column.of_term("cluster"),
        *(Column.of_term(f"p{order}", order) for order in orders),
        Column.of_term("BP"),
        Column.of_term("hyp. length", "hypothesis"),
        Column.of_term("ref. length", "reference"),
        Column.of_term("ratio"),
        *(Column(f"{metric.name} {arrow(metric)}", metric_term(metric.name)) for metric in others),
    ]
    tests = _test_cells(evaluation, comparison, baseline)
    rows = []
    for name in evaluation.ranked():
        result = evaluation.systems[name].score
        rows.append(
            [
                system_label(looks[name]),
                numbers.score(result.score),
                *tests[name],
                *(numbers.precision(value) for value in result.precisions),
                numbers.ratio(result.brevity_penalty),
                numbers.count(result.hypothesis_length),
                numbers.count(result.reference_length),
                numbers.ratio(result.length_ratio),
                *(_metric_cell(metric, name) for metric in others),
            ]
        )
    return table(columns, rows, caption="Systems, best first", emphasised=[0]) + notes(evaluation.remarks)


def _test_cells(evaluation: Evaluation, comparison: Comparison | None, baseline: str) -> dict[str, list[str | Markup]]:
    """Interval, difference from the baseline, its p, and cluster of each system."""
    if comparison is None:
        return {name: [WAITING, _difference(evaluation, name, baseline), WAITING, WAITING] for name in evaluation.names}
    against = comparison.against(baseline)
    cluster = {name: str(number) for number, names in enumerate(comparison.clusters, start=1) for name in names}
    return {
        name: [
            interval_cell(comparison.intervals[name]),
            _difference(evaluation, name, baseline),
            NOTHING if name == baseline else p_cell(comparison, against[name]),
            cluster[name],
        ]
        for name in evaluation.names
    }


def _difference(evaluation: Evaluation, name: str, baseline: str) -> str:
    if name == baseline:
        return "baseline"
    return numbers.difference(evaluation.systems[name].score.score - evaluation.systems[baseline].score.score)


def _metric_cell(metric: MetricEvaluation, name: str) -> str:
    """A system's score, or that a file of scores says nothing about it."""
    return numbers.metric_score(metric.systems[name].score) if metric.has_score(name) else NOTHING


def scores_every_system(metric: MetricEvaluation) -> bool:
    """Whether there is a score of every system; a file of scores may say nothing about one."""
    return all(map(metric.has_score, metric.systems))


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
        individual, cumulative = individual_and_cumulative(evaluation.bleu.systems[name].sums, evaluation.options)
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


def segments_table(
    test_set: TestSet, evaluation: Evaluation, pair: tuple[str, str], rows: np.ndarray, parts: Floats | None = None
) -> pa.Table:
    """Some segments with the scores of two systems, their parts if there are any, and the beginning of a text.

    Of a pair that is twice the same system, nothing is there twice. Arrow, because that is what is sent: of a data
    frame it would be made again at every click.
    """
    first, second = (evaluation.systems[name] for name in pair)
    shown = test_set.source or test_set.system(pair[0]).hypotheses
    frame = {
        "segment": rows + 1,
        "document": None if test_set.documents is None else [test_set.documents[row] for row in rows],
        "part": None if parts is None else [numbers.part(value) for value in parts[rows]],
        "BLEU A": first.segment_scores[rows],
        "BLEU B": second.segment_scores[rows],
        "Δ": [numbers.difference(value) for value in second.segment_scores[rows] - first.segment_scores[rows]],
        "tokens A": first.counts[rows, 0],
        "tokens B": second.counts[rows, 0],
        "text": [snippet(shown[row]) for row in rows],
    }
    if pair[0] == pair[1]:
        renamed = {"BLEU A": "BLEU", "tokens A": "tokens", "BLEU B": None, "tokens B": None, "Δ": None}
        frame = {new: column for name, column in frame.items() if (new := renamed.get(name, name)) is not None}
    return pa.table({name: column for name, column in frame.items() if column is not None})


def snippet(text: str, length: int = SNIPPET_LENGTH) -> str:
    """The beginning of a text on one line."""
    line = " ".join(text[: 4 * length].split())
    return line if len(line) <= length else line[: length - 1].rstrip() + "…"


def _text_cell(text: str | None) -> Markup:
    if text is None:
        return Markup('<span class="bs-none">none</span>')
    if not text:
        return Markup('<span class="bs-none">empty</span>')
    return Markup('<span dir="auto">{}</span>').format(snippet(text, 160))


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
