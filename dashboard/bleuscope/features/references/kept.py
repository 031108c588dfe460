"""What the choice of references does, computed once and kept for all sessions of this server."""

from bleucore import MetricEvaluation, TestSet
from bleucore.counts import Progress
from bleucore.robustness.references import DrawOptions, ReferenceStudy, study_references
from bleucore.significance import SignificanceOptions
from bleuscope.runtime.kept import in_background
from bleuscope.shell.state.cached import MAX_ROBUSTNESS, comparison


@in_background(
    most=MAX_ROBUSTNESS,
    key=lambda test_set, metric, base, draws, significance: (
        test_set.digest,
        metric.options,
        base,
        draws,
        significance,
    ),
)
def references(
    report: Progress | None,
    test_set: TestSet,
    metric: MetricEvaluation,
    base: str | None,
    draws: DrawOptions,
    significance: SignificanceOptions,
) -> ReferenceStudy:
    """What the choice of references does, against one of them or against all.

    It cannot be made where documents are to be drawn and not known, or some segments lack the reference.
    """
    return study_references(
        test_set,
        metric.options,
        base=None if base is None else [base],
        draws=draws,
        significance=significance,
        comparison=comparison(test_set, metric, significance).value() if base is None else None,
        progress=report,
    )
