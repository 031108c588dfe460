"""Texts in pieces of words, as models write them before they are joined -> the texts."""

import re
from collections.abc import Sequence
from dataclasses import replace

from bleucore.formats.columns import Column

_BPE = re.compile(r"(?<=\w)@@(?: |$)")
_MOST, _SOME, _LEAST_LINES, _LEAST_IN_PIECES = 0.9, 0.1, 4, 3


def with_joined_pieces(columns: Sequence[Column]) -> tuple[Column, ...]:
    """The columns, those that are used joined where they are in pieces of SentencePiece or BPE, with a notice."""
    return tuple(column if column.role == "ignore" else _joined(column) for column in columns)


def _joined(column: Column) -> Column:
    lines = [text for text in column.segments if text and not text.isspace()]
    if len(lines) < _LEAST_LINES:
        return column
    if lines[0].startswith("▁") and sum(map(_is_in_pieces, lines)) >= _MOST * len(lines):
        segments = [_whole(text) if text and "▁" in text else text for text in column.segments]
        called = "SentencePiece"
    elif _n_in_pieces(lines) >= max(_LEAST_IN_PIECES, _SOME * len(lines)):
        segments = [text and _BPE.sub("", text) for text in column.segments]
        called = "BPE"
    else:
        return column
    said = f"{column.file}: pieces of words ({called}) were joined."
    return replace(column, segments=tuple(segments), notices=(*column.notices, said))


def _is_in_pieces(line: str) -> bool:
    """Whether words begin with the mark. One mark begins whole lines of scripts without blanks, or is a bullet."""
    return line.startswith("▁") and (" ▁" in line or " " not in line or line.upper() == line.lower())


def _whole(text: str) -> str:
    return "".join(text.split()).replace("▁", " ").strip()


def _n_in_pieces(lines: Sequence[str]) -> int:
    return sum("@@" in line and _BPE.search(line) is not None for line in lines)
