"""Code points of texts and what they are: parts of words, letters of which script, signs that checks look for."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import TypeAlias
from unicodedata import category, normalize

import numpy as np
import regex
from numpy.typing import NDArray

from bleucore.checks.homoglyphs import LATIN_OF
from bleucore.counts import Ints
from bleucore.tokens.writing import SINGLY

Bytes: TypeAlias = NDArray[np.uint8]

NO_WORD, SPACED, UNSPACED = 0, 1, 2
"""Kinds of characters: not part of a word; part of one; ``SINGLY``."""

Traits: TypeAlias = NDArray[np.uint64]

CAPITAL, SMALL, ACCENT, PUNCTUATION, DIGIT = (1 << bit for bit in range(5))
INVISIBLE, FULL_WIDTH, CONTROL, LATIN, LIKE_LATIN, ANGLE = (1 << bit for bit in range(5, 11))
"""What a character can be, besides a letter of a script: bits of ``CodePoints.traits``.

``ACCENT``: what loses a mark when it is decomposed; ``LIKE_LATIN``: a letter of a script that has letters which look
like Latin ones; ``CONTROL``: what no text should hold, apart from white space, line ends among it.
"""

NOT_LATIN, MARK, MISREAD_FIRST, MISREAD_REST = (1 << bit for bit in range(11, 15))
"""What a regular expression needs, told by a table: letters beyond the Latin alphabet; marks that follow their letter;
the first character of a letter that was decoded as Latin-1, and those behind it."""

SIGNS = (*"#@▁_%\\&`~*{(<⁇\n\t|[【-", "'’", "ĠĊ", ":：", "，。、！？；：")
"""Signs that regular expressions need, each or each group a bit of ``CodePoints.traits`` from ``_FIRST_SIGN`` on."""

_FIRST_SIGN = 16

_INVISIBLE = (
    *(0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180E, 0x3164, 0xFFA0),
    *(*range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070)),
)
_CONTROL = (*range(9), *range(0xA, 0x20), *range(0x7F, 0xA0), 0x2028, 0x2029, 0xFEFF, 0xFFFD)
_FULL_WIDTH = (*range(0xFF10, 0xFF1A), *range(0xFF21, 0xFF3B), *range(0xFF41, 0xFF5B))
_LATIN_UP_TO, _NEITHER = 0x2B0, (*range(0x2000, 0x2070), *range(0x20A0, 0x20D0))
_MARKS = (*range(0x300, 0x345), 0x3099, 0x309A, *range(0x1161, 0x1176))
_FIRST_OF_MISREAD = tuple(map(ord, "ÃÂâïÐÑãäåæçèéðÄÅ"))
_REST_OF_MISREAD = (*range(0x80, 0xC0), *map(ord, "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ\ufffd¸"))
_LIKE_LATIN = ("Greek", "Cyrillic", "Armenian", "Cherokee")

_OF_CATEGORY = {"Lu": CAPITAL, "Lt": CAPITAL, "Ll": SMALL, "Nd": DIGIT}
_MARK = "Mn"

_PLANE, _BLOCK = 1 << 16, 1 << 14
_LOWERED = 0x600
"""Latin, Greek, Cyrillic and Armenian letters with a lower case lie below."""

_SCRIPT_RANGES = (
    (0x0041, "Latin"),
    (0x0370, "Greek"),
    (0x0400, "Cyrillic"),
    (0x0530, "Armenian"),
    (0x0590, "Hebrew"),
    (0x0600, "Arabic"),
    (0x0700, "Syriac"),
    (0x0750, "Arabic"),
    (0x0780, "Thaana"),
    (0x07C0, "Nko"),
    (0x0800, "Samaritan"),
    (0x0860, "Arabic"),
    (0x0900, "Devanagari"),
    (0x0980, "Bengali"),
    (0x0A00, "Gurmukhi"),
    (0x0A80, "Gujarati"),
    (0x0B00, "Oriya"),
    (0x0B80, "Tamil"),
    (0x0C00, "Telugu"),
    (0x0C80, "Kannada"),
    (0x0D00, "Malayalam"),
    (0x0D80, "Sinhala"),
    (0x0E00, "Thai"),
    (0x0E80, "Lao"),
    (0x0F00, "Tibetan"),
    (0x1000, "Myanmar"),
    (0x10A0, "Georgian"),
    (0x1100, "Hangul"),
    (0x1200, "Ethiopic"),
    (0x13A0, "Cherokee"),
    (0x1400, "Canadian_Aboriginal"),
    (0x1680, "other"),
    (0x1780, "Khmer"),
    (0x1800, "Mongolian"),
    (0x18B0, "other"),
    (0x1C80, "Cyrillic"),
    (0x1C90, "Georgian"),
    (0x1CC0, "other"),
    (0x1D00, "Latin"),
    (0x1F00, "Greek"),
    (0x2000, "Latin"),
    (0x2C00, "other"),
    (0x2C60, "Latin"),
    (0x2C80, "other"),
    (0x2D00, "Georgian"),
    (0x2D30, "Tifinagh"),
    (0x2D80, "Ethiopic"),
    (0x2DE0, "Cyrillic"),
    (0x2E80, "Han"),
    (0x3040, "kana"),
    (0x3100, "Han"),
    (0x3130, "Hangul"),
    (0x3190, "Han"),
    (0x31F0, "kana"),
    (0x3200, "Han"),
    (0xA000, "other"),
    (0xA640, "Cyrillic"),
    (0xA6A0, "other"),
    (0xA720, "Latin"),
    (0xA800, "other"),
    (0xA8E0, "Devanagari"),
    (0xA900, "other"),
    (0xA960, "Hangul"),
    (0xA980, "other"),
    (0xAB30, "Latin"),
    (0xAB70, "Cherokee"),
    (0xABC0, "other"),
    (0xAC00, "Hangul"),
    (0xD800, "other"),
    (0xF900, "Han"),
    (0xFB00, "Latin"),
    (0xFB07, "other"),
    (0xFB1D, "Hebrew"),
    (0xFB50, "Arabic"),
    (0xFE00, "other"),
    (0xFE70, "Arabic"),
    (0xFF00, "Latin"),
    (0xFF66, "kana"),
    (0xFFA0, "Hangul"),
    (0xFFE0, "other"),
)
"""Where the letters of each script begin, up to the next entry (Unicode 16, Blocks.txt, neighbours put together)."""

SCRIPTS = ("", *dict.fromkeys(name for _, name in _SCRIPT_RANGES))
"""Unicode names by code, but for kana and other; code 0 is what is no letter."""

LATIN_SCRIPT, HAN, KANA = (SCRIPTS.index(name) for name in ("Latin", "Han", "kana"))


@dataclass(frozen=True, eq=False)
class CodePoints:
    """The characters of texts laid end to end, with one line feed after each text.

    Attributes:
        values: (N,), below 0xFFFF as they are, all others as 0x10000: an index into a table of one plane.
        offsets: (S + 1,), where each text begins.
    """

    values: NDArray[np.uint32]
    offsets: Ints

    @classmethod
    def of(cls, texts: Sequence[str | None]) -> "CodePoints":
        """The characters of the texts; a missing text has none."""
        filled = [text or "" for text in texts]
        values = np.frombuffer("\n".join([*filled, ""]).encode("utf-32-le"), np.uint32)
        lengths = np.fromiter(map(len, filled), np.int64, len(filled))
        return cls(np.minimum(values, _PLANE), np.concatenate([[0], np.cumsum(lengths + 1)]))

    @cached_property
    def kinds(self) -> Bytes:
        """NO_WORD, SPACED or UNSPACED of each character, (N,)."""
        return _kinds()[self.values]

    @cached_property
    def scripts(self) -> Bytes:
        """The index into ``SCRIPTS`` of each character, (N,)."""
        return _script_codes()[self.values]

    @cached_property
    def traits(self) -> Traits:
        """All that is true of each character, (N,)."""
        return _traits()[self.values]

    def of_texts(self, traits: Traits) -> Traits:
        """All that is true of any character of each text, (S,); a line end stands between texts, and does not count."""
        values = traits.copy()
        values[self.offsets[1:] - 1] = 0
        found: Traits = np.bitwise_or.reduceat(values, self.offsets[:-1]) if len(values) else values
        return found

    def letters(self) -> Ints:
        """Letters of each script in all texts together, by code; 0 for code 0."""
        totals = np.zeros(len(SCRIPTS), np.int64)
        for first in range(0, len(self.values), _BLOCK):
            totals += np.bincount(self.scripts[first : first + _BLOCK], minlength=len(SCRIPTS))
        totals[0] = 0
        return totals

    def sums(self, claims: NDArray[np.bool_]) -> Ints:
        """In how many characters of each text the claim (N,) holds, (S,)."""
        running = np.concatenate([[0], np.cumsum(claims, dtype=np.int64)])
        return np.diff(running[self.offsets])


def any_sign(signs: str) -> int:
    """The bits of ``CodePoints.traits`` of which a text with one of these signs has at least one."""
    return sum(1 << bit for bit, group in enumerate(SIGNS, start=_FIRST_SIGN) if not set(group).isdisjoint(signs))


@cache
def plane() -> str:
    """The characters of the first plane, in order."""
    return "".join(map(chr, range(_PLANE)))


@cache
def _categories() -> list[str]:
    return [*map(category, plane())]


@cache
def _kinds() -> Bytes:
    kinds = np.full(_PLANE + 1, UNSPACED, np.uint8)
    kinds[:_PLANE] = [kind[0] in "LNM" for kind in _categories()]
    for match in regex.finditer(f"(?:{SINGLY})+", plane()):
        kinds[slice(*match.span())] *= UNSPACED
    return kinds


@cache
def _script_codes() -> Bytes:
    codes = np.zeros(_PLANE + 1, np.uint8)
    stops = [start for start, _ in _SCRIPT_RANGES[1:]] + [_PLANE]
    for (start, name), stop in zip(_SCRIPT_RANGES, stops, strict=True):
        codes[start:stop] = SCRIPTS.index(name)
    codes[:_PLANE] *= np.fromiter(map(str.isalpha, plane()), np.bool_, _PLANE)
    return codes


@cache
def _traits() -> Traits:
    traits = np.zeros(_PLANE + 1, np.uint64)
    of_kinds = {kind: PUNCTUATION if kind[0] == "P" else _OF_CATEGORY.get(kind, 0) for kind in set(_categories())}
    traits[:_PLANE] = [of_kinds[kind] for kind in _categories()]
    marks = {character for character, kind in zip(plane(), _categories(), strict=True) if kind == _MARK}
    decomposed = enumerate(map(partial(normalize, "NFD"), plane()))
    with_marks = [code for code, parts in decomposed if len(parts) > 1 and not marks.isdisjoint(parts[1:])]
    traits[[*map(ord, marks), *with_marks]] |= ACCENT
    for codes, trait in ((_INVISIBLE, INVISIBLE), (_CONTROL, CONTROL), (_FULL_WIDTH, FULL_WIDTH), ((0x3C,), ANGLE)):
        traits[list(codes)] |= trait
    for codes, trait in ((_MARKS, MARK), (_FIRST_OF_MISREAD, MISREAD_FIRST), (_REST_OF_MISREAD, MISREAD_REST)):
        traits[list(codes)] |= trait
    beyond = np.arange(_PLANE + 1) >= _LATIN_UP_TO
    beyond[list(_NEITHER)] = False
    beyond[ord("µ")] = True
    traits[beyond] |= NOT_LATIN
    for bit, signs in enumerate(SIGNS, start=_FIRST_SIGN):
        traits[[*map(ord, signs)]] |= np.uint64(1 << bit)
    scripts = _script_codes()
    traits[scripts == SCRIPTS.index("Latin")] |= LATIN
    traits[np.isin(scripts, [SCRIPTS.index(name) for name in _LIKE_LATIN])] |= LIKE_LATIN
    return traits


@cache
def base_letters() -> NDArray[np.uint32]:
    """Each character without its marks, in lower case; itself where there is no such single character."""
    bases = plain_letters().copy()
    for code in np.flatnonzero(_traits() & ACCENT).tolist():
        if (base := normalize("NFD", chr(code))[0]) != chr(code):
            bases[code] = bases[ord(base)]
    return bases


@cache
def plain_letters() -> NDArray[np.uint32]:
    """Each character in lower case, where that is one character too, in the usual width, as the Latin one it is like.

    Words that differ in nothing else are the same.
    """
    lowered = np.arange(_PLANE + 1, dtype=np.uint32)
    for code in range(_LOWERED):
        if len(lower := chr(code).lower()) == 1:
            lowered[code] = ord(lower)
    for code, letter in LATIN_OF.items():
        lowered[code] = lowered[ord(letter)]
    for code in _FULL_WIDTH:
        lowered[code] = lowered[code - 0xFEE0]
    return lowered
