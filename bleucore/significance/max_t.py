"""Step-down max-T: p-values of pairs of systems corrected on the draws that the pairs share.

Each draw gives every pair a difference to expect by chance. How often the largest of them all reaches an observed one
says how often chance would give *any* such finding: the correction follows from the draws, which know how pairs depend
on each other, and one that no draw reaches has p = 1 / (draws + 1) among any number of pairs.
"""

from collections.abc import Iterable, Sequence
from itertools import islice, pairwise

import numpy as np
from numpy.typing import NDArray

from bleucore.counts import Floats
from bleucore.significance.paired import PairedTestResult

TESTS_AT_ONCE = 16


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
    remaining = iter(tests)
    while some := list(islice(remaining, TESTS_AT_ONCE)):
        found = np.array([test.p_value for test in some])
        observed, drawn, varies = _standardised(some)
        if varies.any():
            if largest is not None:
                np.maximum(drawn[0], largest, out=drawn[0])
            for before, row in pairwise(drawn):  # many times as fast as np.maximum.accumulate
                np.maximum(row, before, out=row)
            largest = drawn[-1].copy()
            n_reached = np.count_nonzero(drawn >= observed[:, None], axis=1)
            found[varies] = np.maximum(found, (n_reached + 1) / (drawn.shape[1] + 1))[varies]
        p_values.extend(found.tolist())
    not_below: list[float] = np.maximum.accumulate(p_values[::-1])[::-1].tolist()
    return not_below


def _standardised(tests: Sequence[PairedTestResult]) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Sizes of the differences (N,) and of those to expect without one (N, R), in standard errors; and which vary (N,).

    Where nothing varies there is no test: such a pair never reaches another one.
    """
    drawn = np.abs([test.null_distribution for test in tests])
    observed = np.array([abs(test.difference) for test in tests], np.float64)
    rounded_off = np.array([test.rounding for test in tests])
    errors = np.sqrt((np.vecdot(drawn, drawn) + observed**2) / (drawn.shape[1] + 1))
    varies = np.array([test.reason is None for test in tests]) & (errors > rounded_off)
    drawn += rounded_off[:, None]
    drawn /= np.where(varies, errors, np.inf)[:, None]
    observed[varies] /= errors[varies]
    return observed, drawn, varies
