"""What systems lost to each kind of error, computed once and kept for all sessions of this server."""

from bleucore import Evaluation, TestSet
from bleucore.analysis.kinds import KindStudy, study_kinds
from bleucore.counts import Progress
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.runtime.kept import in_background
from bleuscope.runtime.memo_cache import BackgroundTask

MOST = 16
"""Pairs whose kinds are kept."""


@in_background(
    most=MOST,
    key=lambda _, evaluation, names: (evaluation.digest, evaluation.options, names),
    size=lambda found: found.gains.nbytes + sum(one.segments.nbytes + one.tokens.nbytes for one in found.losses),
)
def kinds_of(report: Progress | None, test_set: TestSet, evaluation: Evaluation, names: tuple[str, ...]) -> KindStudy:
    """What each of these systems lost to each kind, and what makes their difference."""
    return study_kinds(test_set, names, evaluation.options, progress=report)


def work(view: ComparisonContext) -> BackgroundTask[KindStudy]:
    """What A and B lost to each kind; without a choice of A and B, what the best two did."""
    return kinds_of(view.test_set, view.evaluation, view.pair if view.compares else view.sides)
