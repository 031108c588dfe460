"""Names that a person gives to systems, references and the comparison, and how a link holds them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from bleucore import TestSet
from bleucore.values import lone_surrogate

MAX_NAME = 200
TITLE = "t"
_PLACE = re.compile(r"(t|[sr][1-9][0-9]{0,3})=(.*)", re.DOTALL)


@dataclass(frozen=True)
class Naming:
    """Names given by hand.

    Attributes:
        names: By place: "t" for the title, "s1" for the first system, "r1" for the first reference.
    """

    names: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def from_address(cls, values: Sequence[str]) -> "Naming":
        """What an address holds; what cannot be a name is dropped."""
        found = [match.groups() for value in values if (match := _PLACE.fullmatch(value)) is not None]
        kept = {place: tidy(name) for place, name in found if fault_of(tidy(name)) is None}
        return cls(MappingProxyType(kept))

    def in_address(self) -> list[str]:
        """How an address holds these."""
        return [f"{place}={name}" for place, name in sorted(self.names.items())]

    def rejoined(self, before: "Naming", others: "Naming") -> "Naming":
        """The names of others with the changes that these make to those of before."""
        places = before.names.keys() | self.names.keys() | others.names.keys()
        changed = {place for place in places if self.names.get(place) != before.names.get(place)}
        names = {place: (self if place in changed else others).names.get(place) for place in places}
        return Naming(MappingProxyType({place: name for place, name in names.items() if name is not None}))

    def with_name(self, place: str, name: str, given: str) -> "Naming":
        """Another name at a place; the one that was read needs no mention."""
        rest = {other: kept for other, kept in self.names.items() if other != place}
        return Naming(MappingProxyType(rest if name == given else rest | {place: name}))

    def system_names(self, as_read: TestSet) -> tuple[str, ...]:
        """The names of all systems."""
        return self._names("s", as_read.system_names)

    def reference_names(self, as_read: TestSet) -> tuple[str, ...]:
        """The names of all references."""
        return self._names("r", as_read.reference_names or ())

    def title(self, as_read: str) -> str:
        """The title."""
        return self.names.get(TITLE, as_read)

    def fits(self, as_read: TestSet) -> bool:
        """Whether all names have a place in a test set, and none there is given twice."""
        places = {TITLE, *(f"s{number + 1}" for number in range(len(as_read.systems)))}
        places |= {f"r{number + 1}" for number in range(len(as_read.references))}
        named = (self.system_names(as_read), self.reference_names(as_read))
        return places >= set(self.names) and all(len({*map(_compared, names)}) == len(names) for names in named)

    def applied(self, as_read: TestSet) -> TestSet:
        """The test set under these names, which fit."""
        systems, references = self.system_names(as_read), self.reference_names(as_read)
        if (systems, references) == (as_read.system_names, as_read.reference_names):
            return as_read
        return as_read.renamed(systems, references)

    def _names(self, kind: str, given: Sequence[str]) -> tuple[str, ...]:
        return tuple(self.names.get(f"{kind}{number}", name) for number, name in enumerate(given, start=1))


def tidy(name: str) -> str:
    """A name on one line, without blanks at its ends."""
    return " ".join(name.split())


def fault_of(name: str, others: Sequence[str] = ()) -> str | None:
    """Why this cannot be a name beside the others, in a sentence; ``None`` if it can."""
    if lone_surrogate(name) is not None:
        return "This holds half a character and cannot be written."
    if not any(char.isprintable() and not char.isspace() for char in name):
        return "A name needs at least one character that can be seen."
    if len(name) > MAX_NAME:
        return f"A name has at most {MAX_NAME} characters."
    if _compared(name) in map(_compared, others):
        return "Another one has this name already."
    return None


def _compared(name: str) -> str:
    """What two names that look alike have in common."""
    return tidy(name)
