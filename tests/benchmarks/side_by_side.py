"""What the benchmarks share: texts, tools that take turns in one run, and the table of how long they take.

Every run adds a token of its own to each line, as a cache of lines would otherwise answer. Texts become results within
the time measured, for every tool, unless the job says otherwise.
"""

import argparse
import gc
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

TEST_SET, LANGUAGE_PAIR = "wmt22", "en-de"
"""Of sacreBLEU's own, which has what the systems wrote beside the references."""
BESIDE_SYSTEMS = ("src", "docid", "origlang", "domain", "ref")
OURS = "bleucore"
Columns = dict[str, list[str]]
Run = Callable[[], Sequence[float]]


@dataclass(frozen=True)
class Job:
    """What several tools do, with equal results.

    Attributes:
        name: For the table.
        tools: Of the hypotheses of each system and the reference: what is timed, by tool, ours among them.
        targets: How many times as long another tool should take at least.
    """

    name: str
    tools: Callable[[Columns, list[str]], Mapping[str, Run]]
    targets: Mapping[str, float] = field(default_factory=dict)


def parsed_arguments(description: str | None) -> argparse.Namespace:
    """The command line of every benchmark."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument(
        "--data",
        type=Path,
        help="folder with systems/*.txt and reference.A.txt; sacreBLEU's WMT22 English-German unless given, and made "
        "text where that is not to be had",
    )
    parser.add_argument("--segments", type=int, help="use so many segments; made text has 2,000 unless given")
    parser.add_argument("--repeats", type=int, default=7)
    return parser.parse_args()


def compare(jobs: Sequence[Job], arguments: argparse.Namespace) -> None:
    """Let the tools of all jobs take turns, and print a table of times for each job."""
    systems, reference, title = _texts(arguments.data, arguments.segments)
    print(f"{title}: {len(systems)} systems, {len(reference):,} segments, 1 reference; {arguments.repeats} repeats")
    seconds: list[dict[str, list[tuple[float, float]]]] = [{} for _ in jobs]
    for repeat in range(arguments.repeats):
        for number, (job, times) in enumerate(zip(jobs, seconds, strict=True)):
            token = f"j{number}r{repeat}"
            tools = job.tools(
                {name: _marked(column, token) for name, column in systems.items()}, _marked(reference, token)
            )
            results = {}
            for tool, run in tools.items():
                gc.collect()
                start, start_of_processor = time.perf_counter(), time.process_time()
                results[tool] = run()
                took = time.perf_counter() - start, time.process_time() - start_of_processor
                times.setdefault(tool, []).append(took)
            _refuse_difference(job.name, results)
    for job, times in zip(jobs, seconds, strict=True):
        _print_table(job, times)


def made_texts(n_segments: int, n_systems: int = 5) -> tuple[Columns, list[str]]:
    """Lines over words of a Zipf distribution, no two alike; the systems replace some of the words."""
    rng = np.random.default_rng(1)

    def line(length: int) -> list[str]:
        return [f"w{rank}{',' if rank % 11 == 0 else ''}" for rank in np.minimum(rng.zipf(1.3, length), 50_000)]

    truth = [[*line(rng.integers(3, 40)), f"n{number}."] for number in range(n_segments)]
    systems = {
        f"system {index}": [
            " ".join(word if rng.random() > 0.1 * index else line(1)[0] for word in words) for words in truth
        ]
        for index in range(1, n_systems + 1)
    }
    return systems, [" ".join(words) for words in truth]


def _texts(data: Path | None, n_segments: int | None) -> tuple[Columns, list[str], str]:
    """Hypotheses by system, the reference, and a title that says what the figures are of."""
    if data is not None:
        systems = {path.stem: path for path in sorted((data / "systems").glob("*.txt"))}
        reference, title = data / "reference.A.txt", data.name
    else:
        try:
            systems, reference = _published()
        except OSError as error:
            why = f"MADE TEXT (words drawn by Zipf's law), as sacreBLEU's {TEST_SET} is not to be had: {error}"
            return *made_texts(n_segments or 2000), f"{why}. Not the experiment of the documentation"
        title = f"sacreBLEU's {TEST_SET} {LANGUAGE_PAIR}"
    return {name: _lines(path)[:n_segments] for name, path in systems.items()}, _lines(reference)[:n_segments], title


def _published() -> tuple[dict[str, Path], Path]:
    """The files of systems and of the first reference, from sacreBLEU's cache or, once, from the network."""
    from sacrebleu.dataset import DATASETS  # only without a folder

    test_set = DATASETS[TEST_SET]
    files = dict(zip(test_set.fieldnames(LANGUAGE_PAIR), test_set.get_files(LANGUAGE_PAIR), strict=True))
    systems = {name: Path(path) for name, path in files.items() if name.partition(":")[0] not in BESIDE_SYSTEMS}
    return systems, Path(test_set.get_reference_files(LANGUAGE_PAIR)[0])


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def _marked(column: list[str], token: str) -> list[str]:
    return [f"{text} {token}" for text in column]


def _refuse_difference(job: str, results: Mapping[str, Sequence[float]]) -> None:
    """End the program if the tools do not agree: times of different results cannot be compared."""
    for tool, result in results.items():
        difference = np.abs(np.subtract(results[OURS], result)).max()
        if difference > 1e-9:
            sys.exit(f"{job}: the results of {OURS} and {tool} differ by up to {difference:.3g}.")


def _print_table(job: Job, seconds: Mapping[str, Sequence[tuple[float, float]]]) -> None:
    """Least, median and spread of the clock and of the processor, and the ratios of medians to ours."""
    ours = [statistics.median(values) for values in zip(*seconds[OURS], strict=True)]
    kinds = "".join(f"{kind:>10}{'median':>9}{'spread':>9}{'ratio':>7}" for kind in ("clock", "CPU"))
    print(f"\n{job.name}, seconds\n{'':<20}{kinds}{'target':>8}")
    for tool, times in seconds.items():
        cells = ""
        for values, our_median in zip(zip(*times, strict=True), ours, strict=True):
            median = statistics.median(values)
            ratio = "" if tool == OURS else f"{median / our_median:.1f}"
            cells += f"{min(values):>10.3f}{median:>9.3f}{max(values) - min(values):>9.3f}{ratio:>7}"
        target = f"{job.targets[tool]:g}" if tool in job.targets else ""
        print(f"{tool:<20}{cells}{target:>8}".rstrip())
