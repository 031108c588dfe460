"""Where a difference comes from, in words."""

import numpy as np

from bleucore import MetricEvaluation
from bleucore.analysis.attribution import Attribution, BleuAttribution
from bleucore.counts import Floats
from bleuscope.content.style import numbers
from bleuscope.content.style.sentences import Sentence, Text, defined, note, sentence, strong, verdict

ROUNDS_TO_NOTHING = 0.005
"""Parts below it are 0.00 on screen."""

INGREDIENTS = {"BLEU": "the precision of n-grams of each length, and the brevity penalty"}
OTHER_INGREDIENTS = "how well n-grams of each length fit the references; a brevity penalty is BLEU's alone"
WATERFALL_CAPTION = "The bars add up to the difference (after Aumann and Shapley 1974)."
HALVES = "1-grams: {matches} for matches, {totals} for the number in the output."
NO_INGREDIENTS = "{} has no ingredients. In BLEU, n-gram orders and the brevity penalty contribute to a difference."
PARTS_CAPTION = "{} is what a segment adds to the difference between the corpus scores. {} is not the mean of {}."
PARTS_OF_MEAN = (
    "{} is what a segment adds to the difference between the corpus scores, which are means of segment scores."
)


def waterfall_caption(attribution: Attribution) -> str:
    """How to read the bars of ingredients, and why the matches of an order add something else than its bar."""
    metric = attribution.metric_name
    caption = WATERFALL_CAPTION.format(metric=metric, ingredients=INGREDIENTS.get(metric, OTHER_INGREDIENTS))
    if not isinstance(attribution, BleuAttribution) or not attribution.halves_add_up:
        return caption
    matches, totals = (
        numbers.difference(float(parts[0])) for parts in (attribution.match_parts, attribution.total_parts)
    )
    return f"{caption} {HALVES.format(matches=matches, totals=totals)}"


def parts_caption(metric: MetricEvaluation) -> Sentence:
    """What parts are, beside differences of scores."""
    part = defined("Contribution to Δ")
    if metric.metric.is_read:
        return sentence(PARTS_OF_MEAN, part)
    return sentence(PARTS_CAPTION, part, metric.name, defined("segment scores"))


def attribution_verdict(attribution: Attribution) -> Text:
    """Which ingredient makes most of the difference of A and B."""
    first, second = attribution.names
    if attribution.reason is not None:
        return verdict("{}", attribution.reason) + smoothing_note(attribution)
    if abs(attribution.difference) < ROUNDS_TO_NOTHING:
        lead = sentence("{} and {} have the same score to two decimals.", strong(first), strong(second))
        return verdict("{} {}", lead, _against_each_other(attribution))
    ahead, behind = (second, first) if attribution.gain(attribution.difference) > 0 else (first, second)
    if attribution.has_ingredients:
        return verdict("{} scores higher{}.", strong(ahead), _main_ingredients(attribution)) + smoothing_note(
            attribution
        )
    size = f"{numbers.score(abs(attribution.difference))} {attribution.metric_name}"
    return verdict("{} scores {} better than {}.", strong(ahead), size, strong(behind)) + smoothing_note(attribution)


def smoothing_note(attribution: Attribution) -> Text:
    """Why a part of the difference belongs to no segment."""
    if attribution.jump_reason is None:
        return Text()
    jump = numbers.difference(attribution.jump)
    return note("{} of the difference comes from {}: {}", jump, attribution.metric.jump, attribution.jump_reason)


def disagreement_note(parts: Floats, delta: Floats) -> Text:
    """In how many segments the contribution to Δ and the difference of segment scores point to different systems."""
    turned = int(np.count_nonzero(parts * delta < 0))
    if not turned:
        return Text()
    return note(
        "In {}, the contribution to Δ and the segment scores favour different systems.",
        numbers.counted(turned, "segment"),
    )


def measures_note(parts: Floats, delta: Floats) -> str:
    """That a contribution to Δ is not a difference of segment scores, and in how many segments the two disagree."""
    turned = int(np.count_nonzero(parts * delta < 0))
    where = numbers.counted(turned, "segment") if turned else "no segment"
    return f"*Contribution to Δ* and the segment's own *Δ* favour different systems in {where}."


def ingredients(attribution: Attribution) -> list[tuple[str, float]]:
    """The parts of the difference by name: in BLEU each order, brevity penalty, and smoothing where there is some."""
    parts = list(zip(attribution.factors, attribution.factor_parts.tolist(), strict=True))
    if attribution.jump_reason is not None:
        parts.append((attribution.metric.jump, attribution.jump))
    return parts


def _main_ingredients(attribution: Attribution) -> str:
    """What makes most of it, and what works against it."""
    direction = np.sign(attribution.difference)
    ordered = sorted(ingredients(attribution), key=lambda part: -direction * part[1])
    name, most = ordered[0]
    phrase = f" mainly through {_named(name)} ({numbers.difference(abs(most))})"
    last, least = ordered[-1]
    if direction * least < -ROUNDS_TO_NOTHING:
        phrase += f", despite {_named(last)} ({numbers.difference(-abs(least))})"
    return phrase


def _named(ingredient: str) -> str:
    its = f"its {ingredient}" if ingredient.endswith("-grams") else ingredient
    return "the brevity penalty" if ingredient == "brevity penalty" else its


def _against_each_other(attribution: Attribution) -> Sentence:
    found, (first, second) = attribution.concentration, attribution.names
    sides = [(found.n_negative, found.negative), (found.n_positive, found.positive)]
    (n_first, of_first), (n_second, of_second) = sides if attribution.gain(1.0) > 0 else sides[::-1]
    return sentence(
        "{} add {} for {}, {} add {} for {}.",
        numbers.counted(n_second, "segment"),
        numbers.score(abs(of_second)),
        strong(second),
        numbers.count(n_first),
        numbers.score(abs(of_first)),
        strong(first),
    )
