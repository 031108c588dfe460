"""Time of intervals and paired tests of all systems against the first: bleucore and sacreBLEU, in turn in one run.

Every line gets a token of its own in every repeat, as a cache of lines would otherwise answer. Each job is timed
from the texts on, with all corpus and segment scores where it says so; the last one from the counts of both tools on.
"""

import statistics
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from benchmark_scores import Columns, _arguments, _sacrebleu_all, _texts
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.significance import PairedTest

from bleucore import System, TestSet, evaluate
from bleucore.bleu import scores
from bleucore.evaluation import Evaluation
from bleucore.significance import (
    PairedTestResult,
    approximate_randomisation,
    bootstrap,
    paired_bootstrap,
    percentile_interval,
    randomise,
    sacrebleu_bootstrap,
)

RESAMPLES = 1000
TRIALS = 10_000
SCORES_AND_BOOTSTRAP = "corpus and segment scores, intervals, bootstrap"
RANDOMISATION = "scores, approximate randomisation"
RANDOMISATION_OF_COUNTS = "approximate randomisation of counts"


def main() -> None:
    """Run the jobs in turn and print their median times."""
    arguments = _arguments()
    systems, reference, title = _texts(arguments.data, arguments.segments)
    print(f"{title}: {len(systems)} systems, {len(reference):,} segments; {RESAMPLES:,} resamples, {TRIALS:,} trials")
    seconds: dict[tuple[str, str], list[float]] = {}
    for repeat in range(arguments.repeats):
        for number, (job, make_tools) in enumerate(JOBS.items()):
            marked = {name: _own_tokens(column, number, repeat) for name, column in systems.items()}
            results = {}
            for tool, run in make_tools(marked, _own_tokens(reference, number, repeat)).items():
                start = time.perf_counter()
                results[tool] = run()
                seconds.setdefault((job, tool), []).append(time.perf_counter() - start)
            _refuse_difference(job, results["bleucore"], results["sacreBLEU"])
    _print_table(seconds)


def _own_tokens(column: list[str], job: int, repeat: int) -> list[str]:
    return [f"{text} j{job}r{repeat}s{number}" for number, text in enumerate(column)]


def _bootstrap_tools(systems: Columns, reference: list[str]) -> dict[str, Callable[[], list[float]]]:
    def ours() -> list[float]:
        evaluation = _evaluation(systems, reference)
        drawn = bootstrap(_named_counts(evaluation), _score(evaluation), resamples=RESAMPLES)
        intervals = [percentile_interval(row) for row in drawn.resampled]
        assert len(paired_bootstrap(drawn)) == len(intervals) - 1
        return [test.p_value for test in sacrebleu_bootstrap(drawn)]

    def theirs() -> list[float]:
        _sacrebleu_all(systems, reference)
        return _sacrebleu_p_values(systems, BLEU(references=[reference]), "bs", RESAMPLES)

    return {"bleucore": ours, "sacreBLEU": theirs}


def _randomisation_tools(systems: Columns, reference: list[str]) -> dict[str, Callable[[], list[float]]]:
    return {
        "bleucore": lambda: _randomisation_p_values(_evaluation(systems, reference)),
        "sacreBLEU": lambda: _sacrebleu_p_values(systems, BLEU(references=[reference]), "ar", TRIALS),
    }


def _count_tools(systems: Columns, reference: list[str]) -> dict[str, Callable[[], list[float]]]:
    metric = _Counted(systems, reference)
    return {
        "bleucore": partial(_randomisation_p_values, _evaluation(systems, reference)),
        "sacreBLEU": lambda: _sacrebleu_p_values(systems, metric, "ar", TRIALS),
    }


JOBS = {
    SCORES_AND_BOOTSTRAP: _bootstrap_tools,
    RANDOMISATION: _randomisation_tools,
    RANDOMISATION_OF_COUNTS: _count_tools,
}


class _Counted(BLEU):
    """sacreBLEU's metric with all of its counts made beforehand."""

    def __init__(self, systems: Columns, reference: list[str]) -> None:
        super().__init__(references=[reference])
        self._counted = {
            id(column): super(_Counted, self)._extract_corpus_statistics(column, None) for column in systems.values()
        }

    def _extract_corpus_statistics(self, hypotheses: Sequence[str], references: object) -> list[list[int]]:
        return self._counted[id(hypotheses)]


def _evaluation(systems: Columns, reference: list[str]) -> Evaluation:
    return evaluate(TestSet([System(name, column) for name, column in systems.items()], [reference]))


def _named_counts(evaluation: Evaluation) -> list[tuple[str, np.ndarray]]:
    return [(result.name, result.counts) for result in evaluation.systems.values()]


def _score(evaluation: Evaluation) -> Callable[[np.ndarray], np.ndarray]:
    return partial(scores, options=evaluation.options)


def _randomisation_p_values(evaluation: Evaluation) -> list[float]:
    drawn = randomise(_named_counts(evaluation), _score(evaluation), trials=TRIALS)
    return [_strict_p_value(test) for test in approximate_randomisation(drawn)]


def _strict_p_value(test: PairedTestResult) -> float:
    """The p-value as sacreBLEU counts it."""
    return float((np.abs(test.null_distribution) > abs(test.difference)).sum() + 1) / (test.resamples + 1)


def _sacrebleu_p_values(systems: Columns, metric: BLEU, kind: str, n_samples: int) -> list[float]:
    _, results = PairedTest(list(systems.items()), {"BLEU": metric}, None, test_type=kind, n_samples=n_samples)()
    return [result.p_value for result in results["BLEU"][1:]]


def _refuse_difference(job: str, ours: list[float], theirs: list[float]) -> None:
    """End the program if the tools do not agree: times of different results cannot be compared."""
    if ours != theirs:
        sys.exit(f"{job}: the p-values of bleucore, {ours}, and sacreBLEU, {theirs}, differ.")


def _print_table(seconds: dict[tuple[str, str], list[float]]) -> None:
    print(f"{'median seconds':<50}{'bleucore':>10}{'sacreBLEU':>12}{'ratio':>8}")
    for job in JOBS:
        ours, theirs = (statistics.median(seconds[job, tool]) for tool in ("bleucore", "sacreBLEU"))
        print(f"{job:<50}{ours:>10.3f}{theirs:>12.3f}{theirs / ours:>8.1f}")


if __name__ == "__main__":
    main()
