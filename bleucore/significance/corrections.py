"""Many comparisons at once: corrected p-values, and groups of systems that can be told apart."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import numpy as np
from scipy import stats

from bleucore.bleu import Floats
from bleucore.errors import InputError

Correction = Literal["holm", "benjamini-hochberg", "none"]


def holm(p_values: Sequence[float]) -> Floats:
    """p-values corrected so that the chance of any false finding among them keeps the level (Holm 1979).

    The j-th smallest of m is multiplied by m - j + 1; none falls below a smaller one's, none exceeds 1.
    """
    given = np.asarray(p_values, np.float64)
    order = np.argsort(given, kind="stable")
    corrected = np.empty_like(given)
    corrected[order] = np.minimum(1.0, np.maximum.accumulate(given[order] * np.arange(len(given), 0, -1)))
    return corrected


def benjamini_hochberg(p_values: Sequence[float]) -> Floats:
    """p-values corrected so that of the findings a share of at most the level is false (Benjamini, Hochberg 1995)."""
    corrected: Floats = stats.false_discovery_control(p_values) if len(p_values) else np.empty(0)
    return corrected


def _uncorrected(p_values: Sequence[float]) -> Floats:
    return np.asarray(p_values, np.float64)


CORRECTIONS: Mapping[Correction, Callable[[Sequence[float]], Floats]] = {
    "holm": holm,
    "benjamini-hochberg": benjamini_hochberg,
    "none": _uncorrected,
}


def corrected(p_values: Sequence[float | None], correction: Correction) -> list[float | None]:
    """The p-values corrected as one family; ``None``, where there was no test, stays and is not counted.

    Raises:
        InputError: There is no such correction.
    """
    if correction not in CORRECTIONS:
        raise InputError(
            "there is no such correction", found=repr(correction), expected=f"one of {', '.join(CORRECTIONS)}"
        )
    made = iter(CORRECTIONS[correction]([p for p in p_values if p is not None]).tolist())
    return [None if p is None else next(made) for p in p_values]


def rank_clusters(
    ranked: Sequence[str], is_significantly_better: Callable[[str, str], bool]
) -> tuple[tuple[str, ...], ...]:
    """Systems in groups, as in WMT's tables: each of a group is significantly better than all of the groups below.

    Args:
        ranked: System names, best score first.
        is_significantly_better: Whether the first of two systems is; asked for the better score first.
    """
    clusters: list[list[str]] = []
    for place, name in enumerate(ranked):
        above, below = ranked[:place], ranked[place:]
        if not clusters or all(is_significantly_better(one, other) for one in above for other in below):
            clusters.append([])
        clusters[-1].append(name)
    return tuple(tuple(cluster) for cluster in clusters)
