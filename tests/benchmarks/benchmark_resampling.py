"""Time of intervals and paired tests of all systems against the first, with the scores that they are of."""

import argparse
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np
from benchmark_scores import all_scores_of_sacrebleu, evaluation_of
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.significance import PairedTest
from side_by_side import OURS, Columns, Job, Run, compare, parsed_arguments

from bleucore.evaluation import Evaluation
from bleucore.metrics.bleu import draw_scores
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


def main(arguments: argparse.Namespace) -> None:
    """Run the jobs and print their tables."""
    compare(JOBS, arguments)


def _bootstrap_tools(systems: Columns, reference: list[str]) -> Mapping[str, Run]:
    def ours() -> list[float]:
        evaluation = evaluation_of(systems, reference)
        drawn = bootstrap(_named_counts(evaluation), _score(evaluation), resamples=RESAMPLES)
        intervals = [percentile_interval(row) for row in drawn.resampled]
        assert len(paired_bootstrap(drawn)) == len(intervals) - 1
        return [test.p_value for test in sacrebleu_bootstrap(drawn)]

    def theirs() -> list[float]:
        all_scores_of_sacrebleu(systems, reference)
        return _sacrebleu_p_values(systems, BLEU(references=[reference]), "bs", RESAMPLES)

    return {OURS: ours, "sacreBLEU": theirs}


def _randomisation_tools(systems: Columns, reference: list[str]) -> Mapping[str, Run]:
    return {
        OURS: lambda: _randomisation_p_values(evaluation_of(systems, reference)),
        "sacreBLEU": lambda: _sacrebleu_p_values(systems, BLEU(references=[reference]), "ar", TRIALS),
    }


def _count_tools(systems: Columns, reference: list[str]) -> Mapping[str, Run]:
    """Both from counts made before the time is taken."""
    metric = _Counted(systems, reference)
    return {
        OURS: partial(_randomisation_p_values, evaluation_of(systems, reference)),
        "sacreBLEU": lambda: _sacrebleu_p_values(systems, metric, "ar", TRIALS),
    }


JOBS = (
    Job(
        f"corpus and segment BLEU, intervals, paired bootstrap ({RESAMPLES:,} resamples)",
        _bootstrap_tools,
        {"sacreBLEU": 75},
    ),
    Job(
        f"corpus and segment BLEU, approximate randomisation ({TRIALS:,} trials)",
        _randomisation_tools,
        {"sacreBLEU": 100},
    ),
    Job(f"approximate randomisation of counts ({TRIALS:,} trials)", _count_tools),
)


class _Counted(BLEU):
    """sacreBLEU's metric with all of its counts made beforehand."""

    def __init__(self, systems: Columns, reference: list[str]) -> None:
        super().__init__(references=[reference])
        self._counted = {
            id(column): super(_Counted, self)._extract_corpus_statistics(column, None) for column in systems.values()
        }

    def _extract_corpus_statistics(self, hypotheses: Sequence[str], references: object) -> list[list[int]]:
        return self._counted[id(hypotheses)]


def _named_counts(evaluation: Evaluation) -> list[tuple[str, np.ndarray]]:
    return [(result.name, result.counts) for result in evaluation.systems.values()]


def _score(evaluation: Evaluation) -> Callable[[np.ndarray], np.ndarray]:
    return partial(draw_scores, options=evaluation.options)


def _randomisation_p_values(evaluation: Evaluation) -> list[float]:
    drawn = randomise(_named_counts(evaluation), _score(evaluation), trials=TRIALS)
    return [_strict_p_value(test) for test in approximate_randomisation(drawn)]


def _strict_p_value(test: PairedTestResult) -> float:
    """The p-value as sacreBLEU counts it."""
    return float((np.abs(test.null_distribution) > abs(test.difference)).sum() + 1) / (test.resamples + 1)


def _sacrebleu_p_values(systems: Columns, metric: BLEU, kind: str, n_samples: int) -> list[float]:
    _, results = PairedTest(list(systems.items()), {"BLEU": metric}, None, test_type=kind, n_samples=n_samples)()
    return [result.p_value for result in results["BLEU"][1:]]


if __name__ == "__main__":
    main(parsed_arguments(__doc__))
