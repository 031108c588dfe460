"""Time of corpus and segment chrF of all systems of a test set.

sacreBLEU is used at its best: one metric that holds the references for the corpus scores, one metric for all sentences.
"""

import argparse
from collections.abc import Mapping
from functools import partial

from sacrebleu.metrics.chrf import CHRF
from side_by_side import OURS, Columns, Job, Run, compare, parsed_arguments

from bleucore.metrics import chrf


def main(arguments: argparse.Namespace) -> None:
    """Run the jobs and print their tables."""
    compare(JOBS, arguments)


def _corpus_tools(systems: Columns, reference: list[str], *, options: chrf.ChrfOptions) -> Mapping[str, Run]:
    def ours() -> list[float]:
        counts = chrf.counts_of_texts(list(systems.values()), [reference], options)
        return [float(chrf.scores(column.sum(axis=0), options)) for column in counts]

    return {OURS: ours, "sacreBLEU": lambda: _sacrebleu_corpus(systems, reference, options)}


def _segment_tools(systems: Columns, reference: list[str], *, options: chrf.ChrfOptions) -> Mapping[str, Run]:
    def ours() -> list[float]:
        counts = chrf.counts_of_texts(list(systems.values()), [reference], options)
        corpus = [float(chrf.scores(column.sum(axis=0), options)) for column in counts]
        return corpus + [score for column in counts for score in chrf.scores(column, options).tolist()]

    def theirs() -> list[float]:
        metric = CHRF(word_order=options.word_order)
        return _sacrebleu_corpus(systems, reference, options) + [
            metric.sentence_score(text, [reference_text]).score
            for column in systems.values()
            for text, reference_text in zip(column, reference, strict=True)
        ]

    return {OURS: ours, "sacreBLEU": theirs}


def _sacrebleu_corpus(systems: Columns, reference: list[str], options: chrf.ChrfOptions) -> list[float]:
    metric = CHRF(word_order=options.word_order, references=[reference])
    return [metric.corpus_score(column, None).score for column in systems.values()]


JOBS = tuple(
    Job(f"{scope} {options.name}", partial(tools, options=options), {"sacreBLEU": 12})
    for options in (chrf.ChrfOptions(), chrf.ChrfOptions(word_order=2))
    for scope, tools in (("corpus", _corpus_tools), ("corpus and segment", _segment_tools))
)

if __name__ == "__main__":
    main(parsed_arguments(__doc__))
