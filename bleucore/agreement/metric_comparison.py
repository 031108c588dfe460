"""Does one metric agree with people better than another? Their scores exchanged at random, and Williams' test."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

import numpy as np

from bleucore.agreement.correlations import FEWEST
from bleucore.agreement.judged import signs, tie_width
from bleucore.agreement.tied_accuracy import right_pairs
from bleucore.counts import Floats, Ints, group_sums
from bleucore.errors import InputError
from bleucore.optional_packages import special
from bleucore.significance import approximate_randomisation, randomise
from bleucore.significance.paired import one_sided, rounding

Statistic = Literal["pearson", "pairs", "segment-pearson", "tied-accuracy"]
SYSTEM_STATISTICS = ("pearson", "pairs")
Exchanged = Literal["score", "segment"]

TRIALS = 1000
SEED = 12345


@dataclass(frozen=True)
class MetricTest:
    """Two metrics beside each other.

    Attributes:
        difference: The agreement of the first with people less that of the second.
        p_value: One-sided: small where the first agrees better. Above 0, at most 1.
        trials: How often scores were exchanged.
        seed: Of the trials.
    """

    difference: float
    p_value: float
    trials: int
    seed: int


def compare_metrics(  # noqa: PLR0913  # what tests rest on
    people: Floats,
    metrics: tuple[Floats, Floats],
    statistic: Statistic,
    *,
    exchanged: Exchanged = "segment",
    groups: Ints | None = None,
    trials: int = TRIALS,
    seed: int = SEED,
) -> MetricTest:
    """Whether the first metric agrees with people better than the second.

    Both metrics are brought to mean 0 and deviation 1, then their scores change places at random: all of a segment
    together (PERM-INPUT of Deutsch et al. 2021, "A statistical analysis of summarization evaluation metrics using
    resampling methods"), or each by itself (PERM-BOTH, which mt-metrics-eval has). For the accuracy with
    ties, whether a pair is right changes places, each metric keeping its own threshold.

    Args:
        people: (K, S), higher is better, NaN where nobody judged; (K,) for statistics of systems.
        metrics: The first and the second, each as people.
        statistic: What agreement is; "pearson" and "pairs" are of systems.
        exchanged: What changes places. Scores, or pairs, of a segment are not independent: of metrics that know
            nothing, with pairs exchanged one by one, 15 % are found better than another in the accuracy with ties at
            the level of .05; by segment it is 6 %. No matter for systems.
        groups: (S,), the unit of each segment, which changes places as a whole; each segment is one unless given.
        trials: At least 1.
        seed: 0 or more.

    Raises:
        InputError: There is nothing that all three have, or a metric is constant there.
    """
    if statistic == "pairs":
        return _test_of_pairs(people, *metrics, trials, seed)
    compared = (people, *metrics)
    known = ~np.isnan(compared).any(axis=0)
    common = [np.where(known, values, np.nan).reshape(len(people), -1) for values in compared]
    make = _tied_units if statistic == "tied-accuracy" else _pearson_units
    ours, theirs = (make(common[0], metric) for metric in common[1:])
    if exchanged == "segment" and statistic not in SYSTEM_STATISTICS:
        ours, theirs = (np.nansum(units, axis=0) for units in (ours, theirs))
        if groups is not None:
            ours, theirs = (group_sums(units, groups, int(groups.max()) + 1) for units in (ours, theirs))
    score = _SCORES[statistic]
    columns = [("first", _rows(ours)), ("second", _rows(theirs))]
    drawn = randomise(columns, score, trials=trials, seed=seed)
    (test,) = approximate_randomisation(drawn, baseline=1)
    p_value = one_sided(test.null_distribution, test.difference, rounding=test.rounding)
    return MetricTest(test.difference, p_value, trials, seed)


def williams_test(first: float, second: float, between: float, n: int) -> float | None:
    """One-sided p of two dependent correlations: small where the first is higher (Williams 1959; Graham 2014).

    Args:
        first: Pearson's r of people and the first metric.
        second: Of people and the second.
        between: Of the two metrics.
        n: How many points.

    Returns:
        ``None`` with fewer than 4 points, or where the metrics say the same.
    """
    if n <= FEWEST:
        return None
    determinant = 1 - first**2 - second**2 - between**2 + 2 * first * second * between
    mean = (first + second) / 2
    squared = 2 * (n - 1) / (n - 3) * determinant + mean**2 * (1 - between) ** 3
    if squared <= 0:
        return None
    t = (first - second) * np.sqrt((n - 1) * (1 + between) / squared)
    return float(special.stdtr(n - 3, -t))


def ranks(ranked: Sequence[str], is_better: Callable[[str, str], bool]) -> dict[str, int]:
    """The rank of each metric from 1: a new one where any of the present rank is significantly better.

    As the metrics tasks of WMT give them (Freitag et al. 2023).

    Args:
        ranked: Names, best first.
        is_better: Whether the first of two is significantly better; asked for the better one first.
    """
    found: dict[str, int] = {}
    cluster: list[str] = []
    for name in ranked:
        if any(is_better(member, name) for member in cluster):
            cluster = []
        found[name] = max(found.values(), default=0) + (not cluster)
        cluster.append(name)
    return found


def _rows(units: Floats) -> Floats:
    """The units (..., C) that are known, (n, C)."""
    rows = units.reshape(-1, units.shape[-1])
    return rows[~np.isnan(rows).any(axis=1)]


def _pearson_units(people: Floats, metric: Floats) -> Floats:
    """What each cell adds to Pearson's r: (K, S, 3), the product, the metric and its square, over their number."""
    judged, scored = _standardised(people), _standardised(metric)
    n_known = np.count_nonzero(~np.isnan(people))
    return np.stack([judged * scored, scored, scored**2], axis=-1) / n_known


def _pearson(sums: Floats) -> Floats:
    variances = np.maximum(sums[..., 2] - sums[..., 1] ** 2, np.finfo(np.float64).tiny)
    found: Floats = sums[..., 0] / np.sqrt(variances)
    return found


def _tied_units(people: Floats, metric: Floats) -> Floats:
    """What each pair of systems adds to the accuracy with ties: (P, S, 1)."""
    return right_pairs(people, metric)[..., None]


def _standardised(values: Floats) -> Floats:
    known = values[~np.isnan(values)]
    if len(known) == 0 or np.ptp(known) <= tie_width(known):
        raise InputError(
            "metrics cannot be compared",
            where="The scores",
            found="one score for all" if len(known) else "nothing that people and both metrics have",
            expected="scores that differ",
            remedy="Leave the metric out.",
        )
    standard: Floats = (values - known.mean()) / known.std()
    return standard


def _test_of_pairs(people: Floats, first: Floats, second: Floats, trials: int, seed: int) -> MetricTest:
    """Of the share of pairs of systems that are ordered as people do; scores of systems are exchanged."""
    exchange = np.random.default_rng(seed).integers(2, size=(trials + 1, len(people)), dtype=bool)
    exchange[0] = False  # as they are
    ours, theirs = _standardised(first), _standardised(second)
    one, other = np.triu_indices(len(people), 1)
    of_people = signs(people[one] - people[other], tie_width(people))
    shares = []
    for kept, given in ((ours, theirs), (theirs, ours)):
        drawn = np.where(exchange, given, kept)
        of_metric = signs(drawn[:, one] - drawn[:, other], tie_width(kept))
        shares.append((of_metric == of_people).mean(axis=1))
    differences = shares[0] - shares[1]
    difference = float(differences[0])
    p_value = one_sided(differences[1:], difference, rounding=rounding(np.ones(1)))
    return MetricTest(difference, p_value, trials, seed)


_SCORES: Mapping[Statistic, Callable[[Floats], Floats]] = MappingProxyType(
    {"pearson": _pearson, "segment-pearson": _pearson, "tied-accuracy": lambda sums: sums[..., 0]}
)
