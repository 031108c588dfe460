"""How t depends on the choice of blocks: over random layouts and over block sizes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from bleucore import InputError
from bleucore.significance import (
    block_sizes,
    blocks_of_documents,
    blocks_of_number,
    blocks_of_size,
    paired_t_test,
    summarise_blocks,
    t_over_layouts,
    t_over_sizes,
)

ONE_BLOCK = "One block has no variance: a t-test takes at least two."
SAME_SCORES = "Both systems have the same score in every block: there is no difference to test."


def ratio(counts):
    """A score that is no sum over segments: 100 · matches / length."""
    return 100 * counts[..., 0] / np.maximum(counts[..., 1], 1)


def systems(n_segments, n_systems=2, seed=0):
    generator = np.random.default_rng(seed)
    lengths = generator.integers(5, 30, n_segments)
    columns = [generator.binomial(lengths, 0.4 + 0.03 * index) for index in range(n_systems)]
    return [(f"s{index}", np.column_stack([column, lengths])) for index, column in enumerate(columns)]


def one_t(compared, layout):
    """The t-test of the second system against the first."""
    first, second = (summarise_blocks(name, counts, layout, ratio) for name, counts in compared)
    return paired_t_test(second, first)


class TestLayouts:
    def test_of_four_segments_by_hand(self):
        """Two blocks of two: the differences 1, 2, 3, 4 can be paired in three ways, with t = 2.5 / (h / 2) each."""
        compared = [("old", np.zeros((4, 1))), ("new", np.array([[1.0], [2], [3], [4]]))]
        (study,) = t_over_layouts(compared, blocks_of_number(4, 2), lambda counts: counts[..., 0] / 2, layouts=50)
        assert (study.name, study.other, study.n_blocks, study.n_layouts, study.seed) == ("new", "old", 2, 50, 12345)
        assert sorted(set(np.round(study.statistics, 6))) == pytest.approx([2.5, 5])  # means 1.5, 3.5 and 2, 3
        assert len(study.statistics) < 50  # those of 2.5 and 2.5 have no variance
        assert (study.n_beyond(), study.n_beyond(0.5), study.reason) == (0, len(study.statistics), None)

    def test_are_the_shuffled_blocks_one_after_the_other(self):
        compared = systems(101)
        (study,) = t_over_layouts(compared, blocks_of_number(101, 10), ratio, layouts=5, seed=7)
        assert study.statistics[0] == pytest.approx(
            one_t(compared, blocks_of_number(101, 10, shuffle_seed=7)).statistic
        )
        generator = np.random.default_rng(7)
        in_order = blocks_of_number(101, 10).groups
        for statistic in study.statistics:
            groups = generator.permutation(in_order)
            scores = [
                [ratio(counts[groups == block].sum(axis=0)) for block in range(10)] for _, counts in reversed(compared)
            ]
            assert statistic == pytest.approx(stats.ttest_rel(*scores).statistic)

    def test_of_documents_draw_as_many_segments_as_each_document_has(self):
        compared = systems(60)
        documents = [f"d{place % 7 % 4}" for place in range(60)]
        (study,) = t_over_layouts(compared, blocks_of_documents(documents), ratio, layouts=3, seed=1)
        groups = np.random.default_rng(1).permutation(blocks_of_documents(documents).groups)
        scores = [
            [ratio(counts[groups == block].sum(axis=0)) for block in range(4)] for _, counts in reversed(compared)
        ]
        assert study.statistics[0] == pytest.approx(stats.ttest_rel(*scores).statistic)
        assert study.n_blocks == 4

    def test_all_systems_share_the_layouts(self):
        compared = systems(80, 4)
        together = t_over_layouts(compared, blocks_of_number(80, 8), ratio, baseline=2, layouts=20)
        assert [(study.name, study.other) for study in together] == [("s0", "s2"), ("s1", "s2"), ("s3", "s2")]
        for study, index in zip(together, (0, 1, 3), strict=True):
            pair = [compared[2], compared[index]]
            (alone,) = t_over_layouts(pair, blocks_of_number(80, 8), ratio, layouts=20)
            assert study.statistics == pytest.approx(alone.statistics)

    def test_count_those_beyond_the_critical_value_on_either_side(self):
        compared = systems(200)
        (study,) = t_over_layouts(compared, blocks_of_number(200, 20), ratio)
        (turned,) = t_over_layouts(compared[::-1], blocks_of_number(200, 20), ratio)
        assert study.n_beyond() == turned.n_beyond() == np.count_nonzero(np.abs(study.statistics) > 2.093024)
        assert 0 < study.n_beyond(0.01) < study.n_beyond() <= 200
        assert turned.statistics == pytest.approx(-study.statistics)
        assert not study.statistics.flags.writeable

    def test_of_seeds_are_the_same_or_others(self):
        compared, layout = systems(100), blocks_of_number(100, 10)
        first, again, other = (
            t_over_layouts(compared, layout, ratio, layouts=10, seed=seed)[0].statistics for seed in (1, 1, 2)
        )
        assert np.array_equal(first, again)
        assert not np.array_equal(first, other)

    def test_of_identical_systems_say_why_there_is_no_t(self):
        counts = systems(20)[0][1]
        (study,) = t_over_layouts([("a", counts), ("b", counts)], blocks_of_number(20, 4), ratio, layouts=5)
        assert (study.statistics.tolist(), study.n_beyond(), study.reason) == ([], 0, SAME_SCORES)

    def test_of_one_block_say_why_there_is_no_t(self):
        (study,) = t_over_layouts(systems(20), blocks_of_number(20, 1), ratio, layouts=5)
        assert (len(study.statistics), study.n_beyond(), study.reason) == (0, 0, ONE_BLOCK)

    @pytest.mark.parametrize(
        ("changes", "text"),
        [
            ({"layouts": 0}, "this number of layouts is too small"),
            ({"seed": -1}, "this is not a seed"),
            ({"baseline": 2}, "there is no such baseline"),
        ],
    )
    def test_that_cannot_be_drawn_are_refused(self, changes, text):
        with pytest.raises(InputError, match=text):
            t_over_layouts(systems(20), blocks_of_number(20, 4), ratio, **changes)

    def test_of_one_system_are_refused(self):
        with pytest.raises(InputError, match="nothing to compare"):
            t_over_layouts(systems(20, 1), blocks_of_number(20, 4), ratio)

    def test_do_not_change_with_the_memory_they_may_take(self, monkeypatch):
        compared = systems(50, 3)
        plenty = t_over_layouts(compared, blocks_of_size(50, 5), ratio, layouts=5)
        monkeypatch.setattr("bleucore.significance.block_studies.BATCH_BYTES", 1)
        scarce = t_over_layouts(compared, blocks_of_size(50, 5), ratio, layouts=5)
        for study, same in zip(plenty, scarce, strict=True):
            assert np.array_equal(study.statistics, same.statistics)


class TestSizes:
    def test_are_about_equal_steps_with_the_papers_25_among_them(self):
        assert block_sizes(500).tolist() == [*range(1, 7), 8, 10, 13, 16, 20, 25, 32, 40, 50, 63, 79, 100]

    @given(n_segments=st.integers(1, 100_000))
    def test_leave_at_least_five_blocks(self, n_segments):
        sizes = block_sizes(n_segments)
        assert (np.diff(sizes) > 0).all()
        assert all(n_segments // size >= 5 for size in sizes)
        assert len(sizes) == 0 or (sizes[0] == 1 and sizes[-1] * 1.7 + 1 > n_segments // 5)
        assert (len(sizes) == 0) == (n_segments < 5)

    @pytest.mark.parametrize("seed", [None, 3])
    def test_have_the_t_of_blocks_of_that_size(self, seed):
        compared = systems(123)
        (study,) = t_over_sizes(compared, ratio, shuffle_seed=seed)
        assert (study.name, study.other, study.shuffle_seed, study.reason) == ("s1", "s0", seed, None)
        assert study.sizes.tolist() == block_sizes(123).tolist()
        for index, size in enumerate(study.sizes):
            test = one_t(compared, blocks_of_size(123, int(size), shuffle_seed=seed))
            assert study.statistics[index] == pytest.approx(test.statistic)
            assert study.p_values[index] == pytest.approx(test.p_value)
            assert study.mean_differences[index] == pytest.approx(test.mean_difference)
            assert study.n_blocks[index] == test.n_blocks == 123 // size
            assert study.critical_values()[index] == pytest.approx(stats.t.ppf(0.975, 123 // size - 1))
            assert study.critical_values(0.1)[index] == pytest.approx(stats.t.ppf(0.95, 123 // size - 1))

    def test_at_which_there_is_no_t_are_left_out(self):
        """A difference that is the same in all segments but two neighbours, which cancel in every larger block."""
        counts = np.column_stack([np.r_[1.0, 3, [2] * 18], np.ones(20)])
        baseline = np.column_stack([np.zeros(20), np.ones(20)])
        (study,) = t_over_sizes([("a", baseline), ("b", counts)], ratio)
        assert study.sizes.tolist() == [1]
        assert len(study.statistics) == len(study.p_values) == len(study.critical_values()) == 1

    @given(n_segments=st.integers(1, 40), same=st.booleans())
    @settings(max_examples=40)
    def test_are_numbers_or_have_a_reason(self, n_segments, same):
        compared = systems(n_segments)
        compared = [compared[0], ("again", compared[0][1])] if same else compared
        (study,) = t_over_sizes(compared, ratio)
        columns = (study.sizes, study.n_blocks, study.mean_differences, study.statistics, study.p_values)
        assert {len(column) for column in columns} == {len(study.statistics)}
        assert all(np.isfinite(column).all() and not column.flags.writeable for column in columns)
        assert (study.p_values > 0).all()
        assert (study.reason is None) == bool(len(study.statistics))
        if n_segments < 5:
            assert study.reason == "5 blocks take at least 5 segments."
        elif same:
            assert study.reason == SAME_SCORES

    def test_of_all_systems_are_those_of_each_pair(self):
        compared = systems(60, 3)
        together = t_over_sizes(compared, ratio, baseline=1)
        assert [(study.name, study.other) for study in together] == [("s0", "s1"), ("s2", "s1")]
        (alone,) = t_over_sizes([compared[1], compared[2]], ratio)
        assert together[1].statistics == pytest.approx(alone.statistics)
