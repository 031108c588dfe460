"""One file -> its columns: finds out which format it is and hands it to that format's reader."""

from dataclasses import replace

from bleucore.formats import decoding, names, tables, xml_segments
from bleucore.formats.columns import Column
from bleucore.formats.nist_xml import nist_columns
from bleucore.formats.wmt_xml import wmt_columns


def read(name: str, data: bytes, *, header: bool | None = None, max_bytes: int = 512 * 1024**2) -> tuple[Column, ...]:
    """The columns of a file: one of a plain text, several of XML and tables.

    Args:
        name: The file's name; its ending tells tables and XML apart from plain text.
        data: The file's bytes, perhaps compressed with gzip.
        header: Whether the first row of a table names its columns; ``None`` to find out.
        max_bytes: The most that is read, after decompression.

    Raises:
        InputError: The file cannot be read completely and without guessing.
    """
    content = decoding.unpack(name, data, max_bytes)
    marked = decoding.has_byte_order_mark(content)
    text = decoding.decode(name, content) if marked else None
    markup = content if text is None else text.encode()
    if names.is_named_xml(name) or xml_segments.looks_like_xml(markup):
        return _xml_columns(name, markup, is_unicode=marked)
    if text is None:
        text = decoding.decode(name, content)
    if names.is_table(name):
        return tables.table_columns(name, text, header=header)
    return (Column(name, names.stem(name), None, tuple(decoding.lines_of(name, text)), None, 1),)


def _xml_columns(name: str, markup: bytes, *, is_unicode: bool) -> tuple[Column, ...]:
    escaped, notices = xml_segments.with_bare_ampersands_escaped(name, markup)
    parsed = xml_segments.parse(name, escaped, is_unicode=is_unicode)
    columns = wmt_columns(name, parsed) if parsed.root == "dataset" else nist_columns(name, parsed)
    return tuple(replace(column, notices=notices) for column in columns)
