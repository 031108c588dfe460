"""Segments drawn to be judged: probabilities, weights, and what is estimated from them."""

from itertools import permutations

import numpy as np
import pytest
from scipy import stats

from bleucore import BleuOptions, ChrfOptions, InputError, System, TestSet, evaluate
from bleucore.judgements.records import Draw
from bleucore.sampling.criteria import CRITERIA, difference, disagreement, diversity, draw_sample
from bleucore.sampling.design import draw_documents, draw_segments, fitting_probabilities
from bleucore.sampling.estimates import DrawnSegments, estimated_mean, mean_of_all

SEEDS = range(400)
SIZES = np.array([3, 1, 2, 5, 2, 4])
DOCUMENTS = [f"文書 {number}" for number, size in enumerate(SIZES) for _ in range(size)]
INTEREST = np.abs(np.random.default_rng(3).standard_cauchy(60))
TEXTS = {
    "A": ["Die Katze saß auf der Matte .", "猫 は 好き です か 。", "Der Hund lief weg .", "alle gehen nach Hause"],
    "B": ["Die Katze saß auf der Matte .", "犬 は 嫌い です 。", "Ein Hund lief heute weg .", "alle gehen nach Hause"],
}
REFERENCE = ["Die Katze saß auf der Matte .", "猫 は 好き です か 。", "Der Hund lief heute weg .", "alle gingen heim"]
SET = TestSet([System(name, texts) for name, texts in TEXTS.items()], [REFERENCE])


def drawn(sample, documents=None):
    """A sample as its judgements are read back."""
    return DrawnSegments.of(
        {
            int(place) + 1: Draw(
                sample.weights[place], sample.strata[place], documents[place] if documents else str(place)
            )
            for place in sample.segments
        },
        len(sample.probabilities),
    )


class TestSegments:
    @pytest.mark.parametrize("budget", [1, 3, 4, 7, 20, 59, 60, 99])
    def test_are_as_many_as_the_budget_and_each_once(self, budget):
        sample = draw_segments(INTEREST, budget, seed=1)
        assert len(sample.segments) == len(set(sample.segments.tolist())) == min(budget, 60)

    @pytest.mark.parametrize("budget", [1, 3, 8, 20, 59])
    def test_have_weights_that_stand_for_the_whole_test_set_in_every_sample(self, budget):
        sample = draw_segments(INTEREST, budget, seed=1)
        assert (sample.probabilities > 0).all()
        assert sample.probabilities.sum() == pytest.approx(budget)
        assert sample.weights[sample.segments].sum() == pytest.approx(60)

    def test_are_drawn_as_often_as_their_probability_says(self):
        samples = [draw_segments(INTEREST, 20, seed=seed) for seed in SEEDS]
        often = np.bincount(np.concatenate([one.segments for one in samples]), minlength=60) / len(SEEDS)
        expected = samples[0].probabilities
        assert np.abs(often - expected).max() < 4.5 * np.sqrt(0.25 / len(SEEDS))

    def test_lean_to_those_of_interest_but_none_weighs_more_than_a_third_more_than_drawn_alike(self):
        sample = draw_segments(INTEREST, 40, seed=1)
        most, least = INTEREST.argmax(), INTEREST.argmin()
        assert sample.probabilities[most] > 1.5 * sample.probabilities[least]
        assert sample.weights.max() <= 4 / 3 * 60 / 40

    def test_at_least_two_of_each_stratum_so_that_spread_is_known(self):
        for budget in range(4, 60):
            sample = draw_segments(INTEREST, budget, seed=budget)
            assert np.bincount(sample.strata[sample.segments])[1:].min() >= 2

    def test_that_nobody_tells_apart_are_drawn_alike(self):
        assert np.ptp(draw_segments(np.zeros(50), 20, seed=1).probabilities) < 1e-12

    def test_a_seed_draws_them_again(self):
        first, again, other = (draw_segments(INTEREST, 20, seed=seed).segments.tolist() for seed in (5, 5, 6))
        assert first == again != other

    def test_no_budget_is_refused(self):
        with pytest.raises(InputError, match="nothing to draw"):
            draw_segments(INTEREST, 0, seed=1)


class TestDocuments:
    @pytest.mark.parametrize("budget", [5, 6, 7, 11, 16, 17, 40])
    def test_have_the_probability_that_all_orders_give_them(self, budget):
        orders = [np.array(order) for order in permutations(range(len(SIZES)))]
        taken = np.concatenate([order[np.cumsum(SIZES[order]) <= budget] for order in orders])
        expected = np.bincount(taken, minlength=len(SIZES)) / len(orders)
        assert fitting_probabilities(SIZES, budget) == pytest.approx(expected, abs=1e-12)

    def test_of_one_size_have_the_same_that_fits_how_many_there_are(self):
        assert fitting_probabilities(np.full(500, 2), 100) == pytest.approx(np.full(500, 0.1), abs=1e-12)

    def test_of_a_large_test_set_use_the_budget_on_average(self):
        sizes = np.random.default_rng(1).integers(1, 24, 178)
        assert 100 - 24 < (sizes * fitting_probabilities(sizes, 100)).sum() <= 100

    def test_are_never_cut_and_never_beyond_the_budget(self):
        for seed in range(50):
            sample = draw_documents(DOCUMENTS, 9, seed=seed)
            found = [DOCUMENTS[place] for place in sample.segments]
            assert len(found) <= 9
            assert all(found.count(name) == DOCUMENTS.count(name) for name in found)

    def test_longer_than_the_budget_are_refused_by_name(self):
        with pytest.raises(InputError, match=r"never be drawn.*4 segments, and 5 in '文書 3'.*at least 5"):
            draw_documents(DOCUMENTS, 4, seed=1)


class TestEstimates:
    VALUES = np.random.default_rng(7).normal(2, 3, 60) + INTEREST / 5

    def test_of_segments_are_unbiased_and_covered(self):
        truth, covered, means = self.VALUES.mean(), 0, []
        for seed in SEEDS:
            sample = draw_segments(INTEREST, 20, seed=seed)
            values = np.full(60, np.nan)
            values[sample.segments] = self.VALUES[sample.segments]
            found = estimated_mean(values, drawn(sample))
            means.append(found.value)
            covered += found.interval[0] <= truth <= found.interval[1]
        assert abs(np.mean(means) - truth) < 3 * np.std(means) / np.sqrt(len(SEEDS))
        assert covered / len(SEEDS) > 0.93

    def test_of_documents_are_unbiased_by_horvitz_and_thompson_over_all_orders(self):
        values = np.arange(len(DOCUMENTS)) ** 1.5
        weights = draw_documents(DOCUMENTS, 9, seed=1).weights
        starts = np.cumsum(SIZES) - SIZES
        totals = []
        for order in map(np.array, permutations(range(len(SIZES)))):
            for_one = order[np.cumsum(SIZES[order]) <= 9]
            places = np.concatenate([np.arange(starts[one], starts[one] + SIZES[one]) for one in for_one])
            totals.append(weights[places] @ values[places])
        assert np.mean(totals) == pytest.approx(values.sum())

    def test_are_those_of_the_t_test_where_all_weigh_the_same(self):
        found, test = mean_of_all(self.VALUES), stats.ttest_1samp(self.VALUES, 0)
        assert found.value == pytest.approx(self.VALUES.mean())
        assert found.p_value == pytest.approx(test.pvalue)
        assert found.interval == pytest.approx(tuple(test.confidence_interval()))

    def test_take_a_document_for_one_observation(self):
        of_documents = [1.0, 2.0, 4.0, 5.0, 7.0, 7.5]
        values = np.repeat(of_documents, 5)
        alone = DrawnSegments(np.full(30, 3.0), np.ones(30, np.int64), np.arange(30))
        together = DrawnSegments(np.full(30, 3.0), np.ones(30, np.int64), np.repeat(np.arange(6), 5))
        found = estimated_mean(values, together)
        assert found.interval == pytest.approx(tuple(stats.ttest_1samp(of_documents, 0).confidence_interval()))
        assert np.ptp(found.interval) > np.ptp(estimated_mean(values, alone).interval)

        assert mean_of_all(values, together.units).interval == pytest.approx(found.interval)

    def test_of_fewer_than_six_documents_have_no_interval(self):
        values, documents = np.arange(20.0), np.repeat(np.arange(5), 4)
        drawn_documents = DrawnSegments(np.ones(20), np.ones(20, np.int64), documents)
        for found in (mean_of_all(values, documents), estimated_mean(values, drawn_documents)):
            assert (found.value, found.interval, found.p_value) == (pytest.approx(9.5), None, None)
        assert mean_of_all(values).interval is not None

    @pytest.mark.parametrize("n_documents", [6, 12, 40, 250])
    def test_of_documents_of_unequal_sizes_cover_the_true_mean(self, n_documents):
        covered, rng, n_draws = 0, np.random.default_rng(5), 600
        for _ in range(n_draws):
            sizes = rng.integers(1, 12, n_documents)
            documents = np.repeat(np.arange(n_documents), sizes)
            values = rng.normal(size=n_documents)[documents] + rng.normal(size=len(documents))
            low, high = mean_of_all(values, documents).interval
            covered += low <= 0 <= high
        assert 0.92 < covered / n_draws < 0.985

    def test_leave_out_what_was_drawn_and_not_judged(self):
        sample = drawn(draw_segments(INTEREST, 20, seed=1))
        assert estimated_mean(np.full(60, np.nan), sample) is None
        values = np.full(60, np.nan)
        values[np.flatnonzero(sample.weights)[:1]] = 4.0
        found = estimated_mean(values, sample)
        assert (found.value, found.interval, found.n_segments) == (4.0, None, 1)

    def test_have_no_interval_where_nothing_varies(self):
        assert estimated_mean(np.full(60, 0.1), drawn(draw_segments(INTEREST, 60, seed=1))).interval is None


class TestCriteria:
    EVALUATION = evaluate(SET, BleuOptions(), metrics=[ChrfOptions()])

    def test_difference_is_that_of_segment_scores(self):
        bleu = self.EVALUATION.bleu.systems
        expected = np.abs(bleu["A"].segment_scores - bleu["B"].segment_scores)
        assert difference(self.EVALUATION.bleu, ["A", "B"]) == pytest.approx(expected)
        assert expected[0] == 0

    def test_disagreement_is_none_where_metrics_say_the_same(self):
        bleu = self.EVALUATION.bleu
        assert disagreement([bleu, bleu], ["A", "B"]) == pytest.approx(np.zeros(4))
        assert disagreement(list(self.EVALUATION.metrics.values()), ["A", "B"])[1:3].min() > 0

    def test_disagreement_about_one_system_is_about_its_segments(self):
        found = disagreement(list(self.EVALUATION.metrics.values()), ["A"])
        assert len(found) == 4
        assert found.max() > 0

    def test_diversity_is_none_where_outputs_are_the_same(self):
        found = diversity(SET.systems)
        assert found[[0, 3]] == pytest.approx([0, 0])
        assert found[1] > found[2] > 0
        assert found == pytest.approx(diversity(SET.systems[::-1]))

    def test_diversity_of_many_systems_takes_pairs_in_a_ring(self, monkeypatch):
        monkeypatch.setattr("bleucore.sampling.criteria.MOST_PAIRS", 4)
        four = [System(f"{place}", TEXTS["A" if place < 2 else "B"]) for place in range(4)]
        same, other = 100.0, 100 - diversity(SET.systems)
        assert diversity(four) == pytest.approx(100 - (2 * same + 2 * other) / 4)

    @pytest.mark.parametrize("by", CRITERIA)
    def test_each_draws_a_sample(self, by):
        documents = TestSet(SET.systems, SET.references, documents=["a", "a", "b", "b"])
        sample = draw_sample(by, self.EVALUATION, documents, ["A", "B"], budget=2, seed=3)
        assert len(sample.segments) == 2
        assert sample.unit == ("document" if by == "document" else "segment")

    @pytest.mark.parametrize(
        ("by", "systems", "expected"),
        [
            ("difference", ["A"], "the system A alone"),
            ("document", ["A", "B"], "does not say which segment is of which"),
        ],
    )
    def test_what_cannot_be_drawn_by_is_said(self, by, systems, expected):
        with pytest.raises(InputError, match=expected):
            draw_sample(by, self.EVALUATION, SET, systems)
