"""Segments that the axis of filters keeps, by the words that ask for them."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bleucore import BleuOptions, InputError, TestSet
from bleucore.analysis.slices import LABEL, slice_segments
from bleucore.checks import check
from bleucore.values import unknown_name
from bleuscope.content.findings.finding_words import flagged_segments

SHORT, CLEAN, DOCUMENTS = "short", "clean", "documents"
FILTERS = (SHORT, CLEAN)
"""Of every test set."""
MOST_WORDS = 40
MOST_DOCUMENTS = 100
MOST_VALUES = 30
FILTER_HELP = (
    f"short: references of up to {MOST_WORDS} words; clean: no segment that a check flags; documents: leaves out one "
    f"at a time (the largest {MOST_DOCUMENTS}); a label, such as “label domain”: each value alone"
)


def filters_of(test_set: TestSet) -> tuple[str, ...]:
    """What can be asked of a test set: its documents and labels too, as slices call them."""
    documents = [] if test_set.documents is None else [DOCUMENTS]
    labels = [LABEL + name for name, column in test_set.labels.items() if 1 < len(set(column)) <= MOST_VALUES]
    return (*FILTERS, *documents, *labels)


def kept_segments(test_set: TestSet, asked: Sequence[str]) -> dict[str, NDArray[np.bool_]]:
    """The segments (S,) that each choice keeps, by its name.

    Raises:
        InputError: There is no such choice, or documents are not known.
    """
    found: dict[str, NDArray[np.bool_]] = {}
    for name in dict.fromkeys(asked):
        if name == SHORT:
            found[f"at most {MOST_WORDS} words"] = _longest(test_set) <= MOST_WORDS
        elif name == CLEAN:
            found["without findings"] = _clean(test_set)
        elif name == DOCUMENTS:
            found |= _without_each(test_set)
        elif name in filters_of(test_set):
            found |= _each_value(test_set, name)
        else:
            known = filters_of(test_set)
            raise unknown_name("filter", name, known, where="Axis filter", remedy="Name some of these.")
    return found


def _each_value(test_set: TestSet, name: str) -> dict[str, NDArray[np.bool_]]:
    """The segments of each value of a label: of an original language, a domain, a part of the test set."""
    slicing = slice_segments(test_set, name, BleuOptions())
    label = name.removeprefix(LABEL)
    return {f"{label} {value}": slicing.groups == place for place, value in enumerate(slicing.names)}


def _longest(test_set: TestSet) -> NDArray[np.int64]:
    """The words of the longest reference of each segment, as blanks part them."""
    return np.array(
        [max(len((text or "").split()) for text in texts) for texts in zip(*test_set.references, strict=True)]
    )


def _clean(test_set: TestSet) -> NDArray[np.bool_]:
    """The segments that no finding names; a finding about every segment is about the file, and leaves them all."""
    kept = np.ones(test_set.n_segments, np.bool_)
    for segments in flagged_segments(check(test_set)).values():
        if len(segments) < test_set.n_segments:
            kept[segments] = False
    return kept


def _without_each(test_set: TestSet) -> dict[str, NDArray[np.bool_]]:
    if test_set.documents is None:
        raise InputError(
            "the test set has no documents", where="Axis filter", found=DOCUMENTS, remedy="Name them, or leave it out."
        )
    documents = np.array(test_set.documents, dtype=object)
    names, sizes = np.unique(documents, return_counts=True)
    largest = sorted(np.argsort(-sizes, kind="stable")[:MOST_DOCUMENTS].tolist()) if len(names) > 1 else []
    return {f"without {names[place]}": np.asarray(documents != names[place], np.bool_) for place in largest}
