"""Bytes -> text: compression undone within bounds, encodings checked and never guessed."""

import bz2
import codecs
import io
import lzma
import re
import zlib
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import IO

from bleucore.errors import EncodingError, InputError
from bleucore.formats.columns import refuse_excess
from bleucore.formats.encodings import READABLE, codec_of, encoding_offers
from bleucore.values import shown

GZIP, ZIP = b"\x1f\x8b", b"PK\x03\x04"
_STEP = 1 << 16
_PIECE = 1 << 20
_MAX_GZIP_MEMBERS = 100_000

# UTF-32 stands before UTF-16: its little-endian mark begins with that of UTF-16.
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

NO_TEXT = "this is not a text file"
"""What is wrong with a file that is binary."""
_UNPACK = "Unpack it and load the files that are in it"
_SAVE_AS_TEXT = "Save its content as plain text in UTF-8, one segment per line, and load that file."
_BINARIES = (
    (b"PK\x05\x06", "an empty ZIP archive", f"{_UNPACK}."),
    (GZIP, "a gzip file inside a gzip file", f"{_UNPACK}."),
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
    (b"GIF8", "an image", _SAVE_AS_TEXT),
    (b"RIFF", "an image or a recording", _SAVE_AS_TEXT),
    (b"\x93NUMPY", "an array of NumPy", _SAVE_AS_TEXT),
    (b"\x89HDF", "an HDF5 file", _SAVE_AS_TEXT),
    *((b"\x80" + bytes([version]), "a pickle, which is never opened", _SAVE_AS_TEXT) for version in range(2, 6)),
    (b"ARROW1", "an Arrow table", "Save the table as TSV or CSV and load that file."),
    (b"PAR1", "a Parquet table", "Save the table as TSV or CSV and load that file."),
)
_KINDS_OF_ZIP = (
    (b"word/document.xml", "a Word document"),
    (b"ppt/presentation.xml", "a PowerPoint document"),
    (b"application/vnd.oasis.opendocument", "an OpenDocument file"),
    (b"application/epub+zip", "an e-book"),
    (b"META-INF/MANIFEST.MF", "a Java archive"),
    (b"data.pkl", "a PyTorch file"),
    (b"xl/workbook", "a workbook that is no XLSX"),
)
_TAR_MARK, _TAR_MARK_AT = b"ustar", 257
_WEB_PAGE = re.compile(rb"\s*(?:<!--.*?-->\s*)?(?:<!doctype\s+html|<(?:html|table)[\s>])", re.IGNORECASE)
_POINTER, _SMALL = b"version https://git-lfs.github.com/spec/v1", 1_000
_NOT_FOUND = re.compile(rb"\s*(?:Error )?4\d\d:? [A-Z][A-Za-z ]{2,40}\s*")
_SAMPLE = 1 << 16
_FEW_ZEROS, _ZERO_IN = 4, 200
"""More zero bytes than this, and one among so many, make a file binary; a text may hold one by mistake."""


def unpack(name: str, data: bytes, max_bytes: int) -> bytes:
    """The content of the file, decompressed if it is gzip.

    Raises:
        InputError: It is empty, larger than ``max_bytes``, a damaged gzip file, or not text at all.
    """
    content = gunzip(name, data, max_bytes) if data.startswith(GZIP) else _otherwise_unpacked(name, data, max_bytes)
    if len(content) > max_bytes:
        raise too_large(name, len(content), max_bytes)
    if not content:
        raise _empty(name)
    _refuse_binary(name, content)
    _refuse_stand_in(name, content)
    return content


def _refuse_stand_in(name: str, content: bytes) -> None:
    """Refuse what stands for a file that is not there.

    Raises:
        InputError: It is a pointer of Git LFS, or what a server says that has no such file.
    """
    if content.startswith(_POINTER) and len(content) < _SMALL:
        raise InputError(
            "this is a pointer of Git LFS, and not the file",
            where=name,
            found="the checksum and the size of the file",
            expected="its texts",
            remedy="Run “git lfs pull” where the file comes from, and load it again.",
        )
    if len(content) < _SMALL and _NOT_FOUND.fullmatch(content):
        raise InputError(
            "this is what a server says that has no such file",
            where=name,
            found=shown(content.decode(errors="replace").strip()),
            expected="texts, one segment a line",
            remedy="Check the address, and download the file again.",
        )


def _otherwise_unpacked(name: str, data: bytes, max_bytes: int) -> bytes:
    """The content of a file that xz, bzip2 or Zstandard compressed; any other as it is.

    Raises:
        InputError: It is damaged, or larger than ``max_bytes``.
    """
    opened = next((open_ for mark, open_ in _COMPRESSED.items() if data.startswith(mark)), None)
    if opened is None:
        return data
    found = bytearray()
    try:
        with opened(data) as file:
            while piece := file.read(_PIECE):
                found += piece
                if len(found) > max_bytes:
                    raise too_large(name, len(found), max_bytes)
    except (OSError, EOFError, lzma.LZMAError, ValueError) as error:
        raise InputError(
            "the compressed file is damaged",
            where=name,
            found=" ".join(str(error).split())[:80],
            expected="a complete file",
            remedy="Compress the text again, or load it as it is.",
        ) from error
    return bytes(found)


def _zstandard(data: bytes) -> IO[bytes]:
    import pyarrow as pa  # noqa: PLC0415  # takes as long as a small test set: seldom needed

    stream: IO[bytes] = pa.CompressedInputStream(pa.BufferReader(data), "zstd")
    return stream


_COMPRESSED: Mapping[bytes, Callable[[bytes], IO[bytes]]] = MappingProxyType(
    {
        b"BZh91AY&SY": lambda data: bz2.BZ2File(io.BytesIO(data)),
        b"\xfd7zXZ\x00": lambda data: lzma.LZMAFile(io.BytesIO(data)),  # noqa: SIM115  # whoever calls it closes it
        b"\x28\xb5\x2f\xfd": _zstandard,
    }
)
"""How files are opened that begin so."""


def is_tar(content: bytes) -> bool:
    """Whether the content is a tar archive."""
    end = _TAR_MARK_AT + len(_TAR_MARK)
    return content[_TAR_MARK_AT:end] == _TAR_MARK and b"\x00" in content[:_TAR_MARK_AT]


def has_byte_order_mark(content: bytes) -> bool:
    """Whether the content says by a byte-order mark how it is encoded."""
    return any(content.startswith(mark) for mark, _ in _BYTE_ORDER_MARKS)


def decode(name: str, content: bytes, encoding: str | None = None) -> str:
    """The text, without its byte-order mark.

    Args:
        name: The file's name, for messages.
        content: The file's bytes.
        encoding: What to read it in if it is neither UTF-8 nor has a byte-order mark; ``None`` to refuse it then.

    Raises:
        EncodingError: It is not UTF-8, has no byte-order mark, and no encoding is given.
        InputError: It is not valid in the encoding that is given or that its byte-order mark tells.
    """
    mark, own = next(((mark, own) for mark, own in _BYTE_ORDER_MARKS if content.startswith(mark)), (b"", "utf-8"))
    if not mark and encoding is not None and not is_utf_8(content):
        return _decode_as(name, content, encoding)
    body = content[len(mark) :]
    if own == "utf-8" and _looks_wide(body):
        raise EncodingError(
            "this looks like UTF-16 without a byte-order mark",
            where=name,
            line=1,
            found=f"{body.count(0):,} zero bytes among {len(body):,}",
            expected="UTF-8 (or UTF-16 with a byte-order mark)",
            offers=encoding_offers(body, is_wide=True),
        )
    try:
        text = body.decode(own)
    except UnicodeDecodeError as error:
        raise _undecodable(name, error, own, is_marked=bool(mark)) from error
    if not text:
        raise _empty(name)
    return text


def is_utf_8(content: bytes) -> bool:
    """Whether the content is valid UTF-8, and not UTF-16 of plain letters, which would be valid too."""
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return not _looks_wide(content)


def byte_order_notices(name: str, content: bytes) -> tuple[str, ...]:
    """What to say of a byte-order mark, which is never part of a text here."""
    own = next((own for mark, own in _BYTE_ORDER_MARKS if content.startswith(mark)), None)
    if own is None:
        return ()
    if own == "utf-8":
        return (f"{name}: the byte-order mark at its beginning was dropped; sacreBLEU scores it as text.",)
    return (f"{name}: read as {own.upper()}, as the byte-order mark at its beginning says.",)


def _looks_wide(body: bytes) -> bool:
    return body.count(0) * 4 >= len(body) > 0


def _decode_as(name: str, content: bytes, encoding: str) -> str:
    codec = codec_of(encoding)
    if codec is None:
        raise InputError(
            "there is no such encoding here",
            where=name,
            found=shown(encoding),
            expected=f"one of {', '.join(READABLE)}",
            remedy="Name one of these, or save the file as UTF-8.",
        )
    try:
        return content.decode(codec)
    except UnicodeDecodeError as error:
        raise InputError(
            "the text is not valid in the encoding that was named",
            where=name,
            line=content.count(b"\n", 0, error.start) + 1,
            found=f"byte 0x{content[error.start : error.start + 1].hex().upper()}",
            expected=encoding,
            remedy="Name another encoding, or save the file as UTF-8.",
        ) from error


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
    return [line.removesuffix("\r") for line in lines] if "\r" in text else lines


def with_line_feeds(text: str) -> str:
    r"""The text, with "\n" for each "\r" where nothing else ends a line."""
    return text.replace("\r", "\n") if "\r" in text and "\n" not in text else text


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


def gunzip(name: str, data: bytes, max_bytes: int) -> bytes:
    """The content of a gzip file, all of its parts.

    Raises:
        InputError: It is damaged or holds more than ``max_bytes``.
    """
    content, start, n_members = io.BytesIO(), 0, 0
    while start < len(data):
        n_members += 1
        start = _gunzip_member(name, data, start, content, max_bytes)
        if n_members > _MAX_GZIP_MEMBERS:
            raise damaged_gzip(name, f"more than {_MAX_GZIP_MEMBERS:,} parts")
    return content.getvalue()  # which does not copy


def damaged_gzip(name: str, found: str) -> InputError:
    """How a gzip file is refused that cannot be unpacked to its end."""
    return InputError(
        "the gzip file is damaged or cut off",
        where=name,
        found=found,
        expected="a complete gzip file",
        remedy="Compress or download the file again.",
    )


def _gunzip_member(name: str, data: bytes, start: int, content: io.BytesIO, max_bytes: int) -> int:
    """Append one member of the gzip file to the content; the position after it comes back."""
    member = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    position = start
    try:
        while not member.eof:
            step = member.unconsumed_tail
            if not step:
                step = data[position : position + _STEP]
                position += len(step)
            content.write(piece := member.decompress(step, _STEP))
            if content.tell() > max_bytes:
                raise too_large(name, None, max_bytes)
            if not (step or piece):
                raise damaged_gzip(name, "the end of the file in the middle of the data")
    except zlib.error as error:
        raise damaged_gzip(name, str(error)) from error
    return position - len(member.unused_data)


def is_page_with_table(content: bytes) -> bool:
    """Whether these bytes are a web page with a table in it."""
    return _WEB_PAGE.match(content) is not None and re.search(rb"<table[\s>]", content, re.IGNORECASE) is not None


def _refuse_binary(name: str, content: bytes) -> None:
    found = [("a tar archive", f"{_UNPACK}.")] if is_tar(content) else []
    found += [_zip_kind(content)] if content.startswith(ZIP) else []
    found += [(kind, remedy) for magic, kind, remedy in _BINARIES if content.startswith(magic)]
    found += [("a web page", _SAVE_AS_TEXT)] if _WEB_PAGE.match(content) and not is_page_with_table(content) else []
    if not found and not has_byte_order_mark(content) and _has_many_zeros(content[:_SAMPLE]):
        found = [("binary data", _SAVE_AS_TEXT)]
    if found:
        kind, remedy = found[0]
        raise InputError(NO_TEXT, where=name, found=kind, expected="text", remedy=remedy)


def _zip_kind(content: bytes) -> tuple[str, str]:
    """What a file in the form of ZIP is, by what is named in it."""
    for part, kind in _KINDS_OF_ZIP:
        if part in content:
            return kind, _SAVE_AS_TEXT
    return "a ZIP archive", f"{_UNPACK}."


def _has_many_zeros(sample: bytes) -> bool:
    """Whether zero bytes are many, as in data of programs, and yet not every other byte, as in UTF-16."""
    n_zeros = sample.count(0)
    is_wide = _looks_wide(sample) and bool(encoding_offers(sample[: len(sample) // 4 * 4], is_wide=True))
    return n_zeros > _FEW_ZEROS and n_zeros * _ZERO_IN > len(sample) and not is_wide


def _undecodable(name: str, error: UnicodeDecodeError, encoding: str, *, is_marked: bool) -> InputError:
    before = error.object[: error.start].decode(encoding, errors="ignore")
    bad = error.object[error.start : max(error.end, error.start + 1)]
    by_mark = f"{encoding.removesuffix('-le').removesuffix('-be').upper()} as its byte-order mark says"
    return EncodingError(
        "the text is not valid in its encoding",
        where=name,
        line=before.count("\n") + 1,
        found=f"byte{'s' * (len(bad) > 1)} 0x{bad.hex().upper()}",
        expected=by_mark if is_marked else "UTF-8 (or UTF-16 with a byte-order mark)",
        offers=() if is_marked else encoding_offers(error.object),
    )


def too_large(name: str, size: int | None, max_bytes: int) -> InputError:
    """The refusal of a file of this size; ``None`` if only its beginning was decompressed."""
    return InputError(
        "the file is too large",
        where=name,
        found=f"more than {max_bytes:,} bytes when decompressed" if size is None else f"{size:,} bytes",
        expected=f"at most {max_bytes:,}",
        remedy="Split the test set into smaller files.",
    )


def _empty(name: str) -> InputError:
    return InputError(
        "the file is empty",
        where=name,
        found="no text",
        expected="one segment per line",
        remedy="Load the file that holds the text.",
    )
