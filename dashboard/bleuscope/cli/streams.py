"""Standard output and standard error of a command: what is printed where, and what becomes of a reader that left."""

import codecs
import contextlib
import io
import os
import shutil
import sys
import time
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from bleuscope.content.sheets.screens import Screen

SECONDS_BETWEEN = 0.1
"""Between two numbers of a progress line."""
NO = ("0", "false")
"""What switches colours off where a variable could force them."""
LEAST_WIDTH = 30
"""Columns that are written to in the narrowest of terminals."""
ERASE_LINE = "\r\x1b[K"


def screen() -> "Screen":
    """What standard output is written to: as wide as its terminal, or ``COLUMNS``; 80 columns where it is none."""
    from bleuscope.content.sheets.screens import USUAL_WIDTH, Screen  # noqa: PLC0415  # a help does without

    return Screen(terminal_width() or USUAL_WIDTH, shows_colours())


def terminal_width() -> int | None:
    """The columns of the terminal that standard output is, or of ``COLUMNS``; ``None`` where nobody says any."""
    width = shutil.get_terminal_size((0, 0)).columns
    return max(width, LEAST_WIDTH) if width else None


def shows_colours() -> bool:
    """Whether standard output is to have colours: on a terminal, unless its user says otherwise.

    ``NO_COLOR`` comes before all, ``FORCE_COLOR`` and ``CLICOLOR_FORCE`` before what standard output is.
    """
    said = os.environ.get
    if said("NO_COLOR"):
        return False
    forced = said("FORCE_COLOR") or said("CLICOLOR_FORCE")
    if forced:
        return forced not in NO
    is_plain = said("CLICOLOR") in NO or said("TERM") == "dumb" or (os.name == "nt" and not said("WT_SESSION"))
    return not is_plain and sys.stdout is not None and sys.stdout.isatty()


def print_result(result: str | bytes, *, is_painted: bool = False) -> None:
    """Write what was asked for to standard output, all of it; on a terminal nothing that this would obey.

    Args:
        result: What was asked for.
        is_painted: Whether it holds colours, and nothing else that a terminal would obey.

    Raises:
        BrokenPipeError: Nobody reads it any more.
        InputError: It cannot be written, because a disk is full, say.
    """
    from bleucore.errors import InputError  # noqa: PLC0415  # with all of the engine, which printing a help does without

    if sys.stdout is None:
        raise InputError("it is closed", where="Standard output", remedy="Name a file with --output.")
    if isinstance(result, str) and sys.stdout.isatty() and not is_painted:
        result = harmless(result)
    try:
        _write_all(result)
    except BrokenPipeError:
        raise
    except OSError as error:
        forget_output()
        raise InputError(
            "it cannot be written",
            where="Standard output",
            found=(error.strerror or type(error).__name__).lower(),
            remedy="Make room, or write to another place.",
        ) from error


def print_text(text: str) -> None:
    """Write a text for people to standard output, without anything that a terminal obeys: a pipe may end in one.

    Raises:
        BrokenPipeError: Nobody reads it any more.
        InputError: It cannot be written.
    """
    print_result(harmless(text))


def harmless(text: str) -> str:
    """A text of several lines with signs for what a terminal would obey."""
    if text.replace("\n", "").isprintable():
        return text
    from bleuscope.content.style.invisible import in_lines  # noqa: PLC0415  # regex, for a tenth of the start

    return in_lines(text)


def _write_all(result: str | bytes) -> None:
    """Write everything: an unbuffered stream (``PYTHONUNBUFFERED``) may take a part at a time and not say so."""
    stream = getattr(sys.stdout, "buffer", None)
    if stream is None:  # somebody put another stream in its place
        click.echo(result, nl=False)
        return
    sys.stdout.flush()
    left = memoryview(result.encode(_encoding(), "replace") if isinstance(result, str) else result)
    while left:
        left = left[stream.write(left) :]
    stream.flush()


def _encoding() -> str:
    """That of standard output, unless it can write English only, as where no language is set."""
    encoding = sys.stdout.encoding or "utf-8"
    return "utf-8" if codecs.lookup(encoding).name == "ascii" else encoding


def notice(sentence: str) -> None:
    """Say something beside the result: one line on standard error, of which a terminal obeys nothing."""
    from bleuscope.content.style.invisible import in_one_line  # noqa: PLC0415  # a help does without

    click.echo(f"bleuscope: {in_one_line(' '.join(sentence.split()))}", err=True)


def notice_on_terminal(sentence: str) -> None:
    """Say what takes long to somebody who waits; nothing in a script's log."""
    if _is_terminal():
        notice(sentence)


def forget_output() -> None:
    """Let what is left in the buffer of standard output go nowhere, or Python would complain as it ends."""
    with contextlib.suppress(OSError, io.UnsupportedOperation, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


@contextlib.contextmanager
def progress(what: str) -> Generator[Callable[[float], None] | None]:
    """Shows the share of the work that is done, 0 to 1, on standard error; ``None`` where that is no terminal."""
    if not _is_terminal():
        yield None
        return
    last_time, last_text = 0.0, ""

    def report(share: float) -> None:
        nonlocal last_time, last_text
        text, now = f"{what}: {100 * min(max(share, 0.0), 1.0):.0f} %", time.monotonic()
        if text != last_text and now - last_time >= SECONDS_BETWEEN:
            click.echo(f"{ERASE_LINE}{text}", nl=False, err=True)
            last_time, last_text = now, text

    try:
        yield report
    finally:
        if last_text:
            click.echo(ERASE_LINE, nl=False, err=True)


def _is_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()
