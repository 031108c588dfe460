"""What files come to before anything is scored: test sets with systems, runs and references, and what is left out."""

from collections.abc import Sequence
from dataclasses import dataclass

from bleucore.formats import Column
from bleucore.formats.content_kinds import kind_of
from bleuscope.content.sheets.builders import sheet_of
from bleuscope.content.sheets.sheet import Field, Sheet

SAME_AS_REFERENCE = "the same texts as the reference"
NO_ROLE = "neither an output nor a reference"


@dataclass(frozen=True)
class PlannedText:
    """A text by its name, and the file that holds it.

    Attributes:
        name: As it is shown.
        file: With its column, where the file holds several.
    """

    name: str
    file: str


@dataclass(frozen=True)
class PlannedSystem:
    """A system with its runs.

    Attributes:
        name: As it is shown.
        runs: One for each output that it wrote.
    """

    name: str
    runs: tuple[PlannedText, ...]


@dataclass(frozen=True)
class SetPlan:
    """One test set.

    Attributes:
        name: As it is shown.
        systems: Those that are compared.
        references: What they are scored against.
        source: The file with the source, if there is one.
        n_items: How many segments there are; ``None`` where nobody has counted.
    """

    name: str
    systems: tuple[PlannedSystem, ...]
    references: tuple[PlannedText, ...]
    source: str | None
    n_items: int | None


@dataclass(frozen=True)
class Plan:
    """What files come to.

    Attributes:
        title: What to call it.
        sets: One test set for a comparison, several for a campaign.
        left_out: Files and columns that are not used, each with the reason.
        notices: What was read in another way than it is written, in sentences.
        decision: What somebody has to decide before anything can be scored; ``None`` where all is clear.
    """

    title: str
    sets: tuple[SetPlan, ...]
    left_out: tuple[tuple[str, str], ...] = ()
    notices: tuple[str, ...] = ()
    decision: str | None = None


def plan_of_columns(title: str, columns: Sequence[Column], *, decision: str | None = None) -> Plan:
    """The plan of one test set.

    Args:
        title: What to call it.
        columns: In their roles, under the names that are shown.
        decision: What has to be decided first.
    """
    systems: dict[str, list[PlannedText]] = {}
    for column in columns:
        if column.role == "hypothesis":
            systems.setdefault(column.system or column.name, []).append(_text(column))
    references = tuple(_text(column) for column in columns if column.role == "reference")
    texts = [column for column in columns if column.role in ("hypothesis", "reference")]
    n_items = {len(column.segments) for column in texts}
    found = SetPlan(
        title,
        tuple(PlannedSystem(name, tuple(runs)) for name, runs in systems.items()),
        references,
        next((_text(column).file for column in columns if column.role == "source"), None),
        n_items.pop() if len(n_items) == 1 else None,
    )
    same = {column.segments for column in columns if column.role == "reference"}
    left_out = tuple((_text(column).file, _why(column, same)) for column in columns if column.role == "ignore")
    notices = tuple(dict.fromkeys(said for column in columns for said in column.notices))
    return Plan(title, (found,), left_out, notices, decision)


def _text(column: Column) -> PlannedText:
    is_part = column.is_cell or column.title is not None
    return PlannedText(column.name, f"{column.file}, {column.title or column.name}" if is_part else column.file)


def _why(column: Column, references: set[tuple[str | None, ...]]) -> str:
    if column.segments in references:
        return SAME_AS_REFERENCE
    kind = kind_of(column)
    return NO_ROLE if kind is None else f"{kind}, no texts"


def sets_sheet(plan: Plan) -> Sheet:
    """Every system and reference of every set, a row each."""
    rows = [
        (one.name, role, name, text.name if len(runs) > 1 else None, text.file, one.n_items)
        for one in plan.sets
        for role, name, runs in _parts(one)
        for text in runs
    ]
    columns = list(zip(*rows, strict=True)) or [()] * 6
    return sheet_of(
        "plan",
        (f"What {plan.title} comes to.",),
        [
            (Field("test_set", "test set", "text"), list(columns[0])),
            (Field("role", "role", "text"), list(columns[1])),
            (Field("name", "name", "text"), list(columns[2])),
            (Field("run", "run", "text"), list(columns[3])),
            (Field("file", "file", "text"), list(columns[4])),
            (Field("n_items", "segments", "count"), list(columns[5])),
        ],
        {},
        title=plan.title,
    )


def _parts(found: SetPlan) -> list[tuple[str, str, tuple[PlannedText, ...]]]:
    parts: list[tuple[str, str, tuple[PlannedText, ...]]] = []
    parts += [("system", one.name, one.runs) for one in found.systems]
    parts += [("reference", one.name, (one,)) for one in found.references]
    return parts + ([("source", "source", (PlannedText("source", found.source),))] if found.source else [])


def plan_document(plan: Plan) -> dict[str, object]:
    """All of it, for JSON."""
    return {
        "title": plan.title,
        "sets": [
            {
                "name": one.name,
                "systems": [
                    {"name": system.name, "runs": [{"name": run.name, "file": run.file} for run in system.runs]}
                    for system in one.systems
                ],
                "references": [{"name": text.name, "file": text.file} for text in one.references],
                "source": one.source,
                "items": one.n_items,
            }
            for one in plan.sets
        ],
        "left_out": [{"path": path, "reason": reason} for path, reason in plan.left_out],
        "notices": list(plan.notices),
        "decision": plan.decision,
    }
