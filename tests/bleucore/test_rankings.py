"""Orders of systems: reversed pairs by hand, tau-b against scipy, and what draws have in common."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau, rankdata

from bleucore.counts import ranked
from bleucore.robustness.rankings import footrule, n_flips, orders, pairs_of, rank_shares, rank_stability, ranks, tau_b

BASE = np.array([3.0, 2.0, 1.0])


def test_pairs_stand_in_the_order_of_the_signs():
    assert pairs_of(3) == [(0, 1), (0, 2), (1, 2)]
    assert orders(np.array([2.0, 3.0, 1.0])).tolist() == [-1, 1, 1]


def test_a_tie_turns_no_pair_round():
    assert n_flips(orders(BASE), orders(np.array([[1.0, 2.0, 3.0], [2.0, 2.0, 1.0], [2.0, 3.0, 1.0]]))).tolist() == [
        3,
        0,
        1,
    ]


def test_scores_that_differ_by_rounding_are_tied():
    assert orders(np.array([0.1 + 0.2, 0.3])).tolist() == [0]
    assert ranks(np.array([0.1 + 0.2, 0.3, 1.0])).tolist() == [2.5, 2.5, 1.0]


def test_the_footrule_sums_how_far_systems_move():
    assert footrule(ranks(BASE), ranks(np.array([1.0, 2.0, 3.0]))) == 4


def test_tau_b_of_systems_that_are_all_tied_is_not_known():
    assert np.isnan(tau_b(orders(BASE), orders(np.zeros(3))))


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=6))
def test_tau_b_is_that_of_scipy(values):
    first, second = np.array(values, np.float64).T
    if len(set(first)) > 1 and len(set(second)) > 1:
        assert tau_b(orders(first), orders(second)) == pytest.approx(kendalltau(first, second).statistic)


def test_what_draws_have_in_common():
    found = rank_stability(BASE, np.array([[3.0, 2.0, 1.0], [2.0, 3.0, 1.0], [2.0, 2.0, 1.0], [9.0, 8.0, 7.0]]))
    assert found.flips.tolist() == [0, 1, 0, 0]
    assert found.flips_mean == 0.25
    assert found.full_order_share == 0.5
    assert found.ahead[0, 1] == (2 + 0.5) / 4
    assert found.ahead[1, 0] == 1 - found.ahead[0, 1]
    assert found.ahead[1, 1] == 0.5


def test_shares_of_ranks_give_ties_the_better_one():
    assert rank_shares(np.array([[2.0, 1.0], [1.0, 1.0]])).tolist() == [[1.0, 0.0], [0.5, 0.5]]


@pytest.mark.parametrize(("ties", "method"), [("mean", "average"), ("best", "min")])
@pytest.mark.parametrize("shape", [(7,), (3, 5), (2, 3, 4), (1,), (0,), (2, 0)])
def test_ranks_with_ties_are_scipys(shape, ties, method):
    values = np.random.default_rng(0).integers(0, 4, shape).astype(np.float64)
    assert ranked(values, ties=ties).tolist() == rankdata(values, method=method, axis=-1).tolist()
