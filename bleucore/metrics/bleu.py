"""BLEU as counts that add up over segments, and as a score of such counts (Papineni et al. 2002; Post 2018).

Counts are ``[hypothesis length, reference length, matches of order 1..M, totals of order 1..M]``, whole numbers all;
the reference length is in parts of a token where it is an average (``reference_lengths`` gives tokens).
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bleucore.counts import Floats, Ints, read_only
from bleucore.options import NEIGHBOUR_SMOOTHINGS, BleuOptions
from bleucore.short_reprs import short_repr
from bleucore.tokens.matching import (
    AVERAGE_LENGTH_UNIT,
    SegmentTokens,
    average_reference_length,
    clipped_matches_by_choice,
    closest_reference_length,
    shortest_reference_length,
    totals,
)

LOG_OF_ZERO = -9999999999.0
"""sacreBLEU's stand-in for log 0: finite, so that nothing becomes NaN, and exp of it is 0."""

LEAST_COUNT = 1e-9
"""Sums of fractional counts, of weighted segments, can miss 0 by what rounding leaves; no count that is one is less."""

ROOTS: Mapping[int, int] = MappingProxyType({1: 0, 2: 1, 4: 2, 8: 3})
"""How many square roots in a row are the root of so many numbers."""

NLTK_K = 5
"""``k`` of NLTK's SmoothingFunction, for its method 4."""
NLTK_ALPHA = 5
"""``alpha`` of NLTK's SmoothingFunction, for its method 6."""


@dataclass(frozen=True)
class BleuScore:
    """BLEU of some segments together.

    Attributes:
        score: 0-100; NLTK's methods 5, 6 and 7 can exceed it.
        precisions: (M,), 0-100, after smoothing.
        brevity_penalty: 0-1.
        hypothesis_length: Tokens of the hypotheses.
        reference_length: Tokens of the references closest in length, or as the options say, summed over segments;
            rounded to a whole token where it is an average (the penalty is not of the rounded length).
        matches: (M,), clipped n-gram matches.
        totals: (M,), n-grams of the hypotheses.
    """

    score: float
    precisions: Floats
    brevity_penalty: float
    hypothesis_length: int
    reference_length: int
    matches: Ints
    totals: Ints

    def __repr__(self) -> str:
        return short_repr(self)

    @property
    def length_ratio(self) -> float:
        """Hypothesis length by reference length; 0 where the reference is empty, as in sacreBLEU."""
        return self.hypothesis_length / self.reference_length if self.reference_length else 0.0

    @property
    def mean_precision(self) -> float:
        """The geometric mean of the precisions, 0-100: the score before the brevity penalty."""
        return self.score / self.brevity_penalty if self.brevity_penalty else 0.0


@dataclass(frozen=True)
class BleuParts:
    """What BLEU is made of, for counts with any leading axes."""

    scores: Floats
    precisions: Floats
    brevity_penalties: Floats

    def __repr__(self) -> str:
        return short_repr(self)


def counts_by_choice(
    hypotheses: Sequence[SegmentTokens],
    references: Sequence[SegmentTokens],
    present: NDArray[np.bool_],
    options: BleuOptions,
    choices: Sequence[Sequence[int]],
) -> list[list[Ints]]:
    """Counts of each hypothesis column, each (S, 2 + 2M) with those of one kind side by side, by choice of references.

    Args:
        hypotheses: K columns of S segments.
        references: R columns of S segments, empty where absent.
        present: (R, S), whether the segment has that reference.
        options: Says M, the reference length and what a segment counts at least.
        choices: Indices of references, at least one in each. A segment that has none of them counts nothing.

    Raises:
        InputError: The average length of too many references is asked for.
    """
    if options.empty_counts_as_token:
        hypotheses, references = _with_empty_tokens(hypotheses, references, present)
    lengths_of_references = np.stack([column.lengths for column in references])
    matches = clipped_matches_by_choice(hypotheses, references, options.max_order, choices)
    found = []
    for choice, of_choice in zip(choices, matches, strict=True):
        chosen, there = lengths_of_references[list(choice)], present[list(choice)]
        has_any = np.asarray(there.any(axis=0))
        there |= ~has_any
        counts: list[Ints] = []
        for column, matched in zip(hypotheses, of_choice, strict=True):
            lengths = column.lengths
            reference = _segment_reference_lengths(lengths, chosen, there, options)
            total = totals(lengths, options.max_order)
            if options.totals_at_least_one:
                total = np.maximum(total, 1)
            counts.append((np.vstack([lengths, reference, matched.T, total.T]) * has_any).T)
        found.append(counts)
    return found


def reference_lengths(counts: NDArray[Any], options: BleuOptions) -> NDArray[Any]:
    """The reference lengths of counts (..., 2 + 2M) in tokens: (...)."""
    lengths: NDArray[Any] = counts[..., 1]
    if options.reference_length != "average":
        return lengths
    return np.asarray(np.divide(lengths, AVERAGE_LENGTH_UNIT, dtype=np.float64))


def scores(counts: NDArray[Any], options: BleuOptions, *, last_segment: Ints | None = None) -> Floats:
    """BLEU of counts (..., 2 + 2M): (...), 0-100. ``last_segment`` as for ``parts``."""
    return parts(counts, options, last_segment=last_segment).scores


def lacks_matches(counts: NDArray[Any]) -> NDArray[np.bool_]:
    """Whether some order of counts (..., 2 + 2M) has no match: (...)."""
    max_order = (counts.shape[-1] - 2) // 2
    return np.asarray((counts[..., 2 : 2 + max_order] == 0).any(axis=-1))


def draw_scores(counts: NDArray[Any], options: BleuOptions) -> Floats:
    """``scores`` of very many sums, as tests draw them, in a twentieth of the time; the last digits can differ.

    Where every order has a match, nothing is smoothed, and roots of products say what means of logarithms do. It is
    fastest where the counts of one kind lie side by side. Counts in single precision, which hold whole numbers below
    2^24, give the same scores.
    """
    if counts.ndim == 1 or not _has_roots(counts, options):
        return scores(counts.astype(np.float64, copy=False), options)
    found, is_found = _unsmoothed_scores(counts, options)
    if not is_found.all():
        others = counts[~is_found].astype(np.float64)
        others[others < LEAST_COUNT] = 0.0
        found[~is_found] = scores(others, options)
    return found


def segment_options(options: BleuOptions) -> BleuOptions:
    """The options of segment scores: always with effective order, or a short segment could only score 0."""
    return replace(options, effective_order=True)


def parts(counts: NDArray[Any], options: BleuOptions, *, last_segment: Ints | None = None) -> BleuParts:
    """BLEU, its precisions (..., M) and brevity penalties of counts (..., 2 + 2M).

    The rules and their order are those of sacreBLEU's ``compute_bleu``: no match of any order is a score of 0;
    an order without an n-gram ends the count of orders, which makes the score 0 unless the effective order is
    used; ``add-k`` adds to orders above the first before that is looked at. The options can change each of these.

    Args:
        counts: Counts of segments, or sums of them.
        options: How they are scored.
        last_segment: The counts (2 + 2M,) of the last segment of a corpus. NLTK's ``corpus_bleu`` with its methods
            5, 6 and 7 takes some of its numbers from there instead of from the corpus; without it the counts
            themselves are taken, which for one segment is the same.
    """
    has_score = _has_score(counts, options)
    precisions, counted = _precisions(counts, has_score, options, counts if last_segment is None else last_segment)
    brevity = _brevity_penalties(counts[..., 0], reference_lengths(counts, options), options)
    means = _mean_precisions(precisions, counted, options)
    return BleuParts(np.where(has_score, brevity * means, 0.0), precisions, brevity)


def bleu_score(counts: NDArray[Any], options: BleuOptions, *, last_segment: Ints | None = None) -> BleuScore:
    """The score of one row of counts (2 + 2M,), with everything that it is made of; arguments as for ``parts``."""
    whole = parts(counts, options, last_segment=last_segment)
    max_order = (len(counts) - 2) // 2
    return BleuScore(
        score=float(whole.scores),
        precisions=read_only(whole.precisions),
        brevity_penalty=float(whole.brevity_penalties),
        hypothesis_length=int(counts[0]),
        reference_length=round(reference_lengths(counts, options).item()),
        matches=read_only(counts[2 : 2 + max_order].copy()),
        totals=read_only(counts[2 + max_order :].copy()),
    )


def individual_and_cumulative(counts: NDArray[Any], options: BleuOptions) -> tuple[Floats, Floats]:
    """The precision of each order alone, and the score with orders up to it, as NIST's mteval prints them.

    Args:
        counts: One row (2 + 2M,).
        options: Those of the corpus score.

    Returns:
        (M,) precisions after smoothing, and (M,) scores, both 0-100; the last score is the corpus score.
    """
    has_score = _has_score(counts, options)
    precisions, counted = _precisions(counts, has_score, options, counts)
    brevity = _brevity_penalties(counts[..., 0], reference_lengths(counts, options), options)
    means = [_mean_precisions(precisions[:order], counted[:order], options) for order in range(1, len(precisions) + 1)]
    return precisions, np.where(has_score, brevity * np.array(means), 0.0)


def _with_empty_tokens(
    hypotheses: Sequence[SegmentTokens], references: Sequence[SegmentTokens], present: NDArray[np.bool_]
) -> tuple[list[SegmentTokens], list[SegmentTokens]]:
    """The columns with one token of its own in every empty text that is there."""
    token = 1 + max(int(column.ids.max(initial=-1)) for column in (*hypotheses, *references))
    everywhere = np.ones(present.shape[1], np.bool_)
    return (
        [column.with_empty_token(token, everywhere) for column in hypotheses],
        [column.with_empty_token(token, there) for column, there in zip(references, present, strict=True)],
    )


def _segment_reference_lengths(
    lengths: Ints, lengths_of_references: Ints, present: NDArray[np.bool_], options: BleuOptions
) -> Ints:
    """The reference length of each segment (S,), which is the closest where the brevity penalty needs none."""
    if options.reference_length == "shortest":
        return shortest_reference_length(lengths_of_references, present)
    if options.reference_length == "average":
        return average_reference_length(lengths_of_references, present)
    return closest_reference_length(lengths, lengths_of_references, present, tie=options.length_tie)


def _has_roots(counts: NDArray[Any], options: BleuOptions) -> bool:
    """Whether the score is a plain geometric mean of orders, a power of two of them, where each has a match."""
    max_order = (counts.shape[-1] - 2) // 2
    smooths_all = options.smoothing in (*NEIGHBOUR_SMOOTHINGS, "nltk-6")
    return max_order in ROOTS and not smooths_all and options.unequal_weights is None


def _unsmoothed_scores(counts: NDArray[Any], options: BleuOptions) -> tuple[Floats, NDArray[np.bool_]]:
    """Scores (...) of counts (..., 2 + 2M), and where no order is without a match: only there they are scores."""
    max_order = (counts.shape[-1] - 2) // 2
    added = options.effective_smoothing_value if options.smoothing == "add-k" else 0.0
    matched = np.array(counts[..., 2], np.float64)
    total = np.array(counts[..., 2 + max_order], np.float64)
    for order in range(1, max_order):
        matched *= _with_added(counts[..., 2 + order], added)
        total *= _with_added(counts[..., 2 + max_order + order], added)
    is_found = np.asarray(matched > LEAST_COUNT)
    if is_found.all():
        found = np.divide(matched, total, out=matched)
    else:  # a division with a mask takes twice as long
        found = np.divide(matched, total, out=np.zeros_like(matched), where=is_found)
    for _ in range(ROOTS[max_order]):
        np.sqrt(found, out=found)
    found *= 100.0
    found *= _penalties_by_length(counts[..., 0], reference_lengths(counts, options), options)
    return found, is_found


def _with_added(counts: NDArray[Any], added: float) -> NDArray[Any]:
    return np.add(counts, added, dtype=np.float64) if added else counts


def _has_score(counts: NDArray[Any], options: BleuOptions) -> NDArray[np.bool_]:
    """Whether there is a match of any order; or a token, where that is enough to smooth."""
    max_order = (counts.shape[-1] - 2) // 2
    if options.smooths_without_match:
        return np.asarray(counts[..., 0] > 0)
    return np.asarray(counts[..., 2 : 2 + max_order].any(axis=-1))


def _precisions(
    counts: NDArray[Any], has_score: NDArray[np.bool_], options: BleuOptions, last_segment: NDArray[Any]
) -> tuple[Floats, NDArray[np.bool_]]:
    """Precisions (..., M), 0-100, and whether each counts for the score."""
    max_order = (counts.shape[-1] - 2) // 2
    matched = counts[..., 2 : 2 + max_order].astype(np.float64)
    total = counts[..., 2 + max_order :].astype(np.float64)
    if options.smoothing == "add-k":
        matched[..., 1:] += options.effective_smoothing_value
        total[..., 1:] += options.effective_smoothing_value
    reached = total > 0
    for order in range(1, max_order):  # as logical_and.accumulate, which takes the orders of one segment at a time
        reached[..., order] &= reached[..., order - 1]
    precisions: Floats = _smoothed_precisions(matched, total, reached, options)
    if options.smoothing.startswith("nltk"):
        precisions = _smoothed_by_nltk(precisions, reached & (matched == 0), counts, last_segment, options)
    counted = reached if options.effective_order else np.ones_like(reached)
    if options.missing_order == "one":
        precisions, counted = np.where(reached, precisions, 100.0), np.ones_like(reached)
    return np.where(has_score[..., None], precisions, 0.0), counted


def _mean_precisions(precisions: Floats, counted: NDArray[np.bool_], options: BleuOptions) -> Floats:
    """The weighted geometric mean (...) of the precisions (..., M) that count; 0 where no weight is left."""
    is_positive = precisions > 0
    logs = np.where(is_positive, np.log(np.where(is_positive, precisions, 1.0)), LOG_OF_ZERO)
    if options.unequal_weights is None:
        orders = np.maximum(counted.sum(axis=-1), 1)
        by_segment = np.ascontiguousarray(np.where(counted, logs, 0.0))  # sums of many orders hang on the layout
        return np.asarray(np.exp(by_segment.sum(axis=-1) / orders))
    weights = np.where(counted, np.array(options.unequal_weights)[: precisions.shape[-1]], 0.0)
    sums = np.asarray(weights.sum(axis=-1))
    # A small weight must not bring the logarithm of 0 near that of a number.
    weighted = np.where(logs == LOG_OF_ZERO, np.where(weights > 0, LOG_OF_ZERO, 0.0), weights * logs)
    means = np.exp(weighted.sum(axis=-1) / np.where(sums > 0, sums, 1.0))
    return np.where(sums > 0, means, 0.0)


def _smoothed_precisions(matched: Floats, total: Floats, reached: NDArray[np.bool_], options: BleuOptions) -> Floats:
    """Precisions (..., M), 0-100; 0 for orders that are not reached or stay without a match."""
    precisions = np.where(reached, 100.0 * matched / np.where(reached, total, 1.0), 0.0)
    unmatched = reached & (matched == 0)
    if options.smoothing == "exp":
        halvings = np.where(unmatched, 2.0, 1.0)
        for order in range(1, halvings.shape[-1]):
            halvings[..., order] *= halvings[..., order - 1]
        np.divide(100.0, halvings * total, out=precisions, where=unmatched)
    elif options.smoothing == "floor":
        np.divide(100.0 * options.effective_smoothing_value, total, out=precisions, where=unmatched)
    return precisions


def _smoothed_by_nltk(
    precisions: Floats,
    unmatched: NDArray[np.bool_],
    counts: NDArray[Any],
    last_segment: NDArray[Any],
    options: BleuOptions,
) -> Floats:
    """Precisions (..., M), 0-100, as methods 0, 4, 5, 6 and 7 of NLTK's SmoothingFunction leave them."""
    if options.smoothing == "nltk-0":
        return np.where(unmatched, 100.0 * sys.float_info.min, precisions)
    max_order = precisions.shape[-1]
    matched, total = counts[..., 2 : 2 + max_order], counts[..., 2 + max_order :]
    if options.smoothing == "nltk-6":
        return _interpolated_precisions(precisions, matched, last_segment)
    if options.smoothing in ("nltk-4", "nltk-7"):
        lengths = counts[..., :1]
        logs = np.log(np.maximum(lengths, 1))
        parts_of_match = logs / (2.0 ** np.cumsum(unmatched, axis=-1) * NLTK_K)
        precisions = precisions.copy()
        np.divide(100.0 * parts_of_match, total, out=precisions, where=unmatched & (lengths > 1))
        if options.smoothing == "nltk-4":  # what is still 0 is left out of the sum of logarithms, so counts as 1
            precisions[unmatched & (lengths <= 1)] = 100.0
    if options.smoothing in NEIGHBOUR_SMOOTHINGS:
        return _neighbour_precisions(precisions, last_segment)
    return precisions


def _neighbour_precisions(precisions: Floats, last_segment: NDArray[Any]) -> Floats:
    """NLTK's method 5: the mean of an order's precision, the one before (as smoothed) and the one after.

    Before the first stands itself plus 1. The last order is only a neighbour, and stays as it is; NLTK takes it from
    the last segment.
    """
    max_order = precisions.shape[-1]
    after = precisions.copy()
    after[..., -1] = 100.0 * last_segment[..., 1 + max_order] / np.maximum(last_segment[..., -1], 1)
    smoothed = after.copy()
    before = precisions[..., 0] + 100.0
    for order in range(max_order - 1):
        before = smoothed[..., order] = (before + precisions[..., order] + after[..., order + 1]) / 3
    return smoothed


def _interpolated_precisions(precisions: Floats, matched: NDArray[Any], last_segment: NDArray[Any]) -> Floats:
    """NLTK's method 6: orders from the third on drawn towards what the two orders before let expect.

    NLTK divides the matches of the corpus by the n-grams of its last segment, and stops with an AssertionError where
    no trigram matches; such a score is 0 here.
    """
    max_order = precisions.shape[-1]
    smoothed = precisions.copy()
    for order in range(2, max_order):
        prior = np.zeros(smoothed.shape[:-1])
        one, two = smoothed[..., order - 1], smoothed[..., order - 2]
        np.divide(one**2, two, out=prior, where=two > 0)
        n_ngrams = np.minimum(last_segment[..., 2 + max_order + order], np.maximum(last_segment[..., 0] - order, 0))
        smoothed[..., order] = (100.0 * matched[..., order] + NLTK_ALPHA * prior) / (n_ngrams + NLTK_ALPHA)
    smoothed[..., 2:][matched[..., 2:3].repeat(smoothed[..., 2:].shape[-1], axis=-1) == 0] = 0.0
    return smoothed


def _penalties_by_length(
    hypothesis_lengths: NDArray[Any], lengths_of_references: NDArray[Any], options: BleuOptions
) -> Floats:
    """``_brevity_penalties`` of whole lengths, looked up where many repeat: exp takes longer than all else of a score.

    Of one reference the length is the same in every draw, and those of the hypotheses are near each other.
    """
    if hypothesis_lengths.size and lengths_of_references.min() == lengths_of_references.max():
        shortest = float(hypothesis_lengths.min())
        n_lengths = int(hypothesis_lengths.max() - shortest) + 1
        if n_lengths < hypothesis_lengths.size:
            lengths = np.arange(n_lengths) + shortest
            penalties = _brevity_penalties(lengths, lengths_of_references.flat[:1].astype(np.float64), options)
            return penalties[(hypothesis_lengths - shortest).astype(np.intp)]
    lengths = np.asarray(hypothesis_lengths, np.float64)
    return _brevity_penalties(lengths, np.asarray(lengths_of_references, np.float64), options)


def _brevity_penalties(
    hypothesis_lengths: NDArray[Any], lengths_of_references: NDArray[Any], options: BleuOptions
) -> Floats:
    """exp(1 - r/c) where the hypotheses are shorter, else 1; 0 for empty hypotheses against a longer reference."""
    if options.reference_length == "none":
        return np.ones(np.shape(hypothesis_lengths))
    if hypothesis_lengths.min(initial=1) > 0:
        exponents = 1.0 - np.asarray(lengths_of_references / hypothesis_lengths)
        if exponents.min(initial=0.0) == 0.0:  # none is shorter
            return np.ones(exponents.shape)
        return np.asarray(np.exp(np.minimum(exponents, 0.0)))
    shorter = np.asarray(hypothesis_lengths < lengths_of_references)
    penalties = np.ones(shorter.shape)
    penalties[shorter & (hypothesis_lengths == 0)] = 0.0
    some = shorter & (hypothesis_lengths > 0)
    ratio = np.zeros(shorter.shape)
    np.divide(lengths_of_references, hypothesis_lengths, out=ratio, where=some)
    penalties[some] = np.exp(1.0 - ratio[some])
    return penalties
