"""Figures: what is drawn is what was computed, and a user's text never becomes markup."""

import html
import json
import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleucore.significance import SignificanceOptions
from bleuscope.content.comparison import difference_figures
from bleuscope.content.comparison.difference_sheets import documents_sheet, sorted_segments_sheet
from bleuscope.content.comparison.differences import segment_differences
from bleuscope.content.scores import score_figures, score_sheets
from bleuscope.content.segments.segment_queries import SegmentQuery, find_segments
from bleuscope.content.sheets.builders import SYSTEM, sheet_of
from bleuscope.content.sheets.forest import forest_figure
from bleuscope.content.sheets.forest_rows import Panel
from bleuscope.content.sheets.sheet import Field
from bleuscope.content.style import charts, numbers
from bleuscope.content.style.charts import MAX_POINTS, axis_names, label
from bleuscope.content.style.identity import SIDE_COLOURS, identities


def figure_of(scored, name):
    """One of the figures of a test set."""
    evaluation, delta = scored.evaluation, segment_differences(scored.evaluation, scored.pair())
    texts = scored.test_set.source or scored.test_set.references[0]
    return {
        "scores": lambda: score_figures.scores_figure(
            score_sheets.tested_systems_sheet(evaluation, scored.comparison, evaluation.names[0], others={}),
            scored.looks,
        ),
        "systems": lambda: forest_figure(
            score_sheets.tested_systems_sheet(evaluation, scored.comparison, evaluation.names[0], others={}),
            scored.looks,
            [Panel("difference", "Δ BLEU", "difference_interval")],
            title="Differences",
        ),
        "precisions": lambda: score_figures.precisions_figure(score_sheets.orders_sheet(evaluation), scored.looks),
        "segments": lambda: difference_figures.segment_differences_figure(sorted_segments_sheet(delta), texts),
        "histogram": lambda: difference_figures.difference_histogram(delta),
        "documents": lambda: difference_figures.document_differences_figure(documents_sheet(scored.study(), None)),
    }[name]()


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


QUICK = SignificanceOptions(trials=99, resamples=99)
FIGURES = ["scores", "systems", "precisions", "segments", "histogram", "documents"]


@pytest.mark.parametrize("name", FIGURES)
class TestEveryFigure:
    def test_has_a_title_and_says_what_its_axes_measure(self, sample, name):
        figure = figure_of(sample, name)
        assert figure.layout.title.text
        measured = {"segments": "y", "histogram": "y"}.get(name, "x")
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


@pytest.mark.parametrize("name", ["scores", "systems", "precisions"])
def test_a_single_system_is_drawn_in_numbers_only(one_system, name):
    assert "NaN" not in figure_of(one_system, name).to_json()


def test_a_name_reads_the_same_once_plotly_has_drawn_it(hostile):
    figure = figure_of(hostile, "scores")
    drawn = {html.unescape(str(data[0])) for data in figure.data[0].customdata}
    assert drawn == {" ".join(name.split()) for name in hostile.evaluation.names}


def test_precisions_of_few_systems_are_a_panel_for_each_order_and_a_row_for_each_system(score_texts):
    scored = score_texts({"a": ["x y z"], "b": ["x y"], "c": ["x"]}, [["x y z"]])
    figure = figure_of(scored, "precisions")
    assert len(figure.data) == 4
    for order, points in enumerate(figure.data):
        found = [scored.evaluation.systems[data[0]].score.precisions[order] for data in points.customdata]
        is_shown = [not text for text in points.text]
        assert [x for x, shown in zip(points.x, is_shown, strict=True) if shown] == [
            value for value, shown in zip(found, is_shown, strict=True) if shown
        ]
        assert list(points.marker.color) == [scored.looks[data[0]].colour for data in points.customdata]
        assert [data[1] for data in points.customdata] == [numbers.precision(value) for value in found]
    assert list(figure.layout.yaxis.ticktext) == ["a", "b", "c"]
    assert figure.layout.showlegend is False


class TestScores:
    def test_are_points_in_rank_order_with_their_intervals_and_numbers(self, sample):
        figure = figure_of(sample, "scores")
        points = figure.data[0]
        ranked = sample.evaluation.ranked()
        assert list(points.x) == [sample.evaluation.systems[name].score.score for name in ranked]
        assert list(points.y) == sorted(points.y)
        assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1]  # the best is on top
        for name, value, above, below in zip(
            ranked, points.x, points.error_x.array, points.error_x.arrayminus, strict=True
        ):
            assert (value - below, value + above) == pytest.approx(sample.comparison.intervals[name])
        assert list(points.marker.color) == [sample.looks[name].colour for name in ranked]
        for name, value, tick in zip(ranked, points.x, figure.layout.yaxis.ticktext, strict=True):
            assert tick == f"{name}\u2002{numbers.score(value)}"

    def test_lie_on_an_axis_that_holds_the_intervals_and_no_more(self, sample):
        low, high = figure_of(sample, "scores").layout.xaxis.range
        ends = [end for interval in sample.comparison.intervals.values() for end in interval]
        assert 0 < low < min(ends)
        assert max(ends) < high
        assert high - low < 1.15 * (max(ends) - min(ends))

    def test_of_zero_leave_room_for_an_axis(self, score_texts):
        scored = score_texts({"a": ["x"]}, [["y"]])
        low, high = figure_of(scored, "scores").layout.xaxis.range
        assert low == 0 < high

    def test_without_tests_yet_are_points_without_whiskers(self, sample):
        sheet = score_sheets.tested_systems_sheet(sample.evaluation, None, sample.evaluation.names[0], others={})
        figure = score_figures.scores_figure(sheet, sample.looks)
        assert not any(figure.data[0].error_x.array)
        assert not any("interval" in data[1] or "cluster" in data[1] for data in figure.data[0].customdata)
        assert not figure.layout.shapes

    def test_long_names_that_begin_alike_keep_what_distinguishes_them(self, score_texts):
        names = [f"a very long name of a system that is cut, {run}" for run in ("run 1", "run 2")]
        scored = score_texts({names[0]: ["x"], names[1]: ["y"]}, [["x"]])
        first, second = figure_of(scored, "scores").layout.yaxis.ticktext
        assert first == "…run 1\u20020.00"
        assert second == "…run 2\u20020.00"


class TestDifferences:
    def test_are_those_of_the_sheet_and_the_baseline_stands_at_zero(self, sample):
        points = figure_of(sample, "systems").data[0]
        against = sample.comparison.against(sample.evaluation.names[0])
        for (name, said, _), value, above, below in zip(
            points.customdata, points.x, points.error_x.array, points.error_x.arrayminus, strict=True
        ):
            if name == sample.evaluation.names[0]:
                assert (value, above, below) == (0, 0, 0)
                assert said.startswith("baseline, cluster")
            else:
                assert value == against[name].difference
                assert (value - below, value + above) == pytest.approx(against[name].interval)
                assert f"{numbers.difference(value)}, 95 % interval" in said

    def test_have_a_line_above_each_cluster_but_the_first(self, sample):
        figure = figure_of(sample, "systems")
        clusters = [len(names) for names in sample.comparison.clusters]
        assert len(clusters) > 1
        starts = np.cumsum(clusters)[:-1]
        rows = np.array(figure.data[0].y)
        assert [line.y0 for line in figure.layout.shapes] == [(rows[start - 1] + rows[start]) / 2 for start in starts]


class TestManySystems:
    @pytest.fixture
    def many(self):
        """200 systems, best first: a sheet and its looks."""
        names = [f"system {number}" for number in range(200)]
        scores = np.linspace(40, 20, 200)
        field = Field("bleu", "BLEU", "score", best="highest")
        interval = Field("interval", "95 % interval", "interval")
        columns = [(SYSTEM, names), (field, scores), (interval, np.column_stack([scores - 1, scores + 1]))]
        return sheet_of("systems", [""], columns, {}), identities(names, names[0])

    def test_are_all_drawn_and_the_best_the_chosen_and_their_neighbours_named(self, many):
        figure = score_figures.scores_figure(*many, ["system 100", "system 7", "not there"])
        assert len(figure.data[0].x) == 200
        named = [int(tick.split()[1]) for tick in figure.layout.yaxis.ticktext]
        assert named == [0, 1, 6, 7, 8, 99, 100, 101, 199]
        assert list(figure.data[0].customdata[150]) == ["system 150", "24.92, 95 % interval 23.92 to 25.92", 150]

    def test_take_no_more_height_than_forty_five(self, many):
        sheet, looks = many
        all_named = score_figures.scores_figure(replace(sheet, frame=sheet.frame[:45]), looks)
        assert len(all_named.layout.yaxis.ticktext) == 45
        assert score_figures.scores_figure(sheet, looks, ["system 9"]).layout.height == all_named.layout.height

    def test_leave_names_as_much_room_as_a_line_needs(self, many):
        ticks = score_figures.scores_figure(*many, ["system 100"]).layout.yaxis.tickvals
        assert min(np.diff(ticks)) >= 15.9

    def test_have_their_precisions_in_a_panel_for_each_order(self, score_texts):
        words = [f"word{n}" for n in range(20)]
        scored = score_texts({f"system {n}": [" ".join(words[: n + 6])] for n in range(7)}, [[" ".join(words)]])
        figure = figure_of(scored, "precisions")
        sheet = score_sheets.orders_sheet(scored.evaluation)
        assert [list(points.x) for points in figure.data] == [list(sheet.frame[f"precision_{n}"]) for n in range(1, 5)]
        assert [points.xaxis for points in figure.data] == ["x", "x2", "x3", "x4"]
        for n in range(1, 5):
            axis = figure.layout[f"xaxis{n}"]
            assert [float(text) for text in axis.ticktext] == pytest.approx(list(axis.tickvals))
            assert 2 <= len(axis.tickvals) <= 5
        assert [figure.layout[f"xaxis{n}"].title.text for n in range(1, 5)] == [f"{n}-gram<br>%" for n in range(1, 5)]

    def test_of_few_rows_leave_room_for_the_axis(self, many):
        sheet, looks = many
        figure = score_figures.scores_figure(replace(sheet, frame=sheet.frame[:1]), looks)
        assert figure.layout.minreducedheight < 26


def test_names_written_from_the_right_keep_their_place_beside_numbers():
    assert axis_names(["نظام 3"])[0] == "\N{FIRST STRONG ISOLATE}نظام 3\N{POP DIRECTIONAL ISOLATE}"
    assert label("<b>שלום") == "\N{FIRST STRONG ISOLATE}&lt;b&gt;שלום\N{POP DIRECTIONAL ISOLATE}"
    assert axis_names(["System 3 译"]) == ["System 3 译"]


def test_a_wide_name_takes_no_more_room_than_a_narrow_one():
    assert axis_names(["ニュース_16_経済・政治・国際関係の長い題名"]) == ["ニュース_16_経済・政治…"]
    assert axis_names(["経済・政治・国際関係"]) == ["経済・政治・国際関係"]
    assert axis_names(["newstest2022-economy-and-politics"]) == ["newstest2022-economy-an…"]


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
        assert list(bar.marker.color) == [SIDE_COLOURS["A"], charts.NEUTRAL, SIDE_COLOURS["B"]]


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
        assert set(colours[:middle]) == {SIDE_COLOURS["A"]}
        assert colours[middle] == charts.NEUTRAL
        assert set(colours[middle + 1 :]) == {SIDE_COLOURS["B"]}

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
    def test_have_two_decimals_beside_their_bars_and_all_of_them_where_one_points(self):
        columns = {"document": ["x", "y"], "segments": [1, 2], "part": np.array([0.1234, -0.0061])}
        sheet = sheet_of(
            "documents", (), [(Field(key, key, "statistic"), values) for key, values in columns.items()], {}
        )
        quantity = replace(difference_figures.SCORE_DIFFERENCE, is_part=True)
        (bar,) = difference_figures.document_differences_figure(sheet, quantity).data
        assert list(bar.text) == ["+0.12", "−0.01"]
        assert [data[3] for data in bar.customdata] == ["+0.1234", "−0.0061"]

    def test_with_long_names_that_begin_alike_are_told_apart(self):
        names = ["en_de_CLIENT-02_default_2021-01-10-60", "en_de_CLIENT-02_default_2021-01-31-3"]
        assert axis_names(names) == ["…default 2021-01-10-60", "…default 2021-01-31-3"]

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
