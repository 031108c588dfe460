"""The frame of segments that is scrolled and clicked, and what a test set holds in short."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from bleucore import Evaluation, TestSet
from bleucore.counts import Floats
from bleucore.evaluation import MetricEvaluation
from dashboard.content import numbers
from dashboard.content.blocks import Scale
from dashboard.content.identity import letters_of
from dashboard.content.segment_queries import unit_of

SNIPPET_LENGTH = 120


def scores_every_system(metric: MetricEvaluation) -> bool:
    """Whether there is a score of every system; a file of scores may say nothing about one."""
    return all(map(metric.has_score, metric.systems))


def arrow(metric: MetricEvaluation) -> str:
    """Which way a metric points."""
    return "↑" if metric.higher_is_better else "↓"


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


def snippet(text: str, length: int = SNIPPET_LENGTH) -> str:
    """The beginning of a text on one line."""
    line = " ".join(text[: 4 * length].split())
    return line if len(line) <= length else line[: length - 1].rstrip() + "…"


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
