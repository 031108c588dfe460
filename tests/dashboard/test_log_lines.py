"""The server's log: nobody fills it, and nothing in it is obeyed by a terminal."""

import io
import logging

import pytest

from bleuscope.shell.server import log_lines
from bleuscope.shell.server.log_lines import KIND, MOST_CHARACTERS, MOST_OF_FAULT, NO_FAULTS, BoundedLines, bound_log


@pytest.fixture
def logger():
    """A logger of its own."""
    found = logging.getLogger("tests.log_lines")
    found.propagate = False
    yield found
    found.handlers[:] = []


@pytest.fixture
def written(logger, monkeypatch):
    """What a bounded handler has written, and a clock that moves when a test says so."""
    stream, clock = io.StringIO(), [0.0]
    handler = logging.StreamHandler(stream)
    handler.addFilter(BoundedLines())
    logger.addHandler(handler)
    monkeypatch.setattr(log_lines.time, "monotonic", lambda: clock[0])

    def lines(seconds=0.0):
        clock[0] += seconds
        return stream.getvalue().splitlines()

    return lines


def warn(logger, *words, **named):
    logger.warning(*words, **named)


def test_one_place_writes_one_line_a_minute_and_then_says_how_many_there_were(logger, written):
    for number in range(1000):
        warn(logger, "refused %s", number)
    assert written(59) == ["refused 0"]
    warn(logger, "refused %s", 1000)
    assert written(2) == ["refused 0"]
    warn(logger, "refused %s", 1001)
    warn(logger, "refused %s", 1002)
    assert written(61) == ["refused 0", "refused 1001 (1,000 more like this)"]
    warn(logger, "refused %s", 1003)
    assert written()[2:] == ["refused 1003 (1 more like this)"]


def test_another_place_kind_or_fault_writes_its_own(logger, written):
    def fail(number):
        if number % 2:
            raise ValueError(number)
        raise KeyError(number)

    for number in range(6):
        warn(logger, "a place")
        logger.warning("another place")
        warn(logger, "of a kind", extra={KIND: "one" if number % 2 else "two"})
        try:
            fail(number)
        except (KeyError, ValueError) as error:
            logger.error("it failed", exc_info=error)  # as the server does
    said = [line for line in written() if not line.startswith(" ") and "Traceback" not in line]
    assert said == [
        "a place",
        "another place",
        "of a kind",
        "it failed",
        "KeyError: 0",
        "of a kind",
        "it failed",
        "ValueError: 1",
    ]


@pytest.mark.parametrize("obeyed", ["\x1b[31m", "\u202e", "\r", "\x9b", "\u2028", "\x07", "\n"])
def test_what_a_terminal_would_obey_is_shown_by_a_sign(logger, written, obeyed):
    warn(logger, "at %s", f"a{obeyed}b")
    try:
        raise ValueError(f"a{obeyed}b")
    except ValueError:
        logger.exception("it failed")
    text = "\n".join(written())
    assert obeyed not in text.replace("\n", "") or obeyed == "\n"
    assert written()[0].startswith("at a")
    assert written()[0].endswith("b")


def test_a_line_and_a_fault_have_an_end(logger, written):
    warn(logger, "at %s", "x" * 100_000)
    try:
        raise ValueError("y" * 100_000)
    except ValueError:
        logger.exception("it failed")
    line, *fault = written()
    assert len(line) == MOST_CHARACTERS
    assert len("".join(fault)) < MOST_OF_FAULT + 100


def test_words_that_do_not_fit_their_values_are_written_as_they_are(logger, written):
    warn(logger, "at %s and %s", 1)
    assert written() == ["at %s and %s"]


def test_what_uvicorn_says_of_each_socket_that_is_refused_is_no_fault(logger, written):
    for sentence in NO_FAULTS:
        logger.error(sentence)
    assert written() == []


def test_every_handler_writes_a_line_that_passes(logger, written):
    second = io.StringIO()
    handler = logging.StreamHandler(second)
    logger.addHandler(handler)
    for filtering in logger.handlers[0].filters:
        handler.addFilter(filtering)
    for _ in range(3):
        warn(logger, "refused")
    assert (written(60), second.getvalue()) == (["refused"], "refused\n")
    warn(logger, "refused")
    assert written()[1:] == ["refused (2 more like this)"]


def test_every_logger_that_there_is_becomes_bounded_but_for_what_bounds_itself(monkeypatch):
    ours, theirs = logging.StreamHandler(io.StringIO()), logging.StreamHandler(io.StringIO())
    last = logging.StreamHandler(io.StringIO())
    monkeypatch.setattr(logging, "lastResort", last)
    monkeypatch.setattr(logging.getLogger("bleuscope.happenings"), "handlers", [ours])
    monkeypatch.setattr(logging.getLogger("tests.log_lines.theirs"), "handlers", [theirs])
    for kept in (logging.root, *(one for one in logging.root.manager.loggerDict.values() if hasattr(one, "handlers"))):
        if not {ours, theirs} & set(kept.handlers):
            monkeypatch.setattr(kept, "handlers", [])  # those of the tests' own process stay as they are
    bound_log()
    bound_log()
    assert [len(one.filters) for one in (ours, theirs, last)] == [0, 1, 1]
