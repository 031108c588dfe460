"""Approximate randomisation: what any two systems differ by when their outputs are exchanged at random.

What an exchange moves between two systems is the difference of their counts in the exchanged units. Its sum is the
difference of two sums, one for each system, so that one draw of sums serves every pair.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from queue import SimpleQueue
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bleucore.counts import Floats, Progress, Score, read_only
from bleucore.errors import InputError
from bleucore.processes import n_threads
from bleucore.significance.draws import (
    LARGEST_FLOAT32_SUM,
    NamedCounts,
    batches,
    check_draws,
    coins,
    factors,
    in_threads,
    names,
    no_weights,
    stacked,
    weighted_sums,
    whole_scores,
)
from bleucore.significance.paired import PairedTestResult, others, rounding, two_sided
from bleucore.significance.units import Unit

MANY_UNITS = 64
"""With so many units that differ, their number does not hold p up: 2^-63 is below what any draws can show."""

MOST_ENUMERATED = 20
"""Of so many units at most all exchanges are made: half a million, more than anybody's trials."""

BLOCK_DRAWS = 40_000
"""Draws of so many pairs together are scored in one go: enough that threads wait little for each other, and that all
stays near the processor."""


@dataclass(frozen=True)
class Randomisation:
    """Which units are exchanged in each trial: any pair of systems can be tested without drawing again.

    Attributes:
        names: K system names.
        scores: (K,), the scores of all units, read-only.
        sums: (K, C), the counts of all units.
        exchanged: (K, C, R), for each trial the counts of each system in the exchanged units, less those of the
            first system: only differences between systems matter, and they are smaller. float32 where that is exact.
        differing: (K, K), in how many units two systems have other counts; counted until all have ``MANY_UNITS``.
        score: Of counts.
        seed: Of the trials.
        unit: What is exchanged.
        single_precision: Whether the score may be given counts in single precision where that is exact, and is of
            double precision all the same: tests of many pairs take less time then.
        is_complete: Whether the trials are all exchanges that can give another difference, each once, so that p is
            exact.
    """

    names: tuple[str, ...]
    scores: Floats
    sums: NDArray[Any]
    exchanged: NDArray[Any]
    differing: NDArray[np.int64]
    score: Score
    seed: int
    unit: Unit
    single_precision: bool = False
    is_complete: bool = False


def randomise(
    systems: Sequence[NamedCounts],
    score: Score,
    *,
    trials: int = 10_000,
    seed: int = 12345,
    unit: Unit = "segment",
    progress: Progress | None = None,
) -> Randomisation:
    """The trials of ``approximate_randomisation``, drawn once for all systems.

    The units exchanged are ``numpy.random.default_rng(seed).integers(2, size=(R, S), dtype=bool)``, those of
    sacreBLEU 2.6.

    Args:
        systems: Names with counts (S, C).
        score: Scores of counts.
        trials: R, at least 1.
        seed: 0 or more; the same seed gives the same trials.
        unit: What a row of counts is.
        progress: Called with the share of the work done, 0 to 1, from time to time.

    Raises:
        InputError: Nothing to exchange, shapes that differ, or a number out of range.
    """
    counts, system_names = stacked(systems), names(systems)
    check_draws(trials, seed, "trials")
    exchanged = _exchanged_sums(counts - counts[:, :1], trials, seed, progress)
    return _made(counts, system_names, score, exchanged, seed, unit)


def n_exchanges(n_units: int) -> int:
    """How many exchanges of units give differences of other sizes: exchanging the others instead turns the sign."""
    return 1 << (n_units - 1)


def every_exchange(
    systems: Sequence[NamedCounts], score: Score, *, seed: int = 12345, unit: Unit = "segment"
) -> Randomisation:
    """All exchanges but the observation, once each: p is exact then (Fisher 1935, section 21).

    Args:
        systems: Names with counts (S, C), S from 2 to ``MOST_ENUMERATED``.
        score: Scores of counts.
        seed: To be reported; nothing is drawn.
        unit: What a row of counts is.

    Raises:
        InputError: Too few or too many units, or shapes that differ.
    """
    counts, system_names = stacked(systems), names(systems)
    if not 1 < len(counts) <= MOST_ENUMERATED:
        raise InputError(
            "this number of units cannot be exchanged in every way",
            found=len(counts),
            expected=f"2 to {MOST_ENUMERATED}",
            remedy="Draw exchanges at random.",
        )
    drawn = _made(counts, system_names, score, _all_sums(counts - counts[:, :1]), seed, unit)
    return replace(drawn, is_complete=True)


def _made(
    counts: NDArray[Any], system_names: tuple[str, ...], score: Score, exchanged: NDArray[Any], seed: int, unit: Unit
) -> Randomisation:
    return Randomisation(
        names=system_names,
        scores=whole_scores(counts, score),
        sums=counts.sum(axis=0),
        exchanged=exchanged,
        differing=_differing(counts),
        score=score,
        seed=seed,
        unit=unit,
    )


def approximate_randomisation(
    drawn: Randomisation, *, baseline: int = 0, systems: Sequence[int] | None = None
) -> tuple[PairedTestResult, ...]:
    """Each other system against the baseline, two-sided, by exchanging their outputs at random.

    p = (#{|d_r| >= |d|} + 1) / (R + 1), where d_r is the difference after each unit was exchanged or not with even
    odds and ties within ``TIE`` count (Noreen 1989; Riezler and Maxwell 2005). sacreBLEU 2.6 counts ``>`` instead:
    that gives two identical systems the smallest p.

    Args:
        drawn: At least two systems.
        baseline: The index of the baseline, from 0.
        systems: The indices of the systems to test; all others unless given.

    Raises:
        InputError: There is no such baseline, or nothing to compare it with.
    """
    return tuple(randomisation_tests(drawn, [(index, baseline) for index in others(drawn.names, baseline, systems)]))


def randomisation_tests(drawn: Randomisation, pairs: Iterable[tuple[int, int]]) -> Iterator[PairedTestResult]:
    """``approximate_randomisation`` of pairs (system, baseline), one after the other."""
    pairs = list(pairs)
    n_counts, n_trials = drawn.exchanged.shape[1:]
    at_once = min(len(pairs), max(1, BLOCK_DRAWS // n_trials))
    if len(pairs) <= at_once:
        yield from _tests_of(drawn, pairs, np.empty((n_counts, at_once, 2, n_trials), _type_of_sums(drawn)))
        return
    blocks = [pairs[start : start + at_once] for start in range(0, len(pairs), at_once)]
    # Memory for a block of pairs serves all: asking the machine for it each time takes as long as the sums themselves.
    spare: SimpleQueue[NDArray[Any]] = SimpleQueue()
    for _ in range(n_threads()):
        spare.put(np.empty((n_counts, at_once, 2, n_trials), _type_of_sums(drawn)))

    def tests_of(block: Sequence[tuple[int, int]]) -> list[PairedTestResult]:
        memory = spare.get()
        try:
            return _tests_of(drawn, block, memory)
        finally:
            spare.put(memory)

    for tests in in_threads(tests_of, blocks):
        yield from tests


def _type_of_sums(drawn: Randomisation) -> type[np.float32 | np.float64]:
    """What the counts of two systems are added in, once units are exchanged."""
    exact = drawn.exchanged.dtype == np.float32 and 2 * float(drawn.sums.max()) < LARGEST_FLOAT32_SUM
    return np.float32 if exact and drawn.single_precision else np.float64


def _tests_of(drawn: Randomisation, pairs: Sequence[tuple[int, int]], memory: NDArray[Any]) -> list[PairedTestResult]:
    """The tests of some pairs at once, with memory (C, at least as many pairs, 2, R) for their counts."""
    both = memory[:, : len(pairs)]
    sums = drawn.sums.astype(memory.dtype)[:, :, None]
    for place, (index, baseline) in enumerate(pairs):
        mine, theirs = both[:, place, 0], both[:, place, 1]
        np.subtract(drawn.exchanged[baseline], drawn.exchanged[index], out=theirs)
        np.add(sums[index], theirs, out=mine)
        np.subtract(sums[baseline], theirs, out=theirs)
    scores = drawn.score(np.moveaxis(both, 0, -1))
    nulls = scores[:, 0] - scores[:, 1]
    return [_pair_test(drawn, *pair, null) for pair, null in zip(pairs, nulls, strict=True)]


def _pair_test(drawn: Randomisation, index: int, baseline: int, null: Floats) -> PairedTestResult:
    null.flags.writeable = False
    difference = float(drawn.scores[index] - drawn.scores[baseline])
    n_differing, trials = int(drawn.differing[index, baseline]), len(null)
    rounded_off = rounding(drawn.scores[[index, baseline]])
    return PairedTestResult(
        name=drawn.names[index],
        other=drawn.names[baseline],
        difference=difference,
        p_value=two_sided(null, difference, rounding=rounded_off),
        null_distribution=null,
        interval=None,
        method="approximate-randomisation",
        resamples=trials,
        seed=drawn.seed,
        smallest_p_value=min(1.0, max(1 / (trials + 1), 2.0 ** (1 - n_differing))),
        reason=_why_no_exchange(n_differing, drawn.unit),
        rounding=rounded_off,
        is_complete=drawn.is_complete,
    )


def _exchanged_sums(gains: NDArray[Any], trials: int, seed: int, progress: Progress | None) -> NDArray[Any]:
    """The counts (S, K, C) of the exchanged units of each trial, summed: (K, C, R), read-only."""
    n_units, n_systems, n_counts = gains.shape
    largest_between_two = 2 * float(np.abs(gains).sum(axis=0, dtype=np.float64).max())
    if not gains.any():
        return np.zeros((n_systems, n_counts, trials))
    weighed = factors(gains[:, 1:], largest_between_two)
    generator = np.random.default_rng(seed)
    sums = np.zeros((n_systems, n_counts, trials), weighed.columns.dtype)

    def add_up(drawn: tuple[slice, NDArray[np.uint8]]) -> None:
        rows, exchanged = drawn
        weights = no_weights(len(exchanged), weighed)
        weights[: len(exchanged), :n_units] = exchanged
        sums[1:, :, rows] = weighted_sums(weights, weighed)[..., : len(exchanged)]

    all_rows = batches(trials, weighed, progress, multiple=32)  # or random bits do not continue their stream
    drawn = ((rows, coins(generator, rows.stop - rows.start, n_units)) for rows in all_rows)
    deque(in_threads(add_up, drawn), maxlen=0)
    return read_only(sums)


def _all_sums(gains: NDArray[Any]) -> NDArray[Any]:
    """The counts (S, K, C) of the exchanged units of all exchanges that leave the first unit, summed: (K, C, R)."""
    n_units, n_systems, n_counts = gains.shape
    chosen = np.arange(1, 2 ** (n_units - 1))[:, None] >> np.arange(n_units - 1) & 1
    sums = chosen.astype(np.float64) @ gains[1:].reshape(n_units - 1, -1)
    return read_only(np.ascontiguousarray(sums.T.reshape(n_systems, n_counts, -1)))


def _differing(counts: NDArray[Any]) -> NDArray[np.int64]:
    """In how many units of counts (S, K, C) two systems differ, as far as it was counted: (K, K)."""
    n_systems = counts.shape[1]
    numbers = np.zeros((n_systems, n_systems), np.int64)
    needed = np.full((n_systems, n_systems), MANY_UNITS) - MANY_UNITS * np.eye(n_systems, dtype=np.int64)
    for start in range(0, len(counts), 2 * MANY_UNITS):
        some = counts[start : start + 2 * MANY_UNITS]
        for index in range(n_systems):
            numbers[index] += (some != some[:, [index]]).any(axis=2).sum(axis=0)
        if (numbers >= needed).all():
            break
    return numbers


def _why_no_exchange(n_differing: int, unit: Unit) -> str | None:
    if n_differing == 0:
        return f"The systems have identical counts in every {unit}: there is no difference to test."
    if n_differing == 1:
        return f"The systems differ in one {unit}: exchanging it only turns the sign. A test needs more."
    return None
