"""Segments as sheets."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from bleucore import Evaluation, MetricEvaluation, TestSet
from bleucore.analysis.slices import LABEL
from bleucore.counts import Floats, Ints
from bleucore.metrics.bleu import reference_lengths
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.comparison.differences import segment_differences
from bleuscope.content.segments.feature_numbers import feature_numbers
from bleuscope.content.segments.kind_points import KindPoints
from bleuscope.content.sheets.builders import (
    BREVITY_PENALTY,
    HYPOTHESIS_LENGTH,
    REFERENCE_LENGTH,
    SYSTEM,
    FilledField,
    context,
    facts_of,
    pair_columns,
    score_column,
    sheet_of,
)
from bleuscope.content.sheets.sheet import Field, Note, Sheet
from bleuscope.content.style.identity import letters_of
from bleuscope.content.style.terms import term
from bleuscope.content.style.unique_names import unique_name

SEGMENT_SCORES = "BLEU of a segment is its own score, always with effective order."


TOO_SHORT = Note("–", "The hypothesis is too short to have one.")


def segments_sheet(
    compared: ComparisonContext,
    rows: Ints,
    parts: Floats | None,
    metric: MetricEvaluation | None = None,
    *,
    chosen: str = "",
    of_kind: KindPoints | None = None,
) -> Sheet:
    """Segments with part, scores, difference, lengths and all texts of systems A and B.

    Args:
        compared: The systems.
        rows: The segments (counted from 0), in the order wanted.
        parts: (S,), the part of every segment of the test set in the difference, or ``None``.
        metric: Of the scores, BLEU unless given.
        chosen: Which segments these are, as a sentence.
        of_kind: What they lose to the kind of error that they were chosen by.
    """
    test_set, evaluation = compared.test_set, compared.evaluation
    metric = metric or evaluation.bleu
    key, kind = score_column(metric)
    columns = _segment_columns(test_set, rows)
    if parts is not None:
        columns.append((Field("part", "contribution to Δ", "part"), parts[rows]))
    of_pair = {name: metric.known_segment_scores(name)[rows] for name in compared.sides}
    columns += pair_columns(compared.sides, key, metric.name, kind, of_pair)
    if compared.compares:
        delta = segment_differences(evaluation, compared.pair, metric)[rows]
        columns.append((Field("difference", f"Δ {metric.name}", "difference"), delta))
    of_pair = {name: evaluation.bleu.systems[name].counts[rows, 0] for name in compared.sides}
    columns += pair_columns(compared.sides, "tokens", "tokens", "count", of_pair)
    known = feature_numbers(compared)
    for one in known:
        columns += [
            (Field(name, one.headings[name], "count", explanation=one.meaning), values[rows])
            for name, values in one.numbers.items()
        ]
    columns += [] if of_kind is None else _kind_columns(of_kind, compared.sides, rows)
    columns += _text_columns(test_set, compared.sides, rows)
    return sheet_of(
        "segments",
        (
            chosen,
            "The part is what a segment adds to the difference of the corpus scores, B minus A."
            if parts is not None
            else "",
            SEGMENT_SCORES if metric is evaluation.bleu else "",
            *(one.meaning for one in known),
            *context(compared.sides, evaluation, metric),
        ),
        columns,
        facts_of(compared.sides, evaluation, metric),
    )


def differing_segments_sheet(
    compared: ComparisonContext, values: Floats, parts: Floats | None, metric: MetricEvaluation | None = None
) -> Sheet:
    """All segments, those first that differ most, whichever way: the data of the sorted chart.

    Args:
        compared: The systems.
        values: (S,), by what they are ordered: parts or differences.
        parts: As for ``segments_sheet``.
        metric: As for that.
    """
    rows = np.argsort(-np.abs(values), kind="stable")
    return segments_sheet(compared, rows, parts, metric, chosen="All segments, those that differ most first.")


def segment_scores_sheet(test_set: TestSet, evaluation: Evaluation) -> Sheet:
    """The score of every segment: a row each, a column for each metric and system, "BLEU: online-A".

    A score that a file does not have is missing.
    """
    columns = _segment_columns(test_set, np.arange(test_set.n_segments))
    taken = {column.key for column, _ in columns}
    for metric in evaluation.metrics.values():
        for name in metric.systems:
            key = unique_name(f"{metric.name}: {name}", taken)
            columns.append((Field(key, key, "metric score"), metric.known_segment_scores(name)))
    return sheet_of(
        "segment-scores",
        (
            "Scores of every segment, a column for each metric and system.",
            SEGMENT_SCORES,
            *(
                f"{metric.name}, {'higher' if metric.higher_is_better else 'lower'} is better: "
                f"{metric.segment_signature}."
                for metric in evaluation.metrics.values()
            ),
            *evaluation.remarks,
        ),
        columns,
        {"digest": evaluation.digest, "signature": evaluation.bleu.segment_signature}
        | {key: value for metric in evaluation.metrics.values() for key, value in _settings(metric)},
    )


def one_segment_sheet(compared: ComparisonContext, segment: int, names: Sequence[str]) -> Sheet:
    """The scores of one segment and the counts behind them, a row for each system.

    Args:
        compared: The systems.
        segment: Counted from 0.
        names: Of the systems to tell about, in order.
    """
    evaluation, max_order = compared.evaluation, compared.evaluation.options.max_order
    parts = [evaluation.segment_parts(name, segment) for name in names]
    counts = np.array([evaluation.systems[name].counts[segment] for name in names])
    matches, totals = counts[:, 2 : 2 + max_order], counts[:, 2 + max_order :]
    precisions = np.where(totals > 0, np.array([part.precisions for part in parts]), np.nan)
    lengths = np.rint(reference_lengths(counts, evaluation.options)).astype(np.int64)
    columns: list[FilledField] = [
        (SYSTEM, list(names)),
        (
            Field("bleu", "BLEU", "score", best="highest", explanation=term("BLEU")),
            np.array([float(part.scores) for part in parts]),
        ),
    ]
    for order in range(max_order):
        number = str(order + 1)
        of_order = Field(
            f"precision_{number}",
            f"p{number}",
            "precision",
            explanation=term(number),
            fraction=(f"matches_{number}", f"ngrams_{number}"),
            notes=dict.fromkeys(np.flatnonzero(totals[:, order] == 0).tolist(), TOO_SHORT),
        )
        columns += [
            (of_order, precisions[:, order]),
            (Field(f"matches_{number}", f"matches {number}", "count", for_machines=True), matches[:, order]),
            (Field(f"ngrams_{number}", f"n-grams {number}", "count", for_machines=True), totals[:, order]),
        ]
    columns += [
        (BREVITY_PENALTY, np.array([float(part.brevity_penalties) for part in parts])),
        (HYPOTHESIS_LENGTH, counts[:, 0]),
        (REFERENCE_LENGTH, lengths),
    ]
    taken = {column.key for column, _ in columns}
    for metric in evaluation.further_metrics:
        values = np.array([metric.known_segment_scores(name)[segment] for name in names])
        best: Any = "highest" if metric.higher_is_better else "lowest"
        key = unique_name(metric.name, taken)
        columns.append((Field(key, metric.name, "metric score", best=best, off_pages=True), values))
    return sheet_of(
        "segment",
        (
            f"Scores of segment {segment + 1}: BLEU, the precision of each order with its matches and the n-grams of "
            "the hypothesis, brevity penalty and lengths.",
            SEGMENT_SCORES,
            f"Signature: {evaluation.signature}.",
        ),
        columns,
        {"digest": evaluation.digest, "signature": evaluation.signature, "segment": segment + 1},
        title="Scores of this segment",
    )


def example_sheet(compared: ComparisonContext, segment: int, names: Sequence[str]) -> Sheet:
    """A segment to show in a paper: source, references and outputs, a row each, with the scores of the outputs.

    Args:
        compared: The systems.
        segment: Counted from 0.
        names: Of the systems to show, in order.
    """
    test_set, metric, letters = compared.test_set, compared.metric, letters_of(compared.sides)
    context_texts = [] if test_set.source is None else [("source", test_set.source[segment])]
    named = zip(test_set.reference_names or (), test_set.references, strict=True)
    context_texts += [(name, text) for name, column in named if (text := column[segment]) is not None]
    outputs = [
        (f"{letters[name]}: {name}" if name in letters else name, test_set.system(name).hypotheses[segment])
        for name in names
    ]
    scores = [float(metric.known_segment_scores(name)[segment]) for name in names]
    key, kind = score_column(metric)
    return sheet_of(
        f"example-{segment + 1}",
        (
            f"Segment {segment + 1} of {compared.title}.",
            SEGMENT_SCORES if metric is compared.evaluation.bleu else "",
            *context(compared.sides, compared.evaluation, metric),
        ),
        [
            (Field("who", "", "text"), [who for who, _ in context_texts + outputs]),
            (Field("text", "text", "text"), [text for _, text in context_texts + outputs]),
            (Field(key, metric.name, kind), np.array([np.nan] * len(context_texts) + scores)),
        ],
        facts_of(compared.sides, compared.evaluation, metric) | {"segment": segment + 1},
        title="Example",
    )


def _segment_columns(test_set: TestSet, rows: Ints) -> list[FilledField]:
    """Which segments: number, document, labels."""
    columns: list[FilledField] = [(Field("segment", "segment", "count"), rows + 1)]
    if test_set.documents is not None:
        columns.append((Field("document", "document", "text"), _picked(test_set.documents, rows)))
    for name, label in test_set.labels.items():
        columns.append((Field(LABEL + name, LABEL + name, "text"), _picked(label, rows)))
    return columns


def _kind_columns(of_kind: KindPoints, sides: tuple[str, ...], rows: Ints) -> list[FilledField]:
    """The points that each side lost to a kind, and what B gains by it."""
    points = {name: lost[rows] for name, lost in zip(sides, of_kind.lost, strict=True)}
    columns = [
        (replace(field, explanation=of_kind.meaning), values)
        for field, values in pair_columns(sides, "kind", f"lost to {of_kind.called}", "part", points)
    ]
    if of_kind.compares:
        heading = f"Δ, {of_kind.called}"
        columns.append((Field("kind_gain", heading, "part", explanation=of_kind.meaning), of_kind.gains[rows]))
    return columns


def _text_columns(test_set: TestSet, sides: tuple[str, ...], rows: Ints) -> list[FilledField]:
    """Source, references and hypotheses."""
    columns: list[FilledField] = []
    if test_set.source is not None:
        columns.append((Field("source", "source", "text"), _picked(test_set.source, rows)))
    for number, (name, texts) in enumerate(
        zip(test_set.reference_names or (), test_set.references, strict=True), start=1
    ):
        columns.append((Field(f"reference_{number}", name, "text"), _picked(texts, rows)))
    for name, side in letters_of(sides).items() or [(sides[0], "")]:
        key, heading = (f"hypothesis_{side.lower()}", f"hypothesis {side}") if side else ("hypothesis", "hypothesis")
        columns.append((Field(key, heading, "text"), _picked(test_set.system(name).hypotheses, rows)))
    return columns


def _picked(texts: Sequence[str | None], rows: Ints) -> list[str | None]:
    return [texts[row] for row in rows.tolist()]


def _settings(metric: MetricEvaluation) -> list[tuple[str, str | int | float]]:
    """The signature, the direction and each option of a metric's segment scores, by names that begin with its own."""
    found: list[tuple[str, str | int | float]] = [
        (f"{metric.name}.signature", metric.segment_signature),
        (f"{metric.name}.higher_is_better", metric.higher_is_better),
    ]
    for name, value in metric.metric.settings(metric.metric.segment_options(metric.options)).items():
        if value is not None:
            found.append((f"{metric.name}.{name}", ",".join(map(str, value)) if isinstance(value, tuple) else value))
    return found
