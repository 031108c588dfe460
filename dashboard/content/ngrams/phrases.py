"""The phrases that make the difference of two systems: those of a study, and the same as a sheet."""

from collections.abc import Sequence

import numpy as np

from bleucore.analysis.attribution import BleuAttribution
from bleucore.analysis.differing_ngrams import MERGED_SHARE
from bleucore.analysis.ngram_phrases import (
    FREQUENT_COUNT,
    FREQUENT_SHARE,
    FREQUENT_TYPES,
    Phrase,
    Phrases,
    telling_phrases,
)
from bleucore.analysis.ngram_types import NGram, NgramSegments, PairTokens
from dashboard.content.comparison.study import Study
from dashboard.content.ngrams.ngram_tables import PART, Side, written
from dashboard.content.sheets.making import FilledField, columns_of, context, facts_of, rows_of, sheet_of
from dashboard.content.sheets.sheet import Field, Note, Sheet
from dashboard.content.style import numbers

N_PHRASES = 20
"""Of those that a system matches more, and of folded ones, that are known by name."""
RANKED = (
    "First come those that surely add most: what a phrase and its parts add, less what the documents it stands in, or "
    "the segments where there are no documents, add up to by chance."
)
MERGED = (
    "N-grams of all lengths stand together. A part of a longer phrase is counted with it if "
    f"{numbers.percent(MERGED_SHARE)} of its segments are those of the longer one; what shares a word and half of its "
    "segments with a better one is left out."
)
FOLDED = (
    "Folded are phrases of punctuation and of the most frequent words alone: those that are at least one in "
    f"{round(1 / FREQUENT_SHARE)} of the tokens of the references, stand there at least {FREQUENT_COUNT} times, and "
    f"are among the most frequent {numbers.percent(FREQUENT_TYPES)} of the different ones."
)
MATCHES_HELP = "Matches of {} over all segments, also those that both systems have."
SEGMENTS_HELP = "Segments in which {} matches it more often."
ASSURED_HELP = "The size of that, less what chance makes of it. Phrases are ranked by it."
PART_HELP = "What its matches, with those of its merged parts, add to the difference of the scores, B minus A."


def phrases_of(
    tokens: PairTokens, attribution: BleuAttribution, documents: Sequence[str] | None, *, most: int = N_PHRASES
) -> Phrases:
    """The phrases of two systems; where no match has a part, all matches weigh alike."""
    values = attribution.match_values
    return telling_phrases(tokens, np.ones_like(values) if attribution.reason else values, documents, n_leading=most)


def phrase_of(tokens: NGram, found: NgramSegments) -> Phrase:
    """One n-gram as a phrase without parts, from the segments that hold it."""
    first, second = (np.minimum(own, found.reference) for own in (found.first, found.second))
    segments = (found.segments[first > second], found.segments[second > first])
    return Phrase(tokens, (int(first.sum()), int(second.sum())), 0.0, 0.0, segments)


def side_of(phrase: Phrase) -> Side:
    """Which system matches a phrase more."""
    first, second = phrase.matches
    return "B" if second > first else "A"


def phrases_sheet(study: Study, phrases: Phrases, *, has_parts: bool) -> Sheet:
    """The phrases that B matches more, those that A does, and folded ones, with matches, segments and parts.

    Args:
        study: Of A and B.
        phrases: Theirs.
        has_parts: Whether the difference can be divided.
    """
    listed = (*phrases.won, *phrases.lost, *phrases.folded)
    sides = [side_of(phrase) for phrase in listed]
    as_shown = {place: Note(written(phrase.tokens)) for place, phrase in enumerate(listed)}
    matches = np.array([phrase.matches for phrase in listed], np.int64).reshape(-1, 2)
    segments = np.array([[len(one) for one in phrase.segments] for phrase in listed], np.int64).reshape(-1, 2)
    columns: list[FilledField] = [
        (Field("side", "A or B", "text"), sides),
        (Field("system", "system", "text"), [study.pair["AB".index(side)] for side in sides]),
        (Field("phrase", "phrase", "text", notes=as_shown), [" ".join(phrase.tokens) for phrase in listed]),
        *(
            (
                Field(f"{key}_{side.lower()}", f"{key} {side}", "count", on_pages=side, explanation=words.format(side)),
                values[:, place],
            )
            for key, words, values in (("matches", MATCHES_HELP, matches), ("segments", SEGMENTS_HELP, segments))
            for place, side in enumerate("AB")
        ),
        (
            Field("folded", "folded", "yes or no", explanation=FOLDED),
            np.arange(len(listed)) >= len(listed) - len(phrases.folded),
        ),
    ]
    if has_parts:
        columns += [
            (Field("part", PART, "part", explanation=PART_HELP), np.array([phrase.part for phrase in listed])),
            (
                Field("assured", "assured", "part", explanation=ASSURED_HELP),
                np.array([phrase.assured for phrase in listed]),
            ),
        ]
    return sheet_of(
        "phrases",
        (
            "Phrases that one system matches more often than the other.",
            MERGED,
            RANKED,
            FOLDED,
            *context(study.pair, study.evaluation),
        ),
        columns,
        facts_of(study.pair, study.evaluation) | {"frequent": " ".join(phrases.frequent)},
    )


def clicked_sheet(sheet: Sheet, rows: range) -> Sheet:
    """Some of the phrases as they are clicked, with the matches of A and of B."""
    parts = [one.key for one in sheet.fields if one.key == "part"]
    return columns_of(rows_of(sheet, rows, title=""), ("phrase", "matches_a", "matches_b", *parts), title="")
