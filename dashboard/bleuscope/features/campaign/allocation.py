"""How a process gives memory back, for as long as arrays are made and dropped.

glibc keeps what is freed for what is asked for next, and learns from what was freed how much that is. Any setting of
its own stops that learning. Dask's workers are started with ``MALLOC_TRIM_THRESHOLD_=65536``: from then on every array
above 128 KB comes fresh from the system, page by page, and counting takes 2.5 times as long. What the learning comes to
can be set while the process runs.
"""

import contextlib
import ctypes
import os
from collections.abc import Iterator

VARIABLE = "MALLOC_TRIM_THRESHOLD_"
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
"""What ``mallopt`` calls them (malloc.h)."""
_USUAL_MMAP = 128 << 10
_LARGEST_MMAP = 32 << 20
"""Where glibc ends its own learning; it trims at twice that."""


@contextlib.contextmanager
def memory_kept() -> Iterator[None]:
    """Within this, memory that is freed stays for what is asked for next, whatever the environment says of that.

    Nothing is done where the environment says nothing, or the C library is another.
    """
    trims_at = os.environ.get(VARIABLE, "")
    library = _glibc() if trims_at.isdigit() else None
    if library is None:
        yield
        return
    library.mallopt(_MMAP_THRESHOLD, _LARGEST_MMAP)
    library.mallopt(_TRIM_THRESHOLD, 2 * _LARGEST_MMAP)
    try:
        yield
    finally:
        library.mallopt(_MMAP_THRESHOLD, _USUAL_MMAP)
        library.mallopt(_TRIM_THRESHOLD, min(int(trims_at), 2**31 - 1))
        library.malloc_trim(0)


def _glibc() -> ctypes.CDLL | None:
    try:
        library = ctypes.CDLL(None)
    except (OSError, TypeError):
        return None
    return library if hasattr(library, "mallopt") and hasattr(library, "gnu_get_libc_version") else None
