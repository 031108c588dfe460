"""Neural metrics: what each model is called, needs and is licensed as, and what it takes to run it.

Versions are those that the programs name, and beside them those of what they need that still work with these. COMET
needs ``pkg_resources``, which newer setuptools lack. The ``datasets`` that MetricX pins read no file with newer fsspec
or pyarrow. BERTScore is older than transformers 5.
"""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

Program = Literal["comet-score", "MetricX-23", "MetricX-24", "bert-score"]

COMET_FREE = "Apache-2.0"
NOT_COMMERCIAL = "CC BY-NC-SA 4.0"

_UVX = ("uvx", "--python", "3.11")
_COMET = (*_UVX, "--from", "unbabel-comet==2.2.7", "--with", "setuptools<81", "comet-score")
_BERT_SCORE = (*_UVX, "--from", "bert-score==0.3.13", "--with", "transformers<5", "bert-score")
_METRICX_NEEDS = (
    "transformers[torch]==4.30.2",
    "sentencepiece==0.1.99",
    "datasets==2.13.1",
    "accelerate==0.20.3",
    "torch<2.3",
    "numpy<2",
    "pyarrow<21",
    "fsspec<2023.10",
)
METRICX_CODE = ("git", "clone", "https://github.com/google-research/metricx")
"""MetricX is in no registry: its code is run where it was cloned."""


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


@dataclass(frozen=True)
class FilePaths:
    """Where the texts lie that a metric reads, in the folder of the commands.

    Attributes:
        outputs: The file of each system, by its name.
        scores: What a file with scores of each system alone is called, by its name.
        source: The file of the source; ``None`` where there is none.
        references: Those of the references.
        metricx: All texts as MetricX reads them, for models with and without a reference.
    """

    outputs: Mapping[str, str]
    scores: Mapping[str, str]
    source: str | None
    references: tuple[str, ...]
    metricx: str = "metricx.jsonl"


def commands_of(model: NeuralModel, paths: FilePaths) -> tuple[str, ...]:
    """The lines to run one after the other, quoted for a POSIX shell and for PowerShell alike."""
    if model.program == "comet-score":
        reference = ["-r", paths.references[0]] if model.needs_reference else []
        words = [*_COMET, "-s", paths.source or "", *reference, "--model", model.hub]
        return (shlex.join([*words, "--to_json", f"{model.name}.json", "-t", *paths.outputs.values()]),)
    if model.program == "bert-score":
        words = [*_BERT_SCORE, "-m", model.hub, "-s", "-r", *paths.references, "-c"]
        return tuple(
            f"{shlex.join([*words, path])} > {shlex.quote(paths.scores[name])}" for name, path in paths.outputs.items()
        )
    return (shlex.join(METRICX_CODE), shlex.join(_metricx_words(model, paths)))


def _metricx_words(model: NeuralModel, paths: FilePaths) -> list[str]:
    is_newer = model.program == "MetricX-24"
    size = model.name.rpartition("-")[2]
    words = ["uv", "run", "--no-project", "--python", "3.10", "--directory", "metricx"]
    words += [word for need in _METRICX_NEEDS for word in ("--with", need)]
    words += ["python", "-m", "metricx24.predict" if is_newer else "metricx23.predict"]
    words += ["--tokenizer", f"google/mt5-{size}", "--model_name_or_path", model.hub]
    words += ["--max_input_length", "1536" if is_newer else "1024", "--batch_size", "1"]
    words += ["--input_file", f"../{paths.metricx}", "--output_file", f"../{model.name}.jsonl"]
    return words if model.needs_reference else [*words, "--qe"]
