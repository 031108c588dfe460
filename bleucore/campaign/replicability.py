"""On how many test sets is one system better than another, with a guarantee; and do the sets contradict each other.

Replicability analysis (Dror et al. 2017) counts sets by tests of partial conjunctions (Benjamini and Heller 2008): that
at least u of n sets show an effect.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import compress
from types import MappingProxyType
from typing import Literal, get_args

import numpy as np

from bleucore.counts import Floats, Ints, read_only
from bleucore.optional_packages import special
from bleucore.significance.corrections import holm

PartialConjunction = Literal["bonferroni", "fisher"]
PARTIAL_CONJUNCTIONS: tuple[PartialConjunction, ...] = get_args(PartialConjunction)


@dataclass(frozen=True)
class Replicability:
    """On how many of n sets there is an effect.

    Attributes:
        n_sets: n.
        n_found: The k-hat of Dror et al. (2017): on so many sets at least there is an effect. The chance that this
            is more than the true number is at most the level.
        found: Which sets they are (Holm), by their places: the chance that any has no effect is at most the level. As
            many as ``n_found`` by Bonferroni; by Fisher there may be fewer, since some sets count together.
        p_values: (n,), read-only: of there being an effect on at least 1, 2, … n sets, none below the one before.
    """

    n_sets: int
    n_found: int
    found: tuple[int, ...]
    p_values: Floats


def replicability(
    p_values: Sequence[float], level: float = 0.05, method: PartialConjunction = "bonferroni"
) -> Replicability:
    """The number of sets with an effect, and which (Dror et al. 2017).

    Args:
        p_values: One-sided, one of each set, n in all.
        level: What p has to be below.
        method: As in ``partial_conjunction``.
    """
    (found,) = replicabilities([p_values], level, method)
    return found


def replicabilities(
    families: Sequence[Sequence[float]], level: float = 0.05, method: PartialConjunction = "bonferroni"
) -> list[Replicability]:
    """The same of many families, those of as many sets at once."""
    by_size: dict[int, list[int]] = {}
    for place, family in enumerate(families):
        by_size.setdefault(len(family), []).append(place)
    made: dict[int, Replicability] = {}
    for n_sets, places in by_size.items():
        given = np.array([families[place] for place in places], np.float64).reshape(len(places), n_sets)
        found = read_only(np.maximum.accumulate(partial_conjunction(given, method), axis=-1))
        n_found = np.count_nonzero(found < level, axis=-1).tolist()
        for place, number, is_named, row in zip(places, n_found, (holm(given) < level).tolist(), found, strict=True):
            made[place] = Replicability(n_sets, number, tuple(compress(range(n_sets), is_named)), row)
    return [made[place] for place in range(len(families))]


def partial_conjunction(p_values: Sequence[float] | Floats, method: PartialConjunction = "bonferroni") -> Floats:
    """The p-values that at least 1, 2, … n of n sets show an effect, (..., n) as given (Benjamini and Heller 2008).

    Of at least u sets, the smallest u - 1 p-values are left out, since these may all be true effects, and the others
    are combined for there being any effect among them: (n - u + 1) times their smallest by Bonferroni, whatever sets
    depend on each other; or Fisher's, which has more power and needs independent sets.
    """
    return _COMBINED[method](np.sort(np.asarray(p_values, np.float64)))


def _by_bonferroni(rising: Floats) -> Floats:
    combined: Floats = np.minimum(1.0, rising * np.arange(rising.shape[-1], 0, -1.0))
    return combined


def _by_fisher(rising: Floats) -> Floats:
    logs = np.cumsum(np.log(rising[..., ::-1]), axis=-1)[..., ::-1]
    return np.asarray(special.chdtrc(2.0 * np.arange(rising.shape[-1], 0, -1), -2 * logs), np.float64)


_COMBINED: Mapping[str, Callable[[Floats], Floats]] = MappingProxyType(
    {"bonferroni": _by_bonferroni, "fisher": _by_fisher}
)


@dataclass(frozen=True)
class Heterogeneity:
    """Whether effects point both ways.

    Attributes:
        p_value: Of all effects pointing the same way (Gail and Simon 1985); ``None`` for fewer than two sets.
        statistic: The smaller of the sums of squared effects, in standard errors, above 0 and below 0.
    """

    p_value: float | None
    statistic: float


NOT_KNOWN = Heterogeneity(None, 0.0)
"""Of a single effect."""


def normal_effects(better: Floats, worse: Floats, t: Floats, n_units: int, n_trials: int) -> Floats:
    """Effects as standard normal numbers, (P,): above 0 where the effect is; NaN without a test or a difference.

    The normal quantile of the smaller one-sided p-value, which keeps its level with few units, unlike a difference in
    standard errors from few. A p-value that is the smallest there can be says only that the effect is large: there it
    is the quantile of Student's t, if that is further from 0.

    Args:
        better: (P,), one-sided p-values that the effect is above 0.
        worse: (P,), that it is below.
        t: (P,), the effects in their standard errors; NaN where these are unknown.
        n_units: Of the test set.
        n_trials: Behind the p-values.
    """
    p_values = np.minimum(better, worse)
    sizes = -special.ndtri(np.minimum(p_values, 0.5))
    is_smallest = p_values < 1.5 * max(1 / (n_trials + 1), 0.5**n_units)
    by_t = -special.ndtri(np.maximum(special.stdtr(max(1, n_units - 1), -np.abs(t)), np.finfo(float).tiny))
    sizes = np.where(is_smallest & (by_t > sizes), by_t, sizes)
    return np.asarray(np.where(p_values == 1, np.nan, np.where(better < worse, sizes, -sizes)))


def qualitative_interaction(effects: Sequence[float]) -> Heterogeneity:
    """Gail and Simon's (1985) likelihood ratio test that no two effects have opposite signs.

    Cochran's Q would ask whether all effects have the same size, which nobody expects of test sets in several
    languages. Here it is asked whether the systems change places.

    Args:
        effects: Of each set, in standard errors; see ``normal_effects``.
    """
    squares = [(effect > 0, effect**2) for effect in effects]
    n_sets = len(squares)
    if n_sets < 2:  # noqa: PLR2004  one cannot disagree
        return NOT_KNOWN
    statistic = min(sum(square for above, square in squares if above is side) for side in (True, False))
    if not statistic:
        return Heterogeneity(1.0, 0.0)
    above, weights = _weights(n_sets)
    p_value = float((weights * special.chdtrc(above, statistic)).sum())
    return Heterogeneity(min(1.0, p_value), float(statistic))


@cache
def _weights(n_sets: int) -> tuple[Ints, Floats]:
    """How many effects may be above 0, and how likely so many are among effects of 0."""
    above = np.arange(1, n_sets)
    weights = np.exp(special.gammaln(n_sets) - special.gammaln(above + 1) - special.gammaln(n_sets - above))
    return read_only(above), read_only(weights * 0.5 ** (n_sets - 1))
