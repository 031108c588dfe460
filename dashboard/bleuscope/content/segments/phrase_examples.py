"""Segments that show a phrase: the reference and both outputs, with the phrase in a box."""

from collections.abc import Sequence

from markupsafe import Markup

from bleucore.analysis.matches import TokenMatch, match_segments
from bleucore.analysis.ngram_phrases import Phrase
from bleucore.analysis.ngram_types import NGram
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.segments.highlights import marked_reference
from bleuscope.content.style import numbers
from bleuscope.content.style.markup import language_attribute

MOST_EXAMPLES = 2
MOST_CHARACTERS = 600
"""Of a text: an example is to be read at a glance."""


def phrase_examples(study: ComparisonContext, phrase: Phrase, *, most: int = MOST_EXAMPLES) -> Markup:
    """Segments in which the side that has more of the phrase has more of it, with their texts."""
    return Markup("").join(_example(study, phrase.tokens, segment) for segment in example_segments(study, phrase, most))


def example_segments(study: ComparisonContext, phrase: Phrase, most: int) -> list[int]:
    """So many of these segments: short ones, of different documents as far as there are some."""
    texts, documents = [study.test_set.system(name).hypotheses for name in study.sides], study.test_set.documents
    segments = phrase.segments[phrase.leader].tolist()
    shortest = sorted(segments, key=lambda segment: max(len(column[segment]) for column in texts))
    first_of_documents = {} if documents is None else {documents[one]: one for one in reversed(shortest)}
    return sorted(shortest, key=lambda segment: segment not in first_of_documents.values())[:most]


def _example(study: ComparisonContext, ngram: NGram, segment: int) -> Markup:
    test_set = study.test_set
    references = [column[segment] for column in test_set.references if column[segment] is not None]
    outputs = [test_set.system(name).hypotheses[segment] for name in study.sides]
    texts = [_shortened(text or "") for text in (*references, *outputs)]
    tokens = [found.tokens for found in match_segments(texts, [[""]] * len(texts), study.options)]
    holding = next((place for place in range(len(references)) if _holds(tokens[place], ngram)), 0)
    roles = "AB" if study.compares else ["out"]
    rows = [("ref", holding), *zip(roles, range(len(references), len(texts)), strict=True)]
    spoken = language_attribute(test_set.languages[1])
    return Markup('<div class="bs-example"><p class="bs-source">{}</p>{}</div>').format(
        f"segment {numbers.count(segment + 1)}",
        Markup("").join(
            Markup('<p><span class="bs-role">{}</span><span dir="auto"{}>{}</span></p>').format(
                role, spoken, marked_reference(texts[place], tokens[place], None, ngram=ngram)
            )
            for role, place in rows
        ),
    )


def _holds(tokens: Sequence[TokenMatch], ngram: NGram) -> bool:
    texts = tuple(token.token for token in tokens)
    return any(texts[start : start + len(ngram)] == ngram for start in range(len(texts)))


def _shortened(text: str) -> str:
    return text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS].rstrip()}…"
