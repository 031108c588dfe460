"""Time per segment and memory of an evaluation as the test set grows, each size in a process of its own, in turn."""

import argparse
import resource
import statistics
import subprocess
import sys
import time
from contextlib import ExitStack

from side_by_side import made_texts, parsed_arguments

from bleucore import System, TestSet, evaluate

SIZES = (2_000, 20_000, 200_000)
GROWTH_TARGET = 1.2
MEMORY_TARGET = 12


def main(arguments: argparse.Namespace) -> None:
    """Measure every size, and print how time per segment and memory grow."""
    seconds, sizes_in_bytes = _measured(arguments.repeats)
    print(f"made text, 5 systems, corpus and segment BLEU; medians of {arguments.repeats}\n")
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
