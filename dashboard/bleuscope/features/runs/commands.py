"""The command line that gives the numbers of the page Runs."""

from bleucore import MetricEvaluation
from bleuscope.content.commands import computed_words, input_words, test_words, written
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.features.runs import params
from bleuscope.features.runs.assignments import NOTHING, ByHand


def runs_command(
    study: ComparisonContext,
    metric: MetricEvaluation,
    axis: tuple[str, str] | None = None,
    *,
    by_hand: ByHand = NOTHING,
) -> str:
    """What runs of a metric say about recipes.

    Args:
        study: The comparison.
        metric: Whose scores are compared.
        axis: The factor that levels are compared along, and the level that they are compared with.
        by_hand: What was said of runs and factors.
    """
    baseline = [] if study.baseline is None else ["--baseline", study.baseline]
    along = [] if axis is None else params.AXIS.said("=".join(axis))
    said = [word for one in by_hand.recipes for word in params.RECIPES.said("=".join(one))]
    said += [word for one in by_hand.factors for word in params.FACTOR_WORDS.said(one)]
    words = [
        *baseline,
        *said,
        *along,
        *computed_words(study, metric),
        *test_words(study),
        *input_words(study.inputs),
    ]
    return written(["runs", *words])
