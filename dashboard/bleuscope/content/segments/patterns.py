"""Regular expressions that users write: bounded in size and in time."""

import math
import re
import time

import regex

from bleucore import InputError

SEARCH_SECONDS = 10.0
"""A pattern that takes longer over the whole test set is given up."""

MAX_PATTERN_LENGTH, MAX_PATTERN_COPIES = 1_000, 10_000
COUNTED_REPEAT = re.compile(r"\{(\d+)(?:,\d*)?\}")
"""A part of a pattern stands in memory as often as its counted repeats, multiplied, ask for at least."""


class PatternSearch:
    """A pattern that is looked for in many texts; all of them together have ``SEARCH_SECONDS``.

    The package ``regex`` can be stopped within a text, and lets other sessions go on meanwhile.

    Args:
        pattern: A regular expression, as the package ``regex`` reads it.
        ignores_case: Whether the case does not count.
        end: When it is given up, on the clock ``time.monotonic``; that of several patterns together.

    Raises:
        InputError: The pattern is wrong, or as soon as it takes too long.
    """

    def __init__(self, pattern: str, *, ignores_case: bool = True, end: float | None = None) -> None:
        self.pattern = _compiled(pattern, regex.IGNORECASE if ignores_case else 0)
        self.end = time.monotonic() + SEARCH_SECONDS if end is None else end

    def fits(self, text: str) -> bool:
        """Whether a text holds it."""
        try:
            return self.pattern.search(text, timeout=self._seconds()) is not None
        except TimeoutError:
            raise self._too_slow() from None

    def found(self, text: str) -> list[str]:
        """What of a text fits."""
        try:
            return [one.group() for one in self.pattern.finditer(text, timeout=self._seconds())]
        except TimeoutError:
            raise self._too_slow() from None

    def number(self, text: str) -> int:
        """How often a text holds it."""
        return len(self.found(text))

    def _seconds(self) -> float:
        return max(1e-3, self.end - time.monotonic())

    def _too_slow(self) -> InputError:
        return InputError(
            f"this takes longer than {SEARCH_SECONDS:g} seconds",
            where=f"Pattern {self.pattern.pattern!r}",
            remedy="Write it without repeats within repeats, or look in fewer texts.",
        )


def _compiled(pattern: str, flags: int) -> regex.Pattern[str]:
    """The pattern, read; one that would take more memory than there is, is refused before."""
    n_copies = math.prod(max(1, int(least)) for least in COUNTED_REPEAT.findall(pattern[:MAX_PATTERN_LENGTH]))
    if len(pattern) > MAX_PATTERN_LENGTH or n_copies > MAX_PATTERN_COPIES:
        raise InputError(
            "this is too large",
            where=f"Pattern {pattern[:40]!r}",
            found=f"{len(pattern)} characters and counted repeats that come to {n_copies}",
            expected=f"up to {MAX_PATTERN_LENGTH} and {MAX_PATTERN_COPIES}",
            remedy="Write it with smaller counts.",
        )
    try:
        return regex.compile(pattern, flags | regex.V0)
    except (regex.error, RecursionError) as error:
        raise InputError(
            f"this is not a regular expression ({error})",
            where=f"Pattern {pattern!r}",
            remedy="Mend it, or switch to plain text.",
        ) from error
