"""How wide characters stand, and from which side: two columns in East Asia, none for those set onto others."""

import re
import unicodedata
from collections.abc import Iterable
from itertools import accumulate, takewhile

FROM_THE_RIGHT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
"""Letters of Hebrew, Arabic and their neighbours."""


def n_columns(text: str) -> int:
    """How many columns a text takes where all letters are equally wide."""
    return len(text) if text.isascii() else sum(map(_width, text))


def first_columns(text: str, most: int) -> str:
    """As much of the beginning as takes no more columns."""
    return text[: max(0, most) if text.isascii() else _n_fitting(text, most)]


def last_columns(text: str, most: int) -> str:
    """As much of the end as takes no more columns."""
    return text[len(text) - _n_fitting(reversed(text), most) :]


def _n_fitting(characters: Iterable[str], most: int) -> int:
    """How many characters fit; no more of them are looked at."""
    return sum(1 for _ in takewhile(lambda taken: taken <= most, accumulate(map(_width, characters))))


def _width(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1
