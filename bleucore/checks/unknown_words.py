"""Columns full of words that no other text of the test set has: misread by a program, misspelt or spelled otherwise."""

from collections.abc import Iterator

import numpy as np

from bleucore.checks.compared_texts import Bools, CheckedColumn, Columns
from bleucore.checks.findings import Observation, of_all
from bleucore.checks.sides import source_counts, word_counts
from bleucore.checks.words import N_WORD_IDS

_LEAST, _LEAST_UNSPACED, _MORE_THAN_EXPECTED = 0.2, 0.14, 0.05
"""Of the words of a column are in no other text, and so much more than expected. 50 lines of WMT22 beside two systems
have .11, the sample beside versions of its literal system .18, and texts with one wrong letter in ten .30 to .40. In
scripts without blanks a word is two characters, of which .19 have a wrong one."""

_LEAST_WORDS, _SPREAD = 200, 0.5
"""Words that tell, and the share of the texts of a column in which they are: what is wrong in a part of the texts has
other causes."""

_FEW_OTHERS = 2
"""Columns of which nothing says which one is wrong: where one is cut, the other has words of its own."""

_HABIT, _SEVERAL = 0.02, 3
"""Share of texts, and number, from which one and the same word is something that was added: other checks have that."""


def unseen(columns: Columns) -> tuple[Bools, ...]:
    """Which words of each system and reference are in no other text of the test set, its source included, (W,)."""
    total = columns.once(word_counts) + columns.once(source_counts)
    return tuple(
        total[column.words.ids] <= np.bincount(column.words.ids, minlength=N_WORD_IDS)[column.words.ids]
        for column in columns.targets
    )


def unknown_words(columns: Columns) -> Iterator[Observation]:
    """Systems and references with many more words that no other text has than the others have beside them."""
    if len(columns.targets) <= _FEW_OTHERS:
        return
    for column, of_no_other in zip(columns.targets, columns.once(unseen), strict=True):
        least = _LEAST if column.surface.has_blanks else _LEAST_UNSPACED
        if len(of_no_other) < _LEAST_WORDS or of_no_other.mean() < least:
            continue
        times = np.bincount(column.words.ids, minlength=N_WORD_IDS)[column.words.ids]
        are_unknown = of_no_other & (times <= max(_SEVERAL, _HABIT * columns.n_segments))
        share, expected = float(are_unknown.mean()), _expected(column, columns)
        flagged = np.bincount(column.words.segments[are_unknown], minlength=columns.n_segments) > 0
        n_flagged, n_filled = int(flagged.sum()), int((column.words.lengths > 0).sum())
        if n_flagged >= _SPREAD * n_filled and share >= max(least, expected + _MORE_THAN_EXPECTED):
            yield Observation(
                column,
                "warning",
                f"No other text has {100 * share:.0f} % of the words of this column; its own texts lack "
                f"{100 * expected:.0f} % of the words of the others. It shows in "
                f"{of_all(n_flagged, columns.n_segments)}.",
                "Read some of them. Letters may be wrong (in scanned texts, say), or the spelling or language differs.",
                flagged,
            )


def _expected(column: CheckedColumn, columns: Columns) -> float:
    """The usual share of the words of other columns that this one has nowhere: of two alike, each lacks as many."""
    known = np.zeros(N_WORD_IDS, np.bool_)
    known[column.words.ids] = True
    lacking = [
        float(1 - known[other.words.ids].mean())
        for other in columns.targets
        if other is not column and len(other.words.ids)
    ]
    return float(np.median(lacking)) if lacking else 1.0
