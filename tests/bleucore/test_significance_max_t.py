"""Step-down max-T: by hand, against a plain form of its definition, and what it promises."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleucore.significance import (
    ComparedSystems,
    PairedTestResult,
    SignificanceOptions,
    compare,
    holm,
    step_down_max_t,
)
from bleucore.significance.paired import two_sided


def mean(counts):
    return counts[..., 0] / counts[..., 1]


def system(name, values):
    return name, np.stack([np.asarray(values), np.ones(len(values), int)], axis=1)


def paired_test(name, other, difference, null, *, reason=None):
    null = np.array(null, np.float64)
    return PairedTestResult(
        name=name,
        other=other,
        difference=difference,
        p_value=two_sided(null, difference, rounding=1e-12),
        null_distribution=null,
        interval=None,
        method="approximate-randomisation",
        resamples=len(null),
        seed=1,
        smallest_p_value=1 / (len(null) + 1),
        reason=reason,
        rounding=1e-12,
    )


def by_definition(tests):
    """The corrected p-values of one family, given in the order in which t rises."""
    nulls = np.array([test.null_distribution for test in tests])
    differences = np.array([test.difference for test in tests])
    errors = np.sqrt(((nulls**2).sum(axis=1) + differences**2) / (nulls.shape[1] + 1))
    t, drawn = np.abs(differences) / errors, np.abs(nulls) / errors[:, None]
    reached = [
        (1 + sum(drawn[: place + 1].max(axis=0) >= t[place] - 1e-12)) / (1 + nulls.shape[1]) for place in range(len(t))
    ]
    return [max(reached[place:]) for place in range(len(t))]


class TestStepDownMaxT:
    def test_of_three_pairs_by_hand(self):
        """Nine draws. The squares add up to 10 with the observation for each pair, so that t are 1, 2 and 3.

        A draw of b-c of size 1 or more (itself) is none but ties: all nine of 1, so p = 1. a-c is reached by the draw
        of its own size 2; of the largest of all three, none reaches 3.
        """
        tests = [
            paired_test("b", "c", 1, [1, -1, 1, -1, 1, -1, 1, -1, 1]),
            paired_test("a", "c", 2, [-2, 1, 1, 0, 0, 0, 0, 0, 0]),
            paired_test("a", "b", 3, [1, 0, 0, 0, 0, 0, 0, 0, 0]),
        ]
        assert step_down_max_t(tests) == [1, 0.2, 0.1]

    def test_no_p_value_is_below_that_of_a_larger_t(self):
        """The t are 2 and 2.24. Nothing reaches 2 in the draws of a-b, one draw of a-c reaches 2.24."""
        tests = [paired_test("a", "b", np.sqrt(6), [1] * 9), paired_test("a", "c", 3, [3] + [0] * 8)]
        assert step_down_max_t(tests[:1]) == [0.1]
        assert step_down_max_t(tests) == [0.2, 0.2]

    @given(st.permutations(range(6)), st.integers(0, 10_000))
    def test_is_the_same_in_whatever_order_the_pairs_come(self, order, seed):
        rng = np.random.default_rng(seed)
        tests = [paired_test("a", str(place), rng.normal(0, 2), rng.normal(size=30)) for place in range(6)]
        given_order = step_down_max_t(tests)
        assert step_down_max_t([tests[place] for place in order]) == [given_order[place] for place in order]

    def test_a_small_t_does_not_hold_up_the_others(self):
        """Two draws of ten reach the first pair. It comes before the second by its t, wherever it stands."""
        small = paired_test("a", "b", 1, [1.5, 1.5, 1, 1, 1, 0.5, 0.5, 0.5, 0.5])
        large = paired_test("a", "c", 9, [1, 1, 1, 1, 1, 1, 1, 1, 1])
        assert step_down_max_t([large, small])[0] == step_down_max_t([small, large])[1] == 0.1

    def test_draws_that_take_too_much_memory_are_made_again(self, monkeypatch):
        rng = np.random.default_rng(3)
        tests = [paired_test("a", str(place), rng.normal(0, 3), rng.normal(size=40)) for place in range(9)]
        held = step_down_max_t(tests)
        asked = []

        def again(places):
            asked.append(list(places))
            return [tests[place] for place in places]

        assert (step_down_max_t(tests, again=again), asked) == (held, [])
        monkeypatch.setattr("bleucore.significance.max_t.MOST_BYTES", 40 * 4 * 3)
        assert step_down_max_t(tests, again=again) == held
        assert [sorted(places) for places in asked] == [list(range(9))]

    def test_a_pair_without_a_test_has_p_1_and_holds_up_no_other(self):
        same = paired_test("a", "b", 0, [0, 0, 0, 0], reason="identical")
        far = paired_test("a", "c", 5, [1, 1, 0, 0])
        assert step_down_max_t([same, far]) == [1, far.p_value] == [1, 0.2]

    def test_a_pair_whose_scores_never_differ_has_p_1(self):
        assert step_down_max_t([paired_test("a", "b", 0, [0, 0, 0]), paired_test("a", "c", 5, [1, 0, 0])]) == [1, 0.25]

    def test_pairs_that_never_differ_do_not_part_the_others(self):
        """What came before them still counts."""
        reached = paired_test("a", "b", 3, [3, 0, 0, 0])
        same = [paired_test("a", "c", 0, [0, 0, 0, 0])] * 40
        assert step_down_max_t([reached, *same, paired_test("b", "c", 3, [0, 3, 0, 0])])[-1] == 0.6

    def test_of_no_pair_is_nothing(self):
        assert step_down_max_t([]) == []

    @given(st.integers(0, 10_000), st.integers(2, 8), st.integers(5, 60))
    def test_is_its_definition(self, seed, n_systems, n_draws):
        rng = np.random.default_rng(seed)
        pairs = list(combinations("abcdefgh"[:n_systems], 2))
        scale = rng.uniform(0.1, 10, len(pairs))
        tests = [
            paired_test(*pair, float(size * rng.normal(0, 2)), size * rng.normal(size=n_draws))
            for pair, size in zip(pairs, scale, strict=True)
        ]
        rms = [np.sqrt((t.null_distribution**2).sum() + t.difference**2) for t in tests]
        rising = np.argsort([abs(t.difference) / r for t, r in zip(tests, rms, strict=True)])
        found = np.array(step_down_max_t(iter(tests)))
        assert found[rising].tolist() == by_definition([tests[place] for place in rising])
        assert all(p >= test.p_value for p, test in zip(found, tests, strict=True))


class TestOfACompleteComparison:
    def test_is_its_definition_over_the_draws_of_the_tests(self):
        rng = np.random.default_rng(8)
        shared = rng.normal(0, 9, 120)
        systems = [
            system(f"s{place}", np.round(40 + shared + 0.4 * place + rng.normal(0, 1 + 2 * place, 120)).astype(int))
            for place in range(5)
        ]
        compared = compare(ComparedSystems(systems, mean), SignificanceOptions(trials=400, unit="segment"))
        tests = [compared.null_test(*pair) for pair in compared.pairs]
        tests.sort(key=lambda t: abs(t.difference) / np.sqrt((t.null_distribution**2).sum() + t.difference**2))
        found = [compared.pair(test.name, test.other).corrected_p_value for test in tests]
        by_holm = holm([test.p_value for test in tests])
        assert found == pytest.approx(np.minimum(1.5 * np.array(by_definition(tests)), by_holm))
        assert len(set(found)) > 3

    def test_says_what_memory_its_draws_take(self):
        """Three systems of two counts: 100 resamples of 8 bytes each, and 50 trials of 4 bytes for each count."""
        systems = [system(name, range(place, place + 9)) for place, name in enumerate("abc")]
        compared = compare(ComparedSystems(systems, mean), SignificanceOptions(trials=50, resamples=100))
        assert compared.n_bytes == 3 * 100 * 8 + 3 * 2 * 50 * 4

    def test_finds_more_than_holm_where_systems_hang_together(self):
        """Pairs of nine systems share their systems: Holm takes them for unrelated, the draws know better."""
        n_found = []
        for seed in range(6):
            rng = np.random.default_rng(seed)
            systems = [system(f"s{place}", rng.integers(0, 30, 200) + place // 2) for place in range(9)]
            compared = compare(ComparedSystems(systems, mean), SignificanceOptions(trials=2_000, unit="segment"))
            pairs = list(compared.pairs.values())
            by_holm = holm([pair.p_value for pair in pairs])
            n_found.append((sum(map(compared.is_significant, pairs)), int((by_holm < 0.05).sum())))
        assert all(of_max_t >= of_holm for of_max_t, of_holm in n_found)
        assert sum(of_max_t for of_max_t, _ in n_found) > sum(of_holm for _, of_holm in n_found) > 0


@pytest.mark.thorough
class TestFamilyWiseError:
    """Systems that are equally good: how often is any pair of them called different?"""

    @staticmethod
    def share_with_a_finding(n_systems, n_equal, runs, correction="max-t"):
        """Systems whose segments scatter differently, by up to five times; the last ones are far better."""
        rng = np.random.default_rng(n_systems)
        found = 0
        for run in range(runs):
            common = rng.normal(0, 8, 100)
            spread = np.linspace(2, 10, n_systems)
            values = 50 + common + spread[:, None] * rng.standard_normal((n_systems, 100))
            values[n_equal:] += 30
            systems = [system(f"s{place}", np.round(row).astype(int)) for place, row in enumerate(values)]
            options = SignificanceOptions(trials=199, resamples=50, seed=run, correction=correction)
            compared = compare(ComparedSystems(systems, mean), options)
            equal = set(compared.names[:n_equal])
            found += any(compared.is_significant(pair) for key, pair in compared.pairs.items() if equal.issuperset(key))
        return found / runs

    @pytest.mark.parametrize(("n_systems", "n_equal"), [(6, 6), (8, 5)])
    def test_keeps_the_level_within_three_standard_errors(self, n_systems, n_equal):
        """Of 300 runs, 5 % and three standard errors are 8.8 %; without a correction it would be several times that."""
        assert self.share_with_a_finding(n_systems, n_equal, 300) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 300)

    def test_is_broken_without_a_correction(self):
        assert self.share_with_a_finding(6, 6, 60, correction="none") > 0.2
