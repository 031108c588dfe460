"""bleucore: corpus and segment BLEU for many systems at once, equal to sacreBLEU and much faster."""

from bleucore.bleu import BleuScore
from bleucore.corpus import System, TestSet
from bleucore.errors import InputError
from bleucore.evaluation import Evaluation, SystemResult, evaluate
from bleucore.options import BleuOptions

__all__ = [
    "BleuOptions",
    "BleuScore",
    "Evaluation",
    "InputError",
    "System",
    "SystemResult",
    "TestSet",
    "evaluate",
]
