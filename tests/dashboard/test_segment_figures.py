"""The segments found, drawn: every point or every count, and what a click is told."""

import json

import numpy as np
import pytest

from bleuscope.content.segments import segment_figures
from bleuscope.content.segments.segment_figures import CELL, MAX_SCATTERED, scatter_figure
from bleuscope.content.style.identity import SIDE_COLOURS
from bleuscope.content.style.scale import ScoreScale


def draw(first, second, rows, looks):
    figure = scatter_figure(np.array(first, float), np.array(second, float), np.array(rows, np.int64), looks)
    (trace,) = json.loads(figure.to_json())["data"]
    return figure, trace


@pytest.fixture
def cells(monkeypatch):
    """Counts from the first segment on."""
    monkeypatch.setattr(segment_figures, "MAX_SCATTERED", 0)


class TestPoints:
    def test_are_the_segments_found_with_their_scores(self, sample):
        _, trace = draw([10, 50, 70], [20, 50, 30], [2, 0], sample.pair_looks())
        assert [data[:2] for data in trace["customdata"]] == [[False, 2], [False, 0]]
        assert [data[2:] for data in trace["customdata"]] == [["3", "−40.00"], ["1", "+10.00"]]

    def test_of_few_segments_are_drawn_one_by_one(self, sample):
        scores = [result.segment_scores for result in sample.evaluation.systems.values()]
        figure = scatter_figure(scores[0], scores[1], np.arange(216), sample.pair_looks())
        assert len(figure.data[0].x) == 216


@pytest.mark.usefixtures("cells")
class TestCells:
    def test_count_the_segments_and_name_their_ends(self, sample):
        _, trace = draw([0, 1, 100, 60], [0, 1, 100, 2.5], [0, 1, 2, 3], sample.pair_looks())
        assert trace["customdata"] == [
            [True, 0.0, CELL, 0.0, CELL, "2 segments", 2],
            [True, 60.0, 60 + CELL, CELL, 2 * CELL, "1 segment", 1],
            [True, 100 - CELL, 100.0, 100 - CELL, 100.0, "1 segment", 1],
        ]

    def test_are_no_more_than_the_plane_has_room_for_however_many_segments(self, sample):
        scores = np.random.default_rng(1).uniform(0, 100.00000000000004, (2, 50_000))
        figure = scatter_figure(*scores, np.arange(50_000), sample.pair_looks())
        counts = [int(data[5].split()[0].replace("\u202f", "")) for data in figure.data[0].customdata]
        assert len(counts) <= (100 / CELL) ** 2
        assert sum(counts) == 50_000


class TestNames:
    @pytest.mark.parametrize("limit", [0, 100])
    def test_of_systems_stay_text(self, hostile, monkeypatch, limit):
        monkeypatch.setattr(segment_figures, "MAX_SCATTERED", limit)
        for first in range(len(hostile.evaluation.names)):
            figure, _ = draw([1, 2], [3, 4], [0, 1], hostile.pair_looks(first, 0))
            assert "<" not in figure.layout.xaxis.title.text + figure.layout.yaxis.title.text


def test_scores_of_any_size_are_drawn_on_a_scale_of_theirs(sample):
    small = ScoreScale("comet", higher_is_better=True, decimals=4)
    first, second = np.array([0.25, 0.5, np.nan]), np.array([0.5, -0.25, 0.5])
    figure = scatter_figure(first, second, np.arange(3), sample.pair_looks(), small)
    assert figure.layout.xaxis.range == (-1.03, 1.03)
    assert [row[3] for row in figure.data[0].customdata] == ["+0.2500", "−0.7500"]
    errors = ScoreScale("TER", higher_is_better=False, decimals=2)
    figure = scatter_figure(np.array([10.0, 150.0]), np.array([20.0, 0.0]), np.arange(2), sample.pair_looks(), errors)
    assert figure.layout.yaxis.range == (-6, 206)
    assert figure.data[0].marker.color == (SIDE_COLOURS["A"], SIDE_COLOURS["B"])


def test_cells_reach_as_far_as_the_scores(sample):
    scores = np.linspace(0, 200, MAX_SCATTERED + 1)
    figure = scatter_figure(
        scores,
        scores,
        np.arange(len(scores)),
        sample.pair_looks(),
        ScoreScale("TER", higher_is_better=False, decimals=2),
    )
    assert sum(int(row[5].split()[0].replace("\u202f", "")) for row in figure.data[0].customdata) == len(scores)
    assert max(row[2] for row in figure.data[0].customdata) == 200
