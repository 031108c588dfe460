"""Sheets in every form that they leave in."""

import codecs
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, cast

from bleuscope.content.sheets.forms import FORMS, TEXT_FORMS, FormName, TextForm
from bleuscope.content.sheets.sheet import Sheet


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
    if form not in TEXT_FORMS:
        return cast("bytes", _written(sheets, form))
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
    return cast("str", _written(sheets, form, *([warnings] if form == "json" else [])))


def _written(sheets: Sheet | Sequence[Sheet], form: FormName, *beside: object) -> str | bytes:
    several = (sheets,) if isinstance(sheets, Sheet) else tuple(sheets)
    told = FORMS[form]
    if told.holds_one and len(several) != 1:
        raise ValueError(f"{form} holds one sheet, not {len(several)}")
    module, _, name = told.writer.partition(".")
    writer: Callable[..., Any] = getattr(import_module(f"{__package__}.{module}"), name)
    if told.takes_all:
        return cast("str | bytes", writer(several, *beside))
    parts = [writer(sheet) for sheet in several]
    return cast("str | bytes", parts[0] if len(parts) == 1 else "\n".join(parts))
