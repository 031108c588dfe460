"""Sentences about sensitivity that depend on a condition."""

import pytest

from bleuscope.features.sensitivity import words as sensitivity_words
from tests.dashboard import builders
from tests.dashboard.reading import read

CASES = builders.CASES


@pytest.mark.parametrize("case", [name for name in CASES if name != "both are the same"])
def test_settings_count_what_they_turn_round(case):
    one = CASES[case]
    pairs = one.grid.pairs()
    firm = sum(pair.n_behind == 0 for pair in pairs)
    n_settings = len(one.grid.counted)
    assert f"{firm} of 10 pairs keep their order under all {n_settings} settings" in read(
        sensitivity_words.verdict_of(one.grid)
    )
    n_meant = sum(pair.n_significant > 0 for pair in pairs) or "none"
    method, _ = sensitivity_words.sensitivity_method(one.grid)
    assert f"in all {n_settings} settings {firm} of 10 pairs of systems stand as reported, and {n_meant} of" in method
    for pair in pairs:
        told = read(sensitivity_words.pair_told(pair))
        assert told.startswith(f"{pair.ahead} over {pair.behind} in {pair.n_ahead} of {pair.n_settings} settings")
        assert (f"tied in {pair.n_tied}" in told) == (pair.n_tied > 0)
        assert (" other" in told) == (pair.n_behind > 0)
        assert ("others" in told) == (pair.n_behind > 1)
    turned = [read(one_pair) for one_pair in sensitivity_words.least_firm(one.grid)]
    assert len(turned) == min(5, 10 - firm)
    common = ["have nothing in common" in one_pair for one_pair in turned]
    assert common == sorted(common)
