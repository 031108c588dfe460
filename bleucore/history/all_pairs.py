"""How clearly versions differ, corrected for all pairs of them: whoever looks for the best looks at every pair.

Single-step max-T (Westfall and Young 1993) on linearised scores: an exchange of a unit turns the sign of what it adds
to the difference of two scores, so that a sum of K rows gives every pair its difference by chance.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bleucore.counts import Floats, Score
from bleucore.significance import SignificanceOptions
from bleucore.significance.draws import NamedCounts
from bleucore.significance.exchanges import exchanges
from bleucore.significance.paired import TIE
from bleucore.significance.units import FEWEST_TESTED, Units


@dataclass(frozen=True, eq=False)
class AllPairs:
    """Every pair of K versions in standard errors of the exchanges of units.

    Attributes:
        t_values: (K, K), of the differences; 0 where two versions have the same counts.
        largest: (R,), the largest of all pairs in each exchange, rising.
    """

    t_values: Floats
    largest: NDArray[np.float32]

    def p_values_with(self, version: int) -> Floats:
        """For each version, how often any pair differs as much by chance as it does from this one, (K,)."""
        return self._p_values(self.t_values[version])

    @property
    def smallest_p_value(self) -> float:
        """Of the pair that differs most clearly."""
        return float(self._p_values(self.t_values.max(keepdims=True).ravel())[0])

    def _p_values(self, t_values: Floats) -> Floats:
        n_reached = len(self.largest) - np.searchsorted(self.largest, t_values * (1 - 1e-6), side="left")
        return np.where(t_values > 0, (n_reached + 1) / (len(self.largest) + 1), 1.0)


def all_pairs(
    counts: Sequence[NamedCounts], score: Score, options: SignificanceOptions, units: Units
) -> AllPairs | None:
    """The pairs of versions with counts (N, C) of the same units; ``None`` from too few of these to test.

    A unit adds to a score what the score falls by with the mean counts of all versions instead of its own. As many
    exchanges are drawn as there are resamples in the options, or all where these are fewer.
    """
    if units.n_units < FEWEST_TESTED:
        return None
    mean = np.mean([column for _, column in counts], axis=0)
    sums = [column.sum(axis=0) for _, column in counts]
    scores = np.array([float(score(one.astype(np.float64))) for one in sums])
    added = np.stack(
        [
            whole - score((one - column + mean).astype(np.float64))
            for whole, one, (_, column) in zip(scores, sums, counts, strict=True)
        ]
    )
    drawn = exchanges(
        [(name, row[:, None]) for (name, _), row in zip(counts, added, strict=True)],
        lambda column: column[..., 0],
        replace(options, trials=options.n_resamples),
        units.kind,
    )
    moved = ((drawn.sums - drawn.sums[0]) - 2 * drawn.exchanged[:, 0]).astype(np.float32)
    covariances = added @ added.T
    own = np.diag(covariances)
    variances = own[:, None] + own - 2 * covariances
    varies = variances > TIE * (own[:, None] + own)
    scales = np.zeros_like(variances)
    scales[varies] = 1 / np.sqrt(variances[varies])
    largest = np.zeros(moved.shape[1], np.float32)
    for index in range(len(moved) - 1):
        apart = moved[index + 1 :] - moved[index]
        np.abs(apart, out=apart)
        apart *= scales[index, index + 1 :, None].astype(np.float32)
        np.maximum(largest, apart.max(axis=0), out=largest)
    largest.sort()
    return AllPairs(np.abs(scores[:, None] - scores) * scales, largest)
