"""Two systems: their differences by segment and by document."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleucore import evaluate
from bleucore.evaluation import evaluate_metric
from bleucore.metrics.segment_scores import SegmentScores, SystemScores
from bleuscope.content.comparison import difference_figures
from bleuscope.content.comparison.comparison_context import make_study
from bleuscope.content.comparison.difference_figures import Quantity
from bleuscope.content.comparison.difference_sheets import documents_sheet, sorted_segments_sheet
from bleuscope.content.comparison.differences import (
    Selection,
    extremes,
    segment_differences,
)
from bleuscope.content.style.identity import SIDE_COLOURS
from bleuscope.content.style.scale import ScoreScale


def documents_of(study):
    return documents_sheet(study, None).frame


def test_a_study_of_two_has_both_and_of_one_has_it_twice(score_texts, one_system):
    two = score_texts({"a": ["x"], "b": ["y"]}, [["x"]])
    assert two.study(("a", "b")).both == ("a", "b")
    assert one_system.study().both == ("only", "only")


def test_progress_of_a_study_never_goes_back_and_ends_at_one(score_texts):
    shares = []
    texts = [f"x{place}" for place in range(6)]
    make_study(score_texts({"a": texts, "b": ["y"] * 6}, [texts]).test_set, progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_segment_differences_are_the_second_system_minus_the_first(score_texts):
    scored = score_texts({"a": ["x y", "q", "a b c d"], "b": ["x y", "x", "z"]}, [["x y", "x", "a b c d"]])
    assert segment_differences(scored.evaluation, ("a", "b")).tolist() == [0, 100, -100]
    assert segment_differences(scored.evaluation, ("b", "a")).tolist() == [0, -100, 100]


def test_a_system_does_not_differ_from_itself_or_its_twin(sample, twins):
    assert not segment_differences(sample.evaluation, ("human", "human")).any()
    assert not segment_differences(twins.evaluation, ("first", "second")).any()
    assert not documents_of(twins.study()).difference.any()


def test_document_differences_are_those_of_the_documents_corpus_scores(sample, score_texts):
    found = documents_of(sample.study(("fluent", "neural-40k")))
    assert tuple(found.document) == tuple(dict.fromkeys(sample.test_set.documents))
    assert found.segments.sum() == sample.test_set.n_segments
    rows = [row for row, name in enumerate(sample.test_set.documents) if name == found.document[3]]
    alone = score_texts(
        {name: [sample.test_set.system(name).hypotheses[row] for row in rows] for name in ("fluent", "neural-40k")},
        [[column[row] for row in rows] for column in sample.test_set.references],
    )
    first, second = (evaluate(alone.test_set).systems[name].score.score for name in ("fluent", "neural-40k"))
    assert found.difference[3] == pytest.approx(second - first)
    assert found.segments[3] == len(rows)


def test_segments_of_a_document_need_not_stand_together(score_texts):
    scored = score_texts({"a": ["x", "y", "z"], "b": ["x", "q", "q"]}, [["x", "y", "z"]], documents=["d", "e", "d"])
    found = documents_of(scored.study(("a", "b")))
    assert (found.document.to_list(), found.segments.to_list()) == (["d", "e"], [2, 1])


def test_a_selection_is_its_segments_in_the_test_sets_order_whatever_their_order_was():
    chosen = Selection.of(np.array([7, 2, 300, 0]), by_score=True)
    assert chosen.segments.tolist() == [0, 2, 7, 300]
    assert chosen == Selection.of(np.array([300, 7, 0, 2], np.int32), by_score=True)
    assert chosen != Selection.of(np.array([300, 7, 0, 2]), by_score=False)


class TestExtremes:
    def test_are_half_of_the_largest_and_half_of_the_smallest_sorted(self):
        values = np.array([3.0, -1, 5, 0, 4])
        assert extremes(values).tolist() == [2, 4, 0, 3, 1]
        assert extremes(values, 5).tolist() == [2, 4, 0, 3, 1]
        assert extremes(values, 3).tolist() == [2, 4, 1]
        assert extremes(values, 2).tolist() == [2, 1]
        assert extremes(values, 1).tolist() == [2]

    def test_leave_out_what_is_missing_and_equal_ones_stand_as_they_are(self):
        assert extremes(np.array([1.0, np.nan, 1, 2]), 4).tolist() == [3, 0, 2]

    @given(values=st.lists(st.integers(-5, 5), min_size=1, max_size=12), most=st.integers(1, 14))
    def test_leave_out_none_that_differs_more(self, values, most):
        found = extremes(np.array(values, float), most)
        assert len(set(found)) == len(found) == min(len(values), most)
        kept = np.array(values)[found]
        assert kept.tolist() == sorted(kept, reverse=True)
        left_out = np.delete(values, found)
        first, last = kept[: most - most // 2], kept[most - most // 2 :]
        assert not len(left_out) or (left_out.max() <= first.min() and left_out.min() >= last.max(initial=-5))


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
        study = scored.study(("a", "b"), judged)
        found = documents_of(study)
        assert found.difference[:2].to_list() == [0.125, 0.25]
        assert np.isnan(found.difference[2])
        bars = difference_figures.document_differences_figure(
            documents_sheet(study, None), Quantity(ScoreScale.of(judged))
        )
        assert [(row[0], row[2]) for row in bars.data[0].customdata] == [(1, "1 segment"), (0, "2 segments")]

    def test_are_drawn_where_there_are_scores_and_as_small_as_they_are(self, score_texts):
        scored, judged = self.found(score_texts)
        delta, scale = segment_differences(scored.evaluation, ("a", "b"), judged), ScoreScale.of(judged)
        bars = difference_figures.segment_differences_figure(
            sorted_segments_sheet(delta), ["w", "x", "y", "z"], Quantity(scale)
        ).data[0]
        assert [row[0] for row in bars.customdata] == [0, 2, 1]
        assert [row[2] for row in bars.customdata] == ["−0.2500", "+0.2500", "+0.5000"]
        assert sum(difference_figures.difference_histogram(delta, scale).data[0].y) == 3
        assert difference_figures.difference_histogram(delta, scale).data[0].width < 0.1

    def test_have_the_colour_of_who_is_ahead(self, sample, sample_errors):
        scale = ScoreScale.of(sample_errors)
        assert difference_figures.segment_differences_figure(
            sorted_segments_sheet(np.array([-1.0, 1.0])), ["x", "y"], Quantity(scale)
        ).data[0].marker.color == (SIDE_COLOURS["B"], SIDE_COLOURS["A"])
