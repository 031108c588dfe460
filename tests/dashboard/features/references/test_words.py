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
    method, _ = reference_words.references_method(one.references)
    flips = [subset.flips for subset in one.references.subsets[:2]]
    n_meant = sum(flip.is_significant for found in flips for flip in found) or "none"
    reversed_by = f"reverses {len(flips[0])} (first), {len(flips[1])} (second) of the order with first + second"
    assert f"{reversed_by}; {n_meant} of these are significant in both" in method
    stability = one.references.draws.stability
    assert f"{stability.flips.mean():.1f} pairs are flipped on average" in method
    assert f"{round(100 * (stability.flips == 0).mean())}\xa0% of draws keep the whole order" in method
    for used, subset in zip(("used", "Used"), one.references.subsets[:2], strict=True):
        name = subset.references[0]
        n_meant = sum(flip.is_significant for flip in subset.flips)
        meant = f"{n_meant} significant on both sides" if n_meant else "all within noise"
        wanted = (
            f"{used} alone, {name} reverses {len(subset.flips)} of 10 pairs, {meant}"
            if subset.flips
            else f"{used} alone, {name} reverses no pair"
        )
        assert wanted in said
