"""What files come to before anything is scored: test sets with systems, runs and references, and what is left out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bleucore.experiments.design import NAMES_ALONE
from bleucore.formats import Column
from bleucore.formats.campaign_plan import CampaignPlan, PlannedFile, PlannedSet
from bleucore.formats.content_kinds import kind_of
from bleucore.formats.languages import languages_of
from bleucore.formats.run_names import run_of
from bleucore.formats.several_sets import SeveralSetsError
from bleuscope.content.sheets.builders import sheet_of
from bleuscope.content.sheets.sheet import Field, Sheet

SAME_AS_REFERENCE = "the same texts as the reference"
NO_ROLE = "neither an output nor a reference"


@dataclass(frozen=True)
class PlannedText:
    """A text by its name, and the file that holds it.

    Attributes:
        name: As it is shown.
        file: As it is named, from the folder that was named or dropped.
        column: Which column of it, where it holds several.
    """

    name: str
    file: str
    column: str | None = None

    @property
    def place(self) -> str:
        """The file, with its column where it has one."""
        return self.file if self.column is None else f"{self.file}, {self.column}"


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
        source: The source, if there is one.
        n_items: How many segments there are; ``None`` where nobody has counted.
        documents: What names the document of each segment.
        labels: Further columns.
        languages: Of source and target; ``None`` where they are not known.
        domain: Of all segments, where there is one.
        encoding: Of files that are not UTF-8.
        sacrebleu: The test set of sacreBLEU that has what no file here has.
    """

    name: str
    systems: tuple[PlannedSystem, ...]
    references: tuple[PlannedText, ...]
    source: PlannedText | None
    n_items: int | None
    documents: PlannedText | None = None
    labels: tuple[PlannedText, ...] = ()
    languages: tuple[str | None, str | None] = (None, None)
    domain: str | None = None
    encoding: str | None = None
    sacrebleu: tuple[str, str] | None = None


@dataclass(frozen=True)
class Plan:
    """What files come to.

    Attributes:
        title: What to call it.
        sets: One test set for a comparison, several for a campaign.
        left_out: Files and columns that are not used, each with the reason.
        notices: What was read in another way than it is written, in sentences.
        decision: What somebody has to decide before anything can be scored; ``None`` where all is clear.
        runs: Texts that somebody said are runs, each with its recipe.
    """

    title: str
    sets: tuple[SetPlan, ...]
    left_out: tuple[tuple[str, str], ...] = ()
    notices: tuple[str, ...] = ()
    decision: str | None = None
    runs: tuple[tuple[str, str], ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """The names of all outputs."""
        found = (run.name for one in self.sets for system in one.systems for run in system.runs)
        return tuple(dict.fromkeys(found))


def with_runs(plan: Plan, runs: Mapping[str, str]) -> Plan:
    """The plan with texts that are runs of a recipe under names that tell so, together under their recipe.

    Args:
        plan: A plan.
        runs: Recipes by the names of texts.
    """
    called = {name: run_of(recipe, name) for name, recipe in runs.items()}
    sets = []
    for one in plan.sets:
        systems: dict[str, list[PlannedText]] = {}
        for system in one.systems:
            for text in system.runs:
                recipe = runs.get(text.name, system.name)
                systems.setdefault(recipe, []).append(replace(text, name=called.get(text.name, text.name)))
        found = tuple(PlannedSystem(name, tuple(texts)) for name, texts in systems.items())
        sets.append(replace(one, systems=found))
    known = {called.get(name, name): recipe for name, recipe in plan.runs}
    given = {called[name]: recipe for name, recipe in runs.items()}
    return replace(plan, sets=tuple(sets), runs=tuple({**known, **given}.items()))


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
        next((_text(column) for column in columns if column.role == "source"), None),
        n_items.pop() if len(n_items) == 1 else None,
        next((_text(column) for column in columns if column.role == "documents"), None),
        tuple(_text(column) for column in columns if column.role == "label"),
        languages_of(columns),
    )
    same = {column.segments for column in columns if column.role == "reference"}
    left_out = tuple(dict.fromkeys(_left_out(column, columns, same) for column in columns if column.role == "ignore"))
    notices = tuple(dict.fromkeys(said for column in columns for said in column.notices))
    runs = tuple(
        (one.name, one.system) for one in columns if one.role == "hypothesis" and one.system not in (None, one.name)
    )
    told = tuple((name, recipe or "") for name, recipe in runs)
    return _with_runs_of_names(Plan(title, (found,), left_out, notices, decision, told))


def plan_of_sets(title: str, error: SeveralSetsError) -> Plan:
    """The plan of several test sets that were named as one."""
    return _with_runs_of_names(Plan(title, tuple(_planned_set(one.planned) for one in error.sets), decision=str(error)))


def plan_of_campaign(found: CampaignPlan) -> Plan:
    """The plan of a campaign."""
    plan = Plan(found.title, tuple(map(_planned_set, found.sets)), (*found.left_out, *found.passed_over))
    return _with_runs_of_names(with_runs(plan, dict(found.runs)))


def _with_runs_of_names(plan: Plan) -> Plan:
    """The plan with systems that are runs of one recipe together, as their names tell: "m-seed1" and "m-seed2"."""
    return replace(plan, sets=tuple(replace(one, systems=_by_recipe(one.systems)) for one in plan.sets))


def _by_recipe(systems: Sequence[PlannedSystem]) -> tuple[PlannedSystem, ...]:
    recipes = NAMES_ALONE.design([one.name for one in systems]).recipes
    if len(recipes) == len(systems):
        return tuple(systems)
    by_name = {one.name: one for one in systems}
    return tuple(
        PlannedSystem(
            recipe if len(names) > 1 else names[0], tuple(run for name in names for run in by_name[name].runs)
        )
        for recipe, names in recipes.items()
    )


def _planned_set(found: PlannedSet) -> SetPlan:
    return SetPlan(
        found.name,
        tuple(PlannedSystem(name, (_planned_text(name, file),)) for name, file in found.systems.items()),
        tuple(_planned_text(name, file) for name, file in found.references.items()),
        None if found.source is None else _planned_text("source", found.source),
        found.n_segments,
        None if found.documents is None else _planned_text("documents", found.documents),
        tuple(_planned_text(name, file) for name, file in found.labels.items()),
        found.languages,
        found.domain,
        found.encoding,
        found.test_set,
    )


def _planned_text(name: str, file: PlannedFile) -> PlannedText:
    return PlannedText(name, file.name, file.column)


def _text(column: Column) -> PlannedText:
    is_part = column.is_cell or column.title is not None
    return PlannedText(column.name, column.file, (column.title or column.name) if is_part else None)


def _left_out(column: Column, columns: Sequence[Column], references: set[tuple[str | None, ...]]) -> tuple[str, str]:
    """What is left out and why: the whole file where all of it is, for one reason."""
    of_file = [one for one in columns if one.file == column.file]
    reasons = {_why(one, references) if one.role == "ignore" else None for one in of_file}
    return (column.file if len(reasons) == 1 else _text(column).place), _why(column, references)


def _why(column: Column, references: set[tuple[str | None, ...]]) -> str:
    if column.left_out is not None:
        return column.left_out
    if column.segments in references:
        return SAME_AS_REFERENCE
    kind = kind_of(column)
    return NO_ROLE if kind is None else f"{kind}, no texts"


def sets_sheet(plan: Plan) -> Sheet:
    """Every system and reference of every set, a row each."""
    rows = [
        (one.name, role, name, text.name if len(runs) > 1 else None, text.place, one.n_items)
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
    return parts + ([("source", "source", (found.source,))] if found.source else [])


def plan_document(plan: Plan) -> dict[str, object]:
    """All of it, for JSON."""
    return {
        "title": plan.title,
        "sets": [
            {
                "name": one.name,
                "systems": [
                    {"name": system.name, "runs": [{"name": run.name, "file": run.place} for run in system.runs]}
                    for system in one.systems
                ],
                "references": [{"name": text.name, "file": text.place} for text in one.references],
                "source": None if one.source is None else one.source.place,
                "items": one.n_items,
            }
            for one in plan.sets
        ],
        "left_out": [{"path": path, "reason": reason} for path, reason in plan.left_out],
        "notices": list(plan.notices),
        "decision": plan.decision,
    }
