"""What the benchmarks share: texts, tools that take turns in one run, and the table of how long they take.

Every run adds a token of its own to each line, as a cache of lines would otherwise answer. Texts become results within
the time measured, for every tool, unless the job says otherwise.
"""

import argparse
import gc
import random
import re
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

TEST_SET, LANGUAGE_PAIR = "wmt22", "en-de"
"""Of sacreBLEU's own, which has what the systems wrote beside the references."""
BESIDE_SYSTEMS = ("src", "docid", "origlang", "domain", "ref")
OURS = "bleucore"
LEAST_REPEATS, BUDGET_SECONDS = 3, 4
"""A job that took so many seconds of a processor in that many runs is not repeated: `make benchmark` takes minutes."""
COLUMNS = (
    *("tool", "CPU least", "CPU median", "CPU spread", "wall least", "wall median", "wall spread"),
    *("ratio of least CPU", "of median CPU", "of median wall", "target"),
)
"""Seconds, and how many times as long as ours."""
Columns = dict[str, list[str]]
Run = Callable[[], Sequence[float]]
Times = dict[str, list[tuple[float, float]]]
"""Seconds of CPU and of the clock that each run of a tool took."""
SCRIPTS: Mapping[str, tuple[str, str]] = {
    "Chinese": (" ".join(map(chr, range(0x4E00, 0x5600))), ""),
    "Japanese": (
        "日本 人 大学 会社 国 政府 世界 東京 情報 技術 問題 時間 の は を が に で と も から まで した する "
        "いる ある ない という 食べる 行く 新しい 大きい",
        "",
    ),
    "Korean": (
        "사람 정부 세계 서울 정보 기술 문제 시간 학교 나라 회사 오늘 에서 까지 부터 하는 했다 있는 없는 새로운 "
        "은 는 이 가 을 를 의 에 도",
        " ",
    ),
}
"""Pieces to write words with, and what stands between words."""


@dataclass(frozen=True)
class Job:
    """What several tools do, with equal results.

    Attributes:
        name: For the table.
        tools: Of the hypotheses of each system and the reference: what is timed, by tool, ours among them.
        targets: How many times as long another tool should take at least.
        script: One of ``SCRIPTS`` to write all words in; ``None`` leaves them as they are.
        n_segments: How many segments, for jobs that take another tool minutes; ``None`` for all.
    """

    name: str
    tools: Callable[[Columns, list[str]], Mapping[str, Run]]
    targets: Mapping[str, float] = field(default_factory=dict)
    script: str | None = None
    n_segments: int | None = None


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
    """Let the tools of all jobs take turns, and print a table of median times for each job."""
    systems, reference, title = _texts(arguments.data, arguments.segments)
    print(
        f"{title}: {len(systems)} systems, {len(reference):,} segments, 1 reference; {arguments.repeats} runs, "
        f"{LEAST_REPEATS} of what takes long"
    )
    texts = {script: _written(systems, reference, script) for script in {job.script for job in jobs}}
    seconds: list[Times] = [{} for _ in jobs]
    for repeat in range(arguments.repeats):
        for number, (job, times) in enumerate(zip(jobs, seconds, strict=True)):
            if (
                repeat >= LEAST_REPEATS
                and sum(cpu for of_tool in times.values() for cpu, _ in of_tool) > BUDGET_SECONDS
            ):
                continue
            token = f" j{number}r{repeat}"
            columns, of_reference = texts[job.script]
            tools = job.tools(
                {name: _marked(column[: job.n_segments], token) for name, column in columns.items()},
                _marked(of_reference[: job.n_segments], token),
            )
            results = {}
            for tool in list(tools)[:: -1 if repeat % 2 else 1]:
                gc.collect()
                start = time.process_time(), time.perf_counter()
                results[tool] = tools[tool]()
                end = time.process_time(), time.perf_counter()
                times.setdefault(tool, []).append((end[0] - start[0], end[1] - start[1]))
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


def _written(systems: Columns, reference: list[str], script: str | None) -> tuple[Columns, list[str]]:
    """The texts with every word in pieces of a script, equal words alike."""
    if script is None:
        return systems, reference
    pieces, between = SCRIPTS[script][0].split(), SCRIPTS[script][1]

    def word(found: re.Match[str]) -> str:
        return "".join(random.Random(found[0]).choices(pieces, k=-(-len(found[0]) // 3)))

    words = re.compile(r"[^\W\d_]+")
    memory = {found[0]: word(found) for text in chain(reference, *systems.values()) for found in words.finditer(text)}

    def line(text: str) -> str:
        return words.sub(lambda found: memory[found[0]], text).replace(" ", between)

    return {name: [line(text) for text in column] for name, column in systems.items()}, [line(t) for t in reference]


def _marked(column: list[str], token: str) -> list[str]:
    return [text + token for text in column]


def _refuse_difference(job: str, results: Mapping[str, Sequence[float]]) -> None:
    """End the program if the tools do not agree: times of different results cannot be compared."""
    for tool, result in results.items():
        difference = np.abs(np.subtract(results[OURS], result)).max()
        if difference > 1e-9:
            sys.exit(f"{job}: the results of {OURS} and {tool} differ by up to {difference:.3g}.")


def _print_table(job: Job, seconds: Times) -> None:
    size = "" if job.n_segments is None else f", {job.n_segments:,} segments"
    print(f"\n{job.name}{size}\n\n| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}")
    ours = _summaries(seconds[OURS])
    for tool in sorted(seconds, key=lambda name: name != OURS):
        cpu, wall = _summaries(seconds[tool])
        times = [f"{one:.3f}" for of in (cpu, wall) for one in of]
        of_ours = (*ours[0][:2], ours[1][1])
        ratios = [f"{theirs / own:.1f}" for theirs, own in zip((*cpu[:2], wall[1]), of_ours, strict=True)]
        target = f"{job.targets[tool]:g}" if tool in job.targets else ""
        print(f"| {' | '.join([tool, *times, *([''] * 3 if tool == OURS else ratios), target])} |")


def _summaries(times: Sequence[tuple[float, float]]) -> list[tuple[float, float, float]]:
    """The least, the median, and the most less the least, of CPU and of the clock."""
    return [(min(of), statistics.median(of), max(of) - min(of)) for of in zip(*times, strict=True)]
