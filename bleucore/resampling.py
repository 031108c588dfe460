"""Is a difference real? Paired bootstrap and approximate randomisation of any score of summed counts.

Every function takes counts (S, C) that add up over segments and ``score(counts (..., C)) -> (...)``. The sums of all
draws and all systems are one matrix product. Whole numbers below 2^53 are summed exactly, so neither the batches
nor the other systems of a call change a result.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bleucore.bleu import Floats
from bleucore.errors import InputError

Method = Literal["paired bootstrap", "approximate randomisation", "sacreBLEU paired bootstrap"]
Progress = Callable[[float], None]
Score = Callable[[NDArray[Any]], Floats]
NamedCounts: TypeAlias = tuple[str, NDArray[Any]]

BATCH_BYTES = 2**25
"""Memory for the draws handled at once."""

TILE = 128
"""Segments, and at most score counts, of one small matrix product."""

TILE_PRODUCTS = 2**18
"""Products of numbers in a small matrix product: the most that OpenBLAS does in the calling thread.

On large matrices its threads wait for each other after every few segments. On two cores with other work, 1,000
resamples of 200,000 segments of five systems took 20 to 34 s so; in small products they take less than 2 s.
"""

SCORE_BYTES = 80
"""Memory that a score function is taken to need for each number of its counts."""

TIE = 1e-12
"""Two differences are tied if they are this close, relative to the largest score: their rounding."""

LARGEST_FLOAT32_SUM = 2**24
LARGEST_FLOAT64_SUM = 2**53


@dataclass(frozen=True)
class Bootstrap:
    """The scores of several systems on the same resamples: any pair of them can be tested without drawing again.

    Attributes:
        names: K system names.
        scores: (K,), the scores on all segments, read-only.
        resampled: (K, B), as ``bootstrap_scores`` returns them, read-only.
        seed: Of the resamples.
        n_segments: S.
    """

    names: tuple[str, ...]
    scores: Floats
    resampled: Floats
    seed: int
    n_segments: int


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
        interval: 95 % percentile interval of the difference, or ``None`` where the method has none.
        method: How the null distribution was drawn.
        resamples: B, the number of resamples or trials.
        seed: Of the draws.
        smallest_p_value: What p cannot be expected to fall below, given the draws and the segments.
        reason: Why there is no test, in words, or ``None``.
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

    @property
    def remark(self) -> str | None:
        """What to know next to the p-value, in words: why there is no test, or what holds it up; else ``None``."""
        if self.reason is not None:
            return self.reason
        if self.smallest_p_value > 0.05:  # noqa: PLR2004  the level at which a difference is usually called significant
            return f"So few segments differ that p can hardly fall below {self.smallest_p_value:.2g}."
        if self.p_value * (self.resamples + 1) < 1.5:  # noqa: PLR2004  between one and two draws
            return (
                f"No draw of {self.resamples:,} reached the difference: p is the smallest that so many draws "
                f"can show, 1 / {self.resamples + 1:,}."
            )
        return None


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
    counts = _stacked([(f"number {index + 1}", column) for index, column in enumerate(counts_by_system)])
    _check_draws(resamples, seed, "resamples")
    return _resampled_scores(counts, score, resamples, seed, progress)


def bootstrap(
    systems: Sequence[NamedCounts],
    score: Score,
    *,
    resamples: int = 1000,
    seed: int = 12345,
    progress: Progress | None = None,
) -> Bootstrap:
    """``bootstrap_scores`` of named systems, with what their tests need."""
    counts, names = _stacked(systems), _names(systems)
    _check_draws(resamples, seed, "resamples")
    resampled = _resampled_scores(counts, score, resamples, seed, progress)
    return Bootstrap(names, _whole_scores(counts, score), resampled, seed, len(counts))


def percentile_interval(scores: Floats, level: float = 0.95) -> tuple[float, float]:
    """The scores (B,) that cut off (1 - level) / 2 of them at either end.

    Of B scores in order, the ends are number ``k`` and number ``B - 1 - k`` counted from 0, where ``k`` is the whole
    part of ``B (1 - level) / 2``: sacreBLEU's definition, which reports the mean and half of the distance. Too
    few scores for one to be cut off (fewer than 40 at 95 %) give their minimum and maximum.

    Raises:
        InputError: No scores, or a level that is not between 0 and 1.
    """
    if not 0 < level < 1:
        raise InputError(
            "this is not the level of an interval",
            found=level,
            expected="a number between 0 and 1",
            remedy="Choose 0.95, say.",
        )
    if not len(scores):
        raise InputError("an interval needs scores", found=0, expected="at least 1")
    ordered = np.sort(scores)
    n_cut = int(len(ordered) * (1 - level) / 2 + 1e-9)  # 1 - 0.9 is a little less than 0.1
    return float(ordered[n_cut]), float(ordered[len(ordered) - 1 - n_cut])


def paired_bootstrap(drawn: Bootstrap, *, baseline: int = 0) -> tuple[PairedTestResult, ...]:
    """Each other system against the baseline, two-sided.

    The differences D_r of the resamples, moved to a mean of zero, stand for those to expect without a difference
    (the shift method of Noreen 1989): p = (#{|D_r - mean D| >= |D|} + 1) / (B + 1), where ties within ``TIE``
    count. In 800 comparisons of systems that did not differ, 5.1 % of its p-values were below 0.05.

    Args:
        drawn: At least two systems.
        baseline: The index of the baseline, from 0.

    Raises:
        InputError: There is no such baseline, or nothing to compare it with.
    """
    results = []
    for pair in _pairs(drawn, baseline):
        null = pair.differences - pair.differences.mean()
        p_value, interval = 1.0, None
        if pair.reason is None:
            p_value = _two_sided(null, pair.difference, rounding=pair.rounding)
            interval = percentile_interval(pair.differences)
        results.append(pair.result(null, method="paired bootstrap", p_value=p_value, interval=interval))
    return tuple(results)


def sacrebleu_bootstrap(drawn: Bootstrap, *, baseline: int = 0) -> tuple[PairedTestResult, ...]:
    """Each other system against the baseline with the p-value that sacreBLEU 2.6 prints as ``--paired-bs``.

    p = (#{|D_r| - mean |D| > |D|} + 1) / (B + 1). It counts one tail only and is too small: 11 % of the p-values were
    below 0.05 where systems did not differ, and identical ones get 1 / (B + 1). For comparison with other
    reports, not to decide.

    sacreBLEU sums and divides in float32. Its p-values are these all the same; the means and intervals it prints
    can differ from those of ``Bootstrap.resampled`` by about 1e-5, which only its own score function could repeat.
    Its seed 0 means a different random seed at every run; here 0 is a seed like any other.
    """
    results = []
    for pair in _pairs(drawn, baseline):
        sizes = np.abs(pair.differences)
        null = sizes - sizes.mean()
        p_value = (int((null > abs(pair.difference)).sum()) + 1) / (len(null) + 1)
        results.append(pair.result(null, method="sacreBLEU paired bootstrap", p_value=p_value, interval=None))
    return tuple(results)


def approximate_randomisation(
    systems: Sequence[NamedCounts],
    score: Score,
    *,
    baseline: int = 0,
    trials: int = 10_000,
    seed: int = 12345,
    progress: Progress | None = None,
) -> tuple[PairedTestResult, ...]:
    """Each other system against the baseline, two-sided, by exchanging their segments at random.

    p = (#{|d_r| >= |d|} + 1) / (R + 1), where d_r is the difference after each segment was exchanged or not with even
    odds and ties within ``TIE`` count (Noreen 1989; Riezler and Maxwell 2005). The segments exchanged are
    ``numpy.random.default_rng(seed).integers(2, size=(R, S), dtype=bool)`` for every pair, those of sacreBLEU 2.6,
    which counts ``>`` instead: that gives two identical systems the smallest p.

    Args:
        systems: At least two names with counts (S, C).
        score: Scores of counts.
        baseline: The index of the baseline, from 0.
        trials: R, at least 1.
        seed: 0 or more; the same seed gives the same trials.
        progress: Called with the share of the work done, 0 to 1, from time to time.

    Raises:
        InputError: As ``bootstrap_scores``; or there is no such baseline, or nothing to compare it with.
    """
    counts, names = _stacked(systems), _names(systems)
    others = _others(names, baseline)
    _check_draws(trials, seed, "trials")
    whole = _whole_scores(counts, score)
    gains = counts[:, [baseline]] - counts[:, others]
    null = _exchanged_differences(counts[:, baseline].sum(axis=0), gains, score, trials, seed, progress)
    results = []
    for index, drawn, n_differing in zip(others, null, gains.any(axis=2).sum(axis=0).tolist(), strict=True):
        difference = float(whole[index] - whole[baseline])
        results.append(
            PairedTestResult(
                name=names[index],
                other=names[baseline],
                difference=difference,
                p_value=_two_sided(drawn, difference, rounding=_rounding(whole[[index, baseline]])),
                null_distribution=drawn,
                interval=None,
                method="approximate randomisation",
                resamples=trials,
                seed=seed,
                smallest_p_value=min(1.0, max(1 / (trials + 1), 2.0 ** (1 - n_differing))),
                reason=_why_no_exchange(n_differing),
            )
        )
    return tuple(results)


def _resampled_scores(
    counts: NDArray[Any], score: Score, resamples: int, seed: int, progress: Progress | None
) -> Floats:
    """``bootstrap_scores`` of counts (S, K, C)."""
    n_segments, n_systems, n_counts = counts.shape
    factors = _factors(counts, n_segments * max(-float(counts.min()), float(counts.max())))
    generator = np.random.default_rng(seed)
    scores = np.empty((n_systems, resamples))
    for rows in _batches(resamples, factors, progress):
        indices = generator.integers(0, n_segments, size=(rows.stop - rows.start, n_segments))
        weights = _no_weights(len(indices), factors)
        for row, drawn in zip(weights, indices, strict=False):
            row[:n_segments] = np.bincount(drawn, minlength=n_segments)
        sums = _weighted_sums(weights, factors)[: len(indices)]
        scores[:, rows] = score(sums.reshape(-1, n_systems, n_counts)).T
    scores.flags.writeable = False
    return scores


def _exchanged_differences(
    baseline_sum: NDArray[Any], gains: NDArray[Any], score: Score, trials: int, seed: int, progress: Progress | None
) -> Floats:
    """What each system leads the baseline by after segments were exchanged, (K', R), read-only.

    Args:
        baseline_sum: (C,), the counts of the baseline.
        gains: (S, K', C), what the counts of each system change by when it gets the baseline's segment.
        score: Scores of counts.
        trials: R.
        seed: Of the segments to exchange.
        progress: As in ``approximate_randomisation``.
    """
    n_segments, n_others, n_counts = gains.shape
    factors = _factors(gains, float(np.abs(gains).sum(axis=0, dtype=np.float64).max()))
    system_sums = baseline_sum - gains.sum(axis=0)
    generator = np.random.default_rng(seed)
    differences = np.empty((n_others, trials))
    for rows in _batches(trials, factors, progress, multiple=32):  # or random bits do not continue their stream
        exchanged = generator.integers(2, size=(rows.stop - rows.start, n_segments), dtype=bool)
        weights = _no_weights(len(exchanged), factors)
        weights[: len(exchanged), :n_segments] = exchanged
        moved = _weighted_sums(weights, factors)[: len(exchanged)].reshape(-1, n_others, n_counts)
        differences[:, rows] = (score(system_sums + moved) - score(baseline_sum - moved)).T
    differences.flags.writeable = False
    return differences


def _factors(counts: NDArray[Any], largest_sum: float) -> NDArray[Any]:
    """Counts (S, K, C) to be weighted: (S', K C) with zeros up to whole tiles.

    They are float32, which is twice as fast, where no sum is rounded by that.
    """
    exact = counts.dtype.kind == "i"
    if exact and largest_sum >= LARGEST_FLOAT64_SUM:
        raise InputError(
            "the counts are too large to be added exactly",
            found=f"sums of up to {largest_sum:.3g}",
            expected=f"below {LARGEST_FLOAT64_SUM:.3g}",
        )
    small = exact and largest_sum < LARGEST_FLOAT32_SUM
    factors = np.zeros((_up_to_tiles(len(counts), TILE), counts[0].size), np.float32 if small else np.float64)
    factors[: len(counts)] = counts.reshape(len(counts), -1)
    return factors


def _no_weights(n_draws: int, factors: NDArray[Any]) -> NDArray[Any]:
    """Zeros for the weights of draws (B', S'), in whole tiles."""
    return np.zeros((_up_to_tiles(n_draws, _tile_draws(factors)), len(factors)), factors.dtype)


def _weighted_sums(weights: NDArray[Any], factors: NDArray[Any]) -> Floats:
    """``weights @ factors``, (B', K C), as many small products."""
    tiles = weights.reshape(-1, _tile_draws(factors), len(factors) // TILE, TILE).transpose(0, 2, 1, 3)
    sums = np.empty((len(weights), factors.shape[1]))
    for start in range(0, factors.shape[1], TILE):
        columns = factors[:, start : start + TILE]
        products = tiles @ columns.reshape(-1, TILE, columns.shape[1])
        sums[:, start : start + TILE] = products.sum(axis=1).reshape(len(weights), -1)
    return sums


def _tile_draws(factors: NDArray[Any]) -> int:
    """Draws in a tile."""
    n_columns: int = factors.shape[1]
    return TILE_PRODUCTS // (TILE * min(TILE, n_columns))


def _up_to_tiles(number: int, tile: int) -> int:
    return -(-number // tile) * tile


def _batches(n_draws: int, factors: NDArray[Any], progress: Progress | None, *, multiple: int = 1) -> Iterator[slice]:
    """Slices of the draws, all but the last of a multiple of so many, within ``BATCH_BYTES`` where that allows it."""
    n_segments, n_columns = factors.shape
    row_bytes = n_segments * (8 + 2 * factors.itemsize) + n_columns * SCORE_BYTES
    step = max(multiple, BATCH_BYTES // row_bytes // multiple * multiple)
    for start in range(0, n_draws, step):
        stop = min(start + step, n_draws)
        yield slice(start, stop)
        if progress is not None:
            progress(stop / n_draws)


def _whole_scores(counts: NDArray[Any], score: Score) -> Floats:
    """The scores of counts (S, K, C) on all segments, (K,)."""
    scores = np.array(score(counts.sum(axis=0).astype(np.float64)), np.float64)
    scores.flags.writeable = False
    return scores


def _two_sided(null: Floats, difference: float, *, rounding: float) -> float:
    """The share of a null distribution at least as far from zero as the difference, which is counted with it."""
    n_reached = int((np.abs(null) >= abs(difference) - rounding).sum())
    return (n_reached + 1) / (len(null) + 1)


def _rounding(scores: Floats) -> float:
    """What a difference of such scores carries from the rounding of the scores."""
    return TIE * float(np.abs(scores).max())


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
        )


def _pairs(drawn: Bootstrap, baseline: int) -> Iterator[_Pair]:
    """Every other system with the baseline."""
    for index in _others(drawn.names, baseline):
        difference = float(drawn.scores[index] - drawn.scores[baseline])
        differences = drawn.resampled[index] - drawn.resampled[baseline]
        rounding = _rounding(drawn.resampled[[index, baseline]])
        reason = _why_no_bootstrap(differences, drawn.n_segments, rounding=rounding)
        yield _Pair(drawn, index, baseline, difference, differences, rounding, reason)


def _why_no_bootstrap(differences: Floats, n_segments: int, *, rounding: float) -> str | None:
    if n_segments == 1:
        return "There is one segment: every resample is the same. A test needs more."
    if float(np.abs(differences).max()) <= rounding:
        return "The systems have identical scores in every resample: there is no difference to test."
    if float(np.ptp(differences)) <= rounding:
        return "The difference is the same in every resample: without variance there is no test."
    return None


def _why_no_exchange(n_differing: int) -> str | None:
    if n_differing == 0:
        return "The systems have identical counts in every segment: there is no difference to test."
    if n_differing == 1:
        return "The systems differ in one segment: exchanging it only turns the sign. A test needs more."
    return None


def _stacked(systems: Sequence[NamedCounts]) -> NDArray[Any]:
    """The counts of all systems, (S, K, C), int64 or float64."""
    if not systems:
        raise InputError("there is no system", remedy="Give the counts of at least one.")
    columns = [_checked(name, counts) for name, counts in systems]
    for (name, _), column in zip(systems, columns, strict=True):
        if column.shape != columns[0].shape:
            raise InputError(
                "the counts have another shape than those of the first system",
                where=f"System {name!r}",
                found=_shape(column),
                expected=_shape(columns[0]),
                remedy="Score all systems on the same segments with the same options.",
            )
    return np.stack(columns, axis=1)


def _checked(name: str, counts: NDArray[Any]) -> NDArray[Any]:
    where = f"System {name!r}"
    if counts.ndim != 2 or counts.dtype.kind not in "iuf":  # noqa: PLR2004  one axis of segments, one of counts
        raise InputError(
            "these are not counts",
            where=where,
            found=f"{counts.dtype} of {counts.ndim} axes",
            expected="numbers in rows of segments",
        )
    if 0 in counts.shape:
        raise InputError("there are no counts", where=where, found=_shape(counts), expected="at least one segment")
    if not np.isfinite(counts).all():
        line = int(np.argmin(np.isfinite(counts).all(axis=1))) + 1
        raise InputError("a count is missing or infinite", where=where, line=line, expected="a finite number")
    return counts.astype(np.float64 if counts.dtype.kind == "f" else np.int64, copy=False)


def _shape(counts: NDArray[Any]) -> str:
    return f"{counts.shape[0]:,} segments of {counts.shape[1]} counts"


def _names(systems: Sequence[NamedCounts]) -> tuple[str, ...]:
    names = tuple(name for name, _ in systems)
    for index, name in enumerate(names):
        if not name.strip():
            raise InputError("a system has no name", found=repr(name), remedy="Give every system a name.")
        if name in names[:index]:
            raise InputError(
                "two systems have the same name", found=repr(name), remedy="Give every system a name of its own."
            )
    return names


def _others(names: tuple[str, ...], baseline: int) -> list[int]:
    """The indices of all systems but the baseline."""
    if len(names) == 1:
        raise InputError("there is nothing to compare with", found=repr(names[0]), expected="at least two systems")
    if not 0 <= baseline < len(names):
        raise InputError("there is no such baseline", found=baseline, expected=f"an index from 0 to {len(names) - 1}")
    return [index for index in range(len(names)) if index != baseline]


def _check_draws(n_draws: int, seed: int, what: str) -> None:
    if n_draws < 1:
        raise InputError(f"this number of {what} is too small", found=n_draws, expected="1 or more")
    if seed < 0:
        raise InputError("this is not a seed", found=seed, expected="a whole number from 0")
