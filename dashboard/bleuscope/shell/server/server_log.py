"""What happens at this server, counted and, where it is asked for, said in a line each, without texts and names."""

import logging
import sys
import threading
import time
from collections import Counter
from functools import cache
from typing import Literal

Refusal = Literal["host", "token", "account", "address", "upload", "session", "message"]
"""Why a request is refused: called by a foreign name, without token, logged in and not allowed, no such page, no room,
a session of another server, a message that no page sends."""
SECONDS_BETWEEN_LINES = 60.0
"""One reason is said no oftener; the next line says how many there were."""
LOGGER = "bleuscope.happenings"
_LOGGER = logging.getLogger(LOGGER)


class Happenings:
    """Counts of what this server did since it was started."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._refusals: Counter[Refusal] = Counter()
        self._answers: Counter[int] = Counter()
        self._said: dict[Refusal, tuple[float, int]] = {}
        self._n_runs = self._n_under_way = 0

    def run(self) -> None:
        """The script of the pages is run."""
        with self._lock:
            self._n_runs += 1

    def begin(self) -> None:
        """A request has come."""
        with self._lock:
            self._n_under_way += 1

    def end(self, status: int | None) -> None:
        """A request has been answered, or has not."""
        with self._lock:
            self._n_under_way -= 1
            if status is not None:
                self._answers[status] += 1

    def refuse(self, reason: Refusal) -> None:
        """A request is refused."""
        with self._lock:
            self._refusals[reason] += 1
            number = self._refusals[reason]
            when, before = self._said.get(reason, (float("-inf"), 0))
            if time.monotonic() - when < SECONDS_BETWEEN_LINES:
                return
            self._said[reason] = time.monotonic(), number
        say("refused", reason=reason, requests=number - before)

    @property
    def n_runs(self) -> int:
        """How often the script of the pages was run."""
        return self._n_runs

    @property
    def n_under_way(self) -> int:
        """How many requests are being answered."""
        return self._n_under_way

    def answers(self) -> dict[int, int]:
        """How many requests were answered with each status."""
        with self._lock:
            return dict(sorted(self._answers.items()))

    def refusals(self) -> dict[str, int]:
        """How many requests were refused for each reason."""
        with self._lock:
            return {str(reason): number for reason, number in sorted(self._refusals.items())}


@cache
def happenings() -> Happenings:
    """Those of this server."""
    return Happenings()


def say(event: str, **facts: str | float) -> None:
    """Say one line of an event with its facts, where lines are wanted."""
    if _LOGGER.handlers:
        _LOGGER.info("%s", " ".join([event, *(f"{name}={fact}" for name, fact in facts.items())]))


def speak() -> None:
    """Have events said on standard error from now on."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(asctime)sZ bleuscope %(message)s", "%Y-%m-%dT%H:%M:%S"))
    handler.formatter.converter = time.gmtime  # type: ignore[union-attr]  # set in the line above
    _LOGGER.handlers[:] = [handler]
    _LOGGER.setLevel(logging.INFO)
    _LOGGER.propagate = False
