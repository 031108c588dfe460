"""Command lines of annotation."""

from bleuscope.content.commands import texts_words, written
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.features.annotation import params
from bleuscope.features.annotation.outcome import Outcome


def plan_command(study: ComparisonContext) -> str:
    """A task about the open texts, for two annotators."""
    return written(["annotate", "plan", "--annotators", "ann,bob", "--scheme", "ESA", *texts_words(study)])


def results_command(found: Outcome) -> str:
    """The results of a task."""
    weights = params.ANNOTATION_WEIGHTS.said(None if found.weights is None else found.weights.name)
    return written(["annotate", "results", found.task.id, *weights])
