"""bleucore: corpus and segment BLEU for many systems at once, equal to sacreBLEU and much faster."""

from typing import TYPE_CHECKING

from bleucore.analysis.explanation import DifferenceExplanation, explain_difference
from bleucore.corpus import System, TestSet
from bleucore.deprecations import by_former_name
from bleucore.errors import InputError
from bleucore.evaluation import Evaluation, MetricEvaluation, MetricResult, SystemResult, evaluate
from bleucore.metrics.bleu import BleuScore
from bleucore.metrics.chrf import ChrfOptions
from bleucore.metrics.presets import PRESETS
from bleucore.metrics.ter import TerOptions
from bleucore.options import BleuOptions
from bleucore.partitions import PartCounts, evaluate_parts, partition_counts
from bleucore.sacrebleu_calls import BleuResult, corpus_bleu, sentence_bleu

__version__ = "0.1.0"

__all__ = [
    "PRESETS",
    "BleuOptions",
    "BleuResult",
    "BleuScore",
    "ChrfOptions",
    "DifferenceExplanation",
    "Evaluation",
    "InputError",
    "MetricEvaluation",
    "MetricResult",
    "PartCounts",
    "System",
    "SystemResult",
    "TerOptions",
    "TestSet",
    "__version__",
    "corpus_bleu",
    "evaluate",
    "evaluate_parts",
    "explain_difference",
    "partition_counts",
    "sentence_bleu",
]

if not TYPE_CHECKING:  # what only exists here is no attribute to a type checker

    def __getattr__(name: str) -> object:
        """A public name that was called otherwise until lately."""
        return by_former_name(__name__, name)
