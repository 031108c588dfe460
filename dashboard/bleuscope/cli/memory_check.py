"""Whether the dashboard has memory enough, and how it holds little: before libraries are loaded, which ask neither."""

import contextlib
import ctypes
import os
import sys
from pathlib import Path

MEGABYTE = 1024**2
LEAST_MEMORY = 400 * MEGABYTE
"""With the sample comparison and one visitor it takes 330 MB."""
LEAST_ADDRESSES = 2048 * MEGABYTE
"""Of a limit on addresses (``ulimit -v``), which libraries take many of without using them."""
MEMORY_INFORMATION = Path("/proc/meminfo")
LIMIT_OF_CONTAINER = Path("/sys/fs/cgroup/memory.max")

_ALLOCATOR_OF_ARROW, _ARENAS_OF_GLIBC = "ARROW_DEFAULT_MEMORY_POOL", "MALLOC_ARENA_MAX"
_ARENA_MAX, _MOST_ARENAS = -8, 2
"""What ``mallopt`` calls the number of arenas (malloc.h), and how many there may be."""


class TooLittleMemoryError(Exception):
    """The dashboard cannot start in so little memory; the message says how much there is."""


def refuse_little_memory() -> None:
    """Refuse to start where the dashboard would end at its first page.

    Raises:
        TooLittleMemoryError: There is less memory than it takes.
    """
    for room, least, remedy in (
        (_addresses(), LEAST_ADDRESSES, "Raise the limit: ulimit -v unlimited."),
        (_memory(), LEAST_MEMORY, "Close other programs, or give the container more."),
    ):
        if room is not None and room < least:
            raise TooLittleMemoryError(
                f"Memory: there is too little to start (found {room // MEGABYTE:,} MB, expected at least "
                f"{least // MEGABYTE:,} MB). {remedy}"
            )


def hold_little_memory() -> None:
    """Make allocators hold less of what was freed, unless the environment says how: 70 MB after the first page.

    Arrow brings an allocator that keeps much, and glibc keeps something for each thread.
    """
    os.environ.setdefault(_ALLOCATOR_OF_ARROW, "system")
    if sys.platform == "linux" and _ARENAS_OF_GLIBC not in os.environ:
        mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
        if mallopt is not None:
            mallopt(_ARENA_MAX, _MOST_ARENAS)


def _addresses() -> int | None:
    """The limit of addresses of this process."""
    try:
        import resource  # noqa: PLC0415  # not on Windows
    except ImportError:
        return None
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return None if limit == resource.RLIM_INFINITY else limit


def _memory() -> int | None:
    """What memory can still be had, swap included; what a container may have, if that is less."""
    rooms = []
    with contextlib.suppress(OSError, ValueError, KeyError):
        lines = (line.split() for line in MEMORY_INFORMATION.read_text(encoding="ascii").splitlines())
        sizes = {line[0]: int(line[1]) * 1024 for line in lines}
        rooms.append(sizes["MemAvailable:"] + sizes["SwapFree:"])
    with contextlib.suppress(OSError, ValueError):  # there is none, or it says "max"
        rooms.append(int(LIMIT_OF_CONTAINER.read_text(encoding="ascii")))
    return min(rooms, default=None)
