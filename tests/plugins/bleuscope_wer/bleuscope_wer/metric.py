"""Word error rate: words inserted, deleted and replaced, per 100 words of the reference."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bleucore import TestSet
from bleucore.metrics import Metric
from bleucore.metrics.attribution_path import RatioLine


@dataclass(frozen=True)
class WerOptions:
    """How words are told apart: as blanks do."""

    @property
    def name(self) -> str:
        """What pages call it."""
        return "WER"

    def signature(self, n_references: object) -> str:
        """What to cite with a score."""
        return f"nrefs:{n_references}|case:mixed|tok:none|version:bleuscope-wer-0.1.0"


def edits(words: Sequence[str], reference: Sequence[str]) -> int:
    """The fewest words to insert, delete or replace."""
    row = list(range(len(reference) + 1))
    for place, word in enumerate(words, start=1):
        before, row[0] = row[0], place
        for column, other in enumerate(reference, start=1):
            before, row[column] = row[column], min(row[column] + 1, row[column - 1] + 1, before + (word != other))
    return row[-1]


def statistics(test_set: TestSet, _: WerOptions, progress: Any = None) -> list[NDArray[np.int64]]:
    """Edits to the nearest reference and its words, (S, 2), of each system."""
    found = []
    for done, system in enumerate(test_set.systems, start=1):
        rows = []
        for hypothesis, *references in zip(system.hypotheses, *test_set.references, strict=True):
            split = [one.split() for one in references if one is not None]
            counts = [(edits(hypothesis.split(), one), len(one)) for one in split]
            rows.append(min(counts, key=lambda pair: (pair[0] / max(1, pair[1]), pair[1])))
        found.append(np.array(rows, np.int64))
        if progress is not None:
            progress(done / len(test_set.systems))
    return found


def scores(counts: NDArray[Any], _: WerOptions) -> NDArray[np.float64]:
    """Per 100 words; 0 where there are neither words nor edits."""
    n_edits, n_words = counts[..., 0], counts[..., 1]
    return np.where(n_words > 0, 100.0 * n_edits / np.maximum(1, n_words), 100.0 * (n_edits > 0))


METRIC = Metric(
    WerOptions,
    statistics,
    scores,
    lambda sums, _: RatioLine(sums, 100.0, "word in the references"),
    lambda _: "Edits (insert, delete, replace) per 100 words of the reference; lower is better.",
    higher_is_better=lambda _: False,
    offered={"WER": WerOptions()},
    advice="WER counts words that are inserted, deleted or replaced; lower is better.",
    rewards="the words of the reference in its order",
)
