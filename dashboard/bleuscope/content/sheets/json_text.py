"""Sheets as JSON."""

import json
from collections.abc import Mapping, Sequence

import regex

from bleuscope.content.sheets.sheet import Sheet
from bleuscope.content.sheets.values import raw_columns

FACTS, WARNINGS = "facts", "warnings"
JSON_ESCAPED = regex.compile(r"[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069--\n]", regex.V1)
"""What a terminal obeys stands in JSON by its number, and is read as it was."""


def json_text(sheets: Sequence[Sheet], warnings: Sequence[str] | None = None) -> str:
    """The facts, the warnings, and for each sheet's name its rows: raw values, ``null`` where there is none.

    A fact in which sheets differ stands under the name of each that differs from the first.

    Args:
        sheets: Of different names.
        warnings: What to know beside the numbers; ``None`` where nobody was asked.

    Raises:
        ValueError: Two sheets have the same name.
    """
    names = [FACTS, WARNINGS, *(sheet.name for sheet in sheets)]
    if len(set(names)) < len(names):
        raise ValueError(f"names are not different: {', '.join(names)}")
    facts: dict[str, str | int | float] = {}
    for sheet in sheets:
        for key, value in sheet.facts.items():
            if facts.setdefault(key, value) != value:
                facts[f"{sheet.name} {key}"] = value
    document: dict[str, object] = {FACTS: facts} | ({} if warnings is None else {WARNINGS: list(warnings)})
    for sheet in sheets:
        columns = raw_columns(sheet)
        keys = [column.key for column in columns]
        rows = zip(*(column.cells for column in columns), strict=True)
        document[sheet.name] = [dict(zip(keys, row, strict=True)) for row in rows]
    return document_text(document)


def document_text(document: Mapping[str, object]) -> str:
    """Anything that JSON can hold, as text that a terminal can show.

    Raises:
        ValueError: A number is not finite.
    """
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, indent=2)
    return JSON_ESCAPED.sub(lambda found: f"\\u{ord(found.group()):04x}", text) + "\n"
