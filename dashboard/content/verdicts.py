"""Results in words."""

import numpy as np
from markupsafe import Markup

from bleucore import BleuScore, Evaluation
from bleucore.bleu import Floats
from dashboard.content import numbers
from dashboard.content.identity import Identity
from dashboard.content.markup import headline, system_label
from dashboard.content.terms import term

CLEARLY_SHORT = 0.9
"""A brevity penalty that costs a tenth of the score."""
MAX_NAMED = 3


def scores_verdict(evaluation: Evaluation) -> Markup:
    """Who scores highest, by how much, and whether its length costs it anything."""
    best, *others = evaluation.ranked()
    score = evaluation.systems[best].score
    sentence = Markup("<bdi><strong>{}</strong></bdi> scores {} BLEU").format(best, numbers.score(score.score))
    if others:
        second = evaluation.systems[others[0]].score.score
        sentence = (
            Markup(
                "<bdi><strong>{}</strong></bdi> and <bdi><strong>{}</strong></bdi> share the highest score, {} BLEU"
            ).format(best, others[0], numbers.score(score.score))
            if second == score.score
            else Markup("<bdi><strong>{}</strong></bdi> scores highest: {} BLEU, {} more than <bdi>{}</bdi>").format(
                best, numbers.score(score.score), numbers.score(score.score - second), others[0]
            )
        )
    return Markup('<p class="bs-verdict">{}.{}</p>').format(sentence, _length_remark(evaluation))


def comparison_headlines(evaluation: Evaluation, looks: tuple[Identity, Identity]) -> Markup:
    """Both scores large with precision × brevity penalty beneath, and their difference, as in iBLEU."""
    first, second = (evaluation.systems[look.name].score for look in looks)
    legend = Markup('mean precision × <abbr tabindex="0" title="{}">brevity penalty</abbr>').format(term("BP"))
    return Markup('<div class="bs-headlines">{}{}{}</div><p class="bs-source">Beneath each score: {}.</p>').format(
        headline(system_label(looks[0], "A"), numbers.score(first.score), _product(first)),
        headline(system_label(looks[1], "B"), numbers.score(second.score), _product(second)),
        headline(
            Markup("Δ BLEU, B − A"), numbers.difference(second.score - first.score), _difference_words(first, second)
        ),
        legend,
    )


def differences_note(delta: Floats, looks: tuple[Identity, Identity]) -> Markup:
    """How many segments each system wins."""
    return Markup(
        '<p class="bs-source"><bdi>{}</bdi> is ahead in {}, <bdi>{}</bdi> in {}; {} score the same. '
        "Click a bar to read the segments behind it.</p>"
    ).format(
        looks[1].name,
        numbers.counted(int(np.sum(delta > 0)), "segment"),
        looks[0].name,
        numbers.count(int(np.sum(delta < 0))),
        numbers.count(int(np.sum(delta == 0))),
    )


def _product(score: BleuScore) -> str:
    return f"{numbers.score(score.mean_precision)} × {numbers.ratio(score.brevity_penalty)}"


def _difference_words(first: BleuScore, second: BleuScore) -> str:
    if second.score == first.score:
        return "the same score"
    return "B scores higher" if second.score > first.score else "A scores higher"


def _length_remark(evaluation: Evaluation) -> Markup:
    """Names the systems that the brevity penalty costs a tenth of their score or more."""
    short = [name for name in evaluation.ranked() if evaluation.systems[name].score.brevity_penalty <= CLEARLY_SHORT]
    if not short:
        return Markup("")
    names = Markup(", ").join(Markup("<bdi>{}</bdi>").format(name) for name in short[:MAX_NAMED])
    more = f" and {len(short) - MAX_NAMED} more" if len(short) > MAX_NAMED else ""
    penalty = evaluation.systems[short[0]].score.brevity_penalty
    cost = f" (here × {numbers.ratio(penalty)})" if len(short) == 1 else ""
    return Markup(" {}{} wrote clearly less than the references, which lowers the score{}.").format(names, more, cost)
