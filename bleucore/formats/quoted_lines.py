"""Lines of a plain text that stand in quotation marks, as sheets and programs export a column of texts."""

import json
import re
from collections.abc import Sequence
from types import MappingProxyType

from bleucore.values import lone_surrogate
from bleucore.written_numbers import count_of

_QUOTES = "\"'"
_ODD = MappingProxyType({'"': re.compile(r'(?<!\\)"'), "'": re.compile(r"(?<![\w\\])'|(?<!\\)'(?!\w)")})
"""Quotes inside that would end the text in Python; of apostrophes those that are not within a word."""
_LEAST_LINES, _LEAST_NEEDED, _MOST_ODD = 4, 3, 0.2


def without_line_quotes(file: str, lines: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The lines without the quotation marks of an export, and what to say of it.

    An export puts every line in quotes, or exactly the lines with commas or quotes. It doubles the quotes inside, or
    writes them as JSON or Python does. Quotes of any other pattern are part of the texts.

    Args:
        file: The file's name.
        lines: As they are written.
    """
    places: list[int] = []
    filled: list[str] = []
    for place, line in enumerate(lines):
        if not line or line.isspace():
            continue
        text = line.strip()
        is_one = text[0] in _QUOTES and text.endswith((text[0], f"{text[0]},"))
        if not is_one and ('"' in text or "," in text):
            return tuple(lines), ()
        places.append(place)
        filled.append(text)
    if all(line.endswith(",") for line in filled[:-1]):
        filled = [line.removesuffix(",") for line in filled]
    is_quoted = [len(line) > 1 and line[0] == line[-1] and line[0] in _QUOTES for line in filled]
    is_of_cells = all(line[0] == '"' for line, is_one in zip(filled, is_quoted, strict=True) if is_one)
    texts = _out_of_all(filled, is_of_cells=is_of_cells) if all(is_quoted) else None
    texts = _out_of_some(filled, is_quoted) if not all(is_quoted) and is_of_cells else texts
    if texts is None:
        return tuple(lines), ()
    found = list(lines)
    for place, text in zip(places, texts, strict=True):
        found[place] = text
    n_lines = sum(is_quoted)
    first = places[is_quoted.index(True)] + 1
    said = f"{file}: the quotes around {count_of(n_lines, 'line')} were taken off, first in line {first:,}."
    return tuple(found), (said,)


def _out_of_all(lines: Sequence[str], *, is_of_cells: bool) -> list[str] | None:
    """Texts of which each stands in quotes; ``None`` where quotes inside show that the outer ones may be the text's."""
    if len(lines) < _LEAST_LINES:
        return None
    if not is_of_cells:
        n_odd = sum(_ODD[line[0]].search(line[1:-1]) is not None for line in lines)
        inside = [line[1:-1].replace("\\'", "'").replace("\\\\", "\\") for line in lines]
        return inside if n_odd <= _MOST_ODD * len(lines) else None
    if any("\\" in line for line in lines):
        try:
            texts = [str(json.loads(line)) for line in lines]
        except ValueError:
            texts = []
        if texts and not any(map(lone_surrogate, texts)):
            return texts
    inside = [line[1:-1] for line in lines]
    n_odd = sum('"' in text.replace('""', "") for text in inside)
    if n_odd > _MOST_ODD * len(inside):
        return None
    return [text.replace('""', '"') for text in inside] if n_odd == 0 else inside


def _out_of_some(lines: Sequence[str], is_quoted: Sequence[bool]) -> list[str] | None:
    """Texts of which exactly those with commas or quotes stand in quotes; ``None`` for any others."""
    texts: list[str] = []
    for line, is_one in zip(lines, is_quoted, strict=True):
        text = line[1:-1].replace('""', '"') if is_one else line
        is_due = "," in text or '"' in text
        if is_one != is_due or (is_one and '"' in line[1:-1].replace('""', "")):
            return None
        texts.append(text)
    return texts if sum(is_quoted) >= _LEAST_NEEDED else None
