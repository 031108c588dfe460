"""The registry of neural metrics that run here: the program's own, and those that other packages add."""

from collections.abc import Mapping
from pathlib import Path

from bleucore.corpus import TestSet
from bleucore.plugins import Registry, plugins
from bleucore.values import unknown_name
from bleuscope.neural.manifest import GIGABYTE, NeuralMetric, fault_of, refused
from bleuscope.neural.models import BERT_SCORE_NEEDS, COMET_NEEDS, MODELS, PYTHON, NeuralModel

_SCORERS = Path(__file__).with_name("scorers")
_RUN_HERE = {"comet-score": ("comet.py", COMET_NEEDS), "bert-score": ("bertscore.py", BERT_SCORE_NEEDS)}
"""By program, its scorer and what that needs."""
_BYTES_A_PARAMETER = 4
_PACKAGES = 4 * GIGABYTE
"""What PyTorch and the rest take, with libraries for GPUs."""


def _own(model: NeuralModel, scorer: str, needs: tuple[str, ...]) -> NeuralMetric:
    weights = int(model.size * _BYTES_A_PARAMETER * GIGABYTE)
    return NeuralMetric(
        model.name,
        needs[0],
        model.licence,
        weights + _PACKAGES,
        _SCORERS / scorer,
        model.hub,
        needs,
        PYTHON,
        is_commercial=model.is_commercial,
        is_gated=model.is_gated,
        needs_source=model.needs_source,
        needs_reference=model.needs_reference,
        reads_all_references=model.program == "bert-score",
        memory=3 * weights + _PACKAGES,
    )


def _added() -> Mapping[str, NeuralMetric]:
    known = {model.name for model in MODELS}

    def fault(name: str, metric: NeuralMetric) -> str | None:
        return f"there is a neural metric of the name {name!r}" if name in known else fault_of(name, metric)

    return {metric.name: metric for _, metric in plugins("bleuscope.neural_metrics", NeuralMetric, fault=fault)}


NEURAL_METRICS: Registry[str, NeuralMetric] = Registry(
    {model.name: _own(model, *_RUN_HERE[model.program]) for model in MODELS if model.program in _RUN_HERE}, _added
)
"""All of them, by their names."""


def metric_called(name: str) -> NeuralMetric:
    """The metric of a name.

    Raises:
        InputError: There is none.
    """
    if name not in NEURAL_METRICS:
        remedy = "Install the package that adds it, or choose one."
        raise unknown_name("neural metric that runs here", name, NEURAL_METRICS, where="Option --run", remedy=remedy)
    return NEURAL_METRICS[name]


def lacking(metric: NeuralMetric, test_set: TestSet) -> str | None:
    """What a metric needs and a test set does not have; ``None`` if it has all."""
    if test_set.is_resegmented:
        return "outputs as they were, and not cut anew"
    return "a source" if metric.needs_source and test_set.source is None else None


def refuse_unfit(metric: NeuralMetric, test_set: TestSet) -> None:
    """Refuse texts that a metric cannot score.

    Raises:
        InputError: They have no source, or were cut anew.
    """
    lacks = lacking(metric, test_set)
    if lacks is not None:
        raise refused(metric, f"it needs {lacks}", remedy="Load them with the texts.")
