"""What a factor of recipes does: mean scores by level, levels compared with one of them, a curve through numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal, TypeAlias

import numpy as np

from bleucore.counts import Floats
from bleucore.experiments.claims import RunStudy
from bleucore.experiments.contrasts import Estimate, ScoredRuns, estimate
from bleucore.experiments.design import MODEL, Level, RunDesign
from bleucore.experiments.recipe_contrast import mean_weights
from bleucore.experiments.variance import USUAL_COVERAGE
from bleucore.values import unknown_name

FEWEST_OF_A_CURVE = 4
"""Levels of a curve: three always lie on one."""
CURVE_POINTS = 41
_WIDE_RANGE = 10
"""Levels whose ends are so many times apart are spaced by their logarithm."""

RunNoise: TypeAlias = Literal["runs", "residuals", "unknown"]
"""Where the variance of runs comes from: recipes with several, what additive effects leave, or nothing tells it."""
Settings: TypeAlias = tuple[tuple[str, Level], ...]
"""The levels of the other factors, by their names."""


@dataclass(frozen=True)
class LevelChange:
    """A level of a factor against another one, with all other factors the same.

    Attributes:
        level: The level.
        other: The one it is compared with.
        settings: The levels of the other factors; ``None`` for the mean over all that both levels have.
        n_settings: How many combinations of other factors that is.
        estimate: The mean of the differences, each with the other factors the same.
        interval: 95 % interval, simultaneous for ``n_comparisons``; ``None`` of fewer than six units.
        p_value: Two-sided, corrected for the same by Bonferroni; ``None`` as ``interval``, and where nothing varies.
        n_comparisons: Changes of this factor that are looked at together.
    """

    level: Level
    other: Level
    settings: Settings | None
    n_settings: int
    estimate: Estimate
    interval: tuple[float, float] | None
    p_value: float | None
    n_comparisons: int


@dataclass(frozen=True)
class FactorLevel:
    """One level of a factor.

    Attributes:
        level: What the factor is set to.
        recipes: The recipes with it.
        n_runs: Their runs.
        estimate: The mean of the scores of these recipes.
        interval: Its 95 % interval; ``None`` of fewer than six units.
        change: Against the level that others are compared with; ``None`` of that one, and where no recipes of both
            levels have all other factors the same.
    """

    level: Level
    recipes: tuple[str, ...]
    n_runs: int
    estimate: Estimate
    interval: tuple[float, float] | None
    change: LevelChange | None


@dataclass(frozen=True)
class FactorCurve:
    """A parabola through the means of the levels.

    Attributes:
        places: (P,), where it is drawn, in the units of the factor.
        means: (P,).
        low: (P,), the lower ends of 95 % intervals of the curve at each place.
        high: (P,).
        is_logarithmic: Whether levels are spaced by their logarithm.
    """

    places: Floats
    means: Floats
    low: Floats
    high: Floats
    is_logarithmic: bool


@dataclass(frozen=True)
class FactorTable:
    """What one factor does.

    Attributes:
        factor: Its name.
        other: The level that others are compared with.
        levels: In order.
        curve: Through numeric levels where there are four; else ``None``.
        noise: Where the variance of runs in intervals comes from; ``"unknown"`` where items alone vary.
        is_between_models: Whether each model has one level only, so that models differ between levels too.
    """

    factor: str
    other: Level
    levels: tuple[FactorLevel, ...]
    curve: FactorCurve | None
    noise: RunNoise
    is_between_models: bool = False

    @property
    def p_value(self) -> float | None:
        """Of no level being different from ``other``; ``None`` where none is tested."""
        tested = [one.change.p_value for one in self.levels if one.change is not None]
        return min((one for one in tested if one is not None), default=None)


def factor_tables(study: RunStudy) -> tuple[FactorTable, ...]:
    """Every factor that has several levels."""
    return tuple(factor_table(study, factor) for factor in study.design.factors)


def factor_table(study: RunStudy, factor: str, other: Level | None = None) -> FactorTable:
    """The levels of a factor; a recipe counts once, however many runs it has.

    Args:
        study: The runs.
        factor: Which has several levels.
        other: The level that others are compared with; the first unless given.

    Raises:
        InputError: There is no such factor, or no such level.
    """
    design, order = study.design, list(study.design.recipes)
    first = _level_of(design, factor, other)
    runs = scored_runs(study.runs, design)
    levels = design.factors[factor]
    changes = {one.level: one for one in mean_changes(study.runs, design, factor, first)}
    by_settings = {level: _by_settings(design, factor, level) for level in levels}
    recipes = {level: tuple(name for each in found.values() for name in each) for level, found in by_settings.items()}
    weights = np.stack([_mean_of(runs, order, recipes[level]) for level in levels])
    found = []
    for place, level in enumerate(levels):
        own = estimate(runs, weights[place])
        found.append(
            FactorLevel(
                level,
                recipes[level],
                sum(len(design.recipes[name]) for name in recipes[level]),
                own,
                own.score_interval() if runs.has_intervals else None,
                changes.get(level),
            )
        )
    is_curved = design.is_numeric(factor) and len(levels) >= FEWEST_OF_A_CURVE and runs.has_intervals
    curve = _curve(runs, np.array(levels, np.float64), weights) if is_curved else None
    between = design.is_between_models(factor)
    return FactorTable(factor, first, tuple(found), curve, _noise(study, runs), is_between_models=between)


def mean_changes(
    runs: ScoredRuns, design: RunDesign, factor: str, other: Level | None = None
) -> tuple[LevelChange, ...]:
    """Each level of a factor against one of them: the mean over the combinations of other factors that both have.

    ``single_changes`` gives the combinations one by one.

    Args:
        runs: The runs of the design, with the names of its systems.
        design: The recipes.
        factor: Which has several levels.
        other: The level that others are compared with; the first unless given.

    Raises:
        InputError: There is no such factor, or no such level.
    """
    first = _level_of(design, factor, other)
    order, runs = list(design.recipes), scored_runs(runs, design)
    by_settings = {level: _by_settings(design, factor, level) for level in design.factors[factor]}
    found = []
    for level, own in by_settings.items():
        shared = [] if level == first else [one for one in own if one in by_settings[first]]
        if shared:
            each = [_mean_of(runs, order, own[one]) - _mean_of(runs, order, by_settings[first][one]) for one in shared]
            weights = np.mean(each, axis=0)
            found.append(_change(runs, weights, (level, first), None, len(shared), len(by_settings) - 1))
    return tuple(found)


def single_changes(
    runs: ScoredRuns, design: RunDesign, factor: str, other: Level | None = None
) -> tuple[LevelChange, ...]:
    """Each level of a factor against one of them, for each single combination of other factors that both have.

    ``mean_changes`` gives their mean.

    Args:
        runs: The runs of the design, with the names of its systems.
        design: The recipes.
        factor: Which has several levels.
        other: The level that others are compared with; the first unless given.

    Raises:
        InputError: There is no such factor, or no such level.
    """
    first = _level_of(design, factor, other)
    order, runs = list(design.recipes), scored_runs(runs, design)
    base = _by_settings(design, factor, first)
    pairs = [
        (level, settings, recipes)
        for level in design.factors[factor]
        if level != first
        for settings, recipes in _by_settings(design, factor, level).items()
        if settings in base
    ]
    return tuple(
        _change(
            runs,
            _mean_of(runs, order, recipes) - _mean_of(runs, order, base[settings]),
            (level, first),
            settings,
            1,
            len(pairs),
        )
        for level, settings, recipes in pairs
    )


def scored_runs(runs: ScoredRuns, design: RunDesign) -> ScoredRuns:
    """The runs; where no recipe has several, with the variance that additive effects of the factors leave."""
    if design.has_runs:
        return runs
    factors = design.factors
    levels = {run.system: run.factors for run in design.runs}
    set_ones = [place for place, name in enumerate(runs.names) if set(factors) <= set(levels[name])]
    columns = [(factor, level) for factor, found in factors.items() for level in found]
    settings = np.zeros((len(set_ones), len(columns)))
    for (row, place), (column, (factor, level)) in product(enumerate(set_ones), enumerate(columns)):
        settings[row, column] = levels[runs.names[place]][factor] == level
    return runs.with_residuals(np.array(set_ones, np.int64), settings)


def _level_of(design: RunDesign, factor: str, other: Level | None) -> Level:
    if factor not in design.factors:
        raise unknown_name("factor", factor, tuple(design.factors), where="The axis", remedy="Name one that varies.")
    levels = design.factors[factor]
    if other is None:
        return levels[0]
    if other not in levels:
        raise unknown_name("level", str(other), tuple(map(str, levels)), where=f"The axis {factor}", remedy="Name one.")
    return other


def _by_settings(design: RunDesign, factor: str, level: Level) -> dict[Settings, list[str]]:
    """The recipes with a level, by the levels of the other factors; a model and what it determines are never others."""
    determined = {name for name in design.factors if design.is_between_models(name)}
    apart = determined if factor == MODEL else {MODEL} if factor in determined else set()
    kept = [name for name in design.factors if name != factor and name not in apart]
    found: dict[Settings, dict[str, None]] = {}
    for run in design.runs:
        if run.factors.get(factor) == level:
            others = (name for name in kept if name in run.factors)
            settings = tuple((name, run.factors[name]) for name in others)
            found.setdefault(settings, {})[run.recipe] = None
    return {settings: list(recipes) for settings, recipes in found.items()}


def _mean_of(runs: ScoredRuns, order: Sequence[str], recipes: Sequence[str]) -> Floats:
    return np.asarray(np.mean([mean_weights(runs, order.index(name)) for name in recipes], axis=0))


def _change(  # what is compared, and with how many others
    runs: ScoredRuns,
    weights: Floats,
    levels: tuple[Level, Level],
    settings: Settings | None,
    n_settings: int,
    n_comparisons: int,
) -> LevelChange:
    found = estimate(runs, weights)
    has_interval = runs.has_intervals
    p_value = found.p_value if has_interval else None
    return LevelChange(
        *levels,
        settings,
        n_settings,
        found,
        found.interval(1 - (1 - USUAL_COVERAGE) / n_comparisons) if has_interval else None,
        None if p_value is None else min(1.0, n_comparisons * p_value),
        n_comparisons,
    )


def _noise(study: RunStudy, runs: ScoredRuns) -> RunNoise:
    if study.design.has_runs:
        return "runs"
    return "unknown" if runs.residuals is None else "residuals"


def _curve(runs: ScoredRuns, levels: Floats, weights: Floats) -> FactorCurve:
    """The least-squares parabola: at each place a weighted sum of the means, and so of the scores of runs."""
    is_logarithmic = bool(levels.min() > 0 and levels.max() >= _WIDE_RANGE * levels.min())
    spaced = np.log(levels) if is_logarithmic else levels
    middle, width = spaced.mean(), np.ptp(spaced) or 1.0
    along = np.linspace(spaced.min(), spaced.max(), CURVE_POINTS)
    basis, drawn = (np.vander((each - middle) / width, 3) for each in (spaced, along))
    of_runs = drawn @ np.linalg.pinv(basis) @ weights
    estimates = [estimate(runs, row) for row in of_runs]
    ends = np.array([one.interval() for one in estimates])
    return FactorCurve(
        np.exp(along) if is_logarithmic else along,
        np.array([one.value for one in estimates]),
        ends[:, 0],
        ends[:, 1],
        is_logarithmic,
    )
