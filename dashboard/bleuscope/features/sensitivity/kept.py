"""What settings do, computed once and kept for all sessions of this server."""

from collections.abc import Mapping

from bleucore import MetricEvaluation, TestSet
from bleucore.counts import Progress
from bleucore.robustness.sensitivity import AxisName, SensitivityGrid, sensitivity
from bleucore.significance import SignificanceOptions
from bleuscope.features.sensitivity.segment_choices import kept_segments
from bleuscope.runtime.kept import in_background
from bleuscope.shell.state.cached import MAX_ROBUSTNESS, comparison


@in_background(
    most=MAX_ROBUSTNESS,
    key=lambda test_set, metric, asked, filters, significance: (
        test_set.digest,
        metric.options,
        tuple(asked.items()),
        filters,
        significance,
    ),
)
def sensitivity_grid(
    report: Progress | None,
    test_set: TestSet,
    metric: MetricEvaluation,
    asked: Mapping[AxisName, tuple[str, ...]],
    filters: tuple[str, ...],
    significance: SignificanceOptions,
) -> SensitivityGrid:
    """What settings do to the order of systems.

    It cannot be made of too many settings, or where documents are not known that are to be left out or drawn.
    """
    left = kept_segments(test_set, filters)
    return sensitivity(
        test_set,
        metric.options,
        {**asked, **({"filter": tuple(left)} if left else {})},
        filters=left,
        significance=significance,
        comparison=comparison(test_set, metric, significance).value(),
        progress=report,
    )
