"""What the report asks of references, shared with their page."""

from bleucore.robustness.references import DrawOptions, ReferenceStudy
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.report.evidence import scored_in
from bleuscope.features.references import kept
from bleuscope.runtime.memo_cache import BackgroundTask


def work(view: ComparisonContext) -> BackgroundTask[ReferenceStudy]:
    """What the choice of references does."""
    tests = view.significance
    return kept.references(view.test_set, scored_in(view), None, DrawOptions(seed=tests.seed), tests)
