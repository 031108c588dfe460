"""Two systems and what is asked of them without a test."""

from dataclasses import replace

import numpy as np

from bleucore import InputError, TestSet, evaluate
from bleucore.counts import Ints
from dashboard.cli.streams import progress
from dashboard.cli.texts import system_named
from dashboard.content.comparison.differences import SCORE_DECIMALS, segment_differences
from dashboard.content.comparison.inputs import Loaded, Settings
from dashboard.content.comparison.study import Study, metrics_beside_bleu, study_of


def scored_pair(texts: Loaded, scoring: Settings, named: tuple[str, str] | None, metric: str | None = None) -> Study:
    """The two systems asked for, scored, and the metric asked for; chrF is there without being asked for.

    Raises:
        InputError: There is no such system or metric.
    """
    pair = None if named is None else named_pair(texts.test_set, named)
    metrics = metrics_beside_bleu((*scoring.metrics, *texts.scores))
    settings = replace(scoring, metrics=metrics, pair=pair, metric=metric)
    with progress("Scoring") as report:
        evaluation = evaluate(texts.test_set, settings.options, metrics=settings.metrics, progress=report)
    return study_of(texts, evaluation, settings)


def leading_segments(study: Study, most: int) -> Ints:
    """The segments that do most for B, then those that do most for A: at most so many of each.

    Without parts, the difference of their own scores decides.
    """
    delta = segment_differences(study.evaluation, study.pair, study.metric)
    rounded = np.round(study.metric.gain(delta if study.parts is None else study.parts), SCORE_DECIMALS)
    found = []
    for sign in (1, -1):
        order = np.argsort(-sign * rounded, kind="stable")
        found.append(order[sign * rounded[order] > 0][:most])
    return np.concatenate(found)


def named_pair(test_set: TestSet, named: tuple[str, str]) -> tuple[str, str]:
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


def refuse_single(study: Study, what: str) -> None:
    """Refuse a comparison of one system.

    Raises:
        InputError: There is only one.
    """
    if not study.compares:
        raise InputError(
            f"{what} two systems", where="The files", found=f"the system {study.sides[0]} alone", remedy="Add another."
        )
