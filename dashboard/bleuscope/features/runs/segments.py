"""How many runs of the recipes of A and B got each segment right, or beat the mean of the other recipe there."""

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from bleucore import BleuOptions, Evaluation, TestSet
from bleucore.counts import Floats
from bleucore.experiments.design import RunDesign
from bleucore.experiments.segment_runs import Bools, are_short_answers, right_answers, runs_above_mean, runs_right
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.segments.feature_numbers import FeatureNumbers
from bleuscope.features.runs.words import RIGHT, above_heading, above_meaning, above_told, right_told
from bleuscope.runtime.kept import kept

MOST = 8
"""Comparisons whose numbers are kept."""


@kept(
    most=MOST,
    key=lambda study: (study.evaluation.digest, study.options, study.metric.options, study.sides, study.by_hand),
)
def find(study: ComparisonContext) -> FeatureNumbers | None:
    """What runs did on each segment; ``None`` where neither A nor B has several, or nothing can be counted."""
    design = study.design
    recipes = [_recipe_of(design, name) for name in study.sides]
    if all(len(design.recipes[recipe]) == 1 for recipe in recipes):
        return None
    runs = [design.recipes[recipe] for recipe in recipes]
    right = _right(study.test_set, study.evaluation)
    if are_short_answers(right):
        return _right_numbers(recipes, runs, right)
    return None if len({*recipes}) == 1 else _above_numbers(study, recipes, runs)


@kept(most=MOST, key=lambda _, evaluation: (evaluation.digest, evaluation.options))
def _right(test_set: TestSet, evaluation: Evaluation) -> Mapping[str, Bools]:
    options: BleuOptions = evaluation.options
    return right_answers(test_set, {name: one.counts for name, one in evaluation.bleu.systems.items()}, options)


def _recipe_of(design: RunDesign, system: str) -> str:
    return next(run.recipe for run in design.runs if run.system == system)


def _right_numbers(recipes: Sequence[str], runs: Sequence[Sequence[str]], right: Mapping[str, Bools]) -> FeatureNumbers:
    counts = [runs_right(right, one).astype(np.float64) for one in runs]
    of_sides = dict(zip(("runs_a", "runs_b"), counts, strict=False))
    sizes = [len(one) for one in runs]
    headings = {
        f"runs_{side}": f"runs right {side.upper()}, of {size}" for side, size in zip("ab", sizes, strict=False)
    }
    shown = 1 if len({*recipes}) == 1 else len(recipes)
    return FeatureNumbers(of_sides, headings, partial(_right_in, counts[:shown], sizes), RIGHT)


def _right_in(counts: Sequence[Floats], sizes: Sequence[int], segment: int) -> str:
    return right_told([(int(count[segment]), size) for count, size in zip(counts, sizes, strict=False)])


def _above_numbers(study: ComparisonContext, recipes: Sequence[str], runs: Sequence[Sequence[str]]) -> FeatureNumbers:
    scores = [[study.metric.known_segment_scores(name) for name in one] for one in runs]
    is_better = study.metric.higher_is_better
    counts = {
        "runs_a": runs_above_mean(scores[0], scores[1], higher_is_better=is_better),
        "runs_b": runs_above_mean(scores[1], scores[0], higher_is_better=is_better),
    }
    headings = {
        f"runs_{side}": above_heading(side, len(own), len(other))
        for side, own, other in zip("ab", runs, runs[::-1], strict=True)
    }
    told = partial(_above_in, counts["runs_a"], len(runs[0]), recipes[1], len(runs[1]))
    return FeatureNumbers(counts, headings, told, above_meaning(recipes, runs, study.metric.name))


def _above_in(counts: Floats, n_runs: int, other: str, n_others: int, segment: int) -> str:
    count = counts[segment]
    return "" if np.isnan(count) else above_told(int(count), n_runs, other, n_others)
