"""What each unit adds to the error of a score.

A score is near to linear in its units: the influence of a unit is taken from the score without that unit (the
jackknife, Efron and Tibshirani 1993, chapter 11).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bleucore.counts import Floats, Score
from bleucore.significance.paired import rounding


def influences(counts: NDArray[Any], score: Score) -> Floats:
    """What each segment of counts (S, C) adds to the error of the score, (S,), on the scale of one segment."""
    sums = counts.sum(axis=0)
    without = score((sums - counts).astype(np.float64))
    if np.ptp(without) <= rounding(without):
        return np.zeros(len(counts))
    return np.asarray(len(counts) * (without.mean() - without))
