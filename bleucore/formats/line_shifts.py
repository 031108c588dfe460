"""Where a column with lines too many or too few begins to slip against the others."""

import math
import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_WORD = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|\w+")
_LINE_CHARACTERS = 400
_MAX_LINES, _MAX_SHIFT = 60_000, 1_000
_MIN_LINES = 3
_MAX_YARDSTICKS = 3
_CLEAR = 0.1
"""By how much lines have to fit better before the place than behind it, as a mean share of their words."""

Lines = Sequence[str | None]


def slip_words(column: Lines, yardsticks: Sequence[Lines], *, first_line: int = 1) -> str:
    """Where a column seems to slip, in a sentence with a blank behind it; "" where its words do not tell.

    Args:
        column: As of ``first_shifted_line``.
        yardsticks: The same; the first few are looked at.
        first_line: The number of its first line.
    """
    line = first_shifted_line(column, yardsticks[:_MAX_YARDSTICKS])
    if line is None:
        return ""
    if line > len(column):
        return "Its lines look right up to the end, where some are missing. "
    return f"The first line that looks shifted is {first_line - 1 + line:,}. "


def first_shifted_line(column: Lines, yardsticks: Sequence[Lines]) -> int | None:
    """The number, from 1, of the first line that belongs to another line of texts of the same language.

    All lines missing or added are taken to lie in one place: before it line i belongs to line i, behind it to line
    i - shift. That place is the one where most words agree; rare words weigh more (inverse document frequency).

    Args:
        column: The lines of which there are too many or too few.
        yardsticks: Texts with the right number of lines, all of the same number.

    Returns:
        One more than there are lines where only the end is missing; ``None`` where the words do not say it clearly.
    """
    n_lines = len(yardsticks[0]) if yardsticks else 0
    shift = len(column) - n_lines
    if not 0 < abs(shift) <= _MAX_SHIFT or not _MIN_LINES <= min(len(column), n_lines) <= _MAX_LINES:
        return None
    gains = np.zeros(n_lines)
    ours = [_words(line) for line in column]
    for yardstick in yardsticks:
        theirs = [_words(line) for line in yardstick]
        n_with = Counter(word for words in theirs for word in words)
        weights = {word: math.log(1 + n_lines / number) for word, number in n_with.items()}
        for index, words in enumerate(theirs):
            straight = _shared(ours[index], words, weights) if index < len(ours) else 0.0
            shifted = _shared(ours[index + shift], words, weights) if 0 <= index + shift < len(ours) else 0.0
            gains[index] += (straight - shifted) / len(yardsticks)
    sums = np.concatenate([[0.0], np.cumsum(gains)])
    place = _first_place(sums, max(-shift, 0))
    before, behind = sums[place], sums[place] - sums[-1]
    n_behind = n_lines - place
    is_clear_before = place < _MIN_LINES or before >= _CLEAR * place
    is_clear_behind = n_behind <= max(-shift, 0) or (n_behind >= _MIN_LINES and behind >= _CLEAR * n_behind)
    if not (is_clear_before and is_clear_behind):
        return None
    return min(place, len(column)) + 1


def _first_place(sums: NDArray[np.float64], n_missing: int) -> int:
    """Where the sums are highest; of places among the missing lines, which chance tells apart, the first."""
    best = int(np.argmax(sums))
    near = range(max(best - n_missing, 0), best)
    return next((place for place in near if sums[place] >= sums[best] - _CLEAR * (best - place)), best)


def _words(line: str | None) -> frozenset[str]:
    return frozenset(word.casefold() for word in _WORD.findall((line or "")[:_LINE_CHARACTERS]))


def _shared(ours: frozenset[str], theirs: frozenset[str], weights: dict[str, float]) -> float:
    """The share of the words of both that they have in common, by weight; a word of ours alone weighs 1."""
    total = sum(weights.get(word, 1.0) for word in ours | theirs)
    return sum(weights[word] for word in ours & theirs) / total if total else 0.0
