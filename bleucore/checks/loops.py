"""Words, or letters, that a text says over and over in a row."""

import re

import numpy as np

from bleucore.checks.compared_texts import Bools, CheckedColumn, Columns, found
from bleucore.checks.words import WordIds, Words
from bleucore.counts import Ints

_LONGEST_UNIT = 50
_LONG_UNIT, _LEAST_REPEATS_OF_LONG = 3, 3

_LEAST_LETTERS = 24
_LONGEST_LETTER_UNIT = 8
_MAX_LETTERS = 20_000
_THRICE = re.compile(rf"(?s)(.{{1,{_LONGEST_LETTER_UNIT}}}?)\1\1")
_MAY_LOOP = (
    rf"[!-~\x{{A1}}-\x{{52F}}]{{{_LEAST_LETTERS},}}"
    rf"|[ -/:-@\[-`{{-~\x{{2010}}-\x{{206F}}\x{{2500}}-\x{{257F}}\x{{3000}}-\x{{3003}}\x{{FF01}}-\x{{FF0F}}]"
    rf"{{{_LEAST_LETTERS},}}"
)
"""Long runs without a blank in scripts with blanks, or of punctuation: all that letters over and over can be in."""


def looping(columns: Columns) -> Bools:
    """Whether each output repeats words over and over, (K, S)."""
    may_loop = columns.matches(columns.systems, _MAY_LOOP)
    return np.stack([has_loop(column, may) for column, may in zip(columns.systems, may_loop, strict=True)])


def has_loop(
    column: CheckedColumn, may_loop: Bools | None = None, *, least_repeats: int = 5, least_doubled: int = 8
) -> Bools:
    """Whether a text repeats so many times in a row the same one or two words, (S,).

    Or three times the same three words or more; or, over a stretch of ``_LEAST_LETTERS``, the same few characters;
    or all of itself, of so many words, twice. Where a word is two characters, the last one of what is repeated reaches
    into what follows, and is not asked about. Characters are asked about in the texts that ``may_loop``, if known.
    """
    words, overlap = column.words, 0 if column.surface.has_blanks else 1
    segments = words.segments
    looping = _is_doubled(words, least_doubled, overlap)
    for unit in range(1, _LONGEST_UNIT + 1):
        repeats = least_repeats if unit < _LONG_UNIT else min(least_repeats, _LEAST_REPEATS_OF_LONG)
        n_equal = (repeats - 1) * unit - overlap
        if n_equal >= 2 * unit and not _has_three_alike(words.ids[::unit]):
            continue
        starts = _run_starts(words.ids[unit:] == words.ids[:-unit], n_equal)
        looping[segments[starts[segments[starts] == segments[starts + n_equal + unit - 1]]]] = True
    candidates = found(column.trimmed, _MAY_LOOP) if may_loop is None else may_loop
    for index in np.flatnonzero(candidates & ~looping).tolist():
        looping[index] = _letters_loop(column.texts[index] or "")
    return looping


def _has_three_alike(ids: WordIds) -> bool:
    """Whether three in a row are equal: of every n-th word, what any n words said three times over have."""
    same = ids[1:] == ids[:-1]
    return bool((same[1:] & same[:-1]).any())


def _run_starts(claims: Bools, length: int) -> Ints:
    """Where at least so many claims in a row begin to hold, once for every place where so many follow."""
    places = np.flatnonzero(claims)
    if len(places) < length:
        return places[:0]
    starts: Ints = places[: len(places) - length + 1]
    followed: Ints = starts[places[length - 1 :] - starts == length - 1]
    return followed


def _is_doubled(words: Words, least_words: int, overlap: int) -> Bools:
    """Whether the second half of the words, but so many at its end, is the first once more, (S,)."""
    sums = np.concatenate([[0], np.cumsum(words.ids, dtype=np.int64)])
    first, last = words.offsets[:-1], words.offsets[1:]
    middle = (first + last) // 2
    n_words = last - first
    doubled: Bools = (n_words % 2 == 0) & (n_words >= least_words)
    doubled &= sums[middle - overlap * doubled] - sums[first] == sums[last - overlap * doubled] - sums[middle]
    for index in np.flatnonzero(doubled):
        ends = middle[index] - overlap, last[index] - overlap
        halves = words.ids[first[index] : ends[0]], words.ids[middle[index] : ends[1]]
        doubled[index] = np.array_equal(*halves)
    return doubled


def _letters_loop(text: str) -> bool:
    """Whether a stretch of the text repeats the same few characters, white space aside."""
    joined = "".join(text[:_MAX_LETTERS].split())
    if not _THRICE.search(joined):
        return False
    letters = np.frombuffer(joined.encode("utf-32-le"), np.uint32)
    return any(
        len(_run_starts(letters[unit:] == letters[:-unit], _LEAST_LETTERS - unit))
        for unit in range(1, min(_LONGEST_LETTER_UNIT, len(letters) - 1) + 1)
    )
