"""What the report asks of settings, shared with their page."""

from bleucore.robustness.sensitivity import SensitivityGrid, usual_axes
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.report.evidence import scored_in
from bleuscope.features.sensitivity import kept
from bleuscope.runtime.memo_cache import BackgroundTask


def work(view: ComparisonContext) -> BackgroundTask[SensitivityGrid]:
    """What settings do to the order of systems."""
    metric = scored_in(view)
    axes = usual_axes(view.test_set, metric.options)
    return kept.sensitivity_grid(view.test_set, metric, axes, (), view.significance)
