"""The phrases that tell most of a system: n-grams of all lengths together, parts within their wholes.

Two sides are held against each other: what A and B match, have too often, or miss; or what one system misses, and what
it has too often. A longer n-gram that differs in the same segments, or nearly so, says what its parts do: they are
merged into it, also into one that is longer than what BLEU counts, and what they add to the score is added up.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import regex
from numpy.typing import NDArray

from bleucore.analysis.differing_ngrams import MAX_TOKENS, Counted, DifferingNgrams, differing_ngrams, wholes
from bleucore.analysis.ngram_types import NGram, PairTokens
from bleucore.counts import Floats, Ints, read_only

FREQUENT_SHARE, FREQUENT_COUNT, FREQUENT_TYPES = 1 / 200, 5, 1 / 20
"""A token that is this share of all reference tokens, and stands there so often, is frequent; at most this share of the
different ones are."""
TOLD_SHARE = 0.5
"""Of the segments of a phrase: where a better one with a telling token in common has so many, it tells nothing new."""
_PUNCTUATION = regex.compile(r"[\p{P}\p{S}\p{Z}\p{C}]*")


@dataclass(frozen=True)
class Phrase:
    """A run of tokens of which one side has more.

    Attributes:
        tokens: The phrase.
        counts: Of the first and the second side over all segments, also those that both have.
        part: What its counts and those of its merged parts add to the score of the second side over that of the first,
            in BLEU points.
        assured: By how much the size of ``part`` is above what chance makes of it, with one match of all of them less
            (Yates's correction). Chance makes of it what the parts of the documents (of the segments, where there is a
            single document) come to with random signs: the root of the sum of their squares. In BLEU points.
        segments: Where the first side has more of it, and where the second has; each rising and read-only.
    """

    tokens: NGram
    counts: tuple[int, int]
    part: float
    assured: float
    segments: tuple[Ints, Ints]

    @property
    def leader(self) -> Literal[0, 1]:
        """Which side has more of it: 0 is the first."""
        return 1 if self.counts[1] > self.counts[0] else 0


@dataclass(frozen=True)
class Phrases:
    """The phrases that lead, best first.

    Attributes:
        leading: Of those that the first side has more of, and that the second has.
        folded: Of either of these, those that have no telling token.
        n_phrases: How many each side has more of in all, folded ones and those that tell nothing new among them.
        n_folded: How many of either have no telling token.
        frequent: The tokens that are frequent in the references, in lower case, the most frequent first.
    """

    leading: tuple[tuple[Phrase, ...], tuple[Phrase, ...]]
    folded: tuple[tuple[Phrase, ...], tuple[Phrase, ...]]
    n_phrases: tuple[int, int]
    n_folded: tuple[int, int]
    frequent: tuple[str, ...]


def telling_phrases(
    tokens: PairTokens,
    values: Floats,
    documents: Sequence[str] | None = None,
    *,
    counted: Counted = "matched",
    n_leading: int = 20,
) -> Phrases:
    """The phrases that make a difference, ranked by what they surely add to it (``Phrase.assured``).

    So one leads that has a large part and has it from many documents. What is counted twice more, or is repeated in a
    single document, has nothing assured and is not given; nor is a phrase that has a telling token in common with a
    better one, and half of its segments.

    Words that only hold others together are known by their frequency, in any language: a token is frequent if it is,
    whatever its case, at least one in 200 of the tokens of the references, stands there at least 5 times, and is among
    the most frequent twentieth of the different ones (or texts of few words would have no others). In English these are
    some twenty (*the*, *of*, *to*, …), in Chinese some fifteen characters (的, 是, …). A token is telling if it is
    neither frequent nor punctuation; phrases without one are folded.

    N-grams that are counted in a single segment are in no phrase.

    Args:
        tokens: Of both systems.
        values: (M,), what one more of each order is worth, of an ``Attribution`` of the same segments; below 0 where
            it lowers the score.
        documents: Of each segment (S,).
        counted: What the two sides are.
        n_leading: How many are given of either side, and of its folded ones.
    """
    found = differing_ngrams(tokens, counted)
    is_frequent, frequent = frequent_tokens(tokens)
    is_quiet = is_frequent | punctuation(tokens.vocabulary)
    is_folded = consist_of(is_quiet, found)
    sign = -1.0 if (values < 0).any() else 1.0
    weights = np.append(sign * values, np.zeros(MAX_TOKENS))[found.orders - 1]
    merged, net = wholes(found), np.bincount(found.owners, found.nets, len(found.starts))
    worth, parts = (np.bincount(merged, each, len(merged)).astype(np.float64) for each in (weights, weights * net))
    assured = np.abs(parts) - worth - _by_chance(found, merged, weights, documents)
    differing = np.flatnonzero(parts * net > 0)
    ranked = differing[np.argsort(-assured[differing], kind="stable")]
    ranked = ranked[assured[ranked] > 0]

    def of_sides(some: Ints) -> tuple[Ints, Ints]:
        return some[net[some] < 0], some[net[some] > 0]

    def named(some: Sequence[int]) -> tuple[Phrase, ...]:
        return tuple(_phrase(one, found, tokens.vocabulary, sign * parts, assured) for one in some)

    telling, folded = of_sides(ranked[~is_folded[ranked]]), of_sides(ranked[is_folded[ranked]])
    first, second = (named(new_ones(some, found, is_quiet, n_leading)) for some in telling)
    first_folded, second_folded = (named(some[:n_leading].tolist()) for some in folded)
    n_first, n_second = map(len, of_sides(differing))
    n_first_folded, n_second_folded = map(len, of_sides(differing[is_folded[differing]]))
    return Phrases(
        (first, second), (first_folded, second_folded), (n_first, n_second), (n_first_folded, n_second_folded), frequent
    )


def frequent_tokens(tokens: PairTokens) -> tuple[NDArray[np.bool_], tuple[str, ...]]:
    """Which tokens are frequent in the references, (V,), and these, the most frequent first, equal ones in order."""
    ids = np.concatenate([column.ids for column in tokens.references])
    words = pc.utf8_lower(tokens.vocabulary).dictionary_encode()
    word_of_token = words.indices.to_numpy()
    counts = np.bincount(word_of_token[ids], minlength=len(words.dictionary))
    falling = np.sort(counts[counts > 0])[::-1]
    beyond = falling[int(FREQUENT_TYPES * len(falling))] if len(falling) else 0
    is_frequent = counts >= max(FREQUENT_COUNT, FREQUENT_SHARE * len(ids), beyond + 1)
    first = np.full(len(counts), len(ids))
    np.minimum.at(first, word_of_token[ids], np.arange(len(ids)))
    found = np.flatnonzero(is_frequent)
    found = found[np.lexsort((first[found], -counts[found]))]
    return is_frequent[word_of_token], tuple(words.dictionary.take(pa.array(found)).to_pylist())


def punctuation(vocabulary: pa.Array) -> NDArray[np.bool_]:
    """Which tokens of a vocabulary (V,) are nothing but punctuation, symbols or white space."""
    return np.array([_PUNCTUATION.fullmatch(token) is not None for token in vocabulary.to_pylist()], np.bool_)


def consist_of(is_token: NDArray[np.bool_], found: DifferingNgrams) -> NDArray[np.bool_]:
    """Whether each n-gram has only such tokens, (T,)."""
    others = np.cumsum(np.append(0, ~np.append(is_token, False)[found.ids]))  # -1 is none
    folded: NDArray[np.bool_] = others[found.starts] == others[found.starts + found.orders]
    return folded


def _by_chance(found: DifferingNgrams, merged: Ints, values: Floats, documents: Sequence[str] | None) -> Floats:
    """The root of the sum of squares of what the documents, or segments, have in the part of each phrase, (T,)."""
    units, owners = found.segments, found.owners
    if documents is not None and len(set(documents)) > 1:
        units = np.unique(documents, return_inverse=True)[1][units]
    n_units = int(units.max(initial=0)) + 1
    keys, places = np.unique(merged[owners] * n_units + units, return_inverse=True)
    squares = np.bincount(places, values[owners] * found.nets, len(keys)) ** 2
    return np.sqrt(np.bincount(keys // n_units, squares, len(merged)))


def new_ones(ranked: Ints, found: DifferingNgrams, is_quiet: NDArray[np.bool_], most: int) -> list[int]:
    """The first of the ranked n-grams that tell something which no better one does."""
    given: list[tuple[int, set[int], Ints]] = []
    for ngram in ranked.tolist():
        if len(given) == most:
            break
        telling = {token for token in found.tokens(ngram).tolist() if not is_quiet[token]}
        segments, _ = found.differences(ngram)
        if not any(
            telling & tokens and np.isin(segments, known, assume_unique=True).mean() >= TOLD_SHARE
            for _, tokens, known in given
        ):
            given.append((ngram, telling, segments))
    return [ngram for ngram, *_ in given]


def _phrase(ngram: int, found: DifferingNgrams, vocabulary: pa.Array, parts: Floats, assured: Floats) -> Phrase:
    first, second = found.counts[ngram].tolist()
    segments, nets = found.differences(ngram)
    return Phrase(
        tuple(vocabulary.take(pa.array(found.tokens(ngram))).to_pylist()),
        (first, second),
        float(parts[ngram]),
        float(assured[ngram]),
        (read_only(segments[nets < 0]), read_only(segments[nets > 0])),
    )
