"""Which of several columns is out of place, where each stands out against those that are.

Every other column has a vote: whether the lines in question fit its own lines better as they stand, or as they
would after they were put right. The source votes too, by names, numbers and lengths, and where it is sure its
word counts alone.
"""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np

from bleucore.checks.alignment import WordModel, evidence_at
from bleucore.checks.compared_texts import CheckedColumn, Columns
from bleucore.checks.findings import Shift
from bleucore.checks.sides import anchor_weights, side, word_weights
from bleucore.counts import Floats, Ints

Shifts: TypeAlias = dict[CheckedColumn, tuple[Shift, ...]]
Votes: TypeAlias = dict[CheckedColumn, Floats]

_MAX_LINES = 2000
"""Lines of a column that are voted on: an even choice of those in question."""

_SURE = 18.0
_NOWHERE = -1


def blamed(columns: Columns, found: Shifts) -> Shifts:
    """The columns that are shifted, given those that look so."""
    if not found:
        return found
    suspects = {column: _places(shifts, columns.n_segments) for column, shifts in found.items()}
    votes = _votes(columns.targets, suspects, columns.once(word_weights))
    by_source: Votes = {}
    if columns.source is not None:
        by_source = _votes([columns.source], suspects, anchor_weights(columns))
    guilty: Shifts = {}
    for column, shifts in found.items():
        source_vote = float(by_source[column][0]) if by_source else 0.0
        vote = np.sign(source_vote) if abs(source_vote) >= _SURE else np.sign(votes[column]).sum()
        if vote < 0:
            guilty[column] = shifts
        elif source_vote >= _SURE:  # the column goes with the source: those that it does not fit are shifted
            mirrored = tuple(mirror(shift, columns.n_segments) for shift in shifts)
            others = [other for other, fit in zip(columns.targets, votes[column], strict=True) if fit < 0]
            guilty = {**{other: mirrored for other in others if other not in found}, **guilty}
    if columns.source is None and len(guilty) == len(columns.targets):  # a pair: nothing tells one from the other
        guilty = {column: shifts for column, shifts in guilty.items() if column.kind == "system"}
    return guilty


def fitting_no_other(columns: Columns, suspects: Mapping[CheckedColumn, Ints]) -> tuple[CheckedColumn, ...]:
    """Those of the suspects that most others do not fit in the lines in question."""
    if not suspects:
        return ()
    in_place = {column: (lines, np.full(len(lines), _NOWHERE)) for column, lines in suspects.items()}
    votes = _votes(columns.targets, in_place, columns.once(word_weights), is_relative=True)
    guilty = tuple(column for column in suspects if np.sign(votes[column]).sum() < 0)
    if len(guilty) == len(columns.targets):  # a pair
        guilty = tuple(column for column in guilty if column.kind == "system")
    return guilty


def mirror(shift: Shift, n_segments: int) -> Shift:
    """The same shift, as seen from the column that the shifted one was held against."""
    start, stop = shift.start - shift.amount, shift.stop - shift.amount
    return Shift(max(0, start), min(n_segments, stop), -shift.amount)


def _votes(
    voters: Sequence[CheckedColumn],
    suspects: Mapping[CheckedColumn, tuple[Ints, Ints]],
    weights: Floats,
    *,
    is_relative: bool = False,
) -> Votes:
    """How much better the lines of each suspect fit each voter as they stand than as put right, (V,); 0 for itself.

    Without a place where they belong, they are held against what unrelated lines of the same two columns share: texts
    of few words share many of them by chance.
    """
    chosen = {column: _even_choice(*places) for column, places in suspects.items()}
    sides = {column: side(column, weights) for column in chosen}
    votes = {column: np.zeros(len(voters)) for column in suspects}
    for index, voter in enumerate(voters):
        own = side(voter, weights)
        for column, (lines, homes) in chosen.items():
            if column is not voter:
                model = WordModel.of(sides[column], own) if is_relative else WordModel()
                taken = sides[column].take(lines)
                there = evidence_at(taken, own.take(homes), model, 0) * (homes != _NOWHERE)
                votes[column][index] = (evidence_at(taken, own.take(lines), model, 0) - there).sum()
    return votes


def _places(shifts: tuple[Shift, ...], n_segments: int) -> tuple[Ints, Ints]:
    """The shifted lines, and the lines where they belong."""
    lines = np.concatenate([np.arange(shift.start, shift.stop) for shift in shifts])
    homes = np.concatenate([np.arange(shift.start, shift.stop) - shift.amount for shift in shifts])
    inside = (homes >= 0) & (homes < n_segments)
    return lines[inside], homes[inside]


def _even_choice(lines: Ints, homes: Ints) -> tuple[Ints, Ints]:
    step = -(-len(lines) // _MAX_LINES) or 1
    return lines[::step], homes[::step]
