"""The units of a test set: what tests exchange and intervals resample as a whole.

Segments of one document resemble each other, and so do neighbours; rows of one item are the same task. Tests that take
them for independent reject too often. Whoever needs to know what varies as a whole asks ``TestSetUnits``.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from bleucore.counts import Floats, Ints, read_only
from bleucore.errors import InputError
from bleucore.significance.blocks import BlockLayout, blocks_of_documents, blocks_of_number

Unit = Literal["segment", "block", "item", "document"]
UnitChoice = Literal["auto", "segment", "block", "item", "document"]

FEWEST_TESTED = 6
"""With five units, no exact test can find a p-value below .06."""
NEIGHBOURS_PER_CUBE_ROOT = 4
"""A block has this many times the cube root of the number of segments: 50 of 2,000. ``make calibration`` measures what
blocks of this length do where real documents are hidden."""
FEWEST_BLOCKS = 13
"""Shorter blocks are taken where there would be fewer than these."""


@dataclass(frozen=True, eq=False)
class Units:
    """The units of some segments.

    Attributes:
        kind: What a unit is.
        layout: Which unit each segment belongs to; ``None`` where each segment is a unit.
        n_units: N.
        block_size: The segments, or items, in a block; ``None`` for other kinds.
    """

    kind: Unit
    layout: BlockLayout | None
    n_units: int
    block_size: int | None = None

    @property
    def sizes(self) -> Ints:
        """The number of segments in each unit, (N,)."""
        return np.ones(self.n_units, np.int64) if self.layout is None else self.layout.sizes

    @property
    def n_effective(self) -> float | None:
        """How many units of equal size carry as much information; ``None`` where all are of one size."""
        return None if self.layout is None else effective_number(self.layout.sizes)


@dataclass(frozen=True, eq=False)
class TestSetUnits:
    """What is known of the dependence between the S segments of a test set, or of a selection from it.

    Attributes:
        n_whole: The number of segments of the whole test set, W.
        documents: The document of each of its segments, (W,); ``None`` where they are unknown.
        items: The item of each of its segments, (W,), where rows repeat: rows with the same source and references are
            one item. ``None`` where hardly any do.
        rows: The segments of the selection, (S,), as places in the whole set; ``None`` for all.
    """

    __test__ = False  # not a test class, whatever pytest makes of the name

    n_whole: int
    documents: Sequence[str] | None = None
    items: Ints | None = None
    rows: Ints | None = None

    def selected(self, rows: Ints) -> "TestSetUnits":
        """A selection of these segments, by their places: it keeps the units of the whole test set."""
        return replace(self, rows=rows if self.rows is None else self.rows[rows])

    @property
    def n_segments(self) -> int:
        """S."""
        return self.n_whole if self.rows is None else len(self.rows)

    @cached_property
    def n_documents(self) -> int | None:
        """How many documents the segments are from, copies counted once; ``None`` where documents are unknown."""
        return None if self.documents is None else self.of("document").n_units

    @cached_property
    def n_items(self) -> int | None:
        """How many items the segments are of; ``None`` where rows do not repeat."""
        return None if self.items is None else self.of("item").n_units

    @property
    def are_independent(self) -> bool:
        """Whether nothing says that segments depend on each other."""
        return self.documents is None and self.items is None

    def of(self, kind: Unit, block_size: int | None = None) -> Units:
        """The units of this kind.

        Args:
            kind: What a unit is. A block is of neighbouring segments, or of neighbouring items where rows repeat.
            block_size: Segments or items in a block; ``usual_block_size`` unless given.

        Raises:
            InputError: Documents are asked for and unknown, or items and no rows repeat.
        """
        if kind == "document":
            return self._units(kind, _document_groups(self._known_documents, self.items))
        if kind == "item" and self.items is None:
            raise InputError("no rows repeat", where="Option unit", remedy="Test by block or by segment.")
        if kind == "segment":
            return Units(kind, None, self.n_segments)
        items = np.arange(self.n_whole) if self.items is None else self.items
        if kind == "item" or not self.n_whole:
            return self._units(kind, items)
        n_items = self.n_whole if self.items is None else int(items.max()) + 1
        size = min(block_size or usual_block_size(n_items), n_items)
        blocks = blocks_of_number(n_items, max(1, round(n_items / size)), remainder="spread")
        return replace(self._units(kind, blocks.groups[items]), block_size=size)

    def _units(self, kind: Unit, groups: Ints) -> Units:
        some = groups if self.rows is None else groups[self.rows]
        _, numbered = np.unique(some, return_inverse=True)
        names = None
        if kind == "document" and self.documents is not None:
            rows = np.arange(self.n_whole) if self.rows is None else self.rows
            _, first = np.unique(some, return_index=True)
            names = tuple(self.documents[row] for row in rows[first].tolist())
        n_units = int(numbered.max()) + 1 if len(numbered) else 0
        return Units(kind, BlockLayout(read_only(numbered.astype(np.int64)), n_units, documents=names), n_units)

    @property
    def _known_documents(self) -> Sequence[str]:
        if self.documents is None:
            raise InputError(
                "the test set has no documents",
                where="Option unit",
                remedy="Test by block or by segment, or give the document of each segment.",
            )
        return self.documents


def too_few_words(n_units: int, kind: str) -> str:
    """Why so few units cannot be tested, a sentence."""
    return f"A test needs at least {FEWEST_TESTED} {kind}s, and there {'is' if n_units == 1 else 'are'} {n_units}."


def usual_block_size(n_segments: int) -> int:
    """How many neighbours a block has where documents are unknown.

    Blocks must grow with the test set, and slower than it (Künsch 1989): four times the cube root, unless that leaves
    fewer than 13 blocks. The length depends on no output, so that the interval of one system does not change with the
    systems next to it.
    """
    wanted = round(NEIGHBOURS_PER_CUBE_ROOT * float(np.cbrt(n_segments)))
    return max(1, min(wanted, n_segments // FEWEST_BLOCKS))


def effective_number(sizes: Ints) -> float:
    """How many units of equal size carry as much information as units of these sizes (n,): n / (1 + cv^2).

    That is the squared sum over the sum of squares (Carter, Schnepel and Steigerwald 2017).
    """
    squares: Floats = sizes.astype(np.float64) ** 2
    return float(sizes.sum()) ** 2 / float(squares.sum())


def _document_groups(documents: Sequence[str], items: Ints | None) -> Ints:
    """The document of each segment, 0 to D - 1; documents that mostly repeat an earlier one are part of it."""
    groups = blocks_of_documents(documents).groups
    if items is None:
        return groups
    first_of_item: dict[int, int] = {}
    root: dict[int, int] = {}
    order = np.argsort(groups, kind="stable")
    for rows in np.split(order, np.flatnonzero(np.diff(groups[order])) + 1):
        own = int(groups[rows[0]])
        seen = Counter(first_of_item[item] for item in items[rows].tolist() if item in first_of_item)
        earlier, n_repeated = seen.most_common(1)[0] if seen else (own, 0)
        root[own] = earlier if 2 * n_repeated >= len(rows) else own
        for item in items[rows].tolist():
            first_of_item.setdefault(item, root[own])
    return np.array([root[group] for group in groups.tolist()], np.int64)
