"""The registry of features: what each of the folders in ``features`` offers, and which are there.

A feature declares itself in its ``feature.py`` and names its modules there as text: nothing of it is imported before it
is used, and the program starts without its folder.
"""

import pkgutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol, TypeVar, cast

FOLDER = Path(__file__).parent / "features"
Named = TypeVar("Named")


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
        stands_under: The page that is shown for it in the row of pages; "" for itself.
        frame: ``module:function`` that draws what surrounds it, given the page; "" for that of a comparison.
        path: Its file, as seen from the script of all pages; "" for the one of its name in ``pages``.
    """

    name: str
    title: str
    is_of_two: bool = False
    shows_findings: bool = False
    part_drawn_first: str | None = None
    can_be_shared: bool = True
    stands_under: str = ""
    frame: str = ""
    path: str = ""

    @property
    def row_name(self) -> str:
        """The page that is shown for it in the row of pages."""
        return self.stands_under or self.name

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

    def plan(self, path: str) -> Planned:
        """What is at a path.

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
class Feature:
    """What a feature offers.

    Attributes:
        name: Of its folder.
        pages: Its pages.
        page_before: The page that they come before in the row of pages; "" for the end.
        commands: The names of its commands.
        command_module: The module with ``NAME_command`` for each of them.
        command_before: The command that they come before in the help; "" for the end.
        opening: How the dashboard opens on it.
        caches: What it keeps that can be computed again: what that is called, and the folder that it is in.
    """

    name: str
    pages: tuple[Page, ...] = ()
    page_before: str = ""
    commands: tuple[str, ...] = ()
    command_module: str = ""
    command_before: str = ""
    opening: OpeningOption | None = None
    caches: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


@cache
def features() -> tuple[Feature, ...]:
    """The features that are there, by name."""
    names = sorted(module.name for module in pkgutil.iter_modules([str(FOLDER)]))
    return tuple(import_module(f"{__package__}.{FOLDER.name}.{name}.feature").FEATURE for name in names)


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
