"""Segments where a metric prefers one system and people the other."""

from dataclasses import dataclass

import numpy as np

from bleucore.agreement.judged import signs, tie_width
from bleucore.counts import Floats, Ints, read_only


@dataclass(frozen=True, eq=False)
class Conflicts:
    """The segments where people and a metric take sides against each other, the gravest first.

    Attributes:
        segments: (n,), from 0; read-only.
        people: (n,), judgements of the first system less those of the second.
        metric: (n,), the metric's difference, turned so that above 0 says that the first is better.
        sizes: (n,), how far both are apart: |z of one - z of the other|, z being the difference over the root mean
            square of all differences.
        n_judged: In how many segments both have both systems.
    """

    segments: Ints
    people: Floats
    metric: Floats
    sizes: Floats
    n_judged: int


def conflicts(people: Floats, metric: Floats) -> Conflicts:
    """Of two systems.

    Args:
        people: (2, S), judgements of both, higher is better, NaN where nobody judged.
        metric: (2, S), in the same way.
    """
    by_people, by_metric = people[0] - people[1], metric[0] - metric[1]
    known = ~np.isnan(by_people) & ~np.isnan(by_metric)
    against = signs(by_people, tie_width(people)) * signs(by_metric, tie_width(metric)) < 0
    places = np.flatnonzero(known & against)
    sizes = np.abs(by_people[places] / _root_mean_square(by_people[known]))
    sizes += np.abs(by_metric[places] / _root_mean_square(by_metric[known]))
    order = np.argsort(-sizes, kind="stable")
    chosen = places[order]
    return Conflicts(
        read_only(chosen),
        read_only(by_people[chosen]),
        read_only(by_metric[chosen]),
        read_only(sizes[order]),
        int(np.count_nonzero(known)),
    )


def _root_mean_square(differences: Floats) -> float:
    return float(np.sqrt(np.mean(differences**2))) if len(differences) else 1.0
