"""How often one system has certain n-grams too often, and how often it lacks the same ones.

``ngram_types`` finds the n-grams that lead a list of either kind. An n-gram that is often in both is merely
in other places than in the references; one that is in a single list is used more, or less, than there.
"""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from bleucore.analysis.ngram_types import NGram, PairTokens, log_likelihood_ratios
from bleucore.analysis.type_counts import best_covered, ngram_places
from bleucore.counts import Floats, Ints
from bleucore.errors import InputError
from bleucore.tokens.matching import SegmentTokens


def unmatched_counts(ngrams: Sequence[NGram], tokens: PairTokens, name: str) -> tuple[Ints, Ints]:
    """How often a system has each n-gram too often, (T,), and how often it lacks it, (T,).

    Both as ``ngram_types`` counts them: too often is more often than any reference of the segment has the n-gram,
    lacking is less often than the reference that the hypothesis covers best.

    Args:
        ngrams: T different n-grams of one order.
        tokens: Of both systems.
        name: Which of the two.

    Raises:
        InputError: The n-grams are of several orders or repeat.
    """
    if not ngrams:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    if len(set(map(len, ngrams))) > 1 or len(set(ngrams)) < len(ngrams):
        raise InputError("the n-grams are of several orders, or repeat", remedy="Give different ones of one order.")
    hypothesis = tokens.hypotheses[tokens.names.index(name)]
    found = [_occurrences(ngrams, column, tokens.vocabulary) for column in (*tokens.references, hypothesis)]
    places = pa.array(np.concatenate(found)).dictionary_encode()
    segments, types = np.divmod(places.dictionary.to_numpy(), len(ngrams))
    of_columns = np.split(places.indices.to_numpy(), np.cumsum([len(keys) for keys in found])[:-1])
    counts = np.stack([np.bincount(column, minlength=len(types)) for column in of_columns])
    best = best_covered(hypothesis, tokens.references, tokens.present, tokens.max_order)
    has, allowed = counts[-1], counts[:-1].max(axis=0)
    wanted = counts[best[segments], np.arange(len(types))]
    return _by_type(np.maximum(has - allowed, 0), types, ngrams), _by_type(np.maximum(wanted - has, 0), types, ngrams)


def balance_ratios(these: Ints, others: Ints, *, sizes: tuple[int, int]) -> Floats:
    """How surely each n-gram is a larger share of one kind than of the other: G² with a sign, (T,).

    Args:
        these: (T,), the counts of the kind that is listed, too often say.
        others: (T,), those of the other kind, lacking then.
        sizes: All n-grams of the order that are of these, and of the others.
    """
    return log_likelihood_ratios(others, these, sizes=(sizes[1], sizes[0]))


def _occurrences(ngrams: Sequence[NGram], column: SegmentTokens, vocabulary: pa.Array) -> Ints:
    """Where the n-grams stand: ``segment * T + type`` of each occurrence."""
    n_ids = len(vocabulary) + 1
    ids = pc.index_in(pa.array([token for ngram in ngrams for token in ngram], vocabulary.type), value_set=vocabulary)
    wanted = ids.fill_null(n_ids - 1).to_numpy().astype(np.int64).reshape(len(ngrams), -1)
    starts, types = ngram_places(wanted, column, n_ids)
    segments = np.searchsorted(column.offsets, starts, side="right") - 1
    occurrences: Ints = segments * len(ngrams) + types
    return occurrences


def _by_type(of_places: Ints, types: Ints, ngrams: Sequence[NGram]) -> Ints:
    return np.bincount(types, weights=of_places, minlength=len(ngrams)).astype(np.int64)
