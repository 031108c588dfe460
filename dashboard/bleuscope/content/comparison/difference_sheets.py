"""Differences of two systems by document and segment, as sheets."""

from dataclasses import replace

import numpy as np

from bleucore import InputError
from bleucore.analysis.attribution import Attribution
from bleucore.counts import Floats
from bleucore.significance import blocks_of_documents
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.comparison.differences import SCORE_DECIMALS, DifferenceBins
from bleuscope.content.sheets.builders import (
    FilledField,
    context,
    facts_of,
    pair_columns,
    part_field,
    rows_of,
    score_column,
    sheet_of,
)
from bleuscope.content.sheets.sheet import Field, Sheet


def difference_field(metric: str) -> Field:
    """Differences of scores of the metric."""
    return Field("difference", f"Δ {metric}", "difference", on_pages=f"Δ {metric} (B − A)")


def documents_sheet(compared: ComparisonContext, attribution: Attribution | None) -> Sheet:
    """Every document with its scores, their difference, and what it adds to the difference of the corpus scores.

    Args:
        compared: The systems.
        attribution: Of A and B; no parts without it, or where it divides nothing.

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
    names, metric = layout.documents or (), compared.metric
    scores = {name: metric.group_scores(name, layout.groups, len(names)) for name in compared.sides}
    key, kind = score_column(metric)
    columns: list[FilledField] = [
        (Field("document", "document", "text"), list(names)),
        (Field("segments", "segments", "count"), np.bincount(layout.groups, minlength=len(names))),
        *pair_columns(compared.sides, key, metric.name, kind, scores),
    ]
    if compared.compares:
        first, second = (scores[name] for name in compared.sides)
        columns.append((difference_field(metric.name), np.round(second - first, SCORE_DECIMALS)))
    if attribution is not None and attribution.reason is None:
        part = replace(part_field(metric.name), kind="difference")  # documents add enough for two decimals
        columns.append((part, attribution.groups(layout.groups, len(names))))
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


def sorted_segments_sheet(values: Floats, metric: str = "BLEU", *, are_parts: bool = False) -> Sheet:
    """What is drawn of all segments as sorted bars, the smallest value first.

    Args:
        values: (S,), parts in the difference of the corpus scores, or differences of the segments' own scores; what is
            missing is left out.
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


def ends_of(sheet: Sheet, most: int) -> Sheet:
    """A sorted sheet, or so many rows at either end of a longer one."""
    n_rows = len(sheet.frame)
    places = np.arange(n_rows)
    return sheet if n_rows <= 2 * most else rows_of(sheet, np.r_[places[:most], places[-most:]], title=sheet.title)


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
