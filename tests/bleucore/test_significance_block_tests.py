"""The tests of two systems over the same blocks: paired t, Wilcoxon's signed ranks, signs."""

import math
from collections import Counter
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU
from scipy import stats

from bleucore import System, TestSet, evaluate
from bleucore.metrics.bleu import scores
from bleucore.significance import (
    BlockSummary,
    blocks_of_documents,
    blocks_of_number,
    blocks_of_size,
    critical_t,
    every_block_test,
    paired_t_test,
    sign_test,
    summarise_blocks,
    wilcoxon_test,
)

SAMPLE = Path(__file__).parents[2] / "sample_data"

ONE_BLOCK = "One block has no variance: a t-test takes at least two."
SAME_SCORES = "Both systems have the same score in every block: there is no difference to test."
SAME_DIFFERENCE = "The difference is the same in every block: without variance there is no t."

BLOCK_SCORES = st.floats(0, 100).map(lambda score: round(score, 4))
PAIRS = st.lists(st.tuples(BLOCK_SCORES, BLOCK_SCORES), min_size=1, max_size=30)
WHOLE_DIFFERENCES = st.lists(st.integers(-4, 4), min_size=1, max_size=10)


def summary(name, values, unit="block"):
    values = np.array(values, float)
    variance = float(values.var(ddof=1)) if len(values) > 1 else None
    return BlockSummary(name, values, float(values.mean()), variance, unit)


def every_test_of(differences, unit="block"):
    """The three tests of block scores that differ by this."""
    differences = np.array(differences, float)
    return every_block_test(
        summary("new", 50 + differences, unit), summary("old", np.full(len(differences), 50.0), unit)
    )


class TestPairedTTest:
    """By hand: differences 1, 0, 2, 1, 3; mean 1.4; variance 1.3; standard error √(1.3 / 5); t(4, 97.5 %) = 2.7764."""

    system = summary("new", [10, 12, 14, 16, 18])
    other = summary("old", [9, 12, 12, 15, 15])

    def test_of_five_blocks_by_hand(self):
        test = paired_t_test(self.system, self.other)
        assert (test.name, test.other, test.degrees_of_freedom, test.reason) == ("new", "old", 4, None)
        assert (test.method, test.unit, test.n_blocks, test.remark) == ("block-t", "block", 5, None)
        assert test.differences.tolist() == [1, 0, 2, 1, 3]
        assert (test.n_positive, test.n_negative) == (4, 0)
        assert test.mean_difference == pytest.approx(1.4)
        assert test.statistic == pytest.approx(1.4 / math.sqrt(1.3 / 5))
        assert test.interval == pytest.approx((1.4 - 2.776445 * 0.509902, 1.4 + 2.776445 * 0.509902), abs=1e-5)
        root = math.sqrt(test.statistic**2 + 4)  # the t-distribution of 4 degrees of freedom has a closed form
        assert test.p_value == pytest.approx(1 - test.statistic * (test.statistic**2 + 6) / root**3)

    @given(
        pairs=PAIRS.filter(lambda pairs: len(pairs) > 1),
    )
    @settings(max_examples=80)
    def test_is_scipys_and_turning_the_pair_turns_the_signs(self, pairs):
        first, second = zip(*pairs, strict=True)
        test, turned = (
            paired_t_test(summary("a", first), summary("b", second)),
            paired_t_test(summary("b", second), summary("a", first)),
        )
        assert turned.mean_difference == -test.mean_difference
        assert turned.reason == test.reason
        if test.reason is not None:
            assert (test.statistic, test.p_value, test.interval) == (None, None, None)
            return
        expected = stats.ttest_rel(first, second)
        assert test.statistic == pytest.approx(expected.statistic)
        assert test.p_value == pytest.approx(expected.pvalue)
        low, high = expected.confidence_interval(0.95)
        assert test.interval == pytest.approx((low, high))
        assert np.isfinite([test.statistic, test.p_value, *test.interval]).all()
        assert turned.statistic == pytest.approx(-test.statistic)
        assert turned.p_value == pytest.approx(test.p_value)
        assert turned.interval == pytest.approx((-test.interval[1], -test.interval[0]))

    @pytest.mark.parametrize(
        ("first", "second", "mean", "reason"),
        [
            ([30, 20, 10], [30, 20, 10], 0, SAME_SCORES),
            ([0, 0], [0, 0], 0, SAME_SCORES),
            ([30], [20], 10, ONE_BLOCK),
            ([30], [30], 0, ONE_BLOCK),
            ([31, 21, 11], [30, 20, 10], 1, SAME_DIFFERENCE),
            ([30.0001, 20.0001, 10.0001], [30, 20, 10], 0.0001, SAME_DIFFERENCE),
            ([0.1 + 0.2, 50], [0.3, 50], 0, SAME_SCORES),
            ([0.3, 0.4, 50.1], [0.2, 0.3, 50.0], 0.1, SAME_DIFFERENCE),
        ],
    )
    def test_without_variance_says_why_there_is_no_t(self, first, second, mean, reason):
        test = paired_t_test(summary("a", first), summary("b", second))
        assert test.reason == reason
        assert (test.statistic, test.p_value, test.interval) == (None, None, None)
        assert test.mean_difference == pytest.approx(mean)
        assert test.degrees_of_freedom == len(first) - 1

    def test_of_documents_says_so(self):
        first = summary("a", [30], "document")
        assert paired_t_test(first, first).reason == ONE_BLOCK.replace("block", "document")
        first = summary("a", [30, 31], "document")
        assert paired_t_test(first, first).reason == SAME_SCORES.replace("block", "document")

    @pytest.mark.parametrize("scale", [1e-200, 1e90])
    def test_does_not_depend_on_the_unit_of_the_scores(self, scale):
        first, second = np.array([1.0, 2, 4, 4]), np.array([1.0, 1, 2, 5])
        test = paired_t_test(summary("a", first * scale), summary("b", second * scale))
        expected = stats.ttest_rel(first, second)
        assert test.statistic == pytest.approx(expected.statistic)
        assert test.p_value == pytest.approx(expected.pvalue)
        assert np.array(test.interval) / scale == pytest.approx(expected.confidence_interval(0.95))

    def test_critical_values_are_those_of_the_tables(self):
        assert critical_t(20) == pytest.approx(2.093, abs=5e-4)
        assert critical_t(np.array([2, 5, 21])) == pytest.approx([12.706, 2.776, 2.086], abs=5e-4)
        assert critical_t(20, level=0.1) == pytest.approx(1.729, abs=5e-4)  # one-sided, as in the paper

    def test_the_sign_says_which_system_is_better(self):
        assert paired_t_test(self.system, self.other).statistic > 0
        assert paired_t_test(self.other, self.system).statistic < 0


class TestWilcoxon:
    def test_of_five_blocks_by_hand(self):
        """Ranks 5, 1, 3, 4, 2; W- = 1 + 2. Of the 32 signs, 5 give a sum of 3 or less: p = 2 · 5 / 32."""
        test = wilcoxon_test(summary("a", [55, 49, 53, 54, 48]), summary("b", [50] * 5))
        assert (test.name, test.other, test.method) == ("a", "b", "block-wilcoxon")
        assert (test.statistic, test.p_value, test.interval, test.reason) == (3, 10 / 32, None, None)
        assert test.remark == "With 5 blocks that differ, p cannot fall below 0.062."

    def test_of_five_blocks_with_a_tie_and_one_without_a_difference_by_hand(self):
        """Differences 1, 2, 1, 3 are left, all of one sign, which 2 of 16 signs are."""
        test = wilcoxon_test(TestPairedTTest.system, TestPairedTTest.other)
        assert (test.statistic, test.p_value) == (0, 2 / 16)
        assert test.remark == (
            "1 of 5 blocks shows no difference and is left out. With 4 blocks that differ, p cannot fall below 0.12."
        )

    @given(pairs=PAIRS)
    @settings(max_examples=80)
    def test_is_scipys_of_the_blocks_that_differ(self, pairs):
        first, second = np.array(pairs).T
        test = wilcoxon_test(summary("a", first), summary("b", second))
        differences = np.round(first - second, 4)
        differing = differences[differences != 0]
        if not len(differing):
            assert (test.reason, test.statistic, test.p_value) == (SAME_SCORES, None, None)
            return
        expected = stats.wilcoxon(differing, method="exact")
        assert test.statistic == expected.statistic
        if len(set(np.abs(differing))) == len(differing):
            assert test.p_value == pytest.approx(expected.pvalue)
        assert 2.0 ** (1 - len(differing)) <= test.p_value <= 1

    @given(differences=WHOLE_DIFFERENCES)
    @settings(max_examples=60)
    def test_of_few_blocks_counts_all_signs_also_where_differences_are_equally_large(self, differences):
        test = every_test_of(differences)[1]
        differing = np.array([value for value in differences if value])
        if not len(differing):
            assert test.reason == SAME_SCORES
            return
        ranks = stats.rankdata(np.abs(differing))
        signs = np.array(list(product([-1, 1], repeat=len(differing))))
        observed = abs((ranks * np.sign(differing)).sum())
        assert test.p_value == pytest.approx(np.mean(np.abs(signs @ ranks) >= observed))

    def test_with_shared_ranks_is_scipys_where_that_is_exact(self):
        differences = np.array([1, 1, 2, -1, 3, 3, -2, 5, 1, 4])
        assert every_test_of(differences)[1].p_value == pytest.approx(stats.wilcoxon(differences).pvalue)

    @pytest.mark.parametrize("n_blocks", [60, 400])
    def test_of_many_blocks_is_scipys_normal_approximation(self, n_blocks):
        differences = np.round(np.random.default_rng(2).normal(0.2, 1, n_blocks), 1)
        differing = differences[differences != 0]
        test, expected = every_test_of(differences)[1], stats.wilcoxon(differing, method="asymptotic")
        assert (test.statistic, test.p_value) == (expected.statistic, pytest.approx(expected.pvalue))

    def test_is_exact_up_to_fifty_blocks_and_nearly_the_same_beyond(self):
        differences = np.arange(1, 51) * np.where(np.arange(50) % 3, 1, -1)
        exact = every_test_of(differences)[1].p_value
        assert exact == pytest.approx(stats.wilcoxon(differences, method="exact").pvalue)
        assert every_test_of([*differences, 51])[1].p_value == pytest.approx(exact, rel=0.5)

    @pytest.mark.parametrize("n_differing", [49, 50, 51])
    def test_with_shared_ranks_is_exact_up_to_fifty_differences(self, n_differing):
        """Blocks of equal scores do not count. Exact: all ways to sign the ranks 1, 2, 3, ... twice each, counted."""
        sizes = np.repeat(np.arange(1, 27), 2)[:n_differing]
        differences = sizes * np.where(np.arange(n_differing) % 3, 1, -1)
        found = every_test_of([*differences, 0, 0])[1]
        ranks = [round(2 * rank) for rank in stats.rankdata(sizes)]
        ways = Counter({0: 1})
        for rank in ranks:
            ways += Counter({total + rank: number for total, number in ways.items()})
        exact = 2 * sum(number for total, number in ways.items() if total <= 2 * found.statistic) / 2**n_differing
        if n_differing <= 50:
            assert found.p_value == pytest.approx(exact, rel=1e-9)
        else:
            assert found.p_value == pytest.approx(stats.wilcoxon(differences, method="asymptotic").pvalue)
            assert found.p_value != pytest.approx(exact, rel=1e-4)

    def test_differences_that_only_rounding_keeps_apart_share_a_rank(self):
        test = wilcoxon_test(summary("a", [0.3, 0.4, 50.1, 3]), summary("b", [0.2, 0.3, 50.0, 3.1]))
        assert test.statistic == 2.5


class TestSignTest:
    def test_of_five_blocks_by_hand(self):
        """Three of five: 10 + 5 + 1 of 32 outcomes are at least as many, and as many on the other side."""
        test = sign_test(summary("a", [55, 49, 53, 54, 48]), summary("b", [50] * 5))
        assert (test.method, test.statistic, test.p_value, test.interval) == ("block-sign", 3, 1, None)
        ahead = sign_test(TestPairedTTest.system, TestPairedTTest.other)
        assert (ahead.statistic, ahead.p_value) == (4, 2 / 16)
        assert ahead.remark.startswith("1 of 5 blocks shows no difference and is left out. With 4 blocks")

    @given(differences=st.lists(st.integers(-1, 1), min_size=1, max_size=60))
    def test_counts_the_outcomes_of_even_odds(self, differences):
        test = every_test_of(differences)[2]
        n_positive, n_differing = differences.count(1), len(differences) - differences.count(0)
        if not n_differing:
            assert (test.reason, test.statistic, test.p_value) == (SAME_SCORES, None, None)
            return
        fewer = min(n_positive, n_differing - n_positive)
        outcomes = 2 * sum(math.comb(n_differing, number) for number in range(fewer + 1))
        assert test.statistic == n_positive
        assert test.p_value == pytest.approx(min(1, outcomes / 2**n_differing))


class TestEveryTest:
    @given(pairs=PAIRS)
    @settings(max_examples=80)
    def test_has_a_p_value_or_a_reason_and_turning_the_pair_changes_neither(self, pairs):
        first, second = (summary(name, values) for name, values in zip("ab", zip(*pairs, strict=True), strict=True))
        for test, turned in zip(every_block_test(first, second), every_block_test(second, first), strict=True):
            assert (test.p_value is None) == (test.statistic is None) == (test.reason is not None)
            if test.p_value is not None:
                assert 0 < test.p_value <= 1
                assert math.isfinite(test.statistic)
                assert turned.p_value == pytest.approx(test.p_value)
            assert (turned.reason, turned.remark) == (test.reason, test.remark)
            assert (test.n_positive, test.n_negative) == (turned.n_negative, turned.n_positive)
            assert not test.differences.flags.writeable

    @pytest.mark.parametrize("n_blocks", [2, 14, 50, 51, 3000])
    def test_of_a_system_that_always_wins_has_no_p_value_of_zero(self, n_blocks):
        t_test, wilcoxon, signs = every_test_of(1 + np.arange(n_blocks) * 1e-6)
        for test in (t_test, wilcoxon, signs):
            assert 0 < test.p_value <= 0.5
        assert (signs.statistic, wilcoxon.statistic) == (n_blocks, 0)
        assert t_test.p_value < 1e-5
        assert signs.p_value == pytest.approx(max(2.0 ** (1 - n_blocks), np.finfo(float).tiny))

    def test_of_a_system_that_always_wins_by_the_same_amount_leaves_t_out_and_decides_by_signs(self):
        t_test, wilcoxon, signs = every_test_of([2.0] * 8)
        assert (t_test.reason, t_test.p_value) == (SAME_DIFFERENCE, None)
        assert wilcoxon.p_value == signs.p_value == 2 / 256

    def test_of_one_block_shows_nothing(self):
        t_test, wilcoxon, signs = every_test_of([3.0])
        assert t_test.reason == ONE_BLOCK
        for test in (wilcoxon, signs):
            assert (test.p_value, test.remark) == (1, "With 1 block that differs, p cannot fall below 1.")

    def test_of_documents_calls_them_documents(self):
        _, wilcoxon, signs = every_test_of([3.0, -1.0, 0.0], "document")
        for test in (wilcoxon, signs):
            assert test.remark == (
                "1 of 3 documents shows no difference and is left out. "
                "With 2 documents that differ, p cannot fall below 0.5."
            )
            assert test.unit == "document"
        assert every_test_of([0.0], "document")[2].reason == SAME_SCORES.replace("block", "document")


@pytest.fixture(scope="module")
def texts():
    """The files of the sample comparison by name."""
    return {path.stem: path.read_text(encoding="utf-8").split("\n")[:216] for path in SAMPLE.glob("*.txt")}


class TestSampleData:
    """Table 2 of the paper made from the sample comparison, against sacreBLEU and SciPy."""

    @pytest.mark.parametrize(
        "make",
        [
            lambda texts: blocks_of_number(216, 20),
            lambda texts: blocks_of_size(216, 25),
            lambda texts: blocks_of_size(216, 25, remainder="spread", shuffle_seed=3),
            lambda texts: blocks_of_documents(texts["documents"]),
        ],
    )
    def test_means_variances_and_t_against_the_left_neighbour(self, texts, make):
        names = ["human", "literal", "fluent", "online"]
        references = [texts["reference-A"], texts["reference-B"]]
        layout = make(texts)
        evaluation = evaluate(TestSet([System(name, texts[name]) for name in names], references))
        left = expected_left = None
        for name in names:
            result = evaluation.systems[name]
            found = summarise_blocks(name, result.counts, layout, lambda counts: scores(counts, evaluation.options))
            expected = []
            for block in range(layout.n_blocks):
                rows = np.flatnonzero(layout.groups == block)
                hypotheses = [texts[name][row] for row in rows]
                expected.append(
                    BLEU().corpus_score(hypotheses, [[ref[row] for row in rows] for ref in references]).score
                )
            assert found.scores == pytest.approx(expected, abs=1e-9)
            assert found.mean == pytest.approx(np.mean(expected))
            assert found.variance == pytest.approx(np.var(expected, ddof=1))
            if left is not None:
                test, oracle = paired_t_test(found, left), stats.ttest_rel(expected, expected_left)
                assert (test.statistic, test.p_value) == pytest.approx((oracle.statistic, oracle.pvalue))
            left, expected_left = found, expected
