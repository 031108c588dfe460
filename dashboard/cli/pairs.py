"""Two systems and what is asked of them without a test."""

from dataclasses import dataclass
from functools import cached_property
from typing import cast

import numpy as np

from bleucore import Evaluation, InputError, MetricEvaluation, TestSet, evaluate
from bleucore.attribution import Attribution, BleuAttribution, attribute
from bleucore.counts import Floats, Ints
from bleucore.values import unknown_name
from dashboard.cli.options import Scoring
from dashboard.cli.streams import progress
from dashboard.cli.texts import Texts, system_named
from dashboard.content.comparison import SCORE_DECIMALS, segment_differences
from dashboard.content.tables import scores_every_system


@dataclass(frozen=True)
class ScoredPair:
    """Systems A and B of an evaluation; twice the same where there is only one.

    Attributes:
        test_set: The texts.
        evaluation: The scores of all systems.
        pair: The names of A and B.
        metric: What they are compared in.
    """

    test_set: TestSet
    evaluation: Evaluation
    pair: tuple[str, str]
    metric: MetricEvaluation

    @property
    def compares(self) -> bool:
        """Whether A and B are two systems."""
        return self.pair[0] != self.pair[1]

    @cached_property
    def attribution(self) -> Attribution:
        """Where the difference comes from."""
        first, second = (self.metric.systems[name].counts for name in self.pair)
        return attribute(first, second, self.metric.options, names=self.pair)

    @property
    def bleu_attribution(self) -> BleuAttribution:
        """The same with parts of orders, where the metric is BLEU."""
        return cast("BleuAttribution", self.attribution)

    @property
    def parts(self) -> Floats | None:
        """The part of each segment in the difference, (S,); ``None`` where nothing is divided."""
        return self.attribution.segments if self.compares and self.attribution.reason is None else None

    def leading_segments(self, most: int) -> Ints:
        """The segments that do most for B, then those that do most for A: at most so many of each.

        Without parts, the difference of their own scores decides.
        """
        delta = segment_differences(self.evaluation, self.pair, self.metric)
        rounded = np.round(self.metric.gain(delta if self.parts is None else self.parts), SCORE_DECIMALS)
        found = []
        for sign in (1, -1):
            order = np.argsort(-sign * rounded, kind="stable")
            found.append(order[sign * rounded[order] > 0][:most])
        return np.concatenate(found)


def scored_pair(texts: Texts, scoring: Scoring, named: tuple[str, str] | None, metric: str | None = None) -> ScoredPair:
    """The two systems asked for, scored, and the metric asked for.

    Raises:
        InputError: There is no such system or metric.
    """
    pair = None if named is None else named_pair(texts.test_set, named)
    with progress("Scoring") as report:
        evaluation = evaluate(
            texts.test_set, scoring.options, metrics=(*scoring.metrics, *texts.scores), progress=report
        )
    if pair is None:
        first = texts.test_set.system_names[0]
        pair = first, next((name for name in evaluation.ranked() if name != first), first)
    return ScoredPair(texts.test_set, evaluation, pair, asked_metric(evaluation, metric))


def asked_metric(evaluation: Evaluation, name: str | None) -> MetricEvaluation:
    """The metric that systems are compared in: BLEU unless named.

    Raises:
        InputError: It is not computed, or does not score every system.
    """
    names = [each for each, metric in evaluation.metrics.items() if scores_every_system(metric)]
    if name is not None and name not in names:
        remedy = "Add it with --metrics or --scores; it has to score every system."
        raise unknown_name("metric", name, names, where="Option --metric", remedy=remedy)
    return evaluation.metrics[name or names[0]]


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


def refuse_single(pair: ScoredPair, what: str) -> None:
    """Refuse a comparison of one system.

    Raises:
        InputError: There is only one.
    """
    if not pair.compares:
        raise InputError(
            f"{what} two systems", where="The files", found=f"the system {pair.pair[0]} alone", remedy="Add another."
        )
