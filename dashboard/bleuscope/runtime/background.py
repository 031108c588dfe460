"""Long work in threads of its own: all sessions that want it wait for the same.

Streamlit ends the script of a page that is left, and with it what the script was at. What takes long is begun by a
script and not done by it: whoever comes back soon, or asks for the same on another page, finds it further on. Work
that no page wants ends. What a person asked for goes on when they leave.
"""

import logging
import threading
import time
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from bleucore import InputError
from bleucore.counts import Progress

Value = TypeVar("Value")

SECONDS_LEFT, SECONDS_FOLLOWED, SECONDS_ALONE = 20.0, 90.0, 600.0
"""How long work goes on that nobody waits for: once they left; where a page asks from time to time, if hidden once a
minute; and where somebody asked for it.
"""
MOST_ALONE = 4
"""The number of works that go on though nobody waits for them; of more, the one that was left first ends."""
SECONDS_BETWEEN_REPORTS = 0.1


_under_way: set["RunningTask[Any]"] = set()
_lock = threading.Lock()
"""Of ``_under_way``, and of who waits for what is in it."""


class GivenUpError(Exception):
    """Nobody wants the work any more."""


class RunningTask(Generic[Value]):
    """Work that has begun; it holds its value, or why there is none, as soon as it is done.

    Args:
        make: Does it, and is given what tells how far it is.
        then: Called in the thread of the work once it is done, before anyone who waits goes on.
    """

    def __init__(self, make: Callable[[Progress], Value], then: Callable[[], None] = lambda: None) -> None:
        self._make, self._then = make, then
        self._is_done = threading.Event()
        self._n_waiting, self._last_wanted, self._is_stopped = 0, time.monotonic(), False
        self._seconds_alone, self._is_asked_for = SECONDS_FOLLOWED, False
        self._share = 0.0
        self._found: list[Value] = []
        self._failure: BaseException | None = None
        with _lock:
            _under_way.add(self)
        threading.Thread(target=self._do, name="shared work", daemon=True).start()

    @property
    def is_under_way(self) -> bool:
        """Whether it goes on."""
        return not self._is_done.is_set()

    @property
    def share(self) -> float:
        """How much of it is done, 0 to 1."""
        return self._share

    @property
    def failure(self) -> BaseException | None:
        """Why there is no value; ``None`` while it goes on, and where it was stopped."""
        return None if isinstance(self._failure, GivenUpError) else self._failure

    @property
    def found(self) -> Value | None:
        """The value, once it is there."""
        return self._found[0] if self._found and self._is_done.is_set() else None

    def want(self) -> None:
        """Say that somebody still looks for the value, without waiting for it."""
        with _lock:
            self._last_wanted, self._is_stopped = time.monotonic(), False
            self._seconds_alone = SECONDS_FOLLOWED

    def go_on(self) -> None:
        """Go on when the page is left: somebody asked for it."""
        with _lock:
            self._is_asked_for = True

    def wait(self, report: Progress) -> Value:
        """The value, as soon as it is there; ``report`` is called from time to time, and may end the waiting.

        Raises:
            GivenUpError: The work was stopped. What ``make`` raises is raised here.
        """
        with _lock:
            self._n_waiting += 1
            self._is_stopped = False
        try:
            while not self._is_done.wait(SECONDS_BETWEEN_REPORTS):
                report(self._share)
        finally:
            with _lock:
                self._n_waiting -= 1
                self._last_wanted, self._seconds_alone = time.monotonic(), SECONDS_LEFT
        if self._failure is not None:
            raise self._failure
        report(self._share)
        return self._found[0]

    def stop(self) -> None:
        """End the work at its next step with nobody who waits for it, unless somebody new comes before that.

        Streamlit runs what a button does while the page that it stands on still waits.
        """
        with _lock:
            self._is_stopped = True

    def _do(self) -> None:
        try:
            self._found.append(self._make(self._move))
        except BaseException as failure:  # noqa: BLE001  # raised where it is waited for
            self._failure = failure
            self._note_unseen_failure()
        finally:
            with _lock:
                _under_way.discard(self)
            self._then()
            self._is_done.set()

    def _note_unseen_failure(self) -> None:
        """Write down a fault of ours that nobody waits for."""
        if self.failure is not None and not self._n_waiting and not isinstance(self.failure, InputError):
            logging.getLogger(__name__).error("work in the background failed", exc_info=self.failure)

    def _move(self, share: float) -> None:
        self._share = share
        with _lock:
            if not self._n_waiting and (self._is_stopped or self._is_forgotten()):
                raise GivenUpError

    def was_left_after(self, moment: float) -> bool:
        """Whether nobody waits for it, and somebody did after this moment of ``time.monotonic``."""
        return not self._n_waiting and self._last_wanted > moment

    def _is_forgotten(self) -> bool:
        """Whether nobody has waited for too long, or others were left since."""
        seconds = SECONDS_ALONE if self._is_asked_for else self._seconds_alone
        n_left_since = sum(one.was_left_after(self._last_wanted) for one in _under_way)
        return n_left_since >= MOST_ALONE or time.monotonic() - self._last_wanted > seconds
