"""Two systems of an evaluation: their differences by segment and by document."""

from dataclasses import dataclass

import numpy as np

from bleucore import Evaluation, TestSet
from bleucore.bleu import Floats

SCORE_DECIMALS = 9
"""What a score says beyond these is rounding: a perfect segment can have 100.00000000000004."""

MAX_DOCUMENTS = 40
"""More documents than this are first shown as those that differ most, half for each side."""


@dataclass(frozen=True)
class DocumentDifferences:
    """Documents in the test set's order, with the difference of their scores and their sizes."""

    names: tuple[str, ...]
    delta: Floats
    sizes: tuple[int, ...]

    def extremes(self, number: int = MAX_DOCUMENTS) -> "DocumentDifferences":
        """The documents that differ most, half for each side."""
        order, half = np.argsort(self.delta, kind="stable"), max(1, number // 2)
        kept = np.unique(np.concatenate([order[:half], order[-half:]]))
        return DocumentDifferences(
            tuple(self.names[index] for index in kept), self.delta[kept], tuple(self.sizes[index] for index in kept)
        )


def segment_differences(evaluation: Evaluation, pair: tuple[str, str]) -> Floats:
    """Segment scores of the second system minus those of the first, (S,), without the rounding in the last digits."""
    first, second = (evaluation.systems[name].segment_scores for name in pair)
    return np.round(second - first, SCORE_DECIMALS)


def document_differences(
    test_set: TestSet, evaluation: Evaluation, pair: tuple[str, str]
) -> DocumentDifferences | None:
    """Document scores of the second system minus those of the first; ``None`` without documents."""
    if test_set.documents is None:
        return None
    names = tuple(dict.fromkeys(test_set.documents))
    index = {name: position for position, name in enumerate(names)}
    groups = np.fromiter((index[name] for name in test_set.documents), np.int64, test_set.n_segments)
    first, second = (evaluation.group_scores(name, groups, len(names)) for name in pair)
    sizes = np.bincount(groups, minlength=len(names))
    delta = np.round(second - first, SCORE_DECIMALS)
    return DocumentDifferences(names, delta, tuple(int(size) for size in sizes))
