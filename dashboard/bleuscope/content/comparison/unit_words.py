"""What tests exchange and intervals resample, in words."""

import numpy as np

from bleucore import TestSet
from bleucore.counts import Ints
from bleucore.significance import Comparison
from bleuscope.content.style import numbers


def units_words(comparison: Comparison) -> str:
    """The units with their number and size: ``41 blocks of 50 neighbouring segments``, ``216 items × 5``."""
    kind, size = comparison.units.kind, comparison.units.block_size
    if kind == "item":
        return times_words(comparison.units.sizes)
    if kind == "block" and size is not None:
        of = "segments" if comparison.n_items is None else "items"
        return f"{numbers.counted(comparison.n_units, 'block')} of {numbers.count(size)} neighbouring {of}"
    return numbers.counted(comparison.n_units, kind)


def extent_words(comparison: Comparison) -> str:
    """The units, and the segments that they hold."""
    kind, units = comparison.units.kind, units_words(comparison)
    if kind == "item":
        return f"{units} in {numbers.counted(comparison.n_segments, 'row')}"
    if kind == "segment":
        known = comparison.n_documents
        units += "" if comparison.n_items is None else f" of {numbers.counted(comparison.n_items, 'item')}"
        return units if known is None else f"{units} in {numbers.counted(known, 'document')}"
    segments = numbers.counted(comparison.n_segments, "segment")
    if comparison.n_items is not None:
        segments = f"{numbers.counted(comparison.n_segments, 'row')} of {numbers.counted(comparison.n_items, 'item')}"
    return f"{units} ({segments})"


def times_words(sizes: Ints) -> str:
    """The number of items, and how many rows each has where all have the same number: ``216 items × 5``."""
    items = numbers.counted(len(sizes), "item")
    smallest, largest = int(sizes.min()), int(sizes.max())
    return f"{items} × {numbers.count(smallest)}" if smallest == largest else items


def items_words(test_set: TestSet) -> str:
    """The items of a test set whose rows repeat: ``216 items × 5``; empty where they do not."""
    return "" if test_set.items is None else times_words(np.bincount(test_set.items))
