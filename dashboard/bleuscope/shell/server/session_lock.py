"""Sessions that take turns at short work.

Python runs one thread at a time. Where a hundred sessions click at once, changing between their threads takes more
than their work does: one after the other, all of them are served sooner.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

LONGEST_WAIT = 1.0
"""Seconds. What takes longer than a click usually does must not hold up everyone."""

_turn = threading.Lock()


@contextmanager
def turn(longest_wait: float = LONGEST_WAIT) -> Iterator[None]:
    """Wait until no other session is at its turn, at most so many seconds."""
    has_turn = _turn.acquire(timeout=longest_wait)
    try:
        yield
    finally:
        if has_turn:
            _turn.release()
