"""How time and memory of evaluations, campaigns and histories grow with what they are of.

Time: CPU seconds at several sizes, which take turns, and the exponent of growth: 1 where twice as much takes twice as
long. Memory: that of an evaluation, in a process of its own for each number of segments.
"""

import argparse
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import partial
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from side_by_side import made_texts, parsed_arguments

from bleucore import System, TestSet, evaluate
from bleucore.campaign import combine, set_result_of
from bleucore.evaluation import Evaluation
from bleucore.history import version_history
from bleucore.significance import ComparedSystems, SignificanceOptions

Work: TypeAlias = Callable[[], object]

SIZES = (2_000, 20_000, 200_000)
GROWTH_TARGET = 1.2
MEMORY_TARGET = 12
WORDS_OF_A_LINE, MOST_MADE = 21, 8


def main(arguments: argparse.Namespace) -> None:
    """Print how memory and time grow, and the exponents."""
    _print_memory(arguments.repeats)
    print(f"\ngrowth: CPU seconds, the least of {arguments.repeats}, and the exponent that fits them best")
    for name, (sizes, prepared) in GROWTHS.items():
        works = {size: prepared(size) for size in sizes}
        seconds: dict[int, list[float]] = {size: [] for size in sizes}
        for _ in range(arguments.repeats):
            for size, work in works.items():
                seconds[size].append(_cpu(work))
        least = [min(of_size) for of_size in seconds.values()]
        exponent = np.polyfit(np.log(sizes), np.log(least), 1)[0]
        listed = "".join(f"{size:>9,}{one:>8.3f}" for size, one in zip(sizes, least, strict=True))
        print(f"{name:<28}{listed}{exponent:>9.2f}", flush=True)


def _of_segments(n_segments: int) -> Work:
    return partial(evaluate, _test_set(n_segments))


def _of_systems(n_systems: int) -> Work:
    return partial(evaluate, _test_set(1_000, n_systems))


def _of_words(n_words: int) -> Work:
    """Five systems of 500 lines, each of ``n_words`` words."""
    n_joined = max(1, n_words // WORDS_OF_A_LINE)
    systems, reference = made_texts(500 * n_joined)

    def joined(column: list[str]) -> list[str]:
        return [" ".join(column[start : start + n_joined]) for start in range(0, len(column), n_joined)]

    return partial(evaluate, TestSet([System(name, joined(own)) for name, own in systems.items()], [joined(reference)]))


def _of_sets(n_sets: int) -> Work:
    """``n_sets`` sets of five systems and 500 segments: scored, tested and combined."""
    sets = [_test_set(500) for _ in range(n_sets)]
    options = SignificanceOptions(trials=1_000)
    return lambda: combine([set_result_of(f"set {n}", evaluate(one), options=options) for n, one in enumerate(sets)])


def _of_versions(n_versions: int) -> Work:
    """``n_versions`` versions, their counts known, of a test set of 500 segments."""
    few = evaluate(_test_set(500, min(n_versions, 10)))
    return partial(version_history, _versions(few, n_versions), SignificanceOptions(trials=1_000))


GROWTHS: Mapping[str, tuple[tuple[int, ...], Callable[[int], Work]]] = MappingProxyType(
    {
        "segments, 5 systems": ((1_000, 4_000, 16_000), _of_segments),
        "systems, 1,000 segments": ((4, 16, 64), _of_systems),
        "words of a segment": ((21, 84, 336), _of_words),
        "sets of 5 x 500": ((3, 9, 27), _of_sets),
        "versions, 500 segments": ((20, 80, 320), _of_versions),
    }
)
"""By what grows: its sizes, and what prepares the work of each."""


def _versions(of: Evaluation, n_versions: int) -> ComparedSystems:
    """Versions that take their segments from some systems, at random."""
    counts, rng = np.stack([result.counts for result in of.systems.values()]), np.random.default_rng(1)
    lines = np.arange(counts.shape[1])
    chosen = [counts[rng.integers(len(counts), size=len(lines)), lines] for _ in range(n_versions)]
    return ComparedSystems([(f"v{number}", one) for number, one in enumerate(chosen)], of.bleu.draw_scores_of)


def _test_set(n_segments: int, n_systems: int = 5) -> TestSet:
    """Made texts; of many systems, several have the same, which costs as much to count."""
    systems, reference = made_texts(n_segments, min(n_systems, MOST_MADE))
    columns = list(systems.values())
    return TestSet([System(f"{n}", columns[n % len(columns)]) for n in range(n_systems)], [reference])


def _cpu(work: Work) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def _print_memory(repeats: int) -> None:
    seconds, sizes_in_bytes = _measured(repeats)
    print(f"made text, 5 systems, corpus and segment BLEU; medians of {repeats}\n")
    print(f"{'segments':>10}{'µs/segment':>12}{'texts MB':>10}{'peak MB':>10}")
    microseconds = {size: statistics.median(values) / size * 1e6 for size, values in seconds.items()}
    for size, (text_bytes, peak_bytes) in sizes_in_bytes.items():
        print(f"{size:>10,}{microseconds[size]:>12.1f}{text_bytes / 1e6:>10.1f}{peak_bytes / 1e6:>10.0f}")
    growth = microseconds[SIZES[-1]] / microseconds[SIZES[0]]
    text_bytes, peak_bytes = sizes_in_bytes[SIZES[-1]]
    print(f"\n{'':<46}{'ratio':>8}{'target':>14}")
    print(f"{f'time per segment, {SIZES[-1]:,} to {SIZES[0]:,}':<46}{growth:>8.2f}{GROWTH_TARGET:>6} at most")
    print(f"{f'peak memory to texts, {SIZES[-1]:,}':<46}{peak_bytes / text_bytes:>8.1f}{MEMORY_TARGET:>6} at most")


def _measured(repeats: int) -> tuple[dict[int, list[float]], dict[int, tuple[int, int]]]:
    """Seconds of every run, and bytes of the texts and of the process at its peak, by size."""
    with ExitStack() as stack:
        processes = {
            size: stack.enter_context(
                subprocess.Popen(
                    [sys.executable, __file__, str(size)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
                )
            )
            for size in SIZES
        }
        seconds = {size: list[float]() for size in SIZES}
        for _ in range(repeats):
            for size, process in processes.items():
                process.stdin.write("run\n")
                process.stdin.flush()
                seconds[size].append(float(process.stdout.readline()))
        ends = {size: process.communicate()[0].split() for size, process in processes.items()}
    return seconds, {size: (int(text_bytes), int(peak_bytes)) for size, (text_bytes, peak_bytes) in ends.items()}


def _answer(n_segments: int) -> None:
    """Print the seconds of a run for each line of the input, and at its end both numbers of bytes."""
    systems, reference = made_texts(n_segments)
    for _ in sys.stdin:
        start = time.perf_counter()
        evaluate(TestSet([System(name, column) for name, column in systems.items()], [reference]))
        print(time.perf_counter() - start, flush=True)
    text_bytes = sum(len(text.encode()) for column in (reference, *systems.values()) for text in column)
    print(text_bytes, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1].isdecimal():
        _answer(int(sys.argv[1]))
    else:
        main(parsed_arguments(__doc__))
