"""bleucore: corpus and segment BLEU for many systems at once, equal to sacreBLEU and much faster."""

from bleucore.bleu import BleuScore
from bleucore.chrf import ChrfOptions
from bleucore.corpus import System, TestSet
from bleucore.errors import InputError
from bleucore.evaluation import Evaluation, MetricEvaluation, MetricResult, SystemResult, evaluate
from bleucore.explanation import DifferenceExplanation, explain_difference
from bleucore.options import BleuOptions
from bleucore.presets import PRESETS
from bleucore.ter import TerOptions

__all__ = [
    "PRESETS",
    "BleuOptions",
    "BleuScore",
    "ChrfOptions",
    "DifferenceExplanation",
    "Evaluation",
    "InputError",
    "MetricEvaluation",
    "MetricResult",
    "System",
    "SystemResult",
    "TerOptions",
    "TestSet",
    "evaluate",
    "explain_difference",
]
