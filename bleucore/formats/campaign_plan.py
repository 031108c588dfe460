"""What a campaign is before a text of it is read: test sets, where their texts are, what is left out and why."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from bleucore.formats.run_names import run_of

Languages = tuple[str | None, str | None]
"""Of the source and of the target, as the web writes them; ``None`` where nothing tells."""

Form = Literal["texts", "documents of mt-metrics-eval", "texts of the workspace"]


@dataclass(frozen=True)
class PlannedFile:
    """Where one text is.

    Attributes:
        path: The file, or the archive that it is in; a name alone where the content is held here.
        members: The path inside the archive; two of them for an archive in an archive; none for the file itself.
        name: What messages call it: its path inside the campaign, "/" between folders.
        column: Which column of the file, where it holds several; ``None`` for a text of its own.
        content: The bytes, where they are on no disk: of what was dropped.
        form: How it is read; texts in any format that a single test set may have, unless given.
    """

    path: str
    members: tuple[str, ...] = ()
    name: str = ""
    column: str | None = None
    content: bytes | None = field(default=None, repr=False)
    form: Form = "texts"


@dataclass(frozen=True)
class PlannedSet:
    """One test set. Small, and to be sent to other processes.

    Attributes:
        name: Different from that of all other sets of the campaign.
        languages: Of source and target.
        domain: The domain of all its segments; ``None`` where there are several, or none is known.
        source: The source.
        references: By the names that they are shown under.
        documents: What names the document of each segment; mt-metrics-eval's names domains, too.
        labels: Further columns by name.
        systems: By the names that they have in all sets.
        tokenizer: What is proposed to score it with: what the beginning of a reference needs, as of a single test set.
        encoding: What its files are read in that are not UTF-8.
        test_set: sacreBLEU's name of it and the language pair there, for what is not given here.
        may_download: Whether that may be fetched where it is not on this machine.
        n_segments: How many there are; ``None`` where nobody has counted.
        aligns: Whether outputs in other lines than the references are cut anew at their segments.
    """

    name: str
    languages: Languages
    domain: str | None
    source: PlannedFile | None
    references: Mapping[str, PlannedFile]
    documents: PlannedFile | None
    labels: Mapping[str, PlannedFile]
    systems: Mapping[str, PlannedFile]
    tokenizer: str = "13a"
    encoding: str | None = None
    test_set: tuple[str, str] | None = None
    may_download: bool = True
    n_segments: int | None = None
    aligns: bool = False

    @property
    def files(self) -> Iterator[PlannedFile]:
        """All of its files."""
        yield from (one for one in (self.source, self.documents) if one is not None)
        for several in (self.references, self.labels, self.systems):
            yield from several.values()

    def mapped(self, change: Callable[[PlannedFile], PlannedFile]) -> "PlannedSet":
        """The same with every file changed."""
        return replace(
            self,
            source=None if self.source is None else change(self.source),
            references={name: change(file) for name, file in self.references.items()},
            documents=None if self.documents is None else change(self.documents),
            labels={name: change(file) for name, file in self.labels.items()},
            systems={name: change(file) for name, file in self.systems.items()},
        )


@dataclass(frozen=True)
class CampaignPlan:
    """The test sets of a campaign.

    Attributes:
        title: What to call it.
        sets: In a natural order of their names.
        left_out: Paths that could have been read, each with a sentence that says why it is not.
        passed_over: Paths that hold no texts, with what they are: scores, descriptions, what systems hide.
        runs: Systems that somebody said are runs, each with its recipe; what names tell comes after it.
    """

    title: str
    sets: tuple[PlannedSet, ...]
    left_out: tuple[tuple[str, str], ...] = ()
    passed_over: tuple[tuple[str, str], ...] = ()
    runs: tuple[tuple[str, str], ...] = ()

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems of all sets, in the order in which they first come."""
        return tuple(dict.fromkeys(name for one in self.sets for name in one.systems))


def with_named_runs(plan: CampaignPlan, runs: Iterable[tuple[str, str]]) -> CampaignPlan:
    """The plan with systems that are runs of a recipe, under names that tell so: "small, run A".

    Every page and command reads runs from names, so that they stay runs wherever the texts go.

    Args:
        plan: A campaign.
        runs: Some of its systems, each with its recipe.
    """
    runs = list(runs)
    called = {system: run_of(recipe, system) for system, recipe in runs}
    sets = [
        replace(one, systems={called.get(name, name): file for name, file in one.systems.items()}) for one in plan.sets
    ]
    known = {called.get(system, system): recipe for system, recipe in plan.runs}
    return replace(
        plan, sets=tuple(sets), runs=tuple({**known, **{called[one]: recipe for one, recipe in runs}}.items())
    )
