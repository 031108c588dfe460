"""Where a difference in BLEU comes from, in words."""

import numpy as np

from bleucore.attribution import BleuAttribution
from bleucore.counts import Floats
from dashboard.content import numbers
from dashboard.content.sentences import Sentence, Text, defined, note, sentence, strong, verdict

ROUNDS_TO_NOTHING = 0.005
"""Parts below it are 0.00 on screen."""

WATERFALL_CAPTION = (
    "Each bar is what one ingredient of BLEU adds to the difference: the precision of n-grams of each length, and the "
    "brevity penalty. The parts add up exactly: they are BLEU's gradient, integrated along the straight line between "
    "the two systems' counts (Aumann and Shapley 1974)."
)
CONCENTRATION_CAPTION = (
    "Segments from the one that adds most to the one that takes most away. Where the curve meets the line, the "
    "segments so far make the whole difference; what follows cancels out."
)
PARTS_CAPTION = sentence(
    "{} is what a segment adds to the difference of the corpus scores. The difference of the two {} is another thing: "
    "BLEU is not a mean of segment scores, long segments weigh more, and a short one can differ by 50 points and "
    "hardly matter. The two often disagree.",
    defined("Part in Δ"),
    defined("segment scores"),
)


def attribution_verdict(attribution: BleuAttribution) -> Text:
    """Which ingredient makes most of the difference, and how few segments do."""
    first, second = attribution.names
    if attribution.reason is not None:
        return verdict("{}", attribution.reason) + smoothing_note(attribution)
    if abs(attribution.difference) < ROUNDS_TO_NOTHING:
        lead = sentence("{} and {} have the same score to two decimals.", strong(first), strong(second))
        return verdict("{} {}", lead, _against_each_other(attribution))
    ahead, behind = (second, first) if attribution.difference > 0 else (first, second)
    said = verdict(
        "{} is ahead of {} by {} BLEU, {}. {}",
        strong(ahead),
        strong(behind),
        numbers.score(abs(attribution.difference)),
        _main_ingredients(attribution),
        _concentration(attribution),
    )
    return said + smoothing_note(attribution)


def smoothing_note(attribution: BleuAttribution) -> Text:
    """Why a part of the difference belongs to no segment."""
    if attribution.jump_reason is None:
        return Text()
    return note("{} of the difference is smoothing: {}", numbers.difference(attribution.jump), attribution.jump_reason)


def disagreement_note(parts: Floats, delta: Floats) -> Text:
    """In how many segments the part in Δ and the difference of segment scores point to different systems."""
    turned = int(np.count_nonzero(parts * delta < 0))
    if not turned:
        return Text()
    return note(
        "In {} the part in Δ and the segment scores favour different systems.", numbers.counted(turned, "segment")
    )


def measures_note(parts: Floats, delta: Floats) -> str:
    """That a part in Δ is not a difference of segment scores, and in how many segments the two disagree."""
    turned = int(np.count_nonzero(parts * delta < 0))
    where = numbers.counted(turned, "segment") if turned else "no segment"
    return (
        "The *part* in the corpus difference and *Δ* of the segment's own scores measure different things and can "
        f"disagree: here they favour different systems in {where}."
    )


def ingredients(attribution: BleuAttribution) -> list[tuple[str, float]]:
    """The parts of the difference by name: each order, the brevity penalty, and smoothing where there is some."""
    parts = [(f"{order}-grams", float(part)) for order, part in enumerate(attribution.orders, start=1)]
    parts.append(("brevity penalty", attribution.brevity_penalty))
    if attribution.jump_reason is not None:
        parts.append(("smoothing", attribution.jump))
    return parts


def _main_ingredients(attribution: BleuAttribution) -> str:
    """What makes most of it, and what works against it."""
    direction = np.sign(attribution.difference)
    ordered = sorted(ingredients(attribution), key=lambda part: -direction * part[1])
    name, most = ordered[0]
    phrase = f"most of all by {_named(name)} ({numbers.difference(abs(most))})"
    last, least = ordered[-1]
    if direction * least < -ROUNDS_TO_NOTHING:
        phrase += f", against {_named(last)} ({numbers.difference(-abs(least))})"
    return phrase


def _named(ingredient: str) -> str:
    return {"brevity penalty": "the brevity penalty", "smoothing": "smoothing"}.get(ingredient, f"its {ingredient}")


def _concentration(attribution: BleuAttribution) -> Sentence:
    found = attribution.concentration
    n_segments = len(attribution.segments)
    if found.n_needed is None:
        return _against_each_other(attribution)
    n_needed = numbers.counted(found.n_needed, "segment")
    return sentence(
        "The {} that add most make the whole difference, of {}; the rest cancels out.",
        n_needed,
        numbers.count(n_segments),
    )


def _against_each_other(attribution: BleuAttribution) -> Sentence:
    found, (first, second) = attribution.concentration, attribution.names
    return sentence(
        "{} add {} for {}, {} add {} for {}.",
        numbers.counted(found.n_positive, "segment"),
        numbers.score(found.positive),
        strong(second),
        numbers.count(found.n_negative),
        numbers.score(abs(found.negative)),
        strong(first),
    )
