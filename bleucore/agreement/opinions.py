"""How far people set neighbouring systems apart: mean differences of judgements with their intervals."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from bleucore.agreement.judged import HumanScores, tie_width
from bleucore.counts import Floats, Ints
from bleucore.sampling.estimates import DrawnSegments, estimated_mean, mean_of_all


@dataclass(frozen=True)
class OpinionDifference:
    """What people think of two systems, on the segments where both were judged.

    Attributes:
        better: The system that people place first.
        worse: The one after it.
        difference: Their mean difference; it can be below 0, because places are by all judgements of each.
        interval: 95 % interval by the paired t test of units, as ``mean_of_all``, of drawn segments as
            ``estimated_mean``; ``None`` from too few common units, or where all differences are the same.
        p_value: Two-sided, of the same test; ``None`` as well.
        n_segments: How many segments are common.
    """

    better: str
    worse: str
    difference: float | None
    interval: tuple[float, float] | None
    p_value: float | None
    n_segments: int


def neighbour_differences(people: HumanScores) -> tuple[OpinionDifference, ...]:
    """Each system and the next, best first (Papineni et al. 2002, figures 3 and 4)."""
    order = np.argsort(-people.scores, kind="stable").tolist()
    return tuple(
        opinion_difference(
            (people.systems[first], people.systems[second]),
            people.judged[[first, second]],
            people.drawn,
            groups=people.groups,
        )
        for first, second in pairwise(order)
    )


def normalised(scores: Floats) -> Floats | None:
    """Scores (K,) from 0, the lowest, to 1, the highest (Papineni et al. 2002, figure 7); ``None`` if all are equal."""
    least, range_ = scores.min(), np.ptp(scores)
    return None if range_ <= tie_width(scores) else (scores - least) / range_


def opinion_difference(
    names: Sequence[str], judged: Floats, drawn: DrawnSegments | None = None, *, groups: Ints | None = None
) -> OpinionDifference:
    """The paired t test of two systems, judged (2, S), by units (S,), and what it becomes where segments were drawn."""
    differences = judged[0] - judged[1]
    known = ~np.isnan(differences)
    if known.any() and np.ptp(differences[known]) <= tie_width(judged):  # rounding has no deviation
        differences[known] = differences[known][0]
    found = mean_of_all(differences, groups) if drawn is None else estimated_mean(differences, drawn)
    if found is None:
        return OpinionDifference(names[0], names[1], None, None, None, 0)
    return OpinionDifference(names[0], names[1], found.value, found.interval, found.p_value, found.n_segments)
