"""An output in other lines than the references -> one text for each segment, and which of the cuts are doubtful."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np

from bleucore.corpus import CUT_LABEL
from bleucore.formats import Column
from bleucore.formats.item_ids import are_times
from bleucore.segmentation.cuts import Longs, cut
from bleucore.segmentation.doubts import doubtful_cuts
from bleucore.segmentation.words import Words, is_without_spaces, words_of
from bleucore.written_numbers import count_of


@dataclass(frozen=True)
class Resegmented:
    """A text that was cut again.

    Attributes:
        segments: S texts.
        doubtful: Which of them begin or end at a doubtful cut, from 0.
        n_doubtful_cuts: How many cuts are doubtful, of S - 1.
        n_edits: Words to insert, delete or replace between the text and the references.
    """

    segments: tuple[str, ...]
    doubtful: tuple[int, ...]
    n_doubtful_cuts: int
    n_edits: int


def resegmented(
    lines: Sequence[str], references: Sequence[Sequence[str | None]], documents: Sequence[str] | None = None
) -> Resegmented:
    """A text cut at the segments of references, with the fewest word edits over all (Matusov et al. 2005).

    Words are compared in small letters and without the punctuation that is attached to them; characters are in scripts
    without spaces. Nothing is lost: the segments joined are the lines joined.

    Args:
        lines: The text; where it has as many lines as there are documents, each is one of them.
        references: R columns of S texts; ``None`` where one is missing.
        documents: The document of each segment, S names.

    Raises:
        InputError: The text is too long.
    """
    by_character = is_without_spaces(references[0])
    parts = _by_document(lines, len(references[0]), documents)
    done = [
        _of_part(part, [column[first:end] for column in references], by_character=by_character)
        for part, first, end in parts
    ]
    doubtful = [first + one for (_, first, _), found in zip(parts, done, strict=True) for one in found.doubtful]
    return Resegmented(
        tuple(segment for found in done for segment in found.segments),
        tuple(doubtful),
        sum(found.n_doubtful_cuts for found in done),
        sum(found.n_edits for found in done),
    )


Cut = Callable[[Sequence[str], Sequence[Sequence[str | None]], Sequence[str] | None], Resegmented]
"""What cuts a text, as ``resegmented`` does."""
CLEAR, DOUBTFUL = "clear", "doubtful"
"""The values of the label."""


def realigned(columns: Sequence[Column], cut_anew: Cut = resegmented) -> tuple[Column, ...]:
    """The columns with every output that has another number of lines than the references cut at their segments.

    A label, ``CUT_LABEL``, marks the segments that begin or end at a doubtful cut. Outputs with keys
    stay, and those with ids but for subtitles.

    Args:
        columns: In their roles.
        cut_anew: What cuts a text.

    Raises:
        InputError: A text is too long.
    """
    references = [column for column in columns if column.role == "reference"]
    lengths = {len(column.segments) for column in references}
    others = cut_otherwise(columns)
    if not others:
        return tuple(columns)
    texts = [column.segments for column in references]
    documents = _documents(columns)
    found = list(columns)
    doubtful: set[int] = set()
    for place in others:
        column = columns[place]
        lines = [text or "" for text in column.segments]
        made = cut_anew(lines, texts, documents)
        doubtful |= set(made.doubtful)
        n_segments = len(made.segments)
        lines_made = f"{count_of(len(lines), 'line')} cut anew into {count_of(n_segments, 'segment')}"
        doubts = f"{made.n_doubtful_cuts:,} of {count_of(n_segments - 1, 'cut')} are doubtful"
        said = f"{column.file}: {lines_made} at those of {references[0].file}; {doubts}."
        found[place] = replace(column, segments=made.segments, ids=None, notices=(*column.notices, said))
    marks = tuple(DOUBTFUL if place in doubtful else CLEAR for place in range(*lengths))
    first = references[0]
    return (*found, Column(first.file, CUT_LABEL, "label", marks, first.keys, first.first_line))


def cut_otherwise(columns: Sequence[Column]) -> tuple[int, ...]:
    """The places of the outputs that have another number of lines than the references, and can be cut anew."""
    lengths = {len(column.segments) for column in columns if column.role == "reference"}
    if len(lengths) != 1:
        return ()
    return tuple(place for place, column in enumerate(columns) if _is_cut_otherwise(column, *lengths))


def _is_cut_otherwise(column: Column, n_segments: int) -> bool:
    is_open = column.keys is None and (column.ids is None or are_times(column)) and any(column.segments)
    return column.role == "hypothesis" and is_open and len(column.segments) != n_segments


def _documents(columns: Sequence[Column]) -> tuple[str, ...] | None:
    """The document of each segment, where a column or the format tells it."""
    named = next((column.segments for column in columns if column.role == "documents"), None)
    keys = next((column.keys for column in columns if column.role == "reference" and column.keys is not None), None)
    if named is not None:
        return tuple(name or "" for name in named)
    return None if keys is None else tuple(document for document, _ in keys)


def _by_document(
    lines: Sequence[str], n_segments: int, documents: Sequence[str] | None
) -> list[tuple[Sequence[str], int, int]]:
    """The lines of each document, and the first segment of it and the one after its last; else all together."""
    if documents is None:
        return [(lines, 0, n_segments)]
    sizes = [len(list(same)) for _, same in groupby(documents)]
    if len(sizes) != len(lines):
        return [(lines, 0, n_segments)]
    ends = np.cumsum(sizes).tolist()
    return [([line], end - size, end) for line, size, end in zip(lines, sizes, ends, strict=True)]


def _of_part(lines: Sequence[str], references: Sequence[Sequence[str | None]], *, by_character: bool) -> Resegmented:
    text = words_of(lines, by_character=by_character)
    numbers: dict[str, int] = {}

    def numbered(words: Words) -> Longs:
        return np.array([numbers.setdefault(key, len(numbers)) for key in words.keys], np.int64)

    segments = [
        [numbered(words_of([one], by_character=by_character)) for one in of_segment if one is not None] or [_NOTHING]
        for of_segment in zip(*references, strict=True)
    ]
    words = numbered(text)
    suits = np.array([-1 if one is None else one for one in text.suits], np.int64)
    found = cut(words, suits, segments)
    doubts = doubtful_cuts(words, suits, segments, found.ends)
    offsets = [*(text.starts[end] if end < len(text.starts) else len(text.text) for end in found.ends)]
    pieces = [text.text[start:end].strip() for start, end in zip([0, *offsets[:-1]], offsets, strict=True)]
    places = sorted({place for one in np.flatnonzero(doubts).tolist() for place in (one, one + 1)})
    return Resegmented(tuple(pieces), tuple(places), int(doubts.sum()), found.n_edits)


_NOTHING: Longs = np.zeros(0, np.int64)
