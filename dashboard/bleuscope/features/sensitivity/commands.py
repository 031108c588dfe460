"""The command line that gives the numbers of the page Sensitivity."""

from collections.abc import Sequence

from bleucore import MetricEvaluation
from bleuscope.content.commands import computed_words, input_words, test_words, with_commas, written
from bleuscope.content.comparison.comparison_context import ComparisonContext


def sensitivity_command(
    study: ComparisonContext, metric: MetricEvaluation, axes: Sequence[str], filters: Sequence[str]
) -> str:
    """What settings of a metric do to the order of systems."""
    said = [*axes, *([f"filter={','.join(map(with_commas, filters))}"] if filters else [])]
    words = [word for axis in said for word in ("--axis", axis)]
    return written(
        ["sensitivity", *words, *computed_words(study, metric), *test_words(study), *input_words(study.inputs)]
    )
