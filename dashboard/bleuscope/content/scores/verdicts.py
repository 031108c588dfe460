"""Results in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from markupsafe import Markup

from bleucore import BleuScore, Evaluation, MetricEvaluation
from bleucore.checks import Finding
from bleucore.counts import Floats
from bleucore.significance import Comparison
from bleuscope.content.comparison.study import NO_OTHERS, Study, TestedStudy
from bleuscope.content.findings.finding_words import casts_doubt_on_tokens
from bleuscope.content.significance import significance_by_metric, significance_words
from bleuscope.content.significance.significance_by_metric import AttributionOf, attribution_of
from bleuscope.content.significance.significance_people import people_note
from bleuscope.content.significance.significance_words import cluster_note
from bleuscope.content.style import numbers
from bleuscope.content.style.identity import Identity
from bleuscope.content.style.markup import system_label
from bleuscope.content.style.scale import Scale
from bleuscope.content.style.sentences import (
    Piece,
    Sentence,
    Text,
    escaped,
    explained,
    isolated,
    listed,
    note,
    notes,
    sentence,
    strong,
    verdict,
    warning,
)
from bleuscope.content.style.terms import term

TESTING = "How surely it is ahead of the others is being tested."
CLEARLY_SHORT = 0.9
"""A brevity penalty that costs a tenth of the score."""


@dataclass(frozen=True)
class Headline:
    """A large number with its label above and its parts beneath."""

    label: Sentence
    value: str
    detail: str

    def __html__(self) -> Markup:
        """Beneath each other."""
        return Markup(
            '<div class="bs-headline"><div class="bs-label">{}</div><div class="bs-value">{}</div>'
            '<div class="bs-detail">{}</div></div>'
        ).format(self.label, self.value, self.detail)

    def markdown(self) -> str:
        """In one line."""
        return " · ".join((self.label.markdown(), escaped(self.value), escaped(self.detail)))


def study_verdict(study: Study, found: Sequence[Finding] = (), attributed: AttributionOf = attribution_of) -> Text:
    """``scores_verdict`` of a study, tested or not yet."""
    tests = (study.comparison, study.others) if isinstance(study, TestedStudy) else (None, NO_OTHERS)
    against = study.measured_against
    return scores_verdict(study.evaluation, tests[0], against, found, others=tests[1], attributed=attributed)


def table_notes(study: Study) -> Text:
    """What to know beside the table of systems: of their scores, and where cluster and p seem to contradict."""
    apart = [cluster_note(study.comparison, study.measured_against)] if isinstance(study, TestedStudy) else []
    return notes([*study.evaluation.remarks, *filter(None, apart)])


def scores_verdict(
    evaluation: Evaluation,
    comparison: Comparison | None,
    against: str,
    found: Sequence[Finding] = (),
    *,
    others: Mapping[str, Comparison] = NO_OTHERS,
    attributed: AttributionOf = attribution_of,
) -> Text:
    """Who scores highest, how surely it is ahead, and whether its length costs a system anything.

    Where metrics disagree about that, this comes first. Without a comparison yet, its place is kept. Nothing is said
    about lengths where the findings say that tokens are not words.

    Args:
        evaluation: What was scored.
        comparison: The tests in BLEU.
        against: The system that the others are measured against.
        found: What the checks found.
        others: The tests in further metrics, by name.
        attributed: Divides differences; a cache may stand here.
    """
    ranked = evaluation.ranked()
    values = [numbers.score(evaluation.systems[name].score.score) for name in ranked]
    level = [name for name, value in zip(ranked, values, strict=True) if value == values[0]]
    if len(ranked) == 1:
        highest = sentence("{} scores {} BLEU. ", strong(ranked[0]), values[0])
    elif len(level) > 1:
        highest = sentence("{} share the highest score, {} BLEU. ", listed(level), values[0])
    else:
        highest = sentence("{} scores highest: {} BLEU. ", strong(ranked[0]), values[0])
    if why := significance_words.zero_words(evaluation):
        highest = sentence("{}{} ", highest, why.strip())
    if comparison is None:
        return verdict("{}{}{}", highest, TESTING, _length_remark(evaluation))
    standing = significance_words.standing(comparison, ranked, against, evaluation.bleu)
    remark = "" if casts_doubt_on_tokens(found) else _length_remark(evaluation)
    disputes = significance_by_metric.disagreements(evaluation, comparison, others, against, attributed)
    said = sum((one.text for one in disputes), Text()) + verdict("{}{}{}", highest, standing, remark)
    if not standing:
        wider = significance_words.dependence_words(comparison)
        return said + warning("{}", wider) if wider else said
    tested = comparison.against(against)
    rival = next(name for name in ranked if name in tested)
    people = people_note(evaluation.bleu, tested[rival].difference)
    return said + people + significance_words.method_note(comparison, tested.values())


def comparison_headlines(
    evaluation: Evaluation, looks: tuple[Identity, Identity], metric: MetricEvaluation | None = None
) -> Text:
    """Both scores large and their difference, as in iBLEU; of BLEU, the usual metric, what they are made of beneath."""
    if metric is not None and metric is not evaluation.bleu:
        return _headlines(metric, looks)
    first, second = (evaluation.systems[look.name].score for look in looks)
    difference = numbers.difference(second.score - first.score)
    headlines = (
        Headline(_label(looks[0], "A"), numbers.score(first.score), _product(first)),
        Headline(_label(looks[1], "B"), numbers.score(second.score), _product(second)),
        Headline(sentence("Δ BLEU, B − A"), difference, _difference_words(first, second)),
    )
    penalty = explained("brevity penalty", term("BP"))
    return Text(headlines, "bs-headlines") + note("Beneath each score: mean precision × {}.", penalty)


def differences_note(gains: Floats, looks: tuple[Identity, Identity]) -> Text:
    """How many segments each system wins; a gain above 0 is one of the second."""
    return note(
        "{} is ahead in {}, {} in {}; {} score the same. Click a bar to read the segments behind it.",
        isolated(looks[1].name),
        numbers.counted(int(np.sum(gains > 0)), "segment"),
        isolated(looks[0].name),
        numbers.count(int(np.sum(gains < 0))),
        numbers.count(int(np.sum(gains == 0))),
    )


def _headlines(metric: MetricEvaluation, looks: tuple[Identity, Identity]) -> Text:
    scale, (first, second) = Scale.of(metric), (metric.systems[look.name].score for look in looks)
    points = "higher is better" if metric.higher_is_better else "lower is better"
    headlines = (
        Headline(_label(looks[0], "A"), scale.score(first), metric.name),
        Headline(_label(looks[1], "B"), scale.score(second), metric.name),
        Headline(sentence("Δ {}, B − A", metric.name), scale.difference(second - first), points),
    )
    return Text(headlines, "bs-headlines")


def _label(look: Identity, role: str) -> Sentence:
    return Sentence((Piece(f"{role} {look.number} {look.name}", system_label(look, role)),))


def _product(score: BleuScore) -> str:
    return f"{numbers.score(score.mean_precision)} × {numbers.ratio(score.brevity_penalty)}"


def _difference_words(first: BleuScore, second: BleuScore) -> str:
    if second.score == first.score:
        return "the same score"
    return "B scores higher" if second.score > first.score else "A scores higher"


def _length_remark(evaluation: Evaluation) -> Sentence:
    """Names the systems that the brevity penalty costs a tenth of their score or more."""
    short = [name for name in evaluation.ranked() if evaluation.systems[name].score.brevity_penalty <= CLEARLY_SHORT]
    if not short:
        return Sentence()
    penalty = evaluation.systems[short[0]].score.brevity_penalty
    cost = f" (here × {numbers.ratio(penalty)})" if len(short) == 1 else ""
    return sentence(" {} wrote clearly less than the references, which lowers the score{}.", listed(short), cost)
