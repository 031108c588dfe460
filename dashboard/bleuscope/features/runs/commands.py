"""The command line that gives the numbers of the page Runs."""

from collections.abc import Mapping

from bleucore import MetricEvaluation
from bleucore.experiments.design import RunsByHand
from bleuscope.content.commands import computed_words, input_words, test_words, written
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.features.runs import params


def runs_command(study: ComparisonContext, metric: MetricEvaluation, axis: tuple[str, str] | None = None) -> str:
    """What runs of a metric say about recipes.

    Args:
        study: The comparison.
        metric: Whose scores are compared.
        axis: The factor that levels are compared along, and the level that they are compared with.
    """
    baseline = [] if study.baseline is None else ["--baseline", study.loaded.called[study.baseline]]
    along = [] if axis is None else params.AXIS.said("=".join(axis))
    words = [
        *baseline,
        *by_hand_words(study.by_hand, study.loaded.called),
        *along,
        *computed_words(study, metric),
        *test_words(study),
        *input_words(study.inputs),
    ]
    return written(["runs", *words])


def by_hand_words(by_hand: RunsByHand, called: Mapping[str, str]) -> list[str]:
    """The words of a command that say the same of runs and factors.

    Args:
        by_hand: What was said.
        called: How the command knows each system.
    """
    recipes = [f"{called[system]}={recipe}" for system, recipe in by_hand.recipes]
    said = [word for one in recipes for word in params.RECIPES.said(one)]
    return said + [word for one in by_hand.factors for word in params.FACTOR_WORDS.said(one)]
