"""Two systems: their differences by segment and by document."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleucore import evaluate
from bleucore.evaluation import evaluate_metric
from bleucore.metrics.segment_scores import SegmentScores, SystemScores
from dashboard.content.comparison import difference_figures
from dashboard.content.comparison.difference_figures import Quantity
from dashboard.content.comparison.differences import (
    DocumentDifferences,
    Selection,
    document_differences,
    segment_differences,
)
from dashboard.content.style.charts import NEGATIVE, POSITIVE
from dashboard.content.style.scale import Scale


def test_segment_differences_are_the_second_system_minus_the_first(score_texts):
    scored = score_texts({"a": ["x y", "q", "a b c d"], "b": ["x y", "x", "z"]}, [["x y", "x", "a b c d"]])
    assert segment_differences(scored.evaluation, ("a", "b")).tolist() == [0, 100, -100]
    assert segment_differences(scored.evaluation, ("b", "a")).tolist() == [0, -100, 100]


def test_a_system_does_not_differ_from_itself_or_its_twin(sample, twins):
    assert not segment_differences(sample.evaluation, ("human", "human")).any()
    assert not segment_differences(twins.evaluation, ("first", "second")).any()
    assert not document_differences(twins.test_set, twins.evaluation, ("first", "second")).delta.any()


def test_document_differences_are_those_of_the_documents_corpus_scores(sample, score_texts):
    found = document_differences(sample.test_set, sample.evaluation, ("fluent", "neural-40k"))
    assert found.names == tuple(dict.fromkeys(sample.test_set.documents))
    assert sum(found.sizes) == sample.test_set.n_segments
    rows = [row for row, name in enumerate(sample.test_set.documents) if name == found.names[3]]
    alone = score_texts(
        {name: [sample.test_set.system(name).hypotheses[row] for row in rows] for name in ("fluent", "neural-40k")},
        [[column[row] for row in rows] for column in sample.test_set.references],
    )
    first, second = (evaluate(alone.test_set).systems[name].score.score for name in ("fluent", "neural-40k"))
    assert found.delta[3] == pytest.approx(second - first)
    assert found.sizes[3] == len(rows)


def test_segments_of_a_document_need_not_stand_together(score_texts):
    scored = score_texts({"a": ["x", "y", "z"], "b": ["x", "q", "q"]}, [["x", "y", "z"]], documents=["d", "e", "d"])
    found = document_differences(scored.test_set, scored.evaluation, ("a", "b"))
    assert (found.names, found.sizes) == (("d", "e"), (2, 1))


def test_a_selection_is_its_segments_in_the_test_sets_order_whatever_their_order_was():
    chosen = Selection.of(np.array([7, 2, 300, 0]), by_score=True)
    assert chosen.segments.tolist() == [0, 2, 7, 300]
    assert chosen == Selection.of(np.array([300, 7, 0, 2], np.int32), by_score=True)
    assert chosen != Selection.of(np.array([300, 7, 0, 2]), by_score=False)


def test_without_documents_there_are_no_document_differences(score_texts):
    scored = score_texts({"a": ["x"]}, [["x"]])
    assert document_differences(scored.test_set, scored.evaluation, ("a", "a")) is None


def test_one_system_has_differences_of_zero(one_system):
    found = document_differences(one_system.test_set, one_system.evaluation, ("only", "only"))
    assert (found.names, found.delta.tolist(), found.sizes) == (("d1", "d2"), [0, 0], (2, 1))


def documents(delta):
    return DocumentDifferences(
        tuple(f"d{index}" for index in range(len(delta))), np.array(delta, float), tuple(range(1, len(delta) + 1))
    )


def test_extremes_are_those_furthest_on_either_side_in_the_test_sets_order():
    found = documents([5, -9, 0, 1, 9, -5]).extremes(4)
    assert found.names == ("d0", "d1", "d4", "d5")
    assert found.delta.tolist() == [5, -9, 9, -5]
    assert found.sizes == (1, 2, 5, 6)


@given(delta=st.lists(st.integers(-5, 5), min_size=1, max_size=12), number=st.integers(2, 14))
def test_extremes_name_each_document_once_and_leave_out_none_that_differs_more(delta, number):
    found = documents(delta).extremes(number)
    assert len(set(found.names)) == len(found.names) == min(len(delta), number // 2 * 2)
    left_out = [value for index, value in enumerate(delta) if f"d{index}" not in found.names]
    ordered = sorted(found.delta)
    if left_out:
        assert max(left_out) <= ordered[len(ordered) // 2]
        assert min(left_out) >= ordered[len(ordered) // 2 - 1]


class TestOtherMetrics:
    """Scores from a file that has none of one segment, and of one document."""

    def found(self, score_texts):
        texts = ["a b c d", "a b x", "c", "d"]
        scored = score_texts({"a": texts, "b": texts[::-1]}, [texts], documents=["d1", "d1", "d2", "d3"])
        columns = {
            "a": SystemScores(np.array([1, 2, 3]), np.array([0.5, 0.25, 0.5]), np.arange(3)),
            "b": SystemScores(np.array([1, 2, 3]), np.array([0.25, 0.75, 0.75]), np.arange(3)),
        }
        return scored, evaluate_metric(scored.test_set, SegmentScores("judged", "judged.tsv", columns))

    def test_have_differences_where_there_are_scores(self, score_texts):
        scored, judged = self.found(score_texts)
        delta = segment_differences(scored.evaluation, ("a", "b"), judged)
        assert delta[:3].tolist() == [-0.25, 0.5, 0.25]
        assert np.isnan(delta[3])

    def test_have_documents_that_have_scores(self, score_texts):
        scored, judged = self.found(score_texts)
        found = document_differences(scored.test_set, scored.evaluation, ("a", "b"), metric=judged)
        assert (found.names, found.delta.tolist(), found.sizes) == (("d1", "d2"), [0.125, 0.25], (2, 1))

    def test_are_drawn_where_there_are_scores_and_as_small_as_they_are(self, score_texts):
        scored, judged = self.found(score_texts)
        delta, scale = segment_differences(scored.evaluation, ("a", "b"), judged), Scale.of(judged)
        bars = difference_figures.segment_differences_figure(delta, ["w", "x", "y", "z"], Quantity(scale)).data[0]
        assert [row[0] for row in bars.customdata] == [0, 2, 1]
        assert [row[2] for row in bars.customdata] == ["−0.2500", "+0.2500", "+0.5000"]
        assert sum(difference_figures.difference_histogram(delta, scale).data[0].y) == 3
        assert difference_figures.difference_histogram(delta, scale).data[0].width < 0.1

    def test_have_the_colour_of_who_is_ahead(self, sample, sample_errors):
        scale = Scale.of(sample_errors)
        assert difference_figures.segment_differences_figure(np.array([-1.0, 1.0]), ["x", "y"], Quantity(scale)).data[
            0
        ].marker.color == (POSITIVE, NEGATIVE)
