"""Slices of the test set with the scores of all systems and the comparison of two, as tables, and in the address."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from bleucore import Evaluation, MetricEvaluation, TestSet
from bleucore.analysis.attribution import Attribution
from bleucore.analysis.slices import SMALL, Slicing, slice_scores
from bleucore.counts import Floats, Ints
from bleucore.significance import ComparedSystems
from bleuscope.content.comparison.differences import SCORE_DECIMALS, compared_systems
from bleuscope.content.style.scale import ScoreScale

MAX_SLICES = 40
"""More slices than this are first shown as those that differ most."""
BY_DELTA, BY_PART, BY_SIZE, AS_GIVEN = "Δ", "contribution to Δ", "size", "as given"
ORDERS: Mapping[str, str] = MappingProxyType({"delta": BY_DELTA, "part": BY_PART, "size": BY_SIZE, "given": AS_GIVEN})
"""By what commands call them."""


@dataclass(frozen=True)
class SliceSummary:
    """What can be said of every slice without a test.

    Attributes:
        slicing: The slices.
        sides: Systems A and B, or the only one.
        metric: What is scored.
        scores: Of every system, each (G,); NaN where a file of scores has none of a slice.
        parts: What each slice adds to the difference of the corpus scores, (G,); ``None`` where nothing is divided.
    """

    slicing: Slicing
    sides: tuple[str, ...]
    metric: MetricEvaluation
    scores: Mapping[str, Floats]
    parts: Floats | None

    @property
    def pair(self) -> tuple[str, str]:
        """A and B, where there are two."""
        first, second = self.sides
        return first, second

    @property
    def compares(self) -> bool:
        """Whether A and B are two systems."""
        return len(self.sides) > 1

    @cached_property
    def delta(self) -> Floats:
        """The score of B minus that of A in each slice, (G,), without the rounding in the last digits."""
        return np.round(self.scores[self.sides[-1]] - self.scores[self.sides[0]], SCORE_DECIMALS)

    @property
    def gain(self) -> Floats:
        """``delta``, above 0 where B is better, whichever way the metric points, (G,)."""
        return self.metric.gain(self.delta)

    @cached_property
    def scale(self) -> ScoreScale:
        """How scores are written."""
        return ScoreScale.of(self.metric)

    def score_head(self, name: str) -> str:
        """The head of a system's column: A and B by their letter, which stands above with the name."""
        unit = self.metric.name
        letters = dict(zip(self.sides, (f"{unit} A", f"{unit} B"), strict=True)) if self.compares else {}
        return letters.get(name, f"{name} {unit}")

    @property
    def is_small(self) -> NDArray[np.bool_]:
        """Which slices have too few segments to say much, (G,)."""
        return self.slicing.sizes < SMALL

    def orders(self) -> tuple[str, ...]:
        """How the slices can be ordered; those that follow on each other stay as they are."""
        if self.slicing.is_ordered:
            return (AS_GIVEN,)
        by_difference = (BY_DELTA, BY_PART) if self.parts is not None else (BY_DELTA,)
        return (*(by_difference if self.compares else ()), BY_SIZE, AS_GIVEN)

    def shown(self, order: str, most: int | None = MAX_SLICES) -> Ints:
        """The slices to show, in order; of more than so many those that differ most, half for each side, or the first.

        Args:
            order: One of ``orders``.
            most: How many to show; ``None`` shows every one.
        """
        keys = {BY_DELTA: self.delta, BY_PART: self.parts, BY_SIZE: self.slicing.sizes}
        key = keys.get(order)
        indices = np.arange(self.slicing.n_slices) if key is None else np.argsort(-key, kind="stable")
        if most is None or len(indices) <= most:
            return indices
        n_last = most // 2 if order in (BY_DELTA, BY_PART) else 0
        return np.concatenate([indices[: most - n_last], indices[len(indices) - n_last :]])


def summarise(
    evaluation: Evaluation,
    slicing: Slicing,
    sides: tuple[str, ...],
    attribution: Attribution | None,
    metric: MetricEvaluation | None = None,
) -> SliceSummary:
    """The score of every system in every slice, and the parts of the slices in the difference of two.

    Args:
        evaluation: What was scored.
        slicing: The slices.
        sides: Systems A and B, or the only one.
        attribution: Of their difference in the metric; ``None`` leaves the parts out.
        metric: What is looked at, BLEU unless given.
    """
    metric = metric or evaluation.bleu
    scores = {
        name: slice_scores(result.counts, slicing, metric.known_score_of) for name, result in metric.systems.items()
    }
    parts = None
    if attribution is not None and attribution.reason is None and len(sides) > 1:
        parts = attribution.groups(slicing.groups, slicing.n_slices)
    return SliceSummary(slicing, sides, metric, scores, parts)


def compared_pair(test_set: TestSet, metric: MetricEvaluation, pair: tuple[str, str]) -> ComparedSystems:
    """What the tests of two systems on slices need."""
    systems = [(name, metric.systems[name].counts) for name in pair]
    return replace(compared_systems(test_set, metric), systems=systems)


def slice_name(name: str) -> str:
    """A slice's name as it is shown; an empty one is seen too."""
    return name if name.strip() else "(empty)"


def address_of(slicing: Slicing, index: int) -> str:
    """How the address names a slice: ``reference length:11–20``."""
    return f"{slicing.kind}:{slicing.names[index]}"


def kind_in_address(address: str, kinds: Sequence[str]) -> str | None:
    """The kind of slice that an address names: the longest that fits, since a label's name may hold a colon."""
    return max((kind for kind in kinds if address.startswith(f"{kind}:")), key=len, default=None)


def segments_of(address: str, slicing: Slicing) -> Ints | None:
    """The segments of the slice that an address names; ``None`` if there is no such slice."""
    name = address.removeprefix(f"{slicing.kind}:")
    return slicing.segments(slicing.names.index(name)) if name in slicing.names else None
