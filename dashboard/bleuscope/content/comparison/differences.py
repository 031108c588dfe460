"""Two systems of an evaluation: their differences by segment and by document."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bleucore import Evaluation, MetricEvaluation, TestSet
from bleucore.counts import Floats, Ints
from bleucore.significance import ComparedSystems, TestSetUnits, Wins

SCORE_DECIMALS = 9
"""What a score says beyond these is rounding: a perfect segment can have 100.00000000000004."""

MAX_DOCUMENTS = 40
"""More documents than this are first shown as those that differ most, half for each side."""


@dataclass(frozen=True)
class DifferenceBins:
    """How many segments differ by how much in their scores: bins of one width, round 0.

    Attributes:
        width: Of each.
        edges: (N + 1,).
        heights: (N,).
    """

    width: float
    edges: NDArray[np.floating]
    heights: NDArray[np.int64]

    @classmethod
    def of(cls, delta: Floats, *, least: float = 1.0) -> "DifferenceBins":
        """Bins of a round width, about 15 to each side, which reach to the least limit at least."""
        limit = float(np.nanmax(np.abs(delta), initial=least))
        width = round_width(limit / 15)
        n_bins = int(np.ceil(limit / width - 0.5))
        edges = (np.arange(-n_bins, n_bins + 2) - 0.5) * width
        return cls(width, edges, np.histogram(delta, edges)[0])


@dataclass(frozen=True)
class Selection:
    """Some segments of a test set.

    Attributes:
        rows: The segments, from 0, in bytes of int64: what is equal has the same content.
        by_score: Whether the scores themselves decided which.
    """

    rows: bytes
    by_score: bool

    @classmethod
    def of(cls, rows: NDArray[np.int64], *, by_score: bool) -> "Selection":
        """A selection of these segments in the test set's order."""
        return cls(np.sort(rows).astype(np.int64).tobytes(), by_score)

    @property
    def segments(self) -> NDArray[np.int64]:
        """The segments, from 0."""
        return np.frombuffer(self.rows, np.int64)


def known_units(test_set: TestSet) -> TestSetUnits:
    """What is known of the dependence between the segments of a test set."""
    return TestSetUnits(test_set.n_segments, test_set.documents, test_set.items)


def compared_systems(
    test_set: TestSet, metric: MetricEvaluation, selection: Selection | None = None
) -> ComparedSystems:
    """What significance tests need, for all segments or for some."""
    compared = ComparedSystems(
        systems=[(name, result.counts) for name, result in metric.systems.items()],
        score=metric.draw_scores_of,
        higher_is_better=metric.higher_is_better,
        documents=test_set.documents,
        items=test_set.items,
        selected_by_score=selection is not None and selection.by_score,
        single_precision=True,
    )
    return compared if selection is None else compared.selected(selection.segments)


def segment_differences(
    evaluation: Evaluation, pair: tuple[str, str], metric: MetricEvaluation | None = None
) -> Floats:
    """Segment scores of the second system minus those of the first, (S,), without the rounding in the last digits.

    Of the metric, BLEU unless given; NaN where a file of scores has none of one of them.
    """
    first, second = ((metric or evaluation.bleu).known_segment_scores(name) for name in pair)
    return np.round(second - first, SCORE_DECIMALS)


def wins_of(metric: MetricEvaluation, name: str, other: str) -> Wins:
    """In how many segments a system has a better score than another; segments without a score are left out."""
    mine, theirs = (metric.known_segment_scores(one) for one in (name, other))
    gains = metric.gain(np.round(mine - theirs, SCORE_DECIMALS))
    return Wins(int(np.sum(gains > 0)), int(np.sum(gains < 0)), int(np.sum(gains == 0)))


def extremes(values: Floats, most: int | None = None) -> Ints:
    """The places of the largest values, then of the smaller ones; of more than so many, half for each end.

    What is missing is left out, and equal values stand as they are.
    """
    order = np.argsort(-values, kind="stable")[: np.count_nonzero(np.isfinite(values))]
    if most is None or len(order) <= most:
        return order
    n_last = most // 2
    return np.concatenate([order[: most - n_last], order[len(order) - n_last :]])


def round_width(width: float) -> float:
    """The next larger of 1, 2 or 5 times a power of ten."""
    power = 10.0 ** np.floor(np.log10(width))
    return float(next(step * power for step in (1, 2, 5, 10) if step * power >= width * (1 - 1e-9)))
