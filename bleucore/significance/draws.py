"""Sums of counts over segments that are drawn at random, for all draws and all systems as one matrix product.

Whole numbers below 2^53 are summed exactly, so neither the batches nor the other systems of a call change a result.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from bleucore.counts import Floats, Ints, Progress, Score, read_only
from bleucore.errors import InputError
from bleucore.processes import n_threads
from bleucore.values import system_words
from bleucore.written_numbers import counted

NamedCounts: TypeAlias = tuple[str, NDArray[Any]]
Item = TypeVar("Item")
Result = TypeVar("Result")

BATCH_BYTES = 2**24
"""Memory for the draws that a thread handles at once; the same on every machine, as sums of fractions hang on it."""

TILE = 128
"""Segments, and at most score counts, of one small matrix product."""

TILE_PRODUCTS = 2**18
"""Products of numbers in a small matrix product: the most that OpenBLAS does in the calling thread.

On large matrices its threads wait for each other after every few segments. On two cores with other work, 1,000
resamples of 200,000 segments of five systems took 20 to 34 s so; in small products they take less than 2 s.
"""

SCORE_BYTES = 80
"""Memory that a score function is taken to need for each number of its counts."""

FEW_OF = 16
"""One unit in so many is few: where a count differs from another in few, the sums of both are not added up."""

LOOKED_AT = 64
"""So many units tell whether that may be."""

LARGEST_FLOAT32_SUM = 2**24
LARGEST_FLOAT64_SUM = 2**53


@dataclass(frozen=True)
class Factors:
    """Counts (S, K, C) to be weighted. What one count says of another is not multiplied twice.

    BLEU's totals of an order are the lengths less a constant, but in segments that are too short, and without them
    there is half as much to multiply.

    Attributes:
        columns: (S', n), with zeros up to whole tiles: the counts of each system that are kept, and 1 for each unit.
        given_by: C, which of the counts that are kept each one is but for ``constants``, or ``None`` for nothing else.
        constants: (K, C), what is to be added for each unit.
        units: (U,), where that is not all.
        differing: D, the counts that have more there.
        rest: (U, D, K), how much more.
    """

    columns: NDArray[Any]
    given_by: tuple[int | None, ...]
    constants: Ints
    units: Ints
    differing: tuple[int, ...]
    rest: NDArray[Any]


def factors(counts: NDArray[Any], largest_sum: float) -> Factors:
    """Counts (S, K, C) to be weighted by weights that are S in sum at most.

    They are float32, which is twice as fast, where no sum is rounded by that.
    """
    exact = counts.dtype.kind == "i"
    if exact and largest_sum >= LARGEST_FLOAT64_SUM:
        raise InputError(
            "the counts are too large to be added exactly",
            found=f"sums of up to {largest_sum:.3g}",
            expected=f"below {LARGEST_FLOAT64_SUM:.3g}",
        )
    kept, given_by = list[int](), list[int | None]()
    constants, units = np.zeros(counts.shape[1:], np.int64), dict[int, Ints]()
    for count in range(counts.shape[2]):
        found = next(_likenesses(counts, count, kept), None) if exact else None
        if found is None:
            given_by.append(len(kept))
            kept.append(count)
        else:
            place, constants[:, count], units[count] = found
            given_by.append(place)
    some = np.unique(np.concatenate([*units.values(), np.empty(0, np.int64)]))
    differing = tuple(count for count, where in units.items() if where.size)
    there, of_kept = counts[some], counts[:, :, kept].reshape(len(counts), -1)
    given = [0 if place is None else there[:, :, kept[place]] for place in given_by]
    rest = np.zeros((len(some), len(differing), counts.shape[1]), np.int64)
    for place, count in enumerate(differing):
        rest[:, place] = there[:, :, count] - given[count] - constants[:, count]

    def narrow(sums: float) -> type[np.float32 | np.float64]:
        return np.float32 if exact and sums < LARGEST_FLOAT32_SUM else np.float64

    columns = np.zeros((_up_to_tiles(len(counts), TILE), of_kept.shape[1] + 1), narrow(largest_sum))
    columns[: len(counts), :-1] = of_kept
    columns[: len(counts), -1] = 1
    rest = rest.astype(narrow(len(counts) * float(np.abs(rest).max(initial=0))))
    return Factors(columns, tuple(given_by), constants, some, differing, rest)


def _likenesses(
    counts: NDArray[np.signedinteger[Any]], count: int, kept: Sequence[int]
) -> Iterator[tuple[int | None, Ints, Ints]]:
    """Which of the counts that are kept give another one: each with the constants (K,), and the few units that differ.

    ``None`` stands for no count at all.
    """

    def between(some: NDArray[np.signedinteger[Any]], other: int | None) -> NDArray[np.signedinteger[Any]]:
        return some[:, :, count] if other is None else some[:, :, count] - some[:, :, other]

    sample = counts[:: -(-len(counts) // LOOKED_AT)]
    for place, other in ((None, None), *enumerate(kept)):
        constants = np.sort(between(sample, other), axis=0)[len(sample) // 2]
        if (between(sample, other) == constants).all(axis=1).mean() < 1 - 2 / FEW_OF:
            continue
        units = np.flatnonzero((between(counts, other) != constants).any(axis=1))
        if len(units) <= len(counts) / FEW_OF:
            yield place, constants, units


def no_weights(n_draws: int, factors: Factors) -> NDArray[Any]:
    """Zeros for the weights of draws (B', S'), in whole tiles."""
    columns = factors.columns
    return np.zeros((_up_to_tiles(n_draws, _tile_draws(columns)), len(columns)), columns.dtype)


def weighted_sums(weights: NDArray[Any], factors: Factors) -> Floats:
    """The sums (K, C, B') of counts, weighted by weights (B', S')."""
    products = _products(weights, factors.columns)
    (n_systems, n_counts), n_draws = factors.constants.shape, len(weights)
    of_kept, weight = products[:-1].reshape(n_systems, -1, n_draws), products[-1]
    sums = np.zeros((n_systems, n_counts, n_draws))
    for count, place in enumerate(factors.given_by):
        if place is not None:
            sums[:, count] = of_kept[:, place]
        if factors.constants[:, count].any():
            sums[:, count] += factors.constants[:, count, None] * weight
    if factors.differing:
        rest = small_products(weights[:, factors.units], factors.rest.reshape(len(factors.units), -1))
        sums[:, factors.differing] += rest.T.reshape(-1, n_systems, n_draws).swapaxes(0, 1)
    return sums


def _products(weights: NDArray[Any], columns: NDArray[Any]) -> Floats:
    """``(weights @ columns).T``, (n, B'), as many small products."""
    tiles = weights.reshape(-1, _tile_draws(columns), len(columns) // TILE, TILE).transpose(0, 2, 1, 3)
    sums = np.empty((columns.shape[1], len(weights)))
    for start in range(0, columns.shape[1], TILE):
        some = columns[:, start : start + TILE]
        products = tiles @ some.reshape(-1, TILE, some.shape[1])
        sums[start : start + TILE] = products.sum(axis=1).reshape(len(weights), -1).T
    return sums


def small_products(weights: NDArray[Any], columns: NDArray[Any]) -> NDArray[Any]:
    """``weights @ columns``, (B, n) and (n, M), as many small products: few draws are not worth a thread."""
    n_draws, n_units = weights.shape
    found = np.empty((n_draws, columns.shape[1]), np.result_type(weights, columns))
    rows = max(1, min(n_draws, TILE_PRODUCTS // max(1, n_units * min(TILE, columns.shape[1]))))
    whole = n_draws // rows * rows
    for start in range(0, columns.shape[1], TILE):
        some = columns[:, start : start + TILE]
        tiles = weights[:whole].reshape(whole // rows, rows, n_units)
        found[:whole, start : start + TILE] = (tiles @ some).reshape(whole, some.shape[1])
        found[whole:, start : start + TILE] = weights[whole:] @ some
    return found


def coins(generator: np.random.Generator, n_draws: int, n_units: int) -> NDArray[np.uint8]:
    """``generator.integers(2, size=(n_draws, n_units), dtype=bool)`` as 0 and 1, in a fifth of the time.

    Those are the bits of the whole numbers of 32 bits that the generator would give, the lowest first.
    """
    n_coins = n_draws * n_units
    words = generator.integers(2**32, size=-(-n_coins // 32), dtype=np.uint32).astype("<u4", copy=False)
    return np.unpackbits(words.view(np.uint8), count=n_coins, bitorder="little").reshape(n_draws, n_units)


def in_threads(work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
    """What ``work`` makes of each item, in their order; threads are a few items ahead of who asks.

    A single item is worth no thread.
    """
    rest = iter(items)
    first = list(islice(rest, 2))
    if len(first) < 2:  # noqa: PLR2004  one item
        yield from map(work, first)
        return
    ahead: deque[Future[Result]] = deque()
    most = n_threads()
    with ThreadPoolExecutor(most) as pool:
        for item in chain(first, rest):
            ahead.append(pool.submit(work, item))
            if len(ahead) > 2 * most:
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()


def batches(n_draws: int, factors: Factors, progress: Progress | None, *, multiple: int = 1) -> Iterator[slice]:
    """Slices of the draws, all but the last of a multiple of so many, within ``BATCH_BYTES`` where that allows it."""
    columns, n_sums = factors.columns, factors.constants.size
    row_bytes = len(columns) * (8 + 2 * columns.itemsize) + n_sums * SCORE_BYTES
    step = max(multiple, BATCH_BYTES // row_bytes // multiple * multiple)
    for start in range(0, n_draws, step):
        stop = min(start + step, n_draws)
        yield slice(start, stop)
        if progress is not None:
            progress(stop / n_draws)


def whole_scores(counts: NDArray[Any], score: Score) -> Floats:
    """The scores of counts (S, K, C) on all segments, (K,)."""
    return read_only(np.array(score(counts.sum(axis=0).astype(np.float64)), np.float64))


def stacked(systems: Sequence[NamedCounts]) -> NDArray[Any]:
    """The counts of all systems, (S, K, C), int64 or float64."""
    if not systems:
        raise InputError("there is no system", remedy="Give the counts of at least one.")
    columns = [_checked(name, counts) for name, counts in systems]
    for (name, _), column in zip(systems, columns, strict=True):
        if column.shape != columns[0].shape:
            raise InputError(
                "the counts have another shape than those of the first system",
                where=system_words(name),
                found=_shape(column),
                expected=_shape(columns[0]),
                remedy="Score all systems on the same segments with the same options.",
            )
    return np.stack(columns, axis=1)


def names(systems: Sequence[NamedCounts]) -> tuple[str, ...]:
    """The names of the systems, each of its own."""
    given = tuple(name for name, _ in systems)
    for index, name in enumerate(given):
        if not name.strip():
            raise InputError("a system has no name", found=repr(name), remedy="Give every system a name.")
        if name in given[:index]:
            raise InputError(
                "two systems have the same name", found=repr(name), remedy="Give every system a name of its own."
            )
    return given


def check_draws(n_draws: int, seed: int, what: str) -> None:
    """Refuse a number of resamples or trials, or a seed, that is out of range."""
    if n_draws < 1:
        raise InputError(f"this number of {what} is too small", found=n_draws, expected="1 or more")
    if seed < 0:
        raise InputError("this is not a seed", found=seed, expected="a whole number from 0")


def _tile_draws(columns: NDArray[Any]) -> int:
    """Draws in a tile."""
    n_units, n_columns = columns.shape
    draws: int = min(TILE_PRODUCTS // (TILE * min(TILE, n_columns)), BATCH_BYTES // (2 * n_units * columns.itemsize))
    return max(1, draws)


def _up_to_tiles(number: int, tile: int) -> int:
    return -(-number // tile) * tile


def _checked(name: str, counts: NDArray[Any]) -> NDArray[Any]:
    where = system_words(name)
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
    return f"{counted(counts.shape[0], 'segment')} of {counted(counts.shape[1], 'count')}"
