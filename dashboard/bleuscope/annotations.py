"""What a person says about one test set by hand: notes, blind preferences, names and remarks."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

FIRST_SEED = 1
Place: TypeAlias = int | None
"""What a text is about: a segment, counted from 0, or ``None`` for the remarks on the report."""
Preference = Literal["left", "tie", "right"]
Preferences = Mapping[int, Preference]
"""By segment, counted from 0."""


@dataclass(frozen=True)
class SegmentNote:
    """A tag to find segments by, and a note in free words; empty ones say nothing."""

    tag: str = ""
    note: str = ""


Notes = Mapping[int, SegmentNote]
"""By segment, counted from 0."""


@dataclass(frozen=True)
class BlindTrial:
    """Two systems of a test set whose sides are drawn anew for each segment.

    Attributes:
        digest: The test set's.
        systems: The two systems, in alphabetical order.
        seed: Another seed draws other sides.
    """

    digest: str
    systems: tuple[str, str]
    seed: int

    @classmethod
    def of(cls, digest: str, pair: tuple[str, str], seed: int) -> "BlindTrial":
        """The trial of two systems, whichever is A."""
        first, second = sorted(pair)
        return cls(digest, (first, second), seed)

    def sides(self, segment: int) -> tuple[str, str]:
        """The systems at the left and at the right of a segment (from 0): the same each time it is opened."""
        drawn = hashlib.sha256(f"{self.digest} {self.seed} {segment}".encode()).digest()[0]
        return self.systems if drawn % 2 == 0 else self.systems[::-1]

    def preferred(self, segment: int, preference: Preference) -> str | None:
        """The system preferred; ``None`` for a tie."""
        left, right = self.sides(segment)
        return {"left": left, "right": right, "tie": None}[preference]


@dataclass(frozen=True)
class Annotations:
    """What a person typed and chose by hand, of what no link holds.

    Attributes:
        notes: Tags and notes by segment, counted from 0.
        trials: Preferences of each blind comparison.
        ended: The blind comparisons whose key was shown.
        blind_seed: That draws the sides of the blind comparison in hand.
        names: Names given by hand, as an address holds them.
        remarks: On the report.
        set_aside: What another window's change kept from being saved; it goes to the earlier versions.
    """

    notes: Notes = field(default_factory=dict)
    trials: Mapping[BlindTrial, Preferences] = field(default_factory=dict)
    ended: frozenset[BlindTrial] = frozenset()
    blind_seed: int = FIRST_SEED
    names: tuple[str, ...] = ()
    remarks: str = ""
    set_aside: Mapping[Place, SegmentNote] = field(default_factory=dict)
