"""Results of lm-evaluation-harness, a folder for each model and a file for each task -> a test set for each task."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from bleucore.errors import InputError
from bleucore.formats.campaign_looks import Look
from bleucore.formats.campaign_names import Group, pair_in
from bleucore.formats.campaign_plan import PlannedFile, PlannedSet
from bleucore.formats.campaign_roles import Reasons, Sorted
from bleucore.formats.columns import Column
from bleucore.formats.languages import language_tag
from bleucore.formats.name_parts import path_of
from bleucore.formats.usual_names import with_usual_roles

_SAMPLES = re.compile(r"samples_(?P<task>.+?)(?:_(?P<time>\d{4}-\d\d-\d\dT[\d.:-]+))?\.jsonl?(?:\.gz)?")
_NUMBER = re.compile(r"\s*-?[0-9.]+(?:e-?[0-9]+)?\s*|-?inf")
RESULTS = re.compile(r"(?:^|/)results(?:_\d{4}-\d\d-\d\dT[\d.:-]+)?\.json$")
"""Its other files, which hold scores."""


@dataclass(frozen=True)
class Harness:
    """What it wrote.

    Attributes:
        groups: The files of each task, the newest of each model.
        left_out: Older ones, with reasons.
        rest: All other paths.
    """

    groups: tuple[Group, ...]
    left_out: Reasons
    rest: tuple[str, ...]


def harness_of(paths: Iterable[str]) -> Harness:
    """What of these paths is such a result, by their names."""
    tasks: dict[tuple[tuple[str, ...], str], dict[str, str]] = {}
    left_out: list[tuple[str, str]] = []
    rest: list[str] = []
    for path in sorted(paths):  # times sort as they follow each other
        *folders, base = path_of(path)
        found = _SAMPLES.fullmatch(base)
        if found is None:
            rest.append(path)
            continue
        models = tasks.setdefault((tuple(folders[:-1]), found["task"]), {})
        model = folders[-1] if folders else "model"
        if model in models:
            left_out.append((models[model], f"{models[model]}: {base} of the same model and task is newer."))
        models[model] = path
    groups = tuple(
        Group(root, pair_in(task), (), tuple(models.values()), stem=task) for (root, task), models in tasks.items()
    )
    return Harness(groups, tuple(left_out), tuple(rest))


def is_harness(group: Group) -> bool:
    """Whether a group is of such results."""
    return all(_SAMPLES.fullmatch(path_of(path)[-1]) for path in group.paths)


def task_set(
    name: str, group: Group, files: Mapping[str, PlannedFile], looks: Mapping[str, Look], _title: str = ""
) -> Sorted:
    """The test set of a task: targets and sources of the first model, the answers of all that have the same targets."""
    systems: dict[str, PlannedFile] = {}
    left_out: list[tuple[str, str]] = []
    first: dict[str, Column] = {}
    for path in (path for path in group.paths if path in looks):
        columns = {str(one.role): one for one in with_usual_roles(path, looks[path].columns)}
        first = first or columns
        fault = _fault(path, columns, first, looks)
        if fault is not None:
            left_out.append((path, fault))
            first = {} if first is columns else first
            continue
        model = path_of(path)[-2] if len(path_of(path)) > 1 else "model"
        systems[model] = _column_of(files[path], looks[path], columns["hypothesis"])
    if not systems:
        return Sorted(None, tuple(left_out))
    origin = first["reference"].file
    own = {role: _column_of(files[origin], looks[origin], column) for role, column in first.items()}
    source, target = group.pair or (None, None)
    languages = language_tag(source or ""), language_tag(target or "")
    references = {"reference": own["reference"]}
    n_segments = looks[origin].n_segments
    planned = PlannedSet(name, languages, None, own.get("source"), references, None, {}, systems, n_segments=n_segments)
    return Sorted(planned, tuple(left_out), (first["reference"].segments,))


def _column_of(file: PlannedFile, look: Look, column: Column) -> PlannedFile:
    named = next(one.name for one in look.columns if one.segments == column.segments and one.role == column.role)
    return replace(file, column=named)


def _fault(
    path: str, columns: Mapping[str, Column], first: Mapping[str, Column], looks: Mapping[str, Look]
) -> str | None:
    """Why the samples of a model cannot stand beside the first ones."""
    if not {"hypothesis", "reference"} <= set(columns):
        found = ", ".join(columns) or "nothing"
        expected = "hypothesis, reference"
        return str(InputError("the samples hold no answer and target", where=path, found=found, expected=expected))
    if all(_NUMBER.fullmatch(text or "") for text in columns["hypothesis"].segments):
        return str(InputError("the samples hold no text that a model wrote", where=path, expected="texts, no numbers"))
    origin = first["reference"].file
    n_found, n_expected = looks[path].n_segments, looks[origin].n_segments
    if n_found == n_expected and columns["reference"].segments == first["reference"].segments:
        return None
    return str(
        InputError(
            "the samples have other targets",
            where=path,
            found=f"{n_found:,} samples",
            expected=f"the {n_expected:,} of {origin}",
            remedy="Run the task with the same documents for all models.",
        )
    )
