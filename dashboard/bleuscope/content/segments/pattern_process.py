"""Processes that search for users' patterns: only a process that can be killed is bounded in time and memory."""

import atexit
import json
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from threading import BoundedSemaphore, Timer
from typing import Any

from bleucore import InputError

MOST_BYTES = 256 * 1024**2
"""What such a process may take, on systems that can limit it."""
MOST_AT_ONCE = 4
"""How many searches run at the same time; others wait."""


class SearchUnavailableError(InputError):
    """No process could search in time; the same search may succeed later."""


class _Process:
    def __init__(self) -> None:
        worker = Path(__file__).with_name("pattern_worker.py")
        # without site-packages and the environment's settings it starts in 20 ms
        self.process = subprocess.Popen(  # noqa: S603  # our own program
            [sys.executable, "-I", "-S", str(worker), _folder_of_regex()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.is_late = False

    @property
    def is_alive(self) -> bool:
        return self.process.poll() is None

    def answer(self, asked: Mapping[str, Any], end: float) -> dict[str, Any]:
        line = json.dumps(dict(asked), ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"
        timer = Timer(max(0.0, end - time.monotonic()), self._kill_late)
        timer.start()
        try:
            answered = self._answered(line)
        finally:
            timer.cancel()
            timer.join()
        if self.is_late:
            return {"late": True}
        answer: dict[str, Any] = json.loads(answered) if answered.endswith(b"\n") else {"broken": True}
        return answer

    def end(self) -> None:
        """Kill it, and wait until it is gone."""
        self.process.kill()
        for pipe in (self.process.stdin, self.process.stdout):
            with suppress(OSError):  # what was not sent can no longer be
                pipe.close() if pipe is not None else None
        self.process.wait()

    def _answered(self, line: bytes) -> bytes:
        stdin, stdout = self.process.stdin, self.process.stdout
        if stdin is None or stdout is None:
            return b""
        try:
            stdin.write(line)
            stdin.flush()
            return stdout.readline()
        except OSError:  # it ended meanwhile
            return b""

    def _kill_late(self) -> None:
        self.is_late = True
        self.process.kill()


class Processes:
    """Processes that search, each for one search at a time; one that answered waits for the next search."""

    def __init__(self, most_at_once: int = MOST_AT_ONCE) -> None:
        self._idle: list[_Process] = []
        self._slots = BoundedSemaphore(most_at_once)

    def answer(self, asked: Mapping[str, Any], end: float) -> dict[str, Any]:
        """What one of them answers: ``numbers``, or why there are none.

        That is ``wrong`` or ``memory``, as the worker says; ``late`` if it was killed at ``end``, on the clock
        ``time.monotonic``; ``broken`` if it ended by itself.

        Raises:
            SearchUnavailableError: None of them was free before the end, or the system starts none.
        """
        with self._one(end) as process:
            answered = process.answer(asked, end)
            if "numbers" not in answered:
                process.end()  # what it holds goes with it
            return answered

    def close(self) -> None:
        """End those that wait."""
        while self._idle:
            self._idle.pop().end()

    @contextmanager
    def _one(self, end: float) -> Iterator[_Process]:
        if not self._slots.acquire(timeout=max(0.0, end - time.monotonic())):
            raise SearchUnavailableError(
                "other searches use all the time for patterns", remedy="Search again in a minute."
            )
        try:
            process = self._started()
            try:
                yield process
            except BaseException:
                process.end()
                raise
            if process.is_alive:
                self._idle.append(process)
        finally:
            self._slots.release()

    def _started(self) -> _Process:
        with suppress(IndexError):
            while not (process := self._idle.pop()).is_alive:
                process.end()
            return process
        try:
            return _Process()
        except OSError as error:
            raise SearchUnavailableError(
                f"the system starts no process to search with ({error.strerror})",
                remedy="Look for plain text, or close other programs.",
            ) from error


def _folder_of_regex() -> str:
    found = find_spec("regex")
    return str(Path(found.origin).parents[1]) if found is not None and found.origin is not None else ""


PROCESSES = Processes()
atexit.register(PROCESSES.close)
