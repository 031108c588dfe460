"""Step-down max-T: p-values of pairs of systems corrected on the draws that the pairs share.

Each draw gives every pair a difference to expect by chance. How often the largest of them all reaches an observed one
says how often chance would give *any* such finding: the correction follows from the draws, which know how pairs depend
on each other, and one that no draw reaches has p = 1 / (draws + 1) among any number of pairs.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bleucore.bleu import Floats
from bleucore.significance.paired import PairedTestResult


@dataclass(frozen=True)
class FamilyPValues:
    """p-values of all pairs of K systems, corrected in the families that they are reported in.

    Attributes:
        all_pairs: (K, K), symmetric: all pairs are one family. 1 on the diagonal, as below.
        with_baseline: (K, K): those of the pairs with system b, which are one family, are in row b.
    """

    all_pairs: Floats
    with_baseline: Floats


class StepDownMaxT:
    """p-values of pairs corrected by the step-down maximum of Westfall and Young (1993), one pair after the other.

    Differences are divided by the root mean square of what the draws and the observation give, which is the standard
    error to expect without a difference: pairs vary a lot in it, and the widest would decide for all. A pair's p is
    the share of draws in which it is reached by any pair of the family that comes no later; the observation counts as
    a draw, ties count, and no p is below that of a pair that comes after.

    The chance of any false finding keeps the level in whatever order the pairs come: until the first pair without a
    true difference is found, all of those are among the pairs that can reach it. Rising differences, in standard
    errors, give the best power.
    """

    def __init__(self, names: Sequence[str], n_draws: int) -> None:
        self._index = {name: place for place, name in enumerate(names)}
        self._largest = np.zeros((len(names) + 1, n_draws))  # of the pairs with each system; the last row is of all
        self._steps: list[tuple[int, int, list[float]]] = []

    def add(self, test: PairedTestResult) -> None:
        """Take the next pair, tested on the same draws as those before; its draws are not kept."""
        one, other = self._index[test.name], self._index[test.other]
        p_values = [test.p_value] * 3
        standardised = _standardised(test)
        if standardised is not None:
            observed, drawn = standardised
            for place, family in enumerate((one, other, -1)):
                largest = np.maximum(self._largest[family], drawn, out=self._largest[family])
                n_reached = int(np.count_nonzero(largest >= observed))
                p_values[place] = max(test.p_value, (n_reached + 1) / (len(drawn) + 1))
        self._steps.append((one, other, p_values))

    def p_values(self) -> FamilyPValues:
        """Those of all pairs that were taken."""
        n_systems = len(self._index)
        all_pairs, with_baseline = np.ones((n_systems, n_systems)), np.ones((n_systems, n_systems))
        least = np.zeros(n_systems + 1)
        for one, other, p_values in reversed(self._steps):
            families = [one, other, -1]
            least[families] = np.maximum(least[families], p_values)
            with_baseline[one, other], with_baseline[other, one], all_pairs[one, other] = least[families]
            all_pairs[other, one] = all_pairs[one, other]
        for array in (all_pairs, with_baseline):
            array.flags.writeable = False
        return FamilyPValues(all_pairs, with_baseline)


def _standardised(test: PairedTestResult) -> tuple[float, Floats] | None:
    """The size of the difference and of those to expect without one, (R,), in standard errors.

    ``None`` where nothing varies: such a pair has no test and never reaches another one.
    """
    null = test.null_distribution
    squares = float(np.dot(null, null)) + test.difference**2
    error = float(np.sqrt(squares / (len(null) + 1)))
    if test.reason is not None or error <= test.rounding:
        return None
    drawn = np.abs(null)
    drawn += test.rounding
    drawn /= error
    return abs(test.difference) / error, drawn
