"""A process that another program runs in: what it says last is kept, and it ends with whoever started it."""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import IO, Self

from bleuscope.neural.manifest import NeuralMetric, refused

SECONDS_BETWEEN_BEATS = 0.1
SECONDS_TO_END = 5.0
MOST_SAID = 64 * 1024
"""The bytes of standard error that are kept: the last ones."""
MOST_ANSWERED = 1024 * 1024
"""The bytes of one line of standard output."""
_OURS = ("PYTHON", "BLEUSCOPE_")
"""How variables of the environment begin that are ours alone: tokens and folders are among them."""


class Child:
    """A process, from ``__enter__`` until ``__exit__``, which kills it with all that it started.

    Args:
        metric: That it works for.
        command: Its words.
        beat: Called several times a second while it is waited for; what it raises ends the waiting.
        log: The file for what it says on standard error if it fails. Its folder is the one that the process runs in:
            programs obey files of the folder they run in, and that of the texts may be somebody else's.
        variables: Of its environment, besides this process's own.
        lock: A locked file. Its lock lasts until the process ends, too, even if this one is killed before.
    """

    def __init__(
        self,
        metric: NeuralMetric,
        command: Sequence[str],
        *,
        beat: Callable[[], None],
        log: Path,
        variables: Mapping[str, str],
        lock: IO[bytes] | None = None,
    ) -> None:
        self._metric, self._command, self._beat, self._log, self._lock = metric, command, beat, log, lock
        own = {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}
        self._variables = {**own, **variables}
        self._said = b""
        self._lines: SimpleQueue[bytes] = SimpleQueue()

    def __enter__(self) -> Self:
        try:
            self._process = subprocess.Popen(  # noqa: S603  # a manifest's program, in an environment for it
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=self._variables,
                cwd=self._log.parent,
                pass_fds=() if self._lock is None or os.name == "nt" else (self._lock.fileno(),),
                start_new_session=True,
            )
        except OSError as error:
            raise refused(self._metric, "its program cannot be started", found=error.strerror) from error
        self._readers = [threading.Thread(target=read, daemon=True) for read in (self._read_lines, self._read_said)]
        for one in self._readers:
            one.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._kill()
        self._process.wait()
        for one in self._readers:
            one.join(SECONDS_TO_END)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                with suppress(OSError):  # what was to be written to it goes nowhere
                    stream.close()

    def send(self, line: bytes) -> None:
        """Write a line to its standard input, however long that takes, and go on meanwhile."""
        threading.Thread(target=self._write, args=(line,), daemon=True).start()

    def answer(self, seconds: float) -> bytes:
        """Its next line on standard output.

        Raises:
            InputError: It ends without one, or says nothing within ``seconds``.
        """
        due = time.monotonic() + seconds
        while True:
            try:
                line = self._lines.get(timeout=SECONDS_BETWEEN_BEATS)
            except Empty:
                self._beat()
                if time.monotonic() > due:
                    raise self.failed(f"it gave no answer in {seconds:g} seconds") from None
                continue
            if not line:
                raise self.failed(self._how_it_ended())
            return line

    def wait(self, seconds: float) -> int:
        """Its exit code, once it ends by itself.

        Raises:
            InputError: It does not end within ``seconds``.
        """
        due = time.monotonic() + seconds
        while True:
            try:
                return self._process.wait(SECONDS_BETWEEN_BEATS)
            except subprocess.TimeoutExpired:
                self._beat()
                if time.monotonic() > due:
                    raise self.failed(f"its program did not end in {seconds:g} seconds") from None

    def failed(self, problem: str) -> Exception:
        """The error of a process that failed, with the last line that it said; the log has more."""
        self._kill()
        self._readers[1].join(SECONDS_TO_END)
        said = self._said.decode(errors="replace")
        lines = [line.strip() for line in said.replace("\r", "\n").split("\n") if line.strip()]
        remedy = None
        try:
            self._log.unlink(missing_ok=True)
            self._log.touch(mode=0o600, exist_ok=False)  # it may quote texts
            self._log.write_bytes(self._said)
            remedy = f"The log has more: {self._log}"
        except OSError:
            pass  # a full disk, say: the last line is what there is
        return refused(self._metric, problem, found=lines[-1] if lines else None, remedy=remedy)

    def _how_it_ended(self) -> str:
        try:
            code = self._process.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            return "its process closed its output"
        return (
            f"its process ended early (signal {-code})" if code < 0 else f"its process ended early (exit code {code})"
        )

    def _kill(self) -> None:
        if self._process.poll() is not None and os.name == "nt":
            return
        try:
            if os.name == "nt":
                self._process.kill()
            else:
                os.killpg(self._process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass  # it ended by itself

    def _write(self, line: bytes) -> None:
        stream = self._process.stdin
        try:
            if stream is not None:
                stream.write(line)
                stream.flush()
        except (OSError, ValueError):
            pass  # it is gone, which ``answer`` finds

    def _read_lines(self) -> None:
        stream = self._process.stdout
        while stream is not None:
            line = stream.readline(MOST_ANSWERED)
            self._lines.put(line)
            if not line.endswith(b"\n"):
                break  # the end, or a line without one: nobody reads on, and the process is killed

    def _read_said(self) -> None:
        stream = self._process.stderr
        while stream is not None:
            said = os.read(stream.fileno(), MOST_SAID)
            if not said:
                break
            self._said = (self._said + said)[-MOST_SAID:]
