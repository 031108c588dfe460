"""The block analysis of all systems."""

import numpy as np
import pytest
from scipy import stats

from bleucore import BleuOptions, evaluate
from bleucore.evaluation import evaluate_metric
from bleucore.metrics.chrf import ChrfOptions
from bleucore.metrics.segment_scores import SegmentScores, SystemScores
from bleucore.significance import SignificanceOptions, TestSetUnits, blocks_of_number, blocks_of_size
from bleuscope.content.blocks.block_analysis import analyse, can_be_studied, study_layouts, study_sizes
from bleuscope.content.style.scale import ScoreScale


def scores_from_file(values, higher_is_better=True):
    """A metric read from a file: the scores of segments by system, ``None`` where there is none."""
    systems = {}
    for name, column in values.items():
        segments = [place + 1 for place, value in enumerate(column) if value is not None]
        given = [value for value in column if value is not None]
        systems[name] = SystemScores(np.array(segments), np.array(given, float), np.array(segments))
    return SegmentScores("judged", "judged.tsv", systems, higher_is_better)


@pytest.fixture(scope="module")
def bleu(sample):
    return sample.evaluation.metrics["BLEU"]


@pytest.fixture(scope="module")
def analysis(bleu):
    return analyse(bleu, blocks_of_number(216, 20), "literal")


class TestAnalysis:
    def test_rows_rise_with_the_corpus_score(self, sample, bleu, analysis):
        names = [row.summary.name for row in analysis.rows]
        corpus_scores = [bleu.systems[name].score for name in names]
        assert corpus_scores == sorted(corpus_scores)
        assert names == list(sample.evaluation.ranked()[::-1])

    def test_each_system_is_tested_against_its_left_neighbour_and_the_baseline(self, analysis):
        names = [row.summary.name for row in analysis.rows]
        for place, row in enumerate(analysis.rows):
            left, base = row.tests("row above"), row.tests("baseline")
            assert (left is None) == (place == 0)
            assert (base is None) == (row.summary.name == "literal")
            for tests, other in ((left, names[place - 1]), (base, "literal")):
                if tests is not None:
                    assert {(test.name, test.other) for test in tests} == {(names[place], other)}
                    expected = stats.ttest_rel(row.summary.scores, analysis.summary(other).scores)
                    assert tests[0].p_value == pytest.approx(expected.pvalue)

    def test_a_pair_is_the_second_system_minus_the_first(self, analysis):
        tests = analysis.tests(("fluent", "neural-40k"))
        assert [test.method for test in tests] == ["block-t", "block-wilcoxon", "block-sign"]
        difference = analysis.summary("neural-40k").scores - analysis.summary("fluent").scores
        for test in tests:
            assert (test.name, test.other) == ("neural-40k", "fluent")
            assert test.differences == pytest.approx(difference)

    def test_a_block_score_is_the_corpus_score_of_its_segments(self, sample, analysis):
        groups = np.minimum(np.arange(216) // 10, 20)
        for row in analysis.rows:
            expected = sample.evaluation.group_scores(row.summary.name, groups, 21)[:20]
            assert row.summary.scores == pytest.approx(expected)

    def test_worst_comes_first_also_where_lower_is_better(self, sample_errors):
        names = [row.summary.name for row in analyse(sample_errors, blocks_of_number(216, 5), "literal").rows]
        scores = [sample_errors.systems[name].score for name in names]
        assert scores == sorted(scores, reverse=True)

    def test_counts_the_blocks_in_which_an_order_has_no_match(self, score_texts):
        scored = score_texts(
            {"none": ["x", "x", "a b c d"], "two": ["a b", "a b c d", "a b c d"], "all": ["a b c d"] * 3},
            [["a b c d"] * 3],
        )
        rows = analyse(scored.evaluation.metrics["BLEU"], blocks_of_size(3, 1), "all").rows
        assert {row.summary.name: row.n_unmatched for row in rows} == {"none": 2, "two": 1, "all": 0}
        bigrams = evaluate(scored.test_set, BleuOptions(max_order=2)).metrics["BLEU"]
        rows = analyse(bigrams, blocks_of_size(3, 1), "all").rows
        assert {row.summary.name: row.n_unmatched for row in rows} == {"none": 2, "two": 0, "all": 0}

    def test_metrics_without_n_gram_orders_have_no_such_count(self, sample):
        chrf = evaluate_metric(sample.test_set, ChrfOptions())
        found = analyse(chrf, blocks_of_number(216, 5), "literal")
        assert {row.n_unmatched for row in found.rows} == {None}
        assert found.n_unscored == 0

    def test_counts_the_blocks_that_a_file_of_scores_does_not_cover(self, twins):
        given = scores_from_file({"first": [0.5, 0.25, None], "second": [None, 0.5, 1.0]})
        metric = evaluate_metric(twins.test_set, given)
        assert analyse(metric, blocks_of_size(3, 1), "first").n_unscored == 2
        assert analyse(metric, blocks_of_size(3, 2), "first").n_unscored == 0


class TestChoice:
    documents = ("a", "b", "a", "b", "a")

    @pytest.mark.parametrize(
        ("choice", "groups", "size"),
        [
            (SignificanceOptions("block-t", n_blocks=2), [0, 0, 1, 1, -1], 2),
            (SignificanceOptions("block-t", block_size=3), [0, 0, 0, -1, -1], 3),
            (SignificanceOptions("block-t", n_blocks=2, remainder="spread"), [0, 0, 1, 1, 1], 2),
            (SignificanceOptions("block-t", unit="document"), [0, 1, 0, 1, 0], None),
        ],
    )
    def test_makes_the_blocks(self, choice, groups, size):
        assert choice.block_layout(TestSetUnits(5, self.documents)).groups.tolist() == groups
        assert choice.block_size_of(5) == size

    def test_hands_the_seed_on(self):
        layout = SignificanceOptions("block-t", block_size=1, shuffle_seed=3).block_layout(TestSetUnits(5))
        assert layout.shuffle_seed == 3
        assert np.array_equal(layout.groups, blocks_of_size(5, 1, shuffle_seed=3).groups)


class TestScale:
    def test_writes_two_decimals_and_a_true_minus(self, bleu):
        scale = ScoreScale.of(bleu)
        assert (scale.unit, scale.higher_is_better) == ("BLEU", True)
        assert (scale.score(36.126), scale.score(-0.001)) == ("36.13", "0.00")
        assert (scale.difference(1.3), scale.difference(-1.3), scale.difference(0.001)) == ("+1.30", "−1.30", "0.00")
        assert scale.interval(-1, 2.5) == "−1.00 to 2.50"

    def test_writes_four_decimals_for_small_scores_from_a_file(self, twins):
        given = {"first": [0.5, 0.25, 1], "second": [-0.5, 0.5, 1.0]}
        scale = ScoreScale.of(evaluate_metric(twins.test_set, scores_from_file(given, higher_is_better=False)))
        assert (scale.unit, scale.higher_is_better) == ("judged", False)
        assert (scale.score(0.25), scale.difference(-0.00512)) == ("0.2500", "−0.0051")
        large = {"first": [50, 25, 10], "second": [5, 5, 10]}
        assert ScoreScale.of(evaluate_metric(twins.test_set, scores_from_file(large))).score(0.25) == "0.25"


class TestStudies:
    def test_take_a_score_of_every_segment(self, twins):
        given = scores_from_file({"first": [0.5, 0.25, 1], "second": [0.5, None, 1.0]})
        metric = evaluate_metric(twins.test_set, given)
        assert can_be_studied(metric, ("first", "first"))
        assert not can_be_studied(metric, ("first", "second"))
        assert can_be_studied(twins.evaluation.metrics["BLEU"], ("first", "second"))

    def test_are_of_the_second_system_against_the_first(self, bleu):
        pair = ("fluent", "neural-40k")
        layouts = study_layouts(bleu, pair, blocks_of_number(216, 20), seed=4)
        sizes = study_sizes(bleu, pair, None)
        for study in (layouts, sizes):
            assert (study.name, study.other) == ("neural-40k", "fluent")
        assert (layouts.n_layouts, layouts.seed) == (200, 4)

    def test_at_the_size_in_use_t_is_that_of_the_analysis(self, bleu, analysis):
        sizes = study_sizes(bleu, ("fluent", "neural-40k"), None)
        test = analyse(bleu, blocks_of_size(216, 10), "literal").tests(("fluent", "neural-40k"))[0]
        assert sizes.statistics[list(sizes.sizes).index(10)] == pytest.approx(test.statistic)

    def test_the_first_random_layout_is_the_shuffled_one(self, bleu):
        layouts = study_layouts(bleu, ("fluent", "neural-40k"), blocks_of_number(216, 20), seed=4)
        shuffled = analyse(bleu, blocks_of_number(216, 20, shuffle_seed=4), "literal")
        assert layouts.statistics[0] == pytest.approx(shuffled.tests(("fluent", "neural-40k"))[0].statistic)
