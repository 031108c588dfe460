"""What systems lost to each kind of error, computed once and kept for all sessions of this server."""

from bleucore import BleuOptions, Evaluation, TestSet
from bleucore.analysis.kinds import KindStudy, capitals_tell, study_kinds
from bleucore.counts import Progress
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.runtime.kept import in_background, kept
from bleuscope.runtime.memo_cache import BackgroundTask

MOST = 16
"""Pairs whose kinds are kept."""


@in_background(
    most=MOST,
    key=lambda _, evaluation, names: (evaluation.digest, evaluation.options, frozenset(names)),
    of=lambda found, _, __, names: found if found.losses[0].system == names[0] else found.swapped(),
)
def kinds_of(report: Progress | None, test_set: TestSet, evaluation: Evaluation, names: tuple[str, ...]) -> KindStudy:
    """What each of these systems lost to each kind, and what makes their difference."""
    return study_kinds(test_set, names, evaluation.options, progress=report)


@kept(most=MOST, key=lambda test_set, options: (test_set.digest, options))
def tells_names(test_set: TestSet, options: BleuOptions) -> bool:
    """Whether a capital inside a sentence tells a name in these references."""
    return capitals_tell(test_set, options)


def work(view: ComparisonContext) -> BackgroundTask[KindStudy]:
    """What A and B lost to each kind; without a choice of A and B, what the best two did."""
    return kinds_of(view.test_set, view.evaluation, view.pair if view.compares else view.sides)
