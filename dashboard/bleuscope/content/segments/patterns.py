"""Regular expressions that users write: the one place that compiles and searches them, within bounds."""

import math
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bleucore import InputError
from bleucore.counts import Ints
from bleuscope.content.segments.pattern_process import MOST_BYTES, PROCESSES, SearchUnavailableError

Bools: TypeAlias = NDArray[np.bool_]

SEARCH_SECONDS = 10.0
"""A pattern that takes longer over the whole test set is given up."""

MAX_PATTERN_LENGTH, MAX_PATTERN_COPIES = 1_000, 10_000
MAX_SHOWN, MAX_REASON = 80, 200
COUNTED_REPEAT = re.compile(r"\{(\d+)(?:,\d*)?\}")
"""A part of a pattern stands in memory as often as its counted repeats, multiplied, ask for at least."""
REFUSED = re.compile(
    r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]"
    r"|(?P<call>\(\s*\?\s*(?:R|[+-]?\s*\d|&|P\s*[>&])[^)]{0,40}\)?)"
    r"|(?P<version>\(\s*\?[\sA-Za-z0-9-]*?V\s*[01][^)]{0,40}\)?)",
    re.DOTALL,
)
"""Recursion and switches of the version, which are refused; escaped characters and sets are passed over."""
BATCH_CHARACTERS = 1_000_000
"""How much text a process gets at once: it need not hold a whole test set."""
CORRECT_IT = "Correct it, or switch to plain text."


class PatternSearch:
    """A pattern that is looked for in many texts; all of them together have ``SEARCH_SECONDS``.

    Another process compiles it and searches, and is killed when the time is over.

    Args:
        pattern: A regular expression, as the package ``regex`` reads it, without recursion.
        ignores_case: Whether the case does not count.
        end: When it is given up, on the clock ``time.monotonic``; that of several patterns together.
        within: What it is a part of, for errors.

    Raises:
        InputError: The pattern is wrong, or as soon as it takes too long.
    """

    def __init__(
        self, pattern: str, *, ignores_case: bool = True, end: float | None = None, within: str | None = None
    ) -> None:
        self.pattern, self.ignores_case = pattern, ignores_case
        shown = repr(pattern if len(pattern) <= MAX_SHOWN else f"{pattern[:MAX_SHOWN]}…")
        self.place = f"{within}, pattern {shown}" if within else f"Pattern {shown}"
        _refuse_large(pattern, self.place)
        _refuse_unsupported(pattern, self.place)
        self.end = time.monotonic() + SEARCH_SECONDS if end is None else end
        self.fits(())

    def fits(self, texts: Sequence[str | None]) -> Bools:
        """Whether each text holds it; never where there is none."""
        return self._numbers("fits", texts) > 0

    def number(self, texts: Sequence[str | None]) -> Ints:
        """How often each text holds it; 0 where there is none."""
        return self._numbers("number", texts)

    def lost(self, before: Sequence[str | None], after: Sequence[str | None]) -> Ints:
        """How many of the matches in a text its partner lacks; -1 where there is no text."""
        return self._numbers("lost", list(zip(before, after, strict=True)))

    def _numbers(self, how: str, texts: Sequence[Any]) -> Ints:
        return np.concatenate([self._of_batch(how, texts[start:stop]) for start, stop in pairwise(_borders(texts))])

    def _of_batch(self, how: str, texts: Sequence[Any]) -> Ints:
        seconds = self.end - time.monotonic()
        answer: Mapping[str, Any] = {"late": True}
        if seconds > 0:
            asked = {"pattern": self.pattern, "ignores_case": self.ignores_case, "how": how, "texts": texts}
            answer = self._answer({**asked, "seconds": seconds, "bytes": MOST_BYTES})
        if "numbers" not in answer:
            problem, remedy = _reason(answer)
            raise InputError(problem, where=self.place, remedy=remedy)
        return np.array(answer["numbers"], np.int64)

    def _answer(self, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        try:
            return PROCESSES.answer(asked, self.end)
        except SearchUnavailableError as error:
            raise SearchUnavailableError(error.problem, where=self.place, remedy=error.remedy) from error


def _reason(answer: Mapping[str, Any]) -> tuple[str, str]:
    """What is wrong, and what to do."""
    if "late" in answer:
        slow = f"this takes longer than {SEARCH_SECONDS:g} seconds"
        return slow, "Write it without repeats within repeats, or look in fewer texts."
    if "memory" in answer:
        return (
            f"this takes more than {MOST_BYTES // 1024**2} MB of memory",
            "Write it with fewer groups and smaller counts.",
        )
    if "broken" in answer:
        return "the search for this broke down", "Write it in simpler parts, or switch to plain text."
    return f"this is not a regular expression ({answer['wrong'][:MAX_REASON]})", CORRECT_IT


def _borders(texts: Sequence[Any]) -> Iterator[int]:
    """Where batches of texts begin, and where the last one ends; no texts are one batch, too."""
    yield 0
    n_characters = 0
    for place, text in enumerate(texts):
        n_here = sum(map(len, filter(None, text))) if isinstance(text, tuple) else len(text or "")
        if place and n_characters + n_here > BATCH_CHARACTERS:
            yield place
            n_characters = 0
        n_characters += n_here
    yield len(texts)


def _refuse_large(pattern: str, place: str) -> None:
    n_copies = math.prod(max(1, int(least)) for least in COUNTED_REPEAT.findall(pattern[:MAX_PATTERN_LENGTH]))
    if len(pattern) > MAX_PATTERN_LENGTH or n_copies > MAX_PATTERN_COPIES:
        raise InputError(
            "this is too large",
            where=place,
            found=f"{len(pattern)} characters and counted repeats that come to {min(n_copies, 10**12):,}",
            expected=f"up to {MAX_PATTERN_LENGTH:,} and {MAX_PATTERN_COPIES:,}",
            remedy="Write it with smaller counts.",
        )


def _refuse_unsupported(pattern: str, place: str) -> None:
    for piece in REFUSED.finditer(pattern):
        if piece["call"]:
            problem = f"this repeats a part of the pattern by its name or number, {piece['call']}"
            raise InputError(problem, where=place, remedy="Write that part out.")
        if piece["version"]:
            problem = f"this chooses a version of the syntax, {piece['version']}"
            raise InputError(problem, where=place, remedy="Leave that out.")
