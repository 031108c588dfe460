"""Which line of a column belongs to which line of the others: evidence per line and shift, and runs of it.

Evidence is a log likelihood ratio: how much likelier a pair of texts is if they say the same than if they have
nothing to do with each other. It is near 5 for most lines of a translation held against translations of the same
text, and negative on average for pairs of unrelated texts, so that sums over runs decide (Page 1954, "Continuous
inspection schemes"). One part comes from shared rare words, one from lengths (Gale and Church 1993, "A program for
aligning sentences in bilingual corpora"). Each is bounded: no single line decides.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from bleucore.checks.compared_texts import Bools
from bleucore.checks.findings import Shift
from bleucore.checks.words import Vectors
from bleucore.counts import Ints

Evidence: TypeAlias = NDArray[np.float32]

MAX_SHIFT = 5
"""Lines of shift that are tried in every place."""

CONTROL_SHIFTS = (-8, -7, 7, 8)
"""Shifts just beyond: what unrelated lines of the same texts share."""

_LEAST_GAIN, _LEAST_LOSS, _ROUNDING = 18.0, 54.0, 0.1
"""Evidence for a run of lines, and against lines within it, that is enough to set them apart."""

_LEAST_LINES, _MAX_RUNS = 3, 200
_LEAST_FITTING = 0.65
_NEVER = -1e4

_RELATED_RISE = 0.2
"""Products of related lines lie at least so much higher, even of poor or free translations; mostly 0.4 to 0.9."""

_MEAN_UNRELATED, _SPREAD_UNRELATED, _LEAST_SPREAD, _LEAST_CONTROLS = 0.03, 0.1, 0.08, 100
"""What is assumed of unrelated lines where there are too few to see."""

_FAR_PART, _MUCH_WIDER = 3, 1.25
_SPREADS_OF_MEAN = 4.0
_WORD_BOUND, _LENGTH_BOUNDS = 4.0, (-3.0, 2.0)
_LENGTH_CORRELATION, _LEAST_LENGTH_SPREAD = 0.9, 0.1
"""Logarithms of lengths of translations correlate at 0.94 to 0.99 in four test sets, across languages too."""

_BLOCK = 1 << 12
"""Lines multiplied at once, so that they stay in the processor's cache."""


@dataclass(frozen=True, eq=False)
class Side:
    """One column, or several put together, as far as alignment looks at it.

    Attributes:
        vectors: (S, D), see ``words.vectors``.
        lengths: (S,), logarithms of the lengths in characters with mean 0 and standard deviation 1; NaN where
            there is no text, and everywhere if lengths hardly differ.
    """

    vectors: Vectors
    lengths: NDArray[np.float64]

    @cached_property
    def is_blank(self) -> Bools:
        """Whether a line has no vector, (S,)."""
        return np.asarray(np.einsum("ij,ij->i", self.vectors, self.vectors) == 0)

    def take(self, lines: Ints) -> "Side":
        """These lines alone."""
        return Side(self.vectors[lines], self.lengths[lines])


def standard_lengths(logarithms: NDArray[np.float64]) -> NDArray[np.float64]:
    """Logarithms of lengths (S,), NaN where there is no text, with mean 0 and standard deviation 1."""
    known = np.isfinite(logarithms)
    spread = logarithms[known].std() if known.any() else 0.0
    if spread < _LEAST_LENGTH_SPREAD:
        return np.full(len(logarithms), np.nan)
    standard: NDArray[np.float64] = (logarithms - logarithms[known].mean()) / spread
    return standard


def _products(one: Side, other: Side, lines: Ints, shift: int) -> Evidence:
    """The products of these lines and those so many before them; NaN where either has no vector."""
    values: Evidence = np.empty(len(lines), np.float32)
    for first in range(0, len(lines), _BLOCK):
        block = slice(first, first + _BLOCK)
        values[block] = np.einsum("ij,ij->i", one.vectors[lines[block]], other.vectors[lines[block] - shift])
    values[one.is_blank[lines] | other.is_blank[lines - shift]] = np.nan
    return values


def products(one: Side, other: Side, shift: int) -> Evidence:
    """The products of line i of one and line i - shift of the other, (S,); NaN where either has no vector."""
    values = np.full(len(one.vectors), np.nan, np.float32)
    start, stop = _overlap(len(values), shift)
    for first in range(start, stop, _BLOCK):
        last = min(first + _BLOCK, stop)
        values[first:last] = np.einsum("ij,ij->i", one.vectors[first:last], other.vectors[first - shift : last - shift])
    values[one.is_blank] = np.nan
    values[start:stop][other.is_blank[start - shift : stop - shift]] = np.nan
    return values


@dataclass(frozen=True)
class WordModel:
    """What the products of unrelated lines look like."""

    mean: float = _MEAN_UNRELATED
    spread: float = _SPREAD_UNRELATED

    @classmethod
    def of(cls, one: Side, other: Side) -> "WordModel":
        """From lines a few lines apart, if there are enough of them; from far ones where near ones are no controls.

        Near lines are more alike than far ones, as those of the same document are, but not by much. Where they are,
        lines belong to their neighbours.
        """
        near = cls._of_shifts(one, other, CONTROL_SHIFTS)
        third = len(one.vectors) // _FAR_PART
        if third <= max(CONTROL_SHIFTS) or near.spread <= _LEAST_SPREAD:
            return near
        far = cls._of_shifts(one, other, (-third, third))
        return far if near.spread > _MUCH_WIDER * far.spread else near

    @classmethod
    def _of_shifts(cls, one: Side, other: Side, shifts: Sequence[int]) -> "WordModel":
        controls = np.concatenate([products(one, other, shift) for shift in shifts])
        controls = controls[np.isfinite(controls)]
        if len(controls) < _LEAST_CONTROLS:
            return cls()
        return cls(float(controls.mean()), max(float(controls.std()), _LEAST_SPREAD))

    def is_chance(self, products: Evidence) -> bool:
        """Whether these products are no greater in the mean than those of unrelated lines may be."""
        known = products[np.isfinite(products)]
        limit = self.mean + _SPREADS_OF_MEAN * self.spread / np.sqrt(max(1, len(known)))
        return len(known) == 0 or float(known.mean()) < limit

    def evidence(self, products: Evidence, *, bound: float = _WORD_BOUND) -> Evidence:
        """Log likelihood ratios of two normal distributions a little apart; 0 where nothing is known.

        Most related lines share far more than that; those of poor or free translations may not.
        """
        ratios = _RELATED_RISE / self.spread**2 * (products - self.mean - _RELATED_RISE / 2)
        evidence: Evidence = np.clip(np.nan_to_num(ratios), -bound, bound).astype(np.float32)
        return evidence


def length_evidence(one: NDArray[np.float64], other: NDArray[np.float64], shift: int) -> Evidence:
    """Log likelihood ratios of two normal variables, correlated against independent; 0 where nothing is known."""
    rho = _LENGTH_CORRELATION
    start, stop = _overlap(len(one), shift)
    u, v = one[start:stop], other[start - shift : stop - shift]
    ratios = -np.log(1 - rho**2) / 2 - (rho**2 * (u**2 + v**2) - 2 * rho * u * v) / (2 * (1 - rho**2))
    evidence = np.zeros(len(one), np.float32)
    evidence[start:stop] = np.clip(np.nan_to_num(ratios), *_LENGTH_BOUNDS)
    return evidence


def evidence_by_shift(one: Side, other: Side, model: WordModel) -> Evidence:
    """Evidence that line i of one belongs to line i - shift of the other, (2 MAX_SHIFT + 1, S), from -MAX_SHIFT on.

    Where there is no run of shifted lines, a line that fits its own for certain has an upper bound, below that, for the
    others: its words need not be compared.
    """
    own = evidence_at(one, other, model, 0)
    least = np.maximum(own, 0)
    evidence = np.tile(own, (2 * MAX_SHIFT + 1, 1))
    for row, shift in zip(evidence, range(-MAX_SHIFT, MAX_SHIFT + 1), strict=True):
        if shift == 0:
            continue
        row[:] = length_evidence(one.lengths, other.lengths, shift)
        start, stop = _overlap(len(own), shift)
        asked = start + np.flatnonzero(row[start:stop] + np.float32(_WORD_BOUND) >= least[start:stop])
        words = np.full(stop - start, _WORD_BOUND, np.float32)
        words[asked - start] = model.evidence(_products(one, other, asked, shift))
        row[start:stop] += words
    if np.maximum(evidence - least, 0).sum(axis=1).max(initial=0) < _LEAST_GAIN - _ROUNDING:
        return evidence
    return np.stack([evidence_at(one, other, model, shift) for shift in range(-MAX_SHIFT, MAX_SHIFT + 1)])


def evidence_at(one: Side, other: Side, model: WordModel, shift: int) -> Evidence:
    """The same for one shift, (S,)."""
    from_words = model.evidence(products(one, other, shift))
    evidence: Evidence = from_words + length_evidence(one.lengths, other.lengths, shift)
    return evidence


def shifted_runs(evidence: Evidence) -> tuple[Shift, ...]:
    """The runs of lines that belong elsewhere by far, in order, given evidence by shift."""
    own = np.maximum(evidence[MAX_SHIFT], 0)
    gains = evidence - own
    gains[MAX_SHIFT] = -1
    return tuple(
        Shift(start, stop, row - MAX_SHIFT) for start, stop, row in _runs(gains) if _is_dense(evidence[row, start:stop])
    )


def _overlap(n_lines: int, shift: int) -> tuple[int, int]:
    """The lines, from a first one to before a last, that have another so many lines before them."""
    start = min(max(0, shift), n_lines)
    return start, max(start, min(n_lines, n_lines + shift))


def _is_dense(evidence: Evidence) -> bool:
    """Whether most lines fit, as when all are shifted, rather than every other one, as when pairs are swapped."""
    return bool((evidence > 0).sum() >= _LEAST_FITTING * (evidence != 0).sum())


def unrelated_runs(own: Evidence, settled: Bools) -> list[tuple[int, int]]:
    """Runs of lines, as (start, stop), that have nothing to do with their own line, besides those settled (S,)."""
    gains = np.where(settled, np.float32(_NEVER), -own)[None]
    return [(start, stop) for start, stop, _ in _runs(gains)]


def _runs(gains: NDArray[np.float32]) -> list[tuple[int, int, int]]:
    """Disjoint runs of the greatest gain in one row of (K, S), as (start, stop, row), in order."""
    found: list[tuple[int, int, int]] = []
    waiting = [(0, gains.shape[1])]
    while waiting and len(found) < _MAX_RUNS:
        first, last = waiting.pop()
        if last - first < _LEAST_LINES:
            continue
        gain, start, stop, row = _best_run(gains[:, first:last])
        if gain < _LEAST_GAIN or stop - start < _LEAST_LINES:
            continue
        start, stop = first + start, first + stop
        loss, gap_start, gap_stop, _ = _best_run(-gains[row : row + 1, start:stop])
        if loss >= _LEAST_LOSS:  # two runs, with lines between them that are none
            inner = [(start, start + gap_start), (start + gap_start, start + gap_stop), (start + gap_stop, stop)]
        else:
            inner = []
            found.append((start, stop, row))
        waiting += [(first, start), *inner, (stop, last)]
    return sorted(found)


def _best_run(gains: NDArray[np.float32]) -> tuple[float, int, int, int]:
    """The greatest sum over consecutive places of one row of (K, S): it, start, stop, row. The shortest such run."""
    sums = np.concatenate([np.zeros((len(gains), 1)), np.cumsum(gains, axis=1, dtype=np.float64)], axis=1)
    rises = sums - np.minimum.accumulate(sums, axis=1)
    row, stop = np.unravel_index(rises.argmax(), rises.shape)
    before = sums[row, : stop + 1]
    start = stop - int(before[::-1].argmin())
    return float(rises[row, stop]), int(start), int(stop), int(row)
