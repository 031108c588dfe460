"""Recipes in place of systems: each stands with the mean of its runs, and differences include the variance of runs.

Leaderboards and histories compare systems. Where some of these have several runs, comparisons with them are by
Satterthwaite's t with the variance of items and runs (``contrasts``). Comparisons of single runs stay as they are.

Among three recipes with several runs, and more, a comparison is made twice: with the variances of its own recipes, and
with that of all recipes together. The less significant one counts. With its own alone, a star stood among five equal
recipes of two runs in 9 of 100 leaderboards, because two runs lie close together by chance; with all alone, noisy
recipes would borrow certainty from others.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType

import numpy as np

from bleucore.counts import Floats, Progress, read_only
from bleucore.errors import InputError
from bleucore.experiments.claims import RecipeResult, mean_weights, recipe_result
from bleucore.experiments.contrasts import Estimate, ScoredRuns, estimate, pooled_estimate
from bleucore.experiments.variance import USUAL_COVERAGE
from bleucore.significance.compared import ComparedSystems
from bleucore.significance.comparison import Comparison, PairComparison, compare
from bleucore.significance.families import in_agreement
from bleucore.significance.settings import SignificanceOptions

BORROWED = "A single run is taken to vary as the runs of the other side do."


@dataclass(frozen=True)
class Contrast:
    """A recipe against another one, with the variance of items and runs.

    Attributes:
        estimate: The difference of mean scores with its variance.
        p_value: Two-sided, the larger one of both estimates; ``None`` with too few units, or where nothing varies.
        n_runs: How many runs each has.
        pooled: With the variance of the runs of all recipes; ``None`` where fewer than three have several.
    """

    estimate: Estimate
    p_value: float | None
    n_runs: tuple[int, int]
    pooled: Estimate | None = None

    @property
    def difference(self) -> float:
        """Of the mean scores."""
        return self.estimate.value

    @property
    def remark(self) -> str | None:
        """What to know beside p."""
        return BORROWED if self.estimate.borrows else None

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
        both = [one.interval(level) for one in (self.estimate, self.pooled) if one is not None]
        widest = max(both, key=lambda ends: ends[1] - ends[0])
        return in_agreement(widest, self.difference, self.corrected(n_comparisons) if p_value is None else p_value)

    def one_sided(self, *, is_less: bool) -> float | None:
        """How probable a difference as far below 0 (or above) is without one."""
        if self.p_value is None:
            return None
        is_so = self.difference < 0 if is_less else self.difference > 0
        return self.p_value / 2 if is_so else 1 - self.p_value / 2


@dataclass(frozen=True, eq=False)
class Recipes:
    """K recipes, some of which have several runs.

    Attributes:
        runs: The names of the runs of each recipe, in order.
        scored: Their scores, and what units add to their errors.
    """

    runs: Mapping[str, tuple[str, ...]]
    scored: ScoredRuns

    @classmethod
    def of(
        cls, compared: ComparedSystems, recipes: Mapping[str, Sequence[str]], options: SignificanceOptions
    ) -> "Recipes":
        """The recipes of runs with counts.

        Raises:
            InputError: The runs are not those of the recipes, or documents are asked for and unknown.
        """
        runs = MappingProxyType({name: tuple(given) for name, given in recipes.items()})
        refuse_other_runs(compared, runs)
        return cls(runs, ScoredRuns.of(compared, runs, options))

    @cached_property
    def results(self) -> Mapping[str, RecipeResult]:
        """Each recipe by itself."""
        found = (recipe_result(self.scored, place, name, runs) for place, (name, runs) in enumerate(self.runs.items()))
        return MappingProxyType({one.recipe: one for one in found})

    @property
    def means(self) -> Floats:
        """The mean score of each recipe, (K,)."""
        return read_only(np.array([one.mean for one in self.results.values()]))

    def has_several(self, *names: str) -> bool:
        """Whether one of these recipes has several runs."""
        return any(len(self.runs[name]) > 1 for name in names)

    def contrast(self, name: str, other: str) -> Contrast | None:
        """The first against the second; ``None`` of two recipes with one run each, whose runs can be compared only."""
        if not self.has_several(name, other):
            return None
        order = list(self.runs)
        weights = [mean_weights(self.scored, order.index(one)) for one in (name, other)]
        found = estimate(self.scored, weights[0] - weights[1])
        of_all = pooled_estimate(self.scored, weights[0] - weights[1])
        both = [one.p_value for one in (found, of_all) if one is not None]
        known = [one for one in both if one is not None]
        p_value = max(known) if known and self.scored.has_intervals else None
        return Contrast(found, p_value, (len(self.runs[name]), len(self.runs[other])), of_all)


def refuse_other_runs(compared: ComparedSystems, recipes: Mapping[str, Sequence[str]]) -> None:
    """Refuse recipes whose runs are not the systems compared.

    Raises:
        InputError: They are others, or more than one recipe has a run.
    """
    named = [name for runs in recipes.values() for name in runs]
    if sorted(named) != sorted(name for name, _ in compared.systems) or not all(recipes.values()):
        raise InputError("these are not the runs of the recipes", found=len(named), expected=len(compared.systems))


def pooled(compared: ComparedSystems, recipes: Mapping[str, Sequence[str]]) -> ComparedSystems:
    """Each recipe as one system, with the mean counts of its runs: what draws and tests of items need."""
    refuse_other_runs(compared, recipes)
    counts = dict(compared.systems)
    return replace(
        compared,
        systems=[
            (name, counts[runs[0]] if len(runs) == 1 else np.mean([counts[run] for run in runs], axis=0))
            for name, runs in recipes.items()
        ],
    )


def compare_recipes(
    compared: ComparedSystems,
    recipes: Mapping[str, Sequence[str]],
    options: SignificanceOptions | None = None,
    *,
    progress: Progress | None = None,
) -> Comparison:
    """All pairs of recipes, as ``compare`` has systems.

    A pair in which one has several runs is a claim about recipes: items and runs vary, and p is corrected for all pairs
    (or for those with the baseline) by Bonferroni. Of a pair with one run each, the runs are compared.

    Args:
        compared: The runs with their counts.
        recipes: The runs of each recipe, by its name.
        options: How to test.
        progress: Called with the share of the work done, 0 to 1, from time to time.

    Raises:
        InputError: The runs are not those of the recipes, or documents are the unit and not known.
    """
    options = options or SignificanceOptions()
    found = compare(pooled(compared, recipes), options, progress=progress)
    of = Recipes.of(compared, recipes, options)
    if not of.has_several(*recipes):
        return found
    intervals = {name: one.interval for name, one in of.results.items() if of.has_several(name)}
    n_pairs = math.comb(len(recipes), 2)

    def revised(one: PairComparison, n_comparisons: int) -> PairComparison:
        contrast = of.contrast(one.name, one.other)
        if contrast is None:
            return one
        return replace(
            one,
            difference=contrast.difference,
            interval=contrast.interval(n_comparisons),
            p_value=contrast.p_value,
            corrected_p_value=contrast.corrected(n_comparisons),
            smallest_detectable=None,
            n_needed=None,
            smallest_p_value=None,
            standard_error=None,
            remark=contrast.remark if contrast.p_value is not None else one.remark,
            n_comparisons=n_comparisons,
            family="all" if one.family == "best" else one.family,
            n_runs=contrast.n_runs,
        )

    return found.revised(of.means, intervals, revised, n_pairs)
