"""Disks of their own for the tests: small ones that can be filled, and such that may only be read."""

import contextlib
import os
import shutil
import subprocess
from pathlib import Path

import pytest

WHY_NOT = "a disk of its own needs the right to mount one (root, and CAP_SYS_ADMIN in a container)"
NOBODY = 65534


def _mount(*arguments):
    if shutil.which("mount") is None or os.name != "posix":
        return False
    done = subprocess.run(["mount", *map(str, arguments)], capture_output=True, check=False)
    return done.returncode == 0


@contextlib.contextmanager
def small_disk(folder, n_bytes):
    """A disk of this size."""
    folder.mkdir()
    if not _mount("-t", "tmpfs", "-o", f"size={n_bytes}", "tmpfs", folder):
        pytest.skip(WHY_NOT)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(folder):
    """Take all the room that is left; the file that has it."""
    file = folder / "other data"
    with file.open("ab", buffering=0) as opened:
        for n_bytes in (2**20, 4096, 1):
            with contextlib.suppress(OSError):
                while opened.write(bytes(n_bytes)) == n_bytes:
                    pass
    return file


@contextlib.contextmanager
def read_only(folder):
    """The disk may only be read."""
    assert _mount("-o", "remount,ro", folder)
    try:
        yield
    finally:
        assert _mount("-o", "remount,rw", folder)


@contextlib.contextmanager
def as_nobody(*folders):
    """Somebody who may read folders and write to none of them."""
    for path in (path for folder in folders for path in (folder, *Path(folder).rglob("*"))):
        path.chmod(0o555 if path.is_dir() else 0o444)
    is_root = os.geteuid() == 0
    if is_root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if is_root:
            os.seteuid(0)
        for path in (path for folder in folders for path in (folder, *Path(folder).rglob("*"))):
            path.chmod(0o755 if path.is_dir() else 0o644)
