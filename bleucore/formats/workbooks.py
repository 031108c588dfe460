"""XLSX workbooks -> rows of texts.

Read here and not by a library: those at hand change texts (openpyxl drops "x005F_") or take memory for every cell up to
the last one, so that a file of some bytes could ask for gigabytes. A workbook is XML in ZIP, and both are read safely
for other formats already.
"""

import io
import posixpath
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser, ParseError

from bleucore.errors import InputError
from bleucore.formats.archives import read_zip
from bleucore.formats.columns import Column, refuse_excess
from bleucore.formats.decoding import ZIP
from bleucore.formats.sheets import MOST_SHEETS, one_of_sheets
from bleucore.formats.table_rows import Row
from bleucore.formats.tables import columns_of_rows
from bleucore.values import shown

_WORKBOOK = "xl/workbook.xml"
_RELATIONS, _STRINGS = "xl/_rels/workbook.xml.rels", "sharedStrings"
_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")
_SURROGATES = range(0xD800, 0xE000)
_CELL_NAME = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")
_LETTERS = 26
_MAX_ROW, _LARGEST_WHOLE = 1_048_576, 1e15
_MAX_NAMED = 5
_REMEDY = "Save the workbook again as XLSX, or the sheet as TSV or CSV."


def is_workbook(data: bytes) -> bool:
    """Whether the data is an XLSX workbook."""
    return data.startswith(ZIP) and _WORKBOOK.encode() in data


def workbook_columns(file: str, data: bytes, *, header: bool | None, max_bytes: int) -> tuple[Column, ...]:
    """One column for each column of the sheets that hold texts of one test set, else of one sheet.

    Raises:
        InputError: The workbook is damaged or encrypted, holds too much, or no sheet holds a text.
    """
    parts = _parts(file, data, max_bytes)
    strings_path, sheets = _contents(file, parts)
    strings = _Strings()
    if strings_path is not None:
        _parse(file, parts[strings_path], strings)
    read: dict[str, tuple[Column, ...]] = {}
    n_cells, first_fault = 0, None
    for name, path in sheets[:MOST_SHEETS]:
        try:
            sheet = _Sheet(file, strings.texts, max_bytes)
            _parse(file, parts[path], sheet)
            if sheet.has_texts:
                read[name] = columns_of_rows(file, sheet.rows(), header=header, notices=sheet.notices())
        except InputError as error:
            first_fault = first_fault or (error if not read else None)
            continue
        n_cells += sum(len(column.segments) for column in read.get(name, ()))
        refuse_excess(file, n_cells)
    if first_fault is not None:
        raise first_fault
    if read:
        return one_of_sheets(file, read, [name for name, _ in sheets])
    raise InputError(
        "no sheet holds a text",
        where=file,
        found=", ".join(shown(name) for name, _ in sheets[:_MAX_NAMED]) or "no sheet",
        expected="a sheet with one segment a row",
        remedy="Load the workbook that holds the texts.",
    )


def _parts(file: str, data: bytes, max_bytes: int) -> Mapping[str, bytes]:
    """The files in the workbook."""
    try:
        return dict(read_zip(file, zipfile.ZipFile(io.BytesIO(data)), max_bytes))
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, zlib.error) as error:
        raise _damaged(file, str(error)) from error


def _contents(file: str, parts: Mapping[str, bytes]) -> tuple[str | None, list[tuple[str, str]]]:
    """Where the shared strings are, if there are any, and the sheets by name in the order of the workbook."""
    workbook, relations = _Elements(), _Elements()
    for path, reader in ((_WORKBOOK, workbook), (_RELATIONS, relations)):
        if path not in parts:
            raise _damaged(file, f"no {path}")
        _parse(file, parts[path], reader)
    targets = {
        attributes.get("Id", ""): (
            attributes.get("Type", ""),
            posixpath.normpath(posixpath.join("/xl", attributes.get("Target", ""))).lstrip("/"),
        )
        for tag, attributes in relations.found
        if tag == "Relationship"
    }
    strings = next((path for kind, path in targets.values() if kind.endswith(_STRINGS)), None)
    sheets: list[tuple[str, str]] = []
    for tag, attributes in workbook.found:
        if tag == "sheet":
            identifier = next((value for name, value in attributes.items() if name.endswith("}id")), "")
            kind, path = targets.get(identifier, ("", ""))
            if kind.endswith("/worksheet"):
                sheets.append((attributes.get("name", path), path))
    missing = [path for path in (strings, *(path for _, path in sheets)) if path is not None and path not in parts]
    if missing:
        raise _damaged(file, f"no {missing[0]}")
    return strings, sheets


class _Elements:
    """Receives the elements of a part with their attributes."""

    def __init__(self) -> None:
        self.found: list[tuple[str, dict[str, str]]] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Note an element."""
        self.found.append((_local(name), attributes))

    def close(self) -> None:
        """Nothing is left to do."""


class _Strings:
    """Receives the strings that cells share; readings of Japanese that stand beside them are no text."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._text: list[str] | None = None
        self._in_text = self._in_reading = False

    def start(self, name: str, attributes: dict[str, str]) -> None:  # noqa: ARG002  # the parser's form
        """Begin an element."""
        tag = _local(name)
        if tag == "si":
            self._text = []
        self._in_reading |= tag == "rPh"
        self._in_text = tag == "t" and not self._in_reading

    def data(self, text: str) -> None:
        """Take up text."""
        if self._in_text and self._text is not None:
            self._text.append(text)

    def end(self, name: str) -> None:
        """End an element."""
        tag = _local(name)
        self._in_text = False
        if tag == "rPh":
            self._in_reading = False
        elif tag == "si":
            self.texts.append(_unescaped("".join(self._text or ())))
            self._text = None

    def close(self) -> None:
        """Nothing is left to do."""


@dataclass
class _Cell:
    """A cell that is being read: its place, kind and value."""

    row: int
    column: int
    kind: str
    value: list[str] = field(default_factory=list)
    has_formula: bool = False


class _Sheet:
    """Receives the cells of a sheet."""

    def __init__(self, file: str, strings: list[str], max_bytes: int) -> None:
        self.has_texts = False
        self._file, self._strings, self._room = file, strings, max_bytes
        self._rows: dict[int, dict[int, str]] = {}
        self._row = self._column = 0
        self._cell: _Cell | None = None
        self._takes = False
        self._n_hidden = self._n_merged = self._n_unset = 0
        self._errors: list[str] = []
        self._n_cells = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Begin an element."""
        tag = _local(name)
        if tag == "row":
            self._row = _number(attributes.get("r"), self._row + 1)
            self._column = 0
            self._n_hidden += attributes.get("hidden") in ("1", "true")
        elif tag == "c":
            self._begin_cell(attributes)
        elif tag == "mergeCell":
            self._n_merged += 1
        elif tag == "f" and self._cell is not None:
            self._cell.has_formula = True
        self._takes = tag in ("v", "t") and self._cell is not None

    def data(self, text: str) -> None:
        """Take up text."""
        if self._takes and self._cell is not None:
            self._cell.value.append(text)

    def end(self, name: str) -> None:
        """End an element."""
        self._takes = False
        if _local(name) == "c" and self._cell is not None:
            self._keep(self._cell)
            self._cell = None

    def close(self) -> None:
        """Nothing is left to do."""

    def rows(self) -> Iterator[Row]:
        """All rows from the first to the last that holds something, as wide as all of them together."""
        columns = sorted({column for row in self._rows.values() for column in row})
        first, last = min(self._rows), max(self._rows)
        refuse_excess(self._file, (last - first + 1) * len(columns), len(columns))
        for number in range(first, last + 1):
            row = self._rows.get(number, {})
            yield Row(number, number + 1, [row.get(column, "") for column in columns])

    def notices(self) -> tuple[str, ...]:
        """What is worth knowing of how the sheet was read."""
        file = self._file
        first = self._errors[0] if self._errors else ""
        said = (
            (self._n_hidden > 0, f"{file}: hidden rows were read as well ({self._n_hidden:,})."),
            (self._n_merged > 0, f"{file}: of merged cells the first alone holds the text ({self._n_merged:,})."),
            (self._n_unset > 0, f"{file}: formulas without a stored value were read as empty ({self._n_unset:,})."),
            (bool(self._errors), f"{file}: cells show an error of a formula ({len(self._errors):,}), first {first}."),
        )
        return tuple(sentence for holds, sentence in said if holds)

    def _begin_cell(self, attributes: dict[str, str]) -> None:
        place = _CELL_NAME.fullmatch(attributes.get("r", ""))
        row, column = self._row, self._column + 1
        if place is not None:
            row, column = int(place[2]), _column_number(place[1])
        if not 1 <= row <= _MAX_ROW:
            raise _damaged(self._file, f"a cell in row {row:,}")
        self._row, self._column = row, column
        self._cell = _Cell(row, column, attributes.get("t", "n"))

    def _keep(self, cell: _Cell) -> None:
        text = self._text(cell)
        if not text:
            self._n_unset += cell.has_formula and cell.kind != "str"
            return
        self._room -= len(text)
        self._n_cells += 1
        refuse_excess(self._file, self._n_cells)
        if self._room < 0:
            raise InputError(
                "the sheet holds too much text",
                where=self._file,
                line=cell.row,
                expected="less, when every cell has its own copy",
                remedy="Split the test set into smaller files.",
            )
        if cell.kind == "e":
            self._errors.append(f"{text} in row {cell.row:,}")
        self.has_texts |= cell.kind in ("s", "str", "inlineStr")
        self._rows.setdefault(cell.row, {})[cell.column] = text

    def _text(self, cell: _Cell) -> str:
        value = "".join(cell.value)
        if cell.kind == "s":
            number = _number(value, -1)
            if not 0 <= number < len(self._strings):
                raise _damaged(self._file, f"shared string {shown(value)} in row {cell.row:,}")
            return self._strings[number]
        if cell.kind == "b":
            return {"1": "TRUE", "0": "FALSE"}.get(value, value)
        return _plain_number(value) if cell.kind == "n" else _unescaped(value)


def _parse(file: str, content: bytes, target: object) -> None:
    parser = DefusedXMLParser(target=target, forbid_dtd=True)
    try:
        parser.feed(content)
        parser.close()
    except (ParseError, DefusedXmlException, ValueError, LookupError) as error:
        raise _damaged(file, str(error)) from error


def _local(name: str) -> str:
    return name.rpartition("}")[2]


def _number(text: str | None, otherwise: int) -> int:
    """The whole number that is written, or the other one."""
    return (
        int(text)
        if text is not None and text.isascii() and text.isdecimal() and len(text) < len("1" * 9)
        else otherwise
    )


def _column_number(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * _LETTERS + ord(letter) - ord("A") + 1
    return number


def _plain_number(value: str) -> str:
    """A number as a table shows it: 3 for "3.0", and no more digits than tell it from its neighbours."""
    try:
        number = float(value)
    except ValueError:
        return value
    return str(int(number)) if number.is_integer() and abs(number) < _LARGEST_WHOLE else repr(number)


def _unescaped(text: str) -> str:
    """The text with characters for what XLSX writes as _x000D_."""

    def character(found: re.Match[str]) -> str:
        code = int(found[1], 16)
        return found[0] if code in _SURROGATES else chr(code)

    return _ESCAPE.sub(character, text)


def _damaged(file: str, found: str) -> InputError:
    return InputError(
        "the workbook is damaged or no XLSX",
        where=file,
        found=" ".join(found.split())[:80] or "what cannot be read",
        expected="a complete XLSX workbook",
        remedy=_REMEDY,
    )
