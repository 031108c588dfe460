"""What a factor of recipes does: mean scores by level, and a curve where its levels are numbers."""

from dataclasses import dataclass

import numpy as np

from bleucore.counts import Floats
from bleucore.experiments.claims import RunStudy, mean_weights
from bleucore.experiments.contrasts import Estimate, estimate
from bleucore.experiments.design import Level

FEWEST_OF_A_CURVE = 4
"""Levels of a curve: three always lie on one."""
CURVE_POINTS = 41
_WIDE_RANGE = 10
"""Levels whose ends are so many times apart are spaced by their logarithm."""


@dataclass(frozen=True)
class FactorLevel:
    """One level of a factor.

    Attributes:
        level: What the factor is set to.
        recipes: The recipes with it.
        n_runs: Their runs.
        estimate: The mean of the scores of these recipes.
        interval: Its 95 % interval; ``None`` of fewer than six units.
        change: The mean minus that of the first level, on the same items; ``None`` of the first.
        change_interval: 95 % interval of ``change``; ``None`` as ``interval``.
    """

    level: Level
    recipes: tuple[str, ...]
    n_runs: int
    estimate: Estimate
    interval: tuple[float, float] | None
    change: float | None
    change_interval: tuple[float, float] | None


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
        levels: In order.
        curve: Through numeric levels where there are four; else ``None``.
        knows_runs: Whether intervals contain the variance of runs; else each recipe has one run, and items alone vary.
    """

    factor: str
    levels: tuple[FactorLevel, ...]
    curve: FactorCurve | None
    knows_runs: bool


def factor_tables(study: RunStudy) -> tuple[FactorTable, ...]:
    """Every factor that has several levels."""
    return tuple(factor_table(study, factor) for factor in study.design.factors)


def factor_table(study: RunStudy, factor: str) -> FactorTable:
    """The levels of a factor; a recipe counts once, however many runs it has."""
    runs, order = study.runs, list(study.design.recipes)
    levels = study.design.factors[factor]
    recipes = {
        level: tuple(dict.fromkeys(run.recipe for run in study.design.runs if run.factors.get(factor) == level))
        for level in levels
    }
    weights = np.stack(
        [np.mean([mean_weights(runs, order.index(name)) for name in recipes[level]], axis=0) for level in levels]
    )
    found = []
    for place, level in enumerate(levels):
        own = estimate(runs, weights[place])
        change = estimate(runs, weights[place] - weights[0]) if place else None
        found.append(
            FactorLevel(
                level,
                recipes[level],
                sum(len(study.design.recipes[name]) for name in recipes[level]),
                own,
                own.score_interval() if runs.has_intervals else None,
                None if change is None else change.value,
                None if change is None or not runs.has_intervals else change.interval(),
            )
        )
    is_curved = study.design.is_numeric(factor) and len(levels) >= FEWEST_OF_A_CURVE and runs.has_intervals
    curve = _curve(study, np.array(levels, np.float64), weights) if is_curved else None
    return FactorTable(factor, tuple(found), curve, study.design.has_runs)


def _curve(study: RunStudy, levels: Floats, weights: Floats) -> FactorCurve:
    """The least-squares parabola: at each place a weighted sum of the means, and so of the scores of runs."""
    is_logarithmic = bool(levels.min() > 0 and levels.max() >= _WIDE_RANGE * levels.min())
    spaced = np.log(levels) if is_logarithmic else levels
    middle, width = spaced.mean(), np.ptp(spaced) or 1.0
    along = np.linspace(spaced.min(), spaced.max(), CURVE_POINTS)
    basis, drawn = (np.vander((each - middle) / width, 3) for each in (spaced, along))
    of_runs = drawn @ np.linalg.pinv(basis) @ weights
    estimates = [estimate(study.runs, row) for row in of_runs]
    ends = np.array([one.interval() for one in estimates])
    return FactorCurve(
        np.exp(along) if is_logarithmic else along,
        np.array([one.value for one in estimates]),
        ends[:, 0],
        ends[:, 1],
        is_logarithmic,
    )
