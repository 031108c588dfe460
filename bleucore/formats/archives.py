"""Zip and tar archives -> the files in them, in memory and within bounds; nothing is ever written to a disk."""

import bz2
import gzip
import io
import lzma
import re
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from bleucore.errors import InputError
from bleucore.formats import decoding
from bleucore.values import shown

MAX_ENTRIES = 2_000
MAX_RATIO = 200
_RATIO_FROM = 1 << 20
"""Bytes up to which anything may be compressed as well as it can be."""
_STEP = 1 << 16
_MAX_DEPTH, _MAX_PATH = 32, 1_000
_LZMA_MEMORY = 256 * 1024**2
_MAX_NAMED, _MAX_FINDING = 3, 80

_BZIP2, _XZ = b"BZh", b"\xfd7zXZ\x00"
_TAR_NAME = re.compile(r"\.(?:tar|tgz|tbz2?|txz|tar\.(?:gz|bz2|xz))$", re.IGNORECASE)
_ARCHIVES = (decoding.ZIP, b"PK\x05\x06", _XZ, b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07")
_OFFICE = "[Content_Types].xml"
_OTHER_ZIPS = ("mimetype", "META-INF/MANIFEST.MF")

_ABOUT = re.compile(r"(?:^|/)(?:readme|licen[sc]e|copying|changelog|citation)[^/]*$", re.IGNORECASE)
_SETTINGS = (".yaml", ".yml", ".toml", ".ini", ".cfg", ".ipynb")
_DOCUMENTS = (".md", ".markdown", ".html", ".htm", *_SETTINGS)
"""What describes other files, and may hold a table where it is alone."""
_COPIES = ("~", ".swp", ".bak", ".orig", ".tmp")
_SYSTEM_FILES = frozenset({"__macosx", "thumbs.db", "desktop.ini", "_success"})
_OF_PROGRAMS = frozenset({"__pycache__", "node_modules", "venv", "site-packages"})
_BINARIES = (
    *(".pyc", ".pyo", ".pyd", ".dll", ".dylib", ".exe", ".class", ".jar", ".whl", ".sqlite", ".sqlite3", ".db"),
    *(".pth", ".safetensors", ".ckpt", ".onnx", ".gguf", ".h5", ".npy", ".npz", ".pkl", ".pickle", ".joblib"),
    *(".wav", ".mp3", ".flac", ".ogg", ".mp4"),
)
"""Folders and files that programs keep for themselves: compiled code, models, arrays, databases, sound."""
_PERHAPS_BINARY = (".bin", ".pt", ".so", ".o", ".a")
"""Endings of models and libraries that may be those of texts too: "pt" and "so" are languages."""
_OF_BINARIES = "compiled code, models or binary data"
_BEGINNING = 4096
_SCORES = re.compile(
    r"\.(?:scores?|ratings?|mqm|da)(?:\.gz)?$|(?:^|/)(?:human|metric)[-_]scores/"
    r"|(?:^|/)results_\d{4}-\d\d-\d\dT[\d.:-]+\.json$",
    re.IGNORECASE,
)
_DOCUMENTATION = "documentation"
_KINDS = MappingProxyType(
    {
        "settings or notebooks": _SETTINGS,
        _DOCUMENTATION: (".md", ".rst", ".bib", ".pdf", ".html", ".htm"),
        "scripts": (".py", ".sh", ".pl"),
        "images": (".png", ".jpg", ".jpeg", ".svg"),
    }
)


@dataclass(frozen=True)
class Unpacked:
    """The files that are to be read.

    Attributes:
        files: Each with its path inside the archive, "/" between folders, and its bytes.
        notices: What was passed over, in sentences to be shown.
    """

    files: tuple[tuple[str, bytes], ...]
    notices: tuple[str, ...] = ()


def unpacked(name: str, data: bytes, *, max_bytes: int = 512 * 1024**2) -> Unpacked:
    """The files in an archive, or the file itself where it is none.

    Raises:
        InputError: The archive is damaged or encrypted, holds too much, other archives, links, devices or paths that
            lead out of it, or nothing to read.
    """
    contents = archive_files(name, data, max_bytes=max_bytes, max_entries=MAX_ENTRIES)
    if contents is None:
        return Unpacked(((name, data),))
    kept, notices = to_be_read(name, tuple(contents))
    files, binaries = without_binaries(name, [(path, contents[path]) for path in kept])
    return Unpacked(files, (*notices, *binaries))


def without_binaries(
    name: str, files: Sequence[tuple[str, bytes]]
) -> tuple[tuple[tuple[str, bytes], ...], tuple[str, ...]]:
    """The files of an archive or folder without models and libraries, and what to say of these.

    Each is called as they are, and holds zero bytes or is an archive; a text that is called so stays. If there is
    nothing else, all stay.
    """
    gone = [path for path, data in files if path.lower().endswith(_PERHAPS_BINARY) and _is_binary(data)]
    kept = tuple((path, data) for path, data in files if path not in gone)
    return (kept, (_notice(name, _OF_BINARIES, gone),)) if gone and kept else (tuple(files), ())


def _is_binary(data: bytes) -> bool:
    is_archive = data.startswith(_ARCHIVES)
    return is_archive or (b"\0" in data[:_BEGINNING] and not decoding.has_byte_order_mark(data))


def archive_files(
    name: str,
    data: bytes,
    *,
    max_bytes: int = 512 * 1024**2,
    max_entries: int = MAX_ENTRIES,
    may_hold_archives: bool = False,
) -> dict[str, bytes] | None:
    """All files in an archive by their paths, in its order; ``None`` where it is none.

    Args:
        name: Its name, for messages.
        data: Its bytes.
        max_bytes: The most that its files may hold together.
        max_entries: The most files and folders.
        may_hold_archives: Whether archives inside it are files like others, for those who open them.

    Raises:
        InputError: As ``unpacked``, but for nothing to read.
    """
    if data.startswith((decoding.ZIP, b"PK\x05\x06")):
        entries = _zip_entries(name, data, max_bytes, max_entries)
    else:
        tar = _tar(name, data, max_bytes)
        entries = None if tar is None else _tar_entries(name, tar, max_bytes, max_entries)
    if entries is None:
        return None
    contents: dict[str, bytes] = {}
    for path, content in entries:
        if path in contents:
            raise _refusal(name, path, "two files of the archive have the same path", "each path once")
        if not may_hold_archives and content is not None and _is_archive(content):
            raise _refusal(name, path, "an archive lies inside the archive", "files of texts")
        contents[path] = content or b""
    return contents


def may_be_archive(data: bytes, name: str = "") -> bool:
    """Whether these bytes begin as archives do; what does not is no work to unpack, nor is a model by its name."""
    is_archive = data.startswith((*_ARCHIVES, decoding.GZIP, _BZIP2)) or decoding.is_tar(data)
    return is_archive and not name.lower().endswith(_PERHAPS_BINARY)


def to_be_read(name: str, paths: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Those of the paths in an archive or folder that can hold texts, and what to say of the others.

    Raises:
        InputError: None of them can.
    """
    kinds: dict[str, list[str]] = {}
    kept: list[str] = []
    for path in sorted(paths):
        kind = passed_over_as(path)
        (kept if kind is None else kinds.setdefault(kind, [])).append(path)
    told = kinds
    if not kept:
        kept = [path for path in sorted(paths) if path.lower().endswith(_DOCUMENTS) and not _ABOUT.search(path)]
        kinds = {}
    if not kept:
        raise InputError(
            "there are no texts in it",
            where=name,
            found="; ".join(f"{kind}: {', '.join(names[:_MAX_NAMED])}" for kind, names in told.items()) or "no file",
            expected="files of texts",
            remedy="Save outputs and references as plain text, TSV or JSON, and put those into it.",
        )
    return tuple(kept), tuple(_notice(name, kind, found) for kind, found in kinds.items())


def passed_over_as(path: str) -> str | None:
    """What a file is that holds no texts by its name; ``None`` for any other."""
    parts = path.lower().split("/")
    if parts[-1].endswith(_COPIES) or (parts[-1].startswith("#") and parts[-1].endswith("#")):
        return "editor backups"
    if any(part.startswith(".") or part in _SYSTEM_FILES for part in parts):
        return "hidden or system files"
    if parts[-1].endswith(_BINARIES) or _OF_PROGRAMS.intersection(parts[:-1]):
        return _OF_BINARIES
    if _SCORES.search(path):
        return "scores"
    if _ABOUT.search(path):
        return _DOCUMENTATION
    return next((kind for kind, endings in _KINDS.items() if path.lower().endswith(endings)), None)


def _notice(name: str, kind: str, paths: Sequence[str]) -> str:
    more = f" and {len(paths) - _MAX_NAMED:,} more" if len(paths) > _MAX_NAMED else ""
    return f"{name}: left out as {kind}: {', '.join(path[:_MAX_PATH] for path in paths[:_MAX_NAMED])}{more}."


def _is_archive(content: bytes) -> bool:
    is_document = _is_workbook(content) or (b"header.json" in content and b"samples/" in content)
    is_compressed = content.startswith(_XZ)  # a text, as with gzip; what is no text is refused where it is read
    return (content.startswith(_ARCHIVES) and not is_document and not is_compressed) or decoding.is_tar(content)


def _is_workbook(content: bytes) -> bool:
    """Whether a file in the form of ZIP is an office document, which is no archive to people."""
    return _OFFICE.encode() in content


def _zip_entries(name: str, data: bytes, max_bytes: int, max_entries: int) -> Iterator[tuple[str, bytes | None]] | None:
    """The files of a zip archive, ``None`` if it is a document of some program."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, UnicodeDecodeError) as error:
        raise _damaged(name, error) from error
    names = archive.namelist()
    is_document = _OFFICE in names or any(other in names for other in _OTHER_ZIPS)
    if is_document or is_inspect_log(names) or any(path.endswith("/data.pkl") for path in names):
        return None
    return read_zip(name, archive, max_bytes, max_entries)


def read_zip(
    name: str, archive: zipfile.ZipFile, max_bytes: int, max_entries: int = MAX_ENTRIES
) -> Iterator[tuple[str, bytes]]:
    """The files of a zip archive one by one, checked before they are decompressed and counted while they are.

    Raises:
        InputError: One is encrypted, too large, too densely compressed, damaged, or not inside the archive.
    """
    entries = archive.infolist()
    _refuse_many(name, len(entries), max_entries)
    total = sum(entry.file_size for entry in entries)
    if total > max_bytes:
        raise _too_large(name, total, max_bytes)
    for entry in entries:
        path = checked_path(name, _zip_name(entry))
        if entry.is_dir():
            continue
        _check_zip_entry(name, path, entry)
        try:
            with archive.open(entry) as file:
                content = file.read(entry.file_size + 1)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError) as error:
            raise _damaged(name, error) from error
        yield path, content


def is_inspect_log(names: Sequence[str]) -> bool:
    """Whether the files of an archive are those of a log of Inspect, which is no archive to people."""
    return "header.json" in names and any(name.startswith("samples/") and name.endswith(".json") for name in names)


def _zip_name(entry: zipfile.ZipInfo) -> str:
    """The entry's name; macOS writes UTF-8 without saying so."""
    if entry.flag_bits & 0x800:
        return entry.filename
    try:
        return entry.filename.encode("cp437").decode()
    except UnicodeError:
        return entry.filename


def _check_zip_entry(name: str, path: str, entry: zipfile.ZipInfo) -> None:
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind and not stat.S_ISREG(kind):
        raise _refusal(name, path, "the archive holds a link or a device", "ordinary files")
    if entry.flag_bits & 0x1:
        raise _refusal(name, path, "the archive is encrypted", "an archive without a password")
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise _refusal(name, path, "the archive is compressed in an uncommon way", "the usual method, deflate")
    if entry.file_size > _RATIO_FROM and entry.file_size > MAX_RATIO * max(entry.compress_size, 1):
        raise _too_dense(name, path, entry.file_size, entry.compress_size)


def _tar(name: str, data: bytes, max_bytes: int) -> bytes | None:
    """The tar archive, decompressed within bounds; ``None`` if it is none."""
    if decoding.is_tar(data):
        return data
    is_named = _TAR_NAME.search(name) is not None
    try:
        content = b"".join(_decompressed(name, data, max_bytes, is_named=is_named))
    except (OSError, ValueError, EOFError, lzma.LZMAError, zlib.error) as error:
        if not is_named:
            return None
        raise _damaged(name, error) from error
    if decoding.is_tar(content):
        return content
    if is_named and content:
        raise _damaged(name, ValueError("no tar archive"))
    return None


def _decompressed(name: str, data: bytes, max_bytes: int, *, is_named: bool) -> Iterator[bytes]:
    """The parts of a compressed file; none but the first where that shows that it is no tar archive."""
    size = 0
    for part in _parts(data):
        if size == 0 and not decoding.is_tar(part) and not is_named:
            return
        size += len(part)
        if size > max_bytes:
            raise _too_large(name, None, max_bytes)
        if size > _RATIO_FROM and size > MAX_RATIO * len(data):
            raise _too_dense(name, None, size, len(data))
        yield part


def _parts(data: bytes) -> Iterator[bytes]:
    """What is compressed with gzip, bzip2 or xz, some of it at a time; nothing of any other data."""
    if data.startswith(decoding.GZIP):
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            yield from iter(lambda: file.read(_STEP), b"")
    elif data.startswith(_BZIP2):
        with bz2.BZ2File(io.BytesIO(data)) as file:
            yield from iter(lambda: file.read(_STEP), b"")
    elif data.startswith(_XZ):
        xz = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_LZMA_MEMORY)
        part, left = b"start", data
        while part and not xz.eof:
            part, left = xz.decompress(left, _STEP), b""
            yield part
        if not xz.eof:
            raise EOFError("the end of the file in the middle of the data")


def _tar_entries(name: str, content: bytes, max_bytes: int, max_entries: int) -> Iterator[tuple[str, bytes | None]]:
    """The files of a tar archive one by one; that of a link or a device is never asked for."""
    n_entries = size = 0
    try:
        with tarfile.open(fileobj=io.BytesIO(content), mode="r:", encoding="utf-8") as archive:
            for entry in archive:
                n_entries += 1
                _refuse_many(name, n_entries, max_entries)
                path = checked_path(name, entry.name)
                if entry.isdir():
                    continue
                if not entry.isreg() or entry.issparse():
                    raise _refusal(name, path, "the archive holds a link or a device", "ordinary files")
                size += entry.size
                if size > max_bytes:
                    raise _too_large(name, size, max_bytes)
                file = archive.extractfile(entry)
                yield path, file.read(entry.size) if file is not None else b""
    except (tarfile.TarError, EOFError, OSError, ValueError, IndexError, OverflowError) as error:
        raise _damaged(name, error) from error


def checked_path(name: str, path: str) -> str:
    """The path with "/" between folders, if it stays inside the archive.

    Raises:
        InputError: It is absolute, leads upwards, or is no name of a file.
    """
    parts = path.replace("\\", "/").split("/")
    is_absolute = parts[0] == "" or ":" in parts[0]
    parts = [part for part in parts if part not in ("", ".")]
    if is_absolute or ".." in parts or not parts or "\0" in path:
        raise _refusal(name, path, "a path leads out of the archive", "paths inside it")
    if len(parts) > _MAX_DEPTH or len(path) > _MAX_PATH:
        raise _refusal(name, path, "a path is too long", f"{_MAX_PATH:,} characters and {_MAX_DEPTH} folders at most")
    return "/".join(parts)


def _refuse_many(name: str, n_entries: int, most: int) -> None:
    if n_entries > most:
        raise InputError(
            "the archive holds too many files",
            where=name,
            found=f"{n_entries:,}",
            expected=f"at most {most:,}",
            remedy="Pack only the files that are to be compared.",
        )


def _refusal(name: str, path: str, problem: str, expected: str) -> InputError:
    remedy = "Unpack it, and load or pack only the files that are to be compared."
    return InputError(problem, where=name, found=shown(path), expected=expected, remedy=remedy)


def _too_large(name: str, size: int | None, max_bytes: int) -> InputError:
    return InputError(
        "the archive holds too much",
        where=name,
        found=f"more than {max_bytes:,} bytes" if size is None else f"{size:,} bytes",
        expected=f"at most {max_bytes:,} when unpacked",
        remedy="Pack only the files that are to be compared.",
    )


def _too_dense(name: str, path: str | None, size: int, compressed: int) -> InputError:
    return InputError(
        "the archive is compressed more than texts can be",
        where=name,
        found=f"{size:,} bytes from {compressed:,}" + (f" in {shown(path)}" if path is not None else ""),
        expected=f"at most {MAX_RATIO} to 1",
        remedy="Unpack it, and load the files that are to be compared.",
    )


def _damaged(name: str, error: Exception) -> InputError:
    return InputError(
        "the archive is damaged or cut off",
        where=name,
        found=" ".join(str(error).split())[:_MAX_FINDING] or type(error).__name__,
        expected="a complete archive",
        remedy="Pack or download it again.",
    )
