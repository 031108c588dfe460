"""Phrases: those that one system has more of than the other, or than the references; and the same as a sheet."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

import numpy as np

from bleucore.analysis.attribution import BleuAttribution, attribute
from bleucore.analysis.differing_ngrams import MERGED_SHARE, Counted
from bleucore.analysis.ngram_phrases import (
    FREQUENT_COUNT,
    FREQUENT_SHARE,
    FREQUENT_TYPES,
    Phrase,
    Phrases,
    telling_phrases,
)
from bleucore.analysis.ngram_types import NGram, NgramSegments, PairTokens, pair_tokens
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.ngrams.ngram_tables import (
    AGAINST,
    LABELS,
    PAGE_HEADS,
    PART,
    VIEWS,
    WORTH,
    Against,
    NgramView,
    Place,
    Side,
    unmatched_value,
    written,
)
from bleuscope.content.ngrams.ngram_words import COUNT_HELP, PART_HELP, title_words
from bleuscope.content.sheets.builders import FilledField, columns_of, context, facts_of, sheet_of
from bleuscope.content.sheets.sheet import Field, Note, Sheet
from bleuscope.content.style import numbers

N_PHRASES = 20
"""Of each list, and of its folded ones, that are known by name."""
COUNTED: Mapping[NgramView, tuple[Counted, Place, str]] = MappingProxyType(
    {
        "won and lost": ("matched", "matched more", "matches"),
        "over-generated": ("too often", "too often", "too_often"),
        "missed": ("missed", "missed", "missed"),
    }
)
"""What is counted of two systems, where a click finds it, and how its columns begin."""
RANKED = "Rank: what a phrase and its parts add, minus what chance would add."
MERGED = (
    f"Hidden: parts of a phrase if {numbers.percent(MERGED_SHARE)} of their segments have it too, and lower-ranked "
    "phrases that overlap with it."
)
FOLDED = (
    "Folded are phrases of punctuation and of the most frequent words alone: those that are at least one in "
    f"{round(1 / FREQUENT_SHARE)} of the tokens of the references, stand there at least {FREQUENT_COUNT} times, and "
    f"are among the most frequent {numbers.percent(FREQUENT_TYPES)} of the different ones."
)
MATCHES_HELP = "Matches of {} over all segments, also those that both systems have."
SEGMENTS_HELP = "Segments in which there is more of it than on the other side."
ASSURED_HELP = "The size of that, less what chance makes of it. Phrases are ranked by it."
MERGED_HELP = " Its merged parts are counted too."
WORTH_HELP = (
    "About how many BLEU points the system would gain if what it has too often, or misses, were matches; its merged "
    "parts are counted too."
)


@dataclass(frozen=True)
class PhraseChoice:
    """Which phrases to list.

    Attributes:
        view: What is counted.
        against: What a system is held against; of what is won and lost it is the other system.
    """

    view: NgramView
    against: Against

    @property
    def of_one(self) -> bool:
        """Whether each system is held against the references alone."""
        return self.view != VIEWS[0] and self.against == AGAINST[1]

    @property
    def part(self) -> str:
        """The name of what phrases add, or are worth."""
        return WORTH if self.of_one else PART


@dataclass(frozen=True)
class PhraseList:
    """The phrases of a system.

    Attributes:
        side: Whose list it is.
        where: In which segments a click finds its phrases: one of ``ngram_tables.WHERE``.
        found: The phrases of two sides.
        own: Which of these sides is listed.
    """

    side: Side
    where: str
    found: Phrases
    own: Literal[0, 1]

    @property
    def leading(self) -> tuple[Phrase, ...]:
        """Those with a telling token."""
        return self.found.leading[self.own]

    @property
    def folded(self) -> tuple[Phrase, ...]:
        """Those without one."""
        return self.found.folded[self.own]


def phrases_of(
    tokens: PairTokens,
    attribution: BleuAttribution,
    documents: Sequence[str] | None,
    *,
    counted: Counted = "matched",
    most: int = N_PHRASES,
) -> Phrases:
    """The phrases of two systems, or of B alone; where nothing has a part, all weigh alike."""
    values = attribution.match_values
    if attribution.reason:
        values = np.ones_like(values)
    elif counted == "too often":
        orders = range(1, attribution.max_order + 1)
        values = np.array([unmatched_value(attribution, order, "over-generated") for order in orders])
    elif counted == "missed":
        values = -values
    return telling_phrases(tokens, values, documents, counted=counted, n_leading=most)


def phrases_in(study: ComparisonContext, pair: tuple[str, str], counted: Counted, *, most: int = N_PHRASES) -> Phrases:
    """The same of two systems of a study, or of one that is named twice."""
    counts = [study.evaluation.systems[name].counts for name in pair]
    attribution = attribute(counts[0], counts[1], study.options, names=pair)
    tokens = pair_tokens(study.test_set, pair, study.options)
    return phrases_of(tokens, attribution, study.test_set.documents, counted=counted, most=most)


def phrase_lists(
    study: ComparisonContext, choice: PhraseChoice, find: Callable[[tuple[str, str], Counted], Phrases]
) -> list[PhraseList]:
    """A list for B and for A, or for the only system.

    Args:
        study: Of the systems.
        choice: Which phrases.
        find: Gives the phrases of two systems, or of one that is named twice.
    """
    counted, place, _ = COUNTED[choice.view]
    sides: tuple[Side, ...] = ("B", "A") if study.compares else ("A",)
    if choice.of_one:
        own: Literal[0, 1] = 1 if choice.view == "over-generated" else 0
        names = {side: study.sides["AB".index(side)] for side in sides}
        return [
            PhraseList(side, LABELS[side, place], find((names[side],) * 2, "against the references"), own)
            for side in sides
        ]
    found = find(study.pair, counted)
    return [PhraseList(side, LABELS[side, place], found, 1 if side == "B" else 0) for side in sides]


def phrase_of(tokens: NGram, found: NgramSegments) -> Phrase:
    """One n-gram as a phrase without parts, from the segments that hold it."""
    first, second = (np.minimum(own, found.reference) for own in (found.first, found.second))
    segments = (found.segments[first > second], found.segments[second > first])
    return Phrase(tokens, (int(first.sum()), int(second.sum())), 0.0, 0.0, segments)


def phrases_sheet(
    study: ComparisonContext, lists: Sequence[PhraseList], choice: PhraseChoice, *, has_parts: bool
) -> Sheet:
    """The phrases of the lists, and then those folded, with counts, segments and parts.

    Args:
        study: Of the systems.
        lists: Theirs.
        choice: Which phrases these are.
        has_parts: Whether the difference can be divided.
    """
    rows = [(listed, phrase) for listed in lists for phrase in listed.leading]
    folded = [(listed, phrase) for listed in lists for phrase in listed.folded]
    columns = _columns(study, [*rows, *folded], choice, has_parts=has_parts)
    is_folded = np.arange(len(rows) + len(folded)) >= len(rows)
    return sheet_of(
        "phrases",
        (
            f"Phrases {title_words(choice.view, choice.against).lower()} each system.",
            MERGED,
            RANKED,
            FOLDED,
            *context(study.sides, study.evaluation),
        ),
        [*columns, (Field("folded", "folded", "yes or no", explanation=FOLDED), is_folded)],
        facts_of(study.sides, study.evaluation) | {"view": choice.view, "frequent": " ".join(lists[0].found.frequent)},
    )


def clicked_sheet(
    study: ComparisonContext, listed: PhraseList, phrases: Sequence[Phrase], choice: PhraseChoice, *, has_parts: bool
) -> Sheet:
    """Some phrases of a list as they are clicked."""
    columns = _columns(study, [(listed, phrase) for phrase in phrases], choice, has_parts=has_parts)
    keys = ("phrase", *_count_keys(choice), *(("part",) if has_parts else ()))
    return columns_of(sheet_of("phrases", (), columns, {}), keys, title="")


def _count_keys(choice: PhraseChoice) -> tuple[str, str]:
    """The columns of the counts on the two sides."""
    kind = COUNTED[choice.view][2]
    return ("missed", "too_often") if choice.of_one else (f"{kind}_a", f"{kind}_b")


def _columns(
    study: ComparisonContext, rows: Sequence[tuple[PhraseList, Phrase]], choice: PhraseChoice, *, has_parts: bool
) -> list[FilledField]:
    phrases = [phrase for _, phrase in rows]
    as_shown = {place: Note(written(phrase.tokens)) for place, phrase in enumerate(phrases)}
    counts = np.array([phrase.counts for phrase in phrases], np.int64).reshape(-1, 2)
    segments = np.array([[len(one) for one in phrase.segments] for phrase in phrases], np.int64).reshape(-1, 2)
    sides: list[FilledField] = [(Field("side", "A or B", "text"), [listed.side for listed, _ in rows])]
    columns: list[FilledField] = [
        *(sides if study.compares else ()),
        (Field("system", "system", "text"), [study.sides["AB".index(listed.side)] for listed, _ in rows]),
        (Field("phrase", "phrase", "text", notes=as_shown), [" ".join(phrase.tokens) for phrase in phrases]),
        *((field, counts[:, place]) for place, field in enumerate(_count_fields(choice))),
        *((field, segments[:, place]) for place, field in enumerate(_segment_fields(choice))),
    ]
    if has_parts:
        parts = np.array([phrase.part for phrase in phrases], np.float64)
        help_text = WORTH_HELP if choice.of_one else PART_HELP[choice.view] + MERGED_HELP
        columns += [
            (
                Field("part", choice.part, "part", explanation=help_text, on_pages=PAGE_HEADS.get(choice.part)),
                np.abs(parts) if choice.of_one else parts,
            ),
            (
                Field("assured", "assured", "part", explanation=ASSURED_HELP),
                np.array([phrase.assured for phrase in phrases], np.float64),
            ),
        ]
    return columns


def _count_fields(choice: PhraseChoice) -> list[Field]:
    if choice.of_one:
        return [
            Field("missed", "missed", "count", explanation=COUNT_HELP["missed"].format("the system")),
            Field("too_often", "too often", "count", explanation=COUNT_HELP["over-generated"].format("the system")),
        ]
    help_text = MATCHES_HELP if choice.view == VIEWS[0] else COUNT_HELP[choice.view]
    return [
        Field(key, key.replace("_", " ")[:-1] + side, "count", on_pages=side, explanation=help_text.format(side))
        for key, side in zip(_count_keys(choice), "AB", strict=True)
    ]


def _segment_fields(choice: PhraseChoice) -> list[Field]:
    ends = ("missed", "too often") if choice.of_one else ("A", "B")
    return [
        Field(f"segments_{end.replace(' ', '_').lower()}", f"segments {end}", "count", explanation=SEGMENTS_HELP)
        for end in ends
    ]
