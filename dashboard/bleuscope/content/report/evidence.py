"""What a report can say beside scores and tests: what references, settings and people have to say about them."""

from dataclasses import dataclass, replace

from bleucore.agreement.agreement import Agreement
from bleucore.counts import Progress
from bleucore.evaluation import MetricEvaluation
from bleucore.robustness.references import DrawOptions, ReferenceStudy, study_references
from bleucore.robustness.sensitivity import SensitivityGrid, sensitivity
from bleuscope.content.comparison.comparison_context import ComparisonContext, TestedStudy
from bleuscope.content.paper.methods import Part
from bleuscope.content.references.reference_words import references_method
from bleuscope.content.report.choices import OF_ROBUSTNESS, ReportOptions
from bleuscope.content.segments.marked_tokens import MarkedTokens, marked_method
from bleuscope.content.sensitivity.sensitivity_words import sensitivity_method
from bleuscope.content.validity.agreement_methods import agreement_method


@dataclass(frozen=True)
class Evidence:
    """What was found out. ``None`` was not asked for, or there is nothing to find.

    Attributes:
        references: What the choice of references does.
        grid: What settings do.
        agreement: How far metrics agree with people.
        why_no_agreement: What is wrong with the judgements, where there are some and nothing follows from them.
        marked: What BLEU credits and people marked.
    """

    references: ReferenceStudy | None = None
    grid: SensitivityGrid | None = None
    agreement: Agreement | None = None
    why_no_agreement: str | None = None
    marked: MarkedTokens | None = None

    def methods(self) -> list[Part]:
        """Sentences for a paper about what is there, with what they cite."""
        said: list[Part] = []
        said += [references_method(self.references)] if self.references and self.references.n_pairs else []
        said += [sensitivity_method(self.grid)] if self.grid and self.grid.n_pairs else []
        said += [agreement_method(self.agreement)] if self.agreement else []
        return said + ([marked_method(self.marked)] if self.marked else [])


def scored_in(study: ComparisonContext) -> MetricEvaluation:
    """The metric in which references and settings are tried: that of A and B, or BLEU where that is not computed."""
    return study.evaluation.bleu if study.metric.metric.is_read else study.metric


def completed(given: Evidence, study: TestedStudy, options: ReportOptions, progress: Progress) -> Evidence:
    """The evidence with what a report holds of references and settings, where it was not found out yet."""
    if not any(map(options.holds, OF_ROBUSTNESS)):
        return given
    drawn, tests, metric = DrawOptions(seed=study.significance.seed), study.significance, scored_in(study)
    compared = study.comparison if metric is study.evaluation.bleu else study.others.get(metric.name)
    if options.holds("references") and given.references is None and len(study.test_set.references) > 1:
        given = replace(
            given,
            references=study_references(
                study.test_set,
                metric.options,
                draws=drawn,
                significance=tests,
                comparison=compared,
                progress=lambda done: progress(done / 2),
            ),
        )
    if options.holds("sensitivity") and given.grid is None and len(study.evaluation.names) > 1:
        given = replace(
            given,
            grid=sensitivity(
                study.test_set,
                metric.options,
                significance=tests,
                comparison=compared,
                progress=lambda done: progress((1 + done) / 2),
            ),
        )
    return given
