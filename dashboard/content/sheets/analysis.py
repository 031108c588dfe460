"""Sheets of error analysis: where a difference comes from, its documents, segments, n-grams and slices."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from bleucore import Evaluation, InputError, MetricEvaluation, TestSet
from bleucore.attribution import Attribution
from bleucore.bleu import reference_lengths
from bleucore.counts import Floats, Ints
from bleucore.significance import blocks_of_documents
from bleucore.slices import LABEL, SliceComparison
from dashboard.content import attribution_words, ngram_words, slice_words
from dashboard.content.comparison import SCORE_DECIMALS, DifferenceBins, segment_differences
from dashboard.content.identity import letters_of
from dashboard.content.ngram_tables import MAX_LISTED, VIEWS, WORTH, NgramChoice, NgramList, written
from dashboard.content.sheets.blocks import interval_of, kinds_of
from dashboard.content.sheets.columns import (
    BREVITY_PENALTY,
    HYPOTHESIS_LENGTH,
    REFERENCE_LENGTH,
    SYSTEM,
    Column,
    columns_of,
    context,
    ends_of,
    facts_of,
    numbers_of,
    pair_columns,
    score_column,
    sheet_of,
)
from dashboard.content.sheets.sheet import Ends, Field, Note, Sheet
from dashboard.content.significance_words import TOO_SMALL
from dashboard.content.slice_tables import SliceSummary, slice_name
from dashboard.content.study import Study
from dashboard.content.terms import term
from dashboard.content.unique_names import unique_name

SMALL_SLICE = Field("small", "small", "yes or no", explanation=slice_words.SMALL_HELP, on_pages=" ")
PARTS_ADD_UP = (
    "The parts add up to the difference: they are {}'s gradient, integrated along the line between the two systems' "
    "counts (Aumann and Shapley 1974)."
)
SEGMENT_SCORES = "BLEU of a segment is its own score, always with effective order."
TOO_SHORT = Note("–", "The hypothesis is too short to have one.")
NGRAM_COUNTS = {"won and lost": "more_matches", "over-generated": "too_often", "missed": "missed"}
NGRAM_WORDS = {
    "more_matches": "matches that {} has more, over the segments where it has more",
    "too_often": "how often {} has the n-gram too often",
    "missed": "how often {} misses the n-gram of a reference",
}


def part_field(metric: str) -> Field:
    """Parts in a difference of the metric."""
    return Field("part", "part in Δ", "part", on_pages=f"part in Δ {metric} (B − A)")


def difference_field(metric: str) -> Field:
    """Differences of scores of the metric."""
    return Field("difference", f"Δ {metric}", "difference", on_pages=f"Δ {metric} (B − A)")


def attribution_sheet(attribution: Attribution, evaluation: Evaluation) -> Sheet:
    """What each ingredient of the metric adds to the difference, and all together: the data of the waterfall."""
    parts, metric = attribution_words.ingredients(attribution), evaluation.metrics[attribution.metric_name]
    key, kind = score_column(metric)
    values = np.array([part for _, part in parts])
    columns: list[Column] = [
        (Field("ingredient", "ingredient", "text"), [*(name for name, _ in parts), "total"]),
        (part_field(metric.name), [*values, attribution.difference]),
        (
            Field(f"{key}_so_far", f"{metric.name} so far", kind),
            [*(attribution.scores[0] + np.cumsum(values)), attribution.scores[1]],
        ),
    ]
    return sheet_of(
        "attribution",
        (
            f"What each ingredient adds to the difference in corpus {metric.name}, B minus A, and the score from A's "
            "to B's.",
            PARTS_ADD_UP.format(metric.name),
            attribution.reason or "",
            attribution.jump_reason or "",
            *context(attribution.names, evaluation, metric),
        ),
        columns,
        facts_of(attribution.names, evaluation, metric)
        | {"score_a": attribution.scores[0], "score_b": attribution.scores[1]},
        title="What each ingredient adds",
        emphasised=(len(parts),),
    )


def concentration_sheet(attribution: Attribution, evaluation: Evaluation) -> Sheet:
    """The parts of the segments added up, from the one that adds most to the difference."""
    found, metric = attribution.concentration, evaluation.metrics[attribution.metric_name]
    columns: list[Column] = [
        (Field("place", "place", "count", on_pages="first segments"), np.arange(1, len(found.segments) + 1)),
        (Field("segment", "segment", "count"), found.segments + 1),
        (part_field(metric.name), attribution.segments[found.segments]),
        (Field("cumulative", "Δ so far", "part", on_pages=f"Δ {metric.name}, added up"), found.cumulative),
    ]
    needed = "" if found.n_needed is None else f"The first {found.n_needed} make the whole difference."
    return sheet_of(
        "concentration",
        (
            f"What each segment adds to the difference in corpus {metric.name}, B minus A: those that add most first, "
            "and added up.",
            needed,
            PARTS_ADD_UP.format(metric.name),
            *context(attribution.names, evaluation, metric),
        ),
        columns,
        facts_of(attribution.names, evaluation, metric)
        | ({} if found.n_needed is None else {"n_needed": found.n_needed}),
    )


def documents_sheet(compared: Study, attribution: Attribution | None, metric: MetricEvaluation | None = None) -> Sheet:
    """Every document with its scores, their difference, and what it adds to the difference of the corpus scores.

    Args:
        compared: The systems.
        attribution: Of A and B; no parts without it, or where it divides nothing.
        metric: Of the scores, BLEU unless given.

    Raises:
        InputError: The test set has no documents.
    """
    if compared.test_set.documents is None:
        raise InputError(
            "the test set has no documents",
            where="Sheet documents",
            remedy="Give the document of each segment: XML files bring them along, or a file with one name a line.",
        )
    layout = blocks_of_documents(compared.test_set.documents)
    names, metric = layout.documents or (), metric or compared.evaluation.bleu
    scores = {name: metric.group_scores(name, layout.groups, len(names)) for name in compared.sides}
    key, kind = score_column(metric)
    columns: list[Column] = [
        (Field("document", "document", "text"), list(names)),
        (Field("segments", "segments", "count"), np.bincount(layout.groups, minlength=len(names))),
        *pair_columns(compared.sides, key, metric.name, kind, scores),
    ]
    if compared.compares:
        first, second = (scores[name] for name in compared.sides)
        columns.append((difference_field(metric.name), np.round(second - first, SCORE_DECIMALS)))
    if attribution is not None and attribution.reason is None:
        columns.append((part_field(metric.name), attribution.groups(layout.groups, len(names))))
    return sheet_of(
        "documents",
        (
            f"{metric.name} of each document as a corpus of its own, the difference, B minus A, and the part: what the "
            "document adds to the difference of the corpus scores.",
            *context(compared.sides, compared.evaluation, metric),
        ),
        columns,
        facts_of(compared.sides, compared.evaluation, metric),
    )


def segments_sheet(
    compared: Study, rows: Ints, parts: Floats | None, metric: MetricEvaluation | None = None, *, chosen: str = ""
) -> Sheet:
    """Segments with part, scores, difference, lengths and all texts of systems A and B.

    Args:
        compared: The systems.
        rows: The segments (counted from 0), in the order wanted.
        parts: (S,), the part of every segment of the test set in the difference, or ``None``.
        metric: Of the scores, BLEU unless given.
        chosen: Which segments these are, as a sentence.
    """
    test_set, evaluation = compared.test_set, compared.evaluation
    metric = metric or evaluation.bleu
    key, kind = score_column(metric)
    columns = _segment_columns(test_set, rows)
    if parts is not None:
        columns.append((Field("part", "part in Δ", "part"), parts[rows]))
    of_pair = {name: metric.known_segment_scores(name)[rows] for name in compared.sides}
    columns += pair_columns(compared.sides, key, metric.name, kind, of_pair)
    if compared.compares:
        delta = segment_differences(evaluation, compared.pair, metric)[rows]
        columns.append((Field("difference", f"Δ {metric.name}", "difference"), delta))
    of_pair = {name: evaluation.bleu.systems[name].counts[rows, 0] for name in compared.sides}
    columns += pair_columns(compared.sides, "tokens", "tokens", "count", of_pair)
    columns += _text_columns(test_set, compared.sides, rows)
    return sheet_of(
        "segments",
        (
            chosen,
            "The part is what a segment adds to the difference of the corpus scores, B minus A."
            if parts is not None
            else "",
            SEGMENT_SCORES if metric is evaluation.bleu else "",
            *context(compared.sides, evaluation, metric),
        ),
        columns,
        facts_of(compared.sides, evaluation, metric),
    )


def differing_segments_sheet(
    compared: Study, values: Floats, parts: Floats | None, metric: MetricEvaluation | None = None
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


def sorted_segments_sheet(values: Floats, metric: str, *, are_parts: bool) -> Sheet:
    """What is drawn of all segments as sorted bars, the smallest value first.

    Args:
        values: (S,), parts in the difference of the corpus scores, or differences of the segments' own scores.
        metric: Of which scores.
        are_parts: Which of the two.
    """
    order = np.argsort(values, kind="stable")[: np.count_nonzero(np.isfinite(values))]
    return sheet_of(
        "sorted-segments",
        ("All segments, sorted.",),
        [
            (Field("place", "place", "count"), np.arange(1, len(order) + 1)),
            (Field("segment", "segment", "count"), order + 1),
            (part_field(metric) if are_parts else difference_field(metric), values[order]),
        ],
        {},
    )


def difference_bins_sheet(bins: DifferenceBins) -> Sheet:
    """How many segments differ by how much in their own scores, without what holds none."""
    filled = bins.heights > 0
    return sheet_of(
        "difference-bins",
        ("Segments by the difference of their scores, B minus A.",),
        [
            (Field("from", "Δ from", "statistic"), bins.edges[:-1][filled]),
            (Field("to", "to", "statistic"), bins.edges[1:][filled]),
            (Field("segments", "segments", "count"), bins.heights[filled]),
        ],
        {},
        title="Segments by Δ of their scores",
    )


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


def one_segment_sheet(compared: Study, segment: int, names: Sequence[str]) -> Sheet:
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
    columns: list[Column] = [
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


def ngrams_sheet(compared: Study, lists: Sequence[NgramList], choice: NgramChoice, *, most: int = MAX_LISTED) -> Sheet:
    """The n-grams of lists that belong together, as they are ranked and searched on the page.

    Args:
        compared: The systems.
        lists: One for each system, of one view and order.
        choice: Which view and order that is, and how the lists are ranked.
        most: Rows of each list.
    """
    ranked = [(listed, listed.ranked(choice.rank, find=choice.find, most=most)) for listed in lists]
    listed_rows = [(listed, row) for listed, rows in ranked for row in rows]
    as_shown = {place: Note(written(row.tokens)) for place, (_, row) in enumerate(listed_rows)}
    columns: list[Column] = [
        (Field("system", "system", "text"), [compared.sides["AB".index(listed.side)] for listed, _ in listed_rows]),
        (Field("ngram", "n-gram", "text", notes=as_shown), [" ".join(row.tokens) for _, row in listed_rows]),
    ]
    if compared.compares:
        columns.insert(0, (Field("side", "A or B", "text"), [listed.side for listed, _ in listed_rows]))
    counts = [dict(zip(_heads(listed, choice), row.counts, strict=True)) for listed, row in listed_rows]
    columns += [(one, np.array([count[one.key] for count in counts], np.int64)) for one in _count_fields(lists, choice)]
    if choice.part is not None:
        key, explanation = _part_key(choice), ngram_words.part_help(choice.view, choice.part)
        part = Field(key, choice.part, "part", explanation=explanation)
        columns.append((part, np.array([row.part for _, row in listed_rows], np.float64)))
    ratio = Field("log_likelihood", "G²", "statistic", explanation=ngram_words.ratio_help(choice.view, choice.against))
    columns.append((ratio, np.array([row.ratio for _, row in listed_rows], np.float64)))
    return sheet_of(
        "ngrams",
        (
            f"{choice.order}-grams: {ngram_words.title_words(choice.view, choice.against).lower()} each system, ranked "
            f"by {choice.rank}{f', of those that hold “{choice.find}”' if choice.find else ''}.",
            *_count_words(lists, choice),
            ""
            if choice.part is None
            else f"{_capital(choice.part)}: {ngram_words.part_help(choice.view, choice.part)}",
            "G² is the log-likelihood ratio (Dunning 1993) with Yates's correction.",
            *context(compared.sides, compared.evaluation),
        ),
        columns,
        facts_of(compared.sides, compared.evaluation) | {"view": choice.view, "order": choice.order},
    )


def ngram_list_sheet(compared: Study, listed: NgramList, choice: NgramChoice) -> Sheet:
    """One of the lists as it is clicked: its own count first, then the one that it is set against."""
    parts = () if choice.part is None else (_part_key(choice),)
    keys = ("ngram", *_heads(listed, choice), *parts, "log_likelihood")
    return columns_of(ngrams_sheet(compared, [listed], choice), keys, title="")


def slices_sheet(
    compared: Study,
    summary: SliceSummary,
    tested: SliceComparison | None,
    shown: Ints | None = None,
    *,
    others: Sequence[str] = (),
) -> Sheet:
    """Slices with their sizes and scores, the difference of A and B with its interval and test, and its part.

    Args:
        compared: The systems.
        summary: The slices.
        tested: The tests of those that are listed at least; ``None`` where nothing was tested.
        shown: The slices to list, in order; all unless given.
        others: Systems beside A and B whose scores are listed.
    """
    listed = np.arange(summary.slicing.n_slices) if shown is None else shown
    of_listed = {name: scores[listed] for name, scores in summary.scores.items()}
    metric, (key, kind) = summary.metric, score_column(summary.metric)
    names, is_small = [summary.slicing.names[index] for index in listed], summary.is_small[listed]
    as_shown = {row: Note(slice_name(name)) for row, name in enumerate(names)}
    marked = {row: Note("small" if small else "") for row, small in enumerate(is_small)}
    _, difference, ends = kinds_of(summary.scale)
    of_pair = pair_columns(summary.sides, key, metric.name, kind, of_listed)
    columns: list[Column] = [
        (
            Field("slice", summary.slicing.kind, "text", notes=as_shown),
            names,
        ),
        (Field("segments", "segments", "count"), summary.slicing.sizes[listed]),
        (replace(SMALL_SLICE, off_pages=not is_small.any(), notes=marked), is_small),
        *(
            (replace(one, on_pages=summary.score_head(name), explanation=name), values)
            for name, (one, values) in zip(summary.sides, of_pair, strict=True)
        ),
    ]
    if summary.compares:
        explained = "Score of B minus score of A in the slice."
        of_two = Field("difference", f"Δ {metric.name}", difference, on_pages="Δ", explanation=explained)
        columns.append((of_two, summary.delta[listed]))
    columns += [] if tested is None else _test_columns(tested, listed, ends)
    if summary.parts is not None:
        part = Field("part", "part in Δ", "part", explanation=slice_words.PART_HELP.format(metric.name))
        columns.append((part, summary.parts[listed]))
    for name in others:
        head = summary.score_head(name)
        other = Field(f"{metric.name}: {name}", f"{metric.name} {name}", kind, on_pages=head, explanation=name)
        columns.append((other, of_listed[name]))
    return sheet_of(
        "slices",
        (
            f"{metric.name} by {summary.slicing.kind}: {summary.slicing.rule}.",
            "Each slice is scored as a corpus of its own; the difference is B minus A.",
            "The part is what a slice adds to the difference of the corpus scores."
            if summary.parts is not None
            else "",
            *([] if tested is None else _method(summary, tested)),
            *context(summary.sides, compared.evaluation, metric),
        ),
        columns,
        facts_of(summary.sides, compared.evaluation, metric)
        | {"kind": summary.slicing.kind}
        | ({} if tested is None else {"test_signature": tested.options.signature(), "n_tests": tested.n_tests}),
    )


def _segment_columns(test_set: TestSet, rows: Ints) -> list[Column]:
    """Which segments: number, document, labels."""
    columns: list[Column] = [(Field("segment", "segment", "count"), rows + 1)]
    if test_set.documents is not None:
        columns.append((Field("document", "document", "text"), _picked(test_set.documents, rows)))
    for name, label in test_set.labels.items():
        columns.append((Field(LABEL + name, LABEL + name, "text"), _picked(label, rows)))
    return columns


def _text_columns(test_set: TestSet, sides: tuple[str, ...], rows: Ints) -> list[Column]:
    """Source, references and hypotheses."""
    columns: list[Column] = []
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


def _heads(listed: NgramList, choice: NgramChoice) -> tuple[str, str]:
    """The columns that the two counts of a list stand in."""
    if choice.view == VIEWS[0] or choice.against == "the other system":
        this, other = ("a", "b") if listed.side == "A" else ("b", "a")
        return f"{NGRAM_COUNTS[choice.view]}_{this}", f"{NGRAM_COUNTS[choice.view]}_{other}"
    this, other = listed.heads
    return this.replace(" ", "_"), other.replace(" ", "_")


def _part_key(choice: NgramChoice) -> str:
    return "worth" if choice.part == WORTH else "part"


def _count_fields(lists: Sequence[NgramList], choice: NgramChoice) -> list[Field]:
    """The columns of counts, A before B."""
    first, helps = lists[0], ngram_words.count_help(lists[0], choice.view, choice.against)
    return [
        Field(key, _kind(key).replace("_", " ") + _side(key), "count", on_pages=head, explanation=explained)
        for key, head, explained in sorted(zip(_heads(first, choice), first.heads, helps, strict=True))
    ]


def _count_words(lists: Sequence[NgramList], choice: NgramChoice) -> list[str]:
    """What the columns of counts hold, as sentences."""
    return [
        f"{_capital(one.heading)}: {NGRAM_WORDS[_kind(one.key)].format(_side(one.key).strip() or 'the system')}."
        for one in _count_fields(lists, choice)
    ]


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _side(key: str) -> str:
    return {"_a": " A", "_b": " B"}.get(key[-2:], "")


def _kind(key: str) -> str:
    return key[:-2] if key[-2:] in ("_a", "_b") else key


def _method(summary: SliceSummary, tested: SliceComparison) -> list[str]:
    """The test of the slices, as sentences."""
    warning = [TOO_SMALL] if tested.options.test == "sacrebleu-bs" else []
    signature = f"Test signature: {tested.options.signature()}."
    return [f"{slice_words.method_words(summary, tested)}.", *warning, signature]


def _test_columns(tested: SliceComparison, listed: Ints, ends: Ends) -> list[Column]:
    """Interval, p and whether it is significant; missing where a slice has none."""
    tests = [tested.tests.get(index) for index in listed.tolist()]
    significant = [index in tested.tests and tested.is_significant(index) for index in listed.tolist()]
    p_values = numbers_of(tests, lambda test: test.corrected_p_value)
    untested = dict.fromkeys(np.flatnonzero(np.isnan(p_values)).tolist(), Note("no test"))
    return [
        (
            replace(interval_of(ends), on_pages="95 % interval", explanation=term("interval of Δ")),
            ends_of([None if test is None else test.interval for test in tests]),
        ),
        (
            Field("p_value", "p (not corrected)", "p", for_machines=True),
            numbers_of(tests, lambda test: test.p_value),
        ),
        (
            Field("corrected_p_value", "p", "p", None, "significant", explanation=slice_words.P_HELP, notes=untested),
            p_values,
        ),
        (Field("significant", "significant", "yes or no", for_machines=True), np.array(significant, np.bool_)),
    ]
