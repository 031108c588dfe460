"""Values of drawn segments -> what they say about the whole test set, with an interval."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from bleucore.counts import Floats, Ints, read_only
from bleucore.judgements.records import Draw
from bleucore.optional_packages import special
from bleucore.significance.few_units import few_units_error
from bleucore.significance.units import FEWEST_TESTED, effective_number

FEWEST_UNITS = 2
"""One says nothing of its spread."""
MOST_EXACT = 200
"""With more units the error is that of units of one size: the other one takes the square of their number."""


@dataclass(frozen=True, eq=False)
class DrawnSegments:
    """How each of S segments came to be judged. Equal to itself alone.

    Attributes:
        weights: (S,), how many segments each stands for; 0 where it was not drawn.
        strata: (S,), among which segments it was drawn; 0 where it was not.
        units: (S,), a number for each segment or document that was drawn; -1 where it was not.
    """

    weights: Floats
    strata: Ints
    units: Ints

    @classmethod
    def of(cls, draws: Mapping[int, Draw], n_segments: int) -> "DrawnSegments":
        """From what is known of drawn segments, counted from 1; those behind the last one are left out."""
        weights, strata = np.zeros(n_segments), np.zeros(n_segments, np.int64)
        units, names = np.full(n_segments, -1), dict[str, int]()
        for segment, draw in draws.items():
            if segment <= n_segments:
                weights[segment - 1], strata[segment - 1] = draw.weight, draw.stratum
                units[segment - 1] = names.setdefault(draw.unit, len(names))
        return cls(read_only(weights), read_only(strata), read_only(units))


@dataclass(frozen=True)
class Estimate:
    """A mean over all segments, estimated from some.

    Attributes:
        value: The weighted mean.
        interval: 95 % interval by the t distribution; ``None`` from fewer than six documents or other units of several
            segments, from a single segment, or where nothing varies.
        p_value: Two-sided, that the mean is 0; ``None`` as well.
        n_segments: How many segments it is made of.
    """

    value: float
    interval: tuple[float, float] | None
    p_value: float | None
    n_segments: int


def estimated_mean(values: Floats, drawn: DrawnSegments, *, level: float = 0.95) -> Estimate | None:
    """The mean over all segments, from drawn ones, (S,), NaN where nobody judged; ``None`` where none was.

    The sum of weighted values over the sum of weights (Hájek). Its variance is that of the sum of residuals of units
    within strata, to first order (Särndal, Swensson and Wretman 1992, sections 5.5 and 5.7), as if units were drawn
    with replacement: with equal weights and one stratum it is that of the t test. Where a stratum has one unit
    only, all are taken as one.

    Args:
        values: Of each segment.
        drawn: How segments were drawn. A sample speaks for the segments of this test set, so its units are those that
            were drawn, whatever documents they are of.
        level: The share of intervals that cover the mean.
    """
    known = ~np.isnan(values) & (drawn.weights > 0)
    if not known.any():
        return None
    shares = drawn.weights[known] / drawn.weights[known].sum()
    mean = float(shares @ values[known])
    found = _standard_error(shares * (values[known] - mean), drawn.strata[known], drawn.units[known])
    return _estimate(values[known], mean, found, level)


def mean_of_all(values: Floats, groups: Ints | None = None, *, level: float = 0.95) -> Estimate | None:
    """The mean of values (S,), NaN where nobody judged, and what it says of other segments; ``None`` where none was.

    Where each segment is a unit, this is the t test; units of several sizes have the error and the degrees of freedom
    of Bell and McCaffrey (2002).

    Args:
        values: Of each segment.
        groups: (S,), the unit of each; each segment is one unless given.
        level: The share of intervals that cover the mean.
    """
    known = ~np.isnan(values)
    if not known.any():
        return None
    mean, n_segments = float(values[known].mean()), int(known.sum())
    units = np.arange(n_segments) if groups is None else np.unique(groups[known], return_inverse=True)[1]
    residuals = np.asarray(np.bincount(units, (values[known] - mean) / n_segments), np.float64)
    sizes = np.bincount(units)
    n_units = len(sizes)
    if n_units < _fewest(units):
        return Estimate(mean, None, None, n_segments)
    if n_units <= MOST_EXACT and np.ptp(sizes) > 0:
        found = few_units_error(residuals, sizes)
    else:
        error = float(np.sqrt(n_units / (n_units - 1) * (residuals**2).sum()))
        found = error, effective_number(sizes) - 1
    return _estimate(values[known], mean, found, level)


def _estimate(values: Floats, mean: float, found: tuple[float, float] | None, level: float) -> Estimate:
    """With the interval and p of a standard error and its degrees of freedom."""
    n_segments = len(values)
    if found is None or found[0] <= np.finfo(float).eps * max(1.0, float(np.abs(values).max())):
        return Estimate(mean, None, None, n_segments)
    error, freedom = found
    half = float(special.stdtrit(freedom, (1 + level) / 2)) * error
    p_value = float(2 * special.stdtr(freedom, -abs(mean) / error))
    return Estimate(mean, (mean - half, mean + half), p_value, n_segments)


def _fewest(units: Ints) -> int:
    """How many units an interval takes."""
    return FEWEST_UNITS if len(np.unique(units)) == len(units) else FEWEST_TESTED


def _standard_error(residuals: Floats, strata: Ints, units: Ints) -> tuple[float, float] | None:
    """Of the sum of residuals (n,), with its degrees of freedom; ``None`` from too few units."""
    _, first, unit = np.unique(units, return_index=True, return_inverse=True)
    sums = np.bincount(unit, residuals)
    of_unit = strata[first]
    _, of_unit, sizes = np.unique(of_unit, return_inverse=True, return_counts=True)
    if (sizes < FEWEST_UNITS).any():
        of_unit, sizes = np.zeros_like(of_unit), np.array([len(sums)])
    if len(sums) < _fewest(units):
        return None
    apart = sums - (np.bincount(of_unit, sums) / sizes)[of_unit]
    variance = (sizes / (sizes - 1) * np.bincount(of_unit, apart**2)).sum()
    return float(np.sqrt(variance)), len(sums) - len(sizes)
