"""The commands that run neural metrics outside bleuscope."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass

from bleuscope.neural.models import BERT_SCORE_NEEDS, COMET_NEEDS, METRICX_NEEDS, PYTHON, NeuralModel

METRICX_CODE = ("git", "clone", "https://github.com/google-research/metricx")
"""MetricX is in no registry: its code is run where it was cloned."""
_UVX = ("uvx", "--python", PYTHON, "--from")
_COMET = (*_UVX, COMET_NEEDS[0], "--with", COMET_NEEDS[1], "comet-score")
_BERT_SCORE = (*_UVX, BERT_SCORE_NEEDS[0], "--with", BERT_SCORE_NEEDS[1], "bert-score")


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
    words += [word for need in METRICX_NEEDS for word in ("--with", need)]
    words += ["python", "-m", "metricx24.predict" if is_newer else "metricx23.predict"]
    words += ["--tokenizer", f"google/mt5-{size}", "--model_name_or_path", model.hub]
    words += ["--max_input_length", "1536" if is_newer else "1024", "--batch_size", "1"]
    words += ["--input_file", f"../{paths.metricx}", "--output_file", f"../{model.name}.jsonl"]
    return words if model.needs_reference else [*words, "--qe"]
