"""The registry of features: what each of the folders in ``features`` offers, and what other packages add.

A feature declares itself in its ``feature.py`` and names its modules there as text: nothing of it is imported before it
is used, and the program starts without its folder.
"""

import pkgutil
import re
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

if TYPE_CHECKING:
    from bleucore.plugins import Plugin

FOLDER = Path(__file__).parent / "features"
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
"""Of a page or a command."""
Named = TypeVar("Named")


@dataclass(frozen=True)
class PageLink:
    """Links that open one page, and nothing else, to people who may not enter otherwise.

    Attributes:
        key: In the address of the page: the secret of the link.
        works: ``module:function`` that says whether a link with this secret works. It is asked for every request.
    """

    key: str
    works: str


@dataclass(frozen=True)
class Page:
    """A page.

    Attributes:
        name: Of its script.
        title: Above it and in the row of pages.
        is_of_two: Whether it is about the systems A and B.
        shows_findings: Whether what the checks found stands there.
        part_drawn_first: Of it, when A and B are swapped: what is read, before all that takes longer.
        can_be_shared: Whether it shows the open comparison, or one test set of a project, and nothing else, and opens
            no files.
        door: The page that opens the door it stands behind; "" for itself.
        is_listed: Whether it stands among the pages behind its door; else links lead to it.
        section: What it is called among the pages behind its door; "" for its title.
        subject: The feature whose own five doors lead to it; "" where it is behind those of a comparison.
        place: Of a page that opens a door of such a feature: the page that opens the same door of a comparison.
        frame: ``module:function`` that draws what surrounds it, given the page; "" for that of a comparison.
        path: Its file, as seen from the script of all pages, or from the root where a package adds it; "" for the one
            of its name in ``pages``.
        link: Which links open it alone; ``None`` where only those who may enter see it.
        title_of: ``module:function`` that takes a comparison and gives the title above the page; "" for ``title``.
    """

    name: str
    title: str
    is_of_two: bool = False
    shows_findings: bool = False
    part_drawn_first: str | None = None
    can_be_shared: bool = True
    door: str = ""
    is_listed: bool = True
    section: str = ""
    subject: str = ""
    place: str = ""
    frame: str = ""
    path: str = ""
    link: PageLink | None = None
    title_of: str = ""

    @property
    def door_name(self) -> str:
        """The page that opens its door."""
        return self.door or self.name

    @property
    def is_door(self) -> bool:
        """Whether it stands in the row of doors."""
        return not self.door

    @property
    def section_title(self) -> str:
        """What it is called among the pages behind its door."""
        return self.section or self.title

    @property
    def is_of_comparison(self) -> bool:
        """Whether it is about the comparison that is open."""
        return not self.frame

    @property
    def script(self) -> str:
        """The file, as seen from the script of all pages."""
        return self.path or f"pages/{self.name}.py"

    @property
    def address(self) -> str:
        """How its address begins."""
        return self.name.replace("_", "-")


class Planned(Protocol):
    """What the dashboard is to open on."""

    @property
    def notice(self) -> str:
        """What it is, in a sentence."""


class Opening(Protocol):
    """The module that an option of ``open`` names."""

    def plan(self, path: str, *, aligns: bool = False) -> Planned:
        """What is at a path.

        Args:
            path: Where it is.
            aligns: Whether outputs in other lines than the references are cut anew at their segments.

        Raises:
            InputError: It cannot be opened.
        """

    def begin(self, planned: Planned | None) -> None:
        """Have the dashboard open on it, or on nothing of the kind."""

    def is_begun(self) -> bool:
        """Whether the dashboard was started on something of the kind."""


@dataclass(frozen=True)
class OpeningOption:
    """An option of ``open``, which opens the dashboard on what a feature knows.

    Attributes:
        flag: As it is typed.
        help: What it takes.
        example: A command that has it.
        module: Which does it.
    """

    flag: str
    help: str
    example: str
    module: str

    @property
    def parameter(self) -> str:
        """Its name as a parameter."""
        return self.flag.removeprefix("--").replace("-", "_")

    @property
    def opening(self) -> Opening:
        """The module, imported now."""
        return cast("Opening", import_module(self.module))


@dataclass(frozen=True)
class Command:
    """A command.

    Attributes:
        name: As it is typed.
        module: With the function ``NAME_command``.
        before: The command that it comes before in the help; "" for the end.
    """

    name: str
    module: str
    before: str = ""


@dataclass(frozen=True)
class SeveralSets:
    """What a feature does with several test sets at once. Functions are named as ``module:function``.

    Attributes:
        plan: Gives what a path comes to where it holds several, else ``None``.
        command: The command that scores them.
        is_manifest: Whether a path is that of a manifest, which names the files of test sets.
        columns: Gives the columns of the one test set of a manifest.
        suits: Whether dropped files, by their names, are planned as several before any of them is read.
        only: Gives the columns of dropped files, names and bytes, that are one test set after all; else none.
        offer: Draws what dropped files come to, names and bytes, and the button that opens them.
        kinds: Of a path, two systems or ``None``, and options of BLEU: the tables of kinds of errors on each set.
    """

    plan: str
    command: str
    is_manifest: str
    columns: str
    suits: str
    only: str
    offer: str
    kinds: str


@dataclass(frozen=True)
class ReportSection:
    """A section of the report that is asked for, or is usual. Functions are named as ``module:function``.

    Attributes:
        name: As it is asked for.
        title: Above it.
        before: The section that it comes before; "" for the end.
        is_offered: Of a comparison: whether there is anything to find.
        blocks: Of a tested comparison and what was found, or ``None``: what the section holds.
        method: Of what was found: a sentence for a paper, or ``None``.
        work: Of a comparison on pages, and what was chosen there: the same finding, in the background and kept.
        find: Of a tested comparison and progress: what is found, or ``None``; "" where texts alone do not tell.
        is_usual: Whether it is there unless it is left out, wherever there is anything to find.
        needs_judgements: Whether it is asked for by giving files with judgements of people.
        choose: Draws on the page what there is to choose, of a comparison, and gives what was chosen, or ``None``;
            "" for nothing.
        printed: Of what was chosen: the words of ``bleuscope report`` that choose the same.
        options: Decorates ``bleuscope report`` with options; what they come to has the name of the section.
        find_in_files: Of what is to be read, what those options come to, a comparison and progress: the same finding.
    """

    name: str
    title: str
    before: str
    is_offered: str
    blocks: str
    method: str
    work: str
    find: str = ""
    is_usual: bool = False
    needs_judgements: bool = False
    choose: str = ""
    printed: str = ""
    options: str = ""
    find_in_files: str = ""


@dataclass(frozen=True)
class Question:
    """A question on the page Trust, which a page of the feature answers.

    Attributes:
        words: The question.
        page: The page that answers it.
        about: What that page finds out, in one sentence; shown until there is an answer.
        work: ``module:function`` that takes a comparison and gives the work that finds it out, or ``None``.
        answer: ``module:function`` that takes what was found and gives one sentence, or ``None``.
        known: ``module:function`` that takes a comparison and gives the sentence that needs no work, or ``None`` where
            there is work to do; "" where there always is.
    """

    words: str
    page: str
    about: str
    work: str
    answer: str
    known: str = ""


@dataclass(frozen=True)
class TourStop:
    """A page of the program, and what is to be seen there in the sample comparison.

    Attributes:
        page: Its name.
        title: The question that is answered.
        words: What to look at, as Markdown of ours.
        click: What to try before going on.
        tap: The same for a phone, which has neither a mouse nor keys.
        values: What the page is opened with: systems A and B, and how it is looked at.
        before: The page whose stop it comes before, where a feature adds it; "" for the end.
    """

    page: str
    title: str
    words: str
    click: str
    tap: str
    values: Mapping[str, str] = field(default_factory=dict)
    before: str = ""


class BesideSegments(Protocol):
    """The module in which a feature says what it knows of the two systems on the page Segments."""

    def look_up(self, view: Any) -> None:  # noqa: ANN401  # a comparison, which knows the registry
        """Find out, once for a drawing of the page."""

    def marked(self) -> tuple[str, str] | None:
        """What the older and the newer one are called, if one of them was made from the other."""

    def button(self, segment: int) -> None:
        """Offer the way on from the open segment, if there is one."""


@dataclass(frozen=True)
class SegmentPanel:
    """A panel that a feature adds to the open segment. Functions are named as ``module:function``.

    Attributes:
        key: The key that opens it.
        does: What that key does, in the list of keys.
        short: The same in the line of keys.
        button: Draws the button that opens it, given a comparison and the segment.
        draw: Draws the panel where it is open, given the same.
        works: Says whether whoever reads can open it; else neither the button nor the key is there.
    """

    key: str
    does: str
    short: str
    button: str
    draw: str
    works: str


@dataclass(frozen=True)
class RunNaming:
    """How people say by hand which systems are runs of one recipe. Functions are named as ``module:function``.

    Attributes:
        options: Decorates a command with options; what they come to has the name ``by_hand``.
        of_command: Gives what they say, of a test set and what they come to.
        on_pages: Gives what was said on pages, of a test set.
        words: Of what was said: the words of a command.
        option: Decorates a command with the option for runs alone; what it comes to has the name ``runs``.
        of_names: Gives the recipes by system of names and of what that option comes to.
    """

    options: str
    of_command: str
    on_pages: str
    words: str
    option: str
    of_names: str


@dataclass(frozen=True)
class SegmentNumber:
    """A number that a feature knows of each segment of some comparisons: a column, an order and a word of conditions.

    Attributes:
        name: In columns and conditions.
        orders: By what people call them: what commands call them, and whether large numbers come first.
        conditions: Ready ones, by what people call them.
    """

    name: str
    orders: Mapping[str, tuple[str, bool]]
    conditions: Mapping[str, str]


@dataclass(frozen=True)
class SegmentNumbers:
    """What a feature knows of each segment of some comparisons.

    Attributes:
        numbers: Which there can be.
        find: ``module:function`` that gives the ``FeatureNumbers`` of a comparison, or ``None``. It keeps them itself.
    """

    numbers: tuple[SegmentNumber, ...]
    find: str


@dataclass(frozen=True)
class SegmentKinds:
    """Kinds among which a feature divides what each segment loses. Functions are named as ``module:function``.

    Attributes:
        names: ``module:NAME`` of the names of the kinds.
        label: What is being done while they are found.
        work: Takes a comparison and gives the work that divides the points of all its segments.
        find: Takes a comparison and divides them at once.
        points: Takes a comparison, what was found and a kind, and gives its ``KindPoints``. It keeps them itself.
        of_tokens: Takes a comparison, systems and segments, and gives the kinds of tokens: for each of the segments, by
            system and place. The program shows them at the pointer.
    """

    names: str
    label: str
    work: str
    find: str
    points: str
    of_tokens: str


@dataclass(frozen=True)
class Reasons:
    """Why one system is ahead, on the first screen. Functions are named as ``module:function``.

    Attributes:
        label: What is being done while they are found.
        work: Takes a comparison and gives the work that finds them.
        draw: Draws them, given the comparison and what was found.
        question: Which they answer, on the page Compare.
        about: What the page finds out, in one sentence; shown there until there is an answer.
        page: The page with all of them.
        answer: Takes what was found and gives what stands next to the question, or ``None``.
        whole: Draws all of them on the page Compare, given the comparison and what was found; "" for the answer alone.
    """

    label: str
    work: str
    draw: str
    question: str
    about: str
    page: str
    answer: str
    whole: str = ""


@dataclass(frozen=True)
class Switch:
    """What a feature adds to the switch of workspaces.

    Attributes:
        name: What stands above its entries.
        entries: ``module:function`` that draws the ways into what the feature has.
        sample: ``module:function`` that draws the button that opens its sample.
    """

    name: str
    entries: str
    sample: str


@dataclass(frozen=True)
class Feature:
    """What a feature offers.

    Attributes:
        name: Of its folder.
        order: Among the features that put something before the same; those of equal order go by their names.
        pages: Its pages.
        page_before: The page that they come before in the row of pages; "" for the end.
        commands: Its commands.
        opening: How the dashboard opens on it.
        params: The module with its keys of the address.
        report_sections: What it can add to the report.
        questions: What it adds to the page Trust.
        tour_stops: What it adds to the tour.
        routes: ``module:function`` that gives what the server answers beside pages.
        beside_segments: The module with what it knows of the two systems on the page Segments.
        segment_panel: What it adds to the open segment there.
        reasons: What it knows of why one system is ahead.
        beneath_verdict: ``module:function`` that draws the way on from the verdict, given the comparison.
        several: What it does with several test sets at once.
        run_naming: How people say by hand which systems are runs of one recipe.
        segment_numbers: What it knows of each segment.
        segment_kinds: The kinds among which it divides what each segment loses.
        marked_kinds: ``module:function`` that takes a comparison and what systems lost by kind, and gives what people
            marked of each kind, or ``None``.
        caches: What it keeps that can be computed again: what that is called, and the folder that it is in.
        switch: What the feature adds to the switch of workspaces.
    """

    name: str
    order: int = 0
    pages: tuple[Page, ...] = ()
    page_before: str = ""
    commands: tuple[Command, ...] = ()
    opening: OpeningOption | None = None
    params: str = ""
    report_sections: tuple[ReportSection, ...] = ()
    questions: tuple[Question, ...] = ()
    tour_stops: tuple[TourStop, ...] = ()
    routes: str = ""
    beside_segments: str = ""
    segment_panel: SegmentPanel | None = None
    reasons: Reasons | None = None
    beneath_verdict: str = ""
    several: SeveralSets | None = None
    run_naming: RunNaming | None = None
    segment_numbers: SegmentNumbers | None = None
    segment_kinds: SegmentKinds | None = None
    marked_kinds: str = ""
    caches: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    switch: Switch | None = None


def of_several_sets() -> SeveralSets | None:
    """What the feature does that takes several test sets at once; ``None`` without it."""
    return next((feature.several for feature in own_features() if feature.several is not None), None)


def browser_folders() -> Mapping[str, str]:
    """By feature the folder of what a browser gets of it, as seen from this package; those that have one."""
    return {one.parent.name: f"{FOLDER.name}/{one.parent.name}/{one.name}" for one in sorted(FOLDER.glob("*/browser"))}


def segment_panels() -> tuple[SegmentPanel, ...]:
    """What features add to the open segment, in their order."""
    return tuple(one.segment_panel for one in own_features() if one.segment_panel is not None)


def run_naming() -> RunNaming | None:
    """How people say by hand which systems are runs of one recipe; ``None`` without the feature that asks for it."""
    return next((feature.run_naming for feature in own_features() if feature.run_naming is not None), None)


@cache
def own_features() -> tuple[Feature, ...]:
    """The features whose folders are there, in their order."""
    names = (module.name for module in pkgutil.iter_modules([str(FOLDER)]))
    found = (import_module(f"{__package__}.{FOLDER.name}.{name}.feature").FEATURE for name in names)
    return tuple(sorted(found, key=lambda feature: (feature.order, feature.name)))


@cache
def _added() -> Mapping[str, tuple[Feature, "Plugin"]]:
    from importlib.metadata import entry_points  # noqa: PLC0415  # takes as long as a small test set: seldom needed

    if not entry_points(group="bleuscope.features"):
        return {}
    from bleucore.plugins import plugins  # noqa: PLC0415  # the engine takes longer to import than --help needs

    taken = _own_names()

    def fault(name: str, feature: Feature) -> str | None:
        found = _fault(name, feature, taken)
        if found is None:
            taken.update(_names(feature))
        return found

    return {feature.name: (feature, plugin) for plugin, feature in plugins("bleuscope.features", Feature, fault=fault)}


def _names(feature: Feature) -> set[str]:
    """What a feature calls its pages and commands, as addresses have it."""
    return {*(page.address for page in feature.pages), *(command.name for command in feature.commands)}


def _own_names() -> set[str]:
    """What the program calls its pages and commands: after their scripts and modules."""
    scripts = {path.stem for path in FOLDER.with_name("pages").glob("*.py")}
    modules = {path.stem.removesuffix("_command") for path in FOLDER.with_name("cli").glob("*_command.py")}
    own = {name.replace("_", "-") for name in scripts | modules | {"open", "demo"}}
    return own.union(*map(_names, own_features()))


def _fault(name: str, feature: Feature, taken: AbstractSet[str]) -> str | None:
    """Why a feature of another package cannot be used."""
    names = _names(feature)
    scripts = [Path(page.script) for page in feature.pages]
    if feature.name != name:
        return f"its entry point is named {name!r}, and it {feature.name!r}"
    wrong = sorted(one for one in names if not NAME.fullmatch(one))
    if wrong:
        return f"{wrong[0]!r} is no name of a page or a command: small letters, digits and hyphens"
    if names & taken:
        return f"there is a page or a command of the name {min(names & taken)!r}"
    missing = [script for script in scripts if not (script.is_absolute() and script.is_file())]
    if missing:
        return f"there is no script {str(missing[0])!r} of its page; its path has to begin at the root"
    if any(
        (
            feature.opening,
            feature.routes,
            feature.beside_segments,
            feature.beneath_verdict,
            feature.report_sections,
            feature.questions,
            feature.tour_stops,
            feature.several,
            feature.run_naming,
            feature.segment_numbers,
            feature.segment_kinds,
            feature.marked_kinds,
            feature.switch,
            *(page.subject or page.link for page in feature.pages),
        )
    ):
        own = "open the dashboard, answer requests, or add to verdicts, Segments and reports"
        return f"only the program's own features may {own}"
    return None


def added_features() -> tuple[Feature, ...]:
    """The features of other packages, by name; they are looked for when somebody asks for more than there is here."""
    return tuple(feature for feature, _ in _added().values())


def features() -> tuple[Feature, ...]:
    """All features: those of the program, and those of other packages."""
    return (*own_features(), *added_features())


def plugin_of(feature: str) -> "Plugin | None":
    """What a feature of another package is called where it fails; ``None`` for one of the program."""
    return _added()[feature][1] if feature in _added() else None


def load(name: str) -> Callable[..., Any]:
    """The function that ``module:function`` names, imported now."""
    module, _, function = name.partition(":")
    return cast("Callable[..., Any]", getattr(import_module(module), function))


def placed(own: Mapping[str, Named], added: Iterable[tuple[str, Mapping[str, Named]]]) -> dict[str, Named]:
    """What the program has and what features add: each before the name it gives, or at the end.

    Args:
        own: By name, in their order.
        added: The name to come before, and what is added.
    """
    placed_so_far = dict(own)
    for before, more in added:
        names = list(placed_so_far)
        place = names.index(before) if before in placed_so_far else len(names)
        items = list(placed_so_far.items())
        placed_so_far = dict([*items[:place], *more.items(), *items[place:]])
    return placed_so_far
