"""Weighted sums of the scores of runs, with a variance in which both the items and the runs are drawn.

Runs of a recipe on one test set are two crossed samples. Of a sum of scores with weights c:

- *items*: each unit's influence on the sum, squared and added up: the infinitesimal jackknife over the units that tests
  of differences exchange, with the corrections for few units of ``few_units``;
- *runs*: for each recipe the sum of c squared times s², the variance of the scores of its runs;
- both contain the *interaction*, by which the same run differs from item to item. Its variance is that of the
  influences between runs, and is subtracted once (two-way clustering: Cameron, Gelbach and Miller 2011), where that
  leaves the runs no variance below 0.

The degrees of freedom are Satterthwaite's (1946).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np

from bleucore.counts import Floats, Ints, read_only
from bleucore.experiments.variance import USUAL_COVERAGE, VarianceParts
from bleucore.optional_packages import special
from bleucore.significance.compared import ComparedSystems
from bleucore.significance.few_units import MOST_FEW, few_units_scales, influences
from bleucore.significance.paired import TIE
from bleucore.significance.settings import SignificanceOptions
from bleucore.significance.units import FEWEST_TESTED, Unit, Units

Spread: TypeAlias = tuple[float, float, int]
"""The variance of scores between runs, the part that is interaction, and the degrees of freedom."""
ALIKE_FROM = 0.2
"""p from which the variances of runs count as alike. Few runs show little, so that .05 would hardly ever find that one
recipe varies more (``runs.py``)."""
FEWEST_RESIDUALS = 3
"""Degrees of freedom from which residuals tell how runs vary."""
_FREE_OF_THREE = 2
"""The degrees of freedom of three runs."""
_NO_RECIPE, _PAIR = -1, 2


@dataclass(frozen=True)
class RunVariances:
    """Whether the runs of three recipes or more vary alike.

    Attributes:
        n_recipes: The recipes with several runs.
        n_free: Their runs less their number: the degrees of freedom of a variance that all have in common.
        p_value: Of the largest one being so large a share by chance (Cochran 1941), by Bonferroni's inequality.
    """

    n_recipes: int
    n_free: int
    p_value: float

    @property
    def are_alike(self) -> bool:
        """Whether they may count as one variance."""
        return self.p_value >= ALIKE_FROM


@dataclass(frozen=True, eq=False)
class ScoredRuns:
    """The scores of K runs, and what N units add to their errors.

    Attributes:
        names: K names of systems.
        recipes: (K,), the recipe of each, as numbers from 0.
        scores: (K,).
        errors: (K, N): the squares of a weighted sum of rows add up to the variance that items give to the sum.
        n_free: The degrees of freedom of that variance.
        n_segments: S.
        unit: What one of the units is.
        residuals: How runs vary, as ``with_residuals`` estimates it; used where no recipe has several runs.
    """

    names: tuple[str, ...]
    recipes: Ints
    scores: Floats
    errors: Floats
    n_free: float
    n_segments: int
    unit: Unit
    residuals: Spread | None = None

    @property
    def n_units(self) -> int:
        """N."""
        return int(self.errors.shape[1])

    @property
    def has_intervals(self) -> bool:
        """Whether there are enough units for an interval to mean anything."""
        return self.n_units >= FEWEST_TESTED

    @cached_property
    def spreads(self) -> Mapping[int, Spread | None]:
        """How the runs of each recipe vary, by its place; ``None`` of one run."""
        return {recipe: _spread(self, self.rows(recipe)) for recipe in sorted({int(one) for one in self.recipes})}

    @cached_property
    def variances(self) -> RunVariances | None:
        """Whether the runs of all recipes vary alike; ``None`` where fewer than three have several."""
        several = [one for one in self.spreads.values() if one is not None]
        return None if len(several) <= _PAIR else _variances(several)

    @classmethod
    def of(
        cls,
        compared: ComparedSystems,
        recipes: Mapping[str, Sequence[str]],
        options: SignificanceOptions,
    ) -> "ScoredRuns":
        """The runs of recipes among the systems compared, over the units that the options draw.

        Raises:
            InputError: Documents are asked for and unknown.
        """
        units = compared.units(options)
        recipe_of = {name: place for place, runs in enumerate(recipes.values()) for name in runs}
        columns = compared.unit_counts(units)
        scales, n_free = scales_of(units)
        return cls(
            tuple(name for name, _ in columns),
            np.array([recipe_of[name] for name, _ in columns], np.int64),
            read_only(np.array([float(compared.score(counts.sum(axis=0))) for _, counts in columns])),
            read_only(np.stack([scales * influences(counts, units.sizes, compared.score) for _, counts in columns])),
            n_free,
            compared.n_segments,
            units.kind,
        )

    def with_residuals(self, rows: Ints, settings: Floats) -> "ScoredRuns":
        """The same with the variance of runs that is left beside additive effects of settings.

        What settings do only in combination counts as variance of runs, so that the estimate is rather too large.

        Args:
            rows: (M,), the runs that were set, by their places.
            settings: (M, P), a column of 0 and 1 for each level of each factor.
        """
        left = np.eye(len(rows)) - settings @ np.linalg.pinv(settings)
        n_free = round(float(np.trace(left)))
        if n_free < FEWEST_RESIDUALS:
            return self
        scores, errors = left @ self.scores[rows], left @ self.errors[rows]
        spread = float((scores**2).sum()) / n_free, float((errors**2).sum()) / n_free, n_free
        return replace(self, residuals=spread)

    def rows(self, recipe: int) -> Ints:
        """The places of the runs of a recipe."""
        return np.flatnonzero(self.recipes == recipe)


@dataclass(frozen=True)
class Estimate:
    """A weighted sum of scores of runs.

    Attributes:
        value: The sum.
        parts: Its variance.
        borrows: Whether a recipe with one run is taken to vary as the others do.
    """

    value: float
    parts: VarianceParts
    borrows: bool

    @property
    def standard_error(self) -> float:
        """The square root of the variance."""
        return float(np.sqrt(self.parts.variance))

    def interval(self, level: float = USUAL_COVERAGE) -> tuple[float, float]:
        """Student's interval."""
        half = float(special.stdtrit(self.parts.freedom, 1 - (1 - level) / 2)) * self.standard_error
        return self.value - half, self.value + half

    def score_interval(self, level: float = USUAL_COVERAGE) -> tuple[float, float]:
        """``interval`` of the mean of one recipe; with two runs the wider of it and the root of summed squares.

        Satterthwaite's interval holds a mean of two runs in 91 % of cases where runs vary much. The root of the summed
        squares of the half-widths by items and by runs (Zou and Donner 2008) holds it in 93 to 98 % (``runs.py``).
        """
        low, high = self.interval(level)
        parts, share = self.parts, 1 - (1 - level) / 2
        if not parts.runs or parts.runs_free is None or parts.runs_free >= _FREE_OF_THREE:
            return low, high
        by_runs = float(special.stdtrit(parts.runs_free, share)) ** 2 * parts.runs
        by_items = float(special.stdtrit(parts.items_free, share)) ** 2 * (parts.items + parts.interaction)
        half = max((high - low) / 2, float(np.sqrt(by_runs + by_items)))
        return self.value - half, self.value + half

    @property
    def p_value(self) -> float | None:
        """Two-sided, of the sum being 0; ``None`` where nothing varies."""
        if self.parts.variance <= (TIE * max(1.0, abs(self.value))) ** 2:
            return None
        return float(2 * special.stdtr(self.parts.freedom, -abs(self.value) / self.standard_error))


def scales_of(units: Units) -> tuple[Floats, float]:
    """What influences of units are multiplied by, (N,), and the degrees of freedom of the variance."""
    n_units = units.n_units
    if 1 < n_units <= MOST_FEW:
        return few_units_scales(units.sizes)
    scales = np.full(n_units, np.sqrt(n_units / max(1, n_units - 1)))
    return scales, max(1.0, (units.n_effective or n_units) - 1)


def estimate(runs: ScoredRuns, weights: Floats) -> Estimate:
    """The sum of the scores of runs with these weights (K,), which are equal within a recipe."""
    used = np.flatnonzero(weights)
    seen = float(((weights[used] @ runs.errors[used]) ** 2).sum())
    found = {recipe: runs.spreads[recipe] for recipe in sorted({int(one) for one in runs.recipes[used]})}
    several = {recipe: one for recipe, one in found.items() if one is not None}
    borrows = len(several) < len(found)
    if borrows and not several:  # what the other recipes show
        several = {recipe: one for recipe, one in runs.spreads.items() if one is not None}
    if not several and runs.residuals is not None:
        several = {_NO_RECIPE: runs.residuals}
    if not several:
        return Estimate(float(weights @ runs.scores), VarianceParts(seen, 0.0, None, runs.n_free, None, 0.0), borrows)
    pooled = _pooled(list(several.values()))
    n_pooled = pooled[2]
    shares = {recipe: float((weights[runs.rows(recipe)] ** 2).sum()) for recipe in found}
    interaction = 0.0
    of_runs = []
    for recipe, own in found.items():
        variance, of_items, _ = own or pooled
        interaction += shares[recipe] * of_items
        of_runs.append(shares[recipe] * (variance - of_items))
    # a bound for each of many recipes would add up: factors were called in 1 % of cases (``factors.py``)
    bounded = sum(max(0.0, one) for one in of_runs) if len(of_runs) <= _PAIR else max(0.0, sum(of_runs))
    borrowed = sum(shares[recipe] for recipe, own in found.items() if own is None)
    # each variance with all that it stands for: a borrowed one is no further evidence
    terms = [
        ((shares.get(recipe, 0.0) + borrowed * n_free / n_pooled) * variance, n_free)
        for recipe, (variance, _, n_free) in several.items()
    ]
    spread = sum(term for term, _ in terms)
    freedom = _freedom(terms) if spread else float(n_pooled)
    interaction = min(interaction, seen)
    parts = VarianceParts(seen - interaction, interaction, bounded, runs.n_free, freedom, spread)
    return Estimate(float(weights @ runs.scores), parts, borrows)


def pooled_estimate(runs: ScoredRuns, weights: Floats) -> Estimate | None:
    """The same sum where the runs of all recipes are taken to vary alike; ``None`` where fewer than three have several.

    In families of many comparisons a recipe whose few runs happen to lie close together would often come out first.
    """
    used = np.flatnonzero(weights)
    several = [one for one in runs.spreads.values() if one is not None]
    if len(several) <= _PAIR:
        return None
    variance, of_items, n_free = _pooled(several)
    seen, share = float(((weights[used] @ runs.errors[used]) ** 2).sum()), float((weights**2).sum())
    interaction = min(share * of_items, seen)
    of_runs = max(0.0, share * (variance - of_items))
    parts = VarianceParts(seen - interaction, interaction, of_runs, runs.n_free, float(n_free), share * variance)
    borrows = any(runs.spreads[int(recipe)] is None for recipe in runs.recipes[used])
    return Estimate(float(weights @ runs.scores), parts, borrows)


def _variances(several: Sequence[Spread]) -> RunVariances:
    sums = np.array([variance * n_free for variance, _, n_free in several])
    free = np.array([n_free for _, _, n_free in several], np.float64)
    n_free, total = float(free.sum()), float(sums.sum())
    others = (total - sums) / (n_free - free)
    if total <= 0:
        return RunVariances(len(several), int(n_free), 1.0)
    ratios = np.divide(sums / free, others, out=np.full(len(sums), np.inf), where=others > TIE * total)
    p_values = special.fdtrc(free, n_free - free, ratios)
    return RunVariances(len(several), int(n_free), min(1.0, len(several) * float(p_values.min())))


def _spread(runs: ScoredRuns, rows: Ints) -> Spread | None:
    n_free = len(rows) - 1
    if n_free < 1:
        return None
    errors = runs.errors[rows]
    of_items = float(((errors - errors.mean(axis=0)) ** 2).sum()) / n_free
    return float(runs.scores[rows].var(ddof=1)), of_items, n_free


def _freedom(terms: Sequence[tuple[float, int]]) -> float:
    """Satterthwaite's degrees of freedom of a sum of variances, each with its own.

    Of many variances with few, squares of estimates are too large: of two runs three times. They are corrected by
    f / (f + 2), their expectation under the normal distribution (Welch 1947).
    """
    spread, most = sum(term for term, _ in terms), float(sum(n_free for _, n_free in terms))
    if len(terms) <= _PAIR:
        return spread**2 / sum(term**2 / n_free for term, n_free in terms)
    found = spread**2 / sum(term**2 / (n_free + 2) for term, n_free in terms) - 2
    return float(min(most, max(1.0, found)))


def _pooled(found: Sequence[Spread]) -> Spread:
    n_free = sum(free for _, _, free in found)
    return (
        sum(variance * free for variance, _, free in found) / n_free,
        sum(of_items * free for _, of_items, free in found) / n_free,
        n_free,
    )
