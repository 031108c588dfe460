"""Time of corpus and segment BLEU of all systems of a test set: bleucore and sacreBLEU, in turn in one run.

Every repeat adds a token of its own to each line, as a cache of lines would otherwise answer. sacreBLEU is used
at its best: one metric that holds the references for the corpus scores, one metric for all sentences.
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

import bleuscore  # noqa: E402
from sacrebleu.metrics.bleu import BLEU  # noqa: E402

from bleucore import System, TestSet, evaluate  # noqa: E402

DEFAULT_DATA = ROOT.parent / "shared" / "data" / "wmt22-en-de"
Columns = dict[str, list[str]]
Job = Callable[[Columns, list[str]], list[float]]


def main() -> None:
    """Run the jobs in turn and print their median times."""
    arguments = _arguments()
    systems, reference, title = _texts(arguments.data, arguments.segments)
    print(f"{title}: {len(systems)} systems, {len(reference):,} segments, 1 reference")
    jobs: dict[str, dict[str, Job]] = {
        "corpus BLEU": {
            "bleucore": _bleucore_corpus,
            "sacreBLEU": _sacrebleu_corpus,
            "bleuscore (Rust)": _bleuscore_corpus,
        },
        "corpus and segment BLEU": {"bleucore": _bleucore_all, "sacreBLEU": _sacrebleu_all},
    }
    seconds: dict[tuple[str, str], list[float]] = {}
    for repeat in range(arguments.repeats):
        for number, (job, tools) in enumerate(jobs.items()):
            token = f"j{number}r{repeat}"
            marked = {name: _marked(column, token) for name, column in systems.items()}
            marked_reference = _marked(reference, token)
            results = {}
            for tool, run in tools.items():
                start = time.perf_counter()
                results[tool] = run(marked, marked_reference)
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
    """Hypotheses by system, the reference, and a title."""
    if not (data / "systems").is_dir():
        return *made_texts(n_segments or 2000), "made text"
    systems = {path.stem: _lines(path)[:n_segments] for path in sorted((data / "systems").glob("*.txt"))}
    return systems, _lines(data / "reference.A.txt")[:n_segments], data.name


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def made_texts(n_segments: int) -> tuple[Columns, list[str]]:
    """Lines over words of a Zipf distribution, no two alike; the systems replace some of the words."""
    rng = np.random.default_rng(1)

    def line(length: int) -> list[str]:
        return [f"w{rank}{',' if rank % 11 == 0 else ''}" for rank in np.minimum(rng.zipf(1.3, length), 50_000)]

    truth = [[*line(rng.integers(3, 40)), f"n{number}."] for number in range(n_segments)]
    systems = {
        f"system {index}": [
            " ".join(word if rng.random() > 0.1 * index else line(1)[0] for word in words) for words in truth
        ]
        for index in range(1, 6)
    }
    return systems, [" ".join(words) for words in truth]


def _marked(column: list[str], token: str) -> list[str]:
    return [f"{text} {token}" for text in column]


def _bleucore_corpus(systems: Columns, reference: list[str]) -> list[float]:
    evaluation = evaluate(TestSet([System(name, column) for name, column in systems.items()], [reference]))
    return [result.score.score for result in evaluation.systems.values()]


def _bleucore_all(systems: Columns, reference: list[str]) -> list[float]:
    evaluation = evaluate(TestSet([System(name, column) for name, column in systems.items()], [reference]))
    corpus = [result.score.score for result in evaluation.systems.values()]
    return corpus + [score for result in evaluation.systems.values() for score in result.segment_scores.tolist()]


def _sacrebleu_corpus(systems: Columns, reference: list[str]) -> list[float]:
    metric = BLEU(references=[reference])
    return [metric.corpus_score(column, None).score for column in systems.values()]


def _sacrebleu_all(systems: Columns, reference: list[str]) -> list[float]:
    metric = BLEU(effective_order=True)
    return _sacrebleu_corpus(systems, reference) + [
        metric.sentence_score(text, [reference_text]).score
        for column in systems.values()
        for text, reference_text in zip(column, reference, strict=True)
    ]


def _bleuscore_corpus(systems: Columns, reference: list[str]) -> list[float]:
    references = [[text] for text in reference]
    return [
        100 * bleuscore.compute(references, column, ref_len_method="closest")["bleu"] for column in systems.values()
    ]


def _refuse_difference(job: str, results: dict[str, list[float]]) -> None:
    """End the program if the tools do not agree: times of different results cannot be compared."""
    for tool, scores in results.items():
        difference = np.abs(np.subtract(results["bleucore"], scores)).max()
        if difference > 1e-9:
            sys.exit(f"{job}: the scores of bleucore and {tool} differ by up to {difference:.3g}.")


def _print_table(seconds: dict[tuple[str, str], list[float]]) -> None:
    print(f"{'median seconds':<26}{'bleucore':>10}  {'other tool':<18}{'seconds':>9}{'ratio':>8}")
    for job, tool in seconds:
        if tool != "bleucore":
            ours, theirs = (statistics.median(seconds[job, one]) for one in ("bleucore", tool))
            print(f"{job:<26}{ours:>10.3f}  {tool:<18}{theirs:>9.3f}{theirs / ours:>8.1f}")


if __name__ == "__main__":
    main()
