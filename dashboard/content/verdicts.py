"""Results in words."""

from collections.abc import Sequence

import numpy as np
from markupsafe import Markup

from bleucore import BleuScore, Evaluation, MetricEvaluation
from bleucore.checks import Finding
from bleucore.counts import Floats
from bleucore.significance import Comparison
from dashboard.content import numbers, significance_words
from dashboard.content.blocks import Scale
from dashboard.content.findings import casts_doubt_on_tokens
from dashboard.content.identity import Identity
from dashboard.content.markup import headline, listed, strong, system_label
from dashboard.content.terms import term

TESTING = "How surely it is ahead of the others is being tested."
CLEARLY_SHORT = 0.9
"""A brevity penalty that costs a tenth of the score."""


def scores_verdict(
    evaluation: Evaluation, comparison: Comparison | None, baseline: str, found: Sequence[Finding] = ()
) -> Markup:
    """Who scores highest, how surely it is ahead of the baseline, and whether its length costs a system anything.

    Without a comparison yet, its place is kept. Nothing is said about lengths where the findings say that tokens are
    not words.
    """
    ranked = evaluation.ranked()
    values = [numbers.score(evaluation.systems[name].score.score) for name in ranked]
    level = [name for name, value in zip(ranked, values, strict=True) if value == values[0]]
    if len(ranked) == 1:
        highest = Markup("{} scores {} BLEU. ").format(strong(ranked[0]), values[0])
    elif len(level) > 1:
        highest = Markup("{} share the highest score, {} BLEU. ").format(listed(level), values[0])
    else:
        highest = Markup("{} scores highest: {} BLEU. ").format(strong(ranked[0]), values[0])
    if comparison is None:
        return Markup('<p class="bs-verdict">{}{}{}</p>').format(highest, TESTING, _length_remark(evaluation))
    standing = significance_words.standing(comparison, ranked, baseline)
    return Markup('<p class="bs-verdict">{}{}{}</p>{}').format(
        highest,
        standing,
        "" if casts_doubt_on_tokens(found) else _length_remark(evaluation),
        significance_words.method_note(comparison, len(ranked) - 1) if standing else "",
    )


def comparison_headlines(
    evaluation: Evaluation, looks: tuple[Identity, Identity], metric: MetricEvaluation | None = None
) -> Markup:
    """Both scores large and their difference, as in iBLEU; of BLEU, the usual metric, what they are made of beneath."""
    if metric is not None and metric is not evaluation.bleu:
        return _headlines(metric, looks)
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


def differences_note(gains: Floats, looks: tuple[Identity, Identity]) -> Markup:
    """How many segments each system wins; a gain above 0 is one of the second."""
    return Markup(
        '<p class="bs-source"><bdi>{}</bdi> is ahead in {}, <bdi>{}</bdi> in {}; {} score the same. '
        "Click a bar to read the segments behind it.</p>"
    ).format(
        looks[1].name,
        numbers.counted(int(np.sum(gains > 0)), "segment"),
        looks[0].name,
        numbers.count(int(np.sum(gains < 0))),
        numbers.count(int(np.sum(gains == 0))),
    )


def _headlines(metric: MetricEvaluation, looks: tuple[Identity, Identity]) -> Markup:
    scale, (first, second) = Scale.of(metric), (metric.systems[look.name].score for look in looks)
    points = "higher is better" if metric.higher_is_better else "lower is better"
    return Markup('<div class="bs-headlines">{}{}{}</div>').format(
        headline(system_label(looks[0], "A"), scale.score(first), metric.name),
        headline(system_label(looks[1], "B"), scale.score(second), metric.name),
        headline(Markup("Δ {}, B − A").format(metric.name), scale.difference(second - first), points),
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
    penalty = evaluation.systems[short[0]].score.brevity_penalty
    cost = f" (here × {numbers.ratio(penalty)})" if len(short) == 1 else ""
    return Markup(" {} wrote clearly less than the references, which lowers the score{}.").format(listed(short), cost)
