"""Bootstrap: the scores of systems on resamples of the segments, their intervals, and tests of any pair of systems.

Every function takes counts (S, C) that add up over the units of resampling and ``score(counts (..., C)) -> (...)``.
The units are segments, or documents if the counts are those of documents.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bleucore.counts import Floats, Progress, Score, read_only
from bleucore.errors import InputError
from bleucore.optional_packages import special
from bleucore.significance.draws import (
    NamedCounts,
    batches,
    check_draws,
    factors,
    in_threads,
    names,
    no_weights,
    stacked,
    weighted_sums,
    whole_scores,
)
from bleucore.significance.paired import Method, PairedTestResult, others, rounding, two_sided
from bleucore.significance.units import FEWEST_TESTED, Unit


@dataclass(frozen=True)
class Bootstrap:
    """The scores of several systems on the same resamples: any pair of them can be tested without drawing again.

    Attributes:
        names: K system names.
        scores: (K,), the scores on all segments, read-only.
        resampled: (K, B), as ``bootstrap_scores`` returns them, read-only.
        seed: Of the resamples.
        n_units: S.
        unit: What was resampled.
        n_effective: How many units of equal size carry as much information (``effective_number``); ``None`` for as
            many.
        of_scores: K 95 % intervals of the scores, where other ones than percentiles are called for.
    """

    names: tuple[str, ...]
    scores: Floats
    resampled: Floats
    seed: int
    n_units: int
    unit: Unit
    n_effective: float | None = None
    of_scores: tuple[tuple[float, float] | None, ...] | None = None

    @property
    def has_intervals(self) -> bool:
        """Whether there are enough units for an interval to mean anything."""
        return self.n_units >= FEWEST_TESTED

    @property
    def n_free(self) -> float:
        """The degrees of freedom of a standard error."""
        return max(1.0, (self.n_effective or self.n_units) - 1)

    def score_interval(self, index: int) -> tuple[float, float] | None:
        """The 95 % interval of a system's score, by its place; ``None`` from fewer than six units."""
        if not self.has_intervals:
            return None
        return self.interval(self.resampled[index]) if self.of_scores is None else self.of_scores[index]

    def interval(self, resampled: Floats) -> tuple[float, float]:
        """The 95 % interval of scores or differences (B,) on the resamples, by expanded percentiles."""
        return expanded_interval(resampled, self.n_units, n_effective=self.n_effective)


def bootstrap_scores(
    counts_by_system: Sequence[NDArray[Any]],
    score: Score,
    *,
    resamples: int = 1000,
    seed: int = 12345,
    progress: Progress | None = None,
) -> Floats:
    """Scores of all systems on the same resamples of the segments, (K, B), read-only.

    The segments drawn are ``numpy.random.default_rng(seed).integers(0, S, size=(B, S))``, those of sacreBLEU 2.6.

    Args:
        counts_by_system: K arrays (S, C).
        score: Scores of counts.
        resamples: B, at least 1.
        seed: 0 or more; the same seed gives the same resamples.
        progress: Called with the share of the work done, 0 to 1, from time to time.

    Raises:
        InputError: Nothing to resample, shapes that differ, or a number out of range.
    """
    counts = stacked([(f"number {index + 1}", column) for index, column in enumerate(counts_by_system)])
    check_draws(resamples, seed, "resamples")
    return _resampled_scores(counts, score, resamples, seed, progress)


def bootstrap(
    systems: Sequence[NamedCounts],
    score: Score,
    *,
    resamples: int = 1000,
    seed: int = 12345,
    unit: Unit = "segment",
    progress: Progress | None = None,
) -> Bootstrap:
    """``bootstrap_scores`` of named systems, with what their tests need; ``unit`` says what a row of counts is."""
    counts, system_names = stacked(systems), names(systems)
    check_draws(resamples, seed, "resamples")
    resampled = _resampled_scores(counts, score, resamples, seed, progress)
    return Bootstrap(system_names, whole_scores(counts, score), resampled, seed, len(counts), unit)


def percentile_interval(scores: Floats, level: float = 0.95) -> tuple[float, float]:
    """The scores (B,) that cut off (1 - level) / 2 of them at either end.

    Of B scores in order, the ends are number ``k`` and number ``B - 1 - k`` counted from 0, where ``k`` is the whole
    part of ``B (1 - level) / 2``: sacreBLEU's definition, which reports the mean and half of the distance. Too
    few scores for one to be cut off (fewer than 40 at 95 %) give their minimum and maximum.

    Raises:
        InputError: No scores, or a level that is not between 0 and 1.
    """
    return _cut_off(scores, (1 - _checked_level(level)) / 2)


def expanded_interval(
    scores: Floats, n_units: int, level: float = 0.95, *, n_effective: float | None = None
) -> tuple[float, float]:
    """The percentiles of scores (B,) on resamples of so many units, moved outwards as few units need it.

    Resamples vary by a factor of sqrt((n - 1) / n) too little, and percentiles know nothing of Student's t: with 20
    units they hold the truth in 92 % of cases. The share cut off at either end is Phi(-sqrt(n / (n - 1)) t), where t is
    the quantile of 1 - (1 - level) / 2 with n - 1 degrees of freedom, in place of (1 - level) / 2 (Hesterberg 2015,
    "expanded percentile interval"). Of many units nearly the same scores are cut off. Of units of unequal size, as
    documents are, the degrees of freedom are those of the number of equal ones, ``n_effective``.

    Raises:
        InputError: No scores, fewer than two units, or a level that is not between 0 and 1.
    """
    share = (1 - _checked_level(level)) / 2
    if n_units < 2:  # noqa: PLR2004  one unit has no variance
        raise InputError("an interval needs units to draw", found=n_units, expected="at least 2")
    quantile = special.stdtrit(max(1.0, (n_effective or n_units) - 1), 1 - share)
    return _cut_off(scores, float(special.ndtr(-np.sqrt(n_units / (n_units - 1)) * quantile)))


def paired_bootstrap(
    drawn: Bootstrap, *, baseline: int = 0, systems: Sequence[int] | None = None
) -> tuple[PairedTestResult, ...]:
    """Each other system against the baseline, two-sided.

    The differences D_r of the resamples, moved to a mean of zero, stand for those to expect without a difference
    (the shift method of Noreen 1989): p = (#{|D_r - mean D| >= |D|} + 1) / (B + 1), where ties within ``TIE``
    count. ``make calibration`` measures how often that is below 0.05 where systems do not differ.

    Args:
        drawn: At least two systems.
        baseline: The index of the baseline, from 0.
        systems: The indices of the systems to test; all others unless given.

    Raises:
        InputError: There is no such baseline, or nothing to compare it with.
    """
    return tuple(bootstrap_tests(drawn, [(index, baseline) for index in others(drawn.names, baseline, systems)]))


def bootstrap_tests(drawn: Bootstrap, pairs: Iterable[tuple[int, int]]) -> Iterator[PairedTestResult]:
    """``paired_bootstrap`` of pairs (system, baseline), one after the other."""
    for pair in _pairs(drawn, pairs):
        null = pair.differences - pair.differences.mean()
        p_value, interval = 1.0, None
        if pair.reason is None:
            p_value = two_sided(null, pair.difference, rounding=pair.rounding)
            interval = drawn.interval(pair.differences)
        yield pair.result(null, method="paired-bootstrap", p_value=p_value, interval=interval)


def sacrebleu_bootstrap(
    drawn: Bootstrap, *, baseline: int = 0, systems: Sequence[int] | None = None
) -> tuple[PairedTestResult, ...]:
    """Each other system against the baseline with the p-value that sacreBLEU 2.6 prints as ``--paired-bs``.

    p = (#{|D_r| - mean |D| > |D|} + 1) / (B + 1). It counts one tail only and is too small: 11 % of the p-values were
    below 0.05 where systems did not differ, and identical ones get 1 / (B + 1). For comparison with other
    reports, not to decide.

    sacreBLEU sums and divides in float32. Its p-values are these all the same; the means and intervals it prints
    can differ from those of ``Bootstrap.resampled`` by about 1e-5, which only its own score function could repeat.
    Its seed 0 means a different random seed at every run; here 0 is a seed like any other.
    """
    return tuple(sacrebleu_tests(drawn, [(index, baseline) for index in others(drawn.names, baseline, systems)]))


def sacrebleu_tests(drawn: Bootstrap, pairs: Iterable[tuple[int, int]]) -> Iterator[PairedTestResult]:
    """``sacrebleu_bootstrap`` of pairs (system, baseline), one after the other."""
    for pair in _pairs(drawn, pairs):
        sizes = np.abs(pair.differences)
        null = sizes - sizes.mean()
        p_value = (int((null > abs(pair.difference)).sum()) + 1) / (len(null) + 1)
        yield pair.result(null, method="sacrebleu-bs", p_value=p_value, interval=None)


def _checked_level(level: float) -> float:
    if not 0 < level < 1:
        raise InputError(
            "this is not the level of an interval",
            found=level,
            expected="a number between 0 and 1",
            remedy="Choose 0.95, say.",
        )
    return level


def _cut_off(scores: Floats, share: float) -> tuple[float, float]:
    """The smallest and the largest of scores (B,) when this share of them is cut off at either end."""
    if not len(scores):
        raise InputError("an interval needs scores", found=0, expected="at least 1")
    n_cut = int(len(scores) * share + 1e-9)  # 1 - 0.9 is a little less than 0.1
    ends = n_cut, len(scores) - 1 - n_cut
    ordered = np.partition(scores, ends)
    return float(ordered[ends[0]]), float(ordered[ends[1]])


def _resampled_scores(
    counts: NDArray[Any], score: Score, resamples: int, seed: int, progress: Progress | None
) -> Floats:
    """``bootstrap_scores`` of counts (S, K, C)."""
    n_units, n_systems = counts.shape[:2]
    weighed = factors(counts, n_units * max(-float(counts.min()), float(counts.max())))
    generator = np.random.default_rng(seed)
    scores = np.empty((n_systems, resamples))

    def drawn() -> Iterator[tuple[slice, NDArray[Any]]]:
        for rows in batches(resamples, weighed, progress):
            indices = generator.integers(0, n_units, size=(rows.stop - rows.start, n_units))
            weights = no_weights(len(indices), weighed)
            for row, of_row in zip(weights, indices, strict=False):
                row[:n_units] = np.bincount(of_row, minlength=n_units)
            yield rows, weights

    def add_up(batch: tuple[slice, NDArray[Any]]) -> None:
        rows, weights = batch
        sums = weighted_sums(weights, weighed)[..., : rows.stop - rows.start]
        scores[:, rows] = score(np.moveaxis(sums, 1, -1))

    deque(in_threads(add_up, drawn()), maxlen=0)
    return read_only(scores)


@dataclass(frozen=True)
class _Pair:
    """A system and the baseline on the same resamples: differences (B,), their rounding, and why there is no test."""

    drawn: Bootstrap
    index: int
    baseline: int
    difference: float
    differences: Floats
    rounding: float
    reason: str | None

    def result(
        self, null: Floats, *, method: Method, p_value: float, interval: tuple[float, float] | None
    ) -> PairedTestResult:
        null.flags.writeable = False
        return PairedTestResult(
            name=self.drawn.names[self.index],
            other=self.drawn.names[self.baseline],
            difference=self.difference,
            p_value=p_value,
            null_distribution=null,
            interval=interval,
            method=method,
            resamples=len(null),
            seed=self.drawn.seed,
            smallest_p_value=1 / (len(null) + 1),
            reason=self.reason,
            rounding=self.rounding,
        )


def _pairs(drawn: Bootstrap, pairs: Iterable[tuple[int, int]]) -> Iterator[_Pair]:
    for index, baseline in pairs:
        difference = float(drawn.scores[index] - drawn.scores[baseline])
        differences = drawn.resampled[index] - drawn.resampled[baseline]
        rounded_off = rounding(drawn.resampled[[index, baseline]])
        reason = _why_no_bootstrap(differences, drawn, rounded_off)
        yield _Pair(drawn, index, baseline, difference, differences, rounded_off, reason)


def _why_no_bootstrap(differences: Floats, drawn: Bootstrap, rounded_off: float) -> str | None:
    if drawn.n_units == 1:
        return f"There is one {drawn.unit}: every resample is the same. A test needs more."
    if float(np.abs(differences).max()) <= rounded_off:
        return "The systems have identical scores in every resample: there is no difference to test."
    if float(np.ptp(differences)) <= rounded_off:
        return "The difference is the same in every resample: without variance there is no test."
    return None
