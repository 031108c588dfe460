"""Step-down max-T: p-values of pairs of systems corrected on the draws that the pairs share.

Each draw gives every pair a difference to expect by chance. How often the largest of them all reaches an observed one
says how often chance would give *any* such finding: the correction follows from the draws, which know how pairs depend
on each other, and one that no draw reaches has p = 1 / (draws + 1) among any number of pairs.
"""

import math
from collections.abc import Iterable

import numpy as np

from bleucore.counts import Floats
from bleucore.significance.paired import PairedTestResult


def step_down_max_t(tests: Iterable[PairedTestResult]) -> list[float]:
    """The p-values of a family of pairs corrected by the step-down maximum of Westfall and Young (1993), in its order.

    Differences are divided by the root mean square of what the draws and the observation give, which is the standard
    error to expect without a difference: pairs vary a lot in it, and the widest would decide for all. A pair's p is
    the share of draws in which it is reached by any pair of the family that comes no later; the observation counts as
    a draw, ties count, and no p is below that of a pair that comes after. A pair without a test keeps its p, and holds
    up no other.

    The chance of any false finding keeps the level in whatever order the pairs come: until the first pair without a
    true difference is found, all of those are among the pairs that can reach it. Rising differences, in standard
    errors, give the best power.

    Args:
        tests: Of the same draws. Their null distributions are not kept.
    """
    p_values: list[float] = []
    largest: Floats | None = None
    for test in tests:
        p_values.append(test.p_value)
        drawn, error = _standardised(test)
        if test.reason is not None or error <= test.rounding:
            continue  # nothing varies: there is no test, and such a pair never reaches another one
        largest = drawn if largest is None else np.maximum(drawn, largest, out=drawn)
        n_reached = int(np.count_nonzero(largest >= abs(test.difference) / error))
        p_values[-1] = max(test.p_value, (n_reached + 1) / (len(largest) + 1))
    not_below: list[float] = np.maximum.accumulate(p_values[::-1])[::-1].tolist()
    return not_below


def _standardised(test: PairedTestResult) -> tuple[Floats, float]:
    """Sizes of the differences to expect by chance (R,), in standard errors, and that error."""
    drawn: Floats = np.abs(test.null_distribution)
    error = math.sqrt((float(drawn @ drawn) + test.difference * test.difference) / (len(drawn) + 1))
    drawn += test.rounding
    if error:
        drawn /= error
    return drawn, error
