"""How often one's own questions hold, system by system, as a sheet."""

import time
from collections.abc import Sequence

import numpy as np

from bleucore import InputError
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.segments.conditions import asks_of
from bleuscope.content.segments.segment_queries import Lookups, SegmentQuery, find_segments
from bleuscope.content.sheets.builders import SYSTEM, FilledField, context, facts_of, sheet_of
from bleuscope.content.sheets.sheet import Field, Sheet
from bleuscope.content.style.unique_names import unique_name

MOST_SECONDS = 30
"""All systems and questions together; what takes longer is given up."""
QUESTIONS = (
    "In how many segments each question holds where the system stands in the place of B; in that of A for a question "
    "that names A alone. What names neither holds for all alike."
)


def questions_sheet(compared: ComparisonContext, conditions: Sequence[str], lookups: Lookups | None = None) -> Sheet:
    """In how many segments each condition holds for each system, and in which share of all.

    Args:
        compared: The systems; the others stand in the place of B, or of A where a condition names A alone.
        conditions: As ``segments_where`` takes them.
        lookups: Where conditions find what is neither a score nor a text.

    Raises:
        InputError: A condition cannot be asked.
    """
    test_set, names = compared.test_set, compared.evaluation.ranked()
    taken, end = {SYSTEM.key}, time.monotonic() + MOST_SECONDS
    columns: list[FilledField] = [(SYSTEM, names)]
    for place, condition in enumerate(conditions, start=1):
        counts = np.array([_count(compared, name, condition, end, lookups) for name in names])
        key = unique_name(f"question_{place}", taken)
        columns.append((Field(key, condition, "count", explanation=condition), counts))
        share = Field(f"{key}_share", "%", "precision", explanation=f"Of all segments: {condition}")
        columns.append((share, 100 * counts / test_set.n_segments))
    return sheet_of(
        "questions",
        (QUESTIONS, *context(compared.sides, compared.evaluation, compared.metric)),
        columns,
        facts_of(compared.sides, compared.evaluation, compared.metric),
        title="How often, by system",
    )


def _count(compared: ComparisonContext, name: str, condition: str, end: float, lookups: Lookups | None) -> int:
    if time.monotonic() > end:
        raise InputError(
            f"this takes longer than {MOST_SECONDS} seconds for all systems",
            where=f"Condition {condition[:80]!r}",
            remedy="Ask fewer questions at once, or with simpler patterns.",
        )
    first, second = compared.both
    pair = (name, second) if asks_of(condition) == {"a"} else (first, name)
    query = SegmentQuery(conditions=(condition,))
    return len(find_segments(compared.test_set, compared.evaluation, pair, query, lookups, compared.metric))
