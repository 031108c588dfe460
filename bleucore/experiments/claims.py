"""Two claims about two recipes: this run is better than that run, and the recipe is better.

The first draws items alone: the paired test of two systems. The second draws runs as well; what it is about is the mean
score of a recipe over all runs that it could have.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import comb

import numpy as np

from bleucore.counts import Floats, Progress
from bleucore.errors import InputError
from bleucore.experiments.contrasts import Estimate, RunVariances, ScoredRuns
from bleucore.experiments.design import RunDesign
from bleucore.experiments.recipe_contrast import contrast, mean_estimate
from bleucore.significance.compared import ComparedSystems
from bleucore.significance.comparison import Comparison, PairComparison, compare
from bleucore.significance.paired import rounding
from bleucore.significance.settings import SignificanceOptions
from bleucore.values import unknown_name

FEWEST_EXCHANGED = 3
"""Runs of each recipe from which exchanges of their labels say anything: of 3 and 3 the smallest p is .1."""
MOST_EXCHANGES = 200_000
ONE_RUN_EACH = "Each recipe has one run: the test compares these runs and says nothing about the recipes."
NO_VARIANCE = "The scores do not vary: there is nothing to test."


@dataclass(frozen=True)
class LabelExchange:
    """All ways to deal the runs of two recipes to them.

    Attributes:
        p_value: The share of ways with a difference of means at least as large.
        n_ways: How many ways there are.
        smallest_p_value: What p cannot fall below.
    """

    p_value: float
    n_ways: int
    smallest_p_value: float


@dataclass(frozen=True)
class RecipeResult:
    """A recipe by itself.

    Attributes:
        recipe: Its name.
        systems: Its runs.
        mean: The mean of their scores.
        deviation: The standard deviation of their scores; ``None`` of one run.
        interval: 95 % interval of the recipe's score, items and runs drawn; ``None`` of one run, or of few units.
        estimate: With the parts of the variance.
    """

    recipe: str
    systems: tuple[str, ...]
    mean: float
    deviation: float | None
    interval: tuple[float, float] | None
    estimate: Estimate


@dataclass(frozen=True)
class RecipeClaim:
    """What can be claimed of two recipes.

    Attributes:
        recipe: The recipe.
        other: The one it is compared with.
        n_runs: How many runs each has.
        difference: The mean score of ``recipe`` minus that of ``other``.
        interval: Of the difference of the recipes, with the others of its family; ``None`` where ``reason`` says why.
        p_value: Two-sided; ``None`` as ``interval``.
        corrected_p_value: The same by Bonferroni among ``n_comparisons``, to which the interval belongs.
        estimate: With the parts of the variance.
        exchange: Exchange of the labels of runs, beside it; ``None`` from fewer than 3 runs on a side.
        reason: Why nothing is said about the recipes, or ``None``.
        pairs: Each run with each run of the other recipe, as systems: items alone are drawn.
        n_better: In how many of them the run is significantly better.
        n_worse: And worse.
        n_comparisons: Recipes compared with the baseline; all pairs of recipes where the scores chose it.
        is_unbounded: Whether one has two runs, which cannot bound how it varies, and recipes vary differently.
        shares_variance: Whether the runs of all recipes are taken to vary alike.
    """

    recipe: str
    other: str
    n_runs: tuple[int, int]
    difference: float
    interval: tuple[float, float] | None
    p_value: float | None
    corrected_p_value: float | None
    estimate: Estimate
    exchange: LabelExchange | None
    reason: str | None
    pairs: tuple[PairComparison, ...]
    n_better: int
    n_worse: int
    n_comparisons: int = 1
    is_unbounded: bool = False
    shares_variance: bool = False


@dataclass(frozen=True)
class RunStudy:
    """The runs of an experiment under one metric.

    Attributes:
        design: Which system is a run of which recipe.
        runs: Their scores, and what items add to their errors.
        recipes: Each recipe by itself, in the order of the design.
        baseline: The recipe that the others are compared with.
        baseline_is_best: Whether it is the best recipe because nobody named one.
        claims: Each other recipe compared with it.
        comparison: All runs as systems.
        level: Below it a corrected p-value is significant.
    """

    design: RunDesign
    runs: ScoredRuns
    recipes: tuple[RecipeResult, ...]
    baseline: str
    claims: tuple[RecipeClaim, ...]
    comparison: Comparison
    level: float
    baseline_is_best: bool = False

    @property
    def higher_is_better(self) -> bool:
        """Which way the score points."""
        return self.comparison.higher_is_better

    @property
    def variances(self) -> RunVariances | None:
        """Whether the runs of all recipes vary alike; ``None`` where fewer than three have several."""
        return self.runs.variances

    def is_significant(self, claim: RecipeClaim) -> bool:
        """Whether the recipes differ significantly."""
        return claim.corrected_p_value is not None and claim.corrected_p_value < self.level

    def recipe(self, name: str) -> RecipeResult:
        """The recipe of this name."""
        return next(one for one in self.recipes if one.recipe == name)


def study_runs(  # each is a choice of its own
    compared: ComparedSystems,
    design: RunDesign,
    options: SignificanceOptions | None = None,
    *,
    baseline: str | None = None,
    comparison: Comparison | None = None,
    progress: Progress | None = None,
) -> RunStudy:
    """Every recipe by itself, and compared with the baseline.

    Args:
        compared: The systems with their counts; those of the design.
        design: Which system is a run of which recipe.
        options: How runs are tested as systems, over which units, and the significance level.
        baseline: A recipe or one of its runs; the best recipe unless given. Then p-values and intervals are corrected
            for all pairs of recipes: the scores chose the pairs.
        comparison: All systems compared with each other under these options, where that is there already.
        progress: Called with the share of the work done, 0 to 1, from time to time.

    Raises:
        InputError: There is no such baseline, or no system; or documents are the unit and not known.
    """
    options = options or SignificanceOptions()
    recipes = design.recipes
    if not recipes or sorted(name for name, _ in compared.systems) != sorted(run.system for run in design.runs):
        raise InputError("these are not the runs of the design", found=len(compared.systems), expected=len(design.runs))
    named = None if baseline is None else design.recipe_of(baseline)
    if baseline is not None and named is None:
        raise unknown_name("recipe", baseline, tuple(recipes), where="The baseline", remedy="Name one of these.")
    comparison = comparison or compare(compared, options, progress=progress)
    runs = ScoredRuns.of(compared, recipes, options)
    results = tuple(recipe_result(runs, place, name, systems) for place, (name, systems) in enumerate(recipes.items()))
    base = named or _best(results, higher_is_better=comparison.higher_is_better)
    n_comparisons = comb(len(recipes), 2) if named is None else len(recipes) - 1
    claims = tuple(_claim(runs, design, comparison, name, base, n_comparisons) for name in recipes if name != base)
    return RunStudy(design, runs, results, base, claims, comparison, options.level, baseline_is_best=named is None)


def exchange_labels(first: Floats, second: Floats) -> LabelExchange | None:
    """The exact test of two sets of scores that deals them anew in all ways; ``None`` of few, or of too many ways."""
    n_first, n_all = len(first), len(first) + len(second)
    n_ways = comb(n_all, n_first)
    if min(n_first, len(second)) < FEWEST_EXCHANGED or n_ways > MOST_EXCHANGES:
        return None
    scores = np.concatenate([first, second])
    chosen = np.array(list(combinations(range(n_all), n_first)))
    sums = scores[chosen].sum(axis=1)
    differences = sums / n_first - (scores.sum() - sums) / len(second)
    observed = abs(float(first.mean() - second.mean()))
    n_reached = int(np.count_nonzero(np.abs(differences) >= observed - rounding(scores)))
    return LabelExchange(n_reached / n_ways, n_ways, (2 if n_first == len(second) else 1) / n_ways)


def _best(results: Sequence[RecipeResult], *, higher_is_better: bool) -> str:
    """The recipe with the best mean, the first of equal ones."""
    sign = 1 if higher_is_better else -1
    return max(results, key=lambda one: sign * one.mean).recipe


def recipe_result(runs: ScoredRuns, place: int, name: str, systems: Sequence[str]) -> RecipeResult:
    """A recipe by itself.

    Args:
        runs: The runs of all recipes.
        place: Of the recipe, from 0.
        name: Of the recipe.
        systems: Its runs.
    """
    found = mean_estimate(runs, place)
    scores = runs.scores[runs.rows(place)]
    has_interval = len(scores) > 1 and runs.has_intervals
    return RecipeResult(
        name,
        tuple(systems),
        found.value,
        float(scores.std(ddof=1)) if len(scores) > 1 else None,
        found.score_interval() if has_interval else None,
        found,
    )


def _claim(  # what all claims have in common, and the two recipes
    runs: ScoredRuns, design: RunDesign, comparison: Comparison, name: str, other: str, n_comparisons: int
) -> RecipeClaim:
    order = list(design.recipes)
    first, second = order.index(name), order.index(other)
    found = contrast(runs, first, second)
    sides = runs.scores[runs.rows(first)], runs.scores[runs.rows(second)]
    pairs = tuple(comparison.pair(run, against) for run in design.recipes[name] for against in design.recipes[other])
    better = [one for one in pairs if comparison.is_significant(one)]
    sign = 1 if comparison.higher_is_better else -1
    claim = RecipeClaim(
        name,
        other,
        (len(sides[0]), len(sides[1])),
        found.difference,
        interval=None,
        p_value=None,
        corrected_p_value=None,
        estimate=found.estimate,
        exchange=exchange_labels(*sides),
        reason=_why_none(runs, found.estimate, sides, comparison),
        pairs=pairs,
        n_better=sum(sign * one.difference > 0 for one in better),
        n_worse=sum(sign * one.difference < 0 for one in better),
        n_comparisons=n_comparisons,
        is_unbounded=found.is_unbounded,
        shares_variance=found.variances is not None and found.variances.are_alike,
    )
    if claim.reason is not None or found.p_value is None:
        return claim
    return replace(
        claim,
        p_value=found.p_value,
        corrected_p_value=found.corrected(n_comparisons),
        interval=found.interval(n_comparisons),
    )


def _why_none(runs: ScoredRuns, found: Estimate, sides: tuple[Floats, Floats], comparison: Comparison) -> str | None:
    if max(map(len, sides)) == 1:
        return ONE_RUN_EACH
    if not runs.has_intervals:
        return comparison.why_untested or NO_VARIANCE
    return NO_VARIANCE if found.p_value is None else None
