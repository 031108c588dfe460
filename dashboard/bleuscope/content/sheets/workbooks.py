"""Sheets as an Excel workbook, made in memory: one worksheet each, and one more that says what they are.

Texts are written as texts and never read as formulas, addresses or numbers; numbers are numbers with 16 digits,
shown as on the pages. A text that could be a formula stays a text also when somebody edits it ("quote prefix").
"""

import io
import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

import xlsxwriter
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from bleucore.errors import InputError
from bleucore.formats.formula_cells import harmless
from bleuscope.content.sheets.sheet import Kind, Sheet
from bleuscope.content.sheets.values import MOST_DECIMALS, SIGNED, SIZED, Raw, RawColumn, best_rows, raw_columns
from bleuscope.content.style import numbers
from bleuscope.content.style.invisible import sign

MAX_ROWS, MAX_COLUMNS, MAX_CELL = 1_048_576, 16_384, 32_767
"""Excel's limits; characters of a cell are counted in UTF-16."""
MAX_NAME = 31
FORBIDDEN_IN_NAMES = re.compile(r"[\[\]:*?/\\\x00-\x1f]")
RESERVED_NAMES = ("history",)
NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
WIDEST, NARROWEST = 60, 8
ABOUT = "about"

NUMBER_FORMATS: Mapping[Kind, str] = MappingProxyType(
    {
        "count": "#,##0",
        "score": "0.00",
        "difference": "+0.00;-0.00;0.00",
        "precision": "0.0",
        "ratio": "0.000",
        "p": '[<0.001]"< .001";[>=0.9995]"> .999";.000',
        "statistic": "0.00",
    }
)
LARGE, SMALL = "0.00", "0.0000"
SIGNED_LARGE, SIGNED_SMALL = "+0.00;-0.00;0.00", "+0.0000;-0.0000;0.0000"


def workbook(sheets: Sequence[Sheet]) -> bytes:
    """The sheets as a file of Excel's.

    Raises:
        InputError: A sheet has more rows or columns than a worksheet holds.
    """
    for sheet in sheets:
        _refuse_what_is_too_large(sheet)
    data = io.BytesIO()
    book = xlsxwriter.Workbook(
        data,
        {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False},
    )
    formats = _Formats(book)
    names = worksheet_names([*(sheet.name for sheet in sheets), ABOUT])
    for name, sheet in zip(names, sheets, strict=False):
        _write(book.add_worksheet(name), sheet, formats)
    _write_about(book.add_worksheet(names[-1]), dict(zip(names, sheets, strict=False)), formats)
    book.close()
    return data.getvalue()


def fits_workbook(sheet: Sheet) -> bool:
    """Whether a worksheet of Excel has room for all rows and columns."""
    return len(sheet.frame) < MAX_ROWS and len(raw_columns(sheet)) <= MAX_COLUMNS


def worksheet_names(names: Sequence[str]) -> list[str]:
    """Names that Excel accepts: short, without its own signs, and none twice, whatever their case."""
    taken = set(RESERVED_NAMES)
    accepted = []
    for name in names:
        plain = cell_text(FORBIDDEN_IN_NAMES.sub("-", name)).strip(" '") or "sheet"
        number, candidate = 1, _cut(plain, MAX_NAME).strip(" '")
        while candidate.casefold() in taken:
            number += 1
            ending = f" {number}"
            candidate = _cut(plain, MAX_NAME - len(ending)).strip(" '") + ending
        taken.add(candidate.casefold())
        accepted.append(candidate)
    return accepted


def cell_text(text: str) -> str:
    """A text that a cell holds: signs for characters that XML forbids, and a note at the end of one that is cut."""
    text = NOT_IN_XML.sub(lambda found: sign(found.group()), text)
    if _n_units(text) <= MAX_CELL:
        return text
    note = f" … [cut here: {len(text):,} characters in all]"
    return _cut(text, MAX_CELL - len(note)) + note


class _Formats:
    """The formats of a workbook, each made once."""

    def __init__(self, book: xlsxwriter.Workbook) -> None:
        self._book = book
        self._made: dict[tuple[str, bool], Format] = {}
        self.quoted = book.add_format({"quote_prefix": True})
        self.heading = book.add_format({"bold": True, "bottom": 1})
        self.wrapped = book.add_format({"text_wrap": True, "valign": "top"})

    def of(self, number_format: str, *, is_bold: bool) -> Format:
        """A format of numbers; "" is none."""
        key = (number_format, is_bold)
        if key not in self._made:
            made = self._book.add_format({"bold": is_bold})
            if number_format:
                made.set_num_format(number_format)
            self._made[key] = made
        return self._made[key]


def _refuse_what_is_too_large(sheet: Sheet) -> None:
    for what, number, most in (
        ("rows", len(sheet.frame), MAX_ROWS - 1),
        ("columns", len(raw_columns(sheet)), MAX_COLUMNS),
    ):
        if number > most:
            raise InputError(
                f"there are more {what} than a worksheet of Excel holds",
                where=f"Table {sheet.name}",
                found=f"{number:,}",
                expected=f"at most {most:,}",
                remedy="Take CSV, TSV or JSON.",
            )


def _write(worksheet: Worksheet, sheet: Sheet, formats: _Formats) -> None:
    best = {one.key: best_rows(sheet, one) for one in sheet.fields if one.best is not None}
    worksheet.freeze_panes(1, 0)
    for place, column in enumerate(raw_columns(sheet)):
        _write_text(worksheet, (0, place), cell_text(column.heading), formats.heading)
        bold = best.get(column.key, (False,) * len(column.cells))
        for row, (value, is_bold) in enumerate(zip(column.cells, bold, strict=True), start=1):
            is_risky = isinstance(value, str) and harmless(value) != value
            how = formats.quoted if is_risky else formats.of(_number_format(value, column), is_bold=is_bold)
            _write_cell(worksheet, (row, place), value, how)
        worksheet.set_column(place, place, _width(column))


def _write_cell(worksheet: Worksheet, place: tuple[int, int], value: Raw, how: Format) -> None:
    """A value as what it is."""
    if isinstance(value, bool):
        worksheet.write_boolean(*place, value, how)
    elif isinstance(value, str):
        _write_text(worksheet, place, cell_text(value), how)
    elif value is not None:
        worksheet.write_number(*place, value, how)


def _write_text(worksheet: Worksheet, place: tuple[int, int], text: str, how: Format) -> None:
    """A text as it is. XlsxWriter takes one between ``<r>`` and ``</r>`` for XML of its own, unless it is in pieces."""
    if text.startswith("<r>") and text.endswith("</r>"):
        worksheet.write_rich_string(*place, *text[:2], text[2:], how)
    else:
        worksheet.write_string(*place, text, how)


def _write_about(worksheet: Worksheet, sheets: Mapping[str, Sheet], formats: _Formats) -> None:
    """What the worksheets hold, and what holds for them: signature, seed, digest."""
    row = 0
    for name, sheet in sheets.items():
        _write_text(worksheet, (row, 0), name, formats.heading)
        _write_text(worksheet, (row, 1), cell_text(sheet.caption), formats.wrapped)
        for fact, value in sheet.facts.items():
            row += 1
            _write_text(worksheet, (row, 0), cell_text(fact), formats.wrapped)
            _write_cell(worksheet, (row, 1), value, formats.wrapped)
        row += 2
    worksheet.set_column(0, 0, 22)
    worksheet.set_column(1, 1, 100)


def _number_format(value: Raw, column: RawColumn) -> str:
    if not isinstance(value, int | float) or column.kind not in SIZED:
        return NUMBER_FORMATS.get(column.kind, "")
    limit = 1 if column.kind in SIGNED else numbers.UNIT_SCALE
    is_small = abs(value) < limit if column.decimals is None else column.decimals == MOST_DECIMALS
    if column.kind in SIGNED:
        return SIGNED_SMALL if is_small else SIGNED_LARGE
    return SMALL if is_small else LARGE


def _width(column: RawColumn) -> int:
    longest = max((len(value) for value in column.cells if isinstance(value, str)), default=0)
    return max(NARROWEST, min(WIDEST, max(longest, len(column.heading)) + 2))


def _n_units(text: str) -> int:
    return len(text) + sum(character > "\uffff" for character in text)


def _cut(text: str, n_units: int) -> str:
    """The beginning of a text, in whole characters."""
    return text.encode("utf-16-le", "surrogatepass")[: 2 * n_units].decode("utf-16-le", "ignore")
