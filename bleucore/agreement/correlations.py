"""Correlations of people and a metric, over systems and over segments: undefined where a side is constant."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

import numpy as np

from bleucore.agreement.judged import tie_width
from bleucore.counts import Floats
from bleucore.optional_packages import stats

Kind = Literal["pearson", "spearman", "kendall"]
FEWEST = 3
"""Two points are always on a line."""
NORMAL_95 = 1.959963984540054


@dataclass(frozen=True)
class Correlation:
    """A correlation over systems, and how far it can be trusted.

    Attributes:
        value: -1 to 1; ``None`` where it is undefined.
        interval: 95 % interval by Fisher's transformation, of Pearson's r alone; ``None`` with fewer than 4 systems, or
            where all lie on a line.
        without: The correlation without each system, in their order, ``None`` where that is undefined; empty with
            fewer than 4 systems.
        reason: Why it is undefined, in a sentence, or ``None``.
    """

    value: float | None
    interval: tuple[float, float] | None
    without: tuple[float | None, ...]
    reason: str | None

    @property
    def range_without(self) -> tuple[float, float] | None:
        """The lowest and the highest correlation that leaving out one system gives; ``None`` where there is none."""
        known = [value for value in self.without if value is not None]
        return (min(known), max(known)) if known else None


def correlation(kind: Kind, people: Floats, metric: Floats) -> Correlation:
    """Of scores of systems (K,) by people and by a metric, both with higher better.

    Pearson's r (linear), Spearman's (of ranks) or Kendall's tau-b (of pairs, ties allowed for).
    """
    n_systems = len(people)
    reason = _why_undefined(people, metric)
    if reason is not None:
        return Correlation(None, None, (), reason)
    value = coefficient(kind, people, metric)
    rest = [np.arange(n_systems) != place for place in range(n_systems)] if n_systems > FEWEST else []
    without = tuple(coefficient(kind, people[kept], metric[kept]) for kept in rest)
    interval = fisher_interval(value, n_systems) if kind == "pearson" and value is not None else None
    return Correlation(value, interval, without, None)


def coefficient(kind: Kind, people: Floats, metric: Floats) -> float | None:
    """The coefficient of two arrays (n,); ``None`` with fewer than two, or where one of them is constant."""
    if len(people) < FEWEST - 1 or any(np.ptp(side) <= tie_width(side) for side in (people, metric)):
        return None
    return _COEFFICIENTS[kind](people, metric)


def fisher_interval(value: float, n: int) -> tuple[float, float] | None:
    """95 % interval of Pearson's r of n points: tanh(artanh r ± 1.96 / √(n - 3)) (Fisher 1921).

    ``None`` with fewer than 4 points, and where r is 1 or -1.
    """
    if n <= FEWEST or abs(value) >= 1:
        return None
    centre, reach = np.arctanh(value), NORMAL_95 / np.sqrt(n - 3)
    return float(np.tanh(centre - reach)), float(np.tanh(centre + reach))


def segment_coefficient(kind: Kind, people: Floats, metric: Floats) -> float | None:
    """Over all cells (K, S) that both have, whatever system and segment: "no grouping"."""
    known = ~np.isnan(people) & ~np.isnan(metric)
    return coefficient(kind, people[known], metric[known])


def pearson_within_segments(people: Floats, metric: Floats) -> float | None:
    """The mean over segments of Pearson's r over the systems of a segment; those that have none are left out."""
    known = ~np.isnan(people) & ~np.isnan(metric)
    numbers = np.maximum(known.sum(axis=0), 1)
    is_defined = known.any(axis=0)
    centred = []
    for side in (people, metric):
        spread = np.where(known, side, -np.inf).max(axis=0) - np.where(known, side, np.inf).min(axis=0)
        is_defined &= spread > tie_width(side[known])
        centred.append(np.where(known, side - np.where(known, side, 0.0).sum(axis=0) / numbers, 0.0))
    if not is_defined.any():
        return None
    one, other = (side[:, is_defined] for side in centred)
    found = (one * other).sum(axis=0) / np.sqrt((one**2).sum(axis=0) * (other**2).sum(axis=0))
    return float(found.mean())


def pearson_of_differences(people: Floats, metric: Floats) -> float | None:
    """Pearson's r of the differences of two systems in one segment, over all pairs and segments, both ways round.

    Both ways, so that the mean of either side is 0 and no order of systems counts; mt-metrics-eval calls it pairwise
    difference Pearson.
    """
    first, second = np.triu_indices(len(people), 1)
    by_people, by_metric = people[first] - people[second], metric[first] - metric[second]
    known = ~np.isnan(by_people) & ~np.isnan(by_metric)
    one, other = by_people[known], by_metric[known]
    return coefficient("pearson", np.concatenate([one, -one]), np.concatenate([other, -other]))


def _why_undefined(people: Floats, metric: Floats) -> str | None:
    if len(people) < FEWEST:
        return f"A correlation needs at least {FEWEST} judged systems."
    for side, who in ((people, "People give"), (metric, "The metric gives")):
        if np.ptp(side) <= tie_width(side):
            return f"{who} all systems the same score."
    return None


def _pearson(people: Floats, metric: Floats) -> float:
    return float(stats.pearsonr(people, metric).statistic)


def _spearman(people: Floats, metric: Floats) -> float:
    return float(stats.spearmanr(people, metric).statistic)


def _kendall(people: Floats, metric: Floats) -> float:
    return float(stats.kendalltau(people, metric).statistic)


_COEFFICIENTS: Mapping[Kind, Callable[[Floats, Floats], float]] = MappingProxyType(
    {"pearson": _pearson, "spearman": _spearman, "kendall": _kendall}
)
KINDS: Sequence[Kind] = tuple(_COEFFICIENTS)
