"""Mean ranks of systems over test sets, and whether they can be told apart (Friedman 1937; Demšar 2006)."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from bleucore.counts import Floats, read_only
from bleucore.optional_packages import special, stats


@dataclass(frozen=True)
class MeanRanks:
    """The ranks of K systems over N sets that all have all of them.

    Attributes:
        ranks: (K,), the mean ranks, 1 the best; equal scores share the mean of their ranks. Read-only.
        n_sets: N.
        p_value: Of equal systems, by Friedman's test, approximately: it wants some five sets or more. ``None`` for
            one system or one set.
        critical_difference: Mean ranks that are further apart are of different systems, by Nemenyi's test at the level;
            ``None`` as the p-value.
    """

    ranks: Floats
    n_sets: int
    p_value: float | None
    critical_difference: float | None


def mean_ranks(scores: NDArray[np.float64], *, higher_is_better: bool = True, level: float = 0.05) -> MeanRanks:
    """Mean ranks of scores (N, K), N at least 1 (Demšar 2006, section 3.2.2).

    The sets are taken for independent, and each counts as much as any other, however large it is.
    """
    n_sets, n_systems = scores.shape
    ranks = stats.rankdata(-scores if higher_is_better else scores, axis=1)
    means = ranks.mean(axis=0)
    if n_sets < 2 or n_systems < 2:  # noqa: PLR2004  nothing varies
        return MeanRanks(read_only(means), n_sets, None, None)
    apart = float(_quantile(n_systems, level) * np.sqrt(n_systems * (n_systems + 1) / (12 * n_sets)))
    return MeanRanks(read_only(means), n_sets, _friedman(ranks), apart)


@cache
def _quantile(n_systems: int, level: float) -> float:
    """Of the range of so many standard normal values: a tenth of a second."""
    return float(stats.studentized_range.ppf(1 - level, n_systems, np.inf))


def _friedman(ranks: Floats) -> float:
    """The p-value of ranks (N, K), ties allowed for (Conover 1999, section 5.8); 1 where all are tied."""
    n_systems = ranks.shape[1]
    spread = float((ranks**2).sum()) - len(ranks) * n_systems * (n_systems + 1) ** 2 / 4
    if spread <= 0:
        return 1.0
    between = float(((ranks.sum(axis=0) - len(ranks) * (n_systems + 1) / 2) ** 2).sum())
    return float(special.chdtrc(n_systems - 1, (n_systems - 1) * between / spread))
