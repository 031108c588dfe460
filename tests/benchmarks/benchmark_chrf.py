"""Time of corpus and segment chrF of all systems of a test set: bleucore and sacreBLEU, in turn in one run.

Every repeat adds a token of its own to each line. sacreBLEU is used at its best: one metric that holds the references
for the corpus scores, one metric for all sentences. Texts become scores within the time measured, on both sides.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from sacrebleu.metrics.chrf import CHRF  # noqa: E402

from bleucore import chrf  # noqa: E402

DEFAULT_DATA = ROOT.parent / "shared" / "data" / "wmt22-en-de"
Columns = list[list[str]]
Job = Callable[[chrf.ChrfOptions, Columns, list[str]], list[float]]


def main() -> None:
    """Run the jobs in turn and print their median times."""
    arguments = _arguments()
    systems, reference, title = _texts(arguments.data, arguments.segments)
    print(f"{title}: {len(systems)} systems, {len(reference):,} segments, 1 reference")
    jobs: dict[str, dict[str, Job]] = {
        "corpus": {"bleucore": _bleucore_corpus, "sacreBLEU": _sacrebleu_corpus},
        "corpus and segment": {"bleucore": _bleucore_all, "sacreBLEU": _sacrebleu_all},
    }
    seconds: dict[tuple[str, str], list[float]] = {}
    for repeat in range(arguments.repeats):
        for word_order in (0, 2):
            options = chrf.ChrfOptions(word_order=word_order)
            for scope, tools in jobs.items():
                job, token = f"{scope} {options.name}", f"{scope[-1]}{word_order}r{repeat}"
                marked = [_marked(column, token) for column in systems]
                marked_reference = _marked(reference, token)
                results = {}
                for tool, run in tools.items():
                    start = time.perf_counter()
                    results[tool] = run(options, marked, marked_reference)
                    seconds.setdefault((job, tool), []).append(time.perf_counter() - start)
                _refuse_difference(job, results)
    _print_table(seconds)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DEFAULT_DATA, help="folder with systems/*.txt and reference.A.txt")
    parser.add_argument("--segments", type=int, help="use so many segments; made text has 2,000 unless given")
    parser.add_argument("--repeats", type=int, default=5)
    return parser.parse_args()


def _texts(data: Path, n_segments: int | None) -> tuple[Columns, list[str], str]:
    """Hypotheses of each system, the reference, and a title."""
    if not (data / "systems").is_dir():
        return *_made_texts(n_segments or 2000), "made text"
    systems = [_lines(path)[:n_segments] for path in sorted((data / "systems").glob("*.txt"))]
    return systems, _lines(data / "reference.A.txt")[:n_segments], data.name


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def _made_texts(n_segments: int) -> tuple[Columns, list[str]]:
    """Lines over made words of a Zipf distribution; the systems replace some of the words."""
    rng = np.random.default_rng(1)
    words = ["".join(map(chr, rng.integers(ord("a"), ord("z") + 1, rng.integers(1, 10)))) for _ in range(50_000)]

    def line(length: int) -> list[str]:
        return [words[rank] for rank in np.minimum(rng.zipf(1.3, length), len(words)) - 1]

    truth = [line(rng.integers(3, 40)) for _ in range(n_segments)]
    systems = [
        [" ".join(word if rng.random() > 0.1 * index else line(1)[0] for word in words) for words in truth]
        for index in range(1, 6)
    ]
    return systems, [" ".join(words) for words in truth]


def _marked(column: list[str], token: str) -> list[str]:
    return [f"{text} {token}" for text in column]


def _bleucore_corpus(options: chrf.ChrfOptions, systems: Columns, reference: list[str]) -> list[float]:
    counts = chrf.statistics(systems, [reference], options)
    return [float(chrf.scores(column.sum(axis=0), options)) for column in counts]


def _bleucore_all(options: chrf.ChrfOptions, systems: Columns, reference: list[str]) -> list[float]:
    counts = chrf.statistics(systems, [reference], options)
    corpus = [float(chrf.scores(column.sum(axis=0), options)) for column in counts]
    return corpus + [score for column in counts for score in chrf.scores(column, options).tolist()]


def _sacrebleu_corpus(options: chrf.ChrfOptions, systems: Columns, reference: list[str]) -> list[float]:
    metric = CHRF(word_order=options.word_order, references=[reference])
    return [metric.corpus_score(column, None).score for column in systems]


def _sacrebleu_all(options: chrf.ChrfOptions, systems: Columns, reference: list[str]) -> list[float]:
    metric = CHRF(word_order=options.word_order)
    return _sacrebleu_corpus(options, systems, reference) + [
        metric.sentence_score(text, [reference_text]).score
        for column in systems
        for text, reference_text in zip(column, reference, strict=True)
    ]


def _refuse_difference(job: str, results: dict[str, list[float]]) -> None:
    """End the program if the tools do not agree: times of different results cannot be compared."""
    difference = np.abs(np.subtract(results["bleucore"], results["sacreBLEU"])).max()
    if difference > 1e-9:
        sys.exit(f"{job}: the scores of bleucore and sacreBLEU differ by up to {difference:.3g}.")


def _print_table(seconds: dict[tuple[str, str], list[float]]) -> None:
    print(f"{'median seconds':<30}{'bleucore':>10}{'sacreBLEU':>12}{'ratio':>8}")
    for job in dict.fromkeys(job for job, _ in seconds):
        ours, theirs = (statistics.median(seconds[job, tool]) for tool in ("bleucore", "sacreBLEU"))
        print(f"{job:<30}{ours:>10.3f}{theirs:>12.3f}{theirs / ours:>8.1f}")


if __name__ == "__main__":
    main()
