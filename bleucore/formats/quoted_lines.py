"""Lines of a plain text that stand in quotation marks, as sheets and programs export a column of texts."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from bleucore.formats.columns import Column
from bleucore.values import lone_surrogate
from bleucore.written_numbers import count_of

_QUOTES = "\"'"
_BEGINS = re.compile(r"""\s*["']""")
_ODD = MappingProxyType({'"': re.compile(r'(?<!\\)"'), "'": re.compile(r"(?<![\w\\])'|(?<!\\)'(?!\w)")})
"""Quotes inside that would end the text in Python; of apostrophes those that are not within a word."""
_CLOSED = re.compile(r"""[^"]*[^\s"(\[]["'](?:[\s,.;:!?]|$)""")
"""A quote ends before another begins, so that those around the line are of its text: "Go," he said. "Go!"."""
_LEAST_LINES, _LEAST_NEEDED, _MOST_ODD = 4, 3, 0.2
_SURELY_NEEDED = 20
"""With so many lines, no text has quotes and commas in the same ones by chance."""
_OWN = 0.2
"""Of the lines in quotes of another text, with which texts have quotes of their own."""
_IN_OWN = re.compile(r"""\s*["'“”„‟«»‹›「『《〈＂‘’‚`].*["'“”„‟«»‹›」』》〉＂‘’`][.。]?\s*""", re.DOTALL)


@dataclass(frozen=True)
class Unquoted:
    """Lines without the quotation marks around them.

    Attributes:
        lines: All lines.
        places: Of those that stood in quotes.
        is_sure: Whether escapes, commas or the number of lines show that a program wrote the quotes.
        said: What was done, in a sentence.
    """

    lines: tuple[str, ...]
    places: tuple[int, ...]
    is_sure: bool
    said: str


def with_quotes_off(columns: Sequence[Column]) -> list[Column]:
    """The columns without quotes around the lines of a plain text, with a notice.

    Quotes stay where another text has quotes around the same lines, as speech has.
    """
    used = [one for one in columns if one.role in ("hypothesis", "reference", "source")]
    found = {
        id(one): without_line_quotes(one.file, [text or "" for text in one.segments]) for one in used if one.is_quoted
    }
    result: list[Column] = []
    for column in columns:
        taken = found.get(id(column))
        if taken is not None and not any(_has_own(one, taken, found.get(id(one))) for one in used if one is not column):
            column = replace(column, segments=taken.lines, notices=(*column.notices, taken.said))  # noqa: PLW2901
        result.append(column)
    return result


def _has_own(column: Column, taken: Unquoted, own: Unquoted | None) -> bool:
    """Whether a text has its own quotes around lines that are in quotes in another one, not those of an export."""
    if own is not None and len(own.places) == len(column.segments) - [*map(str.strip, own.lines)].count(""):
        return False
    texts = [column.segments[place] or "" for place in taken.places if place < len(column.segments)]
    return sum(_IN_OWN.fullmatch(text) is not None for text in texts) >= max(1, _OWN * len(texts))


def without_line_quotes(file: str, lines: Sequence[str]) -> Unquoted | None:
    """The lines without the quotation marks of an export; ``None`` where there are none.

    An export puts every line in quotes, or exactly the lines with commas or quotes. It doubles the quotes inside, or
    writes them as JSON or Python does. Quotes of any other pattern are part of the texts.

    Args:
        file: The file's name.
        lines: As they are written.
    """
    if not any(map(_BEGINS.match, lines)):
        return None
    places: list[int] = []
    filled: list[str] = []
    for place, line in enumerate(lines):
        if not line or line.isspace():
            continue
        text = line.strip()
        is_one = text[0] in _QUOTES and text.endswith((text[0], f"{text[0]},"))
        if not is_one and ('"' in text or "," in text):
            return None
        places.append(place)
        filled.append(text)
    is_list = all(line.endswith(",") for line in filled[:-1])
    if is_list:
        filled = [line.removesuffix(",") for line in filled]
    is_quoted = [len(line) > 1 and line[0] == line[-1] and line[0] in _QUOTES for line in filled]
    is_of_cells = all(line[0] == '"' for line, is_one in zip(filled, is_quoted, strict=True) if is_one)
    texts = _out_of_all(filled, is_of_cells=is_of_cells) if all(is_quoted) else None
    texts = _out_of_some(filled, is_quoted) if not all(is_quoted) and is_of_cells else texts
    if texts is None:
        return None
    found = list(lines)
    for place, text in zip(places, texts, strict=True):
        found[place] = text
    quoted = [place for place, is_one in zip(places, is_quoted, strict=True) if is_one]
    said = f"{file}: the quotes around {count_of(len(quoted), 'line')} were taken off, first in line {quoted[0] + 1:,}."
    is_sure = is_list or any("\\" in line or '""' in line[1:-1] for line in filled)
    is_sure |= not is_of_cells and {line[0] for line in filled} == {*_QUOTES}
    is_sure |= not all(is_quoted) and len(quoted) >= _SURELY_NEEDED
    return Unquoted(tuple(found), tuple(quoted), is_sure, said)


def _out_of_all(lines: Sequence[str], *, is_of_cells: bool) -> list[str] | None:
    """Texts of which each stands in quotes; ``None`` where quotes inside show that the outer ones may be the text's."""
    if len(lines) < _LEAST_LINES:
        return None
    if any(_ODD[line[0]].search(line[1:-1].replace('""', "")) and _CLOSED.match(line[1:-1]) for line in lines):
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
