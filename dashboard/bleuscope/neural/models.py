"""The program's own neural metrics: what each model is called, needs and is licensed as.

Versions are those that the programs name, and beside them those of what they need that still work with these. COMET
needs ``pkg_resources``, which newer setuptools lack. The ``datasets`` that MetricX pins read no file with newer fsspec
or pyarrow. BERTScore is older than transformers 5.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

Program = Literal["comet-score", "MetricX-23", "MetricX-24", "bert-score"]

COMET_FREE = "Apache-2.0"
NOT_COMMERCIAL = "CC BY-NC-SA 4.0"

LOG_IN = "uvx --from huggingface_hub hf auth login"
PYTHON = "3.11"
"""Of COMET and BERTScore."""
COMET_NEEDS = ("unbabel-comet==2.2.7", "setuptools<81")
BERT_SCORE_NEEDS = ("bert-score==0.3.13", "transformers<5")
METRICX_NEEDS = (
    "transformers[torch]==4.30.2",
    "sentencepiece==0.1.99",
    "datasets==2.13.1",
    "accelerate==0.20.3",
    "torch<2.3",
    "numpy<2",
    "pyarrow<21",
    "fsspec<2023.10",
)


@dataclass(frozen=True)
class NeuralModel:
    """A model and what it needs.

    Attributes:
        name: Its own, which files of its scores are called by.
        hub: Where it is found on the Hugging Face Hub.
        program: What runs it.
        licence: Of its weights.
        is_gated: Whether its page on the Hub asks for a consent before it can be had.
        needs_source: Whether it reads the source.
        needs_reference: Whether it reads a reference.
        size: Its parameters, in billions.
    """

    name: str
    hub: str
    program: Program
    licence: str
    is_gated: bool
    needs_source: bool
    needs_reference: bool
    size: float

    @property
    def is_commercial(self) -> bool:
        """Whether its licence lets it be used for business."""
        return self.licence != NOT_COMMERCIAL


def _comet(name: str, size: float, *, needs_reference: bool = True, is_free: bool = False) -> NeuralModel:
    licence = COMET_FREE if is_free else NOT_COMMERCIAL
    hub = f"Unbabel/{name}"
    return NeuralModel(
        name, hub, "comet-score", licence, not is_free, needs_source=True, needs_reference=needs_reference, size=size
    )


METRICX_PROGRAMS: Mapping[int, Program] = MappingProxyType({23: "MetricX-23", 24: "MetricX-24"})


def _metricx(year: int, kind: str, size: str, version: str, billions: float) -> NeuralModel:
    """``kind``: "hybrid" reads both texts, "qe" the source alone, "" the reference alone."""
    name = "-".join(part for part in ("metricx", str(year), kind, size) if part)
    program = METRICX_PROGRAMS[year]
    return NeuralModel(
        name,
        f"google/{name}-{version}",
        program,
        "Apache-2.0",
        is_gated=False,
        needs_source=kind != "",
        needs_reference=kind != "qe",
        size=billions,
    )


MODELS: tuple[NeuralModel, ...] = (
    _comet("wmt22-comet-da", 0.58, is_free=True),
    _comet("wmt22-cometkiwi-da", 0.57, needs_reference=False),
    _comet("wmt23-cometkiwi-da-xl", 3.5, needs_reference=False),
    _comet("wmt23-cometkiwi-da-xxl", 10.7, needs_reference=False),
    _comet("XCOMET-XL", 3.5),
    _comet("XCOMET-XXL", 10.7),
    _metricx(24, "hybrid", "large", "v2p6", 1.2),
    _metricx(24, "hybrid", "xl", "v2p6", 3.7),
    _metricx(24, "hybrid", "xxl", "v2p6", 13),
    _metricx(23, "", "large", "v2p0", 1.2),
    _metricx(23, "", "xl", "v2p0", 3.7),
    _metricx(23, "qe", "large", "v2p0", 1.2),
    _metricx(23, "qe", "xl", "v2p0", 3.7),
    NeuralModel(
        "bert-score",
        "bert-base-multilingual-cased",
        "bert-score",
        "Apache-2.0",
        is_gated=False,
        needs_source=False,
        needs_reference=True,
        size=0.18,
    ),
)
