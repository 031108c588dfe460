"""The texts of a test set as files that neural metrics read, and the commands that read them."""

import io
import json
import re
import zipfile
from collections.abc import Mapping, Sequence

from bleucore.corpus import TestSet
from bleucore.formats.names import file_names
from bleucore.values import unknown_name
from bleuscope.content.neural.neural_commands import FilePaths, commands_of
from bleuscope.content.sheets.builders import sheet_of
from bleuscope.content.sheets.sheet import Field, Sheet
from bleuscope.content.style import numbers
from bleuscope.content.style.invisible import in_one_line
from bleuscope.neural.models import LOG_IN, MODELS, NeuralModel

COMMANDS_FILE = "commands.txt"
_BREAKS = re.compile(r"[\r\n]+")
_FIRST_DATE = (1980, 1, 1, 0, 0, 0)
"""The earliest that ZIP has: equal texts give equal archives."""
_FOLDER_NOTE = (
    "Run them in this folder; uv brings the programs and gets the models. Then drop what they write, as it is."
)
_WINDOWS_NOTE = "On Windows run them in PowerShell, after: $env:PYTHONUTF8=1"
HOW_TO_RUN = (
    "These commands run it elsewhere. Unpack the files, run the commands next to them, and bring what they write, as "
    f"it is, under Data. {_WINDOWS_NOTE}"
)


def fitting_models(test_set: TestSet) -> tuple[NeuralModel, ...]:
    """The models that have what they need."""
    has_source = test_set.source is not None
    return tuple(model for model in MODELS if has_source or not model.needs_source)


def models_called(names: Sequence[str], test_set: TestSet) -> tuple[NeuralModel, ...]:
    """The models of these names; all that have what they need where none is named.

    Raises:
        InputError: There is no such model, or it needs a source that is not there.
    """
    known = {model.name: model for model in fitting_models(test_set)}
    for name in names:
        if name not in known:
            remedy = "Name the source with --source." if name in {model.name for model in MODELS} else "Choose one."
            raise unknown_name("model for these texts", name, known, where="Option --model", remedy=remedy)
    return tuple(known[name] for name in dict.fromkeys(names or known))


def paths_of(test_set: TestSet) -> FilePaths:
    """Where the texts lie in the folder of the commands."""
    files = file_names(test_set.system_names)
    n_references = len(test_set.references)
    return FilePaths(
        {name: f"systems/{file}.txt" for name, file in files.items()},
        {name: f"bertscore.{file}.txt" for name, file in files.items()},
        None if test_set.source is None else "source.txt",
        ("reference.txt", *(f"reference-{number}.txt" for number in range(2, n_references + 1))),
    )


def neural_files(test_set: TestSet, models: Sequence[NeuralModel]) -> dict[str, bytes]:
    """The files of the folder by their paths: texts in UTF-8, one segment a line, and the commands."""
    paths = paths_of(test_set)
    texts = {paths.outputs[system.name]: system.hypotheses for system in test_set.systems}
    references = zip(paths.references, test_set.references, strict=True)
    texts |= {path: [text or "" for text in column] for path, column in references}
    if paths.source is not None and test_set.source is not None:
        texts[paths.source] = test_set.source
    files = {path: "".join(f"{_one_line(text)}\n" for text in column).encode() for path, column in texts.items()}
    if any(model.program.startswith("MetricX") for model in models):
        files[paths.metricx] = _metricx_input(test_set)
    files[COMMANDS_FILE] = commands_text(test_set, models).encode()
    return files


def packed(files: Mapping[str, bytes]) -> bytes:
    """The files as a ZIP archive; equal files give equal archives."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as written:
        for path, content in files.items():
            written.writestr(zipfile.ZipInfo(path, _FIRST_DATE), content, zipfile.ZIP_DEFLATED)
    return archive.getvalue()


def commands_text(test_set: TestSet, models: Sequence[NeuralModel]) -> str:
    """Every command with its licence, to be read and to be copied."""
    notices = map(in_one_line, text_notices(test_set))
    lines = [f"# {said}" for said in (_FOLDER_NOTE, _WINDOWS_NOTE, *notices)]
    for model in models:
        commands = (line for line in commands_of(model, paths_of(test_set)) if line not in lines)  # cloned once
        lines += ["", *(f"# {said}" for said in model_words(model)), *commands]
    return "".join(f"{line}\n" for line in lines)


def model_words(model: NeuralModel) -> tuple[str, ...]:
    """What to know of a model before it is run, in sentences."""
    only = "" if model.is_commercial else ": not for commercial use"
    said = [f"{model.name}: licence {model.licence}{only}; {model.size:g} billion parameters."]
    if model.is_gated:
        said.append(f"Ask for it at https://huggingface.co/{model.hub}, and log in: {LOG_IN}")
    return tuple(said)


def text_notices(test_set: TestSet) -> tuple[str, ...]:
    """What the programs do not read as it stands here, in sentences."""
    columns = [system.hypotheses for system in test_set.systems]
    texts = [text or "" for column in (*columns, test_set.source or (), *test_set.references) for text in column]
    n_broken = sum(_BREAKS.search(text) is not None for text in texts)
    n_edges = sum(text != text.strip() for text in texts)
    said = []
    if n_broken:
        said.append(f"{numbers.counted(n_broken, 'text')} had line breaks, which are blanks in the files.")
    if n_edges:
        begins = "text begins or ends" if n_edges == 1 else "texts begin or end"
        said.append(f"{numbers.count(n_edges)} {begins} with a blank: comet-score counts places of errors without it.")
    if len(test_set.references) > 1:
        name = (test_set.reference_names or ("the first",))[0]
        said.append(f"COMET and MetricX read one reference: {name}.")
    return tuple(said)


def neural_sheet(test_set: TestSet, models: Sequence[NeuralModel]) -> Sheet:
    """Every model, its licence, and its commands."""
    paths = paths_of(test_set)
    return sheet_of(
        "models",
        ("Neural metrics, and the commands that score these texts with them.", *text_notices(test_set)),
        [
            (Field("model", "model", "text"), [model.name for model in models]),
            (Field("program", "program", "text"), [model.program for model in models]),
            (Field("licence", "licence", "text"), [model.licence for model in models]),
            (Field("commercial", "commercial use", "yes or no"), [model.is_commercial for model in models]),
            (Field("gated", "gated", "yes or no"), [model.is_gated for model in models]),
            (Field("size", "billion parameters", "statistic"), [model.size for model in models]),
            (Field("hub", "on the Hub", "text"), [model.hub for model in models]),
            (Field("commands", "commands", "text"), ["\n".join(commands_of(model, paths)) for model in models]),
        ],
        {"digest": test_set.digest},
        title="Neural metrics",
    )


def _metricx_input(test_set: TestSet) -> bytes:
    """The outputs of all systems; MetricX writes what it was given beside its prediction, and so who wrote it."""
    references = test_set.references[0]
    source = test_set.source or [""] * test_set.n_segments
    lines = [
        {
            "source": source[segment],
            "hypothesis": text,
            "reference": references[segment] or "",
            "system_id": system.name,
            "segment_id": segment,
        }
        for system in test_set.systems
        for segment, text in enumerate(system.hypotheses)
    ]
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def _one_line(text: str) -> str:
    return _BREAKS.sub(" ", text)
