"""Long work in threads of its own: all sessions that want it wait for the same, and it goes on when one of them leaves.

Streamlit ends the script of a page that is left, and with it what the script was at. What takes long is begun by a
script and not done by it: whoever comes back, or asks for the same on another page, finds it further on or finished.
"""

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

from bleucore.counts import Progress

Value = TypeVar("Value")

SECONDS_ALONE = 600.0
"""So long work goes on that nobody waits for."""
SECONDS_BETWEEN_REPORTS = 0.1


class GivenUpError(Exception):
    """Nobody wants the work any more."""


class SharedWork(Generic[Value]):
    """Work that has begun; it holds its value, or why there is none, as soon as it is done.

    Args:
        make: Does it, and is given what tells how far it is.
        then: Called in the thread of the work once it is done, before anyone who waits goes on.
    """

    def __init__(self, make: Callable[[Progress], Value], then: Callable[[], None] = lambda: None) -> None:
        self._make, self._then = make, then
        self._is_done = threading.Event()
        self._lock = threading.Lock()
        self._n_waiting, self._last_wanted, self._is_stopped = 0, time.monotonic(), False
        self._share = 0.0
        self._found: list[Value] = []
        self._failure: BaseException | None = None
        threading.Thread(target=self._do, name="shared work", daemon=True).start()

    def wait(self, report: Progress) -> Value:
        """The value, as soon as it is there; ``report`` is called from time to time, and may end the waiting.

        Raises:
            GivenUpError: The work was stopped. What ``make`` raises is raised here.
        """
        with self._lock:
            self._n_waiting += 1
        try:
            while not self._is_done.wait(SECONDS_BETWEEN_REPORTS):
                report(self._share)
        finally:
            with self._lock:
                self._n_waiting -= 1
                self._last_wanted = time.monotonic()
        if self._failure is not None:
            raise self._failure
        report(self._share)
        return self._found[0]

    def stop(self) -> None:
        """End the work at its next step, unless someone waits for it."""
        with self._lock:
            self._is_stopped = not self._n_waiting

    def _do(self) -> None:
        try:
            self._found.append(self._make(self._move))
        except BaseException as failure:  # noqa: BLE001  # raised where it is waited for
            self._failure = failure
        finally:
            self._then()
            self._is_done.set()

    def _move(self, share: float) -> None:
        self._share = share
        with self._lock:
            is_forgotten = not self._n_waiting and time.monotonic() - self._last_wanted > SECONDS_ALONE
            if self._is_stopped or is_forgotten:
                raise GivenUpError
