"""What readers of texts by lines share: how a format is told by the beginning of a text, and how it is refused."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from bleucore.errors import InputError
from bleucore.formats.columns import Column, Role, refuse_excess
from bleucore.formats.names import stem
from bleucore.values import shown

_HEAD = 1 << 16
_MOST_LINES = 400
"""Of a file, that are looked at to see what it is."""


@dataclass(frozen=True)
class LineFormat:
    """A format that its lines tell.

    Attributes:
        called: Its name among the formats.
        recognises: Of the beginning of a text: whether it is of this format.
        columns: Of a file's name and its text: the columns.
    """

    called: str
    recognises: Callable[[str], bool]
    columns: Callable[[str, str], Sequence[Column]]


def head_of(text: str) -> str:
    """The beginning of a text, in whole lines."""
    head = text[:_HEAD]
    return head[: head.rfind("\n") + 1] if len(text) > _HEAD else head


@lru_cache(maxsize=4)
def lines_in(head: str) -> tuple[str, ...]:
    """The first lines of a text that hold something; each format asks for those of the same text."""
    return tuple(line for line in head.split("\n", _MOST_LINES)[:_MOST_LINES] if line.strip())


def column_of(
    file: str, texts: Sequence[str], ids: Sequence[str] | None, *notices: str, name: str = "", role: Role | None = None
) -> Column:
    """The texts of a file as a column, with their ids where each is there once."""
    refuse_excess(file, len(texts))
    return Column(
        file,
        name or stem(file),
        role,
        tuple(texts),
        None,
        1,
        notices,
        is_cell=role is not None,
        ids=None if ids is None or len(set(ids)) < len(ids) else tuple(ids),
    )


def nothing_in(file: str, called: str, what: str) -> InputError:
    """How a file of a known format is refused that holds no texts."""
    return InputError(
        f"this {called} holds no texts",
        where=file,
        found=f"no {what}",
        expected=f"a {what} for each segment",
        remedy="Load the complete file.",
    )


def odd_line(file: str, number: int, line: str, expected: str) -> InputError:
    """How a line is refused that the format of its file does not allow."""
    return InputError(
        "this line is none of the format",
        where=file,
        line=number,
        found=shown(line),
        expected=expected,
        remedy="Load the file as the program wrote it.",
    )
