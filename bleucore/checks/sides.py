"""Columns as alignment sees them: alone, all but one, all together; in words that two languages share, too."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import cast

import numpy as np

from bleucore.checks.alignment import Side, standard_lengths
from bleucore.checks.compared_texts import CheckedColumn, Columns
from bleucore.checks.words import Vectors, counts, rarity, scaled, vectors
from bleucore.counts import Floats

_ROUNDING = 1e-5
_MAX_KEPT = 60_000
"""Vectors that are kept at a time, 2 KB each."""


def word_weights(columns: Columns) -> Floats:
    """How much each word says within the language of the systems and references."""
    return rarity(columns.once(word_counts), len(columns.targets) * columns.n_segments)


def word_counts(columns: Columns) -> Floats:
    """How often each word occurs in the systems and references together."""
    return counts([column.words for column in columns.targets])


def anchor_weights(columns: Columns) -> Floats:
    """How much each word says that stands on both sides, as names and numbers do; 0 for all others."""
    in_source, in_targets = columns.once(source_counts), columns.once(word_counts)
    n_texts = (1 + len(columns.targets)) * columns.n_segments
    return rarity(in_source + in_targets, n_texts) * ((in_source > 0) & (in_targets > 0))


def source_counts(columns: Columns) -> Floats:
    """How often each word occurs in the source; never without one."""
    return counts([column.words for column in columns.originals[len(columns.references) :]])


def side(column: CheckedColumn, weights: Floats) -> Side:
    """One column alone."""
    return Side(vectors(column.words, weights), standard_lengths(_logarithms(column)))


def sides(columns: Sequence[CheckedColumn], weights: Floats) -> Callable[[CheckedColumn], Side]:
    """How each column alone is seen, made once unless that would take much memory."""
    n_vectors = sum(len(column.texts) for column in columns)
    return cache(partial(side, weights=weights)) if n_vectors <= _MAX_KEPT else partial(side, weights=weights)


@dataclass(frozen=True, eq=False)
class Pool:
    """Columns that say the same in one language, put together so that any one can be taken out again.

    Attributes:
        vectors: (S, D), the sum of theirs.
        lengths: (S,), the sum of the logarithms of their lengths.
        numbers: (S,), how many of them have a text.
    """

    vectors: Vectors
    lengths: Floats
    numbers: Floats

    @classmethod
    def of(cls, columns: Sequence[CheckedColumn], seen: Callable[[CheckedColumn], Side]) -> "Pool":
        """The columns, as each is seen alone."""
        total = seen(columns[0]).vectors.copy()
        for column in columns[1:]:
            total += seen(column).vectors
        logarithms = np.stack([_logarithms(column) for column in columns])
        return cls(total, np.nansum(logarithms, axis=0), np.isfinite(logarithms).sum(axis=0))

    def others(self, column: CheckedColumn, side: Side) -> Side:
        """All columns but this one, given its side."""
        logarithms = _logarithms(column)
        rest = self.vectors - side.vectors
        small = np.flatnonzero(np.einsum("ij,ij->i", rest, rest) < 2 * rest.shape[1] * _ROUNDING**2)
        rest[small[np.abs(rest[small]).max(axis=1) < _ROUNDING]] = 0  # nothing is left but that
        return Side(
            scaled(rest),
            standard_lengths(_mean(self.lengths - np.nan_to_num(logarithms), self.numbers - np.isfinite(logarithms))),
        )

    def together(self) -> Side:
        """All columns."""
        return Side(scaled(self.vectors.copy()), standard_lengths(_mean(self.lengths, self.numbers)))


def _logarithms(column: CheckedColumn) -> Floats:
    """The logarithms of the lengths of texts, (S,); NaN where there is none."""
    return np.where(column.lengths > 0, np.log1p(column.lengths), np.nan)


def _mean(sums: Floats, numbers: Floats) -> Floats:
    return cast("Floats", np.where(numbers > 0, sums / np.maximum(numbers, 1), np.nan))
