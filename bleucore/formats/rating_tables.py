"""Tables of ratings: those with texts, a row for each error -> a row for each output; those without are refused."""

import re
from collections.abc import Sequence
from dataclasses import replace

from bleucore.errors import InputError
from bleucore.formats.columns import Column
from bleucore.written_numbers import count_of

NO_TEXTS_RATED = "these are human judgements without texts"
"""What is said of ratings that name systems and segments and hold no text of either."""
ADD_TEXTS = "Add the outputs and the reference, and pass the judgements with --judgements."
_KINDS_RATED = re.compile(r"(?:TGT|BAD|REF|SRC|CHK)\b.{0,10}")
_LEAST_CELLS, _KIND, _SCORE = 11, 3, 6
_MARK = re.compile(r"</?v>")
_OF_ERRORS = frozenset({"category", "severity"})
_OF_RATERS = frozenset({"category", "severity", "rater", "metadata", "comment", "note", "rating", "annotator"})
_OF_ROWS = (
    "system",
    "doc",
    "doc_id",
    "docid",
    "docsegid",
    "doc_seg_id",
    "globalsegid",
    "global_seg_id",
    "seg_id",
    "segid",
)


def refuse_ratings_alone(file: str, rows: Sequence[Sequence[str]]) -> None:
    """Refuse an export of Appraise, which has ratings without a head and without texts.

    Args:
        file: Its name.
        rows: The cells of its first rows.

    Raises:
        InputError: It is one.
    """
    if rows and all(_is_rating(cells) for cells in rows):
        raise InputError(
            NO_TEXTS_RATED,
            where=file,
            found="ratings of segments as Appraise exports them",
            expected="outputs and a reference",
            remedy=ADD_TEXTS,
        )


def _is_rating(cells: Sequence[str]) -> bool:
    """Whether a row names a rater, a system, an item, what was rated, two languages and a score of 0 to 100."""
    if len(cells) < _LEAST_CELLS or _KINDS_RATED.fullmatch(cells[_KIND].strip()) is None:
        return False
    return (
        cells[_KIND - 1].strip().isdigit() and re.fullmatch(r"\d{1,3}(?:\.\d{1,9})?", cells[_SCORE].strip()) is not None
    )


def without_ratings(columns: Sequence[Column]) -> tuple[Column, ...]:
    """The columns of one file, of a table of errors (MQM) one row for each output and no marks in the texts.

    A table of anything else, or one in which an output has two wordings, stays as it is.
    """
    called = {column.name.strip().casefold(): column for column in columns if column.is_cell}
    if len(called) < len(columns) or not called.keys() >= {*_OF_ERRORS, "system", "target"}:
        return tuple(columns)
    keys = [called[name] for name in _OF_ROWS if name in called]
    texts = [replace(column, segments=tuple(map(_plain, column.segments))) for column in columns]
    rows: dict[tuple[str | None, ...], int] = {}
    for row, key in enumerate(zip(*(column.segments for column in keys), strict=True)):
        rows.setdefault(key, row)
    kept = sorted(rows.values())
    if len(keys) < 2 or len(kept) == len(columns[0].segments):  # noqa: PLR2004  # a system and a segment
        return tuple(columns)
    n_rows = len(columns[0].segments)
    said = f"{columns[0].file}: {count_of(n_rows, 'rating')} of {len(kept):,} outputs; marks of errors are left out."
    return tuple(
        replace(column, segments=tuple(column.segments[row] for row in kept), notices=(*column.notices, said))
        for column in texts
        if column.name.strip().casefold() not in _OF_RATERS
    )


def _plain(text: str | None) -> str | None:
    return None if text is None else _MARK.sub("", text)
