"""The text in another language than all others, as their words and letters tell."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from bleucore.formats.columns import Column
from bleucore.formats.likeness import Likeness, script_of, words_in
from bleucore.formats.other_columns import words_of_column

_MIN_TEXTS, _MOST_LINES, _FEW_LINES = 3, 1_000, 5
_LIKE_LINE, _SOME_LINES = 0.6, 0.05
_SAME_LANGUAGE, _OTHER_TEXT, _OTHER_LANGUAGE = 0.72, 0.2, 0.6
"""Likeness of texts, as measured in ``roles``."""


def foreign_text(columns: Sequence[Column], texts: Sequence[int], alike: Likeness) -> int | None:
    """The only text in another script than all others, or unlike all others, which are like each other."""
    scripts = {index: script for index in texts if (script := script_of(columns[index])) is not None}
    texts = list(scripts)
    if len(scripts) >= _MIN_TEXTS:
        times = Counter(scripts.values())
        alone = [index for index, script in scripts.items() if times[script] == 1]
        if len(alone) == 1 and len(times) == 2:  # noqa: PLR2004  # its script and that of all others
            return alone[0]
    typical = {index: median(shares.tolist()) for index in texts if len(shares := alike.of(index, texts))}
    if len(typical) < _MIN_TEXTS:
        return None
    index, second = sorted(typical, key=typical.__getitem__)[:2]
    is_clear = typical[second] > _OTHER_TEXT and typical[index] < _OTHER_LANGUAGE * typical[second]
    return index if is_clear and is_of_other_language(columns[index], columns[second]) else None


def is_of_other_language(column: Column, other: Column) -> bool:
    """Whether the letters of two texts follow each other as in two languages, whatever the texts say.

    Texts of one language in another order, of another test set or full of refusals share most of their common pairs of
    letters.
    """
    is_repeated = 3 * len(words_of_column(column)) < len(words_of_column(other))
    if is_repeated or _has_common_lines(column, other):
        return False  # the same answer again and again, or some lines in the words of the other
    own, others = _pairs_of_letters(column), _pairs_of_letters(other)
    shared = sum((own & others).values())
    return shared < _SAME_LANGUAGE * min(own.total(), others.total())


def _has_common_lines(column: Column, other: Column) -> bool:
    """Whether some lines of several words have most words in common, as those of two languages have not."""
    pairs = list(zip(column.segments, other.segments, strict=False))[:_MOST_LINES]
    words = [(set(words_in(first)), set(words_in(second))) for first, second in pairs]
    long = [(own, others) for own, others in words if min(len(own), len(others)) >= _FEW_LINES]
    common = sum(2 * len(own & others) > _LIKE_LINE * (len(own) + len(others)) for own, others in long)
    return common > _SOME_LINES * max(1, len(long))


def _pairs_of_letters(column: Column) -> Counter[str]:
    """How often, in 10,000, each pair of letters stands in a text."""
    text = " ".join((segment or "").casefold() for segment in column.segments[:_MOST_LINES])
    times = Counter(first + second for first, second in pairwise(text))
    kept = {pair: number for pair, number in times.items() if all(char.isalpha() or char == " " for char in pair)}
    total = max(1, sum(kept.values()))
    return Counter({pair: round(10_000 * number / total) for pair, number in kept.items()})
