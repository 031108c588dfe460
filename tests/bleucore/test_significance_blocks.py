"""Blocks of segments and their scores (Papineni et al. 2002, section 3)."""

import math
import re

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bleucore import BleuOptions, InputError, evaluate
from bleucore.metrics.bleu import scores
from bleucore.significance import (
    block_counts,
    blocks_of_documents,
    blocks_of_number,
    blocks_of_size,
    summarise_blocks,
)

SEEDS = st.none() | st.integers(0, 5)


class TestLayouts:
    @pytest.mark.parametrize(
        ("layout", "groups", "sizes"),
        [
            (blocks_of_number(6, 3), [0, 0, 1, 1, 2, 2], [2, 2, 2]),
            (blocks_of_number(7, 3), [0, 0, 1, 1, 2, 2, -1], [2, 2, 2]),
            (blocks_of_number(8, 3, remainder="spread"), [0, 0, 1, 1, 1, 2, 2, 2], [2, 3, 3]),
            (blocks_of_number(5, 1), [0, 0, 0, 0, 0], [5]),
            (blocks_of_number(3, 3), [0, 1, 2], [1, 1, 1]),
            (blocks_of_number(1, 1), [0], [1]),
            (blocks_of_size(7, 2), [0, 0, 1, 1, 2, 2, -1], [2, 2, 2]),
            (blocks_of_size(7, 3, remainder="spread"), [0, 0, 0, 1, 1, 1, 1], [3, 4]),
            (blocks_of_size(7, 7), [0] * 7, [7]),
            (blocks_of_size(7, 5), [0, 0, 0, 0, 0, -1, -1], [5]),
            (blocks_of_size(3, 1), [0, 1, 2], [1, 1, 1]),
        ],
    )
    def test_cut_the_segments_into_neighbours(self, layout, groups, sizes):
        assert layout.groups.tolist() == groups
        assert (layout.n_blocks, layout.n_dropped) == (len(sizes), groups.count(-1))
        assert layout.sizes.tolist() == sizes
        assert (layout.shuffle_seed, layout.documents, layout.unit) == (None, None, "block")
        assert not layout.groups.flags.writeable

    def test_the_papers_500_sentences_are_20_blocks_of_25(self):
        layout = blocks_of_number(500, 20)
        assert layout.groups.tolist() == blocks_of_size(500, 25).groups.tolist()
        assert layout.sizes.tolist() == [25] * 20
        assert layout.groups[[0, 24, 25, 499]].tolist() == [0, 0, 1, 19]

    @given(
        n_segments=st.integers(1, 400),
        wanted=st.integers(1, 400),
        remainder=st.sampled_from(["drop", "spread"]),
        seed=SEEDS,
    )
    def test_take_every_segment_once_but_for_the_dropped_ones(self, n_segments, wanted, remainder, seed):
        assume(wanted <= n_segments)
        by_number = blocks_of_number(n_segments, wanted, remainder=remainder, shuffle_seed=seed)
        by_size = blocks_of_size(n_segments, wanted, remainder=remainder, shuffle_seed=seed)
        assert by_number.n_blocks == wanted
        assert by_size.sizes.min() >= wanted
        for layout in (by_number, by_size):
            assert len(layout.groups) == n_segments
            assert layout.sizes.sum() + layout.n_dropped == n_segments
            assert len(layout.sizes) == layout.n_blocks
            assert np.ptp(layout.sizes) <= (0 if remainder == "drop" else max(1, n_segments % wanted))
            assert layout.n_dropped == 0 or remainder == "drop"
            assert layout.shuffle_seed == seed
            if seed is None:
                assert (np.diff(layout.groups[layout.groups >= 0]) >= 0).all()
                assert (layout.groups[n_segments - layout.n_dropped :] == -1).all()
        assert np.ptp(by_number.sizes) <= 1
        assert by_number.n_dropped < wanted
        assert by_size.n_dropped < wanted

    @given(n_segments=st.integers(1, 300), n_blocks=st.integers(1, 300), seed=st.integers(0, 9))
    def test_that_are_shuffled_hold_as_many_segments_drawn_by_the_seed(self, n_segments, n_blocks, seed):
        assume(n_blocks <= n_segments)
        shuffled = blocks_of_number(n_segments, n_blocks, shuffle_seed=seed)
        in_order = blocks_of_number(n_segments, n_blocks)
        assert sorted(shuffled.groups) == sorted(in_order.groups)
        assert np.array_equal(shuffled.groups, np.random.default_rng(seed).permutation(in_order.groups))

    def test_of_different_seeds_differ(self):
        first, again, second = (blocks_of_size(100, 10, shuffle_seed=seed) for seed in (1, 1, 2))
        assert np.array_equal(first.groups, again.groups)
        assert not np.array_equal(first.groups, second.groups)

    def test_a_seed_below_zero_is_refused(self):
        with pytest.raises(InputError, match="this is not a seed"):
            blocks_of_number(10, 2, shuffle_seed=-1)

    def test_of_documents_gather_their_segments_wherever_they_stand(self):
        layout = blocks_of_documents(["b", "a", "b", "c", "a", "b"])
        assert layout.groups.tolist() == [0, 1, 0, 2, 1, 0]
        assert layout.documents == ("b", "a", "c")
        assert layout.sizes.tolist() == [3, 2, 1]
        assert (layout.n_blocks, layout.n_dropped, layout.unit) == (3, 0, "document")

    def test_of_one_document_are_one_block(self):
        layout = blocks_of_documents(["d"] * 4)
        assert (layout.groups.tolist(), layout.n_blocks) == ([0] * 4, 1)

    def test_of_no_document_are_refused(self):
        with pytest.raises(InputError, match="there is no document"):
            blocks_of_documents([])

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
        assert (found.name, found.mean, found.variance, found.unit) == ("s", 5, 8, "block")
        assert found.standard_deviation == pytest.approx(math.sqrt(8))
        assert not found.scores.flags.writeable

    def test_of_documents_say_so(self):
        counts = np.array([[1, 1], [2, 1], [4, 1]])
        found = summarise_blocks("s", counts, blocks_of_documents(["x", "y", "x"]), lambda summed: summed[:, 0] / 1)
        assert (found.scores.tolist(), found.unit) == ([5, 2], "document")

    def test_of_one_block_have_no_variance(self):
        found = summarise_blocks(
            "s", np.ones((3, 2), np.int64), blocks_of_number(3, 1), lambda summed: summed[:, 0].astype(float)
        )
        assert (found.scores.tolist(), found.mean, found.variance, found.standard_deviation) == ([3], 3, None, None)

    @given(data=st.data())
    @settings(max_examples=60)
    def test_are_sacrebleus_corpus_scores_of_the_blocks(self, make_test_set, corpora, sacrebleu_metric, data):
        hypotheses, references = data.draw(corpora)
        options = data.draw(st.sampled_from([BleuOptions(), BleuOptions("intl", True, 2, "add-k", 0.5, True)]))
        n_segments = len(hypotheses[0])
        make = data.draw(st.sampled_from([blocks_of_number, blocks_of_size]))
        remainder = data.draw(st.sampled_from(["drop", "spread"]))
        wanted = data.draw(st.integers(1, n_segments))
        layout = make(n_segments, wanted, remainder=remainder, shuffle_seed=data.draw(SEEDS))
        evaluation = evaluate(make_test_set(hypotheses, references), options)
        metric = sacrebleu_metric(options)
        for column, result in zip(hypotheses, evaluation.systems.values(), strict=True):
            found = summarise_blocks(result.name, result.counts, layout, lambda counts: scores(counts, options))
            for block in range(layout.n_blocks):
                rows = np.flatnonzero(layout.groups == block)
                expected = metric.corpus_score(
                    [column[row] for row in rows], [[reference[row] for row in rows] for reference in references]
                ).score
                assert found.scores[block] == pytest.approx(expected, abs=1e-9)

    def test_one_block_of_everything_is_the_corpus_score(self, make_test_set):
        evaluation = evaluate(make_test_set([["a b c d", "x y"]], [["a b c d", "x z"]]))
        result = evaluation.systems["0"]
        found = summarise_blocks(
            "0", result.counts, blocks_of_number(2, 1), lambda counts: scores(counts, evaluation.options)
        )
        assert found.scores.tolist() == [result.score.score]

    def test_take_the_scores_of_any_metric(self):
        """A mean of numbers read from a file: counts are sums and numbers, and no whole numbers."""
        counts = np.array([[0.5, 1], [0.25, 1], [-1.5, 1], [0.0, 0]])
        found = summarise_blocks(
            "s", counts, blocks_of_number(4, 2), lambda summed: summed[..., 0] / np.maximum(summed[..., 1], 1)
        )
        assert found.scores.tolist() == [0.375, -1.5]


class TestBlockCounts:
    def test_are_sums_by_block_without_the_segments_left_out(self):
        counts = np.arange(10).reshape(5, 2)
        assert block_counts(counts, blocks_of_size(5, 2)).tolist() == [[2, 4], [10, 12]]
        assert block_counts(counts, blocks_of_documents(list("xyxxy"))).tolist() == [[10, 13], [10, 12]]

    @given(
        counts=st.lists(st.tuples(st.integers(0, 2**40), st.integers(-5, 5)), min_size=1, max_size=40),
        kind=st.sampled_from([np.int64, np.float64]),
        n_blocks=st.integers(1, 40),
        seed=SEEDS,
    )
    def test_are_those_of_a_loop_in_the_same_type(self, counts, kind, n_blocks, seed):
        assume(n_blocks <= len(counts))
        layout = blocks_of_number(len(counts), n_blocks, shuffle_seed=seed)
        found = block_counts(np.array(counts, kind), layout)
        expected = np.zeros((n_blocks, 2), kind)
        for row, group in zip(counts, layout.groups, strict=True):
            if group >= 0:
                expected[group] += row
        assert found.dtype == kind
        assert np.array_equal(found, expected)
