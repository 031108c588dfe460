"""Spans of reasoning that language models write before their answers, which are no part of these."""

import re
from collections.abc import Sequence
from dataclasses import replace

from bleucore.formats.columns import Column
from bleucore.written_numbers import count_of

_SPAN = re.compile(r"\s*<(think|thinking|reasoning|thought)>.*?</\1>\s*", re.DOTALL | re.IGNORECASE)
_OPENING = re.compile(r"<(?:think|thinking|reasoning|thought)>", re.IGNORECASE)
_LEAST = 3


def text_without_reasoning(text: str) -> tuple[str, int]:
    """A text of one segment a line without spans of reasoning that begin its lines, and how many there were."""
    if len(_OPENING.findall(text)) < _LEAST:
        return text, 0
    found, number = re.subn(rf"(?m)^{_SPAN.pattern}", "", text, flags=re.DOTALL | re.IGNORECASE)
    return (found, number) if number >= _LEAST else (text, 0)


def without_reasoning(columns: Sequence[Column]) -> tuple[Column, ...]:
    """The columns of one file, the texts of tables and records without the spans of reasoning that begin them."""
    return tuple(_without(column) if column.is_cell and column.role != "source" else column for column in columns)


def _without(column: Column) -> Column:
    n_spans = sum(_SPAN.match(text or "") is not None for text in column.segments)
    if n_spans < _LEAST:
        return column
    texts = tuple(
        None if text is None else _SPAN.sub("", text, count=1) if _SPAN.match(text) else text
        for text in column.segments
    )
    said = f"{column.file}: {count_of(n_spans, 'span')} of reasoning before answers left out."
    return replace(column, segments=texts, notices=(*column.notices, said))
