"""Has a column lost the blanks between its words, or blanks between its letters? Whole files are joined or split so.

What counts is blanks per other character, line by line, beside the usual line of the other columns.
"""

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from bleucore.checks.compared_texts import Bools, CheckedColumn, Columns
from bleucore.checks.findings import Observation, of_all
from bleucore.counts import Floats, Ints

_LEAST_LENGTH, _FEW_LINES = 10, 20
"""Characters of a line that says something, and lines that a share needs."""

_SPACED, _JOINED, _JOINED_TIMES, _SPLIT_TIMES = 0.08, 0.05, 0.3, 1.8
"""Blanks per character where words have blanks between them (English .2, Finnish .13), and of a line without any; and
how many times as many as usual a fault leaves or makes."""

_MOST = 0.5
_IS_BLANK = np.isin(np.arange(256), list(b"\t\n\f\r "))


def unusual_spacing(columns: Columns) -> Iterator[Observation]:
    """Systems and references that are written without blanks, or in single letters, where the others are in words."""
    shares = np.stack([_blanks(column) for column in columns.targets])
    for index, column in enumerate(columns.targets):
        usual = np.nanmedian(np.delete(shares, index, axis=0)) if _are_known(np.delete(shares, index, axis=0)) else 0.0
        known = ~np.isnan(shares[index])
        if usual < _SPACED or known.sum() < _FEW_LINES:
            continue
        joined = known & (shares[index] <= min(_JOINED, _JOINED_TIMES * usual))
        split = known & (shares[index] >= _SPLIT_TIMES * usual)
        for flagged, what in ((joined, "have no blanks between words"), (split, "are written in pieces of words")):
            if flagged.sum() >= _MOST * known.sum():
                yield _reported(column, columns, flagged, what, usual)


def _blanks(column: CheckedColumn) -> Floats:
    """Blanks per other character of each line, (S,); NaN for short ones."""
    n_blanks = _n_blanks(column.trimmed).astype(np.float64)
    lengths = column.lengths.astype(np.float64)
    return np.where(lengths >= _LEAST_LENGTH, n_blanks / np.maximum(1.0, lengths - n_blanks), np.nan)


def _n_blanks(texts: pa.Array) -> Ints:
    """The blanks, tabs and ends of lines in each Arrow string, (S,): in UTF-8 no other character has such bytes."""
    _, offsets, data = texts.buffers()
    if data is None:
        return np.zeros(len(texts), np.int64)
    ends = np.frombuffer(offsets, np.int64)[texts.offset : texts.offset + len(texts) + 1]
    places = np.flatnonzero(_IS_BLANK[np.frombuffer(data, np.uint8)])
    counts: Ints = np.diff(np.searchsorted(places, ends))
    return counts


def _are_known(shares: Floats) -> bool:
    return bool((~np.isnan(shares)).any())


def _reported(column: CheckedColumn, columns: Columns, flagged: Bools, what: str, usual: float) -> Observation:
    return Observation(
        column,
        "error",
        f"{of_all(int(flagged.sum()), columns.n_segments)} {what}; the other texts have a blank every "
        f"{1 / usual:.0f} characters.",
        "Find the step that joins or splits words, and load the file from before it.",
        flagged,
    )
