"""Cells of a table that hold an object of JSON with one text, as exports of experiments write them."""

import json
from collections.abc import Sequence

_LONGEST = 100_000
"""Characters of a cell that is looked into."""


def texts_of_objects(cells: Sequence[str]) -> list[str] | None:
    """The texts of a column of objects that all have one text under the same name; ``None`` for any other column.

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
    if not cell.lstrip().startswith("{") or len(cell) > _LONGEST:
        return None
    try:
        given = json.loads(cell)
    except (ValueError, RecursionError):
        return None
    if not isinstance(given, dict) or len(given) != 1:
        return None
    ((name, text),) = given.items()
    return (name, text) if isinstance(text, str) and "\n" not in text else None
