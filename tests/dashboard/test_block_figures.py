"""Block figures: what is drawn is what was computed, and a user's text never becomes markup."""

import json
import re

import numpy as np
import pytest

from bleucore.significance import SignificanceOptions, blocks_of_documents, blocks_of_number, blocks_of_size, critical_t
from bleuscope.content.blocks.block_analysis import analyse, study_layouts, study_sizes
from bleuscope.content.blocks.block_figures import (
    MAX_DRAWN,
    N_BINS,
    block_differences_figure,
    block_labels,
    block_scores_figure,
    layouts_figure,
    sizes_figure,
)
from bleuscope.content.comparison.differences import known_units
from bleuscope.content.style import numbers
from bleuscope.content.style.charts import NEUTRAL
from bleuscope.content.style.identity import QUIET_COLOUR, SIDE_COLOURS

CHOICES = [
    SignificanceOptions("block-t", n_blocks=1),
    SignificanceOptions("block-t", n_blocks=2),
    SignificanceOptions("block-t", block_size=1),
    SignificanceOptions("block-t", n_blocks=2, remainder="spread", shuffle_seed=7),
    SignificanceOptions("block-t", unit="document"),
]


_drawn = {}


def every_figure(scored, choice):
    """Each block figure of a test set that can be drawn, by name; drawn once, as test sets live to the end."""
    key = id(scored), choice
    if key not in _drawn:
        _drawn[key] = draw(scored, choice)
    return _drawn[key]


def draw(scored, choice):
    metric, pair = scored.evaluation.metrics["BLEU"], scored.pair()
    layout = choice.block_layout(known_units(scored.test_set))
    analysis = analyse(metric, layout, pair[0])
    figures = {
        "scores": block_scores_figure(analysis, pair, scored.looks),
        "all scores": block_scores_figure(analysis, pair, scored.looks, show_others=True),
    }
    if pair[0] != pair[1]:
        observed = analysis.tests(pair)[0]
        figures["differences"] = block_differences_figure(analysis, observed)
        layouts, sizes = study_layouts(metric, pair, layout, seed=1), study_sizes(metric, pair, choice.shuffle_seed)
        if layouts.reason is None:
            figures["layouts"] = layouts_figure(layouts, observed, 0.05)
        if sizes.reason is None:
            figures["sizes"] = sizes_figure(sizes, choice.block_size_of(len(layout.groups)), observed, 0.05)
    return figures


def texts_of(value):
    """Every string anywhere in a figure."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for item in value.values() for text in texts_of(item)]
    if isinstance(value, list | tuple | np.ndarray):
        return [text for item in value for text in texts_of(item)]
    return []


@pytest.mark.parametrize("choice", CHOICES, ids=lambda choice: choice.signature())
class TestEveryFigure:
    def test_has_a_title_and_says_what_its_axes_measure(self, sample, choice):
        drawn = every_figure(sample, choice)
        assert len(drawn) == (4 if choice.n_blocks == 1 else 5)
        for figure in drawn.values():
            assert figure.layout.title.text
            assert figure.layout.xaxis.title.text
            assert figure.layout.yaxis.title.text

    @pytest.mark.parametrize("kind", ["one_system", "twins", "sample", "hostile"])
    def test_draws_numbers_only(self, request, choice, kind):
        for figure in every_figure(request.getfixturevalue(kind), choice).values():
            drawn = figure.to_json()
            assert not re.search(r"\b(?:nan|inf|infinity|none)\b", drawn, re.IGNORECASE)
            json.loads(drawn, parse_constant=pytest.fail)

    def test_keeps_names_from_becoming_tags_or_instructions(self, hostile, choice):
        for figure in every_figure(hostile, choice).values():
            drawn = figure.to_dict()
            drawn["layout"].pop("template", None)
            for text in texts_of(drawn):
                assert re.sub(r"<extra></extra>|^<span style=\"color:#\w{6}\">━</span>", "", text).count("<") == 0, text
            for trace in figure.data:
                template = trace.hovertemplate or ""
                assert set(re.findall(r"%\{(.*?)\}", template)) <= {f"customdata[{index}]" for index in range(4)}


class TestLabels:
    def test_name_the_segments_of_neighbours(self):
        assert block_labels(blocks_of_size(7, 3)) == ["block 1 (segments 1 to 3)", "block 2 (segments 4 to 6)"]
        assert block_labels(blocks_of_size(2, 1)) == ["block 1 (segment 1)", "block 2 (segment 2)"]
        assert block_labels(blocks_of_number(5, 2, remainder="spread"))[1] == "block 2 (segments 3 to 5)"

    def test_say_that_segments_were_drawn(self):
        labels = block_labels(blocks_of_size(50, 25, shuffle_seed=1))
        assert labels == ["block 1 (25 segments chosen at random)", "block 2 (25 segments chosen at random)"]

    def test_name_documents(self):
        labels = block_labels(blocks_of_documents(["x<b>", "y", "x<b>"]))
        assert labels == ["document x&lt;b&gt; (2 segments)", "document y (1 segment)"]


@pytest.fixture(scope="module")
def bleu(sample):
    return sample.evaluation.metrics["BLEU"]


@pytest.fixture(scope="module")
def analysis(bleu):
    return analyse(bleu, blocks_of_number(216, 20), "human")


class TestScores:
    def test_the_pair_stands_out_of_all_and_stands_alone_without_them(self, sample, analysis):
        pair = ("neural-40k", "literal")
        figure = block_scores_figure(analysis, pair, sample.looks)
        assert [trace.name for trace in figure.data] == [*pair, ""]
        shown = block_scores_figure(analysis, pair, sample.looks, show_others=True)
        names = [trace.name for trace in shown.data[:-1]]
        assert names[-2:] == [*pair]
        assert sorted(names) == sorted(sample.looks)
        assert shown.data[6].line.width > shown.data[0].line.width
        assert {trace.line.color for trace in shown.data[:6]} == {QUIET_COLOUR}

    def test_lines_are_named_at_their_ends_and_of_many_the_best_and_the_pair_with_its_neighbours(self, score_texts):
        texts = ["a b c d e f", "g h i j k l", "m n o p q r", "s t u v w x"]
        worse = [[" ".join("z" if n < wrong else word for n, word in enumerate(line.split())) for line in texts]
                 for wrong in range(6)]  # fmt: skip
        scored = score_texts({**{f"s{n}": lines for n, lines in enumerate(worse)}, "t": worse[5], "u": texts}, [texts])
        analysis = analyse(scored.evaluation.bleu, blocks_of_number(4, 2), "s0")
        figure = block_scores_figure(analysis, ("s3", "s4"), scored.looks)
        assert [text.rpartition(" ")[2] for text in figure.layout.yaxis2.ticktext] == ["s4", "s3"]
        every = block_scores_figure(analysis, ("s3", "s4"), scored.looks, show_others=True)
        assert len(every.data) == 9
        assert {text.rpartition(" ")[2] for text in every.layout.yaxis2.ticktext} == {"s0", "s2", "s3", "s4", "s5"}
        assert not every.layout.showlegend

    def test_a_line_has_the_scores_of_its_system_and_its_own_marker(self, sample, analysis):
        figure = block_scores_figure(analysis, ("neural-40k", "literal"), sample.looks)
        assert list(figure.data[0].y) == analysis.summary("neural-40k").scores.tolist()
        assert list(figure.data[0].x) == list(range(1, 21))
        assert len({(trace.marker.symbol, trace.line.dash) for trace in figure.data[:2]}) == 2
        expected = numbers.score(float(figure.data[0].y[1]))
        assert list(figure.data[0].customdata[1]) == ["neural-40k", f"{expected} BLEU", "block 2 (segments 11 to 20)"]

    def test_documents_stand_at_the_axis_by_name_unless_there_are_many(self, sample, bleu):
        analysis = analyse(bleu, blocks_of_documents(sample.test_set.documents), "human")
        axis = block_scores_figure(analysis, sample.pair(), sample.looks).layout.xaxis
        assert list(axis.ticktext) == list(dict.fromkeys(sample.test_set.documents))
        many = [str(place // 4) for place in range(216)]
        axis = block_scores_figure(analyse(bleu, blocks_of_documents(many), "human"), sample.pair(), sample.looks)
        assert axis.layout.xaxis.ticktext is None
        assert axis.layout.xaxis.title.text == "document, in the order of their first segments"


class TestDifferences:
    def test_have_their_mean_and_its_interval(self, analysis):
        test = analysis.tests(("fluent", "neural-40k"))[0]
        figure = block_differences_figure(analysis, test)
        assert list(figure.data[0].y) == test.differences.tolist()
        assert numbers.difference(test.mean_difference) in figure.layout.title.text
        line, band = figure.layout.shapes
        assert line.y0 == line.y1 == test.mean_difference
        assert (band.y0, band.y1) == test.interval

    def test_without_an_interval_there_is_no_band(self, twins):
        assert len(every_figure(twins, SignificanceOptions("block-t", n_blocks=2))["differences"].layout.shapes) == 1

    def test_colours_tell_who_is_better_whichever_way_the_metric_points(self, sample_errors, analysis):
        bars = block_differences_figure(analysis, analysis.tests(("literal", "neural-40k"))[0]).data[0]
        assert set(bars.marker.color) == {SIDE_COLOURS["B"]}
        errors = analyse(sample_errors, blocks_of_number(216, 20), "literal")
        figure = block_differences_figure(errors, errors.tests(("literal", "neural-40k"))[0])
        for value, colour in zip(figure.data[0].y, figure.data[0].marker.color, strict=True):
            assert colour == (SIDE_COLOURS["B"] if value < 0 else SIDE_COLOURS["A"])
        assert "lower is better" in figure.layout.yaxis.title.text

    def test_of_many_blocks_are_a_histogram_that_holds_each_once(self, score_texts):
        generator = np.random.default_rng(1)
        texts = [" ".join(generator.choice(list("abcde"), 6)) for _ in range(MAX_DRAWN + 1)]
        references = [" ".join(generator.choice(list("abcde"), 6)) for _ in range(MAX_DRAWN + 1)]
        scored = score_texts({"one": texts, "two": texts[::-1]}, [references])
        bars = every_figure(scored, SignificanceOptions("block-t", block_size=1))["differences"].data[0]
        assert len(bars.x) == N_BINS
        assert sum(bars.y) == MAX_DRAWN + 1
        assert bars.x == pytest.approx(-bars.x[::-1])  # 0 is in the middle, as the edges have it
        middle = N_BINS // 2
        assert bars.marker.color[middle] == NEUTRAL
        assert set(bars.marker.color[:middle]) == {SIDE_COLOURS["A"]}
        assert set(bars.marker.color[middle + 1 :]) == {SIDE_COLOURS["B"]}
        same = score_texts({"one": texts, "two": texts}, [references])
        bars = every_figure(same, SignificanceOptions("block-t", block_size=1))["differences"].data[0]
        assert bars.y[middle] == MAX_DRAWN + 1


class TestLayouts:
    def figure(self, bleu, analysis, level=0.05):
        study = study_layouts(bleu, ("fluent", "neural-40k"), analysis.layout, seed=1)
        observed = analysis.tests(("fluent", "neural-40k"))[0]
        return study, observed, layouts_figure(study, observed, level)

    def test_hold_every_layout_once(self, bleu, analysis):
        study, _, figure = self.figure(bleu, analysis)
        assert sum(figure.data[0].y) == len(study.statistics) == 200

    def test_mark_the_observed_t_and_the_critical_values_within_the_axis(self, bleu, analysis):
        _, observed, figure = self.figure(bleu, analysis, level=0.01)
        band, line = figure.layout.shapes
        critical = float(critical_t(20, 0.01))
        assert (band.x0, band.x1) == pytest.approx((-critical, critical))
        assert line.x0 == line.x1 == observed.statistic
        assert figure.layout.annotations[0].text == f"these blocks: {numbers.statistic(observed.statistic)}"
        low, high = figure.layout.xaxis.range
        assert low < min(*figure.data[0].x, band.x0, line.x0)
        assert high > max(*figure.data[0].x, band.x1, line.x1)

    def test_that_all_have_the_same_t_are_one_bar(self, bleu):
        analysis = analyse(bleu, blocks_of_size(216, 1), "human")
        _, _, figure = self.figure(bleu, analysis)
        assert list(figure.data[0].y) == [200]


class TestSizes:
    def test_show_t_with_its_critical_values_and_the_blocks_in_use(self, bleu, analysis):
        study, observed = study_sizes(bleu, ("fluent", "neural-40k"), None), analysis.tests(("fluent", "neural-40k"))[0]
        upper, lower, line, here = sizes_figure(study, 10, observed, 0.05).data
        assert list(upper.y) == pytest.approx(list(critical_t(study.n_blocks)))
        assert list(lower.y) == pytest.approx([-value for value in upper.y])
        assert list(line.x) == study.sizes.tolist()
        assert list(line.y) == study.statistics.tolist()
        place = study.sizes.tolist().index(8)
        assert list(line.customdata[place])[:2] == ["27 blocks", "8 segments"]
        assert (list(here.x), list(here.y)) == ([10], [observed.statistic])

    def test_of_documents_have_no_size_to_mark(self, bleu, analysis):
        study, observed = study_sizes(bleu, ("fluent", "neural-40k"), None), analysis.tests(("fluent", "neural-40k"))[0]
        assert len(sizes_figure(study, None, observed, 0.05).data) == 3

    def test_ticks_are_round_sizes_within_the_range(self, bleu, analysis):
        study, observed = study_sizes(bleu, ("fluent", "neural-40k"), None), analysis.tests(("fluent", "neural-40k"))[0]
        assert list(sizes_figure(study, 10, observed, 0.05).layout.xaxis.tickvals) == [1, 2, 5, 10, 20]
        assert list(sizes_figure(study, 108, observed, 0.05).layout.xaxis.tickvals) == [1, 2, 5, 10, 20, 50, 100]
