"""Numbers that differ from those of all other texts of a segment: changed, added or left out.

Each text is a multiset of numbers, written in digits of any script, without marks between their digits. Segment by
segment, the numbers of each text are read at most once.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import TypeAlias

import numpy as np

from bleucore.checks.compared_texts import Bools, CheckedColumn, Columns

Numbers: TypeAlias = dict[int, int]
"""How often each number stands in a text."""

Read: TypeAlias = Callable[[CheckedColumn], Numbers]
"""The numbers of one segment in a column."""

_NUMBER = re.compile(r"\d{1,3}(?:[.,'’\u00a0\u202f]\d{3})+(?!\d)|\d+")
_NOT_DIGIT = re.compile(r"\D")
_MAX_CHARACTERS, _MAX_DIGITS = 20_000, 30

_NEARLY_ALL_SYSTEMS, _HALF = 0.7, 0.5
"""Share of other systems that have a missing number which may stand in words, and any other."""

_FEW_OTHERS = 2
"""Other texts that tell what belongs into a segment."""

_SPELLED = frozenset((*range(21), 30, 40, 50, 60, 70, 80, 90, 100, 1000))
"""Numbers that may stand in words."""


def with_other_numbers(columns: Columns) -> Bools:
    """Which texts of ``columns.targets`` have other numbers than all texts beside them, (T, S)."""
    numbers = np.stack([column.surface.numbers for column in columns.all])
    n_systems, n_targets = len(columns.systems), len(columns.targets)
    flags = np.zeros((n_targets, columns.n_segments), np.bool_)
    present = np.stack([column.lengths > 0 for column in columns.targets])
    for index, (column, flagged) in enumerate(zip(columns.targets, flags, strict=True)):
        same = numbers == numbers[index]
        same[index] = False
        is_usual = same[n_systems if column.kind == "system" else 0 :].any(axis=0)
        is_usual |= ~present[index] | ~numbers.any(axis=0)
        flagged[:] = ~is_usual
    beside = [[other for other in columns.beside(column) if other is not column] for column in columns.targets]
    for segment in np.flatnonzero(flags.any(axis=0)).tolist():
        read = _reader(segment)
        for index in np.flatnonzero(flags[:, segment]).tolist():
            flags[index, segment] = _differ(columns.targets[index], beside[index], columns, segment, read)
    return flags


def _reader(segment: int) -> Read:
    """Reads the numbers of each column in this segment once."""
    return cache(lambda column: _numbers(column.texts[segment]))


def _differ(column: CheckedColumn, beside: Sequence[CheckedColumn], columns: Columns, segment: int, read: Read) -> bool:
    """Whether a number was changed, added or left out."""
    present = [other for other in beside if other.texts[segment] is not None]
    own = read(column)
    references = [read(one) for one in present if one.kind == "reference"]
    systems = [read(one) for one in present if one.kind == "system"]
    of_source = None if columns.source is None else read(columns.source)
    others = references + systems
    return (
        _are_changed(own, others, of_source or {})
        or _is_added(own, others, of_source, column, present, segment)
        or _is_left_out(own, references, systems, of_source)
    )


def _are_changed(own: Numbers, others: Sequence[Numbers], of_source: Numbers) -> bool:
    """Whether there is a number that nobody else has, and one less often than in the source or half of the others."""
    together = set(of_source).union(*others)
    if not own.keys() - together:
        return False
    return any(
        2 * sum(other.get(number, 0) > n_own for other in others)
        >= (1 if of_source.get(number, 0) > n_own else len(others))
        for number, n_own in ((number, own.get(number, 0)) for number in together)
    )


def _is_added(
    own: Numbers,
    others: Sequence[Numbers],
    of_source: Numbers | None,
    column: CheckedColumn,
    beside: Sequence[CheckedColumn],
    segment: int,
) -> bool:
    """Whether there is a number that nobody else has, and that stands for no word which all others have."""
    evidence = [*others, *([] if of_source is None else [of_source])]
    added = own.keys() - set().union(*evidence)
    if len(evidence) < _FEW_OTHERS or not added:
        return False
    if not added <= _SPELLED:
        return True
    return len(evidence) > _FEW_OTHERS and _has_all_words(column, beside, segment)


def _has_all_words(column: CheckedColumn, beside: Sequence[CheckedColumn], segment: int) -> bool:
    """Whether the text has all words that its references share, and the other systems that are asked."""
    shared: set[int] | None = None
    for other in beside:
        words = set(other.words.of(segment).tolist())
        shared = words if shared is None else shared & words
    return not (shared or set()) - set(column.words.of(segment).tolist())


def _is_left_out(
    own: Numbers, references: Sequence[Numbers], systems: Sequence[Numbers], of_source: Numbers | None
) -> bool:
    """Whether the source, all references and most systems have a number more often."""
    if len(references) + len(systems) + (of_source is not None) < _FEW_OTHERS:
        return False
    expected = of_source if of_source is not None else references[0] if references else systems[0]
    return any(
        all(one.get(number, 0) > n_own for one in references)
        and sum(one.get(number, 0) > n_own for one in systems)
        >= (_NEARLY_ALL_SYSTEMS if number in _SPELLED else _HALF) * len(systems)
        for number, n_own in ((number, own.get(number, 0)) for number in expected)
        if expected[number] > n_own
    )


def _numbers(text: str | None) -> Numbers:
    """How often each number stands in a text, without marks between their digits."""
    numbers: Numbers = {}
    for written in _NUMBER.findall((text or "")[:_MAX_CHARACTERS]):
        digits = written if written.isdecimal() else _NOT_DIGIT.sub("", written)
        number = int(digits[:_MAX_DIGITS])
        numbers[number] = numbers.get(number, 0) + 1
    return numbers
