"""Cells of a table that hold an object or list with one text, as exports of experiments and of Python write them."""

import html
import json
import re
from collections.abc import Sequence

_LONGEST = 100_000
"""Characters of a cell that is looked into."""
_PRINTED = re.compile(r"""(b|\[?\{'\w{1,60}': ?|\[)(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")[\]},]{0,3}""", re.DOTALL)
"""One text as Python prints it: of bytes, in a list, in an object, in a list of one object."""
_BLOCK = re.compile(r"<(p|div|span|li|seg)(?: [^<>]{0,500})?>([^<>]*)</\1>")
"""One text in a block of a web page."""
_ESCAPED = re.compile(r"\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|(.))", re.DOTALL)
_END_OF_UNICODE = 0x110000
_CONTROLS = {"n": "\n", "t": "\t", "r": "\r"}


def texts_of_objects(cells: Sequence[str]) -> list[str] | None:
    """The texts of a column of objects with one text under the same name, or of lists with one text each.

    ``None`` for any other column.

    Args:
        cells: The cells of the column; empty ones are empty texts.
    """
    if (plain := _texts_of_strings(cells)) is not None:
        return plain
    found: list[str] = []
    names: set[str] = set()
    for cell in cells:
        if not cell.strip():
            found.append("")
            continue
        one = _only_text(cell)
        if one is None:
            return None
        names.add(one[0])
        if len(names) > 1:
            return None
        found.append(one[1])
    return found if names else None


def _texts_of_strings(cells: Sequence[str]) -> list[str] | None:
    """The texts of a column of texts as JSON writes them, with quotes and escapes; ``None`` for any other column.

    Quotes alone may be those of the texts: one cell at least has an escape of JSON.
    """
    filled = [cell.strip() for cell in cells if cell.strip()]
    is_quoted = all(len(cell) > 1 and cell[0] == cell[-1] == '"' and len(cell) <= _LONGEST for cell in filled)
    if not filled or not is_quoted or not any("\\" in cell for cell in filled):
        return None
    try:
        texts = [json.loads(cell) if cell.strip() else "" for cell in cells]
    except (ValueError, RecursionError):
        return None
    return texts if all(isinstance(text, str) for text in texts) else None


def _only_text(cell: str) -> tuple[str, str] | None:
    if len(cell) > _LONGEST:
        return None
    if (printed := _printed(cell)) is not None:
        return printed
    if not cell.lstrip().startswith("{"):
        return None
    try:
        given = json.loads(cell)
    except (ValueError, RecursionError):
        return None
    if not isinstance(given, dict) or len(given) != 1:
        return None
    ((name, text),) = given.items()
    return (name, text) if isinstance(text, str) and "\n" not in text else None


def printed_texts(lines: Sequence[str]) -> list[str] | None:
    """The texts of lines of one form: bytes and lists as Python prints them, and blocks of web pages.

    ``None`` for any other lines.
    """
    found = [_printed(line) for line in lines]
    return [one[1] for one in found if one is not None] if len({one and one[0] for one in found}) == 1 else None


def _printed(written: str) -> tuple[str, str] | None:
    """The form and the text of a value that holds one text; ``None`` for any other."""
    match = _PRINTED.fullmatch(written.strip())
    if match is None:
        block = _BLOCK.fullmatch(written.strip())
        return None if block is None else (block[1], html.unescape(block[2]).strip())
    text = _ESCAPED.sub(_unescaped, match[2] if match[2] is not None else match[3])
    try:
        if match[1] == "b":
            return match[1], text.encode("latin-1").decode()
        return match[1], text.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
    except UnicodeError:
        return None


def _unescaped(escape: re.Match[str]) -> str:
    code = int(escape[1] or escape[2] or escape[3] or "0", 16)
    if escape[4] is not None:
        return _CONTROLS.get(escape[4], escape[4])
    return chr(code) if code < _END_OF_UNICODE else escape[0]
