"""What texts would be without a fault, as far as that can be derived: for the cost of a finding, and nothing else."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import TypeAlias

import numpy as np

from bleucore.checks.compared_texts import Bools, CheckedColumn
from bleucore.checks.findings import Repair
from bleucore.counts import read_only

Fix: TypeAlias = Callable[[str], str | None]
"""A faulty text -> the text without the fault; ``None`` where nobody can tell what it would be."""


def fixed(column: CheckedColumn, flagged: Bools, fix: Fix, known: Mapping[int, str] | None = None) -> Repair | None:
    """The flagged texts (S,), each without its fault; ``known`` are texts that a check has found without it."""
    texts: dict[int, str] = {}
    segments = np.flatnonzero(flagged).tolist()
    for segment in segments:
        text = column.texts[segment] or ""
        repaired = fix(text)
        if repaired is None or repaired == text:
            repaired = None if known is None else known.get(segment)
        if repaired is not None and repaired != text:
            texts[segment] = repaired
    return _repair(texts, is_whole=len(texts) == len(segments))


def moved_back(column: CheckedColumn, homes: Mapping[int, int]) -> Repair | None:
    """Each line at its home; a line whose own text is nowhere is empty, and the repair not whole then.

    Two lines with one home both stay where they are.
    """
    claims = Counter(homes.values())
    moves = {line: home for line, home in homes.items() if claims[home] == 1 and 0 <= home < len(column.texts)}
    texts = dict.fromkeys(moves, "") | {home: column.texts[line] or "" for line, home in moves.items()}
    return _repair(texts, is_whole=len(moves) == len(homes) and set(moves) == set(moves.values()))


def exchanged(one: CheckedColumn, other: CheckedColumn) -> Repair:
    """All texts of one column those of the other, which takes its place."""
    texts = {segment: text or "" for segment, text in enumerate(other.texts)}
    repair = _repair(texts, is_whole=True, exchanged_with=other.index)
    if repair is None:
        raise ValueError(f"{one.title} has no texts")
    return repair


def _repair(texts: Mapping[int, str], *, is_whole: bool, exchanged_with: int | None = None) -> Repair | None:
    if not texts:
        return None
    segments = sorted(texts)
    return Repair(
        read_only(np.array(segments, np.int64)),
        tuple(texts[segment] for segment in segments),
        is_whole=is_whole,
        exchanged_with=exchanged_with,
    )
