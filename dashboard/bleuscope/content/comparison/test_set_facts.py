"""What a test set holds, in short."""

from bleucore import TestSet
from bleucore.corpus import CUT_LABEL
from bleucore.segmentation.resegmenting import DOUBTFUL
from bleuscope.content.comparison.unit_words import items_words
from bleuscope.content.style import numbers
from bleuscope.content.style.markup import fact


def test_set_facts(test_set: TestSet) -> list[tuple[str, str]]:
    """What a test set holds, as value and name."""
    facts = [
        fact(test_set.n_segments, "segment"),
        fact(len(test_set.systems), "system"),
        fact(len(test_set.references), "reference"),
        ("no" if test_set.source is None else "1", "source"),
    ]
    if test_set.documents is not None:
        facts.append(fact(len(set(test_set.documents)), "document"))
    if test_set.items is not None:
        facts.append((items_words(test_set), "in the rows"))
    if test_set.is_resegmented:
        n_doubtful = sum(mark == DOUBTFUL for mark in test_set.labels[CUT_LABEL])
        facts.append((numbers.count(n_doubtful), "at doubtful cuts"))
    lacking = sum(text is None for column in test_set.references for text in column)
    if lacking:
        facts.append((numbers.count(lacking), "missing reference text" if lacking == 1 else "missing reference texts"))
    empty = sum(not text.strip() for system in test_set.systems for text in system.hypotheses)
    if empty:
        facts.append((numbers.count(empty), "empty hypothesis" if empty == 1 else "empty hypotheses"))
    return facts
