"""A plan as a manifest, which reads back to the same plan: what was guessed becomes what is said."""

from collections.abc import Callable, Iterable, Mapping

import yaml

from bleucore.errors import InputError
from bleucore.formats.campaign_manifest import has_wildcards
from bleuscope.content.comparison.plan import Plan, PlannedText, SetPlan

PathOf = Callable[[str], str]


def manifest_of(plan: Plan, path_of: PathOf = str) -> str:
    """The manifest, in YAML.

    Args:
        plan: Test sets of files.
        path_of: Gives the path of a file from the folder of the manifest.

    Raises:
        InputError: A path cannot stand in a manifest, or a plan has nothing to compare.
    """
    sets = [_entry(one, path_of) for one in plan.sets if one.systems]
    if not sets:
        raise InputError("there is no test set to write down", where=plan.title, expected="a system and a reference")
    said = {"title": plan.title, "test sets": sets, **({"runs": runs} if (runs := _runs(plan)) else {})}
    written: str = yaml.safe_dump(said, sort_keys=False, allow_unicode=True, width=10_000)
    return written


def _runs(plan: Plan) -> dict[str, list[str]]:
    """The runs of each recipe."""
    found: dict[str, list[str]] = {}
    for name, recipe in plan.runs:
        found.setdefault(recipe, []).append(name)
    return found


def _entry(found: SetPlan, path_of: PathOf) -> Mapping[str, object]:
    runs = [run for system in found.systems for run in system.runs]
    source, target = found.languages
    said: dict[str, object] = {
        "name": found.name,
        "language pair": f"{source}-{target}" if source and target else None,
        "sacrebleu": found.sacrebleu[0] if found.sacrebleu else None,
        "source": found.source and _place(found.source, path_of),
        "references": _by_name(found.references, path_of),
        "documents": found.documents and _place(found.documents, path_of),
        "labels": _by_name(found.labels, path_of),
        "systems": _by_name(runs, path_of),
        "domain": found.domain,
        "encoding": found.encoding,
    }
    return {word: value for word, value in said.items() if value}


def _by_name(texts: Iterable[PlannedText], path_of: PathOf) -> dict[str, object]:
    return {text.name: _place(text, path_of) for text in texts}


def _place(text: PlannedText, path_of: PathOf) -> object:
    path = path_of(text.file)
    if has_wildcards(path):
        raise InputError(
            "this name cannot stand in a manifest, where * and ? stand for others",
            where=path,
            remedy="Rename the file.",
        )
    return path if text.column is None else {"file": path, "column": text.column}
