"""Do the words of a column stand in reverse order? Text from right to left that was stored as it is seen does so.

Of two translations of a text, nine of ten neighbours among the words that both have stand in the same order.
"""

from collections.abc import Iterator
from functools import partial

import numpy as np

from bleucore.checks.compared_texts import Bools, CheckedColumn, Columns
from bleucore.checks.findings import Observation, of_all
from bleucore.checks.order import out_of_order
from bleucore.checks.repairs import fixed
from bleucore.checks.words import WordIds
from bleucore.counts import Floats, Ints

_FIRST_LINES, _MAX_LINES, _FEW_LINES, _FEW_WORDS = 48, 160, 20, 4
"""Lines that are compared at first and then, lines that tell, and words that two texts of a line have in common."""

_REVERSED, _IN_ORDER = 0.3, 0.6
"""Share of neighbours in the same order, at most and where no more lines are asked: .8 to .95 in two translations,
about .5 where words were shuffled."""


def reversed_words(columns: Columns) -> Iterator[Observation]:
    """Systems and references whose words stand in reverse order, beside most other columns."""
    first, every = (
        np.arange(columns.n_segments)[:: -(-columns.n_segments // n_lines) or 1]
        for n_lines in (_FIRST_LINES, _MAX_LINES)
    )
    suspects = [column for column in columns.targets if not _usual_order(column, columns, first) >= _IN_ORDER]
    suspects = [column for column in suspects if _usual_order(column, columns, every) < _REVERSED]
    if len(suspects) == len(columns.targets):  # a pair
        suspects = [column for column in suspects if column.kind == "system"]
    for column in suspects:
        yield _reported(column, columns)


def _usual_order(column: CheckedColumn, columns: Columns, lines: Ints) -> float:
    """The share of neighbours in the same order in these lines, beside most other columns; NaN where few lines tell."""
    settled = columns.once(out_of_order)[columns.targets.index(column)]
    others = [other for other in columns.beside(column) if other is not column]
    orders = [_order(column, other, lines[~settled[lines]]) for other in others]
    known = [float(np.nanmean(one)) for one in orders if np.isfinite(one).sum() >= _FEW_LINES]
    return float(np.median(known)) if known else np.nan


def _reported(column: CheckedColumn, columns: Columns) -> Observation:
    every = np.arange(columns.n_segments)
    orders = [_order(column, other, every) for other in columns.beside(column) if other is not column]
    in_order: Bools = np.any([one > 1 - _REVERSED for one in orders], axis=0)
    flagged: Bools = (column.words.lengths > 1) & ~in_order
    return Observation(
        column,
        "error",
        f"{of_all(int(flagged.sum()), columns.n_segments)} have their words in reverse order.",
        "Look for a step that stores text from right to left as it is seen, and load the file from before it.",
        flagged,
        repair=partial(fixed, column, flagged, _reversed),
    )


def _order(column: CheckedColumn, other: CheckedColumn, lines: Ints) -> Floats:
    """The share of neighbours among the common words that stand in the same order, per line; NaN where few are."""
    return np.array([_agreement(column.words.of(line), other.words.of(line)) for line in lines.tolist()], np.float64)


def _agreement(own: WordIds, other: WordIds) -> float:
    places = {word: place for place, word in enumerate(other.tolist())}
    common = [places[word] for word in dict.fromkeys(own.tolist()) if word in places]
    return float((np.diff(common) > 0).mean()) if len(common) >= _FEW_WORDS else np.nan


def _reversed(text: str) -> str:
    return " ".join(text.split()[::-1])
