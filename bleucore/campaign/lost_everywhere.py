"""What one system loses against another on every test set of a language: phrases, and the segments that cost most.

The texts of all sets are read as one, so that an n-gram is the same in all of them; what it adds to a difference is
added up set by set, with what a match is worth there.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest

import numpy as np
import pyarrow as pa

from bleucore.analysis.attribution import BleuAttribution, attribute
from bleucore.analysis.differing_ngrams import MAX_TOKENS, DifferingNgrams, differing_ngrams, wholes
from bleucore.analysis.ngram_phrases import consist_of, frequent_tokens, new_ones, punctuation
from bleucore.analysis.ngram_types import NGram, pair_tokens
from bleucore.corpus import System, TestSet
from bleucore.counts import Floats, Ints, read_only
from bleucore.errors import InputError
from bleucore.evaluation import Evaluation
from bleucore.values import shown

DECIMALS = 9
"""To which parts are compared: what is equal stays so, however it was added up."""


@dataclass(frozen=True, eq=False)
class ScoredTexts:
    """The texts of one set with their scores.

    Attributes:
        name: Of the set.
        test_set: Its texts.
        evaluation: Of these.
    """

    name: str
    test_set: TestSet
    evaluation: Evaluation


@dataclass(frozen=True)
class LostPhrase:
    """A run of tokens that one system matches less often than the other on every set.

    Attributes:
        tokens: The phrase.
        nets: N, by how many matches the loser has less, of each set.
        parts: N, what that and its merged parts add to the other's lead, in BLEU points of each set.
        segments: N, in which segments of each set the loser has less (from 0), rising and read-only.
    """

    tokens: NGram
    nets: tuple[int, ...]
    parts: tuple[float, ...]
    segments: tuple[Ints, ...]


@dataclass(frozen=True)
class LostSegments:
    """The segments of one set that cost most.

    Attributes:
        name: Of the set.
        difference: The score of the other system minus that of the loser.
        segments: Those with the largest parts for the other system, from 0, the largest first.
        parts: Of the difference, in BLEU points.
    """

    name: str
    difference: float
    segments: tuple[int, ...]
    parts: tuple[float, ...]


@dataclass(frozen=True)
class LostEverywhere:
    """What a system loses against another on every set.

    Attributes:
        loser: The system.
        winner: The other one.
        sets: The names of the N sets that have both.
        left_out: The names of the others.
        phrases: Lost on every set, first the one whose smallest part of all sets, with one match of it less, is the
            largest: what is lost once is last.
        folded: The same of phrases without a telling token: only frequent words and punctuation.
        n_phrases: How many are lost on every set, folded ones and those that tell nothing new among them.
        segments: N.
    """

    loser: str
    winner: str
    sets: tuple[str, ...]
    left_out: tuple[str, ...]
    phrases: tuple[LostPhrase, ...]
    folded: tuple[LostPhrase, ...]
    n_phrases: int
    segments: tuple[LostSegments, ...]


def lost_everywhere(
    texts: Sequence[ScoredTexts], loser: str, winner: str, *, n_leading: int = 20, n_segments: int = 10
) -> LostEverywhere:
    """The phrases that ``loser`` loses against ``winner`` on every set that has both, and the segments of each.

    An n-gram is merged into a longer one that differs in nearly the same segments, as in ``telling_phrases``, and what
    it adds is added there. A phrase is lost on a set where the winner has more matches of it, in all segments together,
    and gains by that. n-grams that are counted in a single segment of all sets are in no phrase.

    Args:
        texts: Of sets with the same target language, scored with the same options of BLEU.
        loser: The name of the one system.
        winner: The name of the other.
        n_leading: How many phrases are given, and how many folded ones.
        n_segments: How many segments of each set.

    Raises:
        InputError: No set has both systems, or options of BLEU differ.
    """
    have = [one for one in texts if {loser, winner} <= set(one.evaluation.names)]
    _check(have, loser, winner)
    found = [_attributed(one, loser, winner) for one in have]
    test_set, options = _as_one([one.test_set for one in have], loser, winner), have[0].evaluation.options
    tokens = pair_tokens(test_set, (loser, winner), options)
    ngrams = differing_ngrams(tokens)
    parts, nets, worth = _of_sets(ngrams, found, [one.test_set.n_segments for one in have])
    lost = np.flatnonzero((parts > 0).all(axis=1) & (nets > 0).all(axis=1))
    keys = (parts.sum(axis=1), parts.min(axis=1), (parts - worth).min(axis=1))  # the last one decides first
    ranked = lost[np.lexsort([-np.round(key[lost], DECIMALS) for key in keys])]
    is_quiet = frequent_tokens(tokens)[0] | punctuation(tokens.vocabulary)
    is_folded = consist_of(is_quiet, ngrams)
    ends = np.cumsum([one.test_set.n_segments for one in have])

    def phrases(some: Sequence[int]) -> tuple[LostPhrase, ...]:
        return tuple(_phrase(one, ngrams, tokens.vocabulary, nets[one], parts[one], ends) for one in some)

    return LostEverywhere(
        loser,
        winner,
        tuple(one.name for one in have),
        tuple(one.name for one in texts if one not in have),
        phrases(new_ones(ranked[~is_folded[ranked]], ngrams, is_quiet, n_leading)),
        phrases(ranked[is_folded[ranked]][:n_leading].tolist()),
        len(lost),
        tuple(_segments(one.name, each, n_segments) for one, each in zip(have, found, strict=True)),
    )


def _check(have: Sequence[ScoredTexts], loser: str, winner: str) -> None:
    if not have or loser == winner:
        raise InputError(
            "no test set has both systems",
            where="The campaign",
            found=f"{shown(loser)}, {shown(winner)}",
            remedy="Choose two systems that a test set has.",
        )
    for one in have:
        if one.evaluation.options != have[0].evaluation.options:
            raise InputError(
                "the options of BLEU differ from those of the first set",
                where=f"Test set {shown(one.name)}",
                found=one.evaluation.signature,
                expected=have[0].evaluation.signature,
                remedy="Look at the sets of one target language together.",
            )


def _attributed(one: ScoredTexts, loser: str, winner: str) -> BleuAttribution:
    systems, options = one.evaluation.systems, one.evaluation.options
    return attribute(systems[loser].counts, systems[winner].counts, options, names=(loser, winner))


def _as_one(test_sets: Sequence[TestSet], loser: str, winner: str) -> TestSet:
    """All segments of both systems, one set after the other; a reference that a set lacks is ``None`` there."""
    systems = [
        System(name, list(chain.from_iterable(one.system(name).hypotheses for one in test_sets)))
        for name in (loser, winner)
    ]
    of_sets = [list(zip(*one.references, strict=True)) for one in test_sets]
    columns = zip_longest(*chain.from_iterable(of_sets))
    return TestSet(systems, [list(column) for column in columns])


def _of_sets(
    ngrams: DifferingNgrams, found: Sequence[BleuAttribution], n_segments: Sequence[int]
) -> tuple[Floats, Ints, Floats]:
    """What each n-gram with those merged into it adds on each set, its own matches lost, what one is worth: (T, N)."""
    n_sets, n_ngrams = len(found), len(ngrams.starts)
    values = np.zeros((n_sets, MAX_TOKENS))
    for place, one in enumerate(found):
        values[place, : one.max_order] = one.match_values
    of_segment, owners = np.repeat(np.arange(n_sets), n_segments), ngrams.owners
    sets = of_segment[ngrams.segments]
    merged = wholes(ngrams)
    added = values[sets, ngrams.orders[owners] - 1] * ngrams.nets
    parts = np.bincount(merged[owners] * n_sets + sets, added, n_ngrams * n_sets).astype(np.float64)
    nets = np.bincount(owners * n_sets + sets, ngrams.nets, n_ngrams * n_sets).astype(np.int64)
    worth = np.stack([np.bincount(merged, each[ngrams.orders - 1], n_ngrams) for each in values], axis=1)
    return parts.reshape(n_ngrams, n_sets), nets.reshape(n_ngrams, n_sets), worth.astype(np.float64)


def _phrase(
    ngram: int, ngrams: DifferingNgrams, vocabulary: pa.Array, nets: Ints, parts: Floats, ends: Ints
) -> LostPhrase:
    segments, differences = ngrams.differences(ngram)
    lost = segments[differences > 0]
    starts = np.concatenate([[0], ends[:-1]])
    return LostPhrase(
        tuple(vocabulary.take(pa.array(ngrams.tokens(ngram))).to_pylist()),
        tuple(nets.tolist()),
        tuple(parts.tolist()),
        tuple(read_only(lost[(lost >= start) & (lost < end)] - start) for start, end in zip(starts, ends, strict=True)),
    )


def _segments(name: str, found: BleuAttribution, most: int) -> LostSegments:
    order = np.argsort(-found.segments, kind="stable")[:most]
    chosen = order[found.segments[order] > 0]
    return LostSegments(name, found.difference, tuple(chosen.tolist()), tuple(found.segments[chosen].tolist()))
