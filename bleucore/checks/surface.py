"""What the texts of a column are written with: signs, numbers, letters with marks; a few bytes for each."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import repeat
from typing import TypeAlias
from unicodedata import digit

import numpy as np
from numpy.typing import NDArray

from bleucore.checks.alphabet import (
    ACCENT,
    DIGIT,
    NO_WORD,
    PUNCTUATION,
    UNSPACED,
    CodePoints,
    Traits,
    base_letters,
    plain_letters,
    plane,
)
from bleucore.checks.words import N_WORD_IDS, WordIds, word_starts
from bleucore.counts import Ints

Hashes: TypeAlias = NDArray[np.uint64]

_BASE, _MULTIPLIER = np.uint64(0x100000001B3), np.uint64(0x9E3779B97F4A7C15)
_LONGEST = 64
"""Digits of a number, and letters of a word, that are told apart."""

_MOSTLY = 0.5
_NO_WORDS: WordIds = np.zeros(0, np.uint32)


@dataclass(frozen=True, eq=False)
class Surface:
    """What S texts are written with.

    Attributes:
        traits: (S,), all that is true of any character of a text, see ``alphabet``.
        n_marks: (S,), how many marks of punctuation a text has.
        numbers: (S,), equal for texts with the same numbers in any order; 0 without any.
        has_blanks: Whether most of what is written is in scripts with blanks between words.
    """

    traits: Traits
    n_marks: Ints
    numbers: Hashes
    has_blanks: bool

    @classmethod
    def of(cls, characters: CodePoints) -> "Surface":
        """From the characters."""
        traits = characters.of_texts(characters.traits)
        n_marks = np.diff(np.searchsorted(np.flatnonzero((characters.traits & PUNCTUATION) != 0), characters.offsets))
        n_unspaced, n_characters = ((characters.kinds == UNSPACED).sum(), (characters.kinds != NO_WORD).sum())
        return cls(traits, n_marks, _numbers(characters), bool(n_unspaced <= _MOSTLY * n_characters))


@dataclass(frozen=True, eq=False)
class Spelling:
    """The words of a column in full, as ``Words`` has their beginnings.

    Attributes:
        wholes: A number for each word, with its marks.
        unmarked: A number for each word that has letters with marks, as it would be without them.
    """

    wholes: WordIds
    unmarked: WordIds

    @classmethod
    def of(cls, texts: Sequence[str | None]) -> "Spelling":
        """From the texts."""
        characters = CodePoints.of(texts)
        starts = word_starts(characters)
        return cls(*_whole_words(characters, starts)) if len(starts) else cls(_NO_WORDS, _NO_WORDS)


def _whole_words(characters: CodePoints, starts: Ints) -> tuple[WordIds, WordIds]:
    """A number for each word, and one for each that has letters with marks as it would be without."""
    lengths = np.diff(starts, append=len(characters.values))
    ranks = np.arange(starts[0], len(characters.values)) - np.repeat(starts, lengths)
    values = characters.values[starts[0] :]
    powers = _powers()[np.minimum(ranks, _LONGEST - 1)] * (characters.kinds[starts[0] :] != NO_WORD)
    hashes = np.add.reduceat(plain_letters()[values] * powers, starts - starts[0])
    marked = np.flatnonzero((characters.traits[starts[0] :] & ACCENT > 0) & (powers > 0))
    of_words, first = np.unique(np.searchsorted(starts, marked + starts[0], "right") - 1, return_index=True)
    if not len(marked):
        return _shortened(hashes), _NO_WORDS
    letters = base_letters()[values[marked]].astype(np.uint64) - plain_letters()[values[marked]]
    return _shortened(hashes), _shortened(hashes[of_words] + np.add.reduceat(letters * powers[marked], first))


def _shortened(hashes: Hashes) -> WordIds:
    mixed = (hashes ^ (hashes >> np.uint64(29))) * _MULTIPLIER
    return (mixed >> np.uint64(29)).astype(np.uint32) & np.uint32(N_WORD_IDS - 1)


@cache
def _powers() -> Hashes:
    return np.cumprod(np.full(_LONGEST, _BASE), dtype=np.uint64)


def _numbers(characters: CodePoints) -> Hashes:
    """The sums of a hash of each number of a text."""
    sums = np.zeros(len(characters.offsets) - 1, np.uint64)
    places = np.flatnonzero((characters.traits & DIGIT) != 0)  # of claims, found in a fraction of the time
    if not len(places):
        return sums
    starts = np.flatnonzero(np.diff(places, prepend=-2) != 1)
    ranks = np.minimum(np.arange(len(places)) - np.repeat(starts, np.diff(starts, append=len(places))), _LONGEST - 1)
    hashes = np.add.reduceat((_digits()[characters.values[places]] + np.uint64(1)) * _powers()[ranks], starts)
    mixed = (hashes ^ (hashes >> np.uint64(29))) * _MULTIPLIER
    np.add.at(sums, np.searchsorted(characters.offsets, places[starts], "right") - 1, mixed)
    return sums


@cache
def _digits() -> Hashes:
    """The value of each character that is a digit."""
    return np.array([*map(digit, plane(), repeat(0)), 0], np.uint64)
