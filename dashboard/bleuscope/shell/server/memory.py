"""Memory that this process no longer needs goes back to the system."""

import ctypes
import sys


def give_memory_back() -> None:
    """Give back what was freed and glibc holds: up to 80 MB after a first page. Elsewhere nothing happens."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)
