"""A scorer of Inspect: BLEU of each sample, and BLEU of all samples as its metric."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer

from bleucore import BleuOptions, System, TestSet, evaluate
from bleucore.metrics.bleu import bleu_score
from bleucore.options import TokenizerName

COUNTS, SIGNATURE = "bleuscope_counts", "bleuscope_signature"


@metric  # type: ignore[untyped-decorator]  # the package is not there where types are checked
def corpus_bleu() -> Metric:
    """BLEU of all samples, 0-100, from the counts that ``bleu`` keeps with each; of several epochs, of the first."""

    def score(scores: Sequence[SampleScore]) -> float:
        counts = [one.score.metadata[COUNTS] for one in scores if COUNTS in (one.score.metadata or {})]
        return float(bleu_score(np.sum(counts, axis=0), BleuOptions()).score) if counts else 0.0

    return score


@scorer(metrics=[corpus_bleu()])  # type: ignore[untyped-decorator]  # as above
def bleu(tokenizer: TokenizerName = "13a", *, lowercase: bool = False) -> Scorer:
    """Score the answer of each sample against its target, or against all its targets.

    Args:
        tokenizer: As in sacreBLEU.
        lowercase: Lower-case every text first.
    """
    options = BleuOptions(tokenizer, lowercase=lowercase)

    async def score(state: Any, target: Target) -> Score:  # noqa: ANN401  # their TaskState
        answer = state.output.completion
        evaluation = evaluate(TestSet([System("model", [answer])], [[one] for one in target]), options)
        found = evaluation.bleu.systems["model"]
        return Score(
            value=float(found.segment_scores[0]),
            answer=answer,
            metadata={COUNTS: found.sums.tolist(), SIGNATURE: evaluation.signature},
        )

    return score
