"""The command line that gives the numbers of the page Kinds of errors."""

from bleucore.analysis.slices import LABEL
from bleuscope.content.commands import input_words, pair_words, scoring_words, written
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.features.kinds import params


def kinds_command(study: ComparisonContext, kind: str | None, by: str | None = None) -> str:
    """What A and B lost to each kind; the segments of one kind and the slices where these are chosen."""
    asked = [*params.KIND.said(kind), *params.SLICES.said(None if by is None else by.removeprefix(LABEL))]
    return written(["kinds", *pair_words(study), *asked, *scoring_words(study), *input_words(study.inputs)])
