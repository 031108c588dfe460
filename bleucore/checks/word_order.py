"""Do the words of a column stand in reverse order? Text from right to left that was stored as it is seen does so.

Of two translations of a text, nine of ten neighbours among the words that both have stand in the same order.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from operator import lt
from typing import TypeAlias

import numpy as np

from bleucore.checks.compared_texts import Bools, CheckedColumn, Columns
from bleucore.checks.findings import Observation, of_all
from bleucore.checks.order import out_of_order
from bleucore.checks.repairs import fixed
from bleucore.counts import Floats, Ints

Places: TypeAlias = Mapping[int, int]
"""The words of a text in the order in which they occur first, each with its last place."""

_MAX_LINES, _FEW_LINES, _FEW_WORDS = 160, 20, 4
"""Lines that are compared at first, lines that tell, and words that two texts of a line have in common."""

_REVERSED = 0.3
"""Share of neighbours in the same order: .8 to .95 in two translations, about .5 where words were shuffled."""


def reversed_words(columns: Columns) -> Iterator[Observation]:
    """Systems and references whose words stand in reverse order, beside most other columns."""
    lines = np.arange(columns.n_segments)[:: -(-columns.n_segments // _MAX_LINES) or 1]
    is_settled = columns.once(out_of_order)
    places = {column: _places(column, lines) for column in columns.targets}
    suspects: list[CheckedColumn] = []
    for column, settled in zip(columns.targets, is_settled, strict=True):
        others = [places[other] for other in columns.beside(column) if other is not column]
        if _is_suspect(places[column], others, np.flatnonzero(~settled[lines])):
            suspects.append(column)
    if len(suspects) == len(columns.targets):  # a pair
        suspects = [column for column in suspects if column.kind == "system"]
    for column in suspects:
        yield _reported(column, columns)


def _reported(column: CheckedColumn, columns: Columns) -> Observation:
    every = np.arange(columns.n_segments)
    own = _places(column, every)
    orders = [_order(own, _places(other, every), every) for other in columns.beside(column) if other is not column]
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


def _is_suspect(own: Sequence[Places], others: Sequence[Sequence[Places]], chosen: Ints) -> bool:
    """Whether the words stand in reverse order beside most other columns, by their median.

    That is known before all are compared where more than half of them agree.
    """
    known: list[float] = []
    for other in others:
        order = _order(own, other, chosen)
        if np.isfinite(order).sum() >= _FEW_LINES:
            known.append(float(np.nanmean(order)))
        if sum(share >= _REVERSED for share in known) > len(others) / 2:
            return False
    return bool(known) and float(np.median(known)) < _REVERSED


def _places(column: CheckedColumn, lines: Ints) -> list[Places]:
    """The places of the words of these lines."""
    texts = (column.words.of(line).tolist() for line in lines.tolist())
    return [{word: place for place, word in enumerate(text)} for text in texts]


def _order(own: Sequence[Places], other: Sequence[Places], chosen: Ints) -> Floats:
    """The share of neighbours among the common words that stand in the same order, per text; NaN where few are."""
    return np.array([_agreement(own[text], other[text]) for text in chosen.tolist()], np.float64)


def _agreement(own: Places, other: Places) -> float:
    common = [other[word] for word in own if word in other]
    return sum(map(lt, common, common[1:])) / (len(common) - 1) if len(common) >= _FEW_WORDS else np.nan


def _reversed(text: str) -> str:
    return " ".join(text.split()[::-1])
