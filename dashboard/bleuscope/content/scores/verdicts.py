"""Results in words."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from bleucore import BleuScore, Evaluation, MetricEvaluation
from bleucore.checks import Finding
from bleuscope.content.comparison.comparison_context import ComparisonContext, TestedStudy
from bleuscope.content.comparison.differences import wins_of
from bleuscope.content.findings.finding_words import casts_doubt_on_tokens
from bleuscope.content.significance import significance_words
from bleuscope.content.significance.significance_people import people_note, people_of, people_words
from bleuscope.content.significance.study_verdict import bleu_verdict
from bleuscope.content.significance.verdict_words import Chips, chips, verdict_sentence
from bleuscope.content.style import numbers
from bleuscope.content.style.identity import SystemStyle
from bleuscope.content.style.markup import system_label
from bleuscope.content.style.scale import ScoreScale
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
)
from bleuscope.content.style.terms import term

TESTING = "The significance tests are running."
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
        return " · ".join(filter(None, (self.label.markdown(), escaped(self.value), escaped(self.detail))))


def study_verdict(study: ComparisonContext, found: Sequence[Finding] | None = None) -> Text:
    """The verdict, whether its length costs a system anything, and how it was tested.

    Without tests yet, their place is kept. Nothing is said about lengths where tokens are not words.

    Args:
        study: Tested or not yet.
        found: What the checks found; ``None`` while they go on.
    """
    evaluation, ranked = study.evaluation, study.evaluation.ranked()
    remark = Text() if casts_doubt_on_tokens(found or ()) else _length_remark(evaluation)
    made = bleu_verdict(study, found) if isinstance(study, TestedStudy) else None
    why = significance_words.zero_words(evaluation)
    if made is None or not isinstance(study, TestedStudy):
        best = numbers.score(evaluation.systems[ranked[0]].score.score)
        verb = "scores" if len(ranked) == 1 else "scores highest:"
        highest = sentence("{} {} {} BLEU.", strong(ranked[0]), verb, best)
        return verdict("{}{}{}", highest, why, f" {TESTING}" if len(ranked) > 1 else "") + remark
    said = verdict("{}{}", verdict_sentence(made, names_error=False), why)
    against = study.comparison.against(study.measured_against)
    raters = people_of(evaluation, evaluation.bleu)(made.compared.name, made.compared.other)
    people = people_words(raters)
    said += Chips(chips(made))
    said += remark
    said += note("{}", people.strip()) if people else Text()
    return said + people_note(raters) + significance_words.method_note(study.comparison, against.values())


def table_notes(study: ComparisonContext) -> Text:
    """What to know of the scores in the table of systems."""
    return notes(study.evaluation.remarks)


def comparison_headlines(
    evaluation: Evaluation, looks: tuple[SystemStyle, SystemStyle], metric: MetricEvaluation | None = None
) -> Text:
    """Both scores large and their difference, as in iBLEU; of BLEU, the usual metric, what they are made of beneath.

    The verdict says which system scores higher.
    """
    if metric is not None and metric is not evaluation.bleu:
        return _headlines(metric, looks)
    first, second = (evaluation.systems[look.name].score for look in looks)
    difference = numbers.difference(second.score - first.score)
    headlines = (
        Headline(_label(looks[0], "A"), numbers.score(first.score), _product(first)),
        Headline(_label(looks[1], "B"), numbers.score(second.score), _product(second)),
        Headline(sentence("Δ BLEU, B − A"), difference, ""),
    )
    penalty = explained("brevity penalty", term("BP"))
    return Text(headlines, "bs-headlines") + note("Below each score: mean precision × {}.", penalty)


def differences_note(metric: MetricEvaluation, looks: tuple[SystemStyle, SystemStyle]) -> Text:
    """How many segments B wins, loses and ties against A."""
    wins = wins_of(metric, looks[1].name, looks[0].name)
    return note(
        "{} wins {}, loses {} and ties {}. Click a bar to read the segments behind it.",
        isolated(looks[1].name),
        *map(numbers.count, (wins.n_wins, wins.n_losses)),
        numbers.counted(wins.n_ties, "segment"),
    )


def _headlines(metric: MetricEvaluation, looks: tuple[SystemStyle, SystemStyle]) -> Text:
    scale, (first, second) = ScoreScale.of(metric), (metric.systems[look.name].score for look in looks)
    points = "higher is better" if metric.higher_is_better else "lower is better"
    headlines = (
        Headline(_label(looks[0], "A"), scale.score(first), metric.name),
        Headline(_label(looks[1], "B"), scale.score(second), metric.name),
        Headline(sentence("Δ {}, B − A", metric.name), scale.difference(second - first), points),
    )
    return Text(headlines, "bs-headlines")


def _label(look: SystemStyle, role: str) -> Sentence:
    return Sentence((Piece(f"{role} {look.name}", system_label(look, role)),))


def _product(score: BleuScore) -> str:
    return f"{numbers.score(score.mean_precision)} × {numbers.ratio(score.brevity_penalty)}"


def _length_remark(evaluation: Evaluation) -> Text:
    """Names the systems that the brevity penalty costs a tenth of their score or more."""
    short = [name for name in evaluation.ranked() if evaluation.systems[name].score.brevity_penalty <= CLEARLY_SHORT]
    if not short:
        return Text()
    penalty = evaluation.systems[short[0]].score.brevity_penalty
    cost = f" (here × {numbers.ratio(penalty)})" if len(short) == 1 else ""
    return note(
        "The brevity penalty lowers the score of {}{}: the output is clearly shorter than the references.",
        listed(short),
        cost,
    )
