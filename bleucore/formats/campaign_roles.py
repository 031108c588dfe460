"""A group of files and the beginning of each -> a planned test set: roles and names as of a single test set."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from bleucore.errors import InputError
from bleucore.formats.campaign_names import Group
from bleucore.formats.campaign_plan import PlannedFile, PlannedSet
from bleucore.formats.columns import Column
from bleucore.formats.languages import language_tag, languages_of
from bleucore.formats.roles import guess_roles

ReadHead = Callable[[PlannedFile], Sequence[Column]]
"""The columns of a file: of a plain text its beginning, of all else the whole."""
_LINES = 200
Reasons = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Sorted:
    """A group with roles.

    Attributes:
        planned: The test set; ``None`` where there is none.
        left_out: The files that are in none, with reasons.
        heads: The beginnings of the references.
    """

    planned: PlannedSet | None
    left_out: Reasons
    heads: tuple[tuple[str | None, ...], ...] = ()


def sorted_out(name: str, group: Group, files: Mapping[str, PlannedFile], read_head: ReadHead) -> Sorted:
    """The test set of a group; what is at fault is left out, and all of it where no reference or output is left.

    Args:
        name: What to call it.
        group: The paths.
        files: By path.
        read_head: Reads the beginning of one.
    """
    columns, left_out = _columns(group, files, read_head)
    guessed = guess_roles(_cut(columns)) if columns else ()
    by_role: dict[str, dict[str, PlannedFile]] = {}
    for column, read in zip(guessed, columns, strict=True):
        file = replace(files[column.file], column=read.name if _is_one_of_several(column.file, columns) else None)
        by_role.setdefault(str(column.role), {})[column.name] = file
    systems, references = by_role.get("hypothesis", {}), by_role.get("reference", {})
    if not (systems and references):
        return Sorted(None, (*left_out, *((path, _lacks(name, systems, references)) for path in _paths(columns))))
    used = {file.name for role in by_role if role != "ignore" for file in by_role[role].values()}
    ignored = tuple(
        (path, f"{path}: it holds no text of {name} that is scored.") for path in _paths(columns) if path not in used
    )
    planned = PlannedSet(
        name,
        _languages(group, guessed),
        None,
        next(iter(by_role.get("source", {}).values()), None),
        references,
        next(iter(by_role.get("documents", {}).values()), None),
        by_role.get("label", {}),
        systems,
    )
    heads = tuple(column.segments for column in guessed if column.role == "reference")
    return Sorted(planned, (*left_out, *ignored), heads)


def _columns(group: Group, files: Mapping[str, PlannedFile], read_head: ReadHead) -> tuple[list[Column], Reasons]:
    columns: list[Column] = []
    left_out: list[tuple[str, str]] = []
    for path in group.paths:
        try:
            columns += read_head(files[path])
        except InputError as error:
            left_out.append((path, str(error)))
    return columns, tuple(left_out)


def _cut(columns: Sequence[Column]) -> list[Column]:
    """The columns with equally many lines as far as they have them, so that they can be compared."""
    lengths = sorted(len(column.segments) for column in columns)
    n_lines = min(_LINES, lengths[len(lengths) // 4])
    return [
        replace(column, segments=column.segments[:n_lines], keys=column.keys and column.keys[:n_lines])
        for column in columns
    ]


def _is_one_of_several(path: str, columns: Sequence[Column]) -> bool:
    of_file = [column for column in columns if column.file == path]
    return len(of_file) > 1 or of_file[0].role is not None or of_file[0].is_cell


def _paths(columns: Sequence[Column]) -> list[str]:
    return list(dict.fromkeys(column.file for column in columns))


def _languages(group: Group, columns: Sequence[Column]) -> tuple[str | None, str | None]:
    if group.pair is not None:
        return language_tag(group.pair[0]), language_tag(group.pair[1])
    return languages_of(columns)


def _lacks(name: str, systems: Mapping[str, PlannedFile], references: Mapping[str, PlannedFile]) -> str:
    lacking = "reference" if systems or not references else "output of a system"
    return str(
        InputError(
            f"the test set has no {lacking}",
            where=name,
            found=f"{len(systems)} systems, {len(references)} references",
            expected="at least one of each",
            remedy=f"Add a file with {'ref' if lacking == 'reference' else 'hyp'} in its name, or name the files in a "
            "manifest.",
        )
    )
