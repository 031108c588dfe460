"""How much wider intervals are because segments of a document, or neighbours, resemble each other.

A score is near to linear in the segments: what each of them adds to its error (its influence) is taken from the score
without that segment (the jackknife, Efron and Tibshirani 1993, chapter 11). Where influences of one document have
something in common, their sums vary more than those of as many segments that were drawn one by one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from bleucore.counts import Floats, Score, group_sums, read_only
from bleucore.significance.blocks import blocks_of_documents
from bleucore.significance.draws import NamedCounts
from bleucore.significance.paired import TIE, rounding

WORTH_SAYING = 1.1
"""Wider intervals than these many times change what is read off them."""
CLEAR_ERRORS = 2
"""So many standard errors above 1 a squared design factor is more than chance gives."""


@dataclass(frozen=True)
class Dependence:
    """The design factors of systems and of pairs of them.

    A design factor is the standard error of a score, or of a difference, with whole documents as units, divided by
    that with segments as units: the square root of the design effect (Kish 1965, section 8.2). 1.3 says that intervals
    are 1.3 times as wide.

    Attributes:
        systems: (K,), of scores, read-only; NaN where segments have no influence.
        pairs: (K, K), of differences, read-only; NaN as well.
        n_documents: The documents whose influences are summed; ``None`` where blocks of neighbours are, because no
            two documents are known.
        n_neighbours: The segments of such a block; ``None`` for documents.
        noise: The standard error of a squared factor where segments are independent.
    """

    systems: Floats
    pairs: Floats
    n_documents: int | None
    n_neighbours: int | None
    noise: float

    @property
    def of_scores(self) -> float | None:
        """The median over systems; ``None`` where there is none."""
        return _median(self.systems)

    @property
    def of_differences(self) -> float | None:
        """The median over pairs; ``None`` where there is none."""
        return _median(self.pairs[np.triu_indices(len(self.pairs), 1)])

    @property
    def matters(self) -> bool:
        """Whether intervals would be clearly wider, and by more than chance gives."""
        least = max(WORTH_SAYING, np.sqrt(1 + CLEAR_ERRORS * self.noise))
        return any(factor is not None and factor >= least for factor in (self.of_scores, self.of_differences))


def design_factors(systems: Sequence[NamedCounts], score: Score, documents: Sequence[str] | None) -> Dependence | None:
    """The design factors of systems with counts (S, C); ``None`` for a single segment.

    Influences are summed within documents. Where no two documents are known, the variance is that of means of moving
    blocks of about the cube root of S neighbours (Künsch 1989), as far as that reaches: it sees less than whole
    documents do, and also what changes slowly along the test set.
    """
    n_segments = len(systems[0][1])
    if n_segments == 1:
        return None
    influences = np.stack([segment_influences(counts, score) for _, counts in systems])
    apart = influences @ influences.T / (n_segments - 1)
    layout = None if documents is None else blocks_of_documents(documents)
    if layout is not None and layout.n_blocks > 1:
        sums = group_sums(influences.T, layout.groups, layout.n_blocks)
        together = sums.T @ sums * (layout.n_blocks / (layout.n_blocks - 1)) / n_segments
        n_pairs = float((layout.sizes.astype(np.float64) * (layout.sizes - 1)).sum())
        return _made(together, apart, layout.n_blocks, None, np.sqrt(2 * n_pairs) / n_segments)
    size = max(2, round(n_segments ** (1 / 3)))
    shares = 1 - np.abs(np.arange(1 - size, size)) / size
    smoothed = ndimage.convolve1d(influences, shares, axis=1, mode="constant")
    together = smoothed @ influences.T / (n_segments - 1)
    noise = np.sqrt(4 * (shares[size:] ** 2).sum() / n_segments)
    return _made(together, apart, None, size, noise)


def segment_influences(counts: NDArray[Any], score: Score) -> Floats:
    """What each segment of counts (S, C) adds to the error of the score, (S,), on the scale of one segment."""
    sums = counts.sum(axis=0)
    without = score((sums - counts).astype(np.float64))
    if np.ptp(without) <= rounding(without):
        return np.zeros(len(counts))
    return np.asarray(len(counts) * (without.mean() - without))


def _made(
    together: Floats, apart: Floats, n_documents: int | None, n_neighbours: int | None, noise: float
) -> Dependence:
    """The factors, from the covariances (K, K) of sums and of segments."""
    with np.errstate(divide="ignore", invalid="ignore"):
        systems = np.sqrt(np.diag(together) / np.diag(apart))
        pairs = np.sqrt(_of_differences(together) / _of_differences(apart))
    return Dependence(read_only(_known(systems)), read_only(_known(pairs)), n_documents, n_neighbours, float(noise))


def _of_differences(covariances: Floats) -> Floats:
    """The variances of differences (K, K), 0 where only rounding is left of those of scores."""
    own = np.diag(covariances)
    total = own[:, None] + own
    variances = total - covariances - covariances.T
    return np.where(variances > TIE * total, variances, 0.0)


def _known(factors: Floats) -> Floats:
    return np.where(np.isfinite(factors), factors, np.nan)


def _median(factors: Floats) -> float | None:
    known = factors[~np.isnan(factors)]
    return float(np.median(known)) if known.size else None
