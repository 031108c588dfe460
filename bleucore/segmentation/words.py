"""Words of a text for alignment: what is compared, and where a text may be cut."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bleucore.formats.likeness import script_of_texts

WITHOUT_SPACES = frozenset({"CJK", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN"})
"""Scripts that do not part words by spaces, as ``script_of_texts`` calls them."""
_WORD = re.compile(r"\w+|[^\w\s]")
_CHARACTER = re.compile(r"[0-9A-Za-z_]+|[^\s]")
_ENDS = frozenset(".!?…。！？।॥؟:;")
_CLOSING = frozenset("\"'”’»«)]}」』）】》")

AT_LINE_END, AT_SENTENCE_END, ELSEWHERE = 0, 1, 2
"""How well a place suits a cut, where several cost the same."""


@dataclass(frozen=True)
class Words:
    """The words of a text.

    Attributes:
        text: The text, lines joined.
        keys: N words, as they are compared: in small letters, punctuation apart.
        starts: N offsets of their first characters.
        suits: N + 1, how well a cut suits before each word and at the end: ``AT_LINE_END`` and so on; ``None`` where
            there can be none, inside of what no space parts.
    """

    text: str
    keys: tuple[str, ...]
    starts: tuple[int, ...]
    suits: tuple[int | None, ...]


def is_without_spaces(texts: Iterable[str | None]) -> bool:
    """Whether texts are in a script that does not part words by spaces, so that characters are aligned."""
    return script_of_texts(list(texts)) in WITHOUT_SPACES


def words_of(lines: Sequence[str], *, by_character: bool) -> Words:
    """The words of lines, joined by spaces; of scripts without spaces the characters, joined by nothing.

    Args:
        lines: A text.
        by_character: Whether characters are compared and cut.
    """
    ends: set[int] = set()
    pieces: list[str] = []
    length = 0
    for line in map(str.strip, lines):
        if not line:
            continue
        between = "" if not pieces or (by_character and not _are_latin(pieces[-1][-1], line[0])) else " "
        pieces += [between, line] if between else [line]
        length += len(between) + len(line)
        ends.add(length)
    text = "".join(pieces)
    found = list((_CHARACTER if by_character else _WORD).finditer(text))
    suits = [_suits(text, one.start(), ends, by_character=by_character) for one in found]
    return Words(
        text,
        tuple(unicodedata.normalize("NFKC", one[0]).casefold() for one in found),
        tuple(one.start() for one in found),
        (*suits, AT_LINE_END),
    )


def _are_latin(last: str, first: str) -> bool:
    return last.isascii() and first.isascii() and last.isalnum() and first.isalnum()


def _suits(text: str, start: int, ends: set[int], *, by_character: bool) -> int | None:
    """How well a cut suits before the word that begins there."""
    end = start
    while end and text[end - 1].isspace():
        end -= 1
    if not end or end in ends:
        return AT_LINE_END
    if not by_character and end == start:
        return None
    last = text[end - 2] if text[end - 1] in _CLOSING and end > 1 else text[end - 1]
    return AT_SENTENCE_END if last in _ENDS else ELSEWHERE
