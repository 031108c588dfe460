"""Are the documents what you think they are?"""

from collections import Counter
from collections.abc import Iterator

import numpy as np

from bleucore.checks.compared_texts import Columns
from bleucore.checks.findings import Observation
from bleucore.written_numbers import count

_NEARLY_ALL = 0.9
_FEW_DOCUMENTS = 10


def single_segments(columns: Columns) -> Iterator[Observation]:
    """Documents of which nearly every one holds a single segment, as where another column was taken for their names."""
    if columns.documents is None:
        return
    sizes = Counter(columns.documents)
    n_single = sum(size == 1 for size in sizes.values())
    if len(sizes) < _FEW_DOCUMENTS or n_single < _NEARLY_ALL * len(sizes):
        return
    yield Observation(
        None,
        "warning",
        f"{count(n_single)} of {count(len(sizes))} documents hold one segment each.",
        "Look whether another file was taken for the names of documents; if not, read nothing into documents.",
        np.fromiter((sizes[name] == 1 for name in columns.documents), np.bool_, columns.n_segments),
    )
