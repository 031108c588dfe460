"""What holds for every metric of the registry: an entry passes these tests, or it is no metric.

In the manner of scikit-learn's ``check_estimator``: a new metric needs no test of its own for any of this, and an entry
in ``GIVEN`` where the settings that it offers are not all that should be tried.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cache

import numpy as np
import pytest

from bleucore import BleuOptions, ChrfOptions, System, TerOptions, TestSet, evaluate
from bleucore.analysis.attribution import attribute
from bleucore.batteries import METRIC_LAWS, GivenMetric, title_of
from bleucore.batteries.texts import N_SEGMENTS
from bleucore.batteries.texts import whole as a_test_set
from bleucore.counts import group_sums
from bleucore.evaluation import evaluate_metric
from bleucore.metrics import METRICS, MetricOptions, metric_of
from bleucore.metrics.segment_scores import SegmentScores, read_segment_scores
from bleucore.significance import approximate_randomisation, blocks_of_number, bootstrap, randomise, summarise_blocks

LAST = np.array([7, 2, 5, 0, 3, 6, 1, 4])


@dataclass(frozen=True)
class Example:
    """One way to set a metric, for any texts."""

    name: str
    options: Callable[[TestSet], MetricOptions]


def set_as(options):
    chosen = [f"{one.name}={value}" for one in fields(options) if (value := getattr(options, one.name)) != one.default]
    return Example(" ".join([type(options).__name__, *chosen]), lambda _: options)


def read_scores(*, lower_is_better):
    """A file of scores that say of every text of the test set how long it is, but for texts of one character."""

    def options(test_set):
        lines = ["system\tsegment\tlength"]
        for system in test_set.systems:
            lines += [
                f"{system.name}\t{number}\t{len(text) / 10 - 1}"
                for number, text in enumerate(system.hypotheses, start=1)
                if len(text) != 1
            ]
        lower = ["length"] if lower_is_better else []
        return read_segment_scores("lengths.tsv", "\n".join(lines).encode(), lower_is_better=lower)[0]

    return Example(f"scores of a file, {'lower' if lower_is_better else 'higher'} is better", options)


GIVEN = {
    BleuOptions: [
        set_as(BleuOptions()),
        set_as(BleuOptions("char", True, 2, "floor", 0.2, reference_length="average")),
        set_as(BleuOptions("intl", smoothing="add-k", max_order=3, weights=(0.5, 0.3, 0.2), length_tie="first")),
        set_as(BleuOptions(smoothing="nltk-4", totals_at_least_one=True, reference_length="none")),
    ],
    ChrfOptions: [
        set_as(ChrfOptions()),
        set_as(ChrfOptions(word_order=2)),
        set_as(ChrfOptions(3, beta=1, lowercase=True, whitespace=True, eps_smoothing=True)),
    ],
    TerOptions: [set_as(TerOptions()), set_as(TerOptions(True, True, True, True))],
    SegmentScores: [read_scores(lower_is_better=False), read_scores(lower_is_better=True)],
}
EXAMPLES = {
    **{kind: [set_as(one) for one in metric.offered.values()] for kind, metric in METRICS.items()},
    **GIVEN,
}
"""Of a metric that has none of its own here, the settings that it offers."""
EVERY = [example for examples in EXAMPLES.values() for example in examples]
COMPUTED = [example for kind, examples in EXAMPLES.items() if not METRICS[kind].is_read for example in examples]
every_metric = pytest.mark.parametrize("example", EVERY, ids=lambda example: example.name)
every_computed_metric = pytest.mark.parametrize("example", COMPUTED, ids=lambda example: example.name)


WHOLE = a_test_set()


def evaluated(example, test_set=None):
    return of_whole(example) if test_set is None else evaluate_metric(test_set, example.options(test_set))


@cache
def of_whole(example):
    return evaluate_metric(WHOLE, example.options(WHOLE))


def sums_of(evaluation):
    return np.stack([result.counts.sum(axis=0) for result in evaluation.systems.values()])


def close(expected):
    return pytest.approx(expected, rel=1e-11, abs=1e-11)


def test_every_metric_has_examples():
    assert all(EXAMPLES.values())
    assert all(metric.options is kind for kind, metric in METRICS.items())


@every_metric
@pytest.mark.parametrize("law", METRIC_LAWS, ids=title_of)
def test_the_laws_of_metrics_hold(law, example):
    law(GivenMetric(example.options))


@every_metric
class TestCounts:
    def test_of_groups_score_as_the_segments_of_the_group_alone(self, example):
        whole, groups = evaluated(example), np.array([0, 1, 0, 1, -1, 1, 0, 1])
        parts = [evaluated(example, a_test_set(rows=np.flatnonzero(groups == group))) for group in (0, 1)]
        for name, result in whole.systems.items():
            expected = close([part.systems[name].score for part in parts])
            assert whole.group_scores(name, groups, 2).tolist() == expected
            assert whole.score_of(group_sums(result.counts, groups, 2)).tolist() == expected

    def test_do_not_depend_on_the_order_of_segments(self, example):
        whole, moved = evaluated(example), evaluated(example, a_test_set(rows=LAST))
        for name, result in moved.systems.items():
            assert result.counts.tolist() == whole.systems[name].counts[LAST].tolist()
            assert result.segment_scores.tolist() == whole.systems[name].segment_scores[LAST].tolist()
            assert result.score == close(whole.systems[name].score)

    def test_cannot_be_changed_nor_can_sums_and_scores(self, example):
        for result in evaluated(example).systems.values():
            for array in (result.counts, result.sums, result.segment_scores):
                with pytest.raises(ValueError, match="read-only"):
                    array[0] = 1


@every_computed_metric
class TestReferences:
    def test_that_are_the_texts_themselves_give_the_best_score(self, example):
        texts = ["the cat sat on the mat", "今天 天气 很 好 不 是 吗", "Привет мир как дела сегодня"]
        systems = {"poor": ["the cat", "今天", "мир"], "perfect": texts}
        evaluation = evaluated(example, TestSet([System(*item) for item in systems.items()], [texts]))
        best = 100 if evaluation.higher_is_better else 0
        assert evaluation.systems["perfect"].score == pytest.approx(best, abs=1e-9)
        assert evaluation.systems["perfect"].segment_scores.tolist() == pytest.approx([best] * 3, abs=1e-9)
        assert evaluation.ranked() == ("perfect", "poor")


@every_metric
class TestEmptyTexts:
    def test_no_segments_at_all_have_a_finite_score(self, example):
        evaluation = evaluated(example)
        nothing = np.zeros_like(sums_of(evaluation))
        assert np.isfinite(evaluation.score_of(nothing)).all()
        assert np.isfinite(evaluation.draw_scores_of(nothing)).all()


@every_metric
class TestScores:
    def test_of_the_sums_are_those_of_the_test_set(self, example):
        evaluation = evaluated(example)
        expected = [result.score for result in evaluation.systems.values()]
        assert evaluation.score_of(sums_of(evaluation)).tolist() == expected
        assert [result.sums.tolist() for result in evaluation.systems.values()] == sums_of(evaluation).tolist()

    def test_of_segments_are_those_of_their_rows(self, example):
        evaluation = evaluated(example)
        metric, options = metric_of(evaluation.options), evaluation.options
        for result in evaluation.systems.values():
            assert result.segment_scores.tolist() == metric.segment_scores(result.counts, options).tolist()
            alone = [float(metric.segment_scores(row, options)) for row in result.counts]
            assert result.segment_scores.tolist() == close(alone)

    def test_of_draws_are_the_same_in_any_precision(self, example):
        evaluation = evaluated(example)
        counts = np.stack([result.counts for result in evaluation.systems.values()], axis=1)
        drawn = np.random.default_rng(1).multinomial(N_SEGMENTS, [1 / N_SEGMENTS] * N_SEGMENTS, size=50)
        sums = np.tensordot(drawn, counts, axes=1)
        expected = close(evaluation.score_of(sums).ravel().tolist())
        assert evaluation.draw_scores_of(sums.astype(np.float64)).ravel().tolist() == expected
        if sums.dtype.kind == "i" and sums.max() < 2**24:
            assert evaluation.draw_scores_of(sums.astype(np.float32)).ravel().tolist() == expected


@every_metric
class TestDeclaration:
    def test_the_best_system_comes_first_whichever_way_the_metric_points(self, example):
        evaluation = evaluated(example)
        scores = [evaluation.systems[name].score for name in evaluation.ranked()]
        assert scores == sorted(scores, reverse=evaluation.higher_is_better)

    def test_it_stands_beside_bleu_under_its_name(self, example):
        options = example.options(WHOLE)
        if isinstance(options, BleuOptions):
            evaluation = evaluate(WHOLE, options)
            assert evaluation.further_metrics == ()
        else:
            evaluation = evaluate(WHOLE, metrics=[options])
            assert [metric.options for metric in evaluation.further_metrics] == [options]
        found = list(evaluation.metrics.values())[-1]
        assert sums_of(found).tolist() == sums_of(evaluated(example)).tolist()

    def test_scores_that_are_not_there_are_not_known(self, example):
        evaluation = evaluated(example)
        for name, result in evaluation.systems.items():
            known = ~np.isnan(evaluation.known_segment_scores(name))
            assert known.tolist() == evaluation.metric.has_scores(result.counts).tolist()
            assert evaluation.has_score(name) == (not np.isnan(evaluation.known_score(name)))
            assert known.all() or evaluation.metric.is_read


@every_metric
class TestDifferences:
    """The significance tests, which know no metric, take the counts of any."""

    def test_are_tested_by_exchanging_segments(self, example):
        evaluation = evaluated(example)
        systems = [(name, evaluation.systems[name].counts) for name in ("good", "poor")]
        (found,) = approximate_randomisation(randomise(systems, evaluation.draw_scores_of, trials=50, seed=1))
        assert found.difference == close(evaluation.systems["poor"].score - evaluation.systems["good"].score)
        assert found.p_value is None or 0 < found.p_value <= 1

    def test_have_intervals_from_the_bootstrap(self, example):
        evaluation = evaluated(example)
        systems = [(name, result.counts) for name, result in evaluation.systems.items()]
        found = bootstrap(systems, evaluation.draw_scores_of, resamples=50, seed=1)
        assert np.isfinite(found.scores).all()

    def test_are_studied_over_blocks(self, example):
        evaluation, layout = evaluated(example), blocks_of_number(N_SEGMENTS, 2)
        for name, result in evaluation.systems.items():
            found = summarise_blocks(name, result.counts, layout, evaluation.score_of)
            assert found.scores.tolist() == evaluation.group_scores(name, layout.groups, 2).tolist()


@every_metric
class TestAttribution:
    def test_parts_and_jump_add_up_to_the_difference_whichever_system_comes_first(self, example):
        evaluation = evaluated(example)
        first, second = (evaluation.systems[name].counts for name in ("poor", "good"))
        found, back = (attribute(*both, evaluation.options) for both in ((first, second), (second, first)))
        difference = evaluation.systems["good"].score - evaluation.systems["poor"].score
        assert found.difference == difference
        assert found.segments.sum() + found.jump == pytest.approx(difference, abs=1e-9)
        assert back.segments == pytest.approx(-found.segments, abs=1e-9)
        assert found.groups(np.arange(N_SEGMENTS) % 2, 2).sum() == pytest.approx(found.segments.sum(), abs=1e-9)
        assert np.abs(found.segments).max() > 0

    def test_every_factor_has_a_name_and_a_part_and_these_add_up_too(self, example):
        evaluation = evaluated(example)
        found = attribute(*(evaluation.systems[name].counts for name in ("poor", "good")), evaluation.options)
        assert len(set(found.factors)) == len(found.factor_parts) == found.segment_factors.shape[1]
        assert found.factor_parts == pytest.approx(found.segment_factors.sum(axis=0), abs=1e-9)
        assert found.metric_name == evaluation.name

    def test_what_is_gained_in_one_segment_alone_is_its_part(self, example):
        evaluation = evaluated(example)
        first = evaluation.systems["poor"].counts
        second = np.vstack([evaluation.systems["good"].counts[:1], first[1:]])
        found = attribute(first, second, evaluation.options)
        assert not found.segments[1:].any()
        assert found.segments[0] + found.jump == pytest.approx(found.difference, abs=1e-9)
