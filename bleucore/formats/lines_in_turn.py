"""Texts in which source, reference and outputs of a segment follow each other line by line -> columns."""

from collections.abc import Sequence
from itertools import pairwise

from bleucore.errors import InputError
from bleucore.formats import decoding
from bleucore.formats.columns import Column
from bleucore.formats.likeness import words_in
from bleucore.formats.line_reading import LineFormat, column_of, lines_in

_LEAST_SEGMENTS, _MOST_IN_TURN = 4, 8
LIKE, _UNLIKE, _MOST_TIMES = 0.25, 0.5, 0.9
_FEW_SEGMENTS, _LIKE_OF_FEW = 20, 0.4
"""Of fewer, a text can have like lines there by chance: these have to be liker, and liker than all others."""
_LIKER = 1.1
SOURCE, REFERENCE = "line 1 in turn", "line 2 in turn"


def shares_with_next(lines: Sequence[str]) -> list[float]:
    """How much each line is like the next: 2 * words in both / words in each."""
    words = [set(words_in(line)) for line in lines]
    return [2 * len(one & other) / (len(one) + len(other)) if one or other else 0.0 for one, other in pairwise(words)]


def liker(inside: Sequence[float], across: Sequence[float]) -> bool:
    """Whether texts of one item are more like each other than those of different items, as of one speaker they are not.

    Args:
        inside: Shares between texts of the same item.
        across: Shares between first texts of items that follow each other.
    """
    return sum(inside) * len(across) >= _LIKER * sum(across) * len(inside)


def _in_turn(lines: Sequence[str]) -> int | None:
    """How many lines a segment has: a source unlike its neighbours, and others that are like each other.

    ``None`` for lines of any other kind.
    """
    shares = shares_with_next(lines)
    for number in range(3, _MOST_IN_TURN + 1):
        n_segments = len(lines) // number
        if n_segments < _LEAST_SEGMENTS:
            return None
        inside = [shares[place] for place in range(n_segments * number - 1) if place % number not in (0, number - 1)]
        across = [shares[place] for place in range(n_segments * number - 1) if place % number in (0, number - 1)]
        mean, other = sum(inside) / len(inside), sum(across) / len(across)
        is_higher = sum(share > other for share in inside) >= _MOST_TIMES * len(inside)
        if n_segments < _FEW_SEGMENTS:
            is_higher = mean >= _LIKE_OF_FEW and min(inside) > max(across)
        if mean >= LIKE and other < _UNLIKE * mean and is_higher:
            return number
    return None


def _is_in_turn(head: str) -> bool:
    return _in_turn(lines_in(head)) is not None


def _columns(file: str, text: str) -> Sequence[Column]:
    lines = [line for line in decoding.lines_of(file, text) if line.strip()]
    number = _in_turn(lines_in("\n".join(lines[:400]))) or 3
    if len(lines) % number:
        raise InputError(
            "the last segment lacks a line",
            where=file,
            line=len(lines),
            found=f"{len(lines):,} lines",
            expected=f"{number} lines for each segment: source, reference and output",
            remedy="Add the line, or write each text to a file of its own.",
        )
    said = f"{file}: {number} lines are one segment; read as source, reference and output in turn."
    columns = [
        column_of(file, lines[::number], None, said, name=SOURCE, role="source"),
        column_of(file, lines[1::number], None, said, name=REFERENCE, role="reference"),
    ]
    for place in range(2, number):
        called = "" if number == 3 else f"output {place - 1}"  # noqa: PLR2004  # one output, called as its file
        columns.append(column_of(file, lines[place::number], None, said, name=called, role="hypothesis"))
    return columns


LINES_IN_TURN = (LineFormat("lines in turn", _is_in_turn, _columns),)
