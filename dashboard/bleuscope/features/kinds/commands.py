"""The command line that gives the numbers of the page Kinds of errors."""

from bleuscope.content.commands import input_words, pair_words, scoring_words, written
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.features.kinds import params


def kinds_command(study: ComparisonContext, kind: str | None) -> str:
    """What A and B lost to each kind, and the segments of one kind where it is chosen."""
    asked = [] if kind is None else params.KIND.said(kind)
    return written(["kinds", *pair_words(study), *asked, *scoring_words(study), *input_words(study.inputs)])
