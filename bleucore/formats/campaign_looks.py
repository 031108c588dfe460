"""The beginning of a file and its number of lines, read once and never held as a whole."""

import codecs
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from bleucore.formats import decoding, json_values, names, xml_segments
from bleucore.formats.arrow_tables import is_arrow_table
from bleucore.formats.columns import Column
from bleucore.formats.decoding import ZIP
from bleucore.formats.line_formats import is_of_lines
from bleucore.formats.reading import read
from bleucore.formats.tables import is_table

HEAD = 1 << 16
"""Bytes that are looked at of a plain text."""
_LINES = 200


@dataclass(frozen=True)
class Look:
    """What was seen of a file.

    Attributes:
        columns: Of a plain text its beginning, of all else the first rows of each column.
        n_segments: How many each column has.
        is_plain: Whether it is a text of its own.
        uniform: What a column says in every row, by the column's name, where it does.
    """

    columns: tuple[Column, ...]
    n_segments: int
    is_plain: bool
    uniform: Mapping[str, str] = field(default_factory=dict)

    @property
    def set_id(self) -> str | None:
        """What NIST's XML calls its test set, where it is that."""
        return next((column.test_set for column in self.columns if column.test_set), None)


def is_plain_text(name: str, head: bytes) -> bool:
    """Whether a file is one segment a line, which can be counted without being read as a whole."""
    is_named = names.is_table(name) or names.is_named_xml(name) or name.lower().endswith((".json", ".jsonl", ".gz"))
    is_marked = decoding.has_byte_order_mark(head) or head.startswith(ZIP) or is_arrow_table(head)
    start = head[:HEAD].decode(errors="ignore")
    is_markup = xml_segments.looks_like_xml(head) or json_values.looks_like_json(start)
    return not (is_named or is_marked or is_markup or is_of_lines(start) or is_table(start))


def look_at_text(name: str, pieces: Iterable[bytes]) -> Look | None:
    """A plain text by its pieces; ``None`` where it is no valid UTF-8, so that it has to be read to say where.

    Raises:
        InputError: It is empty or no text.
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    head, n_lines, last = b"", 0, b""
    try:
        for piece in pieces:
            head += piece[: max(0, HEAD - len(head))]
            n_lines += piece.count(b"\n")
            last = piece[-1:] or last
            decoder.decode(piece)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return None
    n_lines += bool(last) and last != b"\n"
    whole = head if len(head) < HEAD else head[: head.rfind(b"\n") + 1] or head.decode(errors="ignore").encode()
    return Look(_cut(read(name, whole)), n_lines, is_plain=True)


def look_at_columns(name: str, data: bytes, encoding: str | None = None) -> Look:
    """A file of several columns, or a text that is not UTF-8.

    Raises:
        InputError: It cannot be read.
    """
    columns = read(name, data, encoding=encoding)
    return look_at_read(columns)


def look_at_read(columns: Sequence[Column]) -> Look:
    """What is to be known of a file that was read."""
    is_plain = len(columns) == 1 and columns[0].role is None and not columns[0].is_cell
    uniform = {
        column.name: first
        for column in columns
        if (first := next(iter(column.segments), None)) and column.segments.count(first) == len(column.segments)
    }
    return Look(_cut(columns), len(columns[0].segments), is_plain=is_plain, uniform=uniform)


def _cut(columns: Iterable[Column]) -> tuple[Column, ...]:
    """The columns without what comes after their first rows, which memory would keep."""
    return tuple(beginning_of(column, _LINES) for column in columns)


def beginning_of(column: Column, n_lines: int) -> Column:
    """The first segments of a column."""
    if len(column.segments) <= n_lines:
        return column
    keys = None if column.keys is None else column.keys[:n_lines]
    ids = None if column.ids is None else column.ids[:n_lines]
    return replace(column, segments=column.segments[:n_lines], keys=keys, ids=ids)
