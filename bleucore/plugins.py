"""What other packages add, found by their entry points, in registries beside the program's own.

A package declares them in its ``pyproject.toml``, as in ``[project.entry-points."bleuscope.metrics"]``. They are looked
for when somebody asks for more than the program has itself. One that cannot be used is named once, and left out.
"""

import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Generic, Literal, TypeVar

from bleucore.values import shown

Group = Literal[
    "bleuscope.metrics",
    "bleuscope.checks",
    "bleuscope.formats",
    "bleuscope.features",
    "bleuscope.neural_metrics",
]
Key = TypeVar("Key")
Entry = TypeVar("Entry")


@dataclass(frozen=True)
class Plugin:
    """What another package adds.

    Attributes:
        group: What it is to be.
        name: Of its entry point.
        package: That it is in.
    """

    group: Group
    name: str
    package: str

    @property
    def kind(self) -> str:
        """What it is to be, as in "metric"."""
        return self.group.rpartition(".")[2].removesuffix("s").replace("_", " ")

    def __str__(self) -> str:
        """As in "the metric 'wer' from the package 'bleuscope-wer'"."""
        return f"the {self.kind} {shown(self.name)} from the package {shown(self.package)}"


_broken: dict[Plugin, str] = {}
_in_use: dict[Plugin, object] = {}


def broken_plugins() -> Mapping[Plugin, str]:
    """Why plug-ins are left out, as far as anybody asked for them."""
    return MappingProxyType(_broken)


def plugins_in_use() -> Mapping[Plugin, object]:
    """The others, with what each adds, as far as anybody asked for them."""
    return MappingProxyType({plugin: entry for plugin, entry in _in_use.items() if plugin not in _broken})


def left_out(plugin: Plugin, reason: str) -> str:
    """A sentence that names a plug-in that is left out."""
    said = str(plugin)
    return f"{said[0].upper()}{said[1:]} is left out: {reason}."


def leave_out(plugin: Plugin, reason: str) -> None:
    """Name a plug-in that cannot be used, the first time."""
    if plugin not in _broken:
        _broken[plugin] = reason
        logging.getLogger(__name__).warning("%s", left_out(plugin, reason))


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
) -> list[tuple[Plugin, Entry]]:
    """What other packages add, by the names of their entry points.

    Args:
        group: Of entry points.
        kind: What each has to be.
        fault: Of its name and the object: why it cannot be used, or ``None``.
    """
    from importlib.metadata import entry_points  # noqa: PLC0415  # takes as long as a small test set: seldom needed

    found: dict[str, tuple[Plugin, Entry]] = {}
    for point in sorted(entry_points(group=group), key=lambda one: (one.name, one.value)):
        plugin = Plugin(group, point.name, "?" if point.dist is None else point.dist.name)
        reason: str | None
        try:
            entry = point.load()
        except (Exception, SystemExit) as error:  # noqa: BLE001  # whatever somebody else's module raises
            leave_out(plugin, f"it cannot be imported ({type(error).__name__}: {shown(str(error))})")
            continue
        if not isinstance(entry, kind):
            reason = f"it is not a {kind.__name__}"
        elif point.name in found:
            reason = "another package has one of that name"
        else:
            reason = fault(point.name, entry)
        if reason is None:
            found[point.name] = plugin, entry
            _in_use[plugin] = entry
        else:
            leave_out(plugin, reason)
    return list(found.values())
