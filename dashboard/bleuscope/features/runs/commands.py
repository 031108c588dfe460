"""The command line that gives the numbers of the page Runs."""

from bleucore import MetricEvaluation
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
    baseline = [] if study.baseline is None else ["--baseline", study.baseline]
    along = [] if axis is None else params.AXIS.said("=".join(axis))
    words = [*baseline, *along, *computed_words(study, metric), *test_words(study), *input_words(study.inputs)]
    return written(["runs", *words])
