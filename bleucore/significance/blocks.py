"""Blocks of segments and their scores (Papineni et al. 2002, section 3).

A block is scored as a corpus of its own: its counts are summed, then scored. It is not a mean of segment scores.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from bleucore.counts import Floats, Ints, group_sums, read_only
from bleucore.errors import InputError
from bleucore.significance.draws import check_draws

Remainder = Literal["drop", "spread"]
BlockUnit = Literal["block", "document"]


@dataclass(frozen=True)
class BlockLayout:
    """Which block each segment is in.

    Attributes:
        groups: (S,), read-only: the block of each segment, 0 to B - 1; -1 where it is in none.
        n_blocks: B. No block is empty.
        shuffle_seed: The seed with which segments were drawn into the blocks; ``None`` for blocks of neighbours.
        documents: The name of each block where blocks are documents, else ``None``.
    """

    groups: Ints
    n_blocks: int
    shuffle_seed: int | None = None
    documents: tuple[str, ...] | None = None

    @property
    def sizes(self) -> Ints:
        """The number of segments of each block, (B,)."""
        return np.bincount(self.groups[self.groups >= 0], minlength=self.n_blocks)

    @property
    def n_dropped(self) -> int:
        """The number of segments that are in no block."""
        return int(np.count_nonzero(self.groups < 0))

    @property
    def unit(self) -> BlockUnit:
        """What one block is, as tests on them call it."""
        return "block" if self.documents is None else "document"


@dataclass(frozen=True)
class BlockSummary:
    """The scores of one system over blocks: (B,), their mean, and variance with B - 1 (``None`` for one block)."""

    name: str
    scores: Floats
    mean: float
    variance: float | None
    unit: BlockUnit = "block"

    @property
    def standard_deviation(self) -> float | None:
        """The square root of the variance."""
        return None if self.variance is None else float(np.sqrt(self.variance))


def blocks_of_number(
    n_segments: int, n_blocks: int, *, remainder: Remainder = "drop", shuffle_seed: int | None = None
) -> BlockLayout:
    """This many blocks of equal size.

    Args:
        n_segments: S.
        n_blocks: B, from 1 to S.
        remainder: ``"drop"`` leaves the last segments out where S is no multiple of B, as a fixed block size
            does in the paper; ``"spread"`` makes some blocks one segment longer.
        shuffle_seed: Draws the segments of each block at random, and those left out, with
            ``numpy.random.default_rng(shuffle_seed)``; ``None`` keeps the order as given.

    Raises:
        InputError: There are fewer segments than blocks, or the seed is negative.
    """
    _check_size(n_blocks, n_segments, "number of blocks")
    if remainder == "spread":
        edges = np.arange(n_blocks + 1) * n_segments // n_blocks
    else:
        edges = np.arange(n_blocks + 1) * (n_segments // n_blocks)
    return _laid_out(edges, n_segments, shuffle_seed)


def blocks_of_size(
    n_segments: int, size: int, *, remainder: Remainder = "drop", shuffle_seed: int | None = None
) -> BlockLayout:
    """As many blocks of this size as there are; remainder and seed as in ``blocks_of_number``."""
    _check_size(size, n_segments, "block size")
    n_blocks = n_segments // size
    if remainder == "spread":
        return blocks_of_number(n_segments, n_blocks, remainder="spread", shuffle_seed=shuffle_seed)
    return _laid_out(np.arange(n_blocks + 1) * size, n_segments, shuffle_seed)


def blocks_of_documents(documents: Sequence[str]) -> BlockLayout:
    """Every document is a block, in the order in which they first appear; their segments may stand anywhere.

    Args:
        documents: The document of each segment, (S,).

    Raises:
        InputError: There are no segments.
    """
    if not documents:
        raise InputError("there is no document", remedy="Give the document of each segment.")
    index = {name: block for block, name in enumerate(dict.fromkeys(documents))}
    groups = np.fromiter((index[name] for name in documents), np.int64, len(documents))
    return _layout(groups, len(index), documents=tuple(index))


def block_counts(counts: NDArray[Any], layout: BlockLayout) -> NDArray[Any]:
    """Counts (S, C) summed within each block: (B, C), whole numbers for whole numbers."""
    return group_sums(counts, layout.groups, layout.n_blocks)


def summarise_blocks(
    name: str, counts: NDArray[Any], layout: BlockLayout, score: Callable[[NDArray[Any]], Floats]
) -> BlockSummary:
    """The score of each block: counts (S, C) are summed within a block, then scored."""
    scores = read_only(score(block_counts(counts, layout)))
    variance = float(scores.var(ddof=1)) if len(scores) > 1 else None
    return BlockSummary(name, scores, float(scores.mean()), variance, layout.unit)


def _laid_out(edges: Ints, n_segments: int, shuffle_seed: int | None) -> BlockLayout:
    """Block b holds the segments ``edges[b]`` to ``edges[b + 1] - 1``, or as many drawn at random."""
    groups = np.full(n_segments, -1)
    groups[: edges[-1]] = np.repeat(np.arange(len(edges) - 1), np.diff(edges))
    if shuffle_seed is not None:
        check_draws(1, shuffle_seed, "layouts")
        groups = np.random.default_rng(shuffle_seed).permutation(groups)
    return _layout(groups, len(edges) - 1, shuffle_seed=shuffle_seed)


def _layout(
    groups: Ints, n_blocks: int, *, shuffle_seed: int | None = None, documents: tuple[str, ...] | None = None
) -> BlockLayout:
    return BlockLayout(read_only(groups), n_blocks, shuffle_seed, documents)


def _check_size(value: int, n_segments: int, what: str) -> None:
    if not 1 <= value <= n_segments:
        raise InputError(
            f"this {what} does not fit the test set",
            found=f"{value:,}",
            expected=f"1 to {n_segments:,}, the number of segments",
            remedy="Choose a smaller one." if value > n_segments else "Choose a larger one.",
        )
