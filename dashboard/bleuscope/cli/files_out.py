"""Files that a command writes: complete or not at all."""

import contextlib
import errno
import os
import stat
from collections.abc import Sequence
from pathlib import Path

from bleucore.errors import InputError

NEW_FILE = 0o666
"""What the system takes the user's umask from."""


def refuse_unwritable(path: Path) -> None:
    """Find out before the work begins that its result could not be written.

    Raises:
        InputError: The folder does not exist or cannot be written to, or the path is that of a folder.
    """
    try:
        if path.is_dir():
            raise _unwritable(path, "it is a folder", "Name a file in it.")
        if not path.parent.is_dir():
            kind = "is no folder" if path.parent.exists() else "does not exist"
            raise _unwritable(path, f"the folder {path.parent} {kind}", "Make the folder first, or name another.")
        target = path if path.exists() else path.parent
        if not os.access(target, os.W_OK):
            raise _unwritable(path, f"{target} is not to be written to", "Choose another place.")
    except OSError as error:
        raise _unwritable(path, (error.strerror or type(error).__name__).lower(), None) from error


def refuse_taken(folder: Path, names: Sequence[str]) -> None:
    """Make a folder and those in it, and find out that files can be written there in which nobody has worked yet.

    Raises:
        InputError: It cannot be made or written to, or has a file of these names.
    """
    try:
        for one in sorted({(folder / name).parent for name in names}):
            one.mkdir(exist_ok=True)
    except OSError as error:
        raise _unwritable(folder, (error.strerror or type(error).__name__).lower(), None) from error
    for name in names:
        refuse_unwritable(folder / name)
        if os.path.lexists(folder / name):
            raise InputError(
                "there is such a file already, in which somebody may have worked",
                where=str(folder),
                found=name,
                remedy="Name another folder.",
            )


def write_file(path: Path, content: bytes) -> None:
    """Write a file so that others see all of it or nothing new: a file beside it that then takes its name.

    A file that is there keeps its permissions, and a link goes on pointing where it did. What is no ordinary file (a
    pipe, ``/dev/null``) is written to as it is.

    Raises:
        InputError: It cannot be written. What was there before is still there then.
    """
    refuse_unwritable(path)
    try:
        target = path.resolve(strict=False)
        if target.exists() and not target.is_file():
            target.write_bytes(content)
        else:
            _replace(target, content)
    except BrokenPipeError:
        raise
    except OSError as error:
        remedy = "Make room, or choose another place." if error.errno in (errno.ENOSPC, errno.EDQUOT) else None
        raise _unwritable(path, (error.strerror or type(error).__name__).lower(), remedy) from error


def append_file(path: Path, content: bytes) -> None:
    """Add to a file, or make it; who reads it meanwhile may see a part.

    Raises:
        InputError: It cannot be written.
    """
    refuse_unwritable(path)
    try:
        with path.open("ab") as file:
            file.write(content)
    except OSError as error:
        raise _unwritable(path, (error.strerror or type(error).__name__).lower(), None) from error


def _replace(target: Path, content: bytes) -> None:
    temporary = target.with_name(f".{target.name[:100]}.{os.urandom(8).hex()}.part")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    descriptor = os.open(temporary, flags, NEW_FILE)
    try:
        with open(descriptor, "wb") as file:  # noqa: PTH123  # a descriptor, not a path
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileNotFoundError):
            temporary.chmod(stat.S_IMODE(target.stat().st_mode))
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _unwritable(path: Path, found: str, remedy: str | None) -> InputError:
    return InputError(
        "the file cannot be written",
        where=str(path),
        found=found,
        remedy=remedy or "Check the name, and that the folder may be written to.",
    )
