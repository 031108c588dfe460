"""Pairs of systems by the size of the metric's difference: how often people agree with small and with large ones."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bleucore.agreement.pairwise import JudgedPair
from bleucore.agreement.people_range import band_of

FEWEST_PAIRS = 30
N_GROUPS = 5


@dataclass(frozen=True)
class SizeGroup:
    """Pairs of about one size.

    Attributes:
        low: The smallest difference of the metric among them, whichever way it points.
        high: The largest.
        mean: Of them.
        n_agree: How many of them people order as the metric does.
        n_pairs: How many there are.
    """

    low: float
    high: float
    mean: float
    n_agree: int
    n_pairs: int


def size_groups(pairs: Sequence[JudgedPair]) -> tuple[SizeGroup, ...]:
    """Pairs in fifths by the size of the metric's difference, smallest first; none of fewer than ``FEWEST_PAIRS``."""
    if len(pairs) < FEWEST_PAIRS:
        return ()
    rising = sorted(pairs, key=lambda pair: abs(pair.metric))
    found = []
    for places in np.array_split(np.arange(len(pairs)), N_GROUPS):
        group = [rising[place] for place in places]
        sizes = [abs(pair.metric) for pair in group]
        n_agree = sum(pair.agrees for pair in group)
        found.append(SizeGroup(sizes[0], sizes[-1], float(np.mean(sizes)), n_agree, len(group)))
    return tuple(found)


@dataclass(frozen=True)
class Expected:
    """What later campaigns make one expect of pairs, next to what is.

    Attributes:
        n_pairs: Pairs with a difference of a size that campaigns say anything about.
        low: How many of them raters agree with at least, on average.
        high: And at most.
        n_agree: How many of them they do agree with.
    """

    n_pairs: int
    low: float
    high: float
    n_agree: int


def expected(pairs: Sequence[JudgedPair]) -> Expected:
    """What later campaigns make one expect of these pairs in BLEU."""
    known = [(band, pair.agrees) for pair in pairs if (band := band_of(pair.metric)) is not None]
    low, high = (sum(getattr(band, end) for band, _ in known) / 100 for end in ("low", "high"))
    return Expected(len(known), low, high, sum(agrees for _, agrees in known))
