"""BLEU of counts: the papers' numbers, the edge cases, and sacreBLEU for every setting."""

import math
import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU

from bleucore import BleuOptions, evaluate
from bleucore.metrics.bleu import (
    bleu_score,
    draw_scores,
    individual_and_cumulative,
    parts,
    reference_lengths,
    scores,
)
from bleucore.options import (
    ALL_SMOOTHING_METHODS,
    LARGEST_SMOOTHING_VALUE,
    LENGTH_TIES,
    REFERENCE_LENGTHS,
    SMOOTHING_METHODS,
)

CANDIDATE_1 = "It is a guide to action which ensures that the military always obeys the commands of the party"
CANDIDATE_2 = "It is to insure the troops forever hearing the activity guidebook that party direct"
REFERENCE_1 = "It is a guide to action that ensures that the military will forever heed Party commands"
REFERENCE_2 = (
    "It is the guiding principle which guarantees the military forces always being under the command of the Party"
)
REFERENCE_3 = "It is the practical guide for the army always to heed the directions of the party"


@pytest.fixture
def score_of(make_test_set):
    """The BleuScore of one system."""

    def score(hypotheses, references, **options):
        return evaluate(make_test_set([hypotheses], references), BleuOptions(**options)).systems["0"].score

    return score


class TestPapineni:
    """Papineni et al. 2002, sections 2.1 and 2.2."""

    def test_two_sevenths_of_the_unigrams_of_example_2(self, score_of):
        references = [["The cat is on the mat"], ["There is a cat on the mat"]]
        score = score_of(["the the the the the the the"], references, lowercase=True)
        assert (score.matches[0], score.totals[0]) == (2, 7)
        assert score.precisions[0] == pytest.approx(100 * 2 / 7)

    @pytest.mark.parametrize("lowercase", [False, True])
    @pytest.mark.parametrize(
        ("candidate", "unigrams", "bigrams"), [(CANDIDATE_1, (17, 18), (10, 17)), (CANDIDATE_2, (8, 14), (1, 13))]
    )
    def test_modified_precisions_of_example_1(self, score_of, candidate, unigrams, bigrams, lowercase):
        references = [[REFERENCE_1], [REFERENCE_2], [REFERENCE_3]]
        score = score_of([candidate], references, lowercase=lowercase, max_order=2)
        assert list(zip(score.matches, score.totals, strict=True)) == [unigrams, bigrams]
        assert score.precisions == pytest.approx([100 * unigrams[0] / unigrams[1], 100 * bigrams[0] / bigrams[1]])

    def test_the_better_candidate_of_example_1_scores_higher(self, score_of):
        references = [[REFERENCE_1], [REFERENCE_2], [REFERENCE_3]]
        assert score_of([CANDIDATE_1], references).score > score_of([CANDIDATE_2], references).score

    def test_a_short_candidate_of_perfect_precision_is_held_back_by_the_brevity_penalty(self, score_of):
        score = score_of(["the cat"], [["the cat is on the mat"]], max_order=2)
        assert score.precisions.tolist() == [100, 100]
        assert score.brevity_penalty == pytest.approx(math.exp(1 - 6 / 2))
        assert score.score == pytest.approx(100 * math.exp(1 - 6 / 2))

    def test_the_penalty_is_of_the_corpus_and_not_of_each_segment(self, score_of):
        score = score_of(["a b c", "a b c d e"], [["a b c d", "a b c d"]], max_order=1)
        assert (score.hypothesis_length, score.reference_length, score.brevity_penalty) == (8, 8, 1.0)


PERFECT = 100.00000000000004
EDGE_CASES = [
    # hypotheses, reference columns, options, score, brevity penalty, hypothesis length, reference length
    ([""], [[""]], {}, 0.0, 1.0, 0, 0),
    ([""], [["a b"]], {}, 0.0, 0.0, 0, 2),
    (["a b"], [[""]], {}, 0.0, 1.0, 2, 0),
    (["x"], [["a b c d e"]], {}, 0.0, math.exp(-4), 1, 5),
    (["a"], [["a b c d e"], [""]], {}, 0.0, 1.0, 1, 0),
    (["a"], [["a b c d e"], [""]], {"effective_order": True}, PERFECT, 1.0, 1, 0),
    (["a b"], [["a b"]], {}, 0.0, 1.0, 2, 2),
    (["a b"], [["a b"]], {"effective_order": True}, PERFECT, 1.0, 2, 2),
    (["a b"], [["a b"]], {"smoothing": "add-k"}, PERFECT, 1.0, 2, 2),
    (["cat"], [["cat"]], {}, 0.0, 1.0, 1, 1),
    (["cat"], [["cat"]], {"effective_order": True}, PERFECT, 1.0, 1, 1),
    (["cat"], [["cat"]], {"smoothing": "add-k"}, PERFECT, 1.0, 1, 1),
    (["cat"], [["cat"]], {"smoothing": "add-k", "effective_order": True}, PERFECT, 1.0, 1, 1),
    (["a b c d e"], [["a b x d e"]], {}, 30.213753973567677, 1.0, 5, 5),
    (["a b c d e"], [["a b x d e"]], {"smoothing": "none"}, 0.0, 1.0, 5, 5),
    (["a b c d e"], [["a b x d e"]], {"smoothing": "floor", "smoothing_value": 0}, 0.0, 1.0, 5, 5),
    (["a b c d e"], [["a b x d e"]], {"smoothing": "add-k", "smoothing_value": 0}, 0.0, 1.0, 5, 5),
    (["a x b y c"], [["a b c d e"]], {"effective_order": True}, 14.058533129758727, 1.0, 5, 5),
    (["a b c d e"], [["a b c d"], ["a b c d e f"]], {}, PERFECT, 1.0, 5, 4),
    (["a b c d e"], [["a b c d e f"], ["a b c d"]], {}, PERFECT, 1.0, 5, 4),
    (["a b c d e"], [["a b c d e"]], {"max_order": 6}, 0.0, 1.0, 5, 5),
    (["a b c d e"], [["a b c d e"]], {"max_order": 6, "effective_order": True}, PERFECT, 1.0, 5, 5),
    (["yes"], [["no"]], {"effective_order": True}, 0.0, 1.0, 1, 1),
    (["yes"], [["no"]], {"smoothing": "add-k"}, 0.0, 1.0, 1, 1),
    (["yes"], [["no"]], {"smoothing": "floor"}, 0.0, 1.0, 1, 1),
    (["a b", ""], [["a b", "c d"]], {"effective_order": True}, 100 * math.exp(-1), math.exp(-1), 2, 4),
    (["a b"], [["a b c"], [None]], {"effective_order": True}, 100 * math.exp(-0.5), math.exp(-0.5), 2, 3),
]


class TestEdgeCases:
    @pytest.mark.parametrize("case", EDGE_CASES)
    def test_by_hand_and_by_sacrebleu(self, score_of, sacrebleu_metric, case):
        hypotheses, references, options, score, penalty, length, reference_length = case
        found = score_of(hypotheses, references, **options)
        theirs = sacrebleu_metric(BleuOptions(**options)).corpus_score(hypotheses, references)
        assert (found.hypothesis_length, found.reference_length) == (length, reference_length)
        assert (theirs.sys_len, theirs.ref_len) == (length, reference_length)
        assert found.score == pytest.approx(score, abs=1e-9)
        assert theirs.score == pytest.approx(score, abs=1e-9)
        assert (found.brevity_penalty, theirs.bp) == pytest.approx((penalty, penalty), abs=1e-12)

    def test_exponential_smoothing_halves_with_each_order_without_a_match(self, score_of):
        precisions = score_of(["a x b y c"], [["a b c d e"]]).precisions
        assert precisions == pytest.approx([60, 100 / (2 * 4), 100 / (4 * 3), 100 / (8 * 2)])

    def test_one_order_without_a_match_is_halved_once(self, score_of):
        assert score_of(["a b c d e"], [["a b x d e"]]).precisions == pytest.approx([80, 50, 100 / 6, 12.5])

    def test_floor_stands_in_for_the_matches_of_an_order_without_any(self, score_of):
        score = score_of(["a b c d e"], [["a b x d e"]], smoothing="floor", smoothing_value=0.3)
        assert score.precisions == pytest.approx([80, 50, 100 * 0.3 / 3, 100 * 0.3 / 2])

    def test_add_k_adds_to_matches_and_totals_above_the_first_order(self, score_of):
        score = score_of(["a b c d e"], [["a b x d e"]], smoothing="add-k", smoothing_value=2)
        assert score.precisions == pytest.approx([80, 100 * 4 / 6, 100 * 2 / 5, 100 * 2 / 4])
        assert (score.matches.tolist(), score.totals.tolist()) == ([4, 2, 0, 0], [5, 4, 3, 2])

    def test_without_any_match_every_precision_is_0_whatever_the_smoothing(self, score_of):
        for smoothing in SMOOTHING_METHODS:
            assert score_of(["a b c d"], [["w x y z"]], smoothing=smoothing).precisions.tolist() == [0, 0, 0, 0]

    def test_without_any_match_the_largest_smoothing_value_does_not_matter(self, score_of):
        score = score_of(["a"], [["b"]], smoothing="floor", smoothing_value=LARGEST_SMOOTHING_VALUE)
        assert (score.score, score.precisions.tolist()) == (0, [0, 0, 0, 0])

    def test_the_effective_order_is_about_ngrams_and_not_about_matches(self, score_of):
        short = score_of(["a b"], [["a c"]], effective_order=True)
        assert short.precisions == pytest.approx([50, 50, 0, 0])
        assert short.score == pytest.approx(50)


class TestScoreParts:
    def test_length_ratio_is_hypothesis_by_reference(self, score_of):
        assert score_of(["a b c"], [["a b"]]).length_ratio == 1.5

    def test_length_ratio_is_0_without_a_reference_token(self, score_of):
        assert score_of(["a b c"], [[""]]).length_ratio == 0.0

    def test_mean_precision_is_the_score_before_the_brevity_penalty(self, score_of):
        score = score_of(["the cat"], [["the cat is on the mat"]], max_order=2)
        assert score.mean_precision == pytest.approx(100)

    def test_mean_precision_is_0_where_the_brevity_penalty_is(self, score_of):
        assert score_of([""], [["a"]]).mean_precision == 0.0

    def test_arrays_are_read_only(self, score_of):
        score = score_of(["a"], [["a"]])
        for array in (score.precisions, score.matches, score.totals):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 1

    def test_the_counts_given_stay_as_they_are_and_writable(self):
        counts = np.array([5, 5, 4, 2, 0, 0, 5, 4, 3, 2])
        before = counts.copy()
        bleu_score(counts, BleuOptions(smoothing="add-k"))
        assert (counts == before).all()
        assert counts.flags.writeable


def counts_of_segments(n_orders):
    """Rows of counts with and without a match of each order: [length, reference length, matches, totals]."""

    def row(drawn):
        length, reference, shares = drawn
        total = [max(0, length - order) for order in range(n_orders)]
        return [length, reference, *(round(share * n) for share, n in zip(shares, total, strict=True)), *total]

    shares = st.lists(st.floats(0, 1), min_size=n_orders, max_size=n_orders)
    rows = st.tuples(st.integers(0, 60), st.integers(0, 60), shares).map(row)
    return st.lists(rows, min_size=1, max_size=20).map(np.array)


class TestScoresWithoutLogarithms:
    """``scores`` takes roots where ``parts`` takes logarithms."""

    @pytest.mark.parametrize("smoothing", sorted(set(ALL_SMOOTHING_METHODS) - {"nltk-5", "nltk-7"}))
    @given(data=st.data(), n_orders=st.sampled_from([1, 2, 3, 4, 8]))
    def test_are_those_of_the_parts(self, smoothing, n_orders, data):
        options = BleuOptions(
            max_order=n_orders,
            smoothing=smoothing,
            effective_order=data.draw(st.booleans()),
            reference_length=data.draw(st.sampled_from(REFERENCE_LENGTHS)),
        )
        counts = data.draw(counts_of_segments(n_orders))
        assert draw_scores(counts, options) == pytest.approx(parts(counts, options).scores, rel=1e-12, abs=1e-12)
        assert draw_scores(counts[0], options) == parts(counts[0], options).scores
        in_double, in_single = (draw_scores(counts.astype(kind), options) for kind in (np.float64, np.float32))
        assert in_single.tolist() == in_double.tolist()

    def test_of_a_perfect_match_are_exactly_100(self):
        assert draw_scores(np.array([[7, 7, 7, 6, 5, 4, 7, 6, 5, 4]]), BleuOptions()) == 100.0

    @pytest.mark.parametrize("rest", [-3e-14, 3e-14])
    def test_of_a_draw_takes_what_rounding_leaves_of_weights_for_nothing(self, rest):
        counts = np.array([[7.5, 7.5, 3.5, 2.5, 1.5, 0.0, 7.5, 6.5, 5.5, 4.5]] * 2)
        counts[0, 5] = rest
        found = draw_scores(counts, BleuOptions())
        assert found[0] == found[1] > 1.0

    @pytest.mark.parametrize("reference_length", [0, 30, 45, 70])
    def test_of_draws_with_one_reference_length_are_those_of_the_parts(self, reference_length):
        """Hypotheses of 0 to 59 tokens in 400 rows: each length is there several times."""
        rng = np.random.default_rng(3)
        lengths = rng.integers(0, 60, 400)
        total = np.maximum(lengths[:, None] - np.arange(4), 0)
        counts = np.column_stack([lengths, np.full(400, reference_length), rng.integers(0, total + 1), total])
        found = scores(counts, BleuOptions())
        assert found == pytest.approx(parts(counts, BleuOptions()).scores, rel=1e-12, abs=1e-12)
        assert found.tolist() == scores(counts.astype(np.float64), BleuOptions()).tolist()

    def test_do_not_depend_on_how_the_counts_lie_in_memory(self):
        rng = np.random.default_rng(2)
        total = rng.integers(500, 900, (4, 300))
        counts = np.concatenate([rng.integers(500, 900, (2, 300)), rng.integers(0, total + 1), total])
        found = draw_scores(counts.T, BleuOptions())
        assert found.tolist() == draw_scores(np.ascontiguousarray(counts.T), BleuOptions()).tolist()
        assert found.tolist() == [draw_scores(row[None], BleuOptions())[0] for row in counts.T]


class TestIndividualAndCumulative:
    COUNTS = np.array([5, 5, 4, 2, 0, 0, 5, 4, 3, 2])

    def test_an_order_alone_is_its_precision_and_up_to_it_the_geometric_mean(self):
        individual, cumulative = individual_and_cumulative(self.COUNTS, BleuOptions())
        assert individual == pytest.approx([80, 50, 100 / 6, 12.5])
        assert cumulative == pytest.approx(
            [80, 4000**0.5, (4000 * 100 / 6) ** (1 / 3), (4000 * 100 / 6 * 12.5) ** (1 / 4)]
        )

    def test_the_last_cumulative_score_is_the_corpus_score(self):
        _, cumulative = individual_and_cumulative(self.COUNTS, BleuOptions())
        assert cumulative[-1] == bleu_score(self.COUNTS, BleuOptions()).score == pytest.approx(30.213753973567677)

    def test_only_cumulative_scores_have_the_brevity_penalty(self):
        counts = np.array([2, 6, 2, 1, 2, 1])
        individual, cumulative = individual_and_cumulative(counts, BleuOptions(max_order=2))
        assert individual.tolist() == [100, 100]
        assert cumulative == pytest.approx([100 * math.exp(-2)] * 2)

    def test_without_a_match_all_are_0(self):
        individual, cumulative = individual_and_cumulative(np.array([2, 2, 0, 0, 2, 1]), BleuOptions(max_order=2))
        assert (individual.tolist(), cumulative.tolist()) == ([0, 0], [0, 0])

    def test_weights_are_those_of_the_orders_so_far_divided_by_their_sum(self):
        _, cumulative = individual_and_cumulative(self.COUNTS, BleuOptions(weights=(0, 0.5, 0.25, 0.25)))
        assert cumulative == pytest.approx(
            [0, 50, 50 ** (2 / 3) * (100 / 6) ** (1 / 3), 50**0.5 * (100 / 6) ** 0.25 * 12.5**0.25]
        )


README = (
    ["The dog bit the man.", "It wasn't surprising.", "The man had just bitten him."],
    [
        ["The dog bit the man.", "It was not unexpected.", "The man bit him first."],
        ["The dog had bit the man.", "No one was surprised.", "The man had bitten the dog."],
    ],
)
"""The example of sacreBLEU's README."""


def weights_of(n_orders):
    """Distributions over that many orders."""
    parts = st.lists(st.integers(0, 9), min_size=n_orders, max_size=n_orders).filter(any)
    return parts.map(lambda whole: tuple(part / sum(whole) for part in whole))


COUNTS_OF_4 = st.deferred(lambda: possible_counts_of(4))


class TestWeights:
    COUNTS = np.array([5, 6, 4, 2, 1, 0, 5, 4, 3, 2])

    @pytest.mark.parametrize(
        ("weights", "score"),
        [
            ((1,), 77.65),
            ((0.5, 0.5), 60.50),
            ((1 / 3, 1 / 3, 1 / 3), 53.93),
            ((0.25,) * 4, 48.53),
            ((0.4, 0.3, 0.2, 0.1), 54.87),
            ((0.1, 0.2, 0.3, 0.4), 42.92),
            ((0, 0, 0, 1), 35.36),
        ],
    )
    def test_of_sacrebleus_example(self, score_of, weights, score):
        found = score_of(*README, max_order=len(weights), weights=weights)
        assert found.score == pytest.approx(score, abs=0.005)

    def test_are_exponents_of_the_precisions(self):
        counts, weights = self.COUNTS.copy(), (0.4, 0.3, 0.2, 0.1)
        expected = 0.8**0.4 * 0.5**0.3 * (1 / 3) ** 0.2 * (1 / 4) ** 0.1 * math.exp(1 - 6 / 5)
        assert bleu_score(counts, BleuOptions(weights=weights)).score == pytest.approx(100 * expected)

    def test_of_0_drop_an_order_without_a_match_or_without_an_ngram(self, score_of):
        weights = (0.5, 0.5, 0, 0)
        assert score_of(["a b x"], [["a b y"]], smoothing="none", weights=weights).score == pytest.approx(
            100 * math.sqrt(2 / 3 / 2)
        )
        assert score_of(["a b"], [["a b"]], weights=weights).score == pytest.approx(100)

    def test_however_small_make_the_score_0_with_an_order_without_a_match(self, score_of):
        weights = (1 - 1e-12, 0, 0, 1e-12)
        assert score_of(["a b c x d"], [["a b c y d"]], smoothing="none", weights=weights).score == 0.0

    def test_leave_smoothing_to_count_all_orders_without_a_match(self, score_of):
        score = score_of(["a b x c d"], [["a y b z c d"]], weights=(0, 0, 0, 1))
        assert score.precisions.tolist() == pytest.approx([80, 25, 100 / (2 * 3), 100 / (4 * 2)])
        assert score.score == pytest.approx(12.5 * math.exp(1 - 6 / 5))

    def test_of_the_orders_that_are_left_are_divided_by_their_sum(self, score_of):
        score = score_of(["a b"], [["a c"]], effective_order=True, weights=(0.1, 0.3, 0.3, 0.3))
        assert score.score == pytest.approx(100 * 0.5**0.25 * 0.5**0.75)

    def test_score_0_where_none_is_left(self, score_of):
        assert score_of(["a b"], [["a b"]], effective_order=True, weights=(0, 0, 0, 1)).score == 0.0

    @given(COUNTS_OF_4, st.booleans())
    def test_that_are_all_the_same_change_nothing(self, counts, effective):
        counts, plain = np.array(counts), BleuOptions(effective_order=effective)
        assert scores(counts, replace(plain, weights=(0.25,) * 4)) == scores(counts, plain)

    @given(COUNTS_OF_4, st.integers(0, 3))
    def test_of_1_for_one_order_leave_its_precision_and_the_brevity_penalty(self, counts, order):
        weights = tuple(float(place == order) for place in range(4))
        whole = parts(np.array(counts), BleuOptions(weights=weights))
        assert whole.scores == pytest.approx(whole.precisions[order] * whole.brevity_penalties, rel=1e-12)

    @given(COUNTS_OF_4, weights_of(4), weights_of(4))
    def test_halfway_between_two_weights_lies_the_geometric_mean_of_their_scores(self, counts, first, second):
        middle = tuple((one + two) / 2 for one, two in zip(first, second, strict=True))
        one, two, mean = (scores(np.array(counts), BleuOptions(weights=w)) for w in (first, second, middle))
        assert mean == pytest.approx(math.sqrt(one * two), rel=1e-9, abs=1e-200)

    @given(
        st.permutations(range(4)), weights_of(4), st.integers(1, 9), st.lists(st.integers(1, 9), min_size=4, max_size=4)
    )
    def test_move_with_their_precisions(self, order, weights, length, matched):
        counts = np.array([length, 7, *matched, 9, 9, 9, 9])
        turned = np.array([length, 7, *(matched[place] for place in order), 9, 9, 9, 9])
        found = scores(turned, BleuOptions(weights=tuple(weights[place] for place in order)))
        assert found == pytest.approx(float(scores(counts, BleuOptions(weights=weights))), rel=1e-12)


class TestReferenceLength:
    HYPOTHESES, REFERENCES = ["a b c d e x"], [["a b c d e y z"], ["q r s"]]

    @pytest.mark.parametrize(
        ("rule", "length", "score"),
        [
            ("closest", 7, 64.3187),
            ("shortest", 3, 75.9836),
            ("average", 5, 75.9836),
            ("none", 7, 75.9836),
        ],
    )
    def test_of_references_of_7_and_3_tokens(self, score_of, rule, length, score):
        found = score_of(self.HYPOTHESES, self.REFERENCES, reference_length=rule)
        assert (found.reference_length, found.score) == (length, pytest.approx(score, abs=5e-5))

    def test_of_the_average_is_not_rounded_in_the_penalty(self, score_of):
        references = [["a b c", "a b"], ["a b c d", "a b"], ["a b c d", None]]
        found = score_of(["a b", "a b"], references, max_order=1, reference_length="average")
        assert found.brevity_penalty == pytest.approx(math.exp(1 - (11 / 3 + 2) / 4))
        assert (found.reference_length, found.length_ratio) == (6, 4 / 6)

    def test_of_averages_adds_up_exactly(self, make_test_set):
        references = [["a"] * 3000, ["a b"] * 3000, ["a"] * 3000]
        options = BleuOptions(reference_length="average")
        counts = evaluate(make_test_set([["a"] * 3000], references), options).systems["0"].counts
        assert reference_lengths(counts.sum(axis=0), options) == 4000
        assert counts.dtype == np.int64

    def test_none_leaves_out_the_penalty_even_of_nothing(self, score_of):
        found = score_of(["", "a"], [["a b c d", "a"]], max_order=1, reference_length="none")
        assert (found.brevity_penalty, found.score) == (1.0, pytest.approx(100))

    @pytest.mark.parametrize(("tie", "score"), [("shorter", 70.7107), ("first", 57.8930)])
    def test_of_two_equally_close_ones_is_the_shorter_or_the_first(self, score_of, tie, score):
        found = score_of(["a b c d e"], [["a b c d x e"], ["q r s t"]], length_tie=tie)
        assert found.score == pytest.approx(score, abs=5e-5)

    @given(data=st.data())
    def test_the_shortest_never_lowers_a_score_and_no_penalty_never_either(self, make_test_set, corpora, data):
        test_set = make_test_set(*data.draw(corpora))
        found = {
            rule: evaluate(test_set, BleuOptions(reference_length=rule)).systems["0"].score.score
            for rule in REFERENCE_LENGTHS
        }
        assert found["closest"] <= found["shortest"] + 1e-9 <= found["none"] + 2e-9
        assert found["average"] <= found["none"] + 1e-9

    @given(data=st.data())
    def test_with_one_reference_all_rules_agree(self, make_test_set, corpora, data):
        hypotheses, references = data.draw(corpora)
        test_set = make_test_set(hypotheses, [[text or "" for text in references[0]]])
        found = [
            evaluate(test_set, BleuOptions(reference_length=rule, length_tie=tie)).systems["0"].score
            for rule in ("closest", "shortest", "average")
            for tie in LENGTH_TIES
        ]
        assert len({score.score for score in found}) == 1
        assert len({score.reference_length for score in found}) == 1


class TestOtherRules:
    def test_an_order_without_an_ngram_can_count_as_1(self, score_of):
        score = score_of(["a b x"], [["a b y"]], missing_order="one")
        assert score.precisions == pytest.approx([200 / 3, 50, 50, 100])
        assert score.score == pytest.approx(100 * (2 / 3 / 4) ** 0.25)
        left_out = score_of(["a b x"], [["a b y"]], missing_order="one", effective_order=True)
        assert left_out.score == score.score

    @pytest.mark.parametrize(
        ("hypothesis", "reference", "score"), [("yes", "no", 84.0896), ("a b c d e", "v w x y z", 5.3411), ("", "a", 0)]
    )
    def test_smoothing_without_any_match(self, score_of, hypothesis, reference, score):
        found = score_of([hypothesis], [[reference]], smooths_without_match=True, missing_order="one")
        assert found.score == pytest.approx(score, abs=5e-5)

    def test_nothing_against_nothing_scores_0_whatever_the_rules(self, score_of):
        assert score_of([""], [[""]], smooths_without_match=True, missing_order="one").score == 0.0

    def test_segments_can_count_one_ngram_of_each_order_at_least(self, score_of):
        score = score_of(["a b", "", "a b c d e"], [["a b", "c", "a b c d e"]], totals_at_least_one=True)
        assert score.totals.tolist() == [8, 6, 5, 4]
        assert score.hypothesis_length == 7

    def test_an_empty_text_can_count_as_a_token_that_matches_another(self, score_of):
        score = score_of(["", "", "a"], [["", "b c", ""], ["x", None, "a"]], max_order=1, empty_counts_as_token=True)
        assert (score.matches.tolist(), score.totals.tolist()) == ([2], [3])
        assert (score.hypothesis_length, score.reference_length) == (3, 4)

    def test_an_absent_reference_is_no_empty_one(self, score_of):
        score = score_of([""], [[None], ["a b"]], max_order=1, empty_counts_as_token=True)
        assert (score.matches.tolist(), score.reference_length) == ([0], 2)


NEIGHBOUR = {"max_order": 5, "weights": (0.25,) * 4 + (0,)}


class TestNltkSmoothing:
    """The methods by hand; NLTK's own numbers are with the presets."""

    def test_0_makes_a_precision_of_0_the_smallest_normal_number(self, score_of):
        score = score_of(["a b c d x"], [["a b c y d"]], smoothing="nltk-0")
        assert score.precisions[3] == 100 * sys.float_info.min
        assert 0 < score.score < 1e-70

    def test_4_takes_the_logarithm_of_the_length(self, score_of):
        score = score_of(["a x b y c"], [["a b c d e"]], smoothing="nltk-4")
        expected = [60, *(100 * math.log(5) / (5 * 2**k) / (5 - k) for k in (1, 2, 3))]
        assert score.precisions == pytest.approx(expected)

    def test_4_leaves_a_single_token_out_of_the_sum_of_logarithms(self, score_of):
        score = score_of(["a"], [["a"]], smoothing="nltk-4", totals_at_least_one=True)
        assert score.score == pytest.approx(100)

    def test_5_averages_neighbours_from_the_first_smoothed_on(self, score_of):
        score = score_of(["a b c d x e"], [["a b c d y e"]], smoothing="nltk-5", **NEIGHBOUR)
        p = [5 / 6, 3 / 5, 2 / 4, 1 / 3, 0]
        first = (p[0] + 1 + p[0] + p[1]) / 3
        second = (first + p[1] + p[2]) / 3
        third = (second + p[2] + p[3]) / 3
        fourth = (third + p[3] + p[4]) / 3
        assert score.precisions == pytest.approx([100 * value for value in (first, second, third, fourth, 0)])
        assert score.score == pytest.approx(100 * (first * second * third * fourth) ** 0.25)

    def test_6_expects_the_ratio_of_two_precisions_again(self, score_of):
        score = score_of(["a b c d x e"], [["a b c d y e"]], smoothing="nltk-6")
        third = (2 + 5 * (3 / 5) ** 2 / (5 / 6)) / (4 + 5)
        fourth = (1 + 5 * third**2 / (3 / 5)) / (3 + 5)
        assert score.precisions == pytest.approx([500 / 6, 60, 100 * third, 100 * fourth])

    def test_6_scores_0_where_nltk_stops_without_a_trigram_match(self, score_of):
        score = score_of(["a b x c d"], [["a b y c d"]], smoothing="nltk-6")
        assert (score.score, score.precisions.tolist()) == (0, pytest.approx([80, 50, 0, 0]))

    def test_6_has_nothing_to_smooth_in_two_orders(self, score_of):
        score = score_of(["a b x"], [["a b y"]], smoothing="nltk-6", max_order=2)
        assert score.precisions == pytest.approx([200 / 3, 50])

    def test_7_is_4_and_then_5(self, score_of):
        score = score_of(["a b c x d"], [["a b c y d"]], smoothing="nltk-7", **NEIGHBOUR)
        p = [4 / 5, 2 / 4, 1 / 3, math.log(5) / 10 / 2, 0]
        first = (p[0] + 1 + p[0] + p[1]) / 3
        second = (first + p[1] + p[2]) / 3
        third = (second + p[2] + p[3]) / 3
        fourth = (third + p[3] + p[4]) / 3
        assert score.precisions[:4] == pytest.approx([100 * value for value in (first, second, third, fourth)])

    def test_the_last_segment_gives_what_nltk_takes_from_it(self, make_test_set):
        options = BleuOptions(smoothing="nltk-6", totals_at_least_one=True)
        counts = evaluate(make_test_set([["a b c d", "a b c"]], [["a b c d", "a b c"]]), options).systems["0"].counts
        whole = bleu_score(counts.sum(axis=0), options, last_segment=counts[-1])
        third = (3 + 5) / (1 + 5)
        assert whole.precisions == pytest.approx([100, 100, 100 * third, 100 * (1 + 5 * third**2) / (0 + 5)])
        assert bleu_score(counts.sum(axis=0), options).precisions[2] == pytest.approx(100)

    @given(counts=st.deferred(lambda: possible_counts_of(5)), smoothing=st.sampled_from(sorted(ALL_SMOOTHING_METHODS)))
    def test_every_method_gives_finite_scores_of_any_counts(self, counts, smoothing):
        weights = (0.25,) * 4 + (0.0,)
        for options in (
            BleuOptions(max_order=5, weights=weights, smoothing=smoothing),
            BleuOptions("none", False, 5, smoothing, None, True, weights, "average", "first", "one", True, True, True),
        ):
            whole = parts(np.array(counts), options)
            assert all(np.isfinite(array).all() and (array >= 0).all() for array in vars(whole).values())
            alone = scores(np.array([counts, counts]), options)
            assert alone.tolist() == pytest.approx([float(whole.scores)] * 2)


OPTIONS = st.builds(
    lambda smoothing, value, **other: BleuOptions(
        smoothing=smoothing, smoothing_value=value if smoothing in ("floor", "add-k") else None, **other
    ),
    smoothing=st.sampled_from(SMOOTHING_METHODS),
    value=st.sampled_from([None, 0, 0.0, 0.001, 0.1, 0.5, 1, 2.75, 10]),
    tokenizer=st.sampled_from(["13a", "none", "char"]),
    lowercase=st.booleans(),
    max_order=st.integers(1, 9),
    effective_order=st.booleans(),
)


def assert_same(ours, theirs, options):
    """Every field of a score of ours is that of sacreBLEU's, which leaves the k of add-k in its counts."""
    k = options.effective_smoothing_value if options.smoothing == "add-k" and any(ours.matches) else 0
    added = np.array([0] + [k] * (options.max_order - 1))
    assert ours.score == pytest.approx(theirs.score, abs=1e-9)
    assert ours.precisions == pytest.approx(theirs.precisions, abs=1e-9)
    assert ours.brevity_penalty == pytest.approx(theirs.bp, abs=1e-12)
    assert ours.length_ratio == pytest.approx(theirs.ratio, abs=1e-12)
    assert (ours.hypothesis_length, ours.reference_length) == (theirs.sys_len, theirs.ref_len)
    assert ours.matches + added == pytest.approx(theirs.counts)
    assert ours.totals + added == pytest.approx(theirs.totals)


@given(data=st.data(), options=OPTIONS)
def test_corpus_and_segment_scores_are_sacrebleus(make_test_set, sacrebleu_metric, corpora, data, options):
    hypotheses, references = data.draw(corpora)
    evaluation = evaluate(make_test_set(hypotheses, references), options)
    corpus, sentence = sacrebleu_metric(options), sacrebleu_metric(options, effective_order=True)
    for result, column in zip(evaluation.systems.values(), hypotheses, strict=True):
        assert_same(result.score, corpus.corpus_score(column, references), options)
        by_segment = [[text for text in texts if text is not None] for texts in zip(*references, strict=True)]
        theirs = [sentence.sentence_score(*pair).score for pair in zip(column, by_segment, strict=True)]
        assert result.segment_scores == pytest.approx(theirs, abs=1e-9)
    assert evaluation.signature.startswith(str(corpus.get_signature()).split("|smooth:")[0])


@given(data=st.data(), options=OPTIONS)
def test_cumulative_scores_are_sacrebleus_of_each_smaller_order(
    make_test_set, sacrebleu_metric, corpora, data, options
):
    hypotheses, references = data.draw(corpora)
    for result in evaluate(make_test_set(hypotheses, references), options).systems.values():
        individual, cumulative = individual_and_cumulative(result.counts.sum(axis=0), options)
        smaller = [replace(options, max_order=order + 1) for order in range(options.max_order)]
        column = hypotheses[int(result.name)]
        theirs = [sacrebleu_metric(each).corpus_score(column, references).score for each in smaller]
        assert cumulative == pytest.approx(theirs, abs=1e-9)
        assert (individual == result.score.precisions).all()


def possible_counts_of(order):
    return possible_counts(st.just(order))


@st.composite
def possible_counts(draw, orders):
    """Counts of a segment or corpus as they can come about, and as they cannot: any match up to the total."""
    order = draw(orders)
    length = draw(st.integers(0, 8))
    totals = [max(0, length - n) * draw(st.sampled_from([1, 1, 50])) for n in range(order)]
    matches = [draw(st.integers(0, total)) for total in totals]
    return [length, draw(st.integers(0, 9)), *matches, *totals]


@given(possible_counts(st.integers(1, 6)), OPTIONS)
def test_scores_of_counts_are_finite_between_0_and_sacrebleus(counts, options):
    order = (len(counts) - 2) // 2
    whole = parts(np.array(counts), options)
    theirs = BLEU.compute_bleu(
        correct=counts[2 : 2 + order],
        total=counts[2 + order :],
        sys_len=counts[0],
        ref_len=counts[1],
        smooth_method=options.smoothing,
        smooth_value=options.smoothing_value,
        effective_order=options.effective_order,
        max_ngram_order=order,
    )
    assert float(whole.scores) == pytest.approx(theirs.score, rel=1e-12, abs=1e-9)
    assert whole.precisions == pytest.approx(theirs.precisions, rel=1e-12)
    assert float(whole.brevity_penalties) == pytest.approx(theirs.bp)
    assert all(np.isfinite(array).all() and (array >= 0).all() for array in vars(whole).values())


@given(st.lists(possible_counts(st.just(3)), min_size=1, max_size=6), OPTIONS)
def test_many_rows_score_as_each_alone_in_any_shape(rows, options):
    counts = np.array(rows)
    alone = [bleu_score(row, options).score for row in counts]
    assert scores(counts, options).tolist() == pytest.approx(alone, abs=1e-12)
    assert scores(counts[None, :, None], options).shape == (1, len(rows), 1)
    assert scores(counts.astype(np.float64), options).tolist() == pytest.approx(alone, abs=1e-12)


@pytest.mark.parametrize("smoothing", ALL_SMOOTHING_METHODS)
def test_no_rows_have_no_scores(smoothing):
    options = BleuOptions(max_order=5, weights=(0.25,) * 4 + (0,), smoothing=smoothing)
    assert scores(np.empty((0, 12), np.int64), options).shape == (0,)
