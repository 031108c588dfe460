"""Is what is called a reference one? A person's translation is less like those of systems than they are each other."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from bleucore.checks.compared_texts import Columns
from bleucore.checks.findings import Observation
from bleucore.checks.order import alignments, out_of_order
from bleucore.checks.repairs import exchanged

_LEAST_SYSTEMS, _FEW_SEGMENTS, _FEW_WORDS, _MUCH_ALIKE = 3, 50, 5, 0.8
_AS_LIKE, _LESS_LIKE, _APART, _SOMEWHAT_LESS_LIKE, _FAR_APART = 0.08, 0.15, 0.01, 0.12, 0.05
"""Of likeness to all others: what a reference lies below systems at most, a person's translation at least, and the
least that it lies below the next system; and both where it lies further below that. In WMT22 references lie .14 to .2
below the usual system, and the least like system .05 to .15."""


def exchanged_references(columns: Columns) -> Iterator[Observation]:
    """References that look like a system, where a system looks like a reference."""
    if len(columns.systems) < _LEAST_SYSTEMS or columns.n_segments < _FEW_SEGMENTS or columns.once(out_of_order).any():
        return
    if np.median([np.median(reference.words.lengths) for reference in columns.references]) < _FEW_WORDS:
        return
    likeness = np.array([float(alignment.likeness.mean()) for alignment in columns.once(alignments)])
    of_systems, of_references = likeness[: len(columns.systems)], likeness[len(columns.systems) :]
    usual, (least, next_to_least, *_) = float(np.median(of_systems)), np.sort(of_systems)
    is_apart = least <= min(usual - _LESS_LIKE, next_to_least - _APART)
    is_far_apart = least <= min(usual - _SOMEWHAT_LESS_LIKE, next_to_least - _FAR_APART)
    if usual < _MUCH_ALIKE or not (is_apart or is_far_apart):
        return
    system = columns.systems[int(of_systems.argmin())]
    for reference, like in zip(columns.references, of_references, strict=True):
        if like >= usual - _AS_LIKE:
            yield Observation(
                reference,
                "warning",
                f"It resembles the other texts as systems do ({like:.2f} of 1, systems {usual:.2f}), and "
                f"{system.title} does not ({least:.2f}). They may be mixed up.",
                "Look whether the reference is the output of a system, and that system a person's translation.",
                np.ones(columns.n_segments, np.bool_),
                repair=partial(exchanged, reference, system),
            )
