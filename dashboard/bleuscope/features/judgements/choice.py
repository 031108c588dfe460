"""What the page of Validity holds metrics against, and how."""

from dataclasses import dataclass, field

from bleucore import Evaluation, MetricEvaluation
from bleucore.agreement.agreement import AgreementOptions
from bleucore.judgements.averaging import USUAL_AVERAGING, Averaging
from bleucore.judgements.records import Judgements
from bleuscope.content.segments.error_marks import MarkedErrors


@dataclass(frozen=True)
class AgreementChoice:
    """What was chosen.

    Attributes:
        key: Of the content of the judgements: those of equal keys are the same.
        judgements: Aligned, with the names of systems that are shown.
        column: The name of the metric whose scores these are, where they were read as scores: it is not held against
            itself.
        averaging: How several judgements of an output become one.
        options: How agreement is measured.
        models: The judgements of models, each judge once.
        own_systems: The own systems of judges, as people wrote them.
    """

    key: str
    judgements: Judgements = field(compare=False, repr=False)
    column: str | None = None
    averaging: Averaging = USUAL_AVERAGING
    options: AgreementOptions = field(default_factory=AgreementOptions)
    models: tuple[MarkedErrors, ...] = ()
    own_systems: tuple[str, ...] = ()

    def metrics(self, evaluation: Evaluation) -> tuple[MetricEvaluation, ...]:
        """The metrics that are held against them."""
        return tuple(metric for name, metric in evaluation.metrics.items() if name != self.column)
