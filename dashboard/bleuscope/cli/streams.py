"""Standard output and standard error of a command: what is printed where, and what becomes of a reader that left."""

import codecs
import contextlib
import io
import os
import sys
import time
from collections.abc import Callable, Generator

import click

SECONDS_BETWEEN = 0.1
"""Between two numbers of a progress line."""
ERASE_LINE = "\r\x1b[K"


def print_result(result: str | bytes) -> None:
    """Write what was asked for to standard output, all of it; on a terminal nothing that this would obey.

    Raises:
        BrokenPipeError: Nobody reads it any more.
        InputError: It cannot be written, because a disk is full, say.
    """
    from bleucore.errors import InputError  # noqa: PLC0415  # with all of the engine, which printing a help does without

    if sys.stdout is None:
        raise InputError("it is closed", where="Standard output", remedy="Name a file with --output.")
    if isinstance(result, str) and sys.stdout.isatty():
        from bleuscope.content.style.invisible import in_lines  # noqa: PLC0415  # as above

        result = in_lines(result)
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
