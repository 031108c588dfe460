"""BLEU and chrF as metrics of a task of the Language Model Evaluation Harness, named with ``!function`` in its YAML.

The harness asks a metric about each document, and an aggregation about all of them. Nothing of it is imported.
"""

import logging
from collections.abc import Sequence
from typing import TypeAlias

from bleucore import BleuOptions, ChrfOptions, InputError, System, TestSet, partition_counts
from bleucore.adapters import by_reference
from bleucore.metrics import MetricOptions

Pair: TypeAlias = tuple[str, str]
"""The reference and the output of a document."""


def bleu(references: Sequence[str], predictions: Sequence[str]) -> Pair:
    """What ``corpus_bleu`` needs of a document: its reference and output."""
    return references[0], predictions[0]


def chrf(references: Sequence[str], predictions: Sequence[str]) -> Pair:
    """What ``corpus_chrf`` needs of a document: its reference and output."""
    return bleu(references, predictions)


def corpus_bleu(items: Sequence[Pair]) -> float:
    """BLEU of all documents, 0-100, as sacreBLEU computes it; the signature is logged.

    Raises:
        InputError: The task has several references for a document, of which the harness keeps only a number.
    """
    return _score(items, BleuOptions())


def corpus_chrf(items: Sequence[Pair]) -> float:
    """chrF2 of all documents, 0-100; the signature is logged.

    Raises:
        InputError: As for ``corpus_bleu``.
    """
    return _score(items, ChrfOptions())


def _score(items: Sequence[Pair], options: MetricOptions) -> float:
    if not all(isinstance(one, list | tuple) for one in items):
        raise InputError(
            "a document has several references",
            where="The task",
            remedy="Let doc_to_target return one text, or score the logged samples with bleuscope.",
        )
    references, outputs = [one[0] for one in items], [one[1] for one in items]
    test_set = TestSet([System("model", outputs)], by_reference(outputs, references))
    counted = partition_counts(test_set, options, keeps_segments=False)
    logging.getLogger(__name__).info("Signature: %s", counted.signature)
    return counted.scores["model"]
