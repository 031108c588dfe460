"""One file -> its columns: finds out which format it is and hands it to that format's reader."""

from dataclasses import dataclass, replace

from bleucore.errors import InputError
from bleucore.formats import (
    decoding,
    json_texts,
    json_values,
    names,
    sgml_segments,
    tables,
    workbooks,
    xml_segments,
)
from bleucore.formats.budget import Budget
from bleucore.formats.columns import Column
from bleucore.formats.nist_xml import nist_columns
from bleucore.formats.wmt_xml import wmt_columns

_JSON_ENDINGS = (".json", ".jsonl", ".ndjson")
_OTHER_ENDINGS = {".yaml": "a YAML file", ".yml": "a YAML file", ".toml": "a TOML file", ".ipynb": "a notebook"}


def read(
    name: str,
    data: bytes,
    *,
    header: bool | None = None,
    encoding: str | None = None,
    max_bytes: int = 512 * 1024**2,
    budget: Budget | None = None,
) -> tuple[Column, ...]:
    """The columns of a file: one of a plain text, several of XML, JSON and tables.

    Args:
        name: The file's name; its ending tells tables and XML apart from plain text.
        data: The file's bytes, perhaps compressed with gzip.
        header: Whether the first row of a table names its columns; ``None`` to find out.
        encoding: What to read a text in that is neither UTF-8 nor has a byte-order mark; ``None`` to refuse it.
        max_bytes: The most that is read, after decompression.
        budget: What the texts may cost; ``None`` for whatever fits into memory.

    Raises:
        EncodingError: The text is not UTF-8; the error offers encodings that fit.
        InputError: The file cannot be read completely and without guessing.
    """
    if workbooks.is_workbook(data):
        columns = workbooks.workbook_columns(name, data, header=header, max_bytes=max_bytes)
    else:
        columns = _text_columns(name, data, _Wishes(header, encoding, max_bytes, budget))
    if budget is not None:
        budget.refuse_columns(columns)
    return columns


@dataclass(frozen=True)
class _Wishes:
    """How a text is to be read, as ``read`` has it."""

    header: bool | None
    encoding: str | None
    max_bytes: int
    budget: Budget | None


def _text_columns(name: str, data: bytes, wishes: _Wishes) -> tuple[Column, ...]:
    content = decoding.unpack(name, data, wishes.max_bytes)
    is_marked = decoding.has_byte_order_mark(content)
    notices = decoding.byte_order_notices(name, content)
    text = decoding.decode(name, content) if is_marked else None
    if wishes.encoding is not None and not (
        is_marked or decoding.is_utf_8(content) or xml_segments.declares_encoding(content)
    ):
        text = decoding.decode(name, content, wishes.encoding)
        notices += (f"{name}: read as {wishes.encoding}, because it is not UTF-8.",)
    columns = _columns(name, content, text, wishes)
    return tuple(replace(column, notices=(*notices, *column.notices)) for column in columns)


def _columns(name: str, content: bytes, text: str | None, wishes: _Wishes) -> tuple[Column, ...]:
    """The columns of content that is decoded already if its bytes are not plain UTF-8."""
    markup = content if text is None else text.encode()
    if names.is_named_xml(name) or xml_segments.looks_like_xml(markup):
        return _xml_columns(name, markup, is_unicode=text is not None)
    _refuse_other_endings(name)
    if text is None:
        text = decoding.decode(name, content)
    is_table = names.is_table(name)
    if not is_table and (_ending_is(name, _JSON_ENDINGS) or json_values.looks_like_json(text)):
        return json_texts.json_columns(name, text)
    if wishes.budget is not None:
        wishes.budget.refuse_lines(name, text)
    if is_table:
        return tables.table_columns(name, text, header=wishes.header)
    return (Column(name, names.stem(name), None, tuple(decoding.lines_of(name, text)), None, 1),)


def _ending_is(name: str, endings: tuple[str, ...]) -> bool:
    return name.lower().removesuffix(".gz").endswith(endings)


def _refuse_other_endings(name: str) -> None:
    if names.is_named_workbook(name):
        raise InputError(
            "this is no XLSX workbook",
            where=name,
            found="text",
            expected="a workbook, which is a kind of ZIP archive",
            remedy="Save the table as XLSX, or name the file .tsv or .csv if it is that.",
        )
    for ending, kind in _OTHER_ENDINGS.items():
        if _ending_is(name, (ending,)):
            raise InputError(
                "this format is not read",
                where=name,
                found=kind,
                expected="plain text, JSON, XML, TSV, CSV or XLSX",
                remedy="Save the texts in one of these, one segment a line or a row.",
            )


def _xml_columns(name: str, markup: bytes, *, is_unicode: bool) -> tuple[Column, ...]:
    escaped, notices = xml_segments.with_bare_ampersands_escaped(name, markup)
    try:
        parsed = xml_segments.parse(name, escaped, is_unicode=is_unicode)
    except xml_segments.BrokenXmlError:
        if not xml_segments.may_be_sgml(name, markup):
            raise
        parsed, notices = sgml_segments.parse_sgml(name, decoding.decode(name, markup))
    columns = wmt_columns(name, parsed) if parsed.root == "dataset" else nist_columns(name, parsed)
    return tuple(replace(column, notices=notices) for column in columns)
