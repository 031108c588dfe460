"""A lock between processes that the system takes back when its holder ends, however that ends."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

SECONDS_BETWEEN_TRIES = 0.1

if sys.platform == "win32":
    import msvcrt

    def _is_taken(file: IO[bytes]) -> bool:
        file.seek(0)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return True
        return False

else:
    import fcntl

    def _is_taken(file: IO[bytes]) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        return False


@contextmanager
def only_one(path: Path, while_waiting: Callable[[], None]) -> Iterator[IO[bytes]]:
    """Within this, nobody else is: no thread, and no process of this machine. Gives the locked file.

    A holder that is killed leaves a file and no lock, so nothing has to tell old locks from new ones.

    Args:
        path: Of a file for it, made if there is none.
        while_waiting: Called again and again until it is free; what it raises ends the waiting.
    """
    with path.open("ab") as file:
        while _is_taken(file):
            while_waiting()
            time.sleep(SECONDS_BETWEEN_TRIES)
        yield file
