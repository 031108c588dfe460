"""What systems lost to each kind of error, computed once and kept for all sessions of this server."""

from bleucore import Evaluation, TestSet
from bleucore.analysis.kinds import KindLosses, kind_losses
from bleucore.counts import Progress
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.runtime.kept import in_background
from bleuscope.runtime.memo_cache import BackgroundTask

MOST = 16
"""Pairs whose kinds are kept."""


@in_background(
    most=MOST,
    key=lambda _, evaluation, names: (evaluation.digest, evaluation.options, names),
    size=lambda found: sum(one.segments.nbytes + one.tokens.nbytes for one in found),
)
def losses_of(
    report: Progress | None, test_set: TestSet, evaluation: Evaluation, names: tuple[str, ...]
) -> tuple[KindLosses, ...]:
    """What each of these systems lost to each kind."""
    found = kind_losses(test_set, names, evaluation.options, progress=report)
    return tuple(found[name] for name in names)


def work(view: ComparisonContext) -> BackgroundTask[tuple[KindLosses, ...]]:
    """What A and B lost to each kind; without a choice of A and B, what the best two did."""
    return losses_of(view.test_set, view.evaluation, view.pair if view.compares else view.sides)
