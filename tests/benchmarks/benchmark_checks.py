"""CPU time of all checks on four kinds of made text at two lengths, and of the slowest ones alone.

Texts of one kind all go through the same checks, but not at the same cost: lines full of numbers, signs or short words
ask other questions more often. The time of scoring stands next to each, as what a person waits for in any case.
"""

import argparse
import statistics
import time
from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from side_by_side import parsed_arguments

from bleucore import System, TestSet
from bleucore.checks import CHECKS, check
from bleucore.checks.compared_texts import Columns
from bleucore.evaluation import evaluate

Rng: TypeAlias = np.random.Generator
Word: TypeAlias = Callable[[Rng], str]

LENGTHS = (12, 60)
"""Words of a text in the mean: lines of a chat or table, and paragraphs."""
N_SYSTEMS, N_SEGMENTS, N_SHOWN = 9, 2_037, 4
BUDGET_SECONDS = 0.35
"""What all checks of nine systems and 2,037 lines of news should take."""

_LETTERS = np.array([*"etaoinshrdlucmfwypvbgkjqxz"])
_CHANGED, _OF_SOURCE, _NAMES, _SIGNS_OF_CHAT, _UNCHANGED = 0.15, 0.8, 0.08, 0.15, 0.1
_SIGNS = (":)", "😂", "lol", "…", "@anna", "#wmt", "?!")
_CODE = ("if (", ") {", "};", "return", "==", "&&", "->", "<T>", "null,", "i++;", "[0]", "0xff", "v1.2")


def main(arguments: argparse.Namespace) -> None:
    """Print one line for each kind and length."""
    n_segments = arguments.segments or N_SEGMENTS
    print(f"checks: {N_SYSTEMS} systems, 1 reference, {n_segments:,} lines; CPU seconds of {arguments.repeats} runs")
    print(f"{'':<14}{'least':>8}{'median':>8}{'most':>8}{'scoring':>9}  slowest checks")
    for kind in KINDS:
        for length in LENGTHS:
            _print_row(f"{kind} {length}", made(kind, length, n_segments), arguments.repeats)
    print(f"budget: {BUDGET_SECONDS:g} s for news of {LENGTHS[0]} words")


def made(kind: str, length: int, n_segments: int, n_systems: int = N_SYSTEMS) -> TestSet:
    """A test set of one kind of text: systems and source replace some words of the reference."""
    rng = np.random.default_rng([1, length, *kind.encode()])
    word = KINDS[kind]
    reference = [[word(rng) for _ in range(1 + rng.poisson(length))] for _ in range(n_segments)]

    def replaced(share: float) -> list[str]:
        shares = np.where(rng.random(n_segments) < _UNCHANGED, 0.0, share)
        return [
            " ".join(word(rng) if rng.random() < one else text for text in words)
            for words, one in zip(reference, shares, strict=True)
        ]

    systems = [System(f"system {number + 1}", replaced(_CHANGED)) for number in range(n_systems)]
    return TestSet(systems, [[" ".join(words) for words in reference]], replaced(_OF_SOURCE))


def _news(rng: Rng) -> str:
    text = _spelled(min(int(rng.zipf(1.3)), 50_000))
    text = text.capitalize() if rng.random() < _NAMES else text
    return text + ("," if rng.random() < _NAMES else "")


def _number(rng: Rng) -> str:
    value = int(rng.integers(0, 10 ** rng.integers(1, 8)))
    day = f"{value % 28 + 1}.{value % 12 + 1}.{2000 + value % 30}"
    return (f"{value:,}", str(value), f"{value / 100:.2f} €", day, _news(rng))[rng.integers(0, 5)]


def _code(rng: Rng) -> str:
    return _CODE[rng.integers(0, len(_CODE))] if rng.random() < 1 / 2 else f"{_news(rng).strip(',')}_{rng.integers(9)}"


def _chat(rng: Rng) -> str:
    return _SIGNS[rng.integers(0, len(_SIGNS))] if rng.random() < _SIGNS_OF_CHAT else _news(rng).lower()


@cache
def _spelled(rank: int) -> str:
    return "".join(np.random.default_rng(rank).choice(_LETTERS, 2 + rank % 9))


KINDS: Mapping[str, Word] = MappingProxyType({"news": _news, "numbers": _number, "code": _code, "chat": _chat})


def _print_row(title: str, test_set: TestSet, repeats: int) -> None:
    seconds = [_cpu(lambda: check(test_set)) for _ in range(repeats)]
    scoring = _cpu(lambda: evaluate(test_set))
    columns = Columns.of(test_set)
    single = {name: _cpu(lambda one=one: columns.once(one.all)) for name, one in CHECKS.items() if one.asks == "texts"}
    slowest = sorted(single, key=single.__getitem__, reverse=True)[:N_SHOWN]
    listed = ", ".join(f"{name} {single[name]:.3f}" for name in slowest)
    told = (min(seconds), statistics.median(seconds), max(seconds))
    print(f"{title:<14}{''.join(f'{one:>8.3f}' for one in told)}{scoring:>9.3f}  {listed}", flush=True)


def _cpu(run: Callable[[], object]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


if __name__ == "__main__":
    main(parsed_arguments(__doc__))
