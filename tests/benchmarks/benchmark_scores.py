"""Time of corpus and segment BLEU of all systems of a test set.

sacreBLEU is used at its best: one metric that holds the references for the corpus scores, one metric for all sentences.
"""

import argparse
from collections.abc import Mapping

import bleuscore
from sacrebleu.metrics.bleu import BLEU
from side_by_side import OURS, Columns, Job, Run, compare, parsed_arguments

from bleucore import System, TestSet, evaluate
from bleucore.evaluation import Evaluation


def main(arguments: argparse.Namespace) -> None:
    """Run the jobs and print their tables."""
    compare(JOBS, arguments)


def evaluation_of(systems: Columns, reference: list[str]) -> Evaluation:
    """Our scores of texts."""
    return evaluate(TestSet([System(name, column) for name, column in systems.items()], [reference]))


def all_scores_of_sacrebleu(systems: Columns, reference: list[str]) -> list[float]:
    """Corpus scores, then segment scores, of all systems."""
    metric = BLEU(effective_order=True)
    return _sacrebleu_corpus(systems, reference) + [
        metric.sentence_score(text, [reference_text]).score
        for column in systems.values()
        for text, reference_text in zip(column, reference, strict=True)
    ]


def _corpus_tools(systems: Columns, reference: list[str]) -> Mapping[str, Run]:
    def ours() -> list[float]:
        return [result.score.score for result in evaluation_of(systems, reference).systems.values()]

    return {
        OURS: ours,
        "sacreBLEU": lambda: _sacrebleu_corpus(systems, reference),
        "bleuscore (Rust)": lambda: _bleuscore_corpus(systems, reference),
    }


def _segment_tools(systems: Columns, reference: list[str]) -> Mapping[str, Run]:
    def ours() -> list[float]:
        results = evaluation_of(systems, reference).systems.values()
        corpus = [result.score.score for result in results]
        return corpus + [score for result in results for score in result.segment_scores.tolist()]

    return {OURS: ours, "sacreBLEU": lambda: all_scores_of_sacrebleu(systems, reference)}


def _sacrebleu_corpus(systems: Columns, reference: list[str]) -> list[float]:
    metric = BLEU(references=[reference])
    return [metric.corpus_score(column, None).score for column in systems.values()]


def _bleuscore_corpus(systems: Columns, reference: list[str]) -> list[float]:
    references = [[text] for text in reference]
    return [
        100 * bleuscore.compute(references, column, ref_len_method="closest")["bleu"] for column in systems.values()
    ]


JOBS = (
    Job("corpus BLEU", _corpus_tools, {"sacreBLEU": 25, "bleuscore (Rust)": 5}),
    Job("corpus and segment BLEU", _segment_tools, {"sacreBLEU": 50}),
)

if __name__ == "__main__":
    main(parsed_arguments(__doc__))
