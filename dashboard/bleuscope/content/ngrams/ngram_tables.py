"""N-grams that two systems win and lose, or that a system has too often and misses, as lists to rank and search."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

import numpy as np

from bleucore.analysis.attribution import BleuAttribution
from bleucore.analysis.ngram_balance import balance_ratios, unmatched_counts
from bleucore.analysis.ngram_types import NGram, NgramSegments, OrderTypes, PairTokens
from bleucore.counts import Ints

Side = Literal["A", "B"]
UnmatchedView = Literal["over-generated", "missed"]
NgramView = Literal["won and lost", "over-generated", "missed"]
VIEWS: tuple[NgramView, ...] = ("won and lost", "over-generated", "missed")
Against = Literal["the other system", "the references"]
AGAINST: tuple[Against, ...] = ("the other system", "the references")
PART, WORTH, RATIO = "contribution to Δ", "worth", "log-likelihood ratio"
PAGE_HEADS: Mapping[str, str] = MappingProxyType({PART: "contribution"})
"""What stands above a narrow column on pages, where it is another name."""

N_LEADING = 1_000
"""N-grams that are known by name, of each kind and by each way to rank them: those that a search can find."""
MAX_LISTED = 100
"""Rows of one list on the page."""
BLANK = "\u200a␣\u200a"
"""Between the tokens of an n-gram: seen, and not to be taken for a token."""
_WITHOUT_BLANKS = "[\u0e00-\u109f\u1780-\u17ff\u3001-\u303f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff01-\uff65]"
"""Letters and signs of Thai, Lao, Tibetan, Burmese and Khmer, of Chinese and Japanese."""

ANYWHERE = "in any text"
Place = Literal["matched more", "too often", "missed"]
WHERE: Mapping[str, tuple[Side, Place] | None] = MappingProxyType(
    {
        ANYWHERE: None,
        "B matches it more": ("B", "matched more"),
        "A matches it more": ("A", "matched more"),
        "B has it too often": ("B", "too often"),
        "A has it too often": ("A", "too often"),
        "B misses it": ("B", "missed"),
        "A misses it": ("A", "missed"),
    }
)
"""In which of the segments that hold an n-gram, by the words of the address: of which system, and what is so."""
LABELS = MappingProxyType({place: label for label, place in WHERE.items() if place is not None})


@dataclass(frozen=True)
class NgramChoice:
    """What to list.

    Attributes:
        view: Which n-grams.
        order: Of how many tokens.
        against: What a system's counts are set against.
        part: The column of parts or worth, or ``None`` where nothing is divided.
        rank: By what the lists are ranked: that column or G².
        find: A text that the n-grams hold.
    """

    view: NgramView
    order: int
    against: Against
    part: str | None
    rank: str
    find: str = ""


@dataclass(frozen=True)
class NgramRow:
    """An n-gram of a list.

    Attributes:
        tokens: The n-gram.
        counts: Two numbers; what they count is said by the heads of the list.
        part: What it adds to the score of B over that of A, or its worth to the system of the list, in BLEU points.
        ratio: G², above 0 if the n-gram belongs to the list more than n-grams of its order do on the whole.
    """

    tokens: NGram
    counts: tuple[int, int]
    part: float
    ratio: float


@dataclass(frozen=True)
class NgramList:
    """One of the lists.

    Attributes:
        side: Whose list it is.
        where: In which segments a click finds its n-grams: one of ``WHERE``.
        heads: What the two counts are, in a word each.
        rows: Every n-gram that is known by name, in no order.
        n_types: How many n-grams belong to it in all; ``None`` where that was not counted.
    """

    side: Side
    where: str
    heads: tuple[str, str]
    rows: tuple[NgramRow, ...]
    n_types: int | None = None

    def ranked(self, rank: str, *, find: str = "", most: int = MAX_LISTED) -> tuple[NgramRow, ...]:
        """The rows to show: those that hold a text, whatever its case; first those of the largest part, worth or G².

        By part, the first count of an n-gram must be the larger one; by G², its ratio must be above 0, or the same
        if it is 0. Within an order, the part grows with the difference of the counts, the worth with the first.
        """
        wanted = find.casefold()
        found = [row for row in self.rows if wanted in " ".join(row.tokens).casefold()]
        if rank == RATIO:
            found = [row for row in found if row.ratio > 0 or (row.ratio == 0 and row.counts[0] > row.counts[1])]
            found.sort(key=lambda row: (-row.ratio, -row.counts[0], row.tokens))
        elif rank == PART:
            found = [row for row in found if row.counts[0] > row.counts[1]]
            found.sort(key=lambda row: (row.counts[1] - row.counts[0], -row.ratio, row.tokens))
        else:
            found.sort(key=lambda row: (-row.counts[0], -row.ratio, row.tokens))
        return tuple(found[:most])


def won_and_lost(types: OrderTypes) -> tuple[NgramList, NgramList]:
    """The n-grams that B matches more often than A, and those that A does."""
    won = [NgramRow(each.tokens, (each.won, each.lost), each.part, each.log_likelihood) for each in types.leading_won]
    lost = [
        NgramRow(each.tokens, (each.lost, each.won), each.part, -each.log_likelihood) for each in types.leading_lost
    ]
    return (
        NgramList("B", LABELS["B", "matched more"], ("B +", "A +"), tuple(won), types.n_won),
        NgramList("A", LABELS["A", "matched more"], ("A +", "B +"), tuple(lost), types.n_lost),
    )


def unmatched_by_system(
    types: OrderTypes, view: UnmatchedView, attribution: BleuAttribution
) -> tuple[NgramList, NgramList]:
    """What B has too often, or misses, more often than A does; and what A does more often than B."""
    unmatched = types.over_generated if view == "over-generated" else types.missed
    value = unmatched_value(attribution, types.order, view)
    for_first, for_second = [], []
    for each in unmatched.leading:
        first, second = each.counts
        part = value * (second - first)
        for_first.append(NgramRow(each.tokens, (first, second), part, -each.log_likelihood))
        for_second.append(NgramRow(each.tokens, (second, first), part, each.log_likelihood))
    return (
        NgramList("B", _where(view, "B"), ("B", "A"), tuple(for_second)),
        NgramList("A", _where(view, "A"), ("A", "B"), tuple(for_first)),
    )


def unmatched_by_references(
    types: OrderTypes, view: UnmatchedView, attribution: BleuAttribution, tokens: PairTokens, side: Side
) -> NgramList:
    """What a system has too often, set against how often it misses the same n-grams; or the other way round."""
    unmatched = types.over_generated if view == "over-generated" else types.missed
    other = types.missed if view == "over-generated" else types.over_generated
    index = 0 if side == "A" else 1
    candidates = [each.tokens for each in unmatched.leading if each.counts[index]]
    too_often, missed = unmatched_counts(candidates, tokens, tokens.names[index])
    these, others = (too_often, missed) if view == "over-generated" else (missed, too_often)
    ratios = balance_ratios(these, others, sizes=(unmatched.counts[index], other.counts[index]))
    worth = -unmatched_value(attribution, types.order, view)
    rows = [
        NgramRow(ngram, (this, that), worth * this, ratio)
        for ngram, this, that, ratio in zip(candidates, these.tolist(), others.tolist(), ratios.tolist(), strict=True)
    ]
    heads = ("too often", "missed") if view == "over-generated" else ("missed", "too often")
    return NgramList(side, _where(view, side), heads, tuple(rows))


def written(ngram: NGram) -> str:
    """An n-gram as it is shown: its tokens as they are, with a mark between them."""
    return BLANK.join(token or "(empty)" for token in ngram)


def as_read(ngram: NGram) -> str:
    """An n-gram as a text has it: no blank between characters that are written without."""
    return re.sub(f"(?<={_WITHOUT_BLANKS}) (?={_WITHOUT_BLANKS})", "", " ".join(ngram))


def address_of(ngram: NGram) -> str:
    """How the address names an n-gram: no token holds a blank."""
    return " ".join(ngram)


def of_address(address: str) -> NGram:
    """The n-gram that an address names; none if it is empty."""
    return tuple(address.split(" ")) if address else ()


def segments_where(found: NgramSegments, where: str) -> Ints:
    """The segments that hold an n-gram and in which what ``WHERE`` says is so."""
    place = WHERE.get(where)
    if place is None:
        return found.segments
    side, kind = place
    these, others = (found.first, found.second) if side == "A" else (found.second, found.first)
    if kind == "matched more":
        return found.segments[np.minimum(these, found.reference) > np.minimum(others, found.reference)]
    return found.segments[these > found.reference if kind == "too often" else these < found.reference]


def unmatched_value(attribution: BleuAttribution, order: int, view: UnmatchedView) -> float:
    """What one more n-gram that matches nothing, or one more that is missed, adds to the score of its system."""
    if view == "over-generated":
        return float(attribution.values[:, 1 + attribution.max_order + order].sum())
    return -float(attribution.match_values[order - 1])


def _where(view: UnmatchedView, side: Side) -> str:
    return LABELS[side, "too often" if view == "over-generated" else "missed"]
