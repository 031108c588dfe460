"""Sums of counts over segments that are drawn at random, for all draws and all systems as one matrix product.

Whole numbers below 2^53 are summed exactly, so neither the batches nor the other systems of a call change a result.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Literal, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from bleucore.counts import Floats, Progress, Score, read_only
from bleucore.errors import InputError
from bleucore.processes import n_processors
from bleucore.values import system_words

Unit = Literal["segment", "document"]
NamedCounts: TypeAlias = tuple[str, NDArray[Any]]
Item = TypeVar("Item")
Result = TypeVar("Result")

N_THREADS = min(4, n_processors())

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

LARGEST_FLOAT32_SUM = 2**24
LARGEST_FLOAT64_SUM = 2**53


def factors(counts: NDArray[Any], largest_sum: float) -> NDArray[Any]:
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
    whole_tiles = np.zeros((_up_to_tiles(len(counts), TILE), counts[0].size), np.float32 if small else np.float64)
    whole_tiles[: len(counts)] = counts.reshape(len(counts), -1)
    return whole_tiles


def no_weights(n_draws: int, factors: NDArray[Any]) -> NDArray[Any]:
    """Zeros for the weights of draws (B', S'), in whole tiles."""
    return np.zeros((_up_to_tiles(n_draws, _tile_draws(factors)), len(factors)), factors.dtype)


def weighted_sums(weights: NDArray[Any], factors: NDArray[Any], *, n_threads: int = N_THREADS) -> Floats:
    """``(weights @ factors).T``, (K C, B'), as many small products; in the calling thread if that is one of many."""
    tiles = weights.reshape(-1, _tile_draws(factors), len(factors) // TILE, TILE).transpose(0, 2, 1, 3)
    sums = np.empty((factors.shape[1], len(weights)))

    def add_up(start: int) -> None:
        columns = factors[:, start : start + TILE]
        products = tiles @ columns.reshape(-1, TILE, columns.shape[1])
        sums[start : start + TILE] = products.sum(axis=1).reshape(len(weights), -1).T

    starts = range(0, factors.shape[1], TILE)
    if n_threads == 1:
        deque(map(add_up, starts), maxlen=0)
        return sums
    with ThreadPoolExecutor(n_threads) as pool:
        deque(pool.map(add_up, starts), maxlen=0)
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


def in_threads(work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
    """What ``work`` makes of each item, in their order; threads are a few items ahead of who asks."""
    ahead: deque[Future[Result]] = deque()
    with ThreadPoolExecutor(N_THREADS) as pool:
        for item in items:
            ahead.append(pool.submit(work, item))
            if len(ahead) > 2 * N_THREADS:
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()


def batches(n_draws: int, factors: NDArray[Any], progress: Progress | None, *, multiple: int = 1) -> Iterator[slice]:
    """Slices of the draws, all but the last of a multiple of so many, within ``BATCH_BYTES`` where that allows it."""
    n_segments, n_columns = factors.shape
    row_bytes = n_segments * (8 + 2 * factors.itemsize) + n_columns * SCORE_BYTES
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


def _tile_draws(factors: NDArray[Any]) -> int:
    """Draws in a tile."""
    n_columns: int = factors.shape[1]
    return TILE_PRODUCTS // (TILE * min(TILE, n_columns))


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
    return f"{counts.shape[0]:,} segments of {counts.shape[1]} counts"
