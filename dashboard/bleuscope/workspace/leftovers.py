"""Files and folders that are only there while a backup is written or restored, and what killed programs left of them.

Each has a name that nobody else gives and a lock that ends with its program. Both have to fit before it is deleted.
"""

import contextlib
import os
import re
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp, mkstemp
from typing import BinaryIO

from bleuscope.workspace.blobs import SECONDS_UNFINISHED, force_names

RESTORING, BACKING_UP = ".bleuscope-restoring-", ".bleuscope-backup-"
MARK = "bleuscope-restoring.lock"
MARKED = b"bleuscope restores a backup here\n"
_RANDOM = "[a-z0-9_]{8}"
_FIRST_BYTES = b"rows/"
"""With which a backup begins."""


@contextlib.contextmanager
def staging_folder(folder: Path) -> Iterator[Path]:
    """A new folder within another one, which is gone when the block ends."""
    made = Path(mkdtemp(dir=folder, prefix=RESTORING))
    try:
        with (made / MARK).open("xb") as mark:
            _lock(mark.fileno())
            mark.write(MARKED)
            mark.flush()
            yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)


@contextlib.contextmanager
def file_in_place_of(file: Path) -> Iterator[BinaryIO]:
    """A new file which gets the name of another one when the block ends well, and is gone otherwise."""
    descriptor, name = mkstemp(dir=file.parent, prefix=BACKING_UP)
    try:
        with os.fdopen(descriptor, "wb") as opened:
            _lock(opened.fileno())
            yield opened
            opened.flush()
            os.fsync(opened.fileno())
        Path(name).replace(file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    force_names(file.parent)


def clear_restores(folder: Path) -> int:
    """Delete what killed restores left in a folder; how many there were."""
    found = [path for path in _named(folder, RESTORING) if path.is_dir() and _is_abandoned_restore(path)]
    for path in found:
        shutil.rmtree(path, ignore_errors=True)
    return len(found)


def clear_backups(folder: Path) -> int:
    """Delete what killed backups left in a folder; how many there were."""
    found = [path for path in _named(folder, BACKING_UP) if path.is_file() and _is_abandoned_backup(path)]
    for path in found:
        path.unlink(missing_ok=True)
    return len(found)


def _named(folder: Path, prefix: str) -> list[Path]:
    pattern = re.compile(re.escape(prefix) + _RANDOM)
    with contextlib.suppress(OSError):
        return [path for path in folder.iterdir() if pattern.fullmatch(path.name) and not path.is_symlink()]
    return []


def _is_abandoned_restore(folder: Path) -> bool:
    mark = folder / MARK
    try:
        if mark.is_file() and not mark.is_symlink():
            return mark.read_bytes() in (b"", MARKED) and _is_unlocked(mark)
        return not any(folder.iterdir()) and _is_old(folder)  # killed before it had its mark, or just made
    except OSError:
        return False


def _is_abandoned_backup(file: Path) -> bool:
    try:
        with file.open("rb") as opened:
            return _FIRST_BYTES.startswith(opened.read(len(_FIRST_BYTES))) and _is_unlocked(file)
    except OSError:
        return False


def _is_old(path: Path) -> bool:
    return path.stat().st_mtime < time.time() - SECONDS_UNFINISHED


if sys.platform == "win32":

    def _lock(descriptor: int) -> None:
        """Nothing: Windows deletes no file that a program has open."""

    def _is_unlocked(file: Path) -> bool:
        return _is_old(file)

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        """Lock a file until it is closed; a file system without locks leaves it to the age of the file."""
        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _is_unlocked(file: Path) -> bool:
        with file.open("rb") as opened:
            try:
                fcntl.flock(opened.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            except OSError:
                return _is_old(file)
        return True
