"""How far annotators agree: marked characters, severities, scores, each with an interval by documents."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bleucore.annotation.held import Said, States, all_said, penalty_of
from bleucore.annotation.marks import Mark
from bleucore.annotation.tasks import Item, Task
from bleucore.counts import Floats, Ints
from bleucore.judgements.averaging import MqmWeights
from bleucore.significance.resampling import expanded_interval
from bleucore.significance.units import FEWEST_TESTED, effective_number

USUAL_DRAWS, USUAL_SEED = 1000, 12345
HALF = 0.5
"""For a character that both marked, with different severities: as the shared tasks on quality estimation count it."""
LEAST_DEFINED = 0.95
"""Of the resamples: where fewer have a value, there is no interval."""


@dataclass(frozen=True)
class Measured:
    """A measure of agreement.

    Attributes:
        value: From -1 or 0 to 1; ``None`` where it is undefined.
        interval: 95 %, by resampled units; ``None`` from fewer than six units.
    """

    value: float | None
    interval: tuple[float, float] | None = None


@dataclass(frozen=True)
class AnnotatorPair:
    """Two annotators of the same outputs.

    Attributes:
        first: One of them.
        second: The other.
        n_items: How many outputs both finished.
        span_f1: Of marked characters.
        scores: Pearson's r of scores, or of penalties.
    """

    first: str
    second: str
    n_items: int
    span_f1: float | None
    scores: float | None


@dataclass(frozen=True)
class AnnotatorAgreement:
    """How far the annotators of a task agree.

    Attributes:
        n_shared: How many outputs several annotators finished.
        n_units: The documents, or segments, that these are of.
        span_f1: F1 of marked characters; one that both marked with different severities counts half.
        mark_f1: F1 of marks: one counts if it overlaps one of the other annotator, or is missing at the same place.
        severity_alpha: Krippendorff's alpha, ordinal, of the worst severity of each output; none is the lowest.
        scores: Pearson's r of scores, or of penalties, within pairs of annotators.
        pairs: Each pair with shared outputs.
        draws: How many resamples.
        seed: Of them.
    """

    n_shared: int
    n_units: int
    span_f1: Measured
    mark_f1: Measured
    severity_alpha: Measured
    scores: Measured
    pairs: tuple[AnnotatorPair, ...]
    draws: int
    seed: int


def annotator_agreement(
    task: Task, states: States, weights: MqmWeights | None = None, *, draws: int = USUAL_DRAWS, seed: int = USUAL_SEED
) -> AnnotatorAgreement:
    """How far annotators agree where several finished the same output.

    Decisions count as nobody's. Intervals resample documents, or segments where documents are unknown.

    Args:
        task: The task.
        states: Of its items and annotators.
        weights: Of errors, for penalties where there is no slider; those of the scheme unless given.
        draws: How many resamples.
        seed: Of them.
    """
    by_item: dict[str, list[Said]] = {}
    for one in all_said(task, states):
        by_item.setdefault(one.item.id, []).append(one)
    shared = [said for said in by_item.values() if len(said) > 1 and said[0].item.planted is None]
    names = list(dict.fromkeys(said[0].item.document or said[0].item.segment for said in shared))
    unit_of = {name: place for place, name in enumerate(names)}
    units = np.array([unit_of[said[0].item.document or said[0].item.segment] for said in shared], np.int64)
    costs = weights or task.scheme.weights
    pairs = [
        _pair(task, first, second, unit, costs)
        for said, unit in zip(shared, units.tolist(), strict=True)
        for first, second in combinations(said, 2)
    ]
    severities = [[_worst(task, one) for one in said] for said in shared]
    levels = len(task.scheme.severities) + 1
    resampled = _resampled(units, len(names), draws, seed)
    interval = _Intervals(units, len(names))
    alphas = _by_unit(np.array([_coincidences(of, levels).ravel() for of in severities]), units, len(names))
    counts = _by_unit(np.array([pair.counts for pair in pairs]), np.array([pair.unit for pair in pairs]), len(names))
    moments = _moments(pairs, len(names))
    return AnnotatorAgreement(
        len(shared),
        len(names),
        interval.of(lambda weight: _f1(weight @ counts[:, :2]), resampled),
        interval.of(lambda weight: _f1(weight @ counts[:, 2:]), resampled),
        interval.of(lambda weight: ordinal_alpha((weight @ alphas).reshape(levels, levels)), resampled),
        interval.of(lambda weight: _pooled_pearson(np.tensordot(weight, moments, 1)), resampled),
        _annotator_pairs(pairs),
        draws,
        seed,
    )


def ordinal_alpha(coincidences: Floats) -> float | None:
    """Krippendorff's alpha of ordered values, from their coincidences (L, L); ``None`` where nothing varies.

    1 - D_o / D_e with the ordinal distance of Krippendorff (2011), "Computing Krippendorff's alpha-reliability".
    """
    totals = coincidences.sum(axis=1)
    n = totals.sum()
    if n <= 1:
        return None
    before = np.cumsum(totals) - totals / 2
    distances = (before[:, None] - before[None, :]) ** 2
    expected = float(totals @ distances @ totals)
    if expected <= 0:
        return None
    return float(1 - (n - 1) * (coincidences * distances).sum() / expected)


def coincidences_of(values: Sequence[Sequence[int]], levels: int) -> Floats:
    """The coincidences of values 0 … L - 1 that units got: (L, L). Units with one value say nothing."""
    total = np.zeros((levels, levels))
    for of in values:
        total += _coincidences(of, levels)
    return total


def span_overlap(task: Task, first: Said, second: Said) -> tuple[float, float]:
    """Characters that two annotators marked: what agrees, and the mean number that each marked."""
    one, other = (_ranks(task, said) for said in (first, second))
    both = (one > 0) & (other > 0)
    agreeing = np.where(one == other, 1.0, HALF)[both].sum()
    return float(agreeing), float(np.count_nonzero(one) + np.count_nonzero(other)) / 2


@dataclass(frozen=True)
class _Pair:
    """Two annotators of one output."""

    first: str
    second: str
    unit: int
    counts: tuple[float, float, float, float]
    x: float
    y: float


class _Intervals:
    """Values with their intervals by the same units."""

    def __init__(self, units: Ints, n_units: int) -> None:
        self._n_units = n_units
        sizes = np.bincount(units, minlength=n_units) if n_units else np.zeros(0, np.int64)
        self._n_effective = effective_number(sizes) if n_units else None

    def of(self, measure: Callable[[Floats], float | None], resampled: Floats) -> Measured:
        """The measure of all units, and its interval."""
        if not self._n_units:
            return Measured(None)
        value = measure(np.ones(self._n_units))
        if value is None or self._n_units < FEWEST_TESTED:
            return Measured(value)
        found = np.array([one for weight in resampled if (one := measure(weight)) is not None])
        if len(found) < LEAST_DEFINED * len(resampled) or not len(found):
            return Measured(value)
        return Measured(value, expanded_interval(found, self._n_units, n_effective=self._n_effective))


def _resampled(units: Ints, n_units: int, draws: int, seed: int) -> Floats:
    """How often each unit is drawn, (B, U)."""
    if not len(units):
        return np.zeros((0, 0))
    return np.random.default_rng(seed).multinomial(n_units, np.full(n_units, 1 / n_units), size=draws).astype(float)


def _by_unit(values: NDArray[Any], units: Ints, n_units: int) -> Floats:
    """Sums of rows (n, C) by unit, (U, C)."""
    if not len(values):
        return np.zeros((n_units, 4))
    sums = np.zeros((n_units, values.shape[1]))
    np.add.at(sums, units, values)
    return sums


def _pair(task: Task, first: Said, second: Said, unit: int, weights: MqmWeights) -> _Pair:
    agreeing, marked = span_overlap(task, first, second)
    marks = [list(said.state.marks.values()) for said in (first, second)]
    met = sum(any(_meet(one, other) for other in marks[1]) for one in marks[0])
    met += sum(any(_meet(one, other) for other in marks[0]) for one in marks[1])
    counts = (agreeing, marked, met / 2, sum(map(len, marks)) / 2)
    x, y = (_value(task, said, weights) for said in (first, second))
    return _Pair(first.annotator, second.annotator, unit, counts, x, y)


def _meet(one: Mark, other: Mark) -> bool:
    if one.side != other.side:
        return False
    return one.start == other.start if one.side == "missing" else one.start < other.end and other.start < one.end


def _value(task: Task, said: Said, weights: MqmWeights) -> float:
    if task.scheme.has_slider:
        return float("nan") if said.state.score is None else said.state.score
    return penalty_of(said.state, weights)


def _ranks(task: Task, said: Said) -> Ints:
    """The severity of each character of target and source, from 1; 0 where it is not marked."""
    item: Item = said.item
    ranks = np.zeros(len(item.text) + len(item.source), np.int64)
    for mark in said.state.marks.values():
        if mark.side != "missing":
            offset = len(item.text) if mark.side == "source" else 0
            part = ranks[offset + mark.start : offset + mark.end]
            np.maximum(part, task.scheme.rank(mark.severity), out=part)
    return ranks


def _worst(task: Task, said: Said) -> int:
    return max((task.scheme.rank(mark.severity) for mark in said.state.marks.values()), default=0)


def _coincidences(values: Sequence[int], levels: int) -> Floats:
    found = np.zeros((levels, levels))
    if len(values) > 1:
        counts = np.bincount(values, minlength=levels).astype(float)
        found = (np.outer(counts, counts) - np.diag(counts)) / (len(values) - 1)
    return found


def _f1(counts: Floats) -> float | None:
    """2 TP / (n + m) of what agrees and the mean number; ``None`` where nothing was marked."""
    return float(counts[0] / counts[1]) if counts[1] > 0 else None


def _moments(pairs: Sequence[_Pair], n_units: int) -> Floats:
    """(U, P, 6): number and sums of x, y, xx, yy, xy of each pair of annotators."""
    names = {key: place for place, key in enumerate(dict.fromkeys((pair.first, pair.second) for pair in pairs))}
    found = np.zeros((n_units, len(names), 6))
    for pair in pairs:
        x, y = pair.x, pair.y
        if not np.isnan(x + y):
            found[pair.unit, names[pair.first, pair.second]] += (1, x, y, x * x, y * y, x * y)
    return found


def _pooled_pearson(moments: Floats) -> float | None:
    """Pearson's r within pairs of annotators, from moments (P, 6); ``None`` where nothing varies."""
    n = np.maximum(moments[:, 0], 1.0)
    x, y, xx, yy, xy = moments[:, 1:].T
    of_x, of_y, of_both = (xx - x * x / n).sum(), (yy - y * y / n).sum(), (xy - x * y / n).sum()
    smallest = 1e-12 * max(1.0, float(xx.sum() + yy.sum()))
    if of_x <= smallest or of_y <= smallest:
        return None
    return float(np.clip(of_both / np.sqrt(of_x * of_y), -1, 1))


def _annotator_pairs(pairs: Sequence[_Pair]) -> tuple[AnnotatorPair, ...]:
    grouped: dict[tuple[str, str], list[_Pair]] = {}
    for pair in pairs:
        grouped.setdefault((pair.first, pair.second), []).append(pair)
    return tuple(
        AnnotatorPair(
            first,
            second,
            len(of),
            _f1(np.sum([pair.counts[:2] for pair in of], axis=0)),
            _pooled_pearson(_moments(of, max(pair.unit for pair in of) + 1).sum(axis=0)),
        )
        for (first, second), of in grouped.items()
    )
