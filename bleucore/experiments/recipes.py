"""Recipes in place of systems: each stands with the mean of its runs, and differences include the variance of runs.

Leaderboards and histories compare systems. Where some of these have several runs, comparisons with them are by
Satterthwaite's t with the variance of items and runs (``recipe_contrast``). Comparisons of single runs
stay as they are.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType

import numpy as np

from bleucore.counts import Floats, Progress, read_only
from bleucore.errors import InputError
from bleucore.experiments.claims import RecipeResult, recipe_result
from bleucore.experiments.contrasts import ScoredRuns
from bleucore.experiments.recipe_contrast import Contrast, contrast
from bleucore.significance.compared import ComparedSystems
from bleucore.significance.comparison import Comparison, PairComparison, compare
from bleucore.significance.settings import SignificanceOptions


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
        if (name, other) not in self._contrasts:
            order = list(self.runs)
            self._contrasts[name, other] = contrast(self.scored, order.index(name), order.index(other))
        return self._contrasts[name, other]

    @cached_property
    def _contrasts(self) -> dict[tuple[str, str], Contrast]:
        return {}


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
    return by_recipes(found, of) if of.has_several(*recipes) else found


def by_recipes(comparison: Comparison, of: Recipes) -> Comparison:
    """A comparison of the mean counts of recipes with what their runs say of scores and pairs."""
    intervals = {name: one.interval for name, one in of.results.items() if of.has_several(name)}
    n_pairs = math.comb(len(of.runs), 2) if comparison.has_all_pairs else len(of.runs) - 1

    def revised(one: PairComparison, n_comparisons: int) -> PairComparison:
        found = of.contrast(one.name, one.other) if comparison.is_tested else None
        if found is None:
            return one
        return replace(
            one,
            difference=found.difference,
            interval=found.interval(n_comparisons),
            p_value=found.p_value,
            corrected_p_value=found.corrected(n_comparisons),
            smallest_detectable=None,
            n_needed=None,
            smallest_p_value=None,
            standard_error=None,
            remark=found.remark if found.p_value is not None else one.remark,
            n_comparisons=n_comparisons,
            family="all" if one.family == "best" else one.family,
            n_runs=found.n_runs,
        )

    return comparison.revised(of.means, intervals, revised, n_pairs)
