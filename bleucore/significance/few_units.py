"""Intervals of scores from few units, where percentiles of resamples are too narrow."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bleucore.counts import Floats, Ints, Score
from bleucore.optional_packages import special
from bleucore.significance.paired import TIE

MOST_FEW = 60
"""With more units expanded percentiles cover as often as these intervals do. Of 13 to 30 documents they hold the true
score in 92.7 to 96.6 %, and these intervals in 93.7 to 96.3 % (``make calibration``)."""
SIZE_POWER = 1.5
"""The variance of a unit's sum goes with its size to this power: 1 if segments are independent, 2 if they vary as one.
Those of documents are between both, and intervals cover most nearly what they say (``make calibration``)."""


def few_units_interval(
    counts: NDArray[Any], sizes: Ints, score: Score, *, level: float = 0.95
) -> tuple[float, float] | None:
    """The interval of a score from few units of unequal size; ``None`` where the units do not vary.

    The variance is the bias-reduced one of Bell and McCaffrey (2002), known as CR2, and the quantile is Student's with
    their degrees of freedom. Both take the variance of a unit's sum as proportional to ``size ** SIZE_POWER``.

    Args:
        counts: (N, C), of one system, with N of at least 2.
        sizes: (N,), the segments of each unit.
        score: Of counts (..., C): (...).
        level: The share of intervals that cover the true score.
    """
    sums = counts.sum(axis=0).astype(np.float64)
    whole = float(score(sums))
    residuals = influences(counts, sizes, score)
    if float(np.abs(residuals).max()) <= TIE * abs(whole):
        return None
    error, freedom = few_units_error(residuals, sizes)
    half = float(special.stdtrit(freedom, 1 - (1 - level) / 2)) * error
    return whole - half, whole + half


def few_units_error(residuals: Floats, sizes: Ints) -> tuple[float, float]:
    """The standard error of a sum of residuals of units (N,), and its degrees of freedom; as ``few_units_interval``.

    Of units of one size they are those of the t test.
    """
    scales, freedom = few_units_scales(sizes)
    return float(np.sqrt(((scales * residuals) ** 2).sum())), freedom


def few_units_scales(sizes: Ints) -> tuple[Floats, float]:
    """What residuals of units (N,) are multiplied by, so that their squares add up to the variance of their sum.

    The degrees of freedom are the second.
    """
    shares = sizes / sizes.sum()
    # residuals r = (I - w 1') e are scaled to the variances that the errors e have before a common mean is taken off
    left = np.eye(len(shares)) - shares[:, None]
    deviations = shares ** (SIZE_POWER / 2)
    scales: Floats = deviations / np.sqrt((left**2) @ deviations**2)
    spread = scales[:, None] * left * deviations
    products = spread.T @ spread
    return scales, max(1.0, float(np.trace(products)) ** 2 / float((products**2).sum()))


def influences(counts: NDArray[Any], sizes: Ints, score: Score) -> Floats:
    """What each unit adds to the error of the score, (N,), to first order: its sum is near to 0.

    Args:
        counts: (N, C), of one system.
        sizes: (N,), the segments of each unit.
        score: Of counts (..., C): (...).
    """
    step = 1e-3
    sums = counts.sum(axis=0).astype(np.float64)
    moved = counts - (sizes / sizes.sum())[:, None] * sums
    return np.asarray((score(sums + step * moved) - score(sums - step * moved)) / (2 * step))
