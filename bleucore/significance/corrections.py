"""Many comparisons at once: corrected p-values, and groups of systems that can be told apart."""

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from types import MappingProxyType
from typing import Literal

import numpy as np

from bleucore.counts import Floats
from bleucore.errors import InputError

Correction = Literal["max-t", "holm", "benjamini-hochberg", "none"]
CORRECTIONS: tuple[Correction, ...] = ("max-t", "holm", "benjamini-hochberg", "none")
MAX_T_FACTOR = 1.5
"""What p of max-T is multiplied by where that of Holm's correction counts, too: so that a finding by either is as rare
as promised among equal systems (``make calibration``)."""


def holm(p_values: Sequence[float] | Floats) -> Floats:
    """p-values corrected so that the chance of any false finding among them keeps the level (Holm 1979).

    The j-th smallest of m is multiplied by m - j + 1; none falls below a smaller one's, none exceeds 1. Of p-values
    (..., m) each row is a family.
    """
    given = np.asarray(p_values, np.float64)
    order = np.argsort(given, axis=-1, kind="stable")
    rising = np.take_along_axis(given, order, axis=-1) * np.arange(given.shape[-1], 0, -1)
    corrected = np.empty_like(given)
    np.put_along_axis(corrected, order, np.minimum(1.0, np.maximum.accumulate(rising, axis=-1)), axis=-1)
    return corrected


def benjamini_hochberg(p_values: Sequence[float]) -> Floats:
    """p-values corrected so that of the findings a share of at most the level is false (Benjamini, Hochberg 1995)."""
    given = np.asarray(p_values, np.float64)
    falling = np.argsort(given, kind="stable")[::-1]
    shares = given[falling] * (len(given) / np.arange(len(given), 0, -1))
    corrected = np.empty_like(given)
    corrected[falling] = np.clip(np.minimum.accumulate(shares), 0.0, 1.0)
    return corrected


def _uncorrected(p_values: Sequence[float]) -> Floats:
    return np.asarray(p_values, np.float64)


OF_P_VALUES: Mapping[Correction, Callable[[Sequence[float]], Floats]] = MappingProxyType(
    {"holm": holm, "benjamini-hochberg": benjamini_hochberg, "none": _uncorrected}
)
"""Corrections that need nothing but p-values; max-t needs the draws behind them."""


def corrected(p_values: Sequence[float | None], correction: Correction) -> list[float | None]:
    """The p-values corrected as one family; ``None``, where there was no test, stays and is not counted.

    Raises:
        InputError: There is no such correction of p-values alone.
    """
    if correction not in OF_P_VALUES:
        raise InputError(
            "there is no such correction of p-values",
            found=repr(correction),
            expected=f"one of {', '.join(OF_P_VALUES)}",
        )
    made = iter(OF_P_VALUES[correction]([p for p in p_values if p is not None]).tolist())
    return [None if p is None else next(made) for p in p_values]


def by_either(of_max_t: float, of_holm: float | None) -> float:
    """The p-value corrected by max-T and by Holm: Holm's, or ``MAX_T_FACTOR`` times that of max-T if it is smaller.

    Max-T takes a pair for as unusual as its t is, and Holm's correction takes p-values alone. Where the draws of some
    pairs have longer tails than those of others, max-T can find less than Holm's correction does.

    Args:
        of_max_t: In [0, 1], or NaN without a test.
        of_holm: In [0, 1]; ``None`` without a test, which leaves the other.
    """
    return of_max_t if of_holm is None else min(MAX_T_FACTOR * of_max_t, of_holm)


def smallest_corrected(smallest: float, n_comparisons: int, correction: Correction) -> float:
    """What the corrected p-value of one of so many comparisons can fall to, if its own can fall to ``smallest``.

    Benjamini and Hochberg's falls lower where others are as small.
    """
    return min(1.0, _most_times(n_comparisons, correction) * smallest)


def draws_needed(n_comparisons: int, level: float, correction: Correction) -> int:
    """The fewest draws with which one of so many comparisons can be significant, if none reaches its difference."""
    times = _most_times(n_comparisons, correction)
    n_draws = max(1, int(times / level) - 1)
    while times / (n_draws + 1) >= level:
        n_draws += 1
    return n_draws


def _most_times(n_comparisons: int, correction: Correction) -> float:
    """What a correction multiplies the smallest p-value by; max-t reads it off the draws, whatever their number."""
    most = {"none": 1.0, "max-t": MAX_T_FACTOR}.get(correction, math.inf)
    return min(most, max(1, n_comparisons))


def rank_clusters(
    ranked: Sequence[str], is_significantly_better: Callable[[str, str], bool]
) -> tuple[tuple[str, ...], ...]:
    """Systems in groups, as in WMT's tables: each of a group is significantly better than all of the groups below.

    Args:
        ranked: System names, best score first.
        is_significantly_better: Whether the first of two systems is; asked for the better score first.
    """
    better = np.ones((len(ranked), len(ranked)), np.bool_)
    for (place, name), (below, other) in combinations(enumerate(ranked), 2):
        better[place, below] = is_significantly_better(name, other)
    clusters: list[list[str]] = []
    for place, name in enumerate(ranked):
        if not clusters or better[:place, place:].all():
            clusters.append([])
        clusters[-1].append(name)
    return tuple(tuple(cluster) for cluster in clusters)
