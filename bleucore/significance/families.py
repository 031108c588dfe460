"""Families of comparisons: what one p-value and its interval are corrected for together."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from bleucore.optional_packages import special
from bleucore.significance.corrections import by_either, corrected
from bleucore.significance.max_t import MaxT, critical_t, max_t, share_reached
from bleucore.significance.paired import PairedTestResult
from bleucore.significance.power import USUAL_POWER
from bleucore.significance.resampling import Bootstrap
from bleucore.significance.settings import SignificanceOptions

Family = Literal["pair", "best", "baseline", "all", "versions"]
"""A comparison by itself; the best system with each other; a baseline with each other; all pairs of systems; each
version of a system with the one before."""
TestsOf: TypeAlias = Callable[[Sequence[tuple[int, int]]], Iterable[PairedTestResult]]

SHARE_OF_CLAIMS = 1 / 4
"""So that stated and observed power agree in families of 8 and 15 (``make calibration``)."""
INTERVAL_LEVEL = 0.05
"""Intervals are 95 % intervals, whatever the significance level."""


@dataclass(frozen=True)
class CriticalValues:
    """How many standard errors from zero a difference of a family is significant.

    Attributes:
        of_interval: At .05, for simultaneous 95 % intervals; infinite where no difference can be significant.
        of_test: At the significance level, for power.
    """

    of_interval: float
    of_test: float


def of_draws(family: MaxT, drawn: Bootstrap, options: SignificanceOptions, system: int | None = None) -> CriticalValues:
    """From the draws of a family, or of the comparisons with one system in it."""
    largest = family.largest if system is None else family.largest_of.get(system, family.largest[:0])
    in_errors = _student if options.test == "approximate-randomisation" else _of_resamples
    return CriticalValues(*(in_errors(critical_t(largest, level), drawn) for level in (INTERVAL_LEVEL, options.level)))


def of_number(n_comparisons: int, drawn: Bootstrap, level: float) -> CriticalValues:
    """By Bonferroni's inequality, from Student's distribution."""
    shares = (of / max(1, n_comparisons) / 2 for of in (INTERVAL_LEVEL, level))
    return CriticalValues(*(float(special.stdtrit(drawn.n_free, 1 - share)) for share in shares))


def _student(critical: float, drawn: Bootstrap) -> float:
    """Student's t that belongs to a statistic in standard errors of exchanges, sum(d) / sqrt(sum(d^2)).

    What n units add to a difference, d, holds the difference itself, spread over them by their sizes: sum(d^2) is the
    variance plus the squared difference over the effective number of units, so that t grows faster where sizes differ.
    """
    n_units = drawn.n_units
    rest = 1 - critical**2 / (drawn.n_effective or n_units)
    return critical * math.sqrt((n_units - 1) / n_units / rest) if rest > 0 else math.inf


def _of_resamples(critical: float, drawn: Bootstrap) -> float:
    """In standard errors, which are sqrt(n / (n - 1)) times what resamples vary by."""
    return critical * math.sqrt((drawn.n_units - 1) / drawn.n_units)


def of_a_star(of_all: float, of_others: float) -> float:
    """The critical value of a star between the best system and another one, for power.

    A pair has a star if it is significant among all pairs, or if the best leads all others. So the value is between
    that of all pairs and that of the comparisons with the other system, by ``SHARE_OF_CLAIMS``.
    """
    return of_others if math.isinf(of_all) else of_all + SHARE_OF_CLAIMS * (of_others - of_all)


def simultaneous_interval(difference: float, error: float, critical: CriticalValues) -> tuple[float, float] | None:
    """The interval of a difference that is simultaneous with those of its family; ``None`` without a bound."""
    half = critical.of_interval * error
    return (difference - half, difference + half) if math.isfinite(half) else None


def in_agreement(
    interval: tuple[float, float] | None, difference: float, p_value: float | None
) -> tuple[float, float] | None:
    """The interval with an end moved to 0 where it and the p-value of the same test are on different sides of .05.

    Percentiles and exchanges differ a little at the margin, and a step-down test finds more than intervals of the
    family do; an end at 0 is the interval that is compatible with such a test (Hayter and Hsu 1994).
    """
    if interval is None or p_value is None:
        return interval
    low, high = interval
    if p_value < INTERVAL_LEVEL:
        if difference == 0:
            return interval
        return (max(low, 0.0), high) if difference > 0 else (low, min(high, 0.0))
    return (min(low, 0.0), max(high, 0.0))


def detectable(error: float, critical: CriticalValues, drawn: Bootstrap) -> float | None:
    """The true difference that is significant in its family in 80 % of such test sets; ``None`` where none can be."""
    size = (critical.of_test + float(special.stdtrit(drawn.n_free, USUAL_POWER))) * error
    return size if math.isfinite(size) else None


def leader_p_value(
    best: int, pairs: Sequence[tuple[int, int]], p_values: Sequence[float | None], family: MaxT | None
) -> float | None:
    """P of the claim that the best system is better than every other: the largest of its comparisons.

    The data chose the best. So its comparison with each other system is corrected for all comparisons with that other
    system, one of which is with the best whichever that is (multiple comparisons with the best: Hsu 1981, 1996).

    Args:
        best: The place of the best system.
        pairs: Of the family of all pairs.
        p_values: Without correction; ``None`` without a test.
        family: Of the same pairs, with the draws system by system; ``None`` for Bonferroni's correction.
    """
    found = []
    for place, pair in enumerate(pairs):
        if best not in pair:
            continue
        other, p_value = pair[0] + pair[1] - best, p_values[place]
        if p_value is None:
            return None
        if family is None:
            found.append(min(1.0, p_value * sum(other in one for one in pairs)))
        elif math.isnan(family.t_values[place]):
            found.append(1.0)
        else:
            found.append(max(p_value, share_reached(family.largest_of[other], family.t_values[place])))
    return max(found, default=None)


@dataclass(frozen=True)
class Corrected:
    """p-values of a family, corrected, in its order, with the critical values of its differences.

    Attributes:
        p_values: ``None`` without a test.
        critical: Of the whole family.
        draws: The draws of max-T, where that is the correction.
    """

    p_values: Sequence[float | None]
    critical: CriticalValues
    draws: MaxT | None


def correct(
    pairs: Sequence[tuple[int, int]],
    p_values: Callable[[], Sequence[float | None]],
    tests: TestsOf | None,
    options: SignificanceOptions,
    drawn: Bootstrap,
) -> Corrected:
    """The correction that the options ask for.

    With max-T, p is that of ``by_either``.

    Args:
        pairs: The systems of each comparison, by their places.
        p_values: Without correction; called after the tests were made.
        tests: Makes the tests of some pairs; ``None`` where they draw nothing.
        options: Of the correction and the significance level.
        drawn: Of the standard errors.
    """
    if options.effective_correction == "max-t" and tests is not None:
        family = max_t(tests(pairs), again=lambda places: tests([pairs[place] for place in places]), pairs=pairs)
        by_holm = corrected(p_values(), "holm")
        of_family = [by_either(of_t, p) for of_t, p in zip(family.p_values, by_holm, strict=True)]
        return Corrected(of_family, of_draws(family, drawn, options), family)
    own = p_values()
    correction = "holm" if options.correction == "max-t" else options.correction  # without draws
    n_comparisons = sum(p is not None for p in own) if correction == "holm" else 1
    made = corrected(own, correction)
    return Corrected(made, of_number(n_comparisons, drawn, options.level), None)


def best_of(scores: Sequence[float], *, higher_is_better: bool, rounding: float) -> int | None:
    """The place of the only best score; ``None`` where several are tied."""
    gains = np.asarray(scores) if higher_is_better else -np.asarray(scores)
    places = np.flatnonzero(gains >= gains.max() - rounding)
    return int(places[0]) if len(places) == 1 else None
