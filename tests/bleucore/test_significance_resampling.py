"""Paired bootstrap and approximate randomisation of any score of summed counts."""

import itertools
import math
import re
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.significance import PairedTest, estimate_ci
from scipy import stats

from bleucore import BleuOptions, InputError, System, TestSet, evaluate
from bleucore.metrics.bleu import scores
from bleucore.significance import (
    Bootstrap,
    approximate_randomisation,
    bootstrap,
    bootstrap_scores,
    draws,
    effective_number,
    every_exchange,
    expanded_interval,
    paired_bootstrap,
    percentile_interval,
    randomise,
    sacrebleu_bootstrap,
)
from bleucore.significance.randomisation import BLOCK_DRAWS
from bleucore.significance.randomisation import randomisation_tests as of_pairs

WORDS = [f"w{number}" for number in range(40)]


def mean(counts):
    """The simplest score of summed counts: [sum, number]."""
    return counts[..., 0] / counts[..., 1]


def bleu_like(counts):
    """A score that is not linear in its three counts."""
    return 100 * np.sqrt(counts[..., 0] / counts[..., 1]) * np.minimum(1, counts[..., 2] / counts[..., 1])


def counts_of(*values):
    return np.column_stack([values, np.ones(len(values), np.array(values).dtype)])


def named(*columns):
    return [(f"s{index}", np.asarray(column)) for index, column in enumerate(columns)]


def random_counts(seed, n_systems, n_segments, n_counts=3, high=50):
    rng = np.random.default_rng(seed)
    return list(rng.integers(1, high, size=(n_systems, n_segments, n_counts)))


def drawn_by_hand(whole, resampled, n_units=10):
    names = tuple(f"s{index}" for index in range(len(whole)))
    return Bootstrap(names, np.array(whole, float), np.array(resampled, float), 5, n_units, "segment")


@pytest.fixture(scope="module")
def made_texts():
    """A reference of 60 segments and four systems: three that replace words at random, and a copy of the first."""
    rng = np.random.default_rng(3)
    reference = [[WORDS[i] for i in rng.integers(0, 40, rng.integers(4, 25))] for _ in range(60)]

    def system(rate):
        return [" ".join(w if rng.random() > rate else WORDS[rng.integers(40)] for w in words) for words in reference]

    texts = {"base": system(0.25), "near": system(0.26), "far": system(0.34)}
    return {**texts, "copy": list(texts["base"])}, [" ".join(words) for words in reference]


@pytest.fixture(scope="module")
def evaluated(made_texts):
    systems, reference = made_texts
    evaluation = evaluate(TestSet([System(name, column) for name, column in systems.items()], [reference]))
    return [(result.name, result.counts) for result in evaluation.systems.values()]


@pytest.fixture(scope="module")
def null_pairs():
    """300 pairs of systems whose 60 segments differ by chance alone."""
    rng = np.random.default_rng(2)
    quality = rng.normal(500, 150, (300, 1, 60))
    values = (quality + rng.normal(0, 60, (300, 2, 60))).astype(np.int64)
    return [named(counts_of(*first), counts_of(*second)) for first, second in values]


@pytest.fixture(scope="module")
def drawn_pairs(null_pairs):
    """The 300 pairs on shared resamples."""
    columns = [counts for pair in null_pairs for _, counts in pair]
    whole = np.array([mean(counts.sum(axis=0)) for counts in columns]).reshape(300, 2)
    resampled = bootstrap_scores(columns, mean, resamples=400).reshape(300, 2, 400)
    return [drawn_by_hand(*pair, n_units=60) for pair in zip(whole, resampled, strict=True)]


def randomisation_tests(systems, score, *, baseline=0, **arguments):
    return approximate_randomisation(randomise(systems, score, **arguments), baseline=baseline)


def in_double(counts):
    return mean(counts.astype(np.float64))


def bleu(counts):
    return scores(counts, BleuOptions())


def sacrebleu_test(made_texts, kind, n_samples, monkeypatch, seed="12345"):
    monkeypatch.setenv("SACREBLEU_SEED", seed)
    systems, reference = made_texts
    metric = BLEU(references=[reference])
    return PairedTest(list(systems.items()), {"BLEU": metric}, None, test_type=kind, n_samples=n_samples)()[1]["BLEU"]


class TestPercentileInterval:
    def test_of_ten_scores_is_their_range(self):
        assert percentile_interval(np.array([3.0, 9, 1, 5, 7, 2, 8, 4, 6, 0])) == (0, 9)

    @pytest.mark.parametrize(
        ("level", "low", "high"), [(0.95, 25, 974), (0.9, 50, 949), (0.99, 5, 994), (0.5, 250, 749)]
    )
    def test_of_a_thousand_cuts_the_same_number_off_both_ends(self, level, low, high):
        shuffled = np.random.default_rng(0).permutation(1000).astype(float)
        assert percentile_interval(shuffled, level) == (low, high)

    def test_of_one_score_is_that_score(self):
        assert percentile_interval(np.array([4.5])) == (4.5, 4.5)

    def test_ends_are_those_of_sacrebleu_for_any_number_of_scores(self):
        for n in range(1, 1500):
            low, high = percentile_interval(np.arange(n, dtype=float) ** 2)
            assert (high - low) / 2 == estimate_ci(np.arange(n, dtype=float) ** 2)[1]

    @pytest.mark.parametrize("level", [0, 1, -0.5, 95, math.nan])
    def test_refuses_a_level_that_is_none(self, level):
        problem = f"this is not the level of an interval (found {level}, expected a number between 0 and 1)."
        text = f"{problem} Choose 0.95, say."
        with pytest.raises(InputError, match=f"^{re.escape(text)}$"):
            percentile_interval(np.ones(3), level)

    def test_refuses_no_scores(self):
        with pytest.raises(InputError, match=re.escape("an interval needs scores (found 0, expected at least 1).")):
            percentile_interval(np.array([]))


class TestExpandedInterval:
    @pytest.mark.parametrize(("n_units", "low"), [(2, 0), (20, 15), (100, 23), (2000, 24)])
    def test_of_a_thousand_cuts_fewer_off_the_fewer_units_there_are(self, n_units, low):
        """Of 20 units: t is 2.0930 with 19 degrees of freedom, times sqrt(20 / 19) 2.1474, and Phi(-2.1474) .01588."""
        shuffled = np.random.default_rng(0).permutation(1000).astype(float)
        assert expanded_interval(shuffled, n_units) == (low, 999 - low)

    def test_of_a_mean_is_about_students_interval(self):
        """Of 12 values, where plain percentiles are 13 % narrower."""
        values = np.random.default_rng(3).normal(10, 2, 12)
        counts = np.column_stack([values, np.ones(12)])
        (resampled,) = bootstrap_scores([counts], mean, resamples=20_000)
        low, high = expanded_interval(resampled, 12)
        half = stats.t.ppf(0.975, 11) * values.std(ddof=1) / np.sqrt(12)
        assert (high - low) / 2 == pytest.approx(half, rel=0.04)
        narrow = percentile_interval(resampled)
        assert narrow[1] - narrow[0] < 0.9 * (high - low)

    @pytest.mark.thorough
    def test_of_units_of_unequal_size_is_that_of_fewer(self):
        """Sizes 1, 1, 1 and 3 are worth 36 / 12 = 3 units: t has 2 degrees of freedom, and is 4.3027 times 1.1547."""
        scores = np.random.default_rng(0).permutation(10_000_000).astype(float)
        share = stats.norm.cdf(-4.3027 * np.sqrt(4 / 3))
        worth = effective_number(np.array([1, 1, 1, 3]))
        assert worth == 3
        low, high = expanded_interval(scores, 4, n_effective=worth)
        assert low == 9_999_999 - high == pytest.approx(share * 10_000_000, abs=2)

    def test_refuses_one_unit(self):
        text = re.escape("an interval needs units to draw (found 1, expected at least 2).")
        with pytest.raises(InputError, match=text):
            expanded_interval(np.ones(3), 1)


class TestBootstrapScores:
    def test_first_indices_are_sacrebleus(self):
        """Of seed 12345 and 77 segments; a count of its own for each segment tells how often it was drawn."""
        first = [53, 17, 60, 24, 15, 61, 49, 52]
        expected = np.random.default_rng(12345).choice(77, size=(1, 77), replace=True)[0]
        assert expected[:8].tolist() == first
        counts = np.eye(77, dtype=np.int64)
        seen = []
        bootstrap_scores([counts], lambda sums: seen.append(sums) or sums[..., 0], resamples=1)
        assert seen[0][0, 0].tolist() == np.bincount(expected, minlength=77).tolist()

    @pytest.mark.parametrize("dtype", [np.int64, np.int32, np.uint8, np.float64, np.float32])
    def test_are_scores_of_the_gathered_counts(self, dtype):
        columns = [column.astype(dtype) for column in random_counts(1, 3, 13)]
        found = bootstrap_scores(columns, lambda sums: sums @ [1.0, 10.0, 1000.0], resamples=50, seed=9)
        indices = np.random.default_rng(9).choice(13, size=(50, 13), replace=True)
        expected = [column[indices].astype(np.int64).sum(axis=1) @ [1, 10, 1000] for column in columns]
        assert found.tolist() == np.array(expected, float).tolist()

    def test_of_one_segment_are_its_score(self):
        assert bootstrap_scores([counts_of(7), counts_of(4)], mean, resamples=3).tolist() == [[7] * 3, [4] * 3]

    def test_approach_the_share_of_every_possible_resample(self):
        """Three segments have 27 equally likely resamples; the mean of 0, 1 and 5."""
        found = bootstrap_scores([counts_of(0, 1, 5)], mean, resamples=27_000)[0]
        exact = [sum(values) / 3 for values in itertools.product([0, 1, 5], repeat=3)]
        for value in set(exact):
            share = exact.count(value) / 27
            assert (found == value).mean() == pytest.approx(share, abs=4 * math.sqrt(share / 27_000))

    @pytest.mark.parametrize(("batch_bytes", "batch"), [(1, 1), (20_000, 7)])
    def test_do_not_depend_on_the_batches(self, monkeypatch, batch_bytes, batch):
        columns = random_counts(2, 2, 37)
        whole = bootstrap_scores(columns, mean, resamples=100)
        shares = []
        monkeypatch.setattr(draws, "BATCH_BYTES", batch_bytes)
        assert bootstrap_scores(columns, mean, resamples=100, progress=shares.append).tolist() == whole.tolist()
        assert shares == [min(done, 100) / 100 for done in range(batch, 100 + batch, batch)]

    @pytest.mark.parametrize(("n_segments", "n_systems", "n_counts"), [(128, 1, 128), (129, 43, 3), (300, 2, 150)])
    def test_do_not_depend_on_the_tiles(self, n_segments, n_systems, n_counts):
        columns = random_counts(3, n_systems, n_segments, n_counts)
        found = bootstrap_scores(columns, lambda sums: sums @ np.arange(n_counts), resamples=33)
        indices = np.random.default_rng(12345).integers(0, n_segments, size=(33, n_segments))
        expected = [column[indices].sum(axis=1) @ np.arange(n_counts) for column in columns]
        assert found.tolist() == np.array(expected, float).tolist()

    def test_do_not_depend_on_what_one_count_says_of_another(self):
        """A count that is another less a constant, but in two units; one constant; one that is nearly nothing."""
        rng = np.random.default_rng(6)
        lengths, matches = rng.integers(4, 40, (2, 64, 3))
        totals = lengths - 3
        totals[[5, 60]] += 1
        nothing = np.zeros_like(lengths)
        nothing[9, 1] = 2
        counts = np.stack([lengths, np.full_like(lengths, 7), matches, totals, nothing, lengths], axis=2)
        known = draws.factors(counts, 1e4)
        assert known.given_by == (0, None, 1, 0, None, 0)
        assert (known.units.tolist(), known.differing, known.columns.shape) == ([5, 9, 60], (3, 4), (128, 3 * 2 + 1))
        generator = np.random.default_rng(7)
        weights = draws.no_weights(40, known)
        weights[:40, :64] = drawn = generator.integers(3, size=(40, 64))
        expected = np.einsum("bs,skc->kcb", drawn, counts)
        assert draws.weighted_sums(weights, known)[..., :40].tolist() == expected.tolist()

    @pytest.mark.parametrize("value", [2**24 + 1, 2**50 + 1])
    def test_are_exact_for_large_counts(self, value):
        counts = np.array([[value], [value - 2], [3]])
        found = bootstrap_scores([counts], lambda sums: sums[..., 0], resamples=40)[0]
        indices = np.random.default_rng(12345).integers(0, 3, size=(40, 3))
        assert [int(score) for score in found] == counts[indices, 0].sum(axis=1).tolist()

    @pytest.mark.parametrize("sign", [1, -1])
    def test_refuse_counts_too_large_to_be_exact(self, sign):
        text = "the counts are too large to be added exactly (found sums of up to 1.8e+16, expected below 9.01e+15)."
        with pytest.raises(InputError, match=f"^{re.escape(text)}$"):
            bootstrap_scores([np.array([[sign * 2**53], [1]])], mean)

    def test_are_read_only_and_leave_the_counts_alone(self):
        counts = counts_of(1, 2, 3)
        before = counts.copy()
        assert not bootstrap_scores([counts], mean, resamples=5).flags.writeable
        assert counts.tolist() == before.tolist()

    @pytest.mark.thorough
    def test_bound_their_memory(self):
        """All indices of 200,000 segments and 256 resamples at once would take 400 MB; the counts alone take 80."""
        column = np.ones((200_000, 10), np.int64)
        tracemalloc.start()
        bootstrap_scores([column] * 5, mean, resamples=256)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < 300e6

    @pytest.mark.parametrize(
        ("columns", "arguments", "text"),
        [
            ([], {}, "there is no system. Give the counts of at least one."),
            (
                [np.ones((2, 3)), np.ones((3, 3))],
                {},
                "System 'number 2': the counts have another shape than those of the first system "
                "(found 3 segments of 3 counts, expected 2 segments of 3 counts). "
                "Score all systems on the same segments with the same options.",
            ),
            (
                [np.ones(4)],
                {},
                "System 'number 1': these are not counts "
                "(found float64 of 1 axes, expected numbers in rows of segments).",
            ),
            (
                [np.ones((2, 2), bool)],
                {},
                "System 'number 1': these are not counts (found bool of 2 axes, expected numbers in rows of segments).",
            ),
            (
                [np.ones((0, 4), int)],
                {},
                "System 'number 1': there are no counts (found 0 segments of 4 counts, expected at least one segment).",
            ),
            (
                [np.array([[1.0, 1], [np.nan, 1], [np.inf, 1]])],
                {},
                "System 'number 1', line 2: a count is missing or infinite (expected a finite number).",
            ),
            (
                [np.ones((2, 2))],
                {"resamples": 0},
                "this number of resamples is too small (found 0, expected 1 or more).",
            ),
            ([np.ones((2, 2))], {"seed": -1}, "this is not a seed (found -1, expected a whole number from 0)."),
        ],
    )
    def test_refuse_what_cannot_be_resampled(self, columns, arguments, text):
        with pytest.raises(InputError, match=f"^{re.escape(text)}$"):
            bootstrap_scores(columns, mean, **arguments)


class TestBootstrap:
    def test_holds_names_scores_resamples_and_seed(self):
        systems = named(counts_of(1, 2, 3), counts_of(3, 3, 6))
        drawn = bootstrap(systems, mean, resamples=20, seed=4)
        assert (drawn.names, drawn.scores.tolist(), drawn.seed, drawn.n_units) == (("s0", "s1"), [2, 4], 4, 3)
        direct = bootstrap_scores([counts for _, counts in systems], mean, resamples=20, seed=4)
        assert drawn.resampled.tolist() == direct.tolist()
        assert not drawn.scores.flags.writeable
        assert not drawn.resampled.flags.writeable

    def test_reports_progress_up_to_the_end(self):
        shares = []
        bootstrap(named(counts_of(1, 2)), mean, resamples=3, progress=shares.append)
        assert shares == [1.0]

    @pytest.mark.parametrize(
        ("names", "text"),
        [
            (["a", "a"], "two systems have the same name (found 'a'). Give every system a name of its own."),
            (["a", " "], "a system has no name (found ' '). Give every system a name."),
        ],
    )
    def test_refuses_names_that_name_nothing(self, names, text):
        with pytest.raises(InputError, match=f"^{re.escape(text)}$"):
            bootstrap([(name, counts_of(1, 2)) for name in names], mean)

    def test_refuses_no_resamples(self):
        with pytest.raises(InputError, match="this number of resamples is too small"):
            bootstrap(named(counts_of(1, 2)), mean, resamples=-1)


class TestPairedBootstrap:
    """By hand: D = 2; the resamples differ by 1, 3, 2, 6, so that 3 is their mean and -2, 0, -1, 3 the null."""

    drawn = drawn_by_hand([10, 12], [[10, 10, 10, 10], [11, 13, 12, 16]])

    def test_of_four_resamples_by_hand(self):
        (test,) = paired_bootstrap(self.drawn)
        assert (test.name, test.other, test.difference) == ("s1", "s0", 2)
        assert test.null_distribution.tolist() == [-2, 0, -1, 3]
        assert test.p_value == (2 + 1) / (4 + 1)
        assert test.interval == (1, 6)
        assert (test.method, test.resamples, test.seed) == ("paired-bootstrap", 4, 5)
        assert (test.smallest_p_value, test.reason) == (1 / 5, None)
        assert not test.null_distribution.flags.writeable

    @pytest.mark.parametrize("scale", [1, 1_000_000])
    def test_counts_a_tie_that_rounding_hides(self, scale):
        difference = (0.1 + 0.2) * scale
        (test,) = paired_bootstrap(drawn_by_hand([0, difference], [[0, 0, 0], [difference, 0, -0.3 * scale]]))
        assert abs(test.null_distribution[2]) < test.difference
        assert test.p_value == (2 + 1) / (3 + 1)

    def test_with_the_roles_exchanged_only_turns_the_signs(self):
        (test,), (turned,) = paired_bootstrap(self.drawn), paired_bootstrap(self.drawn, baseline=1)
        assert (turned.name, turned.other, turned.difference) == ("s0", "s1", -2)
        assert turned.p_value == test.p_value
        assert turned.interval == (-6, -1)
        assert turned.null_distribution.tolist() == (-test.null_distribution).tolist()

    def test_of_several_systems_is_that_of_each_pair(self):
        systems = named(*random_counts(5, 4, 25))
        together = paired_bootstrap(bootstrap(systems, mean), baseline=2)
        assert [test.name for test in together] == ["s0", "s1", "s3"]
        for test, index in zip(together, [0, 1, 3], strict=True):
            (alone,) = paired_bootstrap(bootstrap([systems[2], systems[index]], mean))
            assert (alone.p_value, alone.interval) == (test.p_value, test.interval)

    def test_of_a_system_that_always_wins_has_the_smallest_p_and_says_so(self):
        values = np.random.default_rng(1).integers(0, 30, 50)
        (test,) = paired_bootstrap(bootstrap(named(counts_of(*values), counts_of(*(values + 40 + values % 3))), mean))
        assert (test.p_value, test.reason) == (1 / 1001, None)
        assert test.remark == (
            "No draw of 1\u202f000 reached the difference: p is the smallest possible, 1 / 1\u202f001."
        )
        assert test.interval[0] > 0

    @pytest.mark.parametrize(
        ("first", "second", "difference", "reason"),
        [
            (
                [3, 4, 9],
                [3, 4, 9],
                0,
                "The systems have identical scores in every resample: there is no difference to test.",
            ),
            ([3], [5], 2, "There is one segment: every resample is the same. A test needs more."),
            (
                [3, 4, 9],
                [5, 6, 11],
                2,
                "The difference is the same in every resample: without variance there is no test.",
            ),
        ],
    )
    def test_that_cannot_be_made_is_p_1_and_says_why(self, first, second, difference, reason):
        (test,) = paired_bootstrap(bootstrap(named(counts_of(*first), counts_of(*second)), mean))
        assert test.difference == pytest.approx(difference)
        assert (test.p_value, test.interval, test.reason, test.remark) == (1, None, reason, reason)
        assert np.isfinite(test.null_distribution).all()

    @pytest.mark.parametrize(
        ("systems", "baseline", "text"),
        [
            (1, 0, "there is nothing to compare with (found 's0', expected at least two systems)."),
            (3, 3, "there is no such baseline (found 3, expected an index from 0 to 2)."),
            (3, -1, "there is no such baseline (found -1, expected an index from 0 to 2)."),
        ],
    )
    @pytest.mark.parametrize("method", [paired_bootstrap, sacrebleu_bootstrap])
    def test_refuses_a_baseline_that_is_not_there(self, method, systems, baseline, text):
        with pytest.raises(InputError, match=f"^{re.escape(text)}$"):
            method(drawn_by_hand([1] * systems, [[1, 2]] * systems), baseline=baseline)

    @given(
        pairs=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=12),
        resamples=st.integers(1, 60),
    )
    def test_never_is_nan_or_zero(self, pairs, resamples):
        first, second = zip(*pairs, strict=True)
        systems = named(counts_of(*first), counts_of(*second))
        drawn = bootstrap(systems, mean, resamples=resamples)
        tests = [
            *paired_bootstrap(drawn),
            *sacrebleu_bootstrap(drawn),
            *randomisation_tests(systems, mean, trials=resamples),
        ]
        for test in tests:
            assert 1 / (resamples + 1) <= test.p_value <= 1
            assert 0 < test.smallest_p_value <= 1
            assert np.isfinite([test.difference, *test.null_distribution, *(test.interval or ())]).all()
            assert len(test.null_distribution) == resamples


class TestEveryExchange:
    def test_of_three_segments_by_hand(self):
        """[9, 1, 4] against [3, 2, 1]: 14 to 6, so 8. The others are 10, 2 and 4 by size; two of four reach 8."""
        test = approximate_randomisation(
            every_exchange(named(counts_of(9, 1, 4), counts_of(3, 2, 1)), mean), baseline=1
        )[0]
        assert sorted(np.abs(3 * test.null_distribution).round(9)) == [2, 4, 10]
        assert (test.p_value, test.smallest_p_value, test.resamples, test.is_complete) == (0.5, 0.25, 3, True)

    @given(st.integers(0, 1000), st.integers(2, 9))
    def test_has_the_exact_p(self, seed, n_units):
        first, second = random_counts(seed, 2, n_units)
        test = approximate_randomisation(every_exchange(named(first, second), bleu_like), baseline=1)[0]
        reached = 0
        for chosen in itertools.product([False, True], repeat=n_units):
            mine, theirs = (np.where(np.array(chosen)[:, None], *both) for both in ((second, first), (first, second)))
            difference = bleu_like(mine.sum(axis=0)) - bleu_like(theirs.sum(axis=0))
            reached += abs(difference) >= abs(test.difference) - 1e-12
        assert test.p_value == pytest.approx(reached / 2**n_units)

    @pytest.mark.parametrize("n_units", [1, 21])
    def test_refuses_units_that_are_too_few_or_too_many(self, n_units):
        with pytest.raises(InputError, match=rf"found {n_units}, expected 2 to 20"):
            every_exchange(named(*random_counts(1, 2, n_units)), mean)


class TestApproximateRandomisation:
    def test_of_three_segments_is_that_of_all_eight_exchanges(self):
        """Differences of 1, 2, 3: |±1 ±2 ±3| reaches 6 in two exchanges of eight."""
        systems = named(counts_of(0, 0, 0), counts_of(3, 6, 9))
        (test,) = randomisation_tests(systems, mean, trials=20_000)
        values, times = np.unique(test.null_distribution, return_counts=True)
        assert values.tolist() == [-6, -4, -2, 0, 2, 4, 6]
        assert times / 20_000 == pytest.approx(np.array([1, 1, 1, 2, 1, 1, 1]) / 8, abs=0.012)
        assert test.p_value == pytest.approx(0.25, abs=0.013)
        assert (test.difference, test.smallest_p_value, test.reason, test.interval) == (6, 0.25, None, None)
        assert test.remark == "Too few units differ: p can hardly fall below 0.25."

    def test_exchanges_the_segments_that_sacrebleu_exchanges(self):
        first, second = random_counts(3, 2, 21)
        (test,) = randomisation_tests(named(first, second), mean, trials=100, seed=8)
        chosen = np.random.default_rng(8).integers(2, size=(100, 21), dtype=bool)
        expected = mean(chosen @ first + ~chosen @ second) - mean(chosen @ second + ~chosen @ first)
        assert test.null_distribution.tolist() == expected.tolist()
        assert (test.method, test.resamples, test.seed) == ("approximate-randomisation", 100, 8)
        assert test.p_value == ((np.abs(expected) >= abs(test.difference)).sum() + 1) / 101
        assert not test.null_distribution.flags.writeable

    @pytest.mark.parametrize("n_segments", [1, 7, 31, 32, 37])
    @pytest.mark.parametrize("batch_bytes", [1, 2**15])
    def test_does_not_depend_on_the_batches(self, monkeypatch, batch_bytes, n_segments):
        systems = named(*random_counts(4, 3, n_segments))
        whole = randomisation_tests(systems, mean, trials=150)
        shares = []
        monkeypatch.setattr(draws, "BATCH_BYTES", batch_bytes)
        batched = randomisation_tests(systems, mean, trials=150, progress=shares.append)
        assert [test.null_distribution.tolist() for test in batched] == [t.null_distribution.tolist() for t in whole]
        assert 3 <= len(shares) <= 5
        assert shares[-1] == 1

    @pytest.mark.parametrize(
        ("first", "second"),
        [([2**25 + 1, 1, 0], [0, 2**25 + 3, 1]), ([2**23 + 1, 2**23 + 2, 1], [0, 0, 0]), ([0, 0], [2**24 + 1, 2**24])],
    )
    def test_is_exact_for_counts_beyond_single_precision(self, first, second):
        systems = named(np.array(first)[:, None], np.array(second)[:, None])
        (test,) = randomisation_tests(systems, lambda sums: sums[..., 0], trials=500)
        gains = [after - before for before, after in zip(first, second, strict=True)]
        signs = itertools.product([1, -1], repeat=len(gains))
        exact = {sum(sign * gain for sign, gain in zip(chosen, gains, strict=True)) for chosen in signs}
        assert set(test.null_distribution.tolist()) == exact

    def test_of_several_systems_is_that_of_each_pair(self):
        systems = named(*random_counts(6, 4, 30))
        together = randomisation_tests(systems, mean, baseline=1, trials=300)
        assert [(test.name, test.other) for test in together] == [("s0", "s1"), ("s2", "s1"), ("s3", "s1")]
        for test, index in zip(together, [0, 2, 3], strict=True):
            (alone,) = randomisation_tests([systems[1], systems[index]], mean, trials=300)
            assert alone.null_distribution == pytest.approx(test.null_distribution, abs=1e-12)
            assert (alone.p_value, alone.difference) == (test.p_value, test.difference)

    def test_of_many_systems_is_that_of_each_pair_in_threads_and_in_single_precision(self):
        """Blocks of pairs, more of them than are worked at together; the last one is shorter."""
        systems = named(*random_counts(6, 9, 30))
        trials = BLOCK_DRAWS // 2
        baseline = [(index, 0) for index in range(1, 8)]
        pairs = [*baseline, *((index, 1) for index in (0, *range(2, 8)))]
        double, single = (
            replace(randomise(systems, in_double, trials=trials), single_precision=single) for single in (False, True)
        )
        one_by_one = [next(iter(of_pairs(double, [pair]))) for pair in pairs]
        for drawn in (double, single):
            for test, alone in zip(of_pairs(drawn, pairs), one_by_one, strict=True):
                assert (test.name, test.other, test.p_value) == (alone.name, alone.other, alone.p_value)
                assert (test.null_distribution == alone.null_distribution).all()

    def test_in_double_precision_where_single_would_round(self):
        """Sums of 2^25: a score that says what it is given gets numbers that hold them."""
        kinds = set()

        def score(counts):
            kinds.add(counts.dtype)
            return in_double(counts)

        for size, kind in ((1, np.float32), (2**20, np.float64)):
            kinds.clear()
            systems = [("a", np.full((32, 2), size)), ("b", np.full((32, 2), size) + np.eye(32, 2, dtype=int))]
            drawn = replace(randomise(systems, score, trials=9), single_precision=True)
            kinds.clear()
            approximate_randomisation(drawn)
            assert kinds == {np.dtype(kind)}

    def test_with_the_roles_exchanged_only_turns_the_signs(self):
        systems = named(*random_counts(7, 2, 30))
        (test,) = randomisation_tests(systems, mean, trials=200)
        (turned,) = randomisation_tests(systems, mean, baseline=1, trials=200)
        assert (turned.p_value, turned.difference) == (test.p_value, -test.difference)
        assert turned.null_distribution.tolist() == (-test.null_distribution).tolist()

    def test_of_a_system_that_always_wins_has_the_smallest_p_and_says_so(self):
        first, second = counts_of(*range(60)), counts_of(*range(30, 90))
        (test,) = randomisation_tests(named(first, second), mean, trials=999)
        assert (test.p_value, test.smallest_p_value, test.reason) == (1 / 1000, 1 / 1000, None)
        assert test.remark.startswith("No draw of 999 reached the difference")

    def test_with_a_p_between_the_ends_needs_no_remark(self):
        (test,) = randomisation_tests(named(*random_counts(8, 2, 30)), mean, trials=99)
        assert 0.01 < test.p_value < 1
        assert test.remark is None

    @pytest.mark.parametrize(
        ("first", "second", "reason"),
        [
            ([3, 4], [3, 4], "The systems have identical counts in every segment: there is no difference to test."),
            ([0, 0], [0, 0], "The systems have identical counts in every segment: there is no difference to test."),
            ([3], [5], "The systems differ in one segment: exchanging it only turns the sign. A test needs more."),
            (
                [3, 4, 5],
                [3, 9, 5],
                "The systems differ in one segment: exchanging it only turns the sign. A test needs more.",
            ),
        ],
    )
    def test_that_cannot_be_made_is_p_1_and_says_why(self, first, second, reason):
        (test,) = randomisation_tests(named(counts_of(*first), counts_of(*second)), mean, trials=100)
        assert (test.p_value, test.smallest_p_value, test.reason, test.remark) == (1, 1, reason, reason)

    @pytest.mark.parametrize(
        ("systems", "arguments", "text"),
        [
            (named(counts_of(1)), {}, "there is nothing to compare with (found 's0', expected at least two systems)."),
            (
                named(counts_of(1), counts_of(2)),
                {"trials": 0},
                "this number of trials is too small (found 0, expected 1 or more).",
            ),
            (
                named(counts_of(1), counts_of(2)),
                {"seed": -7},
                "this is not a seed (found -7, expected a whole number from 0).",
            ),
            (
                named(counts_of(1), counts_of(2)),
                {"baseline": 2},
                "there is no such baseline (found 2, expected an index from 0 to 1).",
            ),
        ],
    )
    def test_refuses_what_it_cannot_use(self, systems, arguments, text):
        with pytest.raises(InputError, match=f"^{re.escape(text)}$"):
            randomisation_tests(systems, mean, **arguments)


class TestAgainstSacrebleu:
    """The same seed gives the same resamples and trials, hence the same p-values."""

    @pytest.mark.parametrize("seed", ["12345", "7"])
    @pytest.mark.parametrize("n_samples", [10, 300])
    def test_bootstrap_p_values_are_equal(self, made_texts, evaluated, monkeypatch, seed, n_samples):
        expected = sacrebleu_test(made_texts, "bs", n_samples, monkeypatch, seed)
        found = sacrebleu_bootstrap(bootstrap(evaluated, bleu, resamples=n_samples, seed=int(seed)))
        assert [test.p_value for test in found] == [result.p_value for result in expected[1:]]
        assert [test.name for test in found] == ["near", "far", "copy"]
        assert {test.method for test in found} == {"sacrebleu-bs"}

    def test_bootstrap_means_and_intervals_agree_to_its_single_precision(self, made_texts, evaluated, monkeypatch):
        expected = sacrebleu_test(made_texts, "bs", 300, monkeypatch)
        drawn = bootstrap(evaluated, bleu, resamples=300)
        for row, result in zip(drawn.resampled, expected, strict=True):
            low, high = percentile_interval(row)
            assert row.mean() == pytest.approx(result.mean, abs=1e-5)
            assert (high - low) / 2 == pytest.approx(result.ci, abs=1e-5)

    @pytest.mark.parametrize("seed", ["12345", "7"])
    def test_randomisation_p_values_are_equal_with_its_counting(self, made_texts, evaluated, monkeypatch, seed):
        expected = sacrebleu_test(made_texts, "ar", 500, monkeypatch, seed)
        tests = randomisation_tests(evaluated, bleu, trials=500, seed=int(seed))
        for test, result in zip(tests, expected[1:], strict=True):
            sizes, size = np.abs(test.null_distribution), abs(test.difference)
            assert (int((sizes > size).sum()) + 1) / 501 == result.p_value
            assert (int((sizes >= size).sum()) + 1) / 501 == test.p_value

    def test_a_copy_is_significant_there_and_identical_here(self, made_texts, evaluated, monkeypatch):
        expected = sacrebleu_test(made_texts, "bs", 50, monkeypatch)[3]
        drawn = bootstrap(evaluated, bleu, resamples=50)
        theirs, ours = sacrebleu_bootstrap(drawn)[2], paired_bootstrap(drawn)[2]
        assert theirs.p_value == expected.p_value == 1 / 51
        assert ours.p_value == 1
        assert theirs.reason == ours.reason
        assert ours.reason.startswith("The systems have identical scores")

    def test_seed_0_is_a_seed(self, evaluated):
        one, other = (bootstrap(evaluated, bleu, resamples=20, seed=0) for _ in range(2))
        assert one.resampled.tolist() == other.resampled.tolist()


class TestCalibration:
    """How often each test finds a difference in 300 pairs of systems that differ by chance alone.

    A share of 5 % has a standard error of 1.3 points, one of 10 % of 1.7; the bounds are three of them away.
    """

    @staticmethod
    def rates(tests):
        p_values = np.array([test.p_value for (test,) in tests])
        return [(p_values <= level).mean() for level in (0.05, 0.1)]

    def test_the_paired_bootstrap_keeps_its_level(self, drawn_pairs):
        at_5, at_10 = self.rates([paired_bootstrap(pair) for pair in drawn_pairs])
        assert 0.012 <= at_5 <= 0.088
        assert 0.048 <= at_10 <= 0.152

    def test_approximate_randomisation_keeps_its_level(self, null_pairs):
        at_5, at_10 = self.rates([randomisation_tests(pair, mean, trials=400) for pair in null_pairs])
        assert 0.012 <= at_5 <= 0.088
        assert 0.048 <= at_10 <= 0.152

    def test_sacrebleus_bootstrap_finds_twice_as_many(self, drawn_pairs):
        at_5, at_10 = self.rates([sacrebleu_bootstrap(pair) for pair in drawn_pairs])
        assert at_5 > 0.07
        assert at_10 > 0.17

    def test_the_interval_holds_no_difference_as_often_as_it_says(self, drawn_pairs):
        intervals = [paired_bootstrap(pair)[0].interval for pair in drawn_pairs]
        assert 0.912 <= np.mean([low <= 0 <= high for low, high in intervals]) <= 0.988
