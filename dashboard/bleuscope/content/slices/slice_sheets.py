"""Slices as sheets."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from bleucore.analysis.slices import SliceComparison
from bleucore.counts import Ints
from bleuscope.content.blocks.block_sheets import interval_of, kinds_of
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.sheets.builders import (
    FilledField,
    context,
    ends_of,
    facts_of,
    numbers_of,
    pair_columns,
    score_column,
    sheet_of,
)
from bleuscope.content.sheets.sheet import Ends, Field, Note, Sheet
from bleuscope.content.significance.significance_words import TOO_SMALL
from bleuscope.content.slices import slice_words
from bleuscope.content.slices.slice_tables import SliceSummary, slice_name
from bleuscope.content.style.terms import term

SMALL_SLICE = Field("small", "small", "yes or no", explanation=slice_words.SMALL_HELP, on_pages="size")


def slices_sheet(
    compared: ComparisonContext,
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
    columns: list[FilledField] = [
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
    columns += [] if tested is None else test_columns(tested, listed, ends)
    if summary.parts is not None:
        part = Field("part", "contribution to Δ", "part", explanation=slice_words.PART_HELP.format(metric.name))
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


def _method(summary: SliceSummary, tested: SliceComparison) -> list[str]:
    """The test of the slices, as sentences."""
    warning = [TOO_SMALL] if tested.options.test == "sacrebleu-bs" else []
    signature = f"Test signature: {tested.options.signature()}."
    return [f"{slice_words.method_words(summary, tested)}.", *warning, signature]


def test_columns(tested: SliceComparison, listed: Ints, ends: Ends) -> list[FilledField]:
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
