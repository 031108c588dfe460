"""What a report can say beside scores and tests: what features find out, and what people say."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from bleucore.counts import Progress
from bleucore.evaluation import MetricEvaluation
from bleucore.significance import Comparison
from bleuscope.content.comparison.comparison_context import ComparisonContext, TestedStudy
from bleuscope.content.paper.methods import Part
from bleuscope.content.report.choices import OF_FEATURES, ReportOptions, SectionName
from bleuscope.content.segments.marked_tokens import MarkedTokens, marked_method
from bleuscope.registry import load


@dataclass(frozen=True)
class WhyNot:
    """Why a feature can find nothing out: the rest of the report stands.

    Attributes:
        reason: In a sentence.
    """

    reason: str


@dataclass(frozen=True)
class Evidence:
    """What was found out. ``None`` was not asked for, or there is nothing to find.

    Attributes:
        found: What features found, by the names of their sections; or why they cannot.
        marked: BLEU credits and marked errors.
    """

    found: Mapping[SectionName, Any] = field(default_factory=lambda: MappingProxyType({}))
    marked: MarkedTokens | None = None

    def methods(self) -> list[Part]:
        """Sentences for a paper about what is there, with what they cite."""
        of_features = (
            load(one.method)(self.found[name])
            for name, one in OF_FEATURES.items()
            if self.found.get(name) is not None and not isinstance(self.found[name], WhyNot)
        )
        said: list[Part] = [part for part in of_features if part is not None]
        return said + ([marked_method(self.marked)] if self.marked else [])


def scored_in(study: ComparisonContext) -> MetricEvaluation:
    """The metric in which references and settings are tried: that of A and B, or BLEU where that is not computed."""
    return study.evaluation.bleu if study.metric.metric.is_read else study.metric


def compared_in(study: TestedStudy) -> Comparison | None:
    """The tests in that metric, if it has any."""
    metric = scored_in(study)
    return study.comparison if metric is study.evaluation.bleu else study.others.get(metric.name)


def completed(given: Evidence, study: TestedStudy, options: ReportOptions, progress: Progress) -> Evidence:
    """The evidence with what a report holds of features, where it was not found out yet."""
    missing = missing_in(given, options)
    found = {
        name: load(OF_FEATURES[name].find)(study, _part(progress, place, len(missing)))
        for place, name in enumerate(missing)
    }
    return replace(given, found={**given.found, **found})


def missing_in(given: Evidence, options: ReportOptions) -> list[SectionName]:
    """The sections of features that a report holds and that are still to be found out, from the texts alone."""
    return [
        name
        for name, section in OF_FEATURES.items()
        if options.holds(name) and section.find and given.found.get(name) is None
    ]


def _part(progress: Progress, place: int, n_parts: int) -> Progress:
    return lambda done: progress((place + done) / n_parts)
