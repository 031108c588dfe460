"""The lines of the server's log: bounded in number and length, without anything that a terminal obeys.

Whoever can connect can make a library write a line, and choose some of its words.
"""

import logging
import threading
import time
import traceback
from functools import cache

from bleuscope.content.style.invisible import in_lines, in_one_line
from bleuscope.shell.server.server_log import LOGGER

KIND = "bleuscope_kind"
"""A name in ``extra``: lines of one place but of different kinds are bounded one by one."""
SECONDS_BETWEEN_LINES = 60.0
"""The same place writes a line no oftener; the next line says how many there were."""
MOST_CHARACTERS = 2_000
MOST_OF_FAULT = 20_000
NO_FAULTS = frozenset({"ASGI callable returned without completing handshake."})
"""What uvicorn says of every WebSocket that is answered with a line, as the gate does (0.54)."""
_IS_WRITTEN = "bleuscope_is_written"
Place = tuple[str, int, str, str]


class BoundedLines(logging.Filter):
    """Passes one line a minute for each place of the program that writes lines."""

    def __init__(self) -> None:
        """Nothing has been written yet."""
        super().__init__()
        self._lock = threading.Lock()
        self._written: dict[Place, tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to write a line, whose words are cleaned."""
        if hasattr(record, _IS_WRITTEN):  # by another handler, or not
            return bool(getattr(record, _IS_WRITTEN))
        held_back = None if record.msg in NO_FAULTS else self._held_back(_place(record))
        setattr(record, _IS_WRITTEN, held_back is not None)
        if held_back is not None:
            _clean(record, held_back)
        return held_back is not None

    def _held_back(self, place: Place) -> int | None:
        """The number of lines that were not written since the last one; ``None`` if this one is not either."""
        with self._lock:
            when, number = self._written.get(place, (float("-inf"), 0))
            if time.monotonic() - when < SECONDS_BETWEEN_LINES:
                self._written[place] = when, number + 1
                return None
            self._written[place] = time.monotonic(), 0
            return number


def bound_log() -> None:
    """Bound the lines of all loggers that there are now; ``happenings`` does so itself."""
    ours = logging.getLogger(LOGGER)
    loggers = [one for one in logging.root.manager.loggerDict.values() if isinstance(one, logging.Logger)]
    handlers = [handler for one in (logging.root, *loggers) if one is not ours for handler in one.handlers]
    for handler in (*handlers, *([] if logging.lastResort is None else [logging.lastResort])):
        handler.addFilter(_bounded())


@cache
def _bounded() -> BoundedLines:
    return BoundedLines()


def _place(record: logging.LogRecord) -> Place:
    """Where a line is written, and where the fault is that it tells of: no more of them than the program has."""
    kind, _, trace = record.exc_info or (None, None, None)
    last = traceback.extract_tb(trace, limit=-1)
    fault = "" if kind is None else f"{kind.__name__} {''.join(f'{one.filename}:{one.lineno}' for one in last)}"
    return record.pathname, record.lineno, str(getattr(record, KIND, "")), fault


def _clean(record: logging.LogRecord, held_back: int) -> None:
    try:
        text = record.getMessage()
    except (TypeError, ValueError):  # values that do not fit the words
        text = str(record.msg)
    more = f" ({held_back:,} more like this)" if held_back else ""
    record.msg, record.args = in_one_line(text[:MOST_CHARACTERS]) + more, ()
    if record.exc_info:
        fault = "".join(traceback.format_exception(*record.exc_info)).rstrip()
        record.exc_text = in_lines(fault[-MOST_OF_FAULT:])
