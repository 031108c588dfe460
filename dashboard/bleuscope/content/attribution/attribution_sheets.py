"""Where a difference comes from, as sheets."""

import numpy as np

from bleucore import Evaluation
from bleucore.analysis.attribution import Attribution
from bleuscope.content.attribution import attribution_words
from bleuscope.content.sheets.builders import (
    FilledField,
    context,
    facts_of,
    part_field,
    score_column,
    sheet_of,
)
from bleuscope.content.sheets.sheet import Field, Sheet

PARTS_ADD_UP = (
    "The contributions add up to the difference: they integrate {}'s gradient along the line "
    "between both systems' counts (Aumann and Shapley 1974)."
)


def attribution_sheet(attribution: Attribution, evaluation: Evaluation) -> Sheet:
    """What each ingredient of the metric adds to the difference, and all together: the data of the waterfall."""
    parts, metric = attribution_words.ingredients(attribution), evaluation.metrics[attribution.metric_name]
    key, kind = score_column(metric)
    values = np.array([part for _, part in parts])
    columns: list[FilledField] = [
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
            (
                f"Contribution of each ingredient to the difference in corpus {metric.name} (B minus A), and the "
                "running score."
            ),
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
