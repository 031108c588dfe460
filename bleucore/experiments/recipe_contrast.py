"""The difference of two recipes as it counts, and the mean of one: how the variance of runs is estimated.

Two recipes are compared with the variances of their own runs. Among three recipes with several runs, and more, one
variance of all runs counts, with as many degrees of freedom as there are runs less recipes, unless the runs of a recipe
seem to vary more: Cochran's test finds p < .2 (``RunVariances``). Then a comparison is made twice, with the variances
of its own recipes and with that of all together, and the less significant one counts: noisy recipes borrow no certainty
from others, and two runs that lie close together by chance decide nothing. With its own variances alone, a star stood
among five equal recipes of two runs in 9 of 100 leaderboards, and intervals of all pairs of ten recipes, with one
degree of freedom or two, were too wide to be of use.
"""

from dataclasses import dataclass

import numpy as np

from bleucore.counts import Floats
from bleucore.experiments.contrasts import Estimate, RunVariances, ScoredRuns, estimate, pooled_estimate
from bleucore.experiments.variance import USUAL_COVERAGE
from bleucore.significance.families import in_agreement

BORROWED = "A single run is taken to vary as the runs of the other side do."
UNBOUNDED = "Runs of some recipes seem to vary more than those of others, so two runs cannot bound this difference."
TWO_RUNS = 2


@dataclass(frozen=True)
class Contrast:
    """A recipe against another one, with the variance of items and runs.

    Attributes:
        estimate: The difference of mean scores with its variance.
        p_value: Two-sided, the larger one of both estimates; ``None`` with too few units, or where nothing varies.
        n_runs: How many runs each has.
        bound: With the variance of the runs of all recipes, where that differs from ``estimate`` and counts too.
        variances: Whether the runs of all recipes vary alike; ``None`` where fewer than three have several.
    """

    estimate: Estimate
    p_value: float | None
    n_runs: tuple[int, int]
    bound: Estimate | None = None
    variances: RunVariances | None = None

    @property
    def difference(self) -> float:
        """Of the mean scores."""
        return self.estimate.value

    @property
    def estimates(self) -> tuple[Estimate, ...]:
        """Those that count."""
        return (self.estimate,) if self.bound is None else (self.estimate, self.bound)

    @property
    def is_unbounded(self) -> bool:
        """Whether two runs cannot bound how their recipe varies, and runs of other recipes tell nothing of them."""
        return self.bound is not None and TWO_RUNS in self.n_runs

    @property
    def remark(self) -> str | None:
        """What to know beside p."""
        if self.variances is not None and self.variances.are_alike:
            return None
        told = [BORROWED] if self.estimate.borrows else []
        return " ".join([*told, UNBOUNDED] if self.is_unbounded else told) or None

    def corrected(self, n_comparisons: int) -> float | None:
        """The p-value, corrected by Bonferroni."""
        return None if self.p_value is None else min(1.0, n_comparisons * self.p_value)

    def interval(self, n_comparisons: int, p_value: float | None = None) -> tuple[float, float] | None:
        """95 % interval, simultaneous with those of so many comparisons, the wider one of both estimates.

        Args:
            n_comparisons: In the family.
            p_value: Corrected among them; by Bonferroni unless given.
        """
        if self.p_value is None:
            return None
        level = 1 - (1 - USUAL_COVERAGE) / n_comparisons
        widest = max((one.interval(level) for one in self.estimates), key=lambda ends: ends[1] - ends[0])
        return in_agreement(widest, self.difference, self.corrected(n_comparisons) if p_value is None else p_value)

    def one_sided(self, *, is_less: bool) -> float | None:
        """How probable a difference as far below 0 (or above) is without one."""
        if self.p_value is None:
            return None
        is_so = self.difference < 0 if is_less else self.difference > 0
        return self.p_value / 2 if is_so else 1 - self.p_value / 2


def contrast(runs: ScoredRuns, recipe: int, other: int) -> Contrast:
    """A recipe against another one, by their places."""
    weights = mean_weights(runs, recipe) - mean_weights(runs, other)
    found, bound = _counted(runs, weights)
    known = [one.p_value for one in (found, bound) if one is not None and one.p_value is not None]
    n_runs = len(runs.rows(recipe)), len(runs.rows(other))
    return Contrast(found, max(known) if known and runs.has_intervals else None, n_runs, bound, runs.variances)


def mean_estimate(runs: ScoredRuns, recipe: int) -> Estimate:
    """The mean score of a recipe, by its place."""
    return _counted(runs, mean_weights(runs, recipe))[0]


def mean_weights(runs: ScoredRuns, recipe: int) -> Floats:
    """The weights (K,) of the mean score of a recipe."""
    rows = runs.rows(recipe)
    weights = np.zeros(len(runs.names))
    weights[rows] = 1 / len(rows)
    return weights


def _counted(runs: ScoredRuns, weights: Floats) -> tuple[Estimate, Estimate | None]:
    """The estimate that counts; and the one that bounds it, where the runs of recipes vary differently."""
    of_all, variances = pooled_estimate(runs, weights), runs.variances
    if of_all is not None and variances is not None and variances.are_alike:
        return of_all, None
    return estimate(runs, weights), of_all
