"""What segments lose to one kind of error, where a feature divides the points of segments among kinds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import cast

import numpy as np
from numpy.typing import NDArray

from bleucore.counts import Floats
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.style import numbers
from bleuscope.registry import load, own_features

OFFERED = next((one.segment_kinds for one in own_features() if one.segment_kinds is not None), None)
"""What divides points among kinds; ``None`` without such a feature."""
NAMES: Sequence[str] = () if OFFERED is None else cast("Sequence[str]", load(OFFERED.names))
"""Of the kinds."""
NUMBERS = ("Δ of the kind", "kind A", "kind B")
"""What orders look at."""
LEAST = 1e-9
"""Points: whatever is nearer to 0 comes from rounding."""
NO_KINDS: Mapping[int, str] = MappingProxyType({})
NO_KINDS_OF_SYSTEMS: Mapping[str, Mapping[int, str]] = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class KindPoints:
    """What each of S segments loses to a kind.

    Attributes:
        kind: Its name.
        called: What sentences call it.
        lost: (S,), the BLEU points that A loses, and those that B does; of one system its own.
        gains: (S,), what B gains over A; of one system what it loses, below 0.
    """

    kind: str
    called: str
    lost: tuple[Floats, ...]
    gains: Floats

    @property
    def compares(self) -> bool:
        """Whether there are two systems."""
        return len(self.lost) > 1

    @property
    def numbers(self) -> Mapping[str, Floats]:
        """What orders look at, by ``NUMBERS``."""
        return dict(zip(NUMBERS, (self.gains, self.lost[0], self.lost[-1]), strict=True))

    @property
    def is_there(self) -> NDArray[np.bool_]:
        """(S,), whether the segment loses or gains anything by the kind."""
        found: NDArray[np.bool_] = np.abs([self.gains, *self.lost]).max(axis=0) > LEAST
        return found

    @property
    def meaning(self) -> str:
        """What ``told`` gives, in a sentence."""
        if not self.compares:
            return f"BLEU points lost to {self.called}."
        return f"BLEU points that A and B lose to {self.called}, and what B gains by that."

    def told(self, segment: int) -> str:
        """A few words in the row of a segment, from 0."""
        lost = [numbers.part(float(-one[segment])) for one in self.lost]
        if not self.compares:
            return f"{self.called}: {lost[0]}"
        return f"{self.called}: A\u00a0{lost[0]}, B\u00a0{lost[1]}, Δ\u00a0{numbers.part(float(self.gains[segment]))}"


def points_at_once(study: ComparisonContext, kind: str) -> KindPoints | None:
    """What segments lose to a kind, found now; ``None`` where there is no such kind."""
    if OFFERED is None or kind not in NAMES:
        return None
    found: KindPoints = load(OFFERED.points)(study, load(OFFERED.find)(study), kind)
    return found


def kinds_of_tokens(
    study: ComparisonContext, systems: Sequence[str], segments: Sequence[int]
) -> Sequence[Mapping[str, Mapping[int, str]]]:
    """For each of the segments the kind of each token that has one, by system and place; nothing without a feature."""
    if OFFERED is None:
        return [NO_KINDS_OF_SYSTEMS] * len(segments)
    found: Sequence[Mapping[str, Mapping[int, str]]] = load(OFFERED.of_tokens)(study, tuple(systems), tuple(segments))
    return found
