"""What each metric says about the same two systems, and where metrics contradict each other."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from bleucore import Evaluation, MetricEvaluation
from bleucore.analysis.attribution import Attribution, attribute, opposed_parts
from bleucore.counts import Floats
from bleucore.significance import Comparison, PairComparison
from bleuscope.content.comparison.comparison_context import TestedStudy, compared_metrics
from bleuscope.content.comparison.differences import SCORE_DECIMALS
from bleuscope.content.style import numbers
from bleuscope.content.style.sentences import Sentence, Text, joined, listed, note, sentence, strong, verdict

N_SEGMENTS = 5
"""Segments that are named to show a contradiction."""
AttributionOf = Callable[[Evaluation, MetricEvaluation, tuple[str, str]], Attribution]


@dataclass(frozen=True)
class Opinion:
    """What one metric says about two systems.

    Attributes:
        metric: That says it.
        compared: The second system minus the first, tested.
        is_significant: Whether that is significant.
    """

    metric: MetricEvaluation
    compared: PairComparison
    is_significant: bool

    @property
    def gain(self) -> float:
        """Above 0 where the metric has the second system ahead; 0 for what is rounding alone."""
        return float(np.round(self.metric.gain(self.compared.difference), SCORE_DECIMALS))

    @property
    def ahead(self) -> str:
        """The system that the metric has ahead."""
        return self.ahead_and_behind[0]

    @property
    def ahead_and_behind(self) -> tuple[str, str]:
        """Both systems, the one ahead first."""
        names = (self.compared.name, self.compared.other)
        return names if self.gain > 0 else names[::-1]


def opinions(
    evaluation: Evaluation,
    comparison: Comparison,
    others: Mapping[str, Comparison],
    pair: tuple[str, str],
) -> tuple[Opinion, ...]:
    """What BLEU and each other tested metric say of B against A.

    Args:
        evaluation: What was scored.
        comparison: The tests in BLEU.
        others: Those in more metrics, by name.
        pair: A and B.
    """
    first, second = pair
    tests = {evaluation.bleu.name: comparison, **others}
    found = []
    for metric in compared_metrics(evaluation):
        if metric.name in tests:
            compared = tests[metric.name].pair(second, first)
            found.append(Opinion(metric, compared, tests[metric.name].is_significant(compared)))
    return tuple(found)


def opinions_of(study: TestedStudy) -> tuple[Opinion, ...]:
    """What each metric says of systems A and B of a study."""
    return opinions(study.evaluation, study.comparison, study.others, study.pair)


def contradict(said: Sequence[Opinion]) -> bool:
    """Whether metrics have different systems ahead, at least one of them significantly."""
    return any(one.is_significant and one.gain * other.gain < 0 for one in said for other in said)


def disagree(said: Sequence[Opinion]) -> bool:
    """Whether metrics contradict each other, or one finds a significant difference and another none."""
    return contradict(said) or len({one.is_significant for one in said}) > 1


def attribution_of(_evaluation: Evaluation, metric: MetricEvaluation, pair: tuple[str, str]) -> Attribution:
    """Where the difference of two systems in one of the metrics comes from."""
    first, second = (metric.systems[name].counts for name in pair)
    return attribute(first, second, metric.options, names=pair)


def parting_segments(
    evaluation: Evaluation,
    pair: tuple[str, str],
    metric: MetricEvaluation,
    attributed: AttributionOf = attribution_of,
) -> Floats:
    """``opposed_parts`` of the differences of two systems in BLEU and in another metric, (S,)."""
    return opposed_parts(*(attributed(evaluation, one, pair) for one in (evaluation.bleu, metric)))


@dataclass(frozen=True)
class Dispute:
    """Metrics that disagree.

    Attributes:
        lead: About what.
        why: What each rewards, and segments that show it.
    """

    lead: Sentence
    why: Sentence = field(default_factory=Sentence)

    def __str__(self) -> str:
        """Both, as plain text."""
        return f"{self.lead} {self.why}".rstrip()

    @property
    def text(self) -> Text:
        """As it stands on pages and in reports: the reasons small."""
        return verdict("{}", self.lead) + (note("{}", self.why) if self.why else Text())


def disagreement(
    evaluation: Evaluation, said: Sequence[Opinion], attributed: AttributionOf = attribution_of
) -> Dispute | None:
    """That metrics disagree about two systems, what each rewards, and segments that show it.

    Args:
        evaluation: What was scored.
        said: Of the two systems.
        attributed: Divides a difference; a cache may stand here.
    """
    if not disagree(said):
        return None
    rewards = [f"{one.metric.name} rewards {words}" for one in said if (words := one.metric.metric.rewards)]
    where = _where(evaluation, said, attributed)
    return Dispute(
        _lead(said),
        sentence("{}.{}{}", ", ".join(rewards), " " if where else "", where) if rewards else where,
    )


def disagreements(
    evaluation: Evaluation,
    comparison: Comparison,
    others: Mapping[str, Comparison],
    against: str,
) -> list[Dispute]:
    """That metrics disagree about a system and the best of the others, or contradict each other about more.

    Args:
        evaluation: What was scored.
        comparison: The tests in BLEU.
        others: Those in more metrics, by name.
        against: The system that the others are measured against.
    """
    ranked = [name for name in evaluation.ranked() if name != against]
    said = {name: opinions(evaluation, comparison, others, (against, name)) for name in ranked}
    found = [one for name in ranked[:1] if (one := disagreement(evaluation, said[name])) is not None]
    disputed = [name for name in ranked[1:] if contradict(said[name])]
    if disputed:
        also = "also " if found else ""
        words = "Against {}, metrics {}contradict each other about {}."
        found.append(Dispute(sentence(words, strong(against), also, listed(disputed))))
    return found


def _lead(said: Sequence[Opinion]) -> Sentence:
    """About what metrics disagree. The sizes are the verdict's and those of the table of metrics."""
    sure = [one for one in said if one.is_significant]
    if contradict(said):
        each = ", each significantly" if len({one.ahead for one in sure}) > 1 else ""
        prefers = joined(", ", [_preference(one) for one in said])
        return sentence("Metrics contradict each other: {}{}.", prefers, each)
    names = [strong(name) for name in said[0].ahead_and_behind]
    metrics = joined(" and ", [sentence("{}", one.metric.name) for one in sure])
    verb = "finds" if len(sure) == 1 else "find"
    return sentence("Only {} {} a significant difference between {} and {}.", metrics, verb, *names)


def _preference(one: Opinion) -> Sentence:
    """Which of the two systems one metric prefers, in a clause."""
    if one.gain == 0:
        return sentence("{} scores both the same", one.metric.name)
    return sentence("{} prefers {}", one.metric.name, strong(one.ahead))


def _where(evaluation: Evaluation, said: Sequence[Opinion], attributed: AttributionOf) -> Sentence:
    """The segments in which BLEU and the first metric that disagrees with it part most."""
    bleu, *others = said
    other = next((one for one in others if disagree((bleu, one))), None)
    if other is None:
        return Sentence()
    parting = parting_segments(evaluation, (bleu.compared.other, bleu.compared.name), other.metric, attributed)
    leading = np.argsort(-parting, kind="stable")[:N_SEGMENTS]
    named = [numbers.count(int(segment) + 1) for segment in leading if parting[segment] > 0]
    if not named:
        return Sentence()
    return sentence("{} and {} disagree most in segments {}.", bleu.metric.name, other.metric.name, ", ".join(named))
