"""Spans of reasoning that language models write before their answers, which are no part of these."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from bleucore.formats.columns import Column
from bleucore.written_numbers import count_of

_NAMES = "think|thinking|reasoning|thought"
_SPAN = re.compile(rf"\s*<({_NAMES})>.*?</\1>\s*", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(rf"<(/?)({_NAMES})>", re.IGNORECASE)
_LEAST = 3
_OF_A_BLANK_LINE = 2
"""Line ends between two texts with an empty line between them."""


@dataclass(frozen=True)
class _Span:
    """A span of reasoning in a text, by the places of its characters.

    Attributes:
        start: Where its opening tag begins.
        end: What stands first behind its closing tag.
    """

    start: int
    end: int


def text_without_reasoning(text: str) -> tuple[str, int]:
    """A text of one segment a line without spans of reasoning that begin its lines, and how many there were.

    An answer that is empty keeps its line, and so does an empty line before a span, unless one stands before each.
    It takes a time in proportion to the text.
    """
    spans = list(_spans(text))
    if len(spans) < _LEAST:
        return text, 0
    ends = [*(span.start for span in spans[1:]), len(text)]
    answers = [text[span.end : end] for span, end in zip(spans, ends, strict=True)]
    usual = Counter(_lines_before(answer) for answer in answers if answer.strip()).most_common(1)
    n_before = usual[0][0] if usual else 0
    followed = [answer for answer in answers[:-1] if answer.strip()]
    are_apart = bool(followed) and all(_lines_behind(answer) >= _OF_A_BLANK_LINE for answer in followed)
    first = text[: spans[0].start]
    pieces = [_together(first) if are_apart else first.rstrip(" \t")]
    pieces += [_answer(answer, n_before, are_apart=are_apart) for answer in answers]
    return "".join(pieces), len(spans)


def _answer(written: str, n_before: int, *, are_apart: bool) -> str:
    """What follows a span, in lines of their own.

    Args:
        written: All up to the next span.
        n_before: Line ends between a span and its answer, as most have them.
        are_apart: Whether an empty line stands before each span, which is no segment.
    """
    if not written.strip():
        n_lines = written.count("\n")
        return "\n" if are_apart or n_lines == 0 else "\n" * max(1, n_lines - n_before)
    found = written.lstrip() if n_before or are_apart else written.lstrip(" \t")
    return _together(found) if are_apart else found


def _together(text: str) -> str:
    """A text with one line end behind it, where it is none but blanks; else nothing."""
    return f"{text.rstrip()}\n" if text.strip() else ""


def _lines_before(text: str) -> int:
    return text[: len(text) - len(text.lstrip())].count("\n")


def _lines_behind(text: str) -> int:
    return text[len(text.rstrip()) :].count("\n")


def _spans(text: str) -> Iterator[_Span]:
    """The spans that begin a line and are closed, in their order; two on one line are one."""
    tags = list(_TAG.finditer(text))
    closing = _closing(tags)
    start: int | None = None
    inside = before = 0
    for place, tag in enumerate(tags):
        if place < inside:
            continue
        gap = text[before : tag.start()]
        line = gap[gap.rfind("\n") + 1 :]
        is_first = not line.strip() and ("\n" in gap or before == 0 or start is not None)
        if start is not None and (not is_first or "\n" in gap):
            yield _Span(start, before)
            start = None
        before = tag.end()
        if is_first and closing[place] is not None:
            start = tag.start() if start is None else start
            inside = (closing[place] or 0) + 1
            before = tags[inside - 1].end()
    if start is not None:
        yield _Span(start, before)


def _closing(tags: Sequence[re.Match[str]]) -> list[int | None]:
    """For each tag that opens a span the place of the next one that closes it; ``None`` for all others."""
    found: list[int | None] = [None] * len(tags)
    following: dict[str, int] = {}
    for place in range(len(tags) - 1, -1, -1):
        name = tags[place].group(2).casefold()
        if tags[place].group(1):
            following[name] = place
        else:
            found[place] = following.get(name)
    return found


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
