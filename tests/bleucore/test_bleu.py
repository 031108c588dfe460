"""BLEU of counts: the papers' numbers, the edge cases, and sacreBLEU for every setting."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU

from bleucore import BleuOptions, evaluate
from bleucore.bleu import bleu_score, individual_and_cumulative, parts, scores
from bleucore.options import SMOOTHING_METHODS

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

    def test_without_any_match_a_smoothing_value_beyond_all_bounds_does_not_matter(self, score_of):
        score = score_of(["a"], [["b"]], smoothing="floor", smoothing_value=1.7e308)
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
@settings(max_examples=600, deadline=None)
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
@settings(max_examples=100, deadline=None)
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


@st.composite
def possible_counts(draw, orders):
    """Counts of a segment or corpus as they can come about, and as they cannot: any match up to the total."""
    order = draw(orders)
    length = draw(st.integers(0, 8))
    totals = [max(0, length - n) * draw(st.sampled_from([1, 1, 50])) for n in range(order)]
    matches = [draw(st.integers(0, total)) for total in totals]
    return [length, draw(st.integers(0, 9)), *matches, *totals]


@given(possible_counts(st.integers(1, 6)), OPTIONS)
@settings(max_examples=600, deadline=None)
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
@settings(max_examples=100, deadline=None)
def test_many_rows_score_as_each_alone_in_any_shape(rows, options):
    counts = np.array(rows)
    alone = [bleu_score(row, options).score for row in counts]
    assert scores(counts, options).tolist() == pytest.approx(alone, abs=1e-12)
    assert scores(counts[None, :, None], options).shape == (1, len(rows), 1)
    assert scores(counts.astype(np.float64), options).tolist() == pytest.approx(alone, abs=1e-12)


def test_no_rows_have_no_scores():
    assert scores(np.empty((0, 10), np.int64), BleuOptions()).shape == (0,)
