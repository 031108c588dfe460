"""What holds for every neural metric: it can be loaded, and each text gets a score of its own."""

import ast

from bleucore.batteries import BrokenLawError, require
from bleucore.batteries.texts import of_every_kind
from bleucore.corpus import System, TestSet
from bleuscope.neural.environments import neural_folder
from bleuscope.neural.manifest import NeuralMetric
from bleuscope.neural.scoring import Run

NEAR = 1e-3
"""How far a score may be from that of the same text in another batch: GPUs add in another order."""


def has_load(metric: NeuralMetric) -> None:
    """Its scorer is a file of Python with a function load."""
    try:
        read = ast.parse(metric.scorer.read_bytes())
    except (SyntaxError, ValueError) as error:
        raise BrokenLawError(f"{metric.scorer.name}: {error}") from error
    functions = [one.name for one in read.body if isinstance(one, ast.FunctionDef)]
    require("load" in functions, f"{metric.scorer.name} has no function load")


def scores_each_text(metric: NeuralMetric) -> None:
    """Any text gets a finite number, the same one in any batch; tried once it ran here."""
    texts = of_every_kind()["hostile texts"]
    first = TestSet([System("a", texts.systems[0].hypotheses[:1])], [["x"]], source=[""])
    runs = [Run(metric, one, neural_folder()) for one in (texts, first)]
    if any(run.needs_download for run in runs):
        return
    among, alone = (run.scores()["a"][0] for run in runs)
    require(abs(alone - among) <= NEAR * max(1.0, abs(among)), f"{alone:g} alone, {among:g} in a batch")


NEURAL_LAWS = (has_load, scores_each_text)
