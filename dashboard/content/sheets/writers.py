"""Sheets in every form that they leave in."""

import codecs
import json
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import regex

from dashboard.content.sheets.delimited import csv_text, quoted_tsv_text, tsv_text
from dashboard.content.sheets.forms import FORMS, FileForm, FormName, TextForm
from dashboard.content.sheets.latex import latex_text
from dashboard.content.sheets.markdown import markdown_text
from dashboard.content.sheets.parquet import parquet_file
from dashboard.content.sheets.sheet import Sheet
from dashboard.content.sheets.terminal import table_text
from dashboard.content.sheets.values import raw_columns
from dashboard.content.sheets.workbooks import fits_workbook, workbook

__all__ = ["FILE_WRITERS", "TEXT_WRITERS", "fits_workbook", "write", "write_text"]


def write(sheets: Sheet | Sequence[Sheet], form: FormName) -> bytes:
    """Sheets as the bytes of a file.

    Text is UTF-8; CSV begins with a byte-order mark, without which Excel takes it for another encoding.

    Args:
        sheets: One, or several for a form that holds them.
        form: One of ``FORMS``.

    Raises:
        InputError: A sheet has more rows or columns than a worksheet of Excel holds.
        ValueError: Several sheets are for a form that holds one, or two have the same name in JSON.
    """
    if form == "xlsx" or form == "parquet":  # noqa: PLR1714  # mypy reads it
        return FILE_WRITERS[form](_accepted(sheets, form))
    mark = codecs.BOM_UTF8 if form == "csv" else b""
    return mark + write_text(sheets, form).encode("utf-8", "replace")


def write_text(sheets: Sheet | Sequence[Sheet], form: TextForm, warnings: Sequence[str] | None = None) -> str:
    """Sheets as text, with a line feed at the end of every line, the last included.

    Args:
        sheets: One, or several for a form that holds them; those are parted by an empty line.
        form: One of ``TEXT_FORMS``.
        warnings: What to know beside the numbers, for JSON; ``None`` where nobody was asked.

    Raises:
        ValueError: Several sheets are for a form that holds one, or two have the same name in JSON.
    """
    several = _accepted(sheets, form)
    if form == "json":
        return _json_text(several, warnings)
    return "\n".join(TEXT_WRITERS[form](sheet) for sheet in several)


def _accepted(sheets: Sheet | Sequence[Sheet], form: FormName) -> tuple[Sheet, ...]:
    several = (sheets,) if isinstance(sheets, Sheet) else tuple(sheets)
    if FORMS[form].holds_one and len(several) != 1:
        raise ValueError(f"{form} holds one sheet, not {len(several)}")
    return several


FACTS, WARNINGS = "facts", "warnings"
JSON_ESCAPED = regex.compile(r"[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069--\n]", regex.V1)
"""What a terminal obeys stands in JSON by its number, and is read as it was."""


def _json_text(sheets: Sequence[Sheet], warnings: Sequence[str] | None) -> str:
    """The facts, the warnings, and for each sheet's name its rows: raw values, ``null`` where there is none.

    A fact in which sheets differ stands under the name of each that differs from the first.
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
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, indent=2)
    return JSON_ESCAPED.sub(lambda found: f"\\u{ord(found.group()):04x}", text) + "\n"


TEXT_WRITERS: Mapping[TextForm, Callable[[Sheet], str]] = MappingProxyType(
    {
        "table": table_text,
        "tsv": tsv_text,
        "csv": csv_text,
        "markdown": markdown_text,
        "latex": latex_text,
        "quoted-tsv": quoted_tsv_text,
    }
)
"""Of each sheet; JSON holds all of them in one."""
FILE_WRITERS: Mapping[FileForm, Callable[[Sequence[Sheet]], bytes]] = MappingProxyType(
    {"xlsx": workbook, "parquet": lambda sheets: parquet_file(sheets[0])}
)
