"""N-grams of two systems over all segments: matches won and lost, what is generated too often, what is missed.

An n-gram *type* is a tuple of tokens, wherever it stands; counts of a type are sums over segments of what BLEU counts
there (Papineni et al. 2002, section 2.1): in each segment a hypothesis matches an n-gram as often as it has it, at
most as often as the reference that has it most often.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from bleucore.analysis.type_counts import OrderCounts, TypeCounts, count_types
from bleucore.corpus import TestSet
from bleucore.counts import Floats, Ints, read_only
from bleucore.errors import InputError
from bleucore.optional_packages import special
from bleucore.options import BleuOptions
from bleucore.tokens.matching import SegmentTokens, columns
from bleucore.tokens.tokenizers import tokenize

NGram = tuple[str, ...]

CONTINUITY_CORRECTION = 0.5


@dataclass(frozen=True)
class PairTokens:
    """The texts of two systems and their references as token ids.

    Attributes:
        names: Systems A and B.
        hypotheses: Of A and B, each S segments.
        references: R columns of S segments, empty where absent.
        present: (R, S), whether the segment has that reference.
        vocabulary: The token of each id.
        max_order: M.
    """

    names: tuple[str, str]
    hypotheses: tuple[SegmentTokens, SegmentTokens]
    references: tuple[SegmentTokens, ...]
    present: NDArray[np.bool_]
    vocabulary: pa.Array
    max_order: int


@dataclass(frozen=True)
class MatchedNgram:
    """An n-gram that A and B do not match equally often.

    Attributes:
        tokens: The n-gram.
        won: Matches that B has more, over the segments where it has more.
        lost: Matches that A has more, over the segments where it has more.
        part: What that adds to the score of B over that of A, in BLEU points.
        log_likelihood: As ``log_likelihood_ratios`` gives it: above 0 if it is won more than the n-grams of its order
            are on the whole.
    """

    tokens: NGram
    won: int
    lost: int
    part: float
    log_likelihood: float

    @property
    def net(self) -> int:
        """Matches of B less those of A."""
        return self.won - self.lost


@dataclass(frozen=True)
class UnmatchedNgram:
    """An n-gram that hypotheses have too often, or that they lack.

    Attributes:
        tokens: The n-gram.
        counts: How often, in A and in B.
        clipped: How many of these are too many of an n-gram that a reference of the segment has: of A and of B. 0 for
            n-grams that are lacking.
        log_likelihood: As ``log_likelihood_ratios`` gives it: above 0 if B has more of it than it has of the n-grams
            of its order on the whole.
    """

    tokens: NGram
    counts: tuple[int, int]
    clipped: tuple[int, int]
    log_likelihood: float


@dataclass(frozen=True)
class Unmatched:
    """All n-grams of one order that are generated too often, or that are missed.

    Attributes:
        counts: How many there are, of A and of B.
        clipped: How many of these are of n-grams that a reference has.
        n_types: How many different ones.
        leading: The types with the largest counts of A, of B, and with the largest and smallest log-likelihood ratio;
            sorted by the sum of both counts.
    """

    counts: tuple[int, int]
    clipped: tuple[int, int]
    n_types: int
    leading: tuple[UnmatchedNgram, ...]


@dataclass(frozen=True)
class OrderTypes:
    """The n-grams of one order.

    Attributes:
        order: n.
        won: Matches that B has more, over all types and segments where it has more.
        lost: Matches that A has more.
        part: What matches of this order add to the score of B over that of A.
        n_won: How many types B matches more often than A.
        n_lost: How many types A matches more often.
        leading_won: Those with the largest part, and those with the largest log-likelihood ratio, by part.
        leading_lost: The same of those that A matches more often.
        over_generated: N-grams of the hypotheses that match nothing: no reference of the segment has them, or none has
            them so often.
        missed: N-grams that a reference has more often than the hypothesis. Of several references of a segment, it is
            the one that the hypothesis covers best: which has the largest share of its n-grams of all orders matched;
            of equal ones the first.
    """

    order: int
    won: int
    lost: int
    part: float
    n_won: int
    n_lost: int
    leading_won: tuple[MatchedNgram, ...]
    leading_lost: tuple[MatchedNgram, ...]
    over_generated: Unmatched
    missed: Unmatched


@dataclass(frozen=True)
class NgramSegments:
    """The segments that have an n-gram in a hypothesis or a reference; all arrays are read-only.

    Attributes:
        segments: (N,), in order.
        first: (N,), how often the hypothesis of A has it.
        second: (N,), how often that of B has it.
        reference: (N,), how often the reference has it that has it most often.
    """

    segments: Ints
    first: Ints
    second: Ints
    reference: Ints


def pair_tokens(
    test_set: TestSet, pair: tuple[str, str], options: BleuOptions, *, rows: Ints | None = None
) -> PairTokens:
    """The texts of systems A and B with their references, tokenized as BLEU does.

    Args:
        test_set: Holds both systems.
        pair: The names of A and B.
        options: BLEU's.
        rows: The segments to take (counted from 0), or all; results then count segments among these.

    Raises:
        InputError: There is no such system.
    """
    everything: list[Sequence[str | None]] = [
        *test_set.references,
        *(test_set.system(name).hypotheses for name in pair),
    ]
    if rows is not None:
        everything = [[column[row] for row in rows] for column in everything]
    n_references = len(test_set.references)
    present = np.array([[text is not None for text in column] for column in everything[:n_references]], np.bool_)
    texts = [text or "" for column in everything for text in column]
    tokenized = tokenize(texts, options.tokenizer, lowercase=options.lowercase)
    segments, vocabulary = columns(tokenized.ids, tokenized.offsets, len(everything)), tokenized.vocabulary
    if options.empty_counts_as_token:
        there = np.vstack([present, np.ones((2, present.shape[1]), np.bool_)])
        segments = [
            column.with_empty_token(len(vocabulary), mask) for column, mask in zip(segments, there, strict=True)
        ]
        vocabulary = pa.concat_arrays([vocabulary, pa.array([""], vocabulary.type)])
    return PairTokens(
        pair,
        (segments[n_references], segments[n_references + 1]),
        tuple(segments[:n_references]),
        present,
        vocabulary,
        options.max_order,
    )


def ngram_types(tokens: PairTokens, match_values: Floats, *, n_leading: int = 100) -> tuple[OrderTypes, ...]:
    """What the systems match, generate too often and miss, for each order 1 to M.

    Args:
        tokens: Of both systems.
        match_values: (M,), what one more match of each order is worth: those of an ``Attribution`` of the same
            segments.
        n_leading: How many types are named on each side, by each way to rank them.
    """
    counted = count_types(tokens.hypotheses, tokens.references, tokens.present, tokens.max_order, n_kept=n_leading)
    return tuple(
        _order_types(counts, tokens.vocabulary, value, n_leading)
        for counts, value in zip(counted, match_values.tolist(), strict=True)
    )


def segments_with(ngram: NGram, tokens: PairTokens) -> NgramSegments:
    """The segments of which a hypothesis or a reference has the n-gram.

    Raises:
        InputError: The n-gram has no token.
    """
    if not ngram:
        raise InputError("the n-gram is empty", remedy="Give at least one token.")
    ids = pc.index_in(pa.array(ngram, tokens.vocabulary.type), value_set=tokens.vocabulary)
    wanted = ids.fill_null(-1).to_numpy()
    first, second = (_occurrences(wanted, column) for column in tokens.hypotheses)
    reference = np.max([_occurrences(wanted, column) for column in tokens.references], axis=0)
    segments = np.flatnonzero(first + second + reference)
    return NgramSegments(
        read_only(segments),
        read_only(first[segments]),
        read_only(second[segments]),
        read_only(reference[segments]),
    )


def log_likelihood_ratios(first: Ints, second: Ints, *, sizes: tuple[int, int]) -> Floats:
    """How surely the share of each type differs between two collections: G² with a sign (Dunning 1993).

    Of the table of two rows ``count, all others``, one for each collection, G² = 2 Σ O ln(O / E), where every O has
    first been moved towards the expected E by 0.5, or all the way where that is nearer (Yates's correction), so that
    types that stand there once or twice do not lead. For one type looked at alone it is above 3.84 by chance in one
    case of twenty; among many types it only ranks.

    Args:
        first: (T,), how often each type is in the first collection.
        second: (T,), the same of the second.
        sizes: Of the collections, these types and others together.

    Returns:
        (T,), above 0 where the second collection has the larger share; 0 where a collection is empty.
    """
    n_first, n_second = sizes
    if not n_first or not n_second:
        return np.zeros(len(first))
    of_type, total = first + second, n_first + n_second
    ratios = np.zeros(len(first))
    for size, counts in ((n_first, first), (n_second, second)):
        for row, in_both in ((counts, of_type), (size - counts, total - of_type)):
            expected = in_both * (size / total)
            moved = np.clip(row - expected, -CONTINUITY_CORRECTION, CONTINUITY_CORRECTION)
            ratios += special.rel_entr(row - moved, expected)
    larger: Floats = np.sign(second / n_second - first / n_first)
    return larger * 2 * np.maximum(ratios, 0.0) + 0.0  # not -0


def _occurrences(ngram: Ints, column: SegmentTokens) -> Ints:
    """How often each segment has an n-gram of token ids, (S,)."""
    starts = np.flatnonzero(column.ids == ngram[0])
    segments = np.searchsorted(column.offsets, starts, side="right") - 1
    inside = starts + len(ngram) <= column.offsets[segments + 1]
    starts, segments = starts[inside], segments[inside]
    for place, token in enumerate(ngram):
        same = column.ids[starts + place] == token
        starts, segments = starts[same], segments[same]
    return np.bincount(segments, minlength=len(column.offsets) - 1)


def _order_types(counts: OrderCounts, vocabulary: pa.Array, value: float, n_leading: int) -> OrderTypes:
    """What there is to say about one order."""
    lost, won = (int(total) for total in counts.matched.totals[:2])
    n_lost, n_won, _ = (int(number) for number in counts.matched.n_types)
    return OrderTypes(
        counts.matched.tokens.shape[1],
        won,
        lost,
        value * (won - lost),
        n_won,
        n_lost,
        _leading_matched(counts.matched, 1, vocabulary, value, n_leading),
        _leading_matched(counts.matched, -1, vocabulary, value, n_leading),
        _unmatched(counts.over_generated, vocabulary, n_leading),
        _unmatched(counts.missed, vocabulary, n_leading),
    )


def _leading_matched(
    types: TypeCounts, side: int, vocabulary: pa.Array, value: float, n_leading: int
) -> tuple[MatchedNgram, ...]:
    """The types that B matches more often than A (side 1), or A more often than B (side -1)."""
    net, ratios = side * (types.counts[:, 1] - types.counts[:, 0]), _ratios(types)
    leading = _largest([net, np.where(net > 0, side * ratios, 0.0)], n_leading)
    leading = leading[np.lexsort((-side * ratios[leading], -net[leading]))]
    return tuple(
        MatchedNgram(ngram, won, lost, value * (won - lost), ratio)
        for ngram, (lost, won, *_), ratio in _named(types, leading, ratios, vocabulary)
    )


def _unmatched(types: TypeCounts, vocabulary: pa.Array, n_leading: int) -> Unmatched:
    ratios = _ratios(types)
    leading = _largest([types.counts[:, 0], types.counts[:, 1], ratios, -ratios], n_leading)
    leading = leading[np.argsort(-types.counts[leading, :2].sum(axis=1), kind="stable")]
    of_first, of_second, clipped_first, clipped_second = types.totals.tolist()
    return Unmatched(
        (of_first, of_second),
        (clipped_first, clipped_second),
        int(types.n_types.sum()),
        tuple(
            UnmatchedNgram(ngram, (counts[0], counts[1]), (counts[2], counts[3]), ratio)
            for ngram, counts, ratio in _named(types, leading, ratios, vocabulary)
        ),
    )


def _ratios(types: TypeCounts) -> Floats:
    sizes = (int(types.totals[0]), int(types.totals[1]))
    return log_likelihood_ratios(types.counts[:, 0], types.counts[:, 1], sizes=sizes)


def _named(
    types: TypeCounts, chosen: Ints, ratios: Floats, vocabulary: pa.Array
) -> Iterator[tuple[NGram, list[int], float]]:
    """The tokens, counts and log-likelihood ratio of each of the chosen types."""
    tokens = vocabulary.take(pa.array(types.tokens[chosen].ravel())).to_pylist()
    order = types.tokens.shape[1]
    ngrams = [tuple(tokens[start : start + order]) for start in range(0, len(tokens), order)]
    return zip(ngrams, types.counts[chosen].tolist(), ratios[chosen].tolist(), strict=True)


def _largest(rankings: Sequence[NDArray[Any]], number: int) -> Ints:
    """The places of the so many largest numbers above 0 in any of the rankings (K,), in order."""
    chosen = []
    for ranking in rankings:
        first = np.argsort(-ranking, kind="stable")[:number]
        chosen.append(first[ranking[first] > 0])
    return np.unique(np.concatenate(chosen))
