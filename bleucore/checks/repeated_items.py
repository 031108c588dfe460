"""Are rows several outputs for the same item?"""

from collections.abc import Iterator

import numpy as np

from bleucore.checks.compared_texts import Columns
from bleucore.checks.findings import Observation
from bleucore.written_numbers import count, counted


def repeated_items(columns: Columns) -> Iterator[Observation]:
    """Rows with the same source and references, or the same label ``item``: they are one item and no more evidence."""
    if columns.items is None:
        return
    sizes = np.bincount(columns.items)
    smallest, largest = int(sizes.min()), int(sizes.max())
    times = f" × {count(smallest)}" if smallest == largest else f" in {count(columns.n_segments)} rows"
    yield Observation(
        None,
        "note",
        f"Rows repeat: {counted(len(sizes), 'item')}{times}.",
        "Nothing to do: tests exchange all rows of an item together, or whole documents.",
        sizes[columns.items] > 1,
    )
