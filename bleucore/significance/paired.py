"""What a test of two systems on random draws says, and what every such test needs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from bleucore.counts import Floats
from bleucore.errors import InputError
from bleucore.written_numbers import count

Method = Literal["paired-bootstrap", "approximate-randomisation", "sacrebleu-bs"]

USUAL_LEVEL = 0.05
"""Below it a difference is usually called significant."""

TIE = 1e-12
"""Two differences are tied if they are this close, relative to the largest score: their rounding."""


@dataclass(frozen=True)
class PairedTestResult:
    """One system compared with another, two-sided unless the method is sacreBLEU's.

    Attributes:
        name: The system.
        other: The baseline that it is compared with.
        difference: The score of ``name`` minus that of ``other``.
        p_value: Above 0, at most 1; 1 where ``reason`` says why there is no test, but for sacreBLEU's method.
        null_distribution: (B,), the differences to expect if there were none, signed and read-only; absolute and
            not signed for sacreBLEU's method.
        interval: 95 % interval of the difference, by expanded percentiles, or ``None`` where the method has none.
        method: How the null distribution was drawn.
        resamples: B, the number of resamples or trials.
        seed: Of the draws.
        smallest_p_value: What p cannot be expected to fall below, given the draws and the segments.
        reason: Why there is no test, in words, or ``None``.
        rounding: What the differences carry from the rounding of the scores: those this close are tied.
        is_complete: Whether the draws are all there are, so that p is exact.
    """

    name: str
    other: str
    difference: float
    p_value: float
    null_distribution: Floats
    interval: tuple[float, float] | None
    method: Method
    resamples: int
    seed: int
    smallest_p_value: float
    reason: str | None
    rounding: float
    is_complete: bool = False

    @property
    def remark(self) -> str | None:
        """What to know next to the p-value, in words: why there is no test, or what holds it up; else ``None``."""
        if self.reason is not None:
            return self.reason
        if self.smallest_p_value > USUAL_LEVEL:
            return f"Too few units differ: p can hardly fall below {self.smallest_p_value:.2g}."
        if self.is_complete:
            return exact_remark(self.resamples + 1)
        if round(self.p_value * (self.resamples + 1)) == 1:
            return (
                f"No draw of {count(self.resamples)} reached the difference: p is the smallest possible, 1 / "
                f"{count(self.resamples + 1)}."
            )
        return None


def exact_remark(n_exchanges: int) -> str:
    """That a test makes all exchanges there are."""
    return f"The test is exact: it makes all {count(n_exchanges)} exchanges."


def two_sided(null: Floats, difference: float, *, rounding: float) -> float:
    """The share of a null distribution at least as far from zero as the difference, which is counted with it."""
    n_reached = int(np.count_nonzero(np.abs(null) >= abs(difference) - rounding))
    return (n_reached + 1) / (len(null) + 1)


def one_sided(null: Floats, difference: float, *, rounding: float) -> float:
    """The share of a null distribution at least as high as the difference, which is counted with it."""
    n_reached = int(np.count_nonzero(null >= difference - rounding))
    return (n_reached + 1) / (len(null) + 1)


def sides(test: PairedTestResult, *, higher_is_better: bool) -> tuple[float, float]:
    """One-sided p-values of a test by exchange: how often chance makes the first system as much better, and worse.

    1 where there is no test. All exchanges (``is_complete``) leave the first unit, because exchanging the others
    instead turns the sign; one-sided p counts both.
    """
    if test.reason is not None:
        return 1.0, 1.0
    sign, null = 1.0 if higher_is_better else -1.0, test.null_distribution
    if test.is_complete:
        null = np.concatenate([null, -null, [-test.difference]])
    better, worse = (one_sided(turn * null, turn * test.difference, rounding=test.rounding) for turn in (sign, -sign))
    return better, worse


def rounding(scores: Floats) -> float:
    """What a difference of such scores carries from the rounding of the scores."""
    return TIE * float(np.abs(scores).max())


def others(names: Sequence[str], baseline: int, systems: Sequence[int] | None = None) -> list[int]:
    """The indices of the systems to compare with the baseline: all but itself unless they are named."""
    if len(names) == 1:
        raise InputError("there is nothing to compare with", found=repr(names[0]), expected="at least two systems")
    if not 0 <= baseline < len(names):
        raise InputError("there is no such baseline", found=baseline, expected=f"an index from 0 to {len(names) - 1}")
    return [index for index in (range(len(names)) if systems is None else systems) if index != baseline]
