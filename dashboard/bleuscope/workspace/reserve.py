"""Room that a workspace reserves for a full disk, on which it could delete nothing otherwise."""

import contextlib
import os
import shutil
from pathlib import Path

FILE = ".reserve"
MOST_BYTES = 4 * 2**20
LEAST_BYTES = 256 * 2**10
SHARE_OF_FREE = 4
"""The reserve takes up to one in four of the free bytes."""
_PRIVATE = 0o600


def keep(folder: Path) -> bool:
    """Have a reserve, if there is room for it; whether there is one now."""
    file = folder / FILE
    with contextlib.suppress(OSError):
        if file.exists():
            return True
        n_bytes = min(MOST_BYTES, shutil.disk_usage(folder).free // SHARE_OF_FREE)
        if n_bytes >= LEAST_BYTES:
            return _made(file, n_bytes)
    return False


def release(folder: Path) -> int:
    """Give the reserve back to the disk; how many bytes that were."""
    file = folder / FILE
    with contextlib.suppress(OSError):
        if file.is_file() and not file.is_symlink():
            n_bytes = file.stat().st_size
            file.unlink()
            return n_bytes
    return 0


def _made(file: Path, n_bytes: int) -> bool:
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE)
    try:
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(descriptor, 0, n_bytes)
        else:
            os.write(descriptor, bytes(n_bytes))
    except BaseException:
        file.unlink()
        raise
    finally:
        os.close(descriptor)
    return True
