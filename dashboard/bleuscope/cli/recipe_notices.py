"""What commands about systems say of recipes, where an option tells which systems are runs of one."""

from collections.abc import Iterator, Mapping
from statistics import fmean, stdev

from bleucore import Evaluation, MetricEvaluation
from bleuscope.cli.by_hand import runs_among
from bleuscope.cli.shared_options import named_metrics
from bleuscope.cli.streams import notice
from bleuscope.content.style import numbers

RUNS_ALONE = "Each run is compared by itself. To compare recipes: bleuscope runs."
"""What is said of commands that compare systems and no recipes."""


def say_recipes(evaluation: Evaluation, of_features: Mapping[str, object]) -> None:
    """Say the mean of each recipe that an option names, and that systems are compared.

    Args:
        evaluation: Of the systems.
        of_features: What options of features come to.

    Raises:
        InputError: There is no such system, or no recipe is named.
    """
    recipes = runs_among(evaluation.names, of_features)
    for said in recipes_told(evaluation, recipes):
        notice(said)
    if recipes:
        notice(RUNS_ALONE)


def recipes_told(evaluation: Evaluation, recipes: Mapping[str, str]) -> Iterator[str]:
    """The mean and the standard deviation of the runs of each recipe, in every metric: "small: 2 runs: 36.1 ± 0.4".

    Args:
        evaluation: Of the systems.
        recipes: Of some of them.
    """
    for recipe in dict.fromkeys(recipes.values()):
        runs = [system for system in evaluation.names if recipes.get(system) == recipe]
        for metric in named(evaluation):
            scores = [metric.systems[run].score for run in runs if metric.has_score(run)]
            if scores:
                deviation = stdev(scores) if len(scores) > 1 else None
                yield f"{recipe}: {numbers.runs_told(len(scores), fmean(scores), deviation)} {metric.name}"


def named(evaluation: Evaluation) -> list[MetricEvaluation]:
    """The metrics to print alone: those that are named, and BLEU where none is."""
    bleu, *others = evaluation.metrics.values()
    return [bleu, *others] if "bleu" in named_metrics() else others
