"""What the report asks of runs, shared with their page."""

from bleucore.experiments.claims import RunStudy
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.report.evidence import scored_in
from bleuscope.features.runs import kept
from bleuscope.runtime.memo_cache import BackgroundTask


def work(view: ComparisonContext) -> BackgroundTask[RunStudy]:
    """What runs say about recipes."""
    return kept.run_study(view.test_set, scored_in(view), view.significance, view.baseline, view.by_hand)
