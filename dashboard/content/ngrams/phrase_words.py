"""The phrases that make the difference of two systems, in words."""

from markupsafe import Markup

from bleucore.analysis.attribution import BleuAttribution
from bleucore.analysis.ngram_phrases import Phrase, Phrases
from dashboard.content.ngrams.ngram_tables import Side, written
from dashboard.content.ngrams.phrases import MERGED, RANKED, side_of
from dashboard.content.style import numbers
from dashboard.content.style.sentences import Text, sentence, strong, verdict

MOST_NAMED = 8
CAPTION = f"18 : 4 are the matches of the system that has more, and of the other one. {MERGED} {RANKED}"
NONE = (
    "No phrase is matched more often in enough documents, or segments, to be more than chance. The lists of 1 to 4 "
    "tokens hold what there is."
)


def phrases_verdict(phrases: Phrases, attribution: BleuAttribution) -> Text:
    """How many phrases each system matches more often, and what all matches add to the difference."""
    first, second = (strong(name) for name in attribution.names)
    lead = sentence(
        "{} matches {} more often than {}, and {} matches {} more often",
        second,
        numbers.counted(phrases.n_won, "phrase"),
        first,
        first,
        numbers.count(phrases.n_lost),
    )
    if attribution.reason is not None:
        return verdict("{}.", lead)
    beside = [
        ("the number of n-grams", float(attribution.total_parts.sum())),
        ("the brevity penalty", attribution.brevity_penalty),
        ("smoothing", attribution.jump),
    ]
    rest = ", ".join(
        f"{name} {numbers.difference(part)}" for name, part in beside if numbers.difference(part) != "0.00"
    )
    return verdict(
        "{}. The matches of all n-grams add {} to Δ{} ({} in all).",
        lead,
        numbers.difference(float(attribution.match_parts.sum())),
        f", {rest}" if rest else "",
        numbers.difference(attribution.difference),
    )


def side_title(side: Side, name: str) -> Markup:
    """Whose phrases follow."""
    return Markup('<h2 class="bs-list-title">Matched more by <span class="bs-role">{}</span> {}</h2>').format(
        side, strong(name)
    )


def phrase_heading(phrase: Phrase, *, has_parts: bool) -> Markup:
    """A phrase with the matches of the system that has more against those of the other, and its part."""
    more, fewer = sorted(phrase.matches, reverse=True)
    part = f" · {numbers.part(phrase.part)} BLEU" if has_parts else ""
    return Markup('<p class="bs-phrase"><bdi class="bs-token bs-ngram">{}</bdi> <span>{} : {}{}</span></p>').format(
        written(phrase.tokens), numbers.count(more), numbers.count(fewer), part
    )


def read_label(phrase: Phrase) -> str:
    """What a click on a phrase does."""
    n_segments = len(phrase.segments["AB".index(side_of(phrase))])
    return f"Read {numbers.counted(n_segments, 'segment')}"


def next_label(rows: range) -> str:
    """How many more phrases are listed."""
    return f"{numbers.counted(len(rows), 'more phrase')}"


def folded_label(phrases: Phrases) -> str:
    """How many phrases are folded, and the first of them."""
    named = [
        f"\N{FIRST STRONG ISOLATE}{written(one.tokens)}\N{POP DIRECTIONAL ISOLATE}"
        for one in phrases.folded[:MOST_NAMED]
    ]
    more = ["…"] if phrases.n_folded > len(named) else []
    return f"{numbers.count(phrases.n_folded)} folded: {' · '.join([*named, *more])}"
