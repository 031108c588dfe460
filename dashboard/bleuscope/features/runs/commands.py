"""The command line that gives the numbers of the page Runs."""

from bleucore import MetricEvaluation
from bleuscope.content.commands import computed_words, input_words, test_words, written
from bleuscope.content.comparison.comparison_context import ComparisonContext


def runs_command(study: ComparisonContext, metric: MetricEvaluation) -> str:
    """What runs of a metric say about recipes."""
    baseline = [] if study.baseline is None else ["--baseline", study.baseline]
    words = [*baseline, *computed_words(study, metric), *test_words(study), *input_words(study.inputs)]
    return written(["runs", *words])
