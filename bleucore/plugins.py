"""Metrics and checks of other packages, found by their entry points, in registries beside the program's own.

A package declares them in its ``pyproject.toml``, as in ``[project.entry-points."bleuscope.metrics"]``. They are looked
for when somebody asks for more than the program has itself. One that cannot be used is named once, and left out.
"""

import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, Literal, TypeVar

from bleucore.values import shown

Group = Literal["bleuscope.metrics", "bleuscope.checks", "bleuscope.formats", "bleuscope.features"]
Key = TypeVar("Key")
Entry = TypeVar("Entry")


@dataclass(frozen=True)
class BrokenPlugin:
    """A plug-in that is left out.

    Attributes:
        group: What it was to be.
        name: Of its entry point.
        package: That it is in.
        reason: Why it is left out.
    """

    group: Group
    name: str
    package: str
    reason: str

    def __str__(self) -> str:
        """In one line."""
        what = f"{self.group.rpartition('.')[2].removesuffix('s')} {shown(self.name)}"
        return f"The {what} of the package {shown(self.package)} is left out: {self.reason}."


_broken: dict[tuple[Group, str, str], BrokenPlugin] = {}


def broken_plugins() -> tuple[BrokenPlugin, ...]:
    """The plug-ins that are left out, as far as anybody asked for them."""
    return tuple(_broken.values())


def leave_out(plugin: BrokenPlugin) -> None:
    """Name a plug-in that cannot be used, the first time."""
    key = plugin.group, plugin.name, plugin.package
    if key not in _broken:
        _broken[key] = plugin
        logging.getLogger(__name__).warning("%s", plugin)


class Registry(Mapping[Key, Entry], Generic[Key, Entry]):
    """What the program has itself, and behind it what other packages add.

    These are looked for when an entry is asked for that the program does not have, or all of them.
    """

    def __init__(self, own: Mapping[Key, Entry], find: Callable[[], Mapping[Key, Entry]]) -> None:
        """A registry.

        Args:
            own: Of the program.
            find: Looks for those of other packages; called once.
        """
        self._own, self._find = dict(own), find

    @cached_property
    def added(self) -> Mapping[Key, Entry]:
        """What other packages add; an entry of the program keeps its name."""
        return {key: entry for key, entry in self._find().items() if key not in self._own}

    def __getitem__(self, key: Key) -> Entry:
        return self._own[key] if key in self._own else self.added[key]

    def __iter__(self) -> Iterator[Key]:
        yield from self._own
        yield from self.added

    def __len__(self) -> int:
        return len(self._own) + len(self.added)


def plugins(
    group: Group, kind: type[Entry], *, fault: Callable[[str, Entry], str | None]
) -> list[tuple[BrokenPlugin, Entry]]:
    """What other packages add, by the names of their entry points; each with what to name where it fails later.

    Args:
        group: Of entry points.
        kind: What each has to be.
        fault: Of its name and the object: why it cannot be used, or ``None``.
    """
    from importlib.metadata import entry_points  # noqa: PLC0415  # takes as long as a small test set: seldom needed

    found: dict[str, tuple[BrokenPlugin, Entry]] = {}
    for point in sorted(entry_points(group=group), key=lambda one: (one.name, one.value)):
        package = "?" if point.dist is None else point.dist.name
        reason: str | None
        try:
            entry = point.load()
        except (Exception, SystemExit) as error:  # noqa: BLE001  # whatever somebody else's module raises
            entry, reason = None, f"it cannot be imported ({type(error).__name__}: {shown(str(error))})"
        else:
            if not isinstance(entry, kind):
                reason = f"it is no {kind.__name__}"
            elif point.name in found:
                reason = "another package has one of that name"
            else:
                reason = fault(point.name, entry)
        if reason is not None or entry is None:
            leave_out(BrokenPlugin(group, point.name, package, reason or "it is nothing"))
        else:
            found[point.name] = BrokenPlugin(group, point.name, package, "it failed"), entry
    return list(found.values())
