"""The frame of segments that is scrolled and clicked."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from bleucore import Evaluation, TestSet
from bleucore.counts import Floats
from bleucore.evaluation import MetricEvaluation
from dashboard.content.segments.segment_queries import unit_of
from dashboard.content.style import numbers
from dashboard.content.style.identity import letters_of
from dashboard.content.style.markup import snippet
from dashboard.content.style.scale import Scale


def segments_table(
    test_set: TestSet,
    evaluation: Evaluation,
    sides: tuple[str, ...],
    rows: np.ndarray,
    parts: Floats | None = None,
    metric: MetricEvaluation | None = None,
) -> pa.Table:
    """Some segments with the scores of two systems, their parts if there are any, and the beginning of a text.

    Of a single system nothing is compared. Arrow, because that is what is sent: of a data
    frame it would be made again at every click.
    """
    metric = metric or evaluation.bleu
    scores = [metric.known_segment_scores(name)[rows] for name in sides]
    lengths = [evaluation.bleu.systems[name].counts[rows, 0] for name in sides]
    write, unit = Scale.of(metric).difference, unit_of(metric)
    shown = test_set.source or test_set.system(sides[0]).hypotheses
    frame = {
        "segment": rows + 1,
        "document": None if test_set.documents is None else [test_set.documents[row] for row in rows],
        "part": None if parts is None else [numbers.part(value) for value in parts[rows]],
        **dict(zip(_heads(unit, sides), scores, strict=True)),
        "Δ": None if len(sides) == 1 else ["" if np.isnan(value) else write(value) for value in scores[1] - scores[0]],
        **dict(zip(_heads("tokens", sides), lengths, strict=True)),
        "text": [snippet(shown[row]) for row in rows],
    }
    return pa.table({name: column for name, column in frame.items() if column is not None})


def _heads(what: str, sides: Sequence[str]) -> list[str]:
    return [f"{what} {letter}" for letter in letters_of(sides).values()] or [what]
