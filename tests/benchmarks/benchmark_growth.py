"""Time per segment and memory of an evaluation as the test set grows, each size in a process of its own."""

import resource
import subprocess
import sys
import time

from benchmark_scores import made_texts

from bleucore import System, TestSet, evaluate

SIZES = (2_000, 20_000, 200_000)
REPEATS = 5


def main() -> None:
    """Measure every size and print time per segment and peak memory."""
    print("made text, 5 systems, corpus and segment BLEU")
    print(f"{'segments':>10}{'µs/segment':>12}{'texts MB':>10}{'peak MB':>10}{'peak / texts':>14}")
    for size in SIZES:
        subprocess.run([sys.executable, __file__, str(size)], check=True)


def measure(n_segments: int) -> None:
    """One size, in this process."""
    systems, reference = made_texts(n_segments)
    n_bytes = sum(len(text.encode()) for column in (reference, *systems.values()) for text in column)
    seconds = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        evaluate(TestSet([System(name, column) for name, column in systems.items()], [reference]))
        seconds.append(time.perf_counter() - start)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    per_segment = sorted(seconds)[REPEATS // 2] / n_segments * 1e6
    print(f"{n_segments:>10,}{per_segment:>12.1f}{n_bytes / 1e6:>10.1f}{peak / 1e6:>10.0f}{peak / n_bytes:>14.1f}")


if __name__ == "__main__":
    measure(int(sys.argv[1])) if len(sys.argv) > 1 else main()
