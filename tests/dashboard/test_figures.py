"""Figures: what is drawn is what was computed, and a user's text never becomes markup."""

import html
import json
import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.content.comparison import difference_figures
from dashboard.content.comparison.difference_sheets import documents_sheet, sorted_segments_sheet
from dashboard.content.comparison.differences import segment_differences
from dashboard.content.scores import score_figures, score_sheets
from dashboard.content.segments.segment_queries import SegmentQuery, find_segments
from dashboard.content.style import charts, numbers
from dashboard.content.style.charts import MAX_POINTS


def figure_of(scored, name):
    """One of the figures of a test set."""
    evaluation, delta = scored.evaluation, segment_differences(scored.evaluation, scored.pair())
    texts = scored.test_set.source or scored.test_set.references[0]
    return {
        "scores": lambda: score_figures.scores_figure(
            score_sheets.tested_systems_sheet(evaluation, scored.comparison, evaluation.names[0], others={}),
            scored.looks,
        ),
        "precisions": lambda: score_figures.precisions_figure(score_sheets.orders_sheet(evaluation), scored.looks),
        "segments": lambda: difference_figures.segment_differences_figure(sorted_segments_sheet(delta), texts),
        "histogram": lambda: difference_figures.difference_histogram(delta),
        "documents": lambda: difference_figures.document_differences_figure(documents_sheet(scored.study(), None)),
    }[name]()


def test_of_many_systems_the_precisions_of_the_best_are_drawn_in_the_order_of_the_test_set(score_texts):
    words = [f"word{n}" for n in range(20)]
    texts = {f"system {n}": [" ".join(words[: n + 6])] for n in range(14)}
    many = score_texts(texts, [[" ".join(words)]])
    figure = score_figures.precisions_figure(score_sheets.orders_sheet(many.evaluation), many.looks)
    assert [bar.name for bar in figure.data] == [f"{n + 1}  system {n}" for n in range(2, 14)]
    assert "the best 12 systems" in figure.layout.title.text
    few = score_texts(dict(list(texts.items())[:12]), [[" ".join(words)]])
    assert (
        score_figures.precisions_figure(score_sheets.orders_sheet(few.evaluation), few.looks).layout.title.text
        == "Precision by n-gram order"
    )


def texts_of(value):
    """Every string anywhere in a figure."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for item in value.values() for text in texts_of(item)]
    if isinstance(value, list | tuple | np.ndarray):
        return [text for item in value for text in texts_of(item)]
    return []


def shown(figure):
    """The strings that a figure shows, without Plotly's template."""
    drawn = figure.to_dict()
    drawn["layout"].pop("template", None)
    return texts_of(drawn)


FIGURES = ["scores", "precisions", "segments", "histogram", "documents"]


@pytest.mark.parametrize("name", FIGURES)
class TestEveryFigure:
    def test_has_a_title_and_says_what_its_axes_measure(self, sample, name):
        figure = figure_of(sample, name)
        assert figure.layout.title.text
        measured = {"scores": "x", "documents": "x"}.get(name, "y")
        assert figure.layout[f"{measured}axis"].title.text

    def test_keeps_tags_of_names_and_texts_from_plotly(self, hostile, name):
        for text in shown(figure_of(hostile, name)):
            assert re.sub(r"<extra></extra>|<br>", "", text).count("<") == 0, text

    def test_takes_no_instruction_from_a_name(self, hostile, name):
        templates = [trace.hovertemplate for trace in figure_of(hostile, name).data]
        assert templates
        for template in templates:
            assert set(re.findall(r"%\{(.*?)\}", template)) <= {"x", "text", *(f"customdata[{i}]" for i in range(5))}
            assert not any(known in template for known in ("alert", "quoted", "{0}", "smile"))

    @pytest.mark.parametrize("kind", ["twins", "sample", "hostile"])
    def test_draws_numbers_only(self, request, name, kind):
        drawn = figure_of(request.getfixturevalue(kind), name).to_json()
        assert not re.search(r"\b(?:nan|inf|infinity|none)\b", drawn, re.IGNORECASE)
        json.loads(drawn, parse_constant=pytest.fail)


@pytest.mark.parametrize("name", ["scores", "precisions"])
def test_a_single_system_is_drawn_in_numbers_only(one_system, name):
    assert "NaN" not in figure_of(one_system, name).to_json()


def test_a_name_reads_the_same_once_plotly_has_drawn_it(hostile):
    figure = figure_of(hostile, "scores")
    drawn = {html.unescape(str(data[0])) for data in figure.data[0].customdata}
    assert drawn == {" ".join(name.split()) for name in hostile.evaluation.names}


def test_scores_are_bars_in_rank_order_with_their_numbers(sample):
    figure = figure_of(sample, "scores")
    bar = figure.data[0]
    ranked = sample.evaluation.ranked()
    assert list(bar.x) == [sample.evaluation.systems[name].score.score for name in ranked]
    assert [note.text for note in figure.layout.annotations] == [numbers.score(value) for value in bar.x]
    for name, value, above, below in zip(ranked, bar.x, bar.error_x.array, bar.error_x.arrayminus, strict=True):
        assert (value - below, value + above) == pytest.approx(sample.comparison.intervals[name])
    assert list(bar.marker.color) == [sample.looks[name].colour for name in ranked]
    for name, label in zip(ranked, bar.y, strict=True):
        assert label.startswith(str(sample.looks[name].number))
        assert name in label


def test_precisions_are_bars_by_order_a_colour_for_each_system(sample):
    figure = figure_of(sample, "precisions")
    assert len(figure.data) == len(sample.evaluation.systems)
    for trace, (name, result) in zip(figure.data, sample.evaluation.systems.items(), strict=True):
        assert list(trace.y) == result.score.precisions.tolist()
        assert trace.marker.color == sample.looks[name].colour
        assert [data[1] for data in trace.customdata] == [numbers.precision(value) for value in trace.y]


def test_names_that_begin_alike_stay_apart_on_the_axis(score_texts):
    long = "a-very-long-system-name-that-is-cut-"
    scored = score_texts({long + "1": ["x"], long + "2": ["y"]}, [["x"]], documents=["d"], source=["s"])
    labels = figure_of(scored, "scores").data[0].y
    assert len(set(labels)) == 2
    assert all(len(label) < 32 for label in labels)


def test_scores_of_zero_leave_room_for_an_axis(score_texts):
    scored = score_texts({"a": ["x"]}, [["y"]])
    systems = score_sheets.tested_systems_sheet(scored.evaluation, scored.comparison, "a", others={})
    assert score_figures.scores_figure(systems, scored.looks).layout.xaxis.range[1] > 0


class TestSortedSegments:
    def draw(self, delta):
        return difference_figures.segment_differences_figure(
            sorted_segments_sheet(np.array(delta, float)), [f"t{i}" for i in range(len(delta))]
        )

    def test_are_sorted_and_each_bar_leads_to_its_segment(self, sample):
        delta = segment_differences(sample.evaluation, sample.pair())
        bar = figure_of(sample, "segments").data[0]
        segments = [data[0] for data in bar.customdata]
        assert sorted(segments) == list(range(216))
        assert list(bar.y) == sorted(delta)
        assert list(bar.y) == delta[segments].tolist()
        assert [data[1] for data in bar.customdata] == [numbers.count(segment + 1) for segment in segments]
        assert [data[2] for data in bar.customdata] == [numbers.difference(value) for value in bar.y]

    def test_ties_keep_the_test_sets_order(self):
        bar = self.draw([1, 0, 0, -1, 0]).data[0]
        assert [data[0] for data in bar.customdata] == [3, 1, 2, 4, 0]

    def test_a_segment_without_such_a_text_is_drawn(self):
        figure = difference_figures.segment_differences_figure(sorted_segments_sheet(np.array([1.0, 2.0])), [None, "x"])
        assert [data[3] for data in figure.data[0].customdata] == ["", "x"]

    @pytest.mark.parametrize("n_segments", [1, MAX_POINTS - 1, MAX_POINTS, MAX_POINTS + 1, 2 * MAX_POINTS, 50_001])
    def test_are_thinned_in_the_middle_only_and_never_exceed_the_limit(self, n_segments):
        delta = np.random.default_rng(5).normal(size=n_segments)
        bar = self.draw(delta).data[0]
        places = np.asarray(bar.x)
        assert len(places) == min(n_segments, len(places))
        assert len(places) <= MAX_POINTS
        assert len(places) == n_segments or len(places) > 0.9 * MAX_POINTS
        end = min(n_segments, MAX_POINTS // 4)
        assert places[:end].tolist() == list(range(1, end + 1))
        assert places[-end:].tolist() == list(range(n_segments - end + 1, n_segments + 1))
        assert (np.diff(places) > 0).all()
        assert np.array_equal(bar.y, np.sort(delta)[places - 1])

    @pytest.mark.parametrize("n_segments", [1, 5, MAX_POINTS + 1, 50_001])
    def test_bars_touch_without_a_gap_or_overlap(self, n_segments):
        bar = self.draw(np.arange(n_segments) - n_segments / 2).data[0]
        lefts = np.asarray(bar.x) + (-np.asarray(bar.width) / 2 if bar.offset is None else bar.offset)
        rights = lefts + bar.width
        assert lefts[0] == 0.5
        assert rights[-1] == n_segments + 0.5
        assert np.array_equal(lefts[1:], rights[:-1])

    def test_colours_tell_the_side_and_nothing_for_no_difference(self):
        bar = self.draw([-1, 0, 1]).data[0]
        assert list(bar.marker.color) == [charts.NEGATIVE, charts.NEUTRAL, charts.POSITIVE]


class TestHistogram:
    @given(
        delta=st.lists(st.floats(-100, 100) | st.integers(-100, 100).map(float), min_size=1, max_size=40),
        scale=st.sampled_from([1.0, 0.1, 0.013, 1e-6, 0.0]),
    )
    def test_bars_tile_around_zero_and_hold_every_segment_once(self, delta, scale):
        values = np.round(np.array(delta) * scale, 9)
        bar = difference_figures.difference_histogram(values).data[0]
        edges = [data[:2] for data in bar.customdata]
        assert sum(bar.y) == len(values)
        assert all(left[1] == right[0] for left, right in pairwise(edges))
        assert edges[0][0] == -edges[-1][1]
        assert len(edges) % 2 == 1
        for (low, high), height in zip(edges, bar.y, strict=True):
            last = high == edges[-1][1]
            assert height == np.count_nonzero((values >= low) & ((values < high) | (last & (values == high))))

    def test_says_what_a_bar_holds(self):
        bar = difference_figures.difference_histogram(np.array([0, 0, 7.2, -3.1])).data[0]
        assert list(bar.customdata[len(bar.customdata) // 2]) == [-0.25, 0.25, "−0.25", "0.25", "2 segments"]
        assert list(bar.customdata[-1][:2]) == [6.75, 7.25]  # the last that is needed
        colours = list(bar.marker.color)
        middle = len(colours) // 2
        assert set(colours[:middle]) == {charts.NEGATIVE}
        assert colours[middle] == charts.NEUTRAL
        assert set(colours[middle + 1 :]) == {charts.POSITIVE}

    def test_of_identical_systems_has_one_bar_that_is_not_empty(self, twins):
        bar = figure_of(twins, "histogram").data[0]
        assert [height for height in bar.y if height] == [3]

    def test_a_click_on_a_bar_finds_its_segments(self, sample):
        pair = sample.pair()
        bar = figure_of(sample, "histogram").data[0]
        delta = segment_differences(sample.evaluation, pair)
        for data, height in zip(bar.customdata, bar.y, strict=True):
            low, high = (float(f"{edge:g}") for edge in data[:2])
            found = find_segments(sample.test_set, sample.evaluation, pair, SegmentQuery(delta_range=(low, high)))
            assert len(found) >= height
            assert all(low <= delta[row] <= high for row in found)


class TestDocuments:
    def test_are_sorted_and_each_bar_leads_to_its_document(self, sample):
        frame = documents_sheet(sample.study(), None).frame
        figure = figure_of(sample, "documents")
        bar = figure.data[0]
        indices = [data[0] for data in bar.customdata]
        assert list(bar.x) == sorted(frame["difference"], reverse=True)
        assert [data[1] for data in bar.customdata] == frame["document"][indices].to_list()
        assert [data[2] for data in bar.customdata] == [
            numbers.counted(frame["segments"][row], "segment") for row in indices
        ]
        assert list(bar.text) == [numbers.difference(value) for value in bar.x]
        assert len(figure.layout.yaxis.ticktext) == len(frame)
        assert max(map(abs, bar.x)) < figure.layout.xaxis.range[1] == -figure.layout.xaxis.range[0]
