"""What a person said about one test set."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from bleuscope.content.segments.blind_trial import BlindTrial, Preferences
from bleuscope.content.segments.segment_notes import Notes

FIRST_SEED = 1


@dataclass(frozen=True)
class Work:
    """What a person typed and chose by hand, of what no link holds.

    Attributes:
        notes: Tags and notes by segment, counted from 0.
        trials: Preferences of each blind comparison.
        ended: The blind comparisons whose key was shown.
        blind_seed: That draws the sides of the blind comparison in hand.
        names: Names given by hand, as an address holds them.
        remarks: On the report.
    """

    notes: Notes = field(default_factory=dict)
    trials: Mapping[BlindTrial, Preferences] = field(default_factory=dict)
    ended: frozenset[BlindTrial] = frozenset()
    blind_seed: int = FIRST_SEED
    names: tuple[str, ...] = ()
    remarks: str = ""
