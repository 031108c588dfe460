"""The command line that gives the numbers of the page References."""

from bleucore import MetricEvaluation
from bleucore.robustness.references import DrawUnit
from bleuscope.content.commands import computed_words, input_words, test_words, written
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.features.references import params


def references_command(
    study: ComparisonContext, metric: MetricEvaluation, base: str | None, unit: DrawUnit | None
) -> str:
    """What the choice of references does to scores in a metric."""
    words = ["references", *params.HELD_AGAINST.said(base), *params.DRAW_UNIT.said(unit)]
    return written([*words, *computed_words(study, metric), *test_words(study), *input_words(study.inputs)])
