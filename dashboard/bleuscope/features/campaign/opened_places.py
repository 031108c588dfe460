"""Files by their path, or by an address that fsspec knows: S3 and the like, without a copy on this disk."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from bleucore import InputError
from bleuscope.shell.disk.bounded_reading import MAX_BYTES, PIECE

_ADDRESS = re.compile(r"([a-z][a-z0-9+.-]*)://", re.IGNORECASE)
SCHEMES = ("abfs", "az", "gcs", "gs", "hdfs", "http", "https", "memory", "s3")
"""That are read: none that runs a program or leads into another file."""
WITHOUT_LISTS = ("http", "https")


def is_address(path: str) -> bool:
    """Whether a path is an address, not a file of this machine."""
    return _ADDRESS.match(path) is not None


def opened(path: str) -> BinaryIO:
    """The bytes of a file, from its beginning; to be closed by whoever asks.

    Raises:
        InputError: It cannot be read, or what its address needs is not installed.
    """
    if is_address(path):
        return _at(path)
    try:
        return Path(path).open("rb")
    except OSError as error:
        raise InputError(
            "the file cannot be read",
            where=path,
            found=(error.strerror or type(error).__name__).lower(),
            remedy="Check the name, and that the file may be read.",
        ) from error


def content_at(path: str) -> bytes:
    """The content of a file; of one that is too large to be used, no more than is needed to see that.

    Raises:
        InputError: As ``opened``.
    """
    pieces, left = list[bytes](), MAX_BYTES + 1
    with opened(path) as raw:
        while left and (piece := raw.read(min(PIECE, left))):
            pieces.append(piece)
            left -= len(piece)
    return b"".join(pieces)


def size_of(path: str) -> int:
    """How many bytes a file has; 0 where its address does not tell.

    Raises:
        InputError: There is nothing that reads the address.
        OSError: There is no such file.
    """
    if not is_address(path):
        return Path(path).stat().st_size
    with opened(path) as raw:
        return int(getattr(raw, "size", None) or 0)


def files_beneath(address: str, most: int) -> list[str]:
    """The paths of all files beneath an address, without it; one that is a file itself has none.

    Raises:
        InputError: It cannot be read, there are more than ``most``, or what it needs is not installed.
    """
    _refuse_scheme(address)
    with _sentences(address):
        import fsspec  # noqa: PLC0415  # of an extra

        system, root = fsspec.url_to_fs(address)
        found = [str(path) for path in system.find(root) if str(path) != root]
    if len(found) > most:
        raise InputError(
            "the folder holds too many files",
            where=address,
            found=f"{len(found):,}",
            expected=f"at most {most:,}",
            remedy="Name a folder of the campaign alone, or a manifest.",
        )
    return sorted(path[len(root) :].lstrip("/") for path in found)


def matching(pattern: str, most: int) -> list[str]:
    """The addresses of the files that an address with wildcards stands for, at most so many, in their order.

    Raises:
        InputError: It cannot be read, what it needs is not installed, or nothing there tells which files there are.
    """
    _refuse_scheme(pattern)
    scheme = pattern.partition("://")[0].lower()
    if scheme in WITHOUT_LISTS:
        raise InputError(
            "a web server does not tell which files it has",
            where=pattern[:200],
            found="a wildcard",
            expected="the address of each file",
            remedy="Name each file, or download them and name their folder.",
        )
    with _sentences(pattern):
        import fsspec  # noqa: PLC0415  # of an extra

        system, inside = fsspec.url_to_fs(pattern)
        found = system.glob(inside, detail=True)
    files = sorted(str(path) for path, about in found.items() if about["type"] == "file")
    return [system.unstrip_protocol(path) for path in files[:most]]


def _at(address: str) -> BinaryIO:
    _refuse_scheme(address)
    with _sentences(address):
        import fsspec  # noqa: PLC0415  # of an extra

        return cast("BinaryIO", fsspec.open(address, "rb").open())


def _refuse_scheme(address: str) -> None:
    scheme = address.partition("://")[0].lower()
    if scheme not in SCHEMES or "::" in address:
        raise InputError(
            "files at such an address are not read",
            where=address[:200],
            found=f"{scheme}://",
            expected=f"one of {', '.join(SCHEMES)}",
            remedy="Name a file, or an address of one of these kinds.",
        )


@contextmanager
def _sentences(path: str) -> Iterator[None]:
    """What a file system cannot do, in a sentence."""
    try:
        yield
    except ImportError as error:
        raise InputError(
            "what reads such an address is not installed",
            where=path[:200],
            found=str(error)[:200],
            remedy="Install bleuscope with its extra cluster; S3 needs the package s3fs with it.",
        ) from error
    except Exception as error:  # of a file system that is not ours
        said = getattr(error, "strerror", None) or f"{type(error).__name__}: {error}"
        raise InputError(
            "the file cannot be read",
            where=path[:200],
            found=said[:200],
            remedy="Check the name, and that the file may be read.",
        ) from error
