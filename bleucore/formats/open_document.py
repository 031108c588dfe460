"""Sheets of OpenDocument (.ods) -> rows of texts."""

import io
import zipfile
import zlib
from collections.abc import Iterator
from itertools import islice
from typing import cast

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import ParseError, fromstring

from bleucore.errors import InputError
from bleucore.formats.archives import read_zip
from bleucore.formats.columns import MAX_COLUMNS, Column, refuse_excess
from bleucore.formats.decoding import ZIP
from bleucore.formats.sheets import MOST_SHEETS, one_of_sheets
from bleucore.formats.table_rows import Row
from bleucore.formats.tables import columns_of_rows
from bleucore.formats.unit_xml import Element

_MIME = b"application/vnd.oasis.opendocument.spreadsheet"
_CONTENT = "content.xml"
_REMEDY = "Save the sheet again, or as CSV."


def is_open_sheet(data: bytes) -> bool:
    """Whether these are the bytes of a sheet of OpenDocument."""
    return data.startswith(ZIP) and _MIME in data[:200]


def sheet_columns(file: str, data: bytes, *, header: bool | None, max_bytes: int) -> tuple[Column, ...]:
    """One column for each column of the sheets that hold texts of one test set, else of one sheet.

    Raises:
        InputError: The file is damaged, holds too much, or no sheet holds a text.
    """
    root = _parsed(file, data, max_bytes)
    sheets = [one for one in root.iter() if _tag(one) == "table"]
    names = [_attribute(one, "name") or f"sheet {number}" for number, one in enumerate(sheets, start=1)]
    read: dict[str, tuple[Column, ...]] = {}
    n_cells, first_fault = 0, None
    for name, sheet in list(zip(names, sheets, strict=True))[:MOST_SHEETS]:
        try:
            rows = list(_rows(file, sheet))
            width = max((len(row) for row in rows), default=0)
            if width:
                found = (Row(number, number + 1, row + [""] * (width - len(row))) for number, row in enumerate(rows, 1))
                read[name] = columns_of_rows(file, found, header=header)
        except InputError as error:
            first_fault = first_fault or (error if not read else None)
            continue
        n_cells += sum(len(column.segments) for column in read.get(name, ()))
        refuse_excess(file, n_cells)
    if first_fault is not None:
        raise first_fault
    if read:
        return one_of_sheets(file, read, names)
    raise InputError(
        "no sheet holds a text",
        where=file,
        found="empty sheets",
        expected="a sheet with one segment a row",
        remedy="Load the file that holds the texts.",
    )


def _parsed(file: str, data: bytes, max_bytes: int) -> Element:
    try:
        parts = dict(read_zip(file, zipfile.ZipFile(io.BytesIO(data)), max_bytes))
        return cast("Element", fromstring(parts[_CONTENT], forbid_dtd=True))
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, zlib.error, KeyError, ParseError) as error:
        raise _damaged(file, str(error)) from error
    except DefusedXmlException as error:
        raise _damaged(file, "declarations in its XML") from error


def _damaged(file: str, found: str) -> InputError:
    return InputError(
        "the OpenDocument sheet is damaged",
        where=file,
        found=" ".join(found.split())[:80],
        expected="a complete file",
        remedy=_REMEDY,
    )


def _tag(element: Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _attribute(element: Element, name: str) -> str:
    return element.get(f"{{urn:oasis:names:tc:opendocument:xmlns:table:1.0}}{name}", "")


def _times(element: Element, name: str) -> int:
    written = _attribute(element, name)
    return int(written) if written.isascii() and written.isdecimal() and len(written) < 9 else 1  # noqa: PLR2004


def _rows(file: str, sheet: Element) -> Iterator[list[str]]:
    """The rows up to the last with a text, and of each the cells up to its last.

    Raises:
        InputError: They hold too many cells.
    """
    n_empty = n_cells = 0
    for element in sheet.iter():
        if _tag(element) != "table-row":
            continue
        cells = list(islice(_cells(element), MAX_COLUMNS + 1))
        while cells and not cells[-1]:
            cells.pop()
        times = _times(element, "number-rows-repeated")
        if not cells:
            n_empty += times
            continue
        n_cells += len(cells) * times + n_empty
        refuse_excess(file, n_cells, len(cells))
        yield from ([""] for _ in range(n_empty))
        yield from (list(cells) for _ in range(times))
        n_empty = 0


def _cells(row: Element) -> Iterator[str]:
    for cell in row:
        if _tag(cell) in ("table-cell", "covered-table-cell"):
            paragraphs = [" ".join("".join(one.itertext()).split()) for one in cell if _tag(one) == "p"]
            for _ in range(min(_times(cell, "number-columns-repeated"), MAX_COLUMNS)):
                yield " ".join(paragraphs)
