"""Time of corpus and segment BLEU of all systems of a test set, with every tokenizer that is installed.

sacreBLEU is used at its best: one metric that holds the references for the corpus scores, one metric for all sentences.
"""

import argparse
from collections.abc import Iterator, Mapping
from functools import partial

import bleuscore
from sacrebleu.metrics.bleu import BLEU
from side_by_side import OURS, Columns, Job, Run, compare, parsed_arguments

from bleucore import System, TestSet, evaluate
from bleucore.evaluation import Evaluation
from bleucore.options import TOKENIZER_NAMES, BleuOptions
from bleucore.tokens.external_tokenizers import EXTERNAL_TOKENIZERS
from bleucore.tokens.tokenizer_choice import is_installed


def main(arguments: argparse.Namespace) -> None:
    """Run the jobs and print their tables."""
    compare(JOBS, arguments)


def evaluation_of(systems: Columns, reference: list[str], options: BleuOptions | None = None) -> Evaluation:
    """Our scores of texts."""
    return evaluate(TestSet([System(name, column) for name, column in systems.items()], [reference]), options)


def all_scores_of_sacrebleu(systems: Columns, reference: list[str], tokenizer: str = "13a") -> list[float]:
    """Corpus scores, then segment scores, of all systems."""
    metric = BLEU(effective_order=True, tokenize=tokenizer)
    return _sacrebleu_corpus(systems, reference, tokenizer) + [
        metric.sentence_score(text, [reference_text]).score
        for column in systems.values()
        for text, reference_text in zip(column, reference, strict=True)
    ]


def _corpus_tools(systems: Columns, reference: list[str], *, options: BleuOptions) -> Mapping[str, Run]:
    def ours() -> list[float]:
        return [result.score.score for result in evaluation_of(systems, reference, options).systems.values()]

    tools = {OURS: ours, "sacreBLEU": lambda: _sacrebleu_corpus(systems, reference, options.tokenizer)}
    if options.tokenizer == "13a":
        tools["bleuscore (Rust)"] = lambda: _bleuscore_corpus(systems, reference)
    return tools


def _corpus_tools_again(systems: Columns, reference: list[str], *, options: BleuOptions) -> Mapping[str, Run]:
    """Both once more, after a first time that is not measured."""
    tools = _corpus_tools(systems, reference, options=options)
    for run in tools.values():
        run()
    return tools


def _segment_tools(systems: Columns, reference: list[str], *, options: BleuOptions) -> Mapping[str, Run]:
    def ours() -> list[float]:
        results = evaluation_of(systems, reference, options).systems.values()
        corpus = [result.score.score for result in results]
        return corpus + [score for result in results for score in result.segment_scores.tolist()]

    return {OURS: ours, "sacreBLEU": lambda: all_scores_of_sacrebleu(systems, reference, options.tokenizer)}


def _sacrebleu_corpus(systems: Columns, reference: list[str], tokenizer: str) -> list[float]:
    metric = BLEU(references=[reference], tokenize=tokenizer)
    return [metric.corpus_score(column, None).score for column in systems.values()]


def _bleuscore_corpus(systems: Columns, reference: list[str]) -> list[float]:
    references = [[text] for text in reference]
    return [
        100 * bleuscore.compute(references, column, ref_len_method="closest")["bleu"] for column in systems.values()
    ]


TARGETS = {
    "13a": (25, 60),
    "intl": (15, 15),
    "char": (20, 20),
    "zh": (20, 50),
    "ja-mecab": (8, 15),
    "ko-mecab": (8, 15),
}
"""Of corpus scores, and with those of segments."""
TARGET_AGAIN = 20
FEW_SEGMENTS = 200
"""Of tokenizers that take sacreBLEU a millisecond a line."""
WRITTEN_IN = {"zh": "Chinese", "ja-mecab": "Japanese", "ko-mecab": "Korean"}


def _jobs() -> Iterator[Job]:
    for tokenizer in filter(is_installed, (*TOKENIZER_NAMES, *EXTERNAL_TOKENIZERS)):
        options, script = BleuOptions(tokenizer=tokenizer), WRITTEN_IN.get(tokenizer)
        targets = [{"sacreBLEU": target} for target in TARGETS.get(tokenizer, ())] or [{}, {}]
        if tokenizer == "13a":
            targets[0]["bleuscore (Rust)"] = 6
        n_segments = FEW_SEGMENTS if tokenizer in EXTERNAL_TOKENIZERS else None
        corpus, segments = (partial(tools, options=options) for tools in (_corpus_tools, _segment_tools))
        yield Job(f"{tokenizer}: corpus BLEU", corpus, targets[0], script, n_segments)
        yield Job(f"{tokenizer}: corpus and segment BLEU", segments, targets[1], script, n_segments)
        if tokenizer in EXTERNAL_TOKENIZERS:
            again, name = (
                partial(_corpus_tools_again, options=options),
                f"{tokenizer}: corpus BLEU of the same texts again",
            )
            yield Job(name, again, {"sacreBLEU": TARGET_AGAIN}, script, n_segments)


JOBS = tuple(_jobs())

if __name__ == "__main__":
    main(parsed_arguments(__doc__))
