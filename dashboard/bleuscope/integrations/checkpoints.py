"""Scores of one model as it learns, and whether it is better than at an earlier evaluation."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from bleucore import BleuOptions, ChrfOptions, InputError, System, TestSet, evaluate
from bleucore.adapters import by_reference
from bleucore.metrics import MetricOptions
from bleuscope.content.comparison.comparison_context import Settings, TestedStudy, checked, make_study
from bleuscope.content.significance.study_verdict import study_verdict
from bleuscope.content.significance.verdict_words import verdict_sentence

Against = Literal["previous", "best"]
References = Sequence[Sequence[str] | str]
"""For each of S segments its reference, or all its references."""


@dataclass(frozen=True)
class ScoredOutputs:
    """What one evaluation says.

    Attributes:
        scores: Of the test set, by the name of the metric, "BLEU" first.
        signatures: To cite with the scores, by the same names.
    """

    scores: dict[str, float]
    signatures: dict[str, str]


class Checkpoints:
    """Scores the outputs of each evaluation, and tests BLEU against the previous one or the best so far."""

    def __init__(
        self,
        *,
        options: BleuOptions | None = None,
        metrics: Sequence[MetricOptions] = (ChrfOptions(),),
        against: Against | None = None,
    ) -> None:
        """Scores and tests.

        Args:
            options: BLEU's settings; those of sacreBLEU unless given.
            metrics: More metrics.
            against: The earlier evaluation to test against; ``None`` tests nothing and saves no texts.

        Raises:
            InputError: There is no such evaluation.
        """
        if against not in (None, "previous", "best"):
            raise InputError("there is no such evaluation", where="against", found=against, expected="previous or best")
        self.options, self.metrics, self.against = options or BleuOptions(), tuple(metrics), against
        self._earlier: tuple[System, list[list[str | None]]] | None = None

    def score(self, outputs: Sequence[str], references: References) -> ScoredOutputs:
        """The scores of S outputs.

        Raises:
            InputError: There are not as many references as outputs, or there are none.
        """
        test_set = TestSet([System("outputs", list(outputs))], by_reference(outputs, references))
        metrics = evaluate(test_set, self.options, metrics=self.metrics).metrics
        return ScoredOutputs(
            {name: metric.systems["outputs"].score for name, metric in metrics.items()},
            {name: metric.signature for name, metric in metrics.items()},
        )

    def verdict(self, label: str, outputs: Sequence[str], references: References) -> str | None:
        """Whether outputs are better than the earlier ones, in a sentence; ``None`` without a test.

        A p-value against the best of many evaluations is not corrected for their number.

        Args:
            label: What to call the evaluation, "step 500" say.
            outputs: S texts.
            references: Of each of them.

        Raises:
            InputError: These are not the references of the earlier evaluation.
        """
        if self.against is None:
            return None
        system, columns = System(label, list(outputs)), by_reference(outputs, references)
        if self._earlier is None or self._earlier[0].name == label:
            self._earlier = system, columns
            return None
        earlier, known = self._earlier
        if known != columns:
            raise InputError(
                "these are not the references of the earlier evaluation",
                where=f"Evaluation {label}",
                remedy="Evaluate the same segments in the same order, or leave out the test.",
            )
        settings = Settings(self.options, self.metrics, baseline=earlier.name)
        study = make_study(TestSet([earlier, system], columns), settings)
        if self.against == "previous" or study.evaluation.ranked()[0] == label:
            self._earlier = system, columns
        return verdict_of(study)


def verdict_of(study: TestedStudy) -> str | None:
    """The verdict of a study in a line of plain text, as pages and reports word it; ``None`` of one system."""
    found = study_verdict(study if study.findings is not None else checked(study))
    return None if found is None else str(verdict_sentence(found))
