"""How far a metric agrees with people: by hand, against mt-metrics-eval's own numbers, and where nothing is defined."""

import re
from itertools import combinations, product
from itertools import pairwise as neighbouring
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from bleucore import InputError
from bleucore.agreement import common_segments, pairwise
from bleucore.agreement.agreement import AgreementOptions, agreement
from bleucore.agreement.conflicts import conflicts
from bleucore.agreement.correlations import (
    KINDS,
    coefficient,
    correlation,
    fisher_interval,
    pearson_of_differences,
    pearson_within_segments,
    segment_coefficient,
)
from bleucore.agreement.judged import HumanScores, ScoredSystems
from bleucore.agreement.left_out_blocks import (
    blocks_of,
    p_values_without,
    soft_accuracy_interval,
    tied_accuracy_interval,
)
from bleucore.agreement.metric_comparison import compare_metrics, ranks, williams_test
from bleucore.agreement.opinions import neighbour_differences
from bleucore.agreement.outliers import outliers
from bleucore.agreement.pairwise import mean_counts, mean_score, pair_tests, pairwise_agreement, soft_accuracy_of_means
from bleucore.agreement.raters import raters_of
from bleucore.agreement.tied_accuracy import chance_level, permuted_within_segments, right_pairs, tied_accuracy
from bleucore.judgements import mtme_scores
from bleucore.judgements.averaging import Averaging
from bleucore.judgements.records import Draw, Judgements, Row
from bleucore.sampling.estimates import DrawnSegments
from bleucore.significance import TestSetUnits, approximate_randomisation, draws, randomise

DATA = Path(__file__).parents[2].parent / "shared" / "data" / "wmt23-en-de-mtme"
NAN = float("nan")
JUDGED = np.array(
    [
        [0, -2, NAN, 0, -2, -1, NAN, -5, -6],
        [-4, -5, NAN, 0, -6, -3, NAN, -6, -1],
        [-6, -3, NAN, -4, -4, -5, NAN, -5, 0],
        [-3, -3, NAN, -2, -3, -3, NAN, -1, -1],
        [-2, -2, NAN, 0, -3, -5, NAN, -5, 0],
    ]
)
SCORED = np.array(
    [
        [0.02, -0.19, -0.09, 0.19, 0.17, 0.15, -0.09, -0.3, -0.5],
        [-0.4, -0.42, -0.02, 0.08, -0.45, -0.3, 0.03, -0.54, 0.01],
        [-0.25, -0.1, 0.04, -0.14, -0.1, -0.46, -0.08, -0.3, 0.35],
        [-0.16, -0.06, -0.28, -0.04, -0.17, -0.24, 0.03, 0.05, 0.29],
        [0.04, 0.04, -0.04, 0.27, -0.24, -0.32, -0.2, -0.34, 0.04],
    ]
)
QUICK = AgreementOptions(trials=200, permutations=2)
# What mt-metrics-eval says of both: system correlations and pairs, soft accuracy, segments, ties with their threshold.
OF_TABLE = (0.7279505403, 0.8720815993, 0.7378647874, 8, 0.8777, 0.8876185139, 0.7536862654, 0.7285714286, 0.7571428571)
# WMT23 en-de, MQM, without the reference; the same numbers.
OF_WMT23 = {
    "BLEU": (0.916541, 0.909091, 0.787879, 59, 0.857197, 0.192050, 0.136640, 0.519598, 0.519598, 0.0),
    "chrF": (0.865726, 0.741259, 0.636364, 54, 0.836636, 0.231978, 0.186023, 0.519236, 0.519236, 0.0),
    "COMET": (0.990284, 0.986014, 0.939394, 64, 0.960348, 0.432404, 0.418430, 0.562055, 0.574012, 0.00233901),
}


def named(n_systems):
    return tuple(f"s{index}" for index in range(n_systems))


def people_of(judged, scores=None):
    judged = np.asarray(judged, float)
    return HumanScores.of("mqm", named(len(judged)), judged, scores)


def metric_of(scores, *, higher_is_better=True, reported=None, name="m"):
    scores = np.asarray(scores, float)
    reported = np.array([np.nan if np.isnan(row).all() else np.nanmean(row) for row in scores])
    counts = mean_counts(scores)
    return ScoredSystems(name, named(len(scores)), reported, scores, higher_is_better, counts, mean_score)


def tables():
    """People, a metric, reported scores and known numbers: those of WMT23 too where they lie beside the project."""
    found = [(JUDGED, SCORED, np.nanmean(JUDGED, axis=1), SCORED.mean(axis=1), (*OF_TABLE, 0.07))]
    if not DATA.exists():
        return found
    reported, judged = scores_in("human-scores/en-de.mqm")
    names = [name for name in reported if name not in ("refA", "synthetic_ref")]
    for metric, known in OF_WMT23.items():
        systems, segments = scores_in(f"metric-scores/en-de/{metric}-refA")
        columns = [np.array([one[name] for name in names]) for one in (judged, segments, reported, systems)]
        found.append((*columns, known))
    return found


def scores_in(start):
    """Scores of systems and of segments, by system, in the files of one scorer."""
    path = DATA / f"{start}.sys.score"
    systems = dict(mtme_scores.read_systems(path.name, path.read_text()))
    segments = {name: [] for name in systems}
    for line in (DATA / f"{start}.seg.score").read_text().splitlines():
        name, value = line.split()
        segments.setdefault(name, []).append(NAN if value == "None" else float(value))
    return systems, segments


@pytest.mark.parametrize(("judged", "scored", "reported", "systems", "known"), tables())
def test_statistics_are_those_of_mt_metrics_eval(judged, scored, reported, systems, known):
    found = [correlation(kind, reported, systems).value for kind in KINDS]
    found.append(int(pairwise_agreement(reported, systems)[0].sum()))
    found.append(soft_accuracy_of_means(judged, scored))
    found += [segment_coefficient(kind, judged, scored) for kind in ("pearson", "kendall")]
    accuracy = tied_accuracy(judged, scored)
    found += [accuracy.untied, accuracy.value, accuracy.threshold]
    assert found == pytest.approx(known, abs=5.1e-7, rel=0)


class TestPairs:
    def test_a_tie_agrees_with_a_tie_alone(self):
        agrees, by_people, by_metric = pairwise_agreement(np.array([1.0, 1, 2, 3]), np.array([5.0, 5, 5, 9]))
        assert agrees.tolist() == [True, False, True, False, True, True]
        assert by_people.tolist() == [0, -1, -2, -1, -2, -1]
        assert by_metric.tolist() == [0, 0, -4, 0, -4, -4]

    def test_differences_within_rounding_are_ties(self):
        agrees, _, _ = pairwise_agreement(np.array([1.0, 1.0]), np.array([0.1 + 0.2, 0.3]))
        assert agrees.all()

    def test_of_a_metric_where_lower_is_better_agree_as_those_of_the_turned_one(self):
        up = agreement(people_of(JUDGED), [metric_of(SCORED)], QUICK).metrics[0]
        down = agreement(people_of(JUDGED), [metric_of(-SCORED, higher_is_better=False)], QUICK).metrics[0]
        assert down.scores.tolist() == (-up.scores).tolist()
        for name in ("pearson", "pairs", "spa", "spa_sentence_mean", "segment_kendall", "tied_chance"):
            assert getattr(down, name) == getattr(up, name), name
        assert down.tied.value == up.tied.value

    def test_say_who_finds_a_difference(self):
        """Of 40 segments each: people tell the first from the others, the metric the last."""
        rng = np.random.default_rng(1)
        noise = rng.normal(size=(2, 3, 40))
        judged, scored = noise[0] + [[3], [0], [0.1]], noise[1] + [[0], [0.1], [3]]
        pairs = agreement(people_of(judged), [metric_of(scored)], QUICK).metrics[0].pairs
        assert [(pair.first, pair.second, pair.certainty) for pair in pairs] == [
            ("s0", "s1", "people"),
            ("s0", "s2", "both"),
            ("s1", "s2", "metric"),
        ]
        assert [pair.agrees for pair in pairs][1] is False
        assert pairs[0].people_test.better_p == pytest.approx(1 / 201)
        assert pairs[1].metric_test.better_p == 1.0


class TestPairsOfDifferentSegments:
    """Five systems, each with 8 to 10 of 12 segments; every pair has others in common."""

    KNOWN = np.random.default_rng(7).random((5, 12)) < 0.8
    COUNTS = np.random.default_rng(8).integers(1, 10, size=(5, 12, 3))
    TRIALS = 4001  # neither a byte nor a batch is full

    @staticmethod
    def score(sums):
        return (sums[..., 0] - sums[..., 1] / 2) / sums[..., 2]

    def exact(self, first, second):
        """One- and two-sided p of all exchanges of the segments that both have, each as likely."""
        common = self.KNOWN[first] & self.KNOWN[second]
        ours, theirs = self.COUNTS[first, common], self.COUNTS[second, common]
        exchanges = np.array([*product([0, 1], repeat=int(common.sum()))])
        moved = exchanges @ (ours - theirs)
        null = self.score(ours.sum(axis=0) - moved) - self.score(theirs.sum(axis=0) + moved)
        difference = self.score(ours.sum(axis=0)) - self.score(theirs.sum(axis=0))
        return np.mean(null >= difference - 1e-12), np.mean(np.abs(null) >= abs(difference) - 1e-12)

    def found(self, **options):
        return pair_tests(self.COUNTS, self.score, self.KNOWN, trials=self.TRIALS, **options)

    def test_have_the_p_of_all_exchanges_of_their_own_segments(self):
        found = self.found()
        assert len({tuple(self.KNOWN[first] & self.KNOWN[second]) for first, second in found}) == 10
        for (first, second), test in found.items():
            for p_value, exact in zip((test.better_p, test.p_value), self.exact(first, second), strict=True):
                error = np.sqrt(exact * (1 - exact) / self.TRIALS)
                assert abs(p_value - exact) <= 4 * error + 1 / self.TRIALS, (first, second)

    def test_have_the_p_that_each_pair_alone_has_but_for_chance(self):
        for (first, second), test in self.found().items():
            common = self.KNOWN[first] & self.KNOWN[second]
            alone = pair_tests(
                self.COUNTS[[first, second]][:, common],
                self.score,
                np.ones((2, common.sum()), bool),
                trials=self.TRIALS,
            )[0, 1]
            error = np.sqrt(2 * alone.p_value * (1 - alone.p_value) / self.TRIALS)
            assert abs(test.p_value - alone.p_value) <= 4 * error + 1 / self.TRIALS
            assert (test.difference, test.n_segments) == (pytest.approx(alone.difference), alone.n_segments)

    def test_exchange_the_same_segments_of_every_pair(self):
        exchange = np.random.default_rng(3).integers(2, size=(self.TRIALS, 12), dtype=bool)
        for (first, second), test in self.found(seed=3).items():
            common = self.KNOWN[first] & self.KNOWN[second]
            ours, theirs = self.COUNTS[first, common], self.COUNTS[second, common]
            moved = exchange[:, common] @ (ours - theirs)
            null = self.score(ours.sum(axis=0) - moved) - self.score(theirs.sum(axis=0) + moved)
            assert test.better_p == ((null >= test.difference - 1e-12).sum() + 1) / (self.TRIALS + 1)

    def test_do_not_hang_on_how_many_are_tested_at_once(self, monkeypatch):
        expected = self.found()
        monkeypatch.setattr(common_segments, "NUMBERS_AT_ONCE", 1)
        monkeypatch.setattr(pairwise, "DRAWN_AT_ONCE", 1)
        monkeypatch.setattr(draws, "BATCH_BYTES", 1)
        assert self.found() == expected

    def test_of_one_mask_are_those_of_approximate_randomisation(self):
        known = np.repeat(self.KNOWN[:1], 5, axis=0)
        found = pair_tests(self.COUNTS, self.score, known, trials=self.TRIALS)
        systems = [(str(place), counts[known[0]]) for place, counts in enumerate(self.COUNTS)]
        (expected,) = approximate_randomisation(
            randomise(systems, self.score, trials=self.TRIALS), baseline=4, systems=[1]
        )
        assert (found[1, 4].difference, found[1, 4].p_value) == (expected.difference, expected.p_value)

    @pytest.mark.parametrize("has_one_mask", [True, False])
    def test_by_unit_have_the_p_of_all_exchanges_of_whole_units(self, has_one_mask):
        """Six documents of two segments each: every exchange is made, so that p is exact."""
        known = np.ones((5, 12), bool) if has_one_mask else self.KNOWN
        documents = np.arange(12) // 2
        exchanges = np.array([*product([0, 1], repeat=6)])[:, documents]
        found = pair_tests(self.COUNTS, self.score, known, groups=documents, trials=self.TRIALS)
        by_segment = pair_tests(self.COUNTS, self.score, known, trials=self.TRIALS)
        for (first, second), test in found.items():
            common = known[first] & known[second]
            n_units = len(set(documents[common]))
            assert test.n_units == n_units
            assert test.better_p == by_segment[first, second].better_p
            if n_units < 6:
                assert test.p_value is None
                continue
            ours, theirs = self.COUNTS[first, common], self.COUNTS[second, common]
            moved = exchanges[:, common] @ (ours - theirs)
            null = self.score(ours.sum(axis=0) - moved) - self.score(theirs.sum(axis=0) + moved)
            assert test.p_value == pytest.approx(np.mean(np.abs(null) >= abs(test.difference) - 1e-12))
        assert {test.p_value is None for test in found.values()} <= {False, not has_one_mask}

    def test_of_copies_are_those_of_the_original(self):
        """The same judgements given four times are no more evidence, for pairs, means and ranks of metrics."""
        rng = np.random.default_rng(11)
        judged = rng.normal(size=(4, 60)) + np.arange(4)[:, None] / 4
        scored = judged + rng.normal(size=(4, 60))
        found = []
        for times in (1, 4):
            known = TestSetUnits(60 * times, items=np.tile(np.arange(60), times))
            people = HumanScores.of("mqm", named(4), np.tile(judged, times), known_units=known)
            made = agreement(people, [metric_of(np.tile(scored, times))], QUICK).metrics[0]
            p_values = [(pair.people_test.p_value, pair.metric_test.p_value) for pair in made.pairs]
            found.append((p_values, people.intervals, [one.p_value for one in neighbour_differences(people)]))
        for once, often in zip(*found, strict=True):
            assert np.array(often) == pytest.approx(np.array(once), rel=1e-6)

    def test_of_five_documents_are_none_and_the_reason_is_said(self):
        known = TestSetUnits(40, [f"d{place // 8}" for place in range(40)])
        judged = np.random.default_rng(3).normal(size=(4, 40)) + np.arange(4)[:, None]
        people = HumanScores.of("mqm", named(4), judged, known_units=known)
        metrics = [metric_of(judged, name="m"), metric_of(judged**2, name="n")]
        found = agreement(people, metrics, QUICK)
        assert {pair.certainty for one in found.metrics for pair in one.pairs} == {None}
        assert [one.rank for one in found.metrics] == [None, None]
        assert people.intervals == (None,) * 4
        assert "A test needs at least 6 documents, and there are 5." in found.notices

    def test_leave_out_what_has_no_segment_in_common(self):
        known = self.KNOWN.copy()
        known[0] = False
        assert {place for pair in pair_tests(self.COUNTS, self.score, known, trials=9) for place in pair} == {
            1,
            2,
            3,
            4,
        }
        assert pair_tests(self.COUNTS, self.score, np.eye(5, 12, dtype=bool)) == {}

    def test_say_how_far_they_are(self):
        judged = np.where(self.KNOWN, np.arange(60.0).reshape(5, 12) % 7, NAN)
        metrics = [metric_of(judged % 5, name="m"), metric_of(judged % 3, name="n")]
        shares = []
        agreement(people_of(judged), metrics, QUICK, progress=shares.append)
        assert shares == sorted(shares)
        assert (shares[-1], 0.5 in shares, len(shares) > 12) == (1.0, True, True)

    def test_of_equal_systems_are_sure_of_nothing(self):
        counts = np.repeat(self.COUNTS[:1], 5, axis=0)
        found = pair_tests(counts, self.score, self.KNOWN, trials=9)
        assert {(test.difference, test.better_p, test.p_value) for test in found.values()} == {(0.0, 1.0, 1.0)}

    def test_turn_the_same_segments_for_means_of_segments(self):
        people, metric = np.random.default_rng(9).integers(0, 20, size=(2, 5, 12)).astype(float)
        people[~self.KNOWN] = NAN
        turned = 2 * np.rint(np.random.default_rng(4).random((1000, 12), np.float32)) - 1
        apart = []
        for first, second in combinations(range(5), 2):
            common = self.KNOWN[first] & self.KNOWN[second]
            differences = [(one[first] - one[second])[common] for one in (people, metric)]
            p_values = [np.mean(turned[:, common] @ one >= one.sum()) for one in differences]
            apart.append(abs(p_values[0] - p_values[1]))
        assert soft_accuracy_of_means(people, metric) == pytest.approx(1 - np.mean(apart), abs=1e-12)


class TestSoftAccuracy:
    def test_of_means_is_that_of_the_case_in_the_tests_of_mt_metrics_eval(self):
        people, metric = np.array([[1.0, 2, 3], [2, 3, 4]]), np.array([[2.0, 2, 4], [1, 3, 5]])
        assert soft_accuracy_of_means(people, metric) == pytest.approx(0.872, abs=1e-9)

    def test_is_1_of_people_against_themselves(self):
        found = agreement(people_of(JUDGED), [metric_of(JUDGED)], QUICK).metrics[0]
        assert (found.spa, found.spa_sentence_mean, found.pairs_agree) == (1, 1, 10)

    def test_of_the_reported_mean_is_near_that_of_mt_metrics_eval(self):
        found = agreement(people_of(JUDGED), [metric_of(SCORED)], AgreementOptions(permutations=1)).metrics[0]
        assert found.spa == pytest.approx(found.spa_sentence_mean, abs=0.02)

    def test_compares_systems_that_were_judged_in_other_segments_on_those_of_both(self):
        judged = np.array(JUDGED)
        judged[0, :4] = NAN
        found = agreement(people_of(judged), [metric_of(SCORED)], QUICK)
        assert found.has_one_mask is False
        assert found.notices[-1] == (
            "Raters judged 4 to 7 segments per system. Each pair is tested on the segments judged for both."
        )
        assert [pair.people_test.n_segments for pair in found.metrics[0].pairs] == [4] * 4 + [7] * 6
        of_people, of_metric = (mean_counts(one[:2, [4, 5, 7, 8]]).sum(axis=1) for one in (judged, SCORED))
        pair = found.metrics[0].pairs[0]
        for test, sums in ((pair.people_test, of_people), (pair.metric_test, of_metric)):
            assert test.difference == pytest.approx(mean_score(sums[0]) - mean_score(sums[1]))

    def test_says_in_how_many_segments_systems_were_judged(self):
        judged = np.array(JUDGED)
        judged[np.arange(5), np.array([0, 1, 3, 4, 5])] = NAN
        (said,) = agreement(people_of(judged), [metric_of(SCORED)], QUICK).notices
        assert said == "Raters judged 6 segments per system. Each pair is tested on the segments judged for both."

    def test_leaves_out_a_pair_without_a_common_segment_and_says_so(self):
        judged = np.array(JUDGED)
        judged[0, :5] = judged[1, 5:] = NAN
        found = agreement(people_of(judged), [metric_of(SCORED)], QUICK).metrics[0]
        assert (found.pairs[0].people_test, found.pairs[0].certainty) == (None, None)
        assert (len(found.pairs), 0 < found.spa < 1) == (10, True)
        assert found.notices == (
            "m: 1 of 10 pairs share no judged segment. They are not tested, and not in the soft pairwise accuracy.",
        )

    def test_is_none_of_a_number_that_has_no_counts(self):
        metric = ScoredSystems("m", named(5), SCORED.max(axis=1), SCORED)
        found = agreement(people_of(JUDGED), [metric], QUICK).metrics[0]
        assert found.spa is None
        assert found.notices[0].startswith("m: what is reported for systems is no mean of its segments")


class TestCorrelations:
    @pytest.mark.parametrize("kind", KINDS)
    def test_are_undefined_and_no_numbers_where_a_side_is_constant(self, kind):
        same, rising = np.full(4, 0.1 + 0.2), np.arange(4.0)
        same[1] = 0.3
        for people, metric, who in ((same, rising, "People give"), (rising, same, "The metric gives")):
            found = correlation(kind, people, metric)
            assert (found.value, found.interval, found.range_without) == (None, None, None)
            assert found.reason == f"{who} all systems the same score."
        assert coefficient(kind, same, rising) is None

    def test_need_three_systems(self):
        found = correlation("pearson", np.array([1.0, 2]), np.array([1.0, 2]))
        assert (found.value, found.reason) == (None, "A correlation needs at least 3 judged systems.")

    def test_interval_is_scipys(self):
        people, metric = JUDGED[:, 0], SCORED[:, 0]
        expected = stats.pearsonr(people, metric).confidence_interval(0.95)
        assert correlation("pearson", people, metric).interval == pytest.approx(tuple(expected))
        assert fisher_interval(1.0, 10) is None
        assert fisher_interval(0.5, 3) is None

    def test_say_what_each_system_does_to_them(self):
        people, metric = np.array([1.0, 2, 3, 100]), np.array([3.0, 2, 1, 100])
        found = correlation("pearson", people, metric)
        assert found.value > 0.99
        assert found.without[3] == pytest.approx(-1)
        assert found.range_without == (found.without[3], max(found.without))

    def test_within_segments_are_means_of_scipys(self):
        columns = [(JUDGED[:, index], SCORED[:, index]) for index in (0, 1, 3, 4, 5, 7, 8)]
        expected = np.mean([stats.pearsonr(*both).statistic for both in columns])
        assert pearson_within_segments(JUDGED, SCORED) == pytest.approx(expected)
        assert expected == pytest.approx(0.8662983336)  # mt-metrics-eval's, by item
        assert pearson_within_segments(np.ones((3, 4)), SCORED[:3, :4]) is None

    def test_of_differences_are_those_of_mt_metrics_eval(self):
        assert pearson_of_differences(JUDGED, SCORED) == pytest.approx(0.8552736911)
        people, metric = np.arange(1.0, 7).reshape(2, 3), np.array([[2.0, 1, 4], [3, 3, 7]])
        assert pearson_of_differences(people, metric) == pytest.approx(0.9258200998)


class TestTiedAccuracy:
    GOLD, METRIC = np.array([[1.0], [2], [2], [3], [4]]), np.array([[2.0], [1], [1.5], [5], [3]])

    def test_is_that_of_the_cases_in_the_tests_of_mt_metrics_eval(self):
        found = tied_accuracy(self.GOLD, self.METRIC)
        assert (found.untied, found.value) == pytest.approx((0.6, 0.7))
        assert found.accuracies[found.thresholds <= 2][-1] == pytest.approx(0.4)
        assert (found.n_pairs, found.n_segments) == (10, 1)

    def test_finds_the_threshold_where_most_pairs_are_right(self):
        found = tied_accuracy(np.array([[1.0], [1], [1], [4]]), np.array([[0.0], [2], [6], [8]]))
        assert found.thresholds.tolist() == [0, 2, 4, 6, 8]
        assert found.accuracies.tolist() == pytest.approx([number / 6 for number in (3, 3, 4, 4, 3)])
        assert found.threshold == 4

    def test_takes_scores_that_differ_in_the_last_bit_for_ties(self):
        people = np.zeros((3, 1))
        found = tied_accuracy(people, np.array([[0.1 + 0.2], [0.3], [0.3]]))
        assert (found.value, found.threshold, found.untied) == (1, 0, 1)

    def test_is_the_mean_over_segments_that_have_a_pair(self):
        people = np.array([[1, 1, NAN, 1], [2, 2, 2, NAN], [3, NAN, NAN, NAN]])
        metric = np.array([[1.0, 5, 1, 1], [2, 1, 1, 1], [3, 1, 1, 1]])
        found = tied_accuracy(people, metric)
        assert (found.n_segments, found.n_pairs, found.untied) == (2, 4, 0.5)
        assert tied_accuracy(people[:, 2:], metric[:, 2:]) is None
        assert chance_level(people[:, 2:], metric[:, 2:]) is None

    def test_is_the_sum_of_what_each_pair_adds(self):
        assert np.nansum(right_pairs(JUDGED, SCORED)) == pytest.approx(tied_accuracy(JUDGED, SCORED).value)
        assert np.isnan(right_pairs(JUDGED, SCORED)).sum() == 2 * 10

    def test_by_chance_is_half_where_people_have_no_ties(self):
        rng = np.random.default_rng(2)
        people, metric = rng.random((2, 6, 300))
        assert chance_level(people, metric) == pytest.approx(0.5, abs=0.02)
        assert chance_level(people, people) == pytest.approx(0.5, abs=0.02)

    def test_permutes_what_is_known_within_its_segment(self):
        metric, known = np.arange(40.0).reshape(4, 10), np.random.default_rng(3).random((4, 10)) < 0.7
        permuted = permuted_within_segments(metric, known, np.random.default_rng(4))
        assert (permuted[~known] == metric[~known]).all()
        assert (np.sort(permuted, axis=0) == np.sort(metric, axis=0)).all()
        assert (permuted != metric).any()


class TestIntervals:
    @pytest.mark.parametrize("n_documents", [4, 5, 12, 60])
    def test_leave_out_whole_documents(self, n_documents):
        sizes = np.random.default_rng(2).integers(1, 9, n_documents)
        documents = np.random.default_rng(3).permutation(np.repeat(np.arange(n_documents), sizes))
        blocks = blocks_of(np.ones((2, len(documents)), bool), documents)
        assert (blocks is None) == (n_documents < 5)
        if blocks is not None:
            assert all(len(set(blocks[documents == document])) == 1 for document in range(n_documents))
            assert 5 <= len(set(blocks)) == blocks.max() + 1 <= 20

    def test_of_tied_accuracy_is_the_t_interval_of_blocks_of_one_size(self):
        """40 segments make 20 blocks of two; leaving out one of equal means is the standard error of their mean."""
        rng = np.random.default_rng(3)
        people, metric = np.round(rng.normal(size=(2, 5, 40)))
        shares = np.nansum(right_pairs(people, metric), axis=0) * 40
        means = shares.reshape(20, 2).mean(axis=1)
        expected = stats.t.interval(0.95, 19, means.mean(), stats.sem(means))
        assert tied_accuracy_interval(people, metric) == pytest.approx(expected)
        assert tied_accuracy_interval(people[:, :4], metric[:, :4]) is None

    def test_of_soft_accuracy_are_of_p_values_without_each_block(self):
        """What is exchanged in the other segments, added up one exchange at a time."""
        judged = np.round(np.random.default_rng(4).normal(size=(3, 9)), 1)
        judged[2, :3] = NAN
        known = ~np.isnan(judged)
        blocks = blocks_of(known)
        found = p_values_without(mean_counts(judged), mean_score, known, blocks, seed=5)
        exchange = np.random.default_rng(5).integers(2, size=(301, 9), dtype=bool)[1:]
        for (first, second), p_values in found.items():
            for block in range(9):
                kept = known[first] & known[second] & (blocks != block)
                differences = np.where(kept, judged[first] - judged[second], 0) / kept.sum()
                drawn = np.where(exchange, -differences, differences).sum(axis=1)
                expected = ((drawn >= differences.sum() - 1e-9).sum() + 1) / 301
                assert p_values[block] == pytest.approx(expected), (first, second, block)

    def test_of_a_pair_that_one_block_holds_are_none(self):
        judged = np.zeros((2, 10))
        judged[1, 1:] = NAN
        known = ~np.isnan(judged)
        p_values = p_values_without(mean_counts(judged), mean_score, known, blocks_of(known), seed=1)
        assert np.isnan(p_values[0, 1][0])
        assert soft_accuracy_interval(0.5, p_values, p_values) is None

    @pytest.mark.thorough
    def test_hold_the_expected_accuracy_in_nineteen_of_twenty(self):
        """120 draws of 60 segments, in blocks of three that hang together; 95 % has a standard error of 2 points."""
        accuracies, intervals = [], []
        for seed in range(120):
            rng = np.random.default_rng(seed)
            common = rng.normal(size=(4, 20)).repeat(3, axis=1)
            people = np.round(2 * (common + rng.normal(size=(4, 60)) + np.arange(4)[:, None] / 3))
            metric = people / 2 + rng.normal(size=(4, 60))
            found = agreement(people_of(people), [metric_of(metric)], QUICK).metrics[0]
            accuracies.append((found.spa, found.tied.value))
            intervals.append((found.spa_interval, found.tied_interval))
        ends, expected = np.array(intervals), np.mean(accuracies, axis=0)
        held = ((ends[..., 0] <= expected) & (expected <= ends[..., 1])).mean(axis=0)
        assert (held >= 0.89).all(), held


class TestOutliers:
    def test_are_far_from_the_median_in_robust_deviations(self):
        """The median is 3, the median absolute deviation 1: 1.483 × 2.5 is 3.7."""
        scores = np.array([2.0, 2, 3, 4, 4, 6.8, -0.6])
        assert outliers(scores).tolist() == [False] * 5 + [True, False]
        assert outliers(np.array([1.0, 1, 1, 9])) is None

    def test_are_left_out_of_a_correlation_by_name(self):
        judged = np.array([[0.0, 0.1], [0.1, 0.2], [0.2, 0.3], [0.3, 0.4], [9, 9.1]])
        found = agreement(people_of(judged), [metric_of([[3, 3], [4, 4], [1, 2], [1, 1], [9, 9]])], QUICK)
        (metric,) = found.metrics
        assert (found.outliers, metric.outliers) == (("s4",), ("s4",))
        expected = stats.pearsonr([0.05, 0.15, 0.25, 0.35], [3, 4, 1.5, 1]).statistic
        assert metric.pearson_without_outliers.value == pytest.approx(expected)
        assert metric.pearson.value > 0.8
        assert metric.pearson_without_outliers.value < 0


class TestComparedMetrics:
    def test_exchange_of_whole_segments_is_that_of_all_of_their_scores(self):
        """Two segments: of four exchanges half leave the difference as it is, and half turn a part of it."""
        people, first, second = (np.random.default_rng(seed).random((4, 12)) for seed in range(3))
        found = compare_metrics(people, (people + 0.2 * first, second), "segment-pearson")
        assert found.p_value < 0.01
        turned = compare_metrics(people, (second, people + 0.2 * first), "segment-pearson")
        assert (turned.difference, turned.p_value > 0.99) == (pytest.approx(-found.difference), True)

    @pytest.mark.parametrize("statistic", ["segment-pearson", "tied-accuracy"])
    @pytest.mark.parametrize("exchanged", ["score", "segment"])
    def test_have_the_difference_of_the_statistic(self, statistic, exchanged):
        other = np.random.default_rng(5).random(JUDGED.shape)
        found = compare_metrics(JUDGED, (SCORED, other), statistic, exchanged=exchanged, trials=100)
        of = {
            "segment-pearson": lambda metric: segment_coefficient("pearson", JUDGED, metric),
            "tied-accuracy": lambda metric: tied_accuracy(JUDGED, metric).value,
        }[statistic]
        assert found.difference == pytest.approx(of(SCORED) - of(other))

    def test_of_systems_have_the_p_values_of_all_exchanges(self):
        """All 2^4 exchanges, counted by hand."""
        people, first, second = np.array([1.0, 2, 3, 4]), np.array([1.0, 2, 3, 5]), np.array([2.0, 1, 4, 3])
        ours, theirs = stats.zscore(first), stats.zscore(second)
        for statistic, of in (
            ("pearson", lambda metric: stats.pearsonr(people, metric).statistic),
            ("pairs", lambda metric: pairwise_agreement(people, metric)[0].mean()),
        ):
            reached = []
            for code in range(16):
                swap = np.array([bool(code >> bit & 1) for bit in range(4)])
                drawn = of(np.where(swap, theirs, ours)) - of(np.where(swap, ours, theirs))
                reached.append(drawn >= of(ours) - of(theirs) - 1e-12)
            found = compare_metrics(people, (first, second), statistic, trials=20_000)
            assert found.difference == pytest.approx(of(ours) - of(theirs)), statistic
            assert found.p_value == pytest.approx(np.mean(reached), abs=0.015), statistic

    @pytest.mark.thorough
    @pytest.mark.parametrize("statistic", ["pearson", "pairs", "segment-pearson", "tied-accuracy"])
    def test_that_know_nothing_are_found_better_in_one_of_twenty(self, statistic):
        """200 comparisons of a metric's scores permuted twice: 5 % has a standard error of 1.5 points."""
        n_better = 0
        for seed in range(200):
            rng = np.random.default_rng(seed)
            segments, known = rng.normal(size=20), np.ones((6, 20), np.bool_)
            people = np.round(3 * (segments + rng.normal(size=(6, 20))))
            metric = segments + rng.normal(size=(6, 20))
            first, second = (permuted_within_segments(metric, known, rng) for _ in range(2))
            if statistic in ("pearson", "pairs"):
                people, first, second = (values.mean(axis=1) for values in (people, first, second))
            n_better += compare_metrics(people, (first, second), statistic, trials=99, seed=seed).p_value <= 0.05
        assert 2 <= n_better <= 19

    def test_cannot_be_constant(self):
        text = "The scores: metrics cannot be compared (found one score for all, expected scores that differ)."
        with pytest.raises(InputError, match=f"^{re.escape(text)}"):
            compare_metrics(JUDGED, (SCORED, np.ones(JUDGED.shape)), "segment-pearson")

    def test_by_williams_have_the_p_value_of_mt_metrics_eval(self):
        assert williams_test(0.9, 0.8, 0.7, 12) == pytest.approx(0.1709373110811048)
        assert williams_test(0.8, 0.9, 0.7, 12) == pytest.approx(1 - 0.1709373110811048)
        assert williams_test(0.9, 0.8, 0.7, 3) is None
        assert williams_test(0.9, 0.9, 1.0, 12) is None

    def test_by_williams_stand_beside_the_first_metric(self):
        other = SCORED + np.random.default_rng(9).normal(size=SCORED.shape)
        first, second = agreement(people_of(JUDGED), [metric_of(other, name="noisy"), metric_of(SCORED)], QUICK).metrics
        between = stats.pearsonr(first.scores, second.scores).statistic
        assert first.williams_p is None
        assert second.williams_p == pytest.approx(williams_test(second.pearson.value, first.pearson.value, between, 5))

    def test_have_a_new_rank_where_one_of_the_present_rank_is_better(self):
        better = {("a", "c"), ("c", "d")}
        assert ranks("abcd", lambda *pair: pair in better) == {"a": 1, "b": 1, "c": 2, "d": 3}

    def test_share_a_rank_unless_one_is_better(self):
        """People themselves, twice, and a metric that knows nothing."""
        rng = np.random.default_rng(6)
        people = rng.random((5, 40))
        metrics = [metric_of(rng.random((5, 40)), name="nothing"), metric_of(people), metric_of(people, name="again")]
        found = agreement(people_of(people), metrics, QUICK)
        assert [(one.name, one.rank) for one in found.metrics] == [("nothing", 2), ("m", 1), ("again", 1)]
        assert agreement(people_of(people), metrics[:1], QUICK).metrics[0].rank is None


class TestOpinions:
    def test_are_the_paired_t_test_of_neighbours(self):
        found = neighbour_differences(people_of(JUDGED))
        by_mean = sorted(range(5), key=lambda index: -np.nanmean(JUDGED[index]))
        assert [(one.better, one.worse) for one in found] == [
            (f"s{one}", f"s{next_}") for one, next_ in neighbouring(by_mean)
        ]
        for one in found:
            first, second = (JUDGED[int(name[1])] for name in (one.better, one.worse))
            test = stats.ttest_rel(first, second, nan_policy="omit")
            assert one.p_value == pytest.approx(test.pvalue)
            assert one.interval == pytest.approx(tuple(test.confidence_interval()))
            assert (one.difference, one.n_segments) == (pytest.approx(np.nanmean(first - second)), 7)

    def test_have_no_interval_of_one_segment_or_of_one_difference(self):
        (alone,) = neighbour_differences(people_of([[1, NAN, 3], [2, 1, NAN]]))
        assert (alone.n_segments, alone.difference, alone.interval, alone.p_value) == (1, -1, None, None)
        (same,) = neighbour_differences(people_of([[1, 2], [2, 3]]))
        assert (same.difference, same.interval) == (1, None)
        (none,) = neighbour_differences(people_of([[1, NAN], [NAN, 2]]))
        assert (none.n_segments, none.difference) == (0, None)


class TestConflicts:
    def test_are_the_segments_with_opposite_signs_gravest_first(self):
        people = np.array([[1.0, 0, 5, 0, NAN], [0, 1, 0, 0, 9]])
        metric = np.array([[0.0, 3, 0, 9, 1], [1, 0, 4, 0, 9]])
        found = conflicts(people, metric)
        assert found.segments.tolist() == [2, 1, 0]
        assert (found.people.tolist(), found.metric.tolist()) == ([5, -1, 1], [-4, 3, -1])
        scale = np.sqrt(np.mean([1, 1, 25, 0])), np.sqrt(np.mean([1, 9, 16, 81]))
        assert found.sizes.tolist() == pytest.approx(
            [5 / scale[0] + 4 / scale[1], 1 / scale[0] + 3 / scale[1], 1 / scale[0] + 1 / scale[1]]
        )
        assert found.n_judged == 4

    def test_are_none_where_nobody_judged(self):
        assert len(conflicts(np.full((2, 3), NAN), np.ones((2, 3))).segments) == 0


class TestRaters:
    """Three raters of two systems in three segments: the first two share the first two segments, the third is alone."""

    SAID = (
        ("anna", "s0", 0, 5.0),
        ("anna", "s1", 0, 3.0),
        ("anna", "s0", 1, 4.0),
        ("anna", "s1", 1, 4.0),
        ("王", "s0", 0, 4.0),
        ("王", "s1", 0, 4.5),
        ("王", "s0", 1, 2.0),
        ("王", "s1", 1, 2.0),
        ("مها", "s0", 2, 1.0),
        ("مها", "other", 2, 9.0),
    )

    @classmethod
    def judgements(cls, said=SAID):
        return Judgements("da", "da.csv", "DA", tuple(Row(1, system, at, who, v) for who, system, at, v in said))

    def test_say_how_much_and_how_far_they_judge(self):
        found = raters_of(self.judgements(), ("s0", "s1"), 3)
        assert (found.n_outputs, found.n_shared) == (5, 4)
        anna, wang, maha = found.raters
        assert (anna.name, anna.n_outputs, anna.n_systems, anna.n_alone) == ("anna", 4, 2, 0)
        assert (anna.mean, anna.deviation) == pytest.approx((4.0, np.std([5, 3, 4, 4], ddof=1)))
        assert anna.kendall == pytest.approx(stats.kendalltau([5, 3, 4, 4], [4, 4.5, 2, 2]).statistic)
        # In the first segment they disagree, in the second both have a tie.
        assert (anna.pairs_agree, anna.n_pairs) == (wang.pairs_agree, wang.n_pairs) == (1, 2)
        assert (maha.n_outputs, maha.n_alone, maha.deviation, maha.kendall, maha.n_pairs) == (1, 1, None, None, 0)

    def test_who_differ_most_come_first(self):
        disputed = raters_of(self.judgements(), ("s0", "s1"), 3).disputed
        assert [(one.system, one.segment, one.lowest, one.low, one.highest, one.high) for one in disputed] == [
            ("s0", 1, "王", 2.0, "anna", 4.0),
            ("s1", 1, "王", 2.0, "anna", 4.0),
            ("s1", 0, "anna", 3.0, "王", 4.5),
            ("s0", 0, "王", 4.0, "anna", 5.0),
        ]

    def test_mean_is_of_what_was_given_and_agreement_of_what_is_scored(self):
        found = raters_of(self.judgements(), ("s0", "s1"), 3, Averaging("z"))
        assert [one.mean for one in found.raters[:2]] == [4.0, 3.125]
        of_file = raters_of(self.judgements(), ("s0", "s1"), 3)
        assert found.raters[0].pairs_agree == of_file.raters[0].pairs_agree
        assert found.disputed[0].high < 2

    def test_of_one_output_twice_is_the_mean(self):
        found = raters_of(self.judgements([("anna", "s0", 0, 1.0), ("anna", "s0", 0, 3.0)]), ("s0",), 1)
        assert (found.raters[0].n_outputs, found.raters[0].mean, found.n_shared) == (1, 2.0, 0)

    def test_in_another_order_of_lines_is_the_same(self):
        turned = raters_of(self.judgements(self.SAID[::-1]), ("s0", "s1"), 3)
        assert set(turned.raters) == set(raters_of(self.judgements(), ("s0", "s1"), 3).raters)


class TestOrder:
    def measured(self, judged, scored):
        options = AgreementOptions(trials=2, permutations=1)
        return agreement(people_of(judged), [metric_of(scored)], options).notices

    def test_of_judgements_that_no_metric_follows_is_called_into_question(self):
        """As WMT22's direct assessment of German-English, whose numbers are not those of the lines."""
        rng = np.random.default_rng(5)
        scored = rng.normal(size=(4, 400))
        judged = scored + rng.normal(size=scored.shape)
        assert self.measured(judged, scored) == ()
        (said,) = self.measured(judged[:, rng.permutation(400)], scored)
        assert said.startswith(
            "No metric agrees with the raters segment by segment (Pearson's r of 1,600 judged outputs"
        )

    def test_of_few_judgements_is_not(self):
        rng = np.random.default_rng(5)
        scored = rng.normal(size=(4, 100))
        assert self.measured(scored[:, rng.permutation(100)], scored) == ()


class TestInput:
    def test_of_two_systems_has_a_pair_and_no_correlation(self):
        found = agreement(people_of(JUDGED[:2]), [metric_of(SCORED[:2])], QUICK)
        assert (found.metrics[0].pearson.value, len(found.metrics[0].pairs)) == (None, 1)
        assert found.notices[0] == "Only two systems were judged, so there is no correlation."

    def test_of_one_system_is_refused(self):
        with pytest.raises(
            InputError, match=r"^Judgements mqm: there is nothing to agree about \(found judgements of s0"
        ):
            agreement(people_of(JUDGED[:1]), [metric_of(SCORED[:1])])

    def test_of_equal_judgements_is_undefined(self):
        found = agreement(people_of(np.full((4, 3), 0.7)), [metric_of(SCORED[:4, :3])], QUICK)
        (metric,) = found.metrics
        assert {metric.pearson.value, metric.kendall.value, metric.segment_pearson, metric.segment_kendall} == {None}
        assert (found.outliers, metric.pairs_agree) == (None, 0)
        assert "Half of the systems have equal judgements, so outliers cannot be found." in found.notices

    def test_takes_only_systems_that_the_metric_has_scores_of(self):
        scored = np.array(SCORED)
        scored[1] = NAN
        (found,) = agreement(people_of(JUDGED), [metric_of(scored)], QUICK).metrics
        (alone,) = agreement(people_of(JUDGED[[0, 2, 3, 4]]), [metric_of(SCORED[[0, 2, 3, 4]])], QUICK).metrics
        assert found.systems == ("s0", "s2", "s3", "s4")
        assert (found.pearson, found.spa, found.tied.value) == (alone.pearson, alone.spa, alone.tied.value)
        assert found.notices == ("m has no score of 1 judged systems, which are left out for it.",)

    def test_scores_systems_on_judged_segments_where_asked_to(self):
        (found,) = agreement(people_of(JUDGED), [metric_of(SCORED)], AgreementOptions(True, 200, 1)).metrics
        assert found.scores.tolist() == pytest.approx(SCORED[:, ~np.isnan(JUDGED[0])].mean(axis=1).tolist())

    def test_of_other_systems_is_refused(self):
        text = "m: the metric is of other systems or segments than the judgements (found 4 systems, 9 segments"
        with pytest.raises(InputError, match=f"^{re.escape(text)}"):
            agreement(people_of(JUDGED), [metric_of(SCORED[:4])])

    def test_of_a_system_without_a_judgement_is_refused(self):
        with pytest.raises(InputError, match=r"^Judgements mqm: a system has no judgement \(found s1, "):
            HumanScores("mqm", named(2), np.array([[1.0], [NAN]]), np.ones(2))
        assert HumanScores.of("mqm", named(2), np.array([[1.0], [NAN]])).systems == ("s0",)


def test_one_system_beside_the_judged_reference_is_too_few_and_both_are_named():
    judged = np.array([[1.0, 2.0]])
    people = HumanScores("mqm", ("A",), judged, judged.mean(axis=1), left_out=("refA",))
    with pytest.raises(InputError, match=r"found judgements of A alone, besides the reference itself, refA, expected"):
        agreement(people, [])


class TestDrawn:
    """Two systems in four segments; the first two were drawn of three, the last two by themselves."""

    JUDGED = np.array([[4.0, 2, NAN, 8, 6], [1, 1, NAN, 8, 8]])
    DRAWN = DrawnSegments.of(
        {1: Draw(1.5, 1, "1"), 2: Draw(1.5, 1, "2"), 4: Draw(1.0, 2, "4"), 5: Draw(1.0, 2, "5")}, 5
    )

    def found(self):
        people = HumanScores.of("da", named(2), self.JUDGED, drawn=self.DRAWN)
        scored = np.array([[30.0, 20, 50, 40, 10], [20, 30, 10, 40, 10]])
        return agreement(people, [metric_of(scored)], QUICK)

    def test_means_are_weighted_as_are_differences_and_what_is_tested(self):
        found = self.found()
        assert found.people.scores == pytest.approx([23 / 5, 19 / 5])
        (pair,) = found.metrics[0].pairs
        assert pair.people == pair.people_test.difference == pytest.approx(4 / 5)
        assert pair.metric_test.difference == pytest.approx(0)  # 30 and 20 against 20 and 30, of one weight

    def test_the_interval_is_that_of_strata(self):
        (one,) = neighbour_differences(self.found().people)
        error = np.sqrt(0.3**2 * 2 * 2 * 1.0**2 + 0.2**2 * 2 * 2 * 1.0**2)
        assert one.difference == pytest.approx(0.8)
        assert one.interval == pytest.approx((0.8 - stats.t.ppf(0.975, 2) * error, 0.8 + stats.t.ppf(0.975, 2) * error))

    def test_it_is_said(self):
        assert self.found().notices[0].startswith("Weighted: the judged segments are a sample of all")
