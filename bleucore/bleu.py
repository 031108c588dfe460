"""BLEU as counts that add up over segments, and as a score of such counts (Papineni et al. 2002; Post 2018).

Counts are ``[hypothesis length, reference length, matches of order 1..M, totals of order 1..M]``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bleucore.ngrams import Ints, SegmentTokens, clipped_matches, closest_reference_length, totals
from bleucore.options import BleuOptions

Floats = NDArray[np.float64]

LOG_OF_ZERO = -9999999999.0
"""sacreBLEU's stand-in for log 0: finite, so that nothing becomes NaN, and exp of it is 0."""


@dataclass(frozen=True)
class BleuScore:
    """BLEU of some segments together.

    Attributes:
        score: 0-100.
        precisions: (M,), 0-100, after smoothing.
        brevity_penalty: 0-1.
        hypothesis_length: Tokens of the hypotheses.
        reference_length: Tokens of the references closest in length, summed over segments.
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


def statistics(
    hypotheses: Sequence[SegmentTokens],
    references: Sequence[SegmentTokens],
    present: NDArray[np.bool_],
    max_order: int,
) -> list[Ints]:
    """Counts of each hypothesis column, each (S, 2 + 2M).

    Args:
        hypotheses: K columns of S segments.
        references: R columns of S segments, empty where absent.
        present: (R, S), whether the segment has that reference.
        max_order: M.
    """
    reference_lengths = np.stack([column.lengths for column in references])
    matches = clipped_matches(hypotheses, references, max_order)
    counts = []
    for column, matched in zip(hypotheses, matches, strict=True):
        lengths = column.lengths
        closest = closest_reference_length(lengths, reference_lengths, present)
        counts.append(np.column_stack([lengths, closest, matched, totals(lengths, max_order)]))
    return counts


def scores(counts: NDArray[Any], options: BleuOptions) -> Floats:
    """BLEU of counts (..., 2 + 2M): (...), 0-100."""
    return parts(counts, options).scores


def parts(counts: NDArray[Any], options: BleuOptions) -> BleuParts:
    """BLEU, its precisions (..., M) and brevity penalties of counts (..., 2 + 2M).

    The rules and their order are those of sacreBLEU's ``compute_bleu``: no match of any order is a score of 0;
    an order without an n-gram ends the count of orders, which makes the score 0 unless the effective order is
    used; ``add-k`` adds to orders above the first before that is looked at.
    """
    max_order = (counts.shape[-1] - 2) // 2
    matched = counts[..., 2 : 2 + max_order].astype(np.float64)
    total = counts[..., 2 + max_order :].astype(np.float64)
    matches_any = np.asarray(matched.any(axis=-1))
    if options.smoothing == "add-k":
        matched[..., 1:] += options.effective_smoothing_value
        total[..., 1:] += options.effective_smoothing_value
    reached = np.logical_and.accumulate(total > 0, axis=-1)
    precisions = np.where(matches_any[..., None], _smoothed_precisions(matched, total, reached, options), 0.0)
    brevity = _brevity_penalties(counts[..., 0], counts[..., 1])
    counted = reached if options.effective_order else np.ones_like(reached)
    logs = np.full(precisions.shape, LOG_OF_ZERO)
    np.log(precisions, out=logs, where=precisions > 0)
    orders = np.maximum(counted.sum(axis=-1), 1)
    mean = np.exp(np.where(counted, logs, 0.0).sum(axis=-1) / orders)
    return BleuParts(np.where(matches_any, brevity * mean, 0.0), precisions, brevity)


def bleu_score(counts: NDArray[Any], options: BleuOptions) -> BleuScore:
    """The score of one row of counts (2 + 2M,), with everything that it is made of."""
    whole = parts(counts, options)
    max_order = (len(counts) - 2) // 2
    arrays = (whole.precisions, counts[2 : 2 + max_order].copy(), counts[2 + max_order :].copy())
    for array in arrays:
        array.flags.writeable = False
    return BleuScore(
        score=float(whole.scores),
        precisions=arrays[0],
        brevity_penalty=float(whole.brevity_penalties),
        hypothesis_length=int(counts[0]),
        reference_length=int(counts[1]),
        matches=arrays[1],
        totals=arrays[2],
    )


def individual_and_cumulative(counts: NDArray[Any], options: BleuOptions) -> tuple[Floats, Floats]:
    """The precision of each order alone, and the score with orders up to it, as NIST's mteval prints them.

    Args:
        counts: One row (2 + 2M,).
        options: Those of the corpus score.

    Returns:
        (M,) precisions after smoothing, and (M,) scores, both 0-100; the last score is the corpus score.
    """
    max_order = (len(counts) - 2) // 2
    cumulative = [
        scores(np.concatenate([counts[: 2 + order], counts[2 + max_order : 2 + max_order + order]]), options)
        for order in range(1, max_order + 1)
    ]
    return parts(counts, options).precisions, np.array(cumulative)


def _smoothed_precisions(matched: Floats, total: Floats, reached: NDArray[np.bool_], options: BleuOptions) -> Floats:
    """Precisions (..., M), 0-100; 0 for orders that are not reached or stay without a match."""
    precisions = np.zeros_like(total)
    np.divide(100.0 * matched, total, out=precisions, where=reached)
    unmatched = reached & (matched == 0)
    if options.smoothing == "exp":
        halvings = 2.0 ** np.cumsum(unmatched, axis=-1)
        np.divide(100.0, halvings * total, out=precisions, where=unmatched)
    elif options.smoothing == "floor":
        np.divide(100.0 * options.effective_smoothing_value, total, out=precisions, where=unmatched)
    return precisions


def _brevity_penalties(hypothesis_lengths: NDArray[Any], reference_lengths: NDArray[Any]) -> Floats:
    """exp(1 - r/c) where the hypotheses are shorter, else 1; 0 for empty hypotheses against a longer reference."""
    shorter = np.asarray(hypothesis_lengths < reference_lengths)
    penalties = np.ones(shorter.shape)
    penalties[shorter & (hypothesis_lengths == 0)] = 0.0
    ratio = np.zeros(shorter.shape)
    some = shorter & (hypothesis_lengths > 0)
    np.divide(reference_lengths, hypothesis_lengths, out=ratio, where=some)
    penalties[some] = np.exp(1.0 - ratio[some])
    return penalties
