"""Sentences about references that depend on a condition."""

import pytest

from bleuscope.features.references import words as reference_words
from tests.dashboard import builders
from tests.dashboard.reading import read

CASES = builders.CASES


@pytest.mark.parametrize("case", [name for name in CASES if name != "both are the same"])
def test_references_count_what_they_turn_round(case):
    one = CASES[case]
    said = read(reference_words.verdict_of(one.references))
    for subset in one.references.subsets[:2]:
        name = subset.references[0]
        n_meant = sum(flip.is_significant for flip in subset.flips)
        meant = f"{n_meant} significant on both sides" if n_meant else "all within noise"
        wanted = (
            f"{name} alone reverses {len(subset.flips)} of 10 pairs, {meant}"
            if subset.flips
            else f"{name} alone reverses no pair"
        )
        assert wanted in said
