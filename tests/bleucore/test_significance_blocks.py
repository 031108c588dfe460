"""Blocks of segments and the paired t-test on their scores (Papineni et al. 2002, section 3)."""

import math
import re

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from bleucore import BleuOptions, InputError, evaluate
from bleucore.bleu import scores
from bleucore.significance import (
    BlockSummary,
    blocks_of_number,
    blocks_of_size,
    paired_t_test,
    summarise_blocks,
)

ONE_BLOCK = "One block has no variance. Choose at least two blocks."
SAME_SCORES = "Both systems have the same score in every block: there is no difference to test."
SAME_DIFFERENCE = "The difference is the same in every block: without variance there is no t."

BLOCK_SCORES = st.floats(0, 100).map(lambda score: round(score, 4))


def summary(name, values):
    values = np.array(values, float)
    return BlockSummary(name, values, float(values.mean()), float(values.var(ddof=1)) if len(values) > 1 else None)


class TestLayouts:
    @pytest.mark.parametrize(
        ("layout", "edges", "n_dropped"),
        [
            (blocks_of_number(6, 3), [0, 2, 4, 6], 0),
            (blocks_of_number(7, 3), [0, 2, 4, 6], 1),
            (blocks_of_number(8, 3, remainder="spread"), [0, 2, 5, 8], 0),
            (blocks_of_number(5, 1), [0, 5], 0),
            (blocks_of_number(3, 3), [0, 1, 2, 3], 0),
            (blocks_of_number(1, 1), [0, 1], 0),
            (blocks_of_size(7, 2), [0, 2, 4, 6], 1),
            (blocks_of_size(7, 3, remainder="spread"), [0, 3, 7], 0),
            (blocks_of_size(7, 7), [0, 7], 0),
            (blocks_of_size(7, 5), [0, 5], 2),
            (blocks_of_size(3, 1), [0, 1, 2, 3], 0),
        ],
    )
    def test_cut_the_segments_into_neighbours(self, layout, edges, n_dropped):
        assert layout.edges.tolist() == edges
        assert (layout.n_dropped, layout.n_blocks) == (n_dropped, len(edges) - 1)
        assert layout.sizes.tolist() == np.diff(edges).tolist()

    def test_the_papers_500_sentences_are_20_blocks_of_25(self):
        assert blocks_of_number(500, 20).edges.tolist() == blocks_of_size(500, 25).edges.tolist()
        assert set(blocks_of_number(500, 20).sizes.tolist()) == {25}

    @given(n_segments=st.integers(1, 400), wanted=st.integers(1, 400), remainder=st.sampled_from(["drop", "spread"]))
    def test_take_every_segment_once_but_for_the_dropped_ones_at_the_end(self, n_segments, wanted, remainder):
        assume(wanted <= n_segments)
        by_number = blocks_of_number(n_segments, wanted, remainder=remainder)
        by_size = blocks_of_size(n_segments, wanted, remainder=remainder)
        assert by_number.n_blocks == wanted
        assert by_size.sizes.min() >= wanted
        for layout in (by_number, by_size):
            assert layout.edges[0] == 0
            assert layout.edges[-1] + layout.n_dropped == n_segments
            assert np.ptp(layout.sizes) <= (0 if remainder == "drop" else max(1, n_segments % wanted))
            assert layout.n_dropped == 0 or remainder == "drop"
        assert np.ptp(by_number.sizes) <= 1
        assert by_number.n_dropped < wanted
        assert by_size.n_dropped < wanted

    @pytest.mark.parametrize(
        ("make", "value", "text"),
        [
            (
                blocks_of_number,
                1_201,
                "this number of blocks does not fit the test set (found 1,201, expected 1 to 1,200, "
                "the number of segments). Choose a smaller one.",
            ),
            (
                blocks_of_number,
                0,
                "this number of blocks does not fit the test set (found 0, expected 1 to 1,200, "
                "the number of segments). Choose a larger one.",
            ),
            (
                blocks_of_size,
                1_201,
                "this block size does not fit the test set (found 1,201, expected 1 to 1,200, "
                "the number of segments). Choose a smaller one.",
            ),
            (
                blocks_of_size,
                -3,
                "this block size does not fit the test set (found -3, expected 1 to 1,200, "
                "the number of segments). Choose a larger one.",
            ),
        ],
    )
    def test_that_do_not_fit_are_refused(self, make, value, text):
        with pytest.raises(InputError, match=f"^{re.escape(text)}$"):
            make(1_200, value)


class TestBlockScores:
    def test_are_scores_of_the_summed_counts_with_their_mean_and_variance(self):
        counts = np.array([[1, 1], [2, 1], [3, 1], [4, 1], [9, 9]])
        found = summarise_blocks("s", counts, blocks_of_size(5, 2), lambda summed: summed[:, 0].astype(float))
        assert found.scores.tolist() == [3, 7]
        assert (found.name, found.mean, found.variance) == ("s", 5, 8)
        assert found.standard_deviation == pytest.approx(math.sqrt(8))

    def test_of_one_block_have_no_variance(self):
        found = summarise_blocks(
            "s", np.ones((3, 2), np.int64), blocks_of_number(3, 1), lambda summed: summed[:, 0].astype(float)
        )
        assert (found.scores.tolist(), found.mean, found.variance, found.standard_deviation) == ([3], 3, None, None)

    @given(data=st.data())
    @settings(max_examples=60, deadline=None)
    def test_are_sacrebleus_corpus_scores_of_the_blocks(self, make_test_set, corpora, sacrebleu_metric, data):
        hypotheses, references = data.draw(corpora)
        options = data.draw(st.sampled_from([BleuOptions(), BleuOptions("intl", True, 2, "add-k", 0.5, True)]))
        n_segments = len(hypotheses[0])
        make = data.draw(st.sampled_from([blocks_of_number, blocks_of_size]))
        remainder = data.draw(st.sampled_from(["drop", "spread"]))
        layout = make(n_segments, data.draw(st.integers(1, n_segments)), remainder=remainder)
        evaluation = evaluate(make_test_set(hypotheses, references), options)
        metric = sacrebleu_metric(options)
        for column, result in zip(hypotheses, evaluation.systems.values(), strict=True):
            found = summarise_blocks(result.name, result.counts, layout, lambda counts: scores(counts, options))
            for block in range(layout.n_blocks):
                rows = slice(layout.edges[block], layout.edges[block + 1])
                expected = metric.corpus_score(column[rows], [reference[rows] for reference in references]).score
                assert found.scores[block] == pytest.approx(expected, abs=1e-9)

    def test_one_block_of_everything_is_the_corpus_score(self, make_test_set):
        evaluation = evaluate(make_test_set([["a b c d", "x y"]], [["a b c d", "x z"]]))
        result = evaluation.systems["0"]
        found = summarise_blocks(
            "0", result.counts, blocks_of_number(2, 1), lambda counts: scores(counts, evaluation.options)
        )
        assert found.scores.tolist() == [result.score.score]


class TestPairedTTest:
    """By hand: differences 1, 0, 2, 1, 3; mean 1.4; variance 1.3; standard error √(1.3 / 5); t(4, 97.5 %) = 2.7764."""

    system = summary("new", [10, 12, 14, 16, 18])
    other = summary("old", [9, 12, 12, 15, 15])

    def test_of_five_blocks_by_hand(self):
        test = paired_t_test(self.system, self.other)
        assert (test.name, test.other, test.degrees_of_freedom, test.reason) == ("new", "old", 4, None)
        assert test.differences.tolist() == [1, 0, 2, 1, 3]
        assert test.mean_difference == pytest.approx(1.4)
        assert test.statistic == pytest.approx(1.4 / math.sqrt(1.3 / 5))
        assert test.interval == pytest.approx((1.4 - 2.776445 * 0.509902, 1.4 + 2.776445 * 0.509902), abs=1e-5)
        root = math.sqrt(test.statistic**2 + 4)  # the t-distribution of 4 degrees of freedom has a closed form
        assert test.p_value == pytest.approx(1 - test.statistic * (test.statistic**2 + 6) / root**3)

    @given(
        pairs=st.lists(st.tuples(BLOCK_SCORES, BLOCK_SCORES), min_size=2, max_size=30),
    )
    @settings(max_examples=200, deadline=None)
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

    def test_the_sign_says_which_system_is_better(self):
        assert paired_t_test(self.system, self.other).statistic > 0
        assert paired_t_test(self.other, self.system).statistic < 0
