"""A study: one comparison with all of its settings, as pages show it and reports, tables and commands write it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Self

import numpy as np

from bleucore import BleuOptions, Evaluation, MetricEvaluation, TestSet, evaluate
from bleucore.analysis.attribution import Attribution, attribute
from bleucore.checks import Finding, check
from bleucore.corpus import refuse_other_texts
from bleucore.counts import Floats, Ints, Progress
from bleucore.errors import InputError
from bleucore.evaluation import refuse_other_settings
from bleucore.experiments.design import NAMES_ALONE, RunDesign, RunsByHand
from bleucore.metrics import MetricOptions, metric_of
from bleucore.metrics.chrf import ChrfOptions
from bleucore.short_reprs import short_repr
from bleucore.significance import Comparison, SignificanceOptions, TestSetUnits, compare
from bleucore.values import shown, unknown_name
from bleuscope.content.comparison.differences import SCORE_DECIMALS, compared_systems, known_units, segment_differences
from bleuscope.content.comparison.inputs import FileBeside, Inputs, Loaded, Settings
from bleuscope.content.style.identity import SystemStyle, identities
from bleuscope.content.style.scale import scores_every_system

BESIDE_BLEU = ChrfOptions()
"""Always computed, so that BLEU is never believed alone: chrF looks at other things and takes no longer."""
TWO = 2
NO_OTHERS: Mapping[str, Comparison] = MappingProxyType({})

__all__ = [
    "ComparisonContext",
    "FileBeside",
    "Inputs",
    "Loaded",
    "Settings",
    "TestedStudy",
    "checked",
    "make_study",
    "study_of",
    "usual_sides",
]


@dataclass(frozen=True)
class ComparisonContext:
    """One comparison: texts, their scores, and which systems stand out.

    Attributes:
        loaded: The texts, and where they came from.
        evaluation: BLEU and more metrics of every system.
        significance: How differences are tested.
        baseline: The system that was chosen for the others to be measured against; ``None`` until someone chooses.
        sides: The systems A and B, or the one that is looked at alone.
        looks: How each system is drawn.
        metric: What systems are compared in.
        findings: What the checks of the texts found, which every verdict asks; ``None`` where they were not made.
        by_hand: Which systems are runs of one recipe, besides what names tell.
    """

    loaded: Loaded
    evaluation: Evaluation
    significance: SignificanceOptions
    baseline: str | None
    sides: tuple[str, ...]
    looks: Mapping[str, SystemStyle]
    metric: MetricEvaluation
    findings: tuple[Finding, ...] | None = field(default=None, kw_only=True)
    by_hand: RunsByHand = field(default=NAMES_ALONE, kw_only=True)

    def __repr__(self) -> str:
        return short_repr(self)

    def _repr_html_(self) -> str:
        """The scores as notebooks show them."""
        return self.evaluation._repr_html_()  # a notebook's

    @property
    def test_set(self) -> TestSet:
        """The texts."""
        return self.loaded.test_set

    @property
    def title(self) -> str:
        """What to call the test set."""
        return self.loaded.title

    @property
    def measured_against(self) -> str:
        """The system that the others are measured against: the baseline if one is chosen, else the best."""
        return self.baseline or self.evaluation.ranked()[0]

    @property
    def design(self) -> RunDesign:
        """Which systems are runs of one recipe."""
        return self.by_hand.design(self.test_set.system_names)

    @property
    def compares(self) -> bool:
        """Whether A and B are two systems."""
        return len(self.sides) > 1

    @property
    def pair(self) -> tuple[str, str]:
        """A and B.

        Raises:
            ValueError: There is one system.
        """
        first, second = self.sides
        return first, second

    @property
    def both(self) -> tuple[str, str]:
        """A and B, or the only one twice: for what can be said of a single system too."""
        return self.sides[0], self.sides[-1]

    def swapped(self) -> Self:
        """The same with B as A, and A as B."""
        sides = self.sides[::-1]
        looks = identities(self.evaluation.names, self.baseline, self.evaluation.files, sides)
        return replace(self, sides=sides, looks=looks)

    @cached_property
    def attribution(self) -> Attribution:
        """Where the difference of A and B comes from, in the metric that they are compared in."""
        first, second = (self.metric.systems[name].counts for name in self.both)
        return attribute(first, second, self.metric.options, names=self.both)

    @property
    def parts(self) -> Floats | None:
        """The part of each segment in the difference, (S,); ``None`` where nothing is divided."""
        return self.attribution.segments if self.compares and self.attribution.reason is None else None

    def leading_segments(self, most: int) -> tuple[Ints, Ints]:
        """The segments that do most for B, and those that do most for A: at most so many of each.

        Where nothing is divided, the difference of their own scores decides.
        """
        return self.leading_of(self.parts, most)

    def leading_of(self, parts: Floats | None, most: int) -> tuple[Ints, Ints]:
        """The same of parts (S,) that are known already, or ``None`` where nothing is divided."""
        delta = segment_differences(self.evaluation, self.pair, self.metric)
        gains = np.nan_to_num(self.metric.gain(delta if parts is None else np.round(parts, SCORE_DECIMALS)))
        for_b, for_a = np.argsort(-gains, kind="stable"), np.argsort(gains, kind="stable")
        return for_b[gains[for_b] > 0][:most], for_a[gains[for_a] < 0][:most]

    @cached_property
    def known_units(self) -> TestSetUnits:
        """What is known of the dependence between the segments."""
        return known_units(self.test_set)

    @property
    def inputs(self) -> Inputs:
        """Where the texts came from."""
        return self.loaded.inputs

    @property
    def options(self) -> BleuOptions:
        """BLEU's."""
        return self.evaluation.options

    @property
    def metrics(self) -> tuple[MetricOptions, ...]:
        """Settings of more metrics."""
        return tuple(metric.options for metric in self.evaluation.further_metrics)


@dataclass(frozen=True)
class TestedStudy(ComparisonContext):
    """A comparison whose differences are tested.

    Attributes:
        comparison: The tests between all systems in BLEU.
        others: Those in each other metric that scores every system, by its name.
    """

    comparison: Comparison
    others: Mapping[str, Comparison]

    def __repr__(self) -> str:
        return short_repr(self)

    @property
    def comparison_in_metric(self) -> Comparison:
        """The tests in the metric that A and B are compared in."""
        return self.others.get(self.metric.name, self.comparison)


def checked(study: TestedStudy, *, progress: Progress | None = None) -> TestedStudy:
    """The same with what the checks of its texts find, so that no verdict on it praises what is wrong."""
    found = check(study.test_set, tokenizer=study.options.tokenizer, progress=progress)
    return replace(study, findings=found)


def metrics_beside_bleu(asked: Sequence[MetricOptions]) -> tuple[MetricOptions, ...]:
    """chrF, and the metrics asked for; another chrF of the same name takes its place."""
    others = tuple(one for one in asked if one != BESIDE_BLEU)
    named = {metric_of(one).name(one) for one in others}
    return others if BESIDE_BLEU.name in named else (BESIDE_BLEU, *others)


def compared_metrics(evaluation: Evaluation) -> tuple[MetricEvaluation, ...]:
    """The metrics in which all systems can be compared, BLEU first."""
    return tuple(metric for metric in evaluation.metrics.values() if scores_every_system(metric))


def usual_sides(
    evaluation: Evaluation, baseline: str | None, opens_on: tuple[str, str] | None = None
) -> tuple[str, ...]:
    """A and B unless chosen: the baseline and the best of the others.

    Without a baseline, the pair that the texts open on if there is one; two systems as they were given; and of more
    the second best and the best.
    """
    ranked = evaluation.ranked()
    if baseline is not None:
        return (baseline, *[name for name in ranked if name != baseline][:1])
    if opens_on is not None and set(opens_on) <= set(ranked):
        return opens_on
    return evaluation.names if len(ranked) <= TWO else (ranked[1], ranked[0])


def study_of(loaded: Loaded, evaluation: Evaluation, settings: Settings) -> ComparisonContext:
    """A comparison of what is scored: of its settings those that are not in the scores.

    Raises:
        InputError: There is no such system or factor, or no such metric that scores every system.
    """
    baseline = settings.baseline
    for name in filter(None, (baseline, *(settings.pair or ()))):
        loaded.test_set.system(name)
    settings.by_hand.design(loaded.test_set.system_names)  # refuses what is not there
    sides = tuple(dict.fromkeys(settings.pair or usual_sides(evaluation, baseline)))
    return ComparisonContext(
        loaded,
        evaluation,
        settings.significance or SignificanceOptions(),
        baseline,
        sides,
        identities(evaluation.names, baseline, evaluation.files, sides),
        _metric_named(evaluation, settings.metric),
        by_hand=settings.by_hand,
    )


def _refuse_other_settings(settings: object) -> None:
    if not isinstance(settings, Settings):
        raise InputError(
            "these are not the settings of a comparison",
            where="The settings",
            found=shown(settings),
            expected="Settings, as in Settings(metrics=(TerOptions(),))",
        )


def _metric_named(evaluation: Evaluation, name: str | None) -> MetricEvaluation:
    names = [each for each, metric in evaluation.metrics.items() if scores_every_system(metric)]
    if name is not None and name not in names:
        remedy = "Ask for its scores too, or read them from a file; it has to score every system."
        raise unknown_name("metric", name, names, where="The metric to compare in", remedy=remedy)
    return evaluation.metrics[name or names[0]]


def tested(study: ComparisonContext, comparison: Comparison, others: Mapping[str, Comparison]) -> TestedStudy:
    """The same with its tests in BLEU and in more metrics; those with the baseline become a family."""
    others = {name: one.with_baseline(study.baseline) for name, one in others.items()}
    return TestedStudy(**vars(study), comparison=comparison.with_baseline(study.baseline), others=others)


def make_study(
    test_set: TestSet,
    settings: Settings | None = None,
    *,
    title: str = "Comparison",
    inputs: Inputs | None = None,
    progress: Progress | None = None,
) -> TestedStudy:
    """Score and test a test set, in BLEU, in chrF and in the metrics asked for.

    Args:
        test_set: What to compare.
        settings: How; sacreBLEU's scores, and tests by approximate randomisation, unless given.
        title: What to call the test set.
        inputs: Where it came from.
        progress: Called with the share of the work done, 0 to 1.

    Raises:
        InputError: It is no test set, or these are no settings; there is no such system or metric, a metric needs what
            is not installed, or documents are to be drawn and not known.
    """
    refuse_other_texts(test_set)
    settings = Settings() if settings is None else settings
    _refuse_other_settings(settings)
    report = progress or (lambda _: None)
    for name in filter(None, (settings.baseline, *(settings.pair or ()))):
        test_set.system(name)
    refuse_other_settings(settings.options, settings.metrics)
    metrics = metrics_beside_bleu(settings.metrics)
    evaluation = evaluate(test_set, settings.options, metrics=metrics, progress=lambda share: report(share / 2))
    study = study_of(Loaded(test_set, title, inputs=inputs or Inputs()), evaluation, settings)
    asked = compared_metrics(evaluation)
    comparison, *others = (
        compare(
            compared_systems(test_set, metric),
            study.significance,
            progress=lambda share, done=done: report((1 + (done + share) / len(asked)) / 2),  # type: ignore[misc]
        )
        for done, metric in enumerate(asked)
    )
    names = [metric.name for metric in asked[1:]]
    return tested(study, comparison, dict(zip(names, others, strict=True)))
