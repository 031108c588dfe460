"""All systems under one test: intervals, corrections, clusters, power, documents, selections."""

import re
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from bleucore import BleuOptions, InputError, System, TestSet, evaluate
from bleucore.metrics.bleu import scores
from bleucore.significance import (
    TESTS,
    ComparedSystems,
    SignificanceOptions,
    TestSetUnits,
    approximate_randomisation,
    benjamini_hochberg,
    bootstrap,
    corrected,
    draws_needed,
    expanded_interval,
    holm,
    paired_bootstrap,
    percentile_interval,
    randomise,
    rank_clusters,
    sacrebleu_bootstrap,
    smallest_detectable_difference,
    step_down_max_t,
    units_needed,
)
from bleucore.significance import (
    compare as compare_systems,
)
from bleucore.significance.comparison import NOT_TESTED
from bleucore.significance.few_units import few_units_interval

p_values = st.lists(st.floats(1e-6, 1.0), min_size=1, max_size=12)


def mean(counts):
    """The simplest score of summed counts: [sum, number]."""
    return counts[..., 0] / counts[..., 1]


def system(name, *values):
    return name, np.stack([np.array(values), np.ones(len(values), int)], axis=1)


def compare(systems, score, options=None, *, progress=None, **what):
    return compare_systems(ComparedSystems(systems, score, **what), options, progress=progress)


@pytest.fixture(scope="module")
def four():
    """Four systems of 80 segments: two far below, two close together above."""
    rng = np.random.default_rng(4)
    quality = rng.integers(20, 60, 80)
    return [
        system("low", *(quality - 25 + rng.integers(-3, 4, 80))),
        system("high", *(quality + rng.integers(-9, 10, 80))),
        system("higher", *(quality + rng.integers(-9, 10, 80))),
        system("lower", *(quality - 12 + rng.integers(-3, 4, 80))),
    ]


class TestHolm:
    def test_of_four_by_hand(self):
        """0.01 x 4, 0.02 x 3, 0.03 x 2 and 0.2 x 1, none below the one before."""
        assert holm([0.02, 0.2, 0.01, 0.03]).tolist() == pytest.approx([0.06, 0.2, 0.04, 0.06])

    def test_never_exceeds_1(self):
        assert holm([0.6, 0.9, 0.7]).tolist() == [1, 1, 1]

    @given(p_values)
    def test_lies_between_the_p_value_and_bonferronis(self, given_values):
        made = holm(given_values)
        assert (made >= np.array(given_values)).all()
        assert (made <= np.minimum(1, len(given_values) * np.array(given_values)) + 1e-15).all()

    @given(p_values, st.randoms(use_true_random=False))
    def test_does_not_depend_on_the_order(self, given_values, random):
        places = list(range(len(given_values)))
        random.shuffle(places)
        assert holm([given_values[place] for place in places]).tolist() == holm(given_values)[places].tolist()

    @given(p_values)
    def test_finds_at_most_what_benjamini_hochberg_finds(self, given_values):
        assert (holm(given_values) >= benjamini_hochberg(given_values) - 1e-15).all()


class TestCorrected:
    def test_of_benjamini_and_hochberg_is_scipys(self):
        values = [0.01, 0.04, 0.03, 0.5]
        assert corrected(values, "benjamini-hochberg") == stats.false_discovery_control(values).tolist()

    def test_leaves_out_what_has_no_test(self):
        assert corrected([0.01, None, 0.03], "holm") == [0.02, None, 0.03]

    @pytest.mark.parametrize("correction", ["holm", "benjamini-hochberg", "none"])
    def test_of_nothing_is_nothing(self, correction):
        assert corrected([], correction) == []
        assert corrected([None], correction) == [None]

    def test_of_none_changes_nothing(self):
        assert corrected([0.04, 0.2], "none") == [0.04, 0.2]

    def test_refuses_an_unknown_correction(self):
        text = (
            "there is no such correction of p-values (found 'max-t', expected one of holm, benjamini-hochberg, none)."
        )
        with pytest.raises(InputError, match=f"^{re.escape(text)}$"):
            corrected([0.1], "max-t")


class TestDrawsNeeded:
    @pytest.mark.parametrize(
        ("n_comparisons", "level", "correction", "needed"),
        [
            (528, 0.05, "holm", 10_560),  # 33 systems: 528 / 10,561 is the first below 0.05
            (496, 0.05, "benjamini-hochberg", 9_920),
            (528, 0.05, "max-t", 30),  # 1.5 / 30 is not below 0.05
            (1, 0.05, "holm", 20),
            (0, 0.05, "holm", 20),
            (528, 0.001, "none", 1_000),
            (1, 0.5, "none", 2),
        ],
    )
    def test_are_the_fewest_whose_smallest_p_is_below_the_level(self, n_comparisons, level, correction, needed):
        assert draws_needed(n_comparisons, level, correction) == needed


class TestRankClusters:
    @staticmethod
    def clusters(ranked, *better):
        return rank_clusters(ranked, lambda one, other: one + other in better)

    def test_begin_where_all_above_are_better_than_all_below(self):
        assert self.clusters("abc", "ab", "ac", "bc") == (("a",), ("b",), ("c",))
        assert self.clusters("abc", "ac", "bc") == (("a", "b"), ("c",))

    def test_hold_together_what_a_single_pair_does_not_tell_apart(self):
        assert self.clusters("abc", "ab", "bc") == (("a", "b", "c"),)

    def test_of_one_or_none(self):
        assert self.clusters("a") == (("a",),)
        assert self.clusters("") == ()


class TestPower:
    def test_is_two_point_eight_standard_errors_at_the_usual_level(self):
        """z of 0.975 is 1.960, z of 0.8 is 0.842."""
        assert smallest_detectable_difference(0.5) == pytest.approx(0.5 * (1.959964 + 0.841621), abs=1e-6)

    def test_asks_for_four_times_the_segments_at_half_the_difference(self):
        assert units_needed(500, 1.0, 2.0) == 2000
        assert units_needed(500, -2.0, 2.0) == 500
        assert units_needed(500, 1.0, 1.001) == 502  # 501.0005 are not enough
        assert units_needed(500, 0.0, 2.0) is None

    def test_is_what_it_says_for_normal_differences(self):
        """Of 4,000 test sets with a difference of exactly the smallest detectable one, 80 % show it."""
        rng = np.random.default_rng(1)
        n, spread = 100, 3.0
        true = smallest_detectable_difference(spread / np.sqrt(n))
        drawn = rng.normal(true, spread, (4000, n))
        found = stats.ttest_1samp(drawn, 0, axis=1).pvalue < 0.05
        assert found.mean() == pytest.approx(0.8, abs=0.03)


class TestCompare:
    def test_holds_the_bootstrap_interval_of_each_score(self, four):
        compared = compare(four, mean, SignificanceOptions(trials=100, unit="segment"))
        drawn = bootstrap(four, mean)
        assert compared.drawn.resampled.tolist() == drawn.resampled.tolist()
        assert compared.intervals["high"] == expanded_interval(drawn.resampled[1], 80)

    def test_holds_every_pair_once_with_its_interval(self, four):
        compared = compare(four, mean, SignificanceOptions(trials=100, unit="segment", correction="none"))
        assert list(compared.pairs) == [
            ("low", "high"),
            ("low", "higher"),
            ("low", "lower"),
            ("high", "higher"),
            ("high", "lower"),
            ("higher", "lower"),
        ]
        resampled = compared.drawn.resampled
        pair = compared.pairs["high", "lower"]
        assert pair.interval == expanded_interval(resampled[1] - resampled[3], 80)
        assert pair.difference == compared.drawn.scores[1] - compared.drawn.scores[3]

    def test_of_sacrebleus_test_holds_sacrebleus_ends(self, four):
        compared = compare(four, mean, SignificanceOptions("sacrebleu-bs"))
        low, high = compared.drawn.resampled[:2]
        assert compared.intervals["high"] == percentile_interval(high)
        assert compared.pairs["low", "high"].interval == percentile_interval(low - high)

    def test_turned_only_exchanges_the_roles(self, four):
        compared = compare(four, mean, SignificanceOptions(trials=100))
        pair, turned = compared.pair("low", "high"), compared.pair("high", "low")
        assert (turned.name, turned.other, turned.difference) == ("high", "low", -pair.difference)
        assert turned.interval == (-pair.interval[1], -pair.interval[0])
        assert turned.corrected_p_value == pair.corrected_p_value

    @pytest.mark.parametrize(
        ("name", "alone"),
        [
            ("approximate-randomisation", lambda two: approximate_randomisation(randomise(two, mean, trials=300))),
            ("paired-bootstrap", lambda two: paired_bootstrap(bootstrap(two, mean))),
            ("sacrebleu-bs", lambda two: sacrebleu_bootstrap(bootstrap(two, mean))),
        ],
    )
    def test_p_values_are_those_of_the_test_alone(self, four, name, alone):
        options = SignificanceOptions(name, trials=300, unit="segment", correction="none")
        compared = compare(four, mean, options)
        (test,) = alone([four[1], four[2]])
        pair = compared.pair("higher", "high")
        assert pair.p_value == pair.corrected_p_value == test.p_value
        assert compared.null_test("higher", "high").null_distribution == pytest.approx(test.null_distribution)

    @pytest.mark.parametrize(
        ("name", "by_scipy"),
        [
            ("block-t", lambda one, other: stats.ttest_rel(one, other).pvalue),
            ("block-wilcoxon", lambda one, other: stats.wilcoxon(np.round(one - other, 9)).pvalue),
            ("block-sign", lambda one, other: stats.binomtest(int((one > other).sum()), len(one)).pvalue),
        ],
    )
    def test_p_values_over_blocks_are_scipys(self, four, name, by_scipy):
        compared = compare(four, mean, SignificanceOptions(name, n_blocks=8, correction="none"))
        one, other = (counts[:, 0].reshape(8, 10).mean(axis=1) for _, counts in four[1:3])
        assert compared.pair("high", "higher").p_value == pytest.approx(by_scipy(one, other))
        assert compared.null_test("high", "higher") is None

    def test_over_blocks_takes_whole_documents_where_they_are_drawn(self, four):
        documents = [f"d{place // 5}" for place in range(80)]
        compared = compare(
            four, mean, SignificanceOptions("block-t", unit="document", correction="none"), documents=documents
        )
        one, other = (counts[:, 0].reshape(16, 5).mean(axis=1) for _, counts in four[1:3])
        assert compared.pair("high", "higher").p_value == pytest.approx(stats.ttest_rel(one, other).pvalue)

    def test_over_one_block_says_that_there_is_no_test(self, four):
        compared = compare(four, mean, SignificanceOptions("block-t", n_blocks=1))
        pair = compared.pair("high", "higher")
        assert (pair.p_value, pair.corrected_p_value) == (None, None)
        assert pair.remark.startswith("One block has no variance")
        assert not compared.is_significant(pair)
        assert len(compared.clusters) == 1

    def test_corrects_all_pairs_as_one_family_and_those_with_the_baseline_as_another(self, four):
        compared = compare(four, mean, SignificanceOptions(trials=500, correction="holm"))
        everyone = list(compared.pairs.values())
        of_all = holm([one.p_value for one in everyone]).tolist()
        others = [one for one in everyone if "higher" not in (one.name, one.other)]
        assert {(one.family, one.n_comparisons) for one in others} == {("all", 6)}
        assert [one.corrected_p_value for one in others] == [
            p for one, p in zip(everyone, of_all, strict=True) if one in others
        ]
        against = compared.with_baseline("high").against("high")
        assert list(against) == ["low", "higher", "lower"]
        assert [one.corrected_p_value for one in against.values()] == holm(
            [one.p_value for one in against.values()]
        ).tolist()
        assert {(one.family, one.n_comparisons) for one in against.values()} == {("baseline", 3)}
        assert set(compared.against("high")) == set(against)

    def test_the_best_with_each_other_is_a_family_of_its_own(self, four):
        """By Bonferroni's inequality p of the claim is the largest of the three times three: those of each other."""
        compared = compare(four, mean, SignificanceOptions(trials=500, correction="holm"))
        everyone = list(compared.pairs.values())
        of_all = dict(zip(compared.pairs, holm([one.p_value for one in everyone]).tolist(), strict=True))
        of_best = {key: one for key, one in compared.pairs.items() if "higher" in key}
        claim = min(1.0, 3 * max(one.p_value for one in of_best.values()))
        assert {(one.family, one.n_comparisons) for one in of_best.values()} == {("best", 3)}
        assert all(one.corrected_p_value == min(of_all[key], claim) for key, one in of_best.items())

    def test_a_pair_has_one_verdict_whoever_asks_for_it(self, four):
        compared = compare(four, mean, SignificanceOptions(trials=500)).with_baseline("high")
        for name in ("low", "higher", "lower"):
            assert compared.pair(name, "high") == compared.against("high")[name]
            assert compared.pair("high", name) == compared.against(name)["high"] == compared.pair(name, "high").turned()
        assert compared.pair("low", "lower") == compared.with_baseline(None).pair("low", "lower")
        assert compared.clusters == compared.with_baseline(None).clusters
        renamed = compared.named_as(["a", "b", "c", "d"])
        assert renamed.baseline == "b"
        assert renamed.pair("a", "b").corrected_p_value == compared.pair("low", "high").corrected_p_value

    @pytest.mark.parametrize("test", TESTS)
    @pytest.mark.parametrize("correction", ["max-t", "holm"])
    def test_of_one_with_the_others_is_what_all_pairs_say_of_it_as_a_baseline(self, four, test, correction):
        """A level at which Holm's correction needs more draws for six pairs than for three."""
        options = SignificanceOptions(test, level=0.0012, correction=correction)
        of_all = compare(four, mean, options).with_baseline("high")
        of_one = compare_systems(ComparedSystems(four, mean), options, only_with="high")
        assert of_one.against("high") == of_all.against("high")
        assert of_one.intervals == of_all.intervals
        assert of_one.options == of_all.options
        assert (of_all.has_all_pairs, of_one.has_all_pairs) == (True, False)
        assert of_one.with_baseline("low") is of_one.with_baseline(None) is of_one
        renamed = of_one.named_as(["p", "q", "r", "s"])
        assert [one.corrected_p_value for one in renamed.against("q").values()] == [
            one.corrected_p_value for one in of_all.against("high").values()
        ]

    def test_without_tests_has_intervals_alone(self, four):
        tested = compare(four, mean)
        shares = []
        untested = compare_systems(
            ComparedSystems(four, mean), only_with="high", is_tested=False, progress=shares.append
        )
        assert shares[-1] == 1
        assert untested.intervals == tested.intervals
        for name, one in untested.against("high").items():
            whole = tested.pair(name, "high")
            assert (one.difference, one.standard_error) == (whole.difference, whole.standard_error)
            assert one.interval == tested.drawn.interval(tested.resampled_differences(name, "high"))
            assert one.smallest_detectable < whole.smallest_detectable
            assert (one.p_value, one.corrected_p_value, one.remark) == (None, None, NOT_TESTED)
            assert not untested.is_significant(one)
        assert (untested.is_tested, untested.baseline, untested.clusters) == (False, None, ())
        assert untested.null_test("low", "high") is None

    @pytest.mark.parametrize("test", ["approximate-randomisation", "paired-bootstrap"])
    def test_corrects_by_max_t_where_pairs_share_draws(self, four, test):
        compared = compare(four, mean, SignificanceOptions(test, trials=500)).with_baseline("high")
        for family in (list(compared.pairs.values()), list(compared.against("high").values())):
            tests = [compared.null_test(pair.name, pair.other) for pair in family]
            by_holm = holm([test.p_value for test in tests])
            by_either = np.minimum(1.5 * np.array(step_down_max_t(tests)), by_holm)
            of_best = [pair.family == "best" for pair in family]
            made = np.array([pair.corrected_p_value for pair in family])
            assert (made <= by_either).all()
            assert made[np.invert(of_best)].tolist() == by_either[np.invert(of_best)].tolist()
        assert {pair.n_comparisons for pair in compared.against("high").values()} == {3}

    @pytest.mark.parametrize(("trials", "n_exchanges"), [(30, None), (31, 32), (None, 32)])
    def test_makes_every_exchange_of_few_documents_where_the_trials_allow_it(self, four, trials, n_exchanges):
        documents = [f"d{place * 6 // len(four[0][1])}" for place in range(len(four[0][1]))]
        by_document = ComparedSystems(four, mean, documents=documents)
        compared, other_seed = (
            compare_systems(by_document, SignificanceOptions(unit="document", trials=trials, seed=seed))
            for seed in (1, 2)
        )
        assert compared.n_exchanges == n_exchanges
        assert {pair.p_value * 64 % 1 for pair in compared.pairs.values()} == {0} or n_exchanges is None
        same = [one.p_value for one in other_seed.pairs.values()] == [one.p_value for one in compared.pairs.values()]
        assert same == (n_exchanges is not None)

    @pytest.mark.parametrize("test", ["block-t", "block-wilcoxon", "block-sign", "sacrebleu-bs"])
    def test_corrects_by_holm_where_pairs_share_no_draws(self, four, test):
        compared = compare(four, mean, SignificanceOptions(test))
        assert compared.options.correction == "max-t"
        assert compared.options.signature().endswith("|correction:holm")
        everyone = list(compared.pairs.values())
        assert [one.corrected_p_value for one in everyone] == holm([one.p_value for one in everyone]).tolist()

    def test_of_two_systems_needs_no_correction(self, four):
        compared = compare(four[1:3], mean, SignificanceOptions(trials=500))
        pair = compared.pair("high", "higher")
        assert pair.corrected_p_value == pair.p_value == compared.against("high")["higher"].corrected_p_value

    def test_groups_what_it_cannot_tell_apart(self, four):
        compared = compare(four, mean, SignificanceOptions(trials=999))
        assert compared.clusters == (("higher", "high"), ("lower",), ("low",))
        assert [compared.rank_range(name) for name in compared.names] == [(4, 4), (1, 2), (1, 2), (3, 3)]

    def test_knows_that_lower_can_be_better(self, four):
        compared = compare(four, mean, SignificanceOptions(trials=999), higher_is_better=False)
        assert compared.clusters == (("low",), ("lower",), ("high", "higher"))
        assert compared.is_better("low", "high")
        assert not compared.is_better("high", "low")

    def test_says_what_the_test_set_is_able_to_detect(self, four):
        """Two quantiles of Student's t with 79 degrees of freedom, in standard errors that resamples find too small."""
        options = SignificanceOptions(trials=100, level=0.01, unit="segment", correction="none")
        compared = compare(four, mean, options)
        pair = compared.pair("higher", "high")
        error = (compared.drawn.resampled[2] - compared.drawn.resampled[1]).std(ddof=1) * np.sqrt(80 / 79)
        assert pair.standard_error == pytest.approx(error)
        assert pair.smallest_detectable == pytest.approx((stats.t.ppf(0.995, 79) + stats.t.ppf(0.8, 79)) * error)
        assert pair.n_needed == units_needed(80, pair.difference, pair.smallest_detectable)

    def test_detects_less_in_a_larger_family(self, four):
        """By Holm's correction of six pairs the level is that of Bonferroni."""
        pair = compare(four, mean, SignificanceOptions(unit="segment", correction="holm")).pair("low", "high")
        expected = (stats.t.ppf(1 - 0.05 / 12, 79) + stats.t.ppf(0.8, 79)) * pair.standard_error
        assert pair.smallest_detectable == pytest.approx(expected)
        alone, largest = (
            compare(four, mean, SignificanceOptions(unit="segment", correction=correction)).pair("low", "high")
            for correction in ("none", "max-t")
        )
        assert alone.smallest_detectable < largest.smallest_detectable < pair.smallest_detectable * 1.05

    def test_by_document_draws_documents(self, four):
        documents = [f"d{place % 25}" for place in range(80)]
        compared = compare(four, mean, SignificanceOptions(unit="document", trials=200), documents=documents)
        rows = np.array([place % 25 for place in range(80)])
        summed = [(name, np.stack([counts[rows == d].sum(axis=0) for d in range(25)])) for name, counts in four]
        by_hand = compare(summed, mean, SignificanceOptions(trials=200))
        assert [pair.p_value for pair in compared.pairs.values()] == [p.p_value for p in by_hand.pairs.values()]
        assert compared.drawn.resampled.tolist() == by_hand.drawn.resampled.tolist()
        worth = 80**2 / (5 * 4**2 + 20 * 3**2)
        assert compared.drawn.n_effective == worth
        few = few_units_interval(summed[0][1], np.bincount(rows), mean)
        assert compared.intervals["low"] == few
        low, high = expanded_interval(compared.drawn.resampled[0], 25, n_effective=worth)
        assert (low, high) == pytest.approx(few, rel=0.2)
        assert (compared.n_units, compared.n_segments, compared.n_documents) == (25, 80, 25)

    @pytest.mark.parametrize("n_documents", [6, 12, 49, 50])
    def test_draws_documents_by_itself_wherever_they_are_known(self, four, n_documents):
        documents = [f"d{place % n_documents}" for place in range(80)]
        compared = compare(four, mean, SignificanceOptions(trials=200), documents=documents)
        chosen = compare(four, mean, SignificanceOptions(trials=200, unit="document"), documents=documents)
        assert (compared.options, compared.pairs) == (chosen.options, chosen.pairs)
        assert compared.options.unit == compared.drawn.unit == compared.units.kind == "document"
        assert compared.n_units == n_documents

    @pytest.mark.parametrize("n_documents", [1, 2, 5])
    def test_of_fewer_than_six_documents_tests_nothing_and_says_why(self, four, n_documents):
        documents = [f"d{place % n_documents}" for place in range(80)]
        compared = compare(four, mean, documents=documents)
        there = "is" if n_documents == 1 else "are"
        said = f"A test needs at least 6 documents, and there {there} {n_documents}."
        assert compared.why_untested == said
        for pair in compared.pairs.values():
            assert (pair.p_value, pair.corrected_p_value, pair.interval, pair.smallest_detectable) == (None,) * 4
            assert pair.remark == said
            assert not compared.is_significant(pair)
        assert set(compared.intervals.values()) == {None}
        assert len(compared.clusters) == 1

    def test_by_document_needs_documents(self, four):
        text = (
            "Option unit: the test set has no documents. Test by block or by segment, or give the document of each "
            "segment."
        )
        with pytest.raises(InputError, match=f"^{re.escape(text)}$"):
            compare(four, mean, SignificanceOptions(unit="document"))

    def test_by_segment_has_no_stars_where_documents_are_known(self, four):
        documents = [f"d{place % 25}" for place in range(80)]
        options = SignificanceOptions(trials=999, unit="segment")
        known, unknown = (compare(four, mean, options, documents=each) for each in (documents, None))
        assert [pair.p_value for pair in known.pairs.values()] == [pair.p_value for pair in unknown.pairs.values()]
        assert (known.has_stars, unknown.has_stars) == (False, True)
        assert unknown.is_significant(unknown.pair("low", "high"))
        assert not known.is_significant(known.pair("low", "high"))
        assert len(known.clusters) == 1

    def test_warns_of_a_selection_by_score(self, four):
        rows = np.flatnonzero(four[2][1][:, 0] > four[1][1][:, 0])
        chosen = [(name, counts[rows]) for name, counts in four]
        assert compare(chosen, mean, SignificanceOptions(trials=100)).warning is None
        assert compare(four, mean, SignificanceOptions(trials=100)).warning is None
        compared = compare(chosen, mean, SignificanceOptions(trials=100), selected_by_score=True)
        assert compared.warning.startswith("These segments were selected by their scores, so a test cannot show")
        assert compared.n_segments == len(rows)

    @pytest.mark.parametrize(
        ("test", "n_units", "warns"),
        [
            ("approximate-randomisation", 6, False),
            ("approximate-randomisation", 9, False),
            ("paired-bootstrap", 9, True),
            ("paired-bootstrap", 99, True),
            ("paired-bootstrap", 100, False),
        ],
    )
    def test_warns_of_few_units_where_the_bootstrap_decides(self, test, n_units, warns):
        values = np.arange(n_units) + 1
        options = SignificanceOptions(test, trials=20, unit="segment")
        compared = compare([system("a", *values), system("b", *values[::-1])], mean, options)
        said = f"There are only {n_units} segments to resample, so p-values of the bootstrap"
        assert (compared.warning or "").startswith(said if warns else "")
        assert (compared.warning is not None) == warns

    def test_of_one_segment_has_no_interval_and_says_why(self):
        compared = compare([system("a", 1), system("b", 4)], mean)
        pair = compared.pair("a", "b")
        assert (pair.interval, pair.smallest_detectable, pair.n_needed, pair.p_value) == (None, None, None, None)
        assert pair.remark == compared.why_untested == "A test needs at least 6 segments, and there is 1."
        assert dict(compared.intervals) == {"a": None, "b": None}
        assert compared.clusters == (("b", "a"),)

    def test_of_identical_systems_is_p_1(self):
        compared = compare([system("a", *range(8)), system("b", *range(8))], mean)
        pair = compared.pair("a", "b")
        assert (pair.p_value, pair.interval, pair.n_needed, pair.difference) == (1, None, None, 0)
        assert "identical" in pair.remark

    def test_of_one_system_has_its_interval_and_no_pair(self):
        compared = compare([system("a", *range(30))], mean)
        assert compared.intervals["a"][0] < compared.drawn.scores[0] < compared.intervals["a"][1]
        assert (dict(compared.pairs), compared.clusters) == ({}, (("a",),))

    def test_reports_progress_up_to_the_end(self, four):
        shares = []
        compare(four, mean, progress=shares.append)
        assert shares == sorted(shares)
        assert shares[-1] == 1

    def test_reports_progress_after_fifty_pairs_of_fifty_five(self):
        shares = []
        systems = [system(str(number), number, 2 * number, 7, 3, 9, 1) for number in range(11)]
        compare(systems, mean, SignificanceOptions(trials=20, resamples=20), progress=shares.append)
        assert shares == sorted(shares)
        assert shares[-2] == pytest.approx(1 - 0.4 * 5 / 55)  # tests of pairs are the last two fifths

    def test_is_the_same_again_with_the_same_seed(self, four):
        first, second = (compare(four, mean, SignificanceOptions(trials=100, seed=9)) for _ in range(2))
        assert first.pairs == second.pairs

    def test_of_bleu_agrees_with_the_evaluation(self):
        reference = [f"one two three four five {n} six seven" for n in range(40)]
        worse = [text.replace("three", "3") if n % 3 else text for n, text in enumerate(reference)]
        evaluation = evaluate(TestSet([System("good", reference), System("worse", worse)], [reference]))
        named = [(name, result.counts) for name, result in evaluation.systems.items()]
        compared = compare(named, partial(scores, options=BleuOptions()), SignificanceOptions(trials=500))
        assert compared.pair("good", "worse").difference == pytest.approx(
            evaluation.systems["good"].score.score - evaluation.systems["worse"].score.score
        )
        assert compared.clusters == (("good",), ("worse",))


class TestSignificanceOptions:
    @pytest.mark.parametrize(
        ("setting", "text"),
        [
            ({"test": "t"}, "Option test: this value is not accepted (found 't', expected"),
            ({"level": 0}, "Option level: this value is not accepted (found 0, expected a number between 0 and 1"),
            ({"level": float("nan")}, "Option level: this value is not accepted (found nan, expected a number"),
            ({"level": "x"}, "Option level: this value is not accepted (found 'x', expected a number"),
            ({"trials": 0}, "Option trials: this value is not accepted (found 0, expected"),
            ({"trials": True}, "Option trials: this value is not accepted (found True, expected"),
            ({"resamples": 200_000}, "Option resamples: this value is not accepted (found 200000, expected"),
            ({"seed": -1}, "Option seed: this value is not accepted (found -1, expected"),
            ({"unit": "word"}, "Option unit: this value is not accepted (found 'word', expected"),
            ({"correction": "sidak"}, "Option correction: this value is not accepted (found 'sidak', expected"),
            ({"n_blocks": 0}, "Option n_blocks: this value is not accepted (found 0, expected"),
        ],
    )
    def test_refuse_what_is_no_setting(self, setting, text):
        with pytest.raises(InputError, match=f"^{re.escape(text)}"):
            SignificanceOptions(**setting)

    def test_are_equal_whatever_kind_of_number_they_were_given(self):
        given = SignificanceOptions(trials=np.int64(50), level=np.float64(0.01), seed=np.uint8(3))
        assert hash(given) == hash(SignificanceOptions(trials=50, level=0.01, seed=3))
        assert given.signature() == SignificanceOptions(trials=50, level=0.01, seed=3).signature()

    def test_are_named_by_their_signature(self):
        assert SignificanceOptions().signature() == (
            "test:approximate-randomisation|ar:10000|bs:1000|seed:12345|unit:auto|level:0.05|correction:max-t"
        )
        assert SignificanceOptions("sacrebleu-bs", resamples=300).signature() == (
            "test:sacrebleu-bs|bs:300|seed:12345|unit:auto|level:0.05|correction:holm"
        )
        assert "blocks:20|" in SignificanceOptions("block-t").signature()
        assert "blocks:" not in SignificanceOptions("block-t", unit="document").signature()

    @pytest.mark.parametrize(
        ("options", "n_documents", "unit"),
        [
            ({}, None, "block"),
            ({}, 3, "document"),
            ({}, 178, "document"),
            ({"unit": "segment"}, 178, "segment"),
            ({"unit": "block"}, 178, "block"),
            ({"unit": "document"}, 3, "document"),
            ({"test": "sacrebleu-bs"}, 178, "segment"),
            ({"test": "sacrebleu-bs"}, None, "segment"),
            ({"test": "block-t"}, 178, "document"),
            ({"test": "block-t", "n_blocks": 20}, 178, "block"),
            ({"test": "block-sign", "block_size": 25}, 178, "block"),
            ({"test": "block-sign", "remainder": "spread"}, 178, "block"),
            ({"test": "block-wilcoxon", "shuffle_seed": 0}, 178, "block"),
            ({"n_blocks": 20}, 178, "document"),
        ],
    )
    def test_draw_documents_unless_something_else_was_chosen(self, options, n_documents, unit):
        documents = None if n_documents is None else [str(place % n_documents) for place in range(400)]
        assert SignificanceOptions(**options).unit_of(TestSetUnits(400, documents)) == unit

    @pytest.mark.parametrize(
        ("options", "n_comparisons", "trials", "resamples"),
        [
            ({}, 19_900, 10_000, 1_000),
            ({"correction": "holm"}, 1, 10_000, 1_000),
            ({"correction": "holm"}, 528, 42_240, 1_000),
            ({"correction": "holm"}, 2_000, 50_000, 1_000),
            ({"correction": "holm"}, 19_900, 10_000, 1_000),  # needs 398,000, which is too many
            ({"correction": "holm", "trials": 99}, 528, 99, 1_000),
            ({"correction": "benjamini-hochberg", "test": "paired-bootstrap"}, 55, 10_000, 4_400),
            ({"correction": "holm", "test": "paired-bootstrap", "resamples": 300}, 55, 10_000, 300),
            ({"test": "sacrebleu-bs"}, 55, 10_000, 4_400),
            ({"test": "block-t"}, 528, 42_240, 1_000),
            ({"level": 0.0001}, 1, 40_000, 1_000),
            ({"level": 0.0001}, 3, 50_000, 1_000),  # 59,996 would be too many
        ],
    )
    def test_draw_as_often_as_a_family_needs_unless_that_is_chosen(self, options, n_comparisons, trials, resamples):
        settled = SignificanceOptions(**options).of_family(n_comparisons)
        assert (settled.trials, settled.resamples) == (trials, resamples)


class TestOutOfReach:
    """33 systems are 528 pairs: 528 / 10,001 is above the level of 5 %."""

    @staticmethod
    def ladder(n_systems):
        """Systems in steps far above the noise."""
        rng = np.random.default_rng(3)
        return [system(f"s{place}", *(20 * place + rng.integers(-3, 4, 60))) for place in range(n_systems)]

    def test_nothing_is_with_max_t_however_many_pairs(self):
        compared = compare(self.ladder(33), mean)
        assert len(compared.clusters) == 33
        assert compared.pair("s1", "s0").corrected_p_value == 1.5 / 10_001

    def test_trials_grow_for_holm(self):
        compared = compare(self.ladder(33), mean, SignificanceOptions(unit="segment", correction="holm"))
        assert compared.options.trials == compared.trials.exchanged.shape[2] == 42_240
        assert "ar:42240|" in compared.options.signature()
        assert len(compared.clusters) == 33
        assert not compared.is_out_of_reach(compared.pair("s1", "s0"))

    def test_a_choice_of_trials_stays_and_what_it_cannot_show_is_named(self):
        compared = compare(self.ladder(33), mean, SignificanceOptions(correction="holm", trials=10_000))
        pair = compared.pair("s1", "s0")
        assert compared.options.trials == 10_000
        assert pair.corrected_p_value == pytest.approx(528 / 10_001)
        assert compared.is_out_of_reach(pair)
        assert not compared.is_out_of_reach(compared.with_baseline("s0").pair("s1", "s0"))

    def test_is_what_19_trials_cannot_show_either(self):
        compared = compare(self.ladder(3), mean, SignificanceOptions(trials=19))
        assert compared.pair("s1", "s0").corrected_p_value == pytest.approx(1.5 * 0.05)
        assert compared.is_out_of_reach(compared.pair("s1", "s0"))

    def test_is_not_what_the_draws_reached(self, four):
        compared = compare(four, mean, SignificanceOptions(trials=19))
        assert not compared.is_out_of_reach(compared.pair("high", "higher"))
