"""The phrases that make a difference between two systems: n-grams of all lengths together, parts within their wholes.

A longer n-gram that differs in the same segments, or nearly so, says what its parts do: they are merged into it, also
into one that is longer than what BLEU counts, and what they add to the score is added up.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import regex
from numpy.typing import NDArray

from bleucore.analysis.differing_ngrams import MAX_TOKENS, DifferingNgrams, differing_ngrams, wholes
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
    """A run of tokens that A and B do not match equally often.

    Attributes:
        tokens: The phrase.
        matches: Of A and of B over all segments, those that both have included.
        part: What its matches and those of its merged parts add to the score of B over that of A, in BLEU points.
        assured: By how much the size of ``part`` is above what chance makes of it, with one match of all of them less
            (Yates's correction). Chance makes of it what the parts of the documents (of the segments, where there is a
            single document) come to with random signs: the root of the sum of their squares. In BLEU points.
        segments: Where A matches it more often, and where B does; each rising and read-only.
    """

    tokens: NGram
    matches: tuple[int, int]
    part: float
    assured: float
    segments: tuple[Ints, Ints]


@dataclass(frozen=True)
class Phrases:
    """The phrases that lead, best first.

    Attributes:
        won: Of those that B matches more often.
        lost: Of those that A matches more often.
        folded: Of those of both that have no telling token.
        n_won: How many B matches more often in all, folded ones and those that tell nothing new among them.
        n_lost: How many A matches more often in all.
        n_folded: How many of both have no telling token.
        frequent: The tokens that are frequent in the references, in lower case, the most frequent first.
    """

    won: tuple[Phrase, ...]
    lost: tuple[Phrase, ...]
    folded: tuple[Phrase, ...]
    n_won: int
    n_lost: int
    n_folded: int
    frequent: tuple[str, ...]


def telling_phrases(
    tokens: PairTokens, match_values: Floats, documents: Sequence[str] | None = None, *, n_leading: int = 20
) -> Phrases:
    """The phrases that make a difference, ranked by what they surely add to it (``Phrase.assured``).

    So one leads that has a large part and has it from many documents. What is matched twice more, or is repeated in a
    single document, has nothing assured and is not given; nor is a phrase that has a telling token in common with a
    better one, and half of its segments.

    Words that only hold others together are known by their frequency, in any language: a token is frequent if it is,
    whatever its case, at least one in 200 of the tokens of the references, stands there at least 5 times, and is among
    the most frequent twentieth of the different ones (or texts of few words would have no others). In English these are
    some twenty (*the*, *of*, *to*, …), in Chinese some fifteen characters (的, 是, …). A token is telling if it is
    neither frequent nor punctuation; phrases without one are folded.

    N-grams that are matched in a single segment are in no phrase.

    Args:
        tokens: Of both systems.
        match_values: (M,), what one more match of each order is worth: those of an ``Attribution`` of the same
            segments.
        documents: Of each segment (S,).
        n_leading: How many are given of those won, lost and folded.
    """
    found = differing_ngrams(tokens.hypotheses, tokens.references)
    is_frequent, frequent = _frequent_tokens(tokens)
    is_quiet = is_frequent | _punctuation(tokens.vocabulary)
    is_folded = _consist_of(is_quiet, found)
    values = np.append(match_values, np.zeros(MAX_TOKENS))[found.orders - 1]
    merged, net = wholes(found), found.matches[:, 1] - found.matches[:, 0]
    worth, parts = (np.bincount(merged, each, len(merged)).astype(np.float64) for each in (values, values * net))
    assured = np.abs(parts) - worth - _by_chance(found, merged, values, documents)
    differing = np.flatnonzero(parts * net > 0)
    leading = differing[np.argsort(-assured[differing], kind="stable")]
    leading = leading[assured[leading] > 0]
    telling = leading[~is_folded[leading]]

    def named(some: Sequence[int]) -> tuple[Phrase, ...]:
        return tuple(_phrase(one, found, tokens.vocabulary, parts, assured) for one in some)

    return Phrases(
        named(_new_ones(telling[net[telling] > 0], found, is_quiet, n_leading)),
        named(_new_ones(telling[net[telling] < 0], found, is_quiet, n_leading)),
        named(leading[is_folded[leading]][:n_leading].tolist()),
        int((net[differing] > 0).sum()),
        int((net[differing] < 0).sum()),
        int(is_folded[differing].sum()),
        frequent,
    )


def _frequent_tokens(tokens: PairTokens) -> tuple[NDArray[np.bool_], tuple[str, ...]]:
    """Which tokens are frequent in the references, (V,), and these, the most frequent first."""
    ids = np.concatenate([column.ids for column in tokens.references])
    words = pc.utf8_lower(tokens.vocabulary).dictionary_encode()
    word_of_token = words.indices.to_numpy()
    counts = np.bincount(word_of_token[ids], minlength=len(words.dictionary))
    falling = np.sort(counts[counts > 0])[::-1]
    beyond = falling[int(FREQUENT_TYPES * len(falling))] if len(falling) else 0
    is_frequent = counts >= max(FREQUENT_COUNT, FREQUENT_SHARE * len(ids), beyond + 1)
    found = np.flatnonzero(is_frequent)
    found = found[np.argsort(-counts[found], kind="stable")]
    return is_frequent[word_of_token], tuple(words.dictionary.take(pa.array(found)).to_pylist())


def _punctuation(vocabulary: pa.Array) -> NDArray[np.bool_]:
    return np.array([_PUNCTUATION.fullmatch(token) is not None for token in vocabulary.to_pylist()], np.bool_)


def _consist_of(is_token: NDArray[np.bool_], found: DifferingNgrams) -> NDArray[np.bool_]:
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


def _new_ones(ranked: Ints, found: DifferingNgrams, is_quiet: NDArray[np.bool_], most: int) -> list[int]:
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
    first, second = found.matches[ngram].tolist()
    segments, nets = found.differences(ngram)
    return Phrase(
        tuple(vocabulary.take(pa.array(found.tokens(ngram))).to_pylist()),
        (first, second),
        float(parts[ngram]),
        float(assured[ngram]),
        (read_only(segments[nets < 0]), read_only(segments[nets > 0])),
    )
