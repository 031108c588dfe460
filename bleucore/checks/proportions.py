"""Is a whole column much longer or shorter than the others? Cut, extended or doubled lines change every length alike.

The offset of a column is the logarithm of the ratio of its length to the usual length of the other columns, in
characters and over the lines that all of them have. Systems of WMT22 lie within .08, their references within .05.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from bleucore.checks.compared_texts import Bools, CheckedColumn, Columns
from bleucore.checks.findings import Observation
from bleucore.checks.lengths import lengthening, spread
from bleucore.counts import Floats, Ints
from bleucore.written_numbers import count

_FEW_LINES, _LEAST_LENGTH = 20, 20
"""Lines that a proportion needs, and characters of the usual text: labels and names have no usual length."""

_LEAST_OFFSET, _LEAST_OF_PAIR = float(np.log(1.2)), float(np.log(1.25))
_SPREADS = {"system": 3.0, "reference": 2.5}
"""Offset per spread of single lines: what cuts or extends lines does so to all alike, free translations do not. People
translate more freely than systems, line by line, and yet leave no third of a text out."""

_FEW_OTHERS = 2


def unusual_proportions(columns: Columns) -> Iterator[Observation]:
    """Systems and references that are much longer or shorter than the others as a whole."""
    lengths = np.stack([column.lengths for column in columns.targets])
    common: Bools = np.all(lengths > 0, axis=0)
    if common.sum() < _FEW_LINES:  # some column is mostly empty
        common = (lengths > 0).sum(axis=0) > len(lengths) // 2
    rows = range(len(lengths))
    by_line = [_lengthening(lengths, common, row) for row in rows]
    widths = [spread(values - np.median(values)) if len(values) else 0.0 for values in by_line]
    for index, column in enumerate(columns.targets):
        others = [other for other in rows if other != index]
        if column.kind == "reference" and len(others) < _FEW_OTHERS:
            continue
        known = common & (lengths[index] > 0)
        usual: Floats = np.median(lengths[others], axis=0)
        if known.sum() < _FEW_LINES or np.median(usual[known]) < _LEAST_LENGTH:
            continue
        offset = _offset(lengths[:, known], index, others)
        least = _LEAST_OF_PAIR if len(others) < _FEW_OTHERS else _LEAST_OFFSET
        is_unusual = abs(offset) >= max(least, _SPREADS[column.kind] * widths[index])
        if is_unusual:
            flagged = np.zeros(columns.n_segments, np.bool_)
            flagged[known] = np.sign(offset) * by_line[index][known[common]] > _LEAST_OFFSET / 2
            yield _reported(column, columns, flagged, lengths[:, known], others)


def _offset(lengths: Ints, index: int, others: Sequence[int]) -> float:
    totals = np.log(np.maximum(1, lengths.sum(axis=1)))
    return float(totals[index] - np.median(totals[list(others)]))


def _lengthening(lengths: Ints, common: Bools, row: int) -> Floats:
    """How much longer each common line of a column is than usual, as a logarithm."""
    usual = np.median(np.delete(lengths, row, axis=0)[:, common], axis=0)
    return lengthening(lengths[row][common], usual.astype(np.int64))


def _reported(
    column: CheckedColumn, columns: Columns, flagged: Bools, lengths: Ints, others: Sequence[int]
) -> Observation:
    totals = lengths.sum(axis=1)
    index = columns.targets.index(column)
    usual = float(np.median(totals[list(others)]))
    ratio = float(totals[index]) / usual
    rest = totals[list(others)] / usual
    beside = f"the other texts have {rest.min():.2f} to {rest.max():.2f}" if len(others) > 1 else "the reference has 1"
    n_flagged = int(flagged.sum())
    what = "Texts were cut, or parts left out" if ratio < 1 else "Texts hold something else, or hold it twice"
    return Observation(
        column,
        "warning",
        f"The column has {ratio:.2f} times the usual length; {beside}. It shows in {count(n_flagged)} of "
        f"{count(columns.n_segments)} segments.",
        f"{what}. Look for a limit of length, or for a step that cuts or joins lines, and load the file again.",
        flagged,
    )
