"""A study: one comparison with all of its settings, as pages show it and reports, tables and commands write it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from bleucore import BleuOptions, Evaluation, TestSet, evaluate
from bleucore.counts import Progress
from bleucore.metrics import MetricOptions
from bleucore.significance import Comparison, SignificanceOptions, compare
from dashboard.content.comparison import compared_systems
from dashboard.content.identity import Identity, identities
from dashboard.content.inputs import Inputs

__all__ = ["Inputs", "Settings", "Study", "make_study"]


@dataclass(frozen=True)
class Study:
    """One comparison with all of its settings.

    Attributes:
        title: What to call the test set.
        inputs: Where it came from.
        test_set: The texts.
        evaluation: BLEU and further metrics of every system.
        comparison: The tests between all systems in BLEU; its options are those of all tests.
        baseline: The system that the others are measured against.
        pair: The systems A and B; twice the same where there is only one.
        looks: How each system is drawn.
    """

    title: str
    inputs: Inputs
    test_set: TestSet
    evaluation: Evaluation
    comparison: Comparison
    baseline: str
    pair: tuple[str, str]
    looks: Mapping[str, Identity]


@dataclass(frozen=True)
class Settings:
    """What is asked of a study.

    Attributes:
        options: BLEU's.
        metrics: Settings of further metrics.
        significance: How differences are tested.
        baseline: The first system unless given.
        pair: A and B; the baseline and the best of the others unless given.
    """

    options: BleuOptions = field(default_factory=BleuOptions)
    metrics: tuple[MetricOptions, ...] = ()
    significance: SignificanceOptions = field(default_factory=SignificanceOptions)
    baseline: str | None = None
    pair: tuple[str, str] | None = None


def make_study(
    test_set: TestSet,
    settings: Settings | None = None,
    *,
    title: str = "Comparison",
    inputs: Inputs | None = None,
    progress: Progress | None = None,
) -> Study:
    """Score and test a test set.

    Args:
        test_set: What to compare.
        settings: How; sacreBLEU's scores, and tests by approximate randomisation, unless given.
        title: What to call the test set.
        inputs: Where it came from.
        progress: Called with the share of the work done, 0 to 1.

    Raises:
        InputError: There is no such system, a metric needs what is not installed, or documents are to be drawn and
            not known.
    """
    settings = settings or Settings()
    report = progress or (lambda _: None)
    baseline = settings.baseline or test_set.system_names[0]
    for name in (baseline, *(settings.pair or ())):
        test_set.system(name)
    evaluation = evaluate(
        test_set, settings.options, metrics=settings.metrics, progress=lambda share: report(share / 2)
    )
    comparison = compare(
        compared_systems(test_set, evaluation.bleu),
        settings.significance,
        progress=lambda share: report((1 + share) / 2),
    )
    best = next((name for name in evaluation.ranked() if name != baseline), baseline)
    return Study(
        title,
        inputs or Inputs(),
        test_set,
        evaluation,
        comparison,
        baseline,
        settings.pair or (baseline, best),
        identities(evaluation.names, baseline, {system.name: system.file for system in test_set.systems}),
    )
