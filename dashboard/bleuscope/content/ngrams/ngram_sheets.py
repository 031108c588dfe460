"""N-grams as sheets."""

from collections.abc import Sequence

import numpy as np

from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.ngrams import ngram_words
from bleuscope.content.ngrams.ngram_tables import MAX_LISTED, PAGE_HEADS, VIEWS, WORTH, NgramChoice, NgramList, written
from bleuscope.content.sheets.builders import (
    FilledField,
    columns_of,
    context,
    facts_of,
    sheet_of,
)
from bleuscope.content.sheets.sheet import Field, Note, Sheet

NGRAM_COUNTS = {"won and lost": "more_matches", "over-generated": "too_often", "missed": "missed"}


NGRAM_WORDS = {
    "more_matches": "matches that {} has more, over the segments where it has more",
    "too_often": "how often {} has the n-gram too often",
    "missed": "how often {} misses the n-gram of a reference",
}


def ngrams_sheet(
    compared: ComparisonContext, lists: Sequence[NgramList], choice: NgramChoice, *, most: int = MAX_LISTED
) -> Sheet:
    """The n-grams of lists that belong together, as they are ranked and searched on the page.

    Args:
        compared: The systems.
        lists: One for each system, of one view and order.
        choice: Which view and order that is, and how the lists are ranked.
        most: Rows of each list.
    """
    ranked = [(listed, listed.ranked(choice.rank, find=choice.find, most=most)) for listed in lists]
    listed_rows = [(listed, row) for listed, rows in ranked for row in rows]
    as_shown = {place: Note(written(row.tokens)) for place, (_, row) in enumerate(listed_rows)}
    columns: list[FilledField] = [
        (Field("system", "system", "text"), [compared.sides["AB".index(listed.side)] for listed, _ in listed_rows]),
        (Field("ngram", "n-gram", "text", notes=as_shown), [" ".join(row.tokens) for _, row in listed_rows]),
    ]
    if compared.compares:
        columns.insert(0, (Field("side", "A or B", "text"), [listed.side for listed, _ in listed_rows]))
    counts = [dict(zip(_heads(listed, choice), row.counts, strict=True)) for listed, row in listed_rows]
    columns += [(one, np.array([count[one.key] for count in counts], np.int64)) for one in _count_fields(lists, choice)]
    if choice.part is not None:
        key, explanation = _part_key(choice), ngram_words.part_help(choice.view, choice.part)
        part = Field(key, choice.part, "part", explanation=explanation, on_pages=PAGE_HEADS.get(choice.part))
        columns.append((part, np.array([row.part for _, row in listed_rows], np.float64)))
    ratio = Field("log_likelihood", "G²", "statistic", explanation=ngram_words.ratio_help(choice.view, choice.against))
    columns.append((ratio, np.array([row.ratio for _, row in listed_rows], np.float64)))
    return sheet_of(
        "ngrams",
        (
            f"{choice.order}-grams: {ngram_words.title_words(choice.view, choice.against).lower()} each system, ranked "
            f"by {choice.rank}{f', of those that hold “{choice.find}”' if choice.find else ''}.",
            *_count_words(lists, choice),
            ""
            if choice.part is None
            else f"{_capital(choice.part)}: {ngram_words.part_help(choice.view, choice.part)}",
            "G² is the log-likelihood ratio (Dunning 1993) with Yates's correction.",
            *context(compared.sides, compared.evaluation),
        ),
        columns,
        facts_of(compared.sides, compared.evaluation) | {"view": choice.view, "order": choice.order},
    )


def ngram_list_sheet(compared: ComparisonContext, listed: NgramList, choice: NgramChoice) -> Sheet:
    """One of the lists as it is clicked: its own count first, then the one that it is set against."""
    parts = () if choice.part is None else (_part_key(choice),)
    keys = ("ngram", *_heads(listed, choice), *parts, "log_likelihood")
    return columns_of(ngrams_sheet(compared, [listed], choice), keys, title="")


def _heads(listed: NgramList, choice: NgramChoice) -> tuple[str, str]:
    """The columns that the two counts of a list stand in."""
    if choice.view == VIEWS[0] or choice.against == "the other system":
        this, other = ("a", "b") if listed.side == "A" else ("b", "a")
        return f"{NGRAM_COUNTS[choice.view]}_{this}", f"{NGRAM_COUNTS[choice.view]}_{other}"
    this, other = listed.heads
    return this.replace(" ", "_"), other.replace(" ", "_")


def _part_key(choice: NgramChoice) -> str:
    return "worth" if choice.part == WORTH else "part"


def _count_fields(lists: Sequence[NgramList], choice: NgramChoice) -> list[Field]:
    """The columns of counts, A before B."""
    first, helps = lists[0], ngram_words.count_help(lists[0], choice.view, choice.against)
    return [
        Field(key, _kind(key).replace("_", " ") + _side(key), "count", on_pages=head, explanation=explained)
        for key, head, explained in sorted(zip(_heads(first, choice), first.heads, helps, strict=True))
    ]


def _count_words(lists: Sequence[NgramList], choice: NgramChoice) -> list[str]:
    """What the columns of counts hold, as sentences."""
    return [
        f"{_capital(one.heading)}: {NGRAM_WORDS[_kind(one.key)].format(_side(one.key).strip() or 'the system')}."
        for one in _count_fields(lists, choice)
    ]


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _side(key: str) -> str:
    return {"_a": " A", "_b": " B"}.get(key[-2:], "")


def _kind(key: str) -> str:
    return key[:-2] if key[-2:] in ("_a", "_b") else key
