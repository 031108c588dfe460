"""Bytes -> text: compression undone within bounds, encodings checked and never guessed."""

import codecs
import zlib

from bleucore.errors import InputError
from bleucore.formats.columns import refuse_excess

_GZIP = b"\x1f\x8b"
_STEP = 1 << 16
_MAX_GZIP_MEMBERS = 100_000

# UTF-32 stands before UTF-16: its little-endian mark begins with that of UTF-16.
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

_UNPACK = "Unpack it and load the files that are in it"
_SAVE_AS_TEXT = "Save its content as plain text in UTF-8, one segment per line, and load that file."
_BINARIES = (
    (b"PK\x03\x04", "a ZIP archive or an office document", f"{_UNPACK}, or save the document as plain text or CSV."),
    (b"PK\x05\x06", "an empty ZIP archive", f"{_UNPACK}, or save the document as plain text or CSV."),
    (_GZIP, "a gzip file inside a gzip file", f"{_UNPACK}."),
    (b"BZh91AY&SY", "a bzip2 file", f"{_UNPACK}."),
    (b"\xfd7zXZ\x00", "an xz file", f"{_UNPACK}."),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", f"{_UNPACK}."),
    (b"Rar!\x1a\x07", "a RAR archive", f"{_UNPACK}."),
    (b"\x28\xb5\x2f\xfd", "a Zstandard file", f"{_UNPACK}."),
    (b"%PDF-", "a PDF document", _SAVE_AS_TEXT),
    (b"{\\rtf", "an RTF document", _SAVE_AS_TEXT),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document", _SAVE_AS_TEXT),
    (b"\x89PNG", "an image", _SAVE_AS_TEXT),
    (b"\xff\xd8\xff", "an image", _SAVE_AS_TEXT),
    (b"\x7fELF", "a program", _SAVE_AS_TEXT),
    (b"SQLite format 3\x00", "a database", _SAVE_AS_TEXT),
    (b"PAR1\x15", "a Parquet table", "Save the table as TSV or CSV and load that file."),
)
_TAR_MARK, _TAR_MARK_AT = b"ustar", 257


def unpack(name: str, data: bytes, max_bytes: int) -> bytes:
    """The content of the file, decompressed if it is gzip.

    Raises:
        InputError: It is empty, larger than ``max_bytes``, a damaged gzip file, or not text at all.
    """
    content = _gunzip(name, data, max_bytes) if data.startswith(_GZIP) else data
    if len(content) > max_bytes:
        raise _too_large(name, len(content), max_bytes)
    if not content:
        raise _empty(name)
    _refuse_binary(name, content)
    return content


def has_byte_order_mark(content: bytes) -> bool:
    """Whether the content says by a byte-order mark how it is encoded."""
    return any(content.startswith(mark) for mark, _ in _BYTE_ORDER_MARKS)


def decode(name: str, content: bytes) -> str:
    """The text, without its byte-order mark.

    Raises:
        InputError: It is not valid in the encoding of its byte-order mark, or in UTF-8 if it has none.
    """
    mark, encoding = next(
        ((mark, encoding) for mark, encoding in _BYTE_ORDER_MARKS if content.startswith(mark)), (b"", "utf-8")
    )
    body = content[len(mark) :]
    if encoding == "utf-8" and body.count(0) * 4 >= len(body) > 0:
        raise InputError(
            "this looks like UTF-16 without a byte-order mark",
            where=name,
            line=1,
            found=f"{body.count(0):,} zero bytes among {len(body):,}",
            expected="UTF-8 (or UTF-16 with a byte-order mark)",
            remedy="Save the file as UTF-8 and load it again.",
        )
    try:
        text = body.decode(encoding)
    except UnicodeDecodeError as error:
        raise _undecodable(name, error, encoding) from error
    if not text:
        raise _empty(name)
    return text


def lines_of(name: str, text: str) -> list[str]:
    r"""The lines of a text, ended by "\n" or "\r\n" and by nothing else.

    Raises:
        InputError: All line ends are those of old Macs, or there are too many lines.
    """
    refuse_mac_line_ends(name, text)
    refuse_excess(name, text.count("\n"))
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


def refuse_mac_line_ends(name: str, text: str) -> None:
    r"""Refuse a text whose lines end in "\r" alone.

    Raises:
        InputError: There is a "\r" and no "\n".
    """
    if "\r" in text and "\n" not in text:
        raise InputError(
            "the lines end as on an old Macintosh",
            where=name,
            line=1,
            found=f"{text.count(chr(13)):,} carriage returns and no line feed",
            expected="a line feed after every segment",
            remedy="Save the file with Unix or Windows line ends.",
        )


def _gunzip(name: str, data: bytes, max_bytes: int) -> bytes:
    content, start, n_members = bytearray(), 0, 0
    while start < len(data):
        n_members += 1
        start = _gunzip_member(name, data, start, content, max_bytes)
        if n_members > _MAX_GZIP_MEMBERS:
            raise _damaged(name, f"more than {_MAX_GZIP_MEMBERS:,} parts")
    return bytes(content)


def _gunzip_member(name: str, data: bytes, start: int, content: bytearray, max_bytes: int) -> int:
    """Append one member of the gzip file to the content; the position after it comes back."""
    member = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    position = start
    try:
        while not member.eof:
            step = member.unconsumed_tail
            if not step:
                step = data[position : position + _STEP]
                position += len(step)
            content += (piece := member.decompress(step, _STEP))
            if len(content) > max_bytes:
                raise _too_large(name, None, max_bytes)
            if not (step or piece):
                raise _damaged(name, "the end of the file in the middle of the data")
    except zlib.error as error:
        raise _damaged(name, str(error)) from error
    return position - len(member.unused_data)


def _refuse_binary(name: str, content: bytes) -> None:
    is_tar = content[_TAR_MARK_AT : _TAR_MARK_AT + len(_TAR_MARK)] == _TAR_MARK and b"\x00" in content[:_TAR_MARK_AT]
    found = [("a tar archive", f"{_UNPACK}.")] if is_tar else []
    found += [(kind, remedy) for magic, kind, remedy in _BINARIES if content.startswith(magic)]
    if found:
        kind, remedy = found[0]
        raise InputError("this is not a text file", where=name, found=kind, expected="text", remedy=remedy)


def _undecodable(name: str, error: UnicodeDecodeError, encoding: str) -> InputError:
    before = error.object[: error.start].decode(encoding, errors="ignore")
    bad = error.object[error.start : max(error.end, error.start + 1)]
    by_mark = f"{encoding[:-3].upper()} as its byte-order mark says"
    return InputError(
        "the text is not valid in its encoding",
        where=name,
        line=before.count("\n") + 1,
        found=f"byte{'s' * (len(bad) > 1)} 0x{bad.hex().upper()}",
        expected="UTF-8 (or UTF-16 with a byte-order mark)" if encoding == "utf-8" else by_mark,
        remedy="Save the file as UTF-8 and load it again.",
    )


def _too_large(name: str, size: int | None, max_bytes: int) -> InputError:
    return InputError(
        "the file is too large",
        where=name,
        found=f"more than {max_bytes:,} bytes when decompressed" if size is None else f"{size:,} bytes",
        expected=f"at most {max_bytes:,}",
        remedy="Split the test set into smaller files.",
    )


def _damaged(name: str, found: str) -> InputError:
    return InputError(
        "the gzip file is damaged or cut off",
        where=name,
        found=found,
        expected="a complete gzip file",
        remedy="Compress or download the file again.",
    )


def _empty(name: str) -> InputError:
    return InputError(
        "the file is empty",
        where=name,
        found="no text",
        expected="one segment per line",
        remedy="Load the file that holds the text.",
    )
