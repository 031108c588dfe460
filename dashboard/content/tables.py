"""The frame of segments that is scrolled and clicked, and what a test set holds in short."""

import numpy as np
import pyarrow as pa

from bleucore import Evaluation, TestSet
from bleucore.counts import Floats
from bleucore.evaluation import MetricEvaluation
from dashboard.content import numbers
from dashboard.content.blocks import Scale
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
    pair: tuple[str, str],
    rows: np.ndarray,
    parts: Floats | None = None,
    metric: MetricEvaluation | None = None,
) -> pa.Table:
    """Some segments with the scores of two systems, their parts if there are any, and the beginning of a text.

    Of a pair that is twice the same system, nothing is there twice. Arrow, because that is what is sent: of a data
    frame it would be made again at every click.
    """
    metric = metric or evaluation.bleu
    first, second = (metric.known_segment_scores(name)[rows] for name in pair)
    lengths = [evaluation.bleu.systems[name].counts[rows, 0] for name in pair]
    write, unit = Scale.of(metric).difference, unit_of(metric)
    shown = test_set.source or test_set.system(pair[0]).hypotheses
    frame = {
        "segment": rows + 1,
        "document": None if test_set.documents is None else [test_set.documents[row] for row in rows],
        "part": None if parts is None else [numbers.part(value) for value in parts[rows]],
        f"{unit} A": first,
        f"{unit} B": second,
        "Δ": ["" if np.isnan(value) else write(value) for value in second - first],
        "tokens A": lengths[0],
        "tokens B": lengths[1],
        "text": [snippet(shown[row]) for row in rows],
    }
    if pair[0] == pair[1]:
        renamed = {f"{unit} A": unit, "tokens A": "tokens", f"{unit} B": None, "tokens B": None, "Δ": None}
        frame = {new: column for name, column in frame.items() if (new := renamed.get(name, name)) is not None}
    return pa.table({name: column for name, column in frame.items() if column is not None})


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
