"""The program of the process that searches for a user's patterns; it can be killed at any moment.

Each line of its input is a JSON object: ``pattern``, ``ignores_case``, ``how`` (a key of ``COUNTS``), ``texts``, and
the ``seconds`` and ``bytes`` that the search may take. It answers each with a line: ``numbers``, ``wrong`` or
``memory``.
"""

import functools
import json
import math
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import regex


def fits(pattern: "regex.Pattern[str]", text: str | None) -> int:
    """1 if the text holds the pattern, else 0."""
    return int(text is not None and pattern.search(text) is not None)


def number(pattern: "regex.Pattern[str]", text: str | None) -> int:
    """How often the text holds the pattern."""
    return 0 if text is None else sum(1 for _ in pattern.finditer(text))


def lost(pattern: "regex.Pattern[str]", texts: Sequence[str | None]) -> int:
    """How many of the matches in the first text the second one lacks; -1 without a first text."""
    before, after = texts
    return -1 if before is None else (_matches(pattern, before) - _matches(pattern, after or "")).total()


COUNTS: Mapping[str, Callable[..., int]] = MappingProxyType({"fits": fits, "number": number, "lost": lost})
"""What is counted in each text, or pair of texts."""


def _matches(pattern: "regex.Pattern[str]", text: str) -> Counter[str]:
    return Counter(one.group() for one in pattern.finditer(text))


@functools.lru_cache(maxsize=1)
def _compiled(pattern: str, ignores_case: bool) -> "regex.Pattern[str]":  # noqa: FBT001  # the key of a cache
    import regex  # noqa: PLC0415  # found only once the folder of the command line is known

    flags = regex.V0 | (regex.IGNORECASE if ignores_case else 0)
    return regex.compile(pattern, flags, cache_pattern=False)


def _bound(seconds: float, n_bytes: int) -> None:
    """Have the system refuse more than this where it can; the process that waits for the answer watches the clock."""
    try:
        import resource  # noqa: PLC0415  # not on Windows
    except ImportError:
        return
    used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    for limit, most in ((resource.RLIMIT_CPU, math.ceil(used + seconds) + 1), (resource.RLIMIT_AS, n_bytes)):
        try:
            resource.setrlimit(limit, (most, resource.getrlimit(limit)[1]))
        except (ValueError, OSError):  # the system knows no such limit, or a lower one
            continue


def _answer(asked: Mapping[str, Any]) -> dict[str, Any]:
    _bound(asked["seconds"], asked["bytes"])
    try:
        pattern, count = _compiled(asked["pattern"], asked["ignores_case"]), COUNTS[asked["how"]]
        return {"numbers": [count(pattern, text) for text in asked["texts"]]}
    except MemoryError:
        return {"memory": True}
    except Exception as error:  # noqa: BLE001  # regex raises many kinds, inner ones too
        return {"wrong": str(error) or type(error).__name__}


def main() -> None:
    """Answer line by line, until the input ends."""
    sys.path.append(sys.argv[1])
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(json.dumps(_answer(json.loads(line))).encode() + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
