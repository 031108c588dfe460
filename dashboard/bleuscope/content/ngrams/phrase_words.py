"""Phrases that one system has more of than the other, or than the references, in words."""

from collections.abc import Sequence

from markupsafe import Markup

from bleucore.analysis.attribution import BleuAttribution
from bleucore.analysis.ngram_phrases import Phrase
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.ngrams.ngram_tables import VIEWS, written
from bleuscope.content.ngrams.phrases import MERGED, RANKED, PhraseChoice, PhraseList
from bleuscope.content.style import numbers
from bleuscope.content.style.sentences import Sentence, Text, joined, sentence, strong, verdict
from bleuscope.content.style.terms import explaining

MOST_NAMED = 8
NONE = (
    "No phrase occurs in enough documents or segments to be significant. The lists of a single length show all n-grams."
)


def phrases_verdict(
    study: ComparisonContext, lists: Sequence[PhraseList], choice: PhraseChoice, attribution: BleuAttribution
) -> Text:
    """How many phrases each system has more of, and what all matches add to the difference."""
    lead = _numbers(study, lists, choice)
    if choice.view != VIEWS[0] or attribution.reason is not None:
        return verdict("{}.", lead)
    beside = [
        ("the number of n-grams", float(attribution.total_parts.sum())),
        ("the brevity penalty", attribution.brevity_penalty),
        ("smoothing", attribution.jump),
    ]
    rest = ", ".join(
        f"{name} {numbers.difference(part)}" for name, part in beside if numbers.difference(part) != "0.00"
    )
    said = verdict(
        "{}. All matches add {} to Δ{} ({} in total).",
        lead,
        numbers.difference(float(attribution.match_parts.sum())),
        f", {rest}" if rest else "",
        numbers.difference(attribution.difference),
    )
    return explaining(said, "n-grams", "Δ", "brevity penalty")


def caption(choice: PhraseChoice) -> str:
    """What the numbers beside a phrase are, and how phrases are found."""
    if choice.of_one:
        first = "how often the system {}, then how often it {}".format(
            *("overuses it", "misses it")[:: 1 if choice.view == "over-generated" else -1]
        )
    elif choice.view == VIEWS[0]:
        first = "matches of the system with more, then of the other"
    else:
        verb = "overuses it" if choice.view == "over-generated" else "misses it"
        first = f"how often the system {verb}, then how often the other does"
    return f"Counts: {first}. {MERGED} {RANKED}"


def phrase_heading(phrase: Phrase, choice: PhraseChoice, *, has_parts: bool) -> Markup:
    """A phrase with the count of the side that has more against that of the other, and its part."""
    more, fewer = phrase.counts[phrase.leader], phrase.counts[1 - phrase.leader]
    worth = f"worth {numbers.part(abs(phrase.part))}" if choice.of_one else numbers.part(phrase.part)
    what = " matches" if choice.view == VIEWS[0] and not choice.of_one else ""
    part = f"{what} · {worth} BLEU" if has_parts else what
    return Markup('<p class="bs-phrase"><bdi class="bs-token bs-ngram">{}</bdi> <span>{} : {}{}</span></p>').format(
        written(phrase.tokens), numbers.count(more), numbers.count(fewer), part
    )


def read_label(phrase: Phrase, choice: PhraseChoice) -> str:
    """What a click on a phrase does."""
    if choice.view != VIEWS[0]:  # where both have it too often is listed too
        return "Read its segments"
    return f"Read {numbers.counted(len(phrase.segments[phrase.leader]), 'segment')}"


def next_label(phrases: Sequence[Phrase]) -> str:
    """How many more phrases are listed."""
    return f"{numbers.counted(len(phrases), 'more phrase')}"


def folded_label(listed: PhraseList) -> str:
    """How many phrases are hidden, and the first of them."""
    n_folded = listed.found.n_folded[listed.own]
    named = [
        f"\N{FIRST STRONG ISOLATE}{written(one.tokens)}\N{POP DIRECTIONAL ISOLATE}"
        for one in listed.folded[:MOST_NAMED]
    ]
    more = ["…"] if n_folded > len(named) else []
    return f"{numbers.count(n_folded)} hidden: {' · '.join([*named, *more])}"


def _numbers(study: ComparisonContext, lists: Sequence[PhraseList], choice: PhraseChoice) -> Sentence:
    """How many phrases each list has in all."""
    systems = [strong(study.sides["AB".index(listed.side)]) for listed in lists]
    n_phrases = [listed.found.n_phrases[listed.own] for listed in lists]
    said = [numbers.counted(n_phrases[0], "phrase"), *map(numbers.count, n_phrases[1:])]
    if choice.of_one:
        more = "more" if choice.view == "over-generated" else "less"
        each = [sentence("{} has {}", *one) for one in zip(systems, said, strict=True)]
        return sentence("{} {} often than the references", joined(", ", each), more)
    second, first = systems
    template = {
        "won and lost": "{} matches {} more often than {}, which matches {} more often",
        "over-generated": "{} overuses {} more than {}, which overuses {} more",
        "missed": "{} misses {} more often than {}, which misses {} more often",
    }[choice.view]
    return sentence(template, second, said[0], first, said[1])
