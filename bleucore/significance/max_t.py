"""Step-down max-T: p-values of pairs of systems corrected on the draws that the pairs share.

Each draw gives every pair a difference to expect by chance. How often the largest of them all reaches an observed one
says how often chance would give *any* such finding: the correction follows from the draws, which know how pairs depend
on each other, and one that no draw reaches has p = 1 / (draws + 1) among any number of pairs.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from bleucore.significance.paired import PairedTestResult

Singles: TypeAlias = NDArray[np.float32]
Again: TypeAlias = Callable[[Sequence[int]], Iterable[PairedTestResult]]

MOST_BYTES = 2**28
"""Draws that take more memory are made a second time instead of held: those of more than 116 systems, say."""

SINGLE_TIE = np.float32(1 - 1e-6)
"""Draws in single precision this close below t are ties with it."""


@dataclass(frozen=True)
class MaxT:
    """A family of comparisons with p-values corrected by step-down max-T.

    Attributes:
        p_values: Corrected, in the order of the family.
        t_values: Of the differences, in standard errors of the draws; NaN without a test.
        largest: (R,), the largest t of each draw over the family, rising; empty without a test.
        largest_of: The same over the comparisons with one system, by its place, where ``pairs`` were given.
    """

    p_values: tuple[float, ...]
    t_values: tuple[float, ...]
    largest: Singles
    largest_of: Mapping[int, Singles]


def critical_t(largest: Singles, level: float) -> float:
    """What t must exceed to be significant among comparisons with these largest draws (R,), rising.

    Infinite where so few draws can show nothing.
    """
    most_reached = math.ceil(level * (len(largest) + 1)) - 2
    return math.inf if most_reached < 0 or not len(largest) else float(largest[len(largest) - 1 - most_reached])


def share_reached(largest: Singles, t: float) -> float:
    """The share of the largest draws (R,), rising, that reach a t; the observation counts as a draw."""
    n_below = int(np.searchsorted(largest, np.float32(t) * SINGLE_TIE, side="left"))
    return (len(largest) - n_below + 1) / (len(largest) + 1)


@dataclass
class _Family:
    """What is known of a family so far: p and t of each pair, NaN without a test, and the draws if they are held."""

    holds_all: bool
    pairs: Sequence[tuple[int, int]] | None
    p_values: list[float] = field(default_factory=list)
    t_values: list[float] = field(default_factory=list)
    held: list[Singles] | None = field(default_factory=list)
    largest_of: dict[int, Singles] = field(default_factory=dict)
    n_bytes: int = 0

    def add(self, test: PairedTestResult) -> None:
        """Note one more pair; give up holding draws where they have become too many."""
        drawn, t = _in_standard_errors(test)
        if self.pairs is not None and len(drawn):
            for system in self.pairs[len(self.t_values)]:
                largest = self.largest_of.get(system)
                self.largest_of[system] = drawn.copy() if largest is None else np.maximum(drawn, largest, out=largest)
        self.p_values.append(test.p_value)
        self.t_values.append(t)
        self.n_bytes += drawn.nbytes
        if self.n_bytes > MOST_BYTES and not self.holds_all:
            self.held = None
        if self.held is not None:
            self.held.append(drawn)


def step_down_max_t(tests: Iterable[PairedTestResult], *, again: Again | None = None) -> list[float]:
    """The p-values of a family, in its order, corrected by the step-down maximum of Westfall and Young (1993).

    Differences are divided by the root mean square of the draws and the observation, the standard error to expect
    without a difference: pairs vary a lot in it, and the widest would decide for all. The result is t. The p of a pair
    is the share of draws in which it is reached by any pair whose t is no larger; the observation counts as a draw,
    ties count, and no p is below that of a pair with a larger t. A pair without a test keeps its p and affects no
    other.

    Pairs are taken in the order of the t that is tested. The level holds in any order, but in another one a pair with
    a small t can hold up all that come before it (Ge, Dudoit and Speed 2003, section 3).

    Args:
        tests: Of the same draws. Their null distributions are held in single precision.
        again: Makes the tests at some places of ``tests`` anew, in the order asked for; then at most ``MOST_BYTES`` of
            draws are held.
    """
    return list(max_t(tests, again=again).p_values)


def max_t(
    tests: Iterable[PairedTestResult], *, again: Again | None = None, pairs: Sequence[tuple[int, int]] | None = None
) -> MaxT:
    """``step_down_max_t`` with what simultaneous intervals need.

    Args:
        tests: As there.
        again: As there.
        pairs: The systems of each test, by their places, where the draws are wanted system by system.
    """
    family = _Family(again is None, pairs)
    for test in tests:
        family.add(test)
    order = np.argsort(family.t_values, kind="stable").tolist()
    rising = [place for place in order if not math.isnan(family.t_values[place])]
    if family.held is not None:
        drawn: Iterable[Singles] = (family.held[place] for place in rising)
    else:
        drawn = (_in_standard_errors(test)[0] for test in (again(rising) if again is not None else ()))
    reached, largest = _share_reached(drawn, [family.t_values[place] for place in rising])
    own = [family.p_values[place] for place in rising]
    made = np.maximum.accumulate([max(*both) for both in zip(reached, own, strict=True)][::-1])[::-1]
    for place, p_value in zip(rising, made.tolist(), strict=True):
        family.p_values[place] = p_value
    for of_system in (largest, *family.largest_of.values()):
        of_system.sort()
    return MaxT(tuple(family.p_values), tuple(family.t_values), largest, family.largest_of)


def _share_reached(drawn: Iterable[Singles], rising_t: Sequence[float]) -> tuple[list[float], Singles]:
    """The share of draws in which the largest of the pairs so far reaches the t of each pair; the largest of all."""
    largest, shares = np.empty(0, np.float32), list[float]()
    for sizes, t in zip(drawn, rising_t, strict=True):
        largest = np.maximum(sizes, largest, out=largest) if len(largest) else sizes.copy()
        n_reached = int(np.count_nonzero(largest >= np.float32(t) * SINGLE_TIE))
        shares.append((n_reached + 1) / (len(largest) + 1))
    return shares, largest


def _in_standard_errors(test: PairedTestResult) -> tuple[Singles, float]:
    """Sizes of the differences to expect by chance (R,) and of the observed one; NaN for what has no test."""
    sizes = np.abs(test.null_distribution)
    error = math.sqrt((float(sizes @ sizes) + test.difference * test.difference) / (len(sizes) + 1))
    if test.reason is not None or error <= test.rounding:
        return np.empty(0, np.float32), math.nan
    sizes += test.rounding
    sizes /= error
    return sizes.astype(np.float32), abs(test.difference) / error
