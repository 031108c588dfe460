"""What a test set holds, in short."""

from bleucore import TestSet
from bleuscope.content.comparison.unit_words import items_words
from bleuscope.content.style import numbers


def test_set_facts(test_set: TestSet) -> list[tuple[str, str]]:
    """What a test set holds, as value and name."""
    n_references = len(test_set.references)
    facts = [
        (numbers.count(test_set.n_segments), "segments"),
        (numbers.count(len(test_set.systems)), "systems" if len(test_set.systems) > 1 else "system"),
        (numbers.count(n_references), "references" if n_references > 1 else "reference"),
        ("yes" if test_set.source is not None else "no", "source"),
    ]
    if test_set.documents is not None:
        facts.append((numbers.count(len(set(test_set.documents))), "documents"))
    if test_set.items is not None:
        facts.append((items_words(test_set), "in the rows"))
    lacking = sum(text is None for column in test_set.references for text in column)
    if lacking:
        facts.append((numbers.count(lacking), "references missing in some segments"))
    empty = sum(not text.strip() for system in test_set.systems for text in system.hypotheses)
    if empty:
        facts.append((numbers.count(empty), "empty hypotheses"))
    return facts
