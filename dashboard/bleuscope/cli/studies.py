"""A study as a command line asks for it."""

from dataclasses import replace

from bleucore import InputError, TestSet, evaluate
from bleucore.metrics import MetricOptions, metric_of
from bleucore.significance import SignificanceOptions
from bleucore.values import unknown_name
from bleuscope.cli.streams import progress
from bleuscope.cli.texts import system_named
from bleuscope.content.comparison.comparison_context import (
    ComparisonContext,
    TestedStudy,
    make_study,
    metrics_beside_bleu,
    study_of,
)
from bleuscope.content.comparison.inputs import Loaded, Settings


def scored_pair(
    texts: Loaded, scoring: Settings, pair: tuple[str, str] | None, metric: str | None = None
) -> ComparisonContext:
    """The two systems asked for, scored, and the metric asked for; chrF is there without being asked for.

    Raises:
        InputError: There is no such system or metric.
    """
    settings = _settings(texts, scoring, pair, metric)
    with progress("Scoring") as report:
        evaluation = evaluate(texts.test_set, settings.options, metrics=settings.metrics, progress=report)
    return study_of(texts, evaluation, settings)


def study_as_asked(
    texts: Loaded,
    scoring: Settings,
    significance: SignificanceOptions,
    *,
    baseline: str | None = None,
    pair: tuple[str, str] | None = None,
    metric: str | None = None,
) -> TestedStudy:
    """The systems scored and tested.

    Args:
        texts: What was read.
        scoring: How to score.
        significance: How to test.
        baseline: The system that the others are tested against; none unless given.
        pair: A and B; ``usual_sides`` unless given.
        metric: What they are compared in, BLEU unless given.

    Raises:
        InputError: There is no such system or metric, or documents are to be drawn and not known.
    """
    settings = replace(
        _settings(texts, scoring, pair, metric),
        significance=significance,
        baseline=None if baseline is None else system_named(texts.test_set, baseline, "Option --baseline"),
    )
    with progress("Scoring and testing") as report:
        return make_study(texts.test_set, settings, title=texts.title, inputs=texts.inputs, progress=report)


def metric_named(scoring: Settings, name: str | None) -> MetricOptions:
    """The options of a metric that is computed, BLEU's unless named; chrF is there without being asked for.

    Raises:
        InputError: There is no such metric.
    """
    known = {metric_of(one).name(one): one for one in (scoring.options, *metrics_beside_bleu(scoring.metrics))}
    if name is None:
        return scoring.options
    if name not in known:
        raise unknown_name("metric", name, known, where="Option --metric", remedy="Ask for it with --metrics.")
    return known[name]


def refuse_single(study: ComparisonContext, what: str) -> None:
    """Refuse a comparison of one system.

    Raises:
        InputError: There is only one.
    """
    if not study.compares:
        raise InputError(
            f"{what} two systems", where="The files", found=f"the system {study.sides[0]} alone", remedy="Add another."
        )


def _settings(texts: Loaded, scoring: Settings, pair: tuple[str, str] | None, metric: str | None) -> Settings:
    return replace(
        scoring,
        metrics=metrics_beside_bleu((*scoring.metrics, *texts.scores)),
        pair=None if pair is None else _named_pair(texts.test_set, pair),
        metric=metric,
    )


def _named_pair(test_set: TestSet, named: tuple[str, str]) -> tuple[str, str]:
    """The names of the systems A and B.

    Raises:
        InputError: There is no such system, or it is twice the same.
    """
    first, second = (system_named(test_set, name, "Option --pair") for name in named)
    if first == second:
        raise InputError(
            "these are not two systems", where="Option --pair", found=first, remedy="Name two different ones."
        )
    return first, second
