"""Parts of a difference in a score: by hand, against an integral of finite differences, and their properties."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleucore import BleuOptions, ChrfOptions, System, TerOptions, TestSet, evaluate
from bleucore.analysis.attribution import attribute, lead_of
from bleucore.evaluation import evaluate_metric
from bleucore.metrics import chrf
from bleucore.metrics.bleu import scores
from bleucore.metrics.bleu_path import BleuLine
from bleucore.metrics.presets import PRESETS
from bleucore.metrics.segment_scores import SegmentScores
from bleucore.options import ALL_SMOOTHING_METHODS, NEIGHBOUR_SMOOTHINGS, REFERENCE_LENGTHS
from bleucore.tokens.matching import AVERAGE_LENGTH_UNIT

UNIGRAMS = BleuOptions(max_order=1, reference_length="none")
BIGRAMS = BleuOptions(max_order=2, reference_length="none")

HYPOTHESES = ["the school opened at 8.30 and a few came late", "oh yes", "", "no river bank is dry today at all"]
OTHERS = ["The school was open at 8.30 and some came late .", "yes", "so be it", "the river bank was dry today ."]
REFERENCES = [
    ["The school opened at 8.30 and some came in late .", "yes !", "so be it", "the river bank is very dry today ."],
    ["At 8.30 the school opened , a few were late .", "oh yes", None, "the bank of the river is dry"],
]
CORPUS = TestSet([System("A", HYPOTHESES), System("B", OTHERS)], REFERENCES)


def rows(*segments):
    """Counts (S, 2 + 2M) from [lengths, matches, totals] of each segment."""
    return np.array([[*lengths, *matched, *total] for lengths, matched, total in segments])


def both(options, test_set=CORPUS):
    evaluation = evaluate(test_set, options)
    return [evaluation.systems[name].counts for name in evaluation.names]


class TestByHand:
    def test_matches_alone_share_the_difference_in_proportion(self):
        first = rows(([4, 4], [1], [4]), ([6, 6], [3], [6]), ([2, 2], [1], [2]))
        second = rows(([4, 4], [3], [4]), ([6, 6], [2], [6]), ([2, 2], [1], [2]))
        found = attribute(first, second, UNIGRAMS)
        assert found.difference == pytest.approx(100 / 12)
        assert found.segments == pytest.approx([200 / 12, -100 / 12, 0])
        assert found.match_values == pytest.approx([100 / 12])
        assert found.orders == pytest.approx([100 / 12])
        assert found.total_parts.tolist() == [0]
        assert (found.brevity_penalty, found.jump) == (0, 0)

    def test_longer_hypotheses_with_the_same_matches_lose_through_their_totals(self):
        first, second = rows(([2, 4], [1], [2]), ([2, 4], [1], [2])), rows(([3, 4], [1], [3]), ([5, 4], [1], [5]))
        found = attribute(first, second, UNIGRAMS)
        assert found.segments == pytest.approx([-25 / 4, -75 / 4])
        assert found.total_parts == pytest.approx([-25])
        assert found.match_parts.tolist() == [0]
        # 100 / (4 + 4t) from 0 to 1
        assert found.match_values == pytest.approx([25 * np.log(2)])

    def test_the_brevity_penalty_has_a_part_up_to_its_kink_only(self):
        first, second = rows(([4, 5], [4], [4])), rows(([8, 5], [8], [8]))
        found = attribute(first, second, replace(UNIGRAMS, reference_length="closest"))
        assert found.orders == pytest.approx([0], abs=1e-12)
        assert found.brevity_penalty == pytest.approx(100 - 100 * np.exp(-1 / 4), abs=1e-12)
        # worth of a token: the change of the penalty by 4 tokens, of which the first alone matters
        assert found.values[-1, 0] == pytest.approx((100 - 100 * np.exp(-1 / 4)) / 4, abs=1e-12)

    def test_without_a_match_in_one_system_the_score_rises_as_a_root_and_smoothing_is_the_jump(self):
        first, second = rows(([4, 4], [4, 0], [4, 3])), rows(([4, 4], [4, 3], [4, 3]))
        found = attribute(first, second, BIGRAMS)
        assert found.orders == pytest.approx([0, 100], abs=1e-12)
        assert found.match_values[1] == pytest.approx(100 / 3)  # of 100 √t
        assert found.match_values[0] == pytest.approx(100 / 2 / 4 * 2 / 3)
        assert found.jump == pytest.approx(-100 * np.sqrt(1 / 6))
        assert found.difference == pytest.approx(100 - 100 * np.sqrt(1 / 6))
        assert found.jump_reason == ("A has no match of order 2. This part belongs to no segment.")

    def test_without_a_match_in_both_systems_the_stand_in_is_divided_by_ever_more_totals(self):
        first, second = rows(([3, 3], [3, 0], [3, 2])), rows(([3, 3], [3, 0], [3, 2]), ([4, 4], [4, 0], [4, 3]))
        found = attribute(np.vstack([first, np.zeros_like(first)]), second, BIGRAMS)
        assert found.difference == pytest.approx(100 * np.sqrt(1 / 10) - 100 * np.sqrt(1 / 4))
        assert found.orders == pytest.approx([0, found.difference], abs=1e-12)
        assert found.total_parts[1] == pytest.approx(found.difference)
        assert (found.jump, found.jump_reason, found.segments[0]) == (0, None, 0)

    def test_an_order_of_which_a_system_has_no_ngram_keeps_its_precision_and_comes_as_a_jump(self):
        options = replace(BIGRAMS, effective_order=True)
        first, second = rows(([1, 1], [1, 0], [1, 0])), rows(([3, 3], [2, 1], [3, 2]))
        found = attribute(first, second, options, names=("short", "long"))
        assert found.scores == pytest.approx((100, 100 * np.sqrt(2 / 3 / 2)))
        assert found.orders == pytest.approx([100 * np.sqrt(1 / 2) * (np.sqrt(2 / 3) - 1), 0])
        assert found.jump == pytest.approx(100 * np.sqrt(1 / 2) - 100)
        assert found.jump_reason == ("short has no n-gram of order 2. This part belongs to no segment.")

    def test_average_reference_lengths_are_in_parts_of_a_token(self):
        first, second = rows(([4, 5 * AVERAGE_LENGTH_UNIT], [4], [4])), rows(([4, 6 * AVERAGE_LENGTH_UNIT], [4], [4]))
        found = attribute(first, second, replace(UNIGRAMS, reference_length="average"))
        assert found.segments == pytest.approx([100 * np.exp(1 - 6 / 4) - 100 * np.exp(1 - 5 / 4)], abs=1e-12)


class TestNothingToDivide:
    def test_no_match_in_either_system(self):
        counts = rows(([4, 4], [0, 0], [4, 3]))
        found = attribute(counts, counts + 0, BIGRAMS)
        assert found.reason == (
            "Both scores are 0, because neither system has a match of any order: there is nothing to divide."
        )
        assert (found.difference, found.jump, found.segments.tolist()) == (0, 0, [0])

    def test_no_match_of_an_order_without_smoothing(self):
        first, second = rows(([4, 4], [4, 0], [4, 3])), rows(([4, 4], [3, 0], [4, 3]))
        found = attribute(first, second, replace(BIGRAMS, smoothing="none"))
        assert found.reason == (
            "Both scores are 0, because neither system has a match of order 2 and smoothing 'none' changes nothing: "
            "there is nothing to divide."
        )

    def test_no_ngram_of_an_order(self):
        counts = rows(([1, 1], [1, 0], [1, 0]))
        found = attribute(counts, counts, BIGRAMS)
        assert found.reason == "Both scores are 0, because neither system has a 2-gram: there is nothing to divide."

    def test_no_weight_on_an_order_that_there_is(self):
        counts = rows(([1, 1], [1, 0], [1, 0]))
        found = attribute(counts, counts, replace(BIGRAMS, effective_order=True, weights=(0, 1)))
        assert found.reason == (
            "Both scores are 0, because no order that the systems have n-grams of has a weight: there is nothing to "
            "divide."
        )

    def test_no_segment(self):
        nothing = np.zeros((0, 6), np.int64)
        found = attribute(nothing, nothing, BIGRAMS)
        assert found.reason is not None
        assert (found.difference, found.segments.shape, found.concentration.n_needed) == (0, (0,), 0)

    def test_the_whole_difference_is_a_jump_where_the_line_has_no_score(self):
        options = replace(BIGRAMS, effective_order=True, smoothing="none")
        first, second = rows(([1, 1], [1, 0], [1, 0])), rows(([3, 3], [2, 0], [3, 2]))
        found = attribute(first, second, options)
        assert found.scores == (pytest.approx(100), 0)
        assert found.jump == found.difference
        assert found.reason == (
            "No segment has a part, because neither system has a match of order 2 and smoothing 'none' changes nothing."
        )
        assert found.jump_reason.startswith("A has no n-gram of order 2.")

    def test_a_score_of_0_in_one_system_alone_is_divided(self):
        first, second = rows(([4, 4], [0, 0], [4, 3])), rows(([4, 4], [2, 1], [4, 3]))
        found = attribute(first, second, BIGRAMS)
        assert (found.reason, found.jump) == (None, 0)
        assert found.segments == pytest.approx([found.difference])
        assert found.orders == pytest.approx([found.difference / 2] * 2)

    def test_nltk_6_is_not_divided_where_a_system_has_no_ngram_of_an_order(self):
        options = BleuOptions(max_order=3, smoothing="nltk-6", reference_length="none")
        first, second = rows(([2, 2], [1, 1, 0], [2, 1, 0])), rows(([5, 5], [4, 3, 2], [5, 4, 3]))
        found = attribute(first, second, options)
        assert found.reason == (
            "No segment has a part, because smoothing 'nltk-6' cannot do without an order of which one of the systems "
            "has no n-gram."
        )
        assert found.jump == pytest.approx(found.difference)


class TestGroups:
    first = rows(([4, 4], [1], [4]), ([6, 6], [3], [6]), ([2, 2], [1], [2]))
    second = rows(([4, 4], [3], [4]), ([6, 6], [2], [6]), ([2, 2], [2], [2]))

    def test_have_the_sum_of_their_segments(self):
        found = attribute(self.first, self.second, UNIGRAMS)
        assert found.groups(np.array([1, 0, 1]), 3) == pytest.approx([-100 / 12, 300 / 12, 0])
        assert found.group_factors(np.array([1, 0, 1]), 2) == pytest.approx(np.array([[-100 / 12, 0], [300 / 12, 0]]))

    def test_leave_out_what_is_in_none(self):
        found = attribute(self.first, self.second, UNIGRAMS)
        assert found.groups(np.array([-1, 0, -1]), 1) == pytest.approx([-100 / 12])

    def test_of_chosen_segments_are_not_the_parts_of_these_segments_alone(self):
        whole = attribute(self.first, self.second, UNIGRAMS)
        alone = attribute(self.first[:2], self.second[:2], UNIGRAMS)
        assert alone.segments == pytest.approx([200 / 10, -100 / 10])
        assert alone.difference == pytest.approx(100 / 10)
        assert whole.segments[:2] == pytest.approx([200 / 12, -100 / 12])


class TestConcentration:
    def test_takes_the_largest_part_first_until_the_difference_is_reached(self):
        first = rows(*[([10, 10], [5], [10])] * 5)
        second = first + rows(*[([0, 0], [change], [0]) for change in (1, -2, 4, 0, 2)])
        found = attribute(first, second, UNIGRAMS).concentration
        assert found.segments.tolist() == [2, 4, 0, 3, 1]
        assert found.cumulative == pytest.approx([8, 12, 14, 14, 10])
        assert (found.n_needed, found.n_positive, found.n_negative) == (2, 3, 1)
        assert (found.positive, found.negative) == pytest.approx((14, -4))

    def test_of_a_loss_takes_the_largest_loss_first(self):
        first = rows(*[([10, 10], [5], [10])] * 3)
        second = first + rows(*[([0, 0], [change], [0]) for change in (1, -3, 0)])
        found = attribute(first, second, UNIGRAMS).concentration
        assert found.segments.tolist() == [1, 2, 0]
        assert found.n_needed == 1

    def test_of_one_part_that_is_everything_needs_it_alone(self):
        first = rows(*[([7, 7], [2], [7])] * 3)
        found = attribute(first, first + rows(*[([0, 0], [change], [0]) for change in (0, 0, 1)]), UNIGRAMS)
        assert found.concentration.n_needed == 1

    def test_is_reached_though_sums_of_equal_parts_are_rounded(self):
        for n_segments in range(2, 60):
            first = rows(*[([7, 7], [2], [7])] * n_segments)
            found = attribute(first, first + rows(*[([0, 0], [1], [0])] * n_segments), UNIGRAMS)
            assert found.concentration.n_needed == n_segments

    def test_is_never_reached_where_smoothing_makes_the_difference(self):
        first, second = rows(([4, 4], [2, 1], [4, 3])), rows(([4, 4], [2, 0], [4, 3]))
        # without a match the score tends to 0, and smoothing gives it back in part
        found = attribute(second, first, replace(BIGRAMS, smoothing="floor", smoothing_value=4))
        assert found.difference < 0
        assert found.segments[0] > 0
        assert found.concentration.n_needed is None


class TestLead:
    def test_counts_who_wins_where(self):
        found = lead_of(np.array([4.0, -1.0, 1.0, 0.0, 2.0]))
        assert (found.n_ahead, found.n_behind, found.n_equal) == (3, 1, 1)

    def test_is_the_same_for_the_system_ahead_whichever_is_b(self):
        first = rows(*[([10, 10], [5], [10])] * 5)
        second = first + rows(*[([0, 0], [change], [0]) for change in (1, -2, 4, 0, 2)])
        one, other = (attribute(*pair, UNIGRAMS).lead for pair in ((first, second), (second, first)))
        assert (one.n_ahead, one.n_behind, one.n_equal) == (other.n_ahead, other.n_behind, other.n_equal) == (3, 1, 1)


def test_results_cannot_be_changed():
    found = attribute(*both(BleuOptions()), BleuOptions())
    arrays = [found.segment_factors, found.values, found.changes, found.segments, found.orders, found.match_values]
    arrays += [found.match_parts, found.total_parts, found.groups(np.zeros(4, np.int64), 1)]
    arrays += [found.concentration.segments, found.concentration.cumulative]
    assert not any(array.flags.writeable for array in arrays)


def test_counts_that_do_not_belong_together_are_refused():
    with pytest.raises(ValueError, match=r"shapes \(1, 4\) and \(2, 4\)"):
        attribute(np.zeros((1, 4)), np.zeros((2, 4)), UNIGRAMS)
    with pytest.raises(ValueError, match="4 counts for 2 orders"):
        attribute(np.zeros((1, 4)), np.zeros((1, 4)), BIGRAMS)


@pytest.mark.parametrize("name", PRESETS)
def test_under_every_preset_parts_of_real_text_add_up_to_the_difference_of_the_scores(name):
    options = PRESETS[name].options
    evaluation = evaluate(CORPUS, options)
    found = attribute(*(evaluation.systems[name].counts for name in ("A", "B")), options)
    corpus_scores = [evaluation.systems[name].score.score for name in ("A", "B")]
    assert found.scores == pytest.approx(corpus_scores, abs=1e-12)
    assert found.segments.sum() + found.jump == pytest.approx(corpus_scores[1] - corpus_scores[0], abs=1e-9)
    assert np.abs(found.segments).max() > 0.1


@pytest.mark.parametrize("smoothing", ["exp", "add-k", "nltk-5", "nltk-6"])
@pytest.mark.parametrize("reference_length", REFERENCE_LENGTHS)
def test_parts_are_the_integral_of_finite_differences_of_the_score(smoothing, reference_length):
    options = BleuOptions(
        max_order=3, smoothing=smoothing, weights=(0.6, 0.4, 0), reference_length=reference_length, lowercase=True
    )
    first, second = (counts.astype(float) for counts in both(options))
    unit = AVERAGE_LENGTH_UNIT if reference_length == "average" else 1
    sums, changes = [counts.sum(axis=0) for counts in (first, second)], second - first
    lengths = np.array([[row[0], row[1] / unit] for row in sums])
    kink = np.clip(-(lengths[0, 0] - lengths[0, 1]) / ((lengths[1] - lengths[0]) @ [1, -1]), 0, 1)
    nodes, weights = np.polynomial.legendre.leggauss(60)
    expected = np.zeros(len(first))
    for start, stop in ((0, kink), (kink, 1)):
        for node, weight in zip(start + (stop - start) * (nodes + 1) / 2, (stop - start) * weights / 2, strict=True):
            middle = sums[0] + node * (sums[1] - sums[0])
            step = 1e-5
            ahead, behind = (scores(middle + sign * step * changes, options) for sign in (1, -1))
            expected += weight * (ahead - behind) / (2 * step)
    found = attribute(*both(options), options)
    assert found.segments == pytest.approx(expected, abs=1e-6)
    assert found.jump == 0


@st.composite
def count_pairs(draw):
    """Options of every kind with counts of two systems: short segments, orders without matches and without n-grams."""
    max_order = draw(st.integers(2, 5))
    smoothing = draw(st.sampled_from(ALL_SMOOTHING_METHODS))
    shares = draw(st.lists(st.sampled_from([0.0, 1e-6, 0.1, 0.5, 1.0]), min_size=max_order, max_size=max_order))
    if smoothing in NEIGHBOUR_SMOOTHINGS:
        shares[-1] = 0.0
    shares[0] += not any(shares)
    has_weights = smoothing in NEIGHBOUR_SMOOTHINGS or draw(st.booleans())
    options = BleuOptions(
        max_order=max_order,
        smoothing=smoothing,
        smoothing_value=draw(st.sampled_from([None, 0.0, 0.3])) if smoothing in ("floor", "add-k") else None,
        weights=tuple(share / sum(shares) for share in shares) if has_weights else None,
        effective_order=draw(st.booleans()),
        reference_length=draw(st.sampled_from(REFERENCE_LENGTHS)),
        missing_order=draw(st.sampled_from(["zero", "one"])),
        smooths_without_match=draw(st.booleans()),
        totals_at_least_one=draw(st.booleans()),
    )
    n_segments = draw(st.integers(1, 4))
    return options, *(np.array([draw(segment_counts(options)) for _ in range(n_segments)]) for _ in range(2))


@st.composite
def segment_counts(draw, options):
    length, of_reference = draw(st.integers(0, 12)), draw(st.integers(0, 12))
    total = np.maximum(length - np.arange(options.max_order), 0)
    matched, at_most = [], length
    for n_ngrams in total.tolist():
        matched.append(draw(st.integers(0, min(n_ngrams, at_most))))
        at_most = max(0, matched[-1] - 1)
    if options.totals_at_least_one:
        total = np.maximum(total, 1)
    unit = AVERAGE_LENGTH_UNIT // 2 if options.reference_length == "average" else 1
    return [length, of_reference * unit, *matched, *total]


def test_two_systems_that_jump_alike_have_no_jump_between_them_and_no_reason_for_one():
    options = BleuOptions(max_order=3, smoothing="nltk-6", effective_order=True)
    one_token = np.array([[1, 0, 1, 0, 0, 1, 0, 0]])
    found = attribute(one_token, one_token, options)
    assert (found.difference, found.jump, found.jump_reason) == (0, 0, None)


@given(pair=count_pairs())
def test_whatever_the_options_and_counts_all_parts_add_up_to_the_difference(pair):
    options, first, second = pair
    found = attribute(first, second, options)
    before, after = (float(scores(counts.sum(axis=0), options)) for counts in (first, second))
    assert found.difference == after - before
    assert found.segments.sum() + found.jump == pytest.approx(after - before, abs=1e-9)
    assert found.orders.sum() + found.brevity_penalty + found.jump == pytest.approx(after - before, abs=1e-9)
    assert found.match_parts.sum() + found.total_parts.sum() == pytest.approx(found.orders.sum(), abs=1e-9)
    assert found.segment_factors.sum(axis=0) == pytest.approx([*found.orders, found.brevity_penalty], abs=1e-9)
    if options.smoothing not in ("nltk-5", "nltk-6", "nltk-7"):
        assert found.match_parts + found.total_parts == pytest.approx(found.orders, abs=1e-9)
    if options.reference_length == "none":
        assert found.brevity_penalty == 0
    assert found.concentration.positive + found.concentration.negative == pytest.approx(found.segments.sum(), abs=1e-9)
    assert (found.jump_reason is None) == (found.jump == 0)


@given(pair=count_pairs())
def test_turning_the_systems_round_turns_every_sign(pair):
    options, first, second = pair
    there, back = attribute(first, second, options), attribute(second, first, options)
    assert back.segment_factors == pytest.approx(-there.segment_factors, abs=1e-9)
    assert back.jump == -there.jump
    assert back.match_values == pytest.approx(there.match_values, abs=1e-9)
    assert (back.reason is None) == (there.reason is None)


@given(pair=count_pairs(), data=st.data())
def test_segments_with_equal_counts_have_no_part_and_order_does_not_matter(pair, data):
    options, first, second = pair
    second[0] = first[0]
    found = attribute(first, second, options)
    assert not found.segment_factors[0].any()
    order = data.draw(st.permutations(range(len(first))))
    shuffled = attribute(first[order], second[order], options)
    assert shuffled.segment_factors == pytest.approx(found.segment_factors[order], abs=1e-12)


@given(pair=count_pairs(), share=st.sampled_from([0.001, 0.3, 0.5, 0.99]))
def test_between_its_ends_the_line_has_the_score_of_the_counts(pair, share):
    options, first, second = pair
    sums = np.stack([first.sum(axis=0), second.sum(axis=0)])
    line = BleuLine.between(sums, options)
    by_length = options.smoothing in ("nltk-4", "nltk-7") and sums[:, 0].min() <= 1
    if not line.held.any() and not by_length:
        expected = float(scores((1 - share) * sums[0] + share * sums[1], options))
        found = float(line.scores((1 - share) * line.ends[0] + share * line.ends[1]))
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-12)


@given(pair=count_pairs(), other=st.sampled_from(["none", "exp", "floor"]))
def test_parts_of_segments_are_the_same_with_and_without_smoothing_where_each_order_has_a_match(pair, other):
    options, first, second = pair
    matched_all = [options.max_order] * 2, np.arange(options.max_order, 0, -1), np.arange(options.max_order, 0, -1)
    first = np.vstack([first, rows(matched_all)])
    second = np.vstack([second, rows(matched_all)])
    plain = replace(options, smoothing="none", smoothing_value=None)
    found, unsmoothed = (attribute(first, second, chosen) for chosen in (replace(plain, smoothing=other), plain))
    assert found.segments.tolist() == unsmoothed.segments.tolist()


def test_counts_of_very_different_sizes_lose_no_digits():
    first = rows(([40_000, 1_000_000], [9_000, 300, 1, 0], [40_000, 38_000, 36_000, 34_000]))
    second = rows(([1_000_000, 900_000], [700_000, 400_000, 250_000, 100_000], [1_000_000, 980_000, 960_000, 940_000]))
    options = BleuOptions(smoothing="none")
    found = attribute(first, second, options)
    assert found.segments.sum() == pytest.approx(found.difference, abs=1e-9)
    assert found.difference == pytest.approx(float(scores(second[0], options)))


CHARACTERS = ChrfOptions(char_order=1, beta=1)
BOTH_LEVELS = ChrfOptions(char_order=1, word_order=1)


def chrf_rows(*segments):
    """Counts (S, 3N) from [n-grams of the hypothesis, of the reference, matches] of each order of each segment."""
    return np.array([[number for order in orders for number in order] for orders in segments])


class TestChrfByHand:
    def test_matches_alone_share_the_difference_in_proportion(self):
        first, second = chrf_rows([[4, 4, 1]], [[6, 6, 3]]), chrf_rows([[4, 4, 3]], [[6, 6, 2]])
        found = attribute(first, second, CHARACTERS)
        assert found.difference == pytest.approx(10)  # of 100 · 4/10
        assert found.segments == pytest.approx([20, -10])
        # 100 · 2 m / (h + r), m 4.5 on average
        assert found.values == pytest.approx(np.array([[-2.25, -2.25, 10]]))
        assert (found.jump, found.reason) == (0, None)

    def test_more_characters_with_the_same_matches_lose_through_precision(self):
        first, second = chrf_rows([[2, 4, 2]], [[2, 4, 2]]), chrf_rows([[3, 4, 2]], [[5, 4, 2]])
        found = attribute(first, second, CHARACTERS)
        # F1 is 2 m / (h + r): 100 · (8 / 16 - 8 / 12), by 1 and 3 characters more
        assert found.difference == pytest.approx(100 * (8 / 16 - 8 / 12))
        assert found.segments == pytest.approx([found.difference / 4, 3 * found.difference / 4])

    def test_characters_and_words_are_told_apart(self):
        first, second = chrf_rows([[8, 8, 4], [2, 2, 1]]), chrf_rows([[8, 8, 6], [2, 2, 1]])
        found = attribute(first, second, BOTH_LEVELS)
        assert found.segment_factors == pytest.approx(np.array([[100 * 2 / 8 / 2, 0]]))

    def test_an_order_of_which_a_system_has_no_ngram_keeps_its_precision_and_comes_as_a_jump(self):
        options = ChrfOptions(char_order=2, beta=0)  # precision alone
        first, second = chrf_rows([[1, 1, 1], [0, 1, 0]]), chrf_rows([[4, 4, 2], [3, 3, 1]])
        found = attribute(first, second, options, names=("short", "long"))
        assert found.scores == pytest.approx((100, 100 * (1 / 2 + 1 / 3) / 2))
        assert found.segment_factors == pytest.approx(np.array([[100 * (1 / 2 - 1) / 2, 0]]))
        assert found.jump == pytest.approx(100 * (1 + 1 / 3) / 2 - 100)
        assert found.jump_reason == ("short has no character 2-gram. This part belongs to no segment.")

    def test_what_a_reference_lacks_is_said(self):
        options = ChrfOptions(char_order=1, word_order=1)
        first, second = chrf_rows([[4, 4, 2], [0, 0, 0]]), chrf_rows([[4, 4, 3], [2, 2, 2]])
        found = attribute(second, first, options, names=("two", "none"))
        assert found.jump_reason == (
            "none has no word 1-gram; none has no word 1-gram in the references. This part belongs to no segment."
        )
        assert found.segments.sum() + found.jump == pytest.approx(found.difference)

    def test_with_beta_0_it_is_precision_as_soon_as_anything_matches(self):
        options = ChrfOptions(char_order=1, word_order=1, beta=0)
        first, second = chrf_rows([[0, 0, 0], [0, 1, 0]]), chrf_rows([[0, 0, 0], [1, 1, 1]])
        found = attribute(first, second, options)
        assert (found.difference, found.jump, found.segments.tolist()) == (100, 100, [0])

    def test_nothing_is_divided_without_a_match(self):
        counts = chrf_rows([[4, 4, 0]])
        found = attribute(counts, counts + 0, CHARACTERS)
        assert found.reason == (
            "Both scores are 0, because neither system has a match of any order: there is nothing to divide."
        )


@st.composite
def chrf_pairs(draw):
    """Options with counts of two systems: short segments, orders without matches and without n-grams."""
    options = ChrfOptions(
        draw(st.integers(1, 4)), draw(st.integers(0, 2)), draw(st.integers(0, 3)), eps_smoothing=draw(st.booleans())
    )

    def segment():
        orders = []
        for _ in range(options.n_orders):
            in_reference = draw(st.integers(0, 9))
            in_hypothesis = draw(st.integers(0, 9)) if in_reference else 0
            orders.append([in_hypothesis, in_reference, draw(st.integers(0, min(in_hypothesis, in_reference)))])
        return orders

    n_segments = draw(st.integers(1, 4))
    return options, *(chrf_rows(*(segment() for _ in range(n_segments))) for _ in range(2))


@given(pair=chrf_pairs())
def test_parts_of_chrf_add_up_and_turn_their_signs_with_the_systems(pair):
    options, first, second = pair
    found, back = attribute(first, second, options), attribute(second, first, options)
    before, after = (float(chrf.scores(counts.sum(axis=0), options)) for counts in (first, second))
    assert found.difference == after - before
    assert found.segments.sum() + found.jump == pytest.approx(after - before, abs=1e-9)
    assert (found.values @ found.changes).sum() == pytest.approx(found.segments.sum(), abs=1e-9)
    assert back.segment_factors == pytest.approx(-found.segment_factors, abs=1e-9)
    assert back.jump == pytest.approx(-found.jump, abs=1e-9)
    assert found.jump == 0 or " has no " in found.jump_reason
    same = (first == second).all(axis=1)
    assert not found.segments[same].any()


@pytest.mark.parametrize(
    "options",
    [
        ChrfOptions(),
        ChrfOptions(word_order=2, beta=3),
        ChrfOptions(eps_smoothing=True, whitespace=True),
        TerOptions(),
        BleuOptions(max_order=2, reference_length="none"),
    ],
    ids=["chrF2", "chrF3++", "chrF2 with epsilon", "TER", "BLEU"],
)
def test_parts_in_any_metric_are_the_integral_of_finite_differences_of_the_score(options):
    evaluation = evaluate_metric(CORPUS, options)
    counts = [evaluation.systems[name].counts.astype(float) for name in ("A", "B")]
    sums, changes = [column.sum(axis=0) for column in counts], counts[1] - counts[0]
    nodes, weights = np.polynomial.legendre.leggauss(60)
    expected = np.zeros(len(changes))
    for node, weight in zip((nodes + 1) / 2, weights / 2, strict=True):
        middle, step = sums[0] + node * (sums[1] - sums[0]), 1e-5
        ahead, behind = (evaluation.score_of(middle + sign * step * changes) for sign in (1, -1))
        expected += weight * (ahead - behind) / (2 * step)
    found = attribute(*counts, options)
    assert found.segments == pytest.approx(expected, abs=1e-6)
    assert found.segments.sum() == pytest.approx(found.difference, abs=1e-9)
    assert np.abs(found.segments).max() > 0.1
    assert (found.jump, found.reason) == (0, None)


class TestRatios:
    def test_edits_share_the_difference_of_ter_in_proportion(self):
        found = attribute(np.array([[2, 5], [1, 3]]), np.array([[1, 5], [3, 3]]), TerOptions())
        assert found.segments == pytest.approx([-100 / 8, 200 / 8])

    def test_a_mean_of_more_scores_is_divided_by_sums_and_numbers(self):
        first, second = np.array([[3.0, 1.0], [0.0, 0.0]]), np.array([[3.0, 1.0], [1.0, 1.0]])
        found = attribute(first, second, SegmentScores("s", "s.tsv", {}))
        assert found.difference == -1
        assert found.segments == pytest.approx([0, -1])

    def test_a_system_without_a_score_differs_by_a_jump(self):
        first, second = np.array([[0.0, 0.0]]), np.array([[3.0, 1.0]])
        found = attribute(first, second, SegmentScores("s", "s.tsv", {}), names=("none", "one"))
        assert found.jump == found.difference == 3
        assert found.jump_reason == ("none has no score. This part belongs to no segment.")
        assert attribute(first, first, SegmentScores("s", "s.tsv", {})).reason == (
            "Both scores are 0, because neither system has a score: there is nothing to divide."
        )
