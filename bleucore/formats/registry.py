"""Every format of files, declared once: whose files they are by their names or content, and what reads them.

A new format is a reader and an entry here; that of another package is an entry point in the group
``bleuscope.formats``, a ``Format``.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import NoReturn

from bleucore.errors import InputError
from bleucore.formats import (
    arrow_tables,
    decoding,
    inspect_logs,
    json_texts,
    json_values,
    markup_tables,
    names,
    open_document,
    sgml_segments,
    tables,
    unit_xml,
    workbooks,
    xml_segments,
)
from bleucore.formats.budget import Budget
from bleucore.formats.columns import Column, refuse_excess
from bleucore.formats.line_formats import LINE_FORMATS, is_of
from bleucore.formats.line_reading import LineFormat
from bleucore.formats.nist_xml import nist_columns
from bleucore.formats.quoted_lines import without_line_quotes
from bleucore.formats.r_tables import fixed_width_with_tabs, is_of_fixed_width, is_r_table, with_tabs
from bleucore.formats.reasoning import text_without_reasoning
from bleucore.formats.wmt_xml import wmt_columns
from bleucore.plugins import Plugin, Registry, plugins
from bleucore.values import HALF_A_PAIR, lone_surrogate, shown
from bleucore.written_numbers import count_of

ANY_NAME = ("",)
PLAIN_ENDINGS = (".txt", ".tsv", ".csv", ".xlsx", ".xlsm")
"""Files of these names are what the program takes them for, whatever other packages read."""
OWN_ENDINGS = (*PLAIN_ENDINGS, ".json", ".jsonl", ".ndjson", ".xml", ".sgm", ".sgml")
_JSON_ENDINGS = (".json", ".jsonl", ".ndjson")
_OTHER_ENDINGS = {".toml": "a TOML file", ".ipynb": "a notebook"}
_REMEDY = "Ask whoever made the package, or save the texts as TSV."


@dataclass(frozen=True)
class Content:
    """A file, and how it is to be read.

    Attributes:
        name: Of the file.
        raw: Its bytes, perhaps compressed with gzip.
        header: Whether the first row of a table names its columns; ``None`` to find out.
        encoding: What to read a text in that is neither UTF-8 nor has a byte-order mark; ``None`` to refuse it.
        max_bytes: The most that is read, after decompression.
        budget: What the texts may cost; ``None`` for whatever fits into memory.
    """

    name: str
    raw: bytes
    header: bool | None = None
    encoding: str | None = None
    max_bytes: int = 512 * 1024**2
    budget: Budget | None = None

    @cached_property
    def data(self) -> bytes:
        """The bytes, decompressed.

        Raises:
            InputError: There are none or too many, they are damaged, or no text.
        """
        return decoding.unpack(self.name, self.raw, self.max_bytes)

    @cached_property
    def text(self) -> str:
        """The text, without its byte-order mark, and with line feeds where an old Macintosh wrote it.

        Raises:
            EncodingError: It is not UTF-8, and nothing says what else it is.
            InputError: It is not what its byte-order mark or ``encoding`` says.
        """
        return decoding.with_line_feeds(decoding.decode(self.name, self.data, self.encoding))

    @cached_property
    def markup(self) -> bytes:
        """The text in UTF-8, or the bytes as they are where markup can say what they are in."""
        return self.text.encode() if self.is_unicode else self.data

    @cached_property
    def is_unicode(self) -> bool:
        """Whether the encoding is known without reading the markup: by a byte-order mark, or as it was named."""
        return decoding.has_byte_order_mark(self.data) or self._is_read_otherwise

    @cached_property
    def _is_read_otherwise(self) -> bool:
        is_named = self.encoding is not None and not decoding.has_byte_order_mark(self.data)
        return is_named and not (decoding.is_utf_8(self.data) or xml_segments.declares_encoding(self.data))

    @property
    def notices(self) -> tuple[str, ...]:
        """What to say of how the bytes became text."""
        notices = decoding.byte_order_notices(self.name, self.data)
        if self._is_read_otherwise:
            notices += (f"{self.name}: read as {self.encoding}, because it is not UTF-8.",)
        if b"\r" in self.data and b"\n" not in self.data:
            notices += (f"{self.name}: carriage returns end its lines, as on an old Macintosh.",)
        return notices

    def is_named(self, *endings: str) -> bool:
        """Whether the file's name, without the ending of what compressed it, ends so, in capitals or not."""
        name = self.name.lower()
        return (name.rpartition(".")[0] if name.endswith(names.COMPRESSED) else name).endswith(endings)


@dataclass(frozen=True)
class Format:
    """One form of files.

    Attributes:
        columns: Of a file: its columns, or an ``InputError`` that says what is wrong, where, and what to do.
        endings: Names of its files end in one of these, in small letters.
        recognises: Of a file so named: whether it is of this format; ``None`` where the name says it.
        is_text: Whether it is read as text, and not as bytes.
        example: The name and the bytes of a small file of it.
    """

    columns: Callable[[Content], Sequence[Column]]
    endings: tuple[str, ...] = ANY_NAME
    recognises: Callable[[Content], bool] | None = None
    is_text: bool = True
    example: tuple[str, bytes] = ("", b"")

    def is_of(self, content: Content) -> bool:
        """Whether a file is of this format."""
        is_named = self.endings == ANY_NAME or content.is_named(*self.endings)
        return is_named and (self.recognises is None or self.recognises(content))


def format_of(content: Content) -> Format:
    """The format of a file: the first that it is of, those of other packages first."""
    may_be_added = not content.is_named(*PLAIN_ENDINGS)
    known = [*(FORMATS.added.values() if may_be_added else ()), *_OWN.values()]
    found: Format = next(one for one in known if one.is_of(content))
    return found


def _xml_columns(content: Content) -> Sequence[Column]:
    name = content.name
    if unit_xml.is_unit_xml(content.markup):
        return unit_xml.unit_columns(name, content.markup)
    escaped, notices = xml_segments.with_bare_ampersands_escaped(name, content.markup)
    try:
        parsed = xml_segments.parse(name, escaped, is_unicode=content.is_unicode)
    except xml_segments.BrokenXmlError:
        if not xml_segments.may_be_sgml(name, content.markup):
            raise
        parsed, notices = sgml_segments.parse_sgml(name, decoding.decode(name, content.markup))
    columns = wmt_columns(name, parsed) if parsed.root == "dataset" else nist_columns(name, parsed)
    return [replace(column, notices=notices) for column in columns]


def _yaml_columns(content: Content) -> Sequence[Column]:
    from bleucore.formats.yaml_values import yaml_values  # noqa: PLC0415  # a tenth of the start of a command

    return json_texts.columns_of_values(content.name, yaml_values(content.name, content.text))


def _lines(content: Content) -> Sequence[Column]:
    _refuse_many_lines(content)
    text, n_spans = text_without_reasoning(content.text)
    lines = tuple(decoding.lines_of(content.name, text))
    said = (f"{content.name}: {count_of(n_spans, 'span')} of reasoning before answers left out.",) if n_spans else ()
    taken = without_line_quotes(content.name, lines)
    if taken is not None and taken.is_sure:
        lines, said, taken = taken.lines, (*said, taken.said), None
    return [Column(content.name, names.stem(content.name), None, lines, None, 1, said, is_quoted=taken is not None)]


def _of_lines(found: LineFormat) -> Format:
    def columns(content: Content) -> Sequence[Column]:
        _refuse_many_lines(content)
        return found.columns(content.name, content.text)

    return Format(columns, recognises=lambda content: is_of(content.text, found))


def _rows(content: Content) -> Sequence[Column]:
    _refuse_many_lines(content)
    return tables.table_columns(content.name, content.text, header=content.header)


def _refuse_many_lines(content: Content) -> None:
    if content.budget is not None:
        content.budget.refuse_lines(content.name, content.text)


def _refused(content: Content) -> NoReturn:
    if names.is_named_workbook(content.name):
        raise InputError(
            "this is no XLSX workbook",
            where=content.name,
            found="text",
            expected="a workbook, which is a kind of ZIP archive",
            remedy="Save the table as XLSX, or name the file .tsv or .csv if it is that.",
        )
    raise InputError(
        "this format is not read",
        where=content.name,
        found=next(kind for ending, kind in _OTHER_ENDINGS.items() if content.is_named(ending)),
        expected="plain text, JSON, XML, TSV, CSV or XLSX",
        remedy="Save the texts in one of these, one segment a line or a row.",
    )


_OWN: Mapping[str, Format] = MappingProxyType(
    {
        "XLSX": Format(
            lambda content: workbooks.workbook_columns(
                content.name, content.raw, header=content.header, max_bytes=content.max_bytes
            ),
            recognises=lambda content: workbooks.is_workbook(content.raw),
            is_text=False,
        ),
        "ODS": Format(
            lambda content: open_document.sheet_columns(
                content.name, content.raw, header=content.header, max_bytes=content.max_bytes
            ),
            recognises=lambda content: open_document.is_open_sheet(content.raw),
            is_text=False,
        ),
        "log of Inspect": Format(
            lambda content: inspect_logs.log_columns(content.name, content.raw, max_bytes=content.max_bytes),
            recognises=lambda content: inspect_logs.is_inspect_archive(content.raw),
            is_text=False,
        ),
        "Parquet and Arrow": Format(
            lambda content: arrow_tables.arrow_columns(content.name, content.raw, content.max_bytes),
            recognises=lambda content: arrow_tables.is_arrow_table(content.raw),
            is_text=False,
        ),
        "table of a web page": Format(
            lambda content: markup_tables.web_columns(content.name, content.text),
            recognises=lambda content: decoding.is_page_with_table(content.data),
        ),
        "XML": Format(
            _xml_columns,
            recognises=lambda content: (
                names.is_named_xml(content.name)
                or unit_xml.is_unit_xml(content.markup)
                or xml_segments.looks_like_xml(content.markup)
            ),
        ),
        "YAML": Format(
            _yaml_columns,
            (".yaml", ".yml"),
        ),
        "what is not read": Format(_refused, (".xlsx", ".xlsm", *_OTHER_ENDINGS)),
        "table": Format(_rows, (".tsv", ".csv")),
        "JSON": Format(
            lambda content: json_texts.json_columns(content.name, content.text),
            recognises=lambda content: content.is_named(*_JSON_ENDINGS) or json_values.looks_like_json(content.text),
        ),
        **{one.called: _of_lines(one) for one in LINE_FORMATS},
        "table of R": Format(
            lambda content: tables.table_columns(content.name, with_tabs(content.text), header=True),
            recognises=lambda content: is_r_table(content.text),
        ),
        "table of a fixed width": Format(
            lambda content: tables.table_columns(
                content.name, fixed_width_with_tabs(content.name, content.text), header=True
            ),
            recognises=lambda content: is_of_fixed_width(content.text),
        ),
        "table without the name of one": Format(_rows, recognises=lambda content: tables.is_table(content.text)),
        "plain text": Format(_lines),
    }
)
"""In the order in which a file is looked at."""


def _fault(format_: Format) -> str | None:
    """Why a format of another package cannot be used."""
    if not format_.endings or not all(one.startswith(".") and one == one.lower() for one in format_.endings):
        return 'its endings are not all in small letters and with a dot, as in ".po"'
    kept = [one for one in format_.endings if one.endswith(PLAIN_ENDINGS)]
    if kept:
        return f"it takes files named {kept[0]}, which the program reads itself"
    if format_.recognises is None:
        taken = [one for one in format_.endings if one.endswith(OWN_ENDINGS)]
        if taken:
            return f"it does not say how it recognises files named {taken[0]}, which the program reads itself"
    return None


def _guarded(format_: Format, plugin: Plugin) -> Format:
    """The same, refused by its name where it fails, or gives what are no columns."""

    def columns(content: Content) -> Sequence[Column]:
        if not format_.is_text and len(content.raw) > content.max_bytes:
            raise decoding.too_large(content.name, len(content.raw), content.max_bytes)
        try:
            found = list(format_.columns(content))
        except (InputError, MemoryError):
            raise
        except Exception as error:
            raise InputError(
                f"{plugin} failed",
                where=content.name,
                found=f"{type(error).__name__}: {shown(str(error))}",
                remedy=_REMEDY,
            ) from error
        wrong = fault_of_columns(found)
        if wrong is not None:
            raise InputError(f"{plugin} gives no columns of texts", where=content.name, found=wrong, remedy=_REMEDY)
        refuse_excess(content.name, sum(len(one.segments) for one in found), len(found))
        return found

    def recognises(content: Content) -> bool:
        try:
            return format_.recognises is None or bool(format_.recognises(content))
        except InputError:
            return False  # the format of the program that is left for the file says what is wrong with it
        except Exception as error:
            raise InputError(
                f"{plugin} failed",
                where=content.name,
                found=f"{type(error).__name__}: {shown(str(error))}",
                remedy=_REMEDY,
            ) from error

    return replace(format_, columns=columns, recognises=recognises)


def fault_of_columns(columns: Sequence[object]) -> str | None:
    """Why these are no columns of a file; ``None`` if they are."""
    if not columns:
        return "no column"
    for column in columns:
        if not isinstance(column, Column):
            return f"{type(column).__name__}, which is no Column"
        if not column.segments or len(column.segments) != len(columns[0].segments):  # type: ignore[attr-defined]
            return "columns of different lengths" if column.segments else "a column without segments"
        wrong = next((text for text in column.segments if not (text is None or isinstance(text, str))), None)
        if wrong is not None:
            return f"{type(wrong).__name__} where a text should be"
        half = next((text for text in column.segments if text and lone_surrogate(text) is not None), None)
        if half is not None:
            return f"{HALF_A_PAIR}, in {shown(half)}"
    return None


def _of_packages() -> Mapping[str, Format]:
    """The formats of other packages, by the names of their entry points."""

    def fault(name: str, format_: Format) -> str | None:
        return f"there is a format of the name {shown(name)}" if name in _OWN else _fault(format_)

    return {
        plugin.name: _guarded(format_, plugin) for plugin, format_ in plugins("bleuscope.formats", Format, fault=fault)
    }


FORMATS: Registry[str, Format] = Registry(_OWN, _of_packages)
"""Of the program, in the order in which a file is looked at, and of other packages."""
