"""What runs say about recipes, computed once and kept for all sessions of this server."""

from bleucore import MetricEvaluation, TestSet
from bleucore.counts import Progress
from bleucore.experiments.claims import RunStudy, study_runs
from bleucore.experiments.design import NAMES_ALONE, RunsByHand
from bleucore.significance import SignificanceOptions
from bleuscope.content.comparison.differences import compared_systems
from bleuscope.runtime.kept import in_background
from bleuscope.shell.state.cached import MAX_ROBUSTNESS, comparison


@in_background(
    most=MAX_ROBUSTNESS,
    key=lambda test_set, metric, significance, baseline, by_hand=NAMES_ALONE: (
        test_set.digest,
        metric.options,
        significance,
        baseline,
        by_hand,
    ),
)
def run_study(
    report: Progress | None,
    test_set: TestSet,
    metric: MetricEvaluation,
    significance: SignificanceOptions,
    baseline: str | None,
    by_hand: RunsByHand = NAMES_ALONE,
) -> RunStudy:
    """What runs say about recipes, as names tell them and as people say of some systems.

    It cannot be made where documents are to be drawn and not known.
    """
    return study_runs(
        compared_systems(test_set, metric),
        by_hand.design(test_set.system_names),
        significance,
        baseline=baseline,
        comparison=comparison(test_set, metric, significance).value(),
        progress=report,
    )
