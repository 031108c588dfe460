"""Every figure: what is drawn is what was computed, once, inside its axes and in the colours of who is better."""

import re
from html import unescape

import numpy as np
import pytest

from bleucore.agreement.opinions import neighbour_differences, normalised
from bleucore.agreement.pairwise import JudgedPair
from bleucore.analysis.attribution import attribute
from bleucore.metrics import human_agreement
from bleucore.metrics.human_agreement import COIN_TOSS
from bleucore.robustness.rankings import ranks
from bleucore.significance import critical_t
from bleuscope.content.style import numbers
from bleuscope.content.style.charts import DRAWN, NEUTRAL, OBSERVED, axis_name
from bleuscope.content.style.identity import SIDE_COLOURS
from tests.dashboard import builders
from tests.dashboard import figure_properties as properties
from tests.dashboard import sheet_properties as of_sheets
from tests.dashboard.feature_parts import module_of, of_features

of_judgements = module_of("judgements.figures")
CASES, NAMES = builders.CASES, sorted(builders.FIGURES)
ADDED = {"charts.styled", "charts.named_at_ends"}
"""What figures are given, whatever they draw."""


def made(name):
    """Every example of a figure, with its case."""
    return [(case, figure) for case in CASES.values() for figure in builders.figures(case)[name]]


def test_every_public_function_that_makes_a_figure_has_an_example():
    assert builders.content_builders(builders.go.Figure) == NAMES
    assert sorted(DRAWS) == sorted(set(NAMES) - ADDED)


@pytest.mark.parametrize("name", NAMES)
def test_a_figure_holds_together(name):
    for _, figure in made(name):
        properties.reads_well(figure, of_sheets)
        for holds in properties.ALL:
            holds(figure)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ADDED])
def test_a_figure_draws_what_was_computed(name):
    drawn = made(name)
    assert any(figure.data for _, figure in drawn)
    for case in CASES.values():
        some = builders.figures(case)[name]
        if some:
            DRAWS[name](case, *some)


def near(found, wanted):
    return np.asarray(found, np.float64) == pytest.approx(np.asarray(wanted, np.float64), abs=1e-6)


def sides(case, differences):
    """The colour of who is better in each."""
    gains = case.metric.gain(np.asarray(differences, np.float64))
    return [SIDE_COLOURS["B"] if one > 0 else SIDE_COLOURS["A"] if one < 0 else NEUTRAL for one in gains]


def lines(figure, letter):
    """Where straight lines across the figure stand."""
    other = "y" if letter == "x" else "x"
    return [
        one[f"{letter}0"]
        for one in figure.layout.shapes
        if one.type == "line" and one[f"{letter}0"] == one[f"{letter}1"] and "domain" in one[f"{other}ref"]
    ]


def bands(figure, letter):
    return [
        (one[f"{letter}0"], one[f"{letter}1"])
        for one in figure.layout.shapes
        if one.type == "rect" and one[f"{letter}ref"] == letter
    ]


def said(trace, place):
    """A part of what points say on hover."""
    return [unescape(str(one[place])) for one in trace.customdata]


def waterfall(case, figure):
    (bar,), found = figure.data, case.attribution
    parts = [*found.factor_parts, *([found.jump] if found.jump_reason else [])]
    low, high = found.scores
    assert near(bar.y, [low, *parts, high])
    assert near(bar.base, [0, *(low + np.cumsum([0, *parts])[:-1]), 0])
    assert bar.base[-2] + bar.y[-2] == pytest.approx(high, abs=1e-6)
    colours = [case.pair_looks[0].colour, *sides(case, parts), case.pair_looks[1].colour]
    assert list(bar.marker.color) == colours
    texts = [numbers.score(low), *map(numbers.difference, parts), numbers.score(high)]
    assert said(bar, 1) == texts == [one.text for one in figure.layout.annotations]
    tops = [one.y for one in figure.layout.annotations]
    assert near(tops, [low, *(max(base, base + part) for base, part in zip(bar.base[1:-1], parts, strict=True)), high])
    bottom, top = figure.layout.yaxis.range
    assert max(tops) < top <= max(tops) + 0.2 * (max(tops) - bottom) + 1e-5
    assert bottom <= min(low, high)


def block_scores(case, *figures):
    for place, (analysis, figure) in enumerate(zip(np.repeat(case.analyses, 2), figures, strict=True)):
        shows_all = place % 2 == 0
        *drawn, _ends = figure.data
        assert [trace.name for trace in drawn[-2:]] == [axis_name(case.looks[name]) for name in case.names]
        assert len(drawn) == (len(analysis.rows) if shows_all else 2)
        for trace in drawn:
            row = next(one for one in analysis.rows if axis_name(case.looks[one.summary.name]) == trace.name)
            look = case.looks[row.summary.name]
            is_main = row.summary.name in case.names
            assert near(trace.y, row.summary.scores)
            assert list(trace.x) == [*range(1, analysis.layout.n_blocks + 1)]
            assert (trace.line.color, trace.line.dash, trace.marker.symbol) == (look.colour, look.dash, look.marker)
            assert (trace.line.width > 2, trace.marker.size > 6) == (is_main, is_main)
            assert trace.mode == "lines+markers"
            assert all(numbers.score(value) in text for value, text in zip(trace.y, said(trace, 1), strict=True))
        names_at_ends(figure, [(trace.name, trace.y[-1]) for trace in drawn])
        says_lower = "lower is better" in figure.layout.yaxis.title.text
        assert says_lower == (not case.metric.higher_is_better)


def names_at_ends(figure, lines_drawn):
    """Each line's name stands at its end, in the order of the ends, and there is no legend."""
    in_order = sorted(lines_drawn, key=lambda one: one[1])
    named = [text.rpartition("</span> ")[2] for text in figure.layout.yaxis2.ticktext]
    assert sorted(named) == sorted(name for name, _ in in_order)
    values = dict(in_order)
    assert [values[name] for name in named] == [value for _, value in in_order]
    assert figure.layout.showlegend is False
    assert [*figure.layout.yaxis.range] == [*figure.layout.yaxis2.range]


def block_differences(case, *figures):
    for tests, figure in zip(case.block_tests, figures, strict=True):
        (bar,), test = figure.data, tests[0]
        assert near(bar.y, test.differences)
        assert list(bar.marker.color) == sides(case, test.differences)
        assert said(bar, 0) == [numbers.difference(value) for value in test.differences]
        assert near(lines(figure, "y"), [test.mean_difference])
        assert near(bands(figure, "y"), [] if test.interval is None else [test.interval])
        assert numbers.difference(test.mean_difference) in figure.layout.title.text


def layouts(case, figure):
    (bar,), study, observed = figure.data, case.layout_study, case.block_tests[0][0].statistic
    assert sum(bar.y) == len(study.statistics)
    for centre, width, height in zip(bar.x, bar.width, bar.y, strict=True):
        half = width / 2 / 0.96
        inside = (study.statistics >= centre - half - 1e-9) & (study.statistics <= centre + half + 1e-9)
        assert height <= inside.sum()
    assert said(bar, 2) == [numbers.counted(int(height), "layout") for height in bar.y]
    critical = critical_t(study.n_blocks, 0.05)
    assert near(bands(figure, "x"), [(-critical, critical)])
    assert near(lines(figure, "x"), [observed])
    (told,) = figure.layout.annotations
    assert numbers.statistic(observed) in told.text
    low, high = figure.layout.xaxis.range
    assert told.xanchor == ("right" if observed > (low + high) / 2 else "left")
    assert near(told.x, observed)


def sizes(case, *figures):
    study = case.size_study
    for size, figure in zip((None, 4), figures, strict=True):
        upper, lower, line, *marked = figure.data
        critical = study.critical_values(0.05)
        assert near(upper.y, critical)
        assert near(lower.y, -critical)
        assert (upper.fill, lower.fill) == (None, "tonexty")
        assert (bool(upper.showlegend), bool(lower.showlegend)) == (False, True)
        assert near(line.y, study.statistics)
        assert [*line.x] == [*upper.x] == [*lower.x] == [*study.sizes]
        assert said(line, 0) == [numbers.counted(int(n), "block") for n in study.n_blocks]
        assert said(line, 1) == [numbers.counted(int(n), "segment") for n in study.sizes]
        assert said(line, 2) == [numbers.statistic(t) for t in study.statistics]
        assert said(line, 3) == [numbers.p_value(p) for p in study.p_values]
        assert len(marked) == (size is not None)
        for one in marked:
            assert ([*one.x], near(one.y, [case.block_tests[0][0].statistic])) == ([4], True)
        ticks = figure.layout.xaxis.tickvals
        assert [*ticks] == [n for n in (1, 2, 5, 10, 20, 50, 100) if n <= max(study.sizes[-1], size or 0)]
        assert [*figure.layout.xaxis.ticktext] == [numbers.count(n) for n in ticks]


def segment_differences(case, figure):
    (bar,) = figure.data
    order = np.argsort(case.delta, kind="stable")
    assert near(bar.y, case.delta[order])
    assert list(bar.x) == [*range(1, len(order) + 1)]
    assert [int(one[0]) for one in bar.customdata] == order.tolist()
    assert said(bar, 1) == [numbers.count(row + 1) for row in order]
    assert said(bar, 2) == [numbers.difference(value) for value in bar.y]
    assert said(bar, 3) == [case.test_set.references[0][row] for row in order]
    assert list(bar.marker.color) == sides(case, bar.y)
    assert set(bar.width) == {1}
    assert bar.offset == -0.5


def histogram(case, figure):
    (bar,) = figure.data
    assert sum(bar.y) == len(case.delta)
    for (low, high, *_), height in zip(bar.customdata, bar.y, strict=True):
        assert ((case.delta >= low) & (case.delta < high)).sum() == height
    assert near([one[1] for one in bar.customdata[:-1]], [one[0] for one in bar.customdata[1:]])
    assert near(bar.x, [(one[0] + one[1]) / 2 for one in bar.customdata])
    assert said(bar, 4) == [numbers.counted(int(height), "segment") for height in bar.y]
    assert said(bar, 2) == [numbers.score(one[0]) for one in bar.customdata]
    assert said(bar, 3) == [numbers.score(one[1]) for one in bar.customdata]
    width = bar.customdata[0][1] - bar.customdata[0][0]
    assert list(bar.marker.color) == sides(case, [0 if abs(x) < width / 2 else x for x in bar.x])
    assert bar.width == pytest.approx(0.94 * width)


def documents(case, whole, some):
    rows = builders.sheets(case)["difference_sheets.documents_sheet"][0].frame.to_dict("records")
    order = sorted(range(len(rows)), key=lambda row: -rows[row]["difference"])
    for figure, listed in ((whole, order), (some, [*order[:2], order[-1]])):
        (bar,) = figure.data
        assert near(bar.x, [rows[row]["difference"] for row in listed])
        assert [int(one[0]) for one in bar.customdata] == listed
        assert (
            said(bar, 1) == [rows[row]["document"] for row in listed] == [*map(unescape, figure.layout.yaxis.ticktext)]
        )
        assert said(bar, 2) == [numbers.counted(rows[row]["segments"], "segment") for row in listed]
        assert said(bar, 3) == [*bar.text] == [numbers.difference(value) for value in bar.x]
        assert list(bar.marker.color) == sides(case, bar.x)
        assert [*figure.layout.yaxis.tickvals] == [*bar.y] == [*range(len(listed))]
        assert figure.layout.yaxis.autorange == "reversed"
        low, high = figure.layout.xaxis.range
        assert -low == high > max(map(abs, bar.x))


def history(case, of_steps, of_time, untested):
    versions, found = case.scored.versions, case.history.found.versions
    scores = [one.score for one in versions]
    for figure, along in ((of_steps, "step"), (of_time, "time"), (untested, "order")):
        lower, upper, line, *marks = figure.data
        assert near(lower.y, [one.interval[0] for one in versions])
        assert near(upper.y, [one.interval[1] for one in versions])
        assert (lower.fill, upper.fill) == (None, "tonexty")
        assert near(line.y, scores)
        places = {"step": [one.step for one in versions], "order": [*range(5)]}.get(along)
        assert [*line.x] == [*lower.x] == (places or [one.made_at.replace(tzinfo=None) for one in versions])
        chosen = [one for one in marks if one.name == "compared beneath"]
        assert [[one[0] for one in trace.customdata] for trace in chosen] == ([[0, 2]] if along == "step" else [])
        marked = [
            (int(one[0]), y, x)
            for trace in marks
            if trace not in chosen
            for one, y, x in zip(trace.customdata, trace.y, trace.x, strict=True)
        ]
        assert sorted(row for row, *_ in marked) == [*range(5)]
        assert all((y, x) == (scores[row], line.x[row]) for row, y, x in marked)
        for trace in marks:
            for row, text in trace.customdata:
                assert f"<b>{versions[int(row)].label}</b><br>{numbers.score(scores[int(row)])}" in text
        way = "higher" if case.metric.higher_is_better else "lower"
        assert figure.layout.yaxis.title.text == f"{case.metric.name} ({way} is better)"
    kinds = {int(one[0]): trace.name for trace in of_time.data[3:] for one in trace.customdata}
    for row, one in enumerate(found):
        gain = 0 if one.before is None else case.metric.gain(np.array([one.before.difference]))[0]
        wanted = (
            "alarm"
            if one.alarm
            else ("up from the version before" if gain > 0 else "down from the version before")
            if one.before is not None and one.before.is_significant
            else "significantly worse than the best"
            if one.best is not None and one.best.is_significant
            else "no significant difference from the best"
        )
        assert kinds[row] == wanted
    assert {trace.name for trace in untested.data[3:]} == {"versions"}


def strips(case, figure):
    shown = case.strips
    gains = shown.strips.gains[:, list(shown.rows)].T
    wanted = {"better than before": 1, "worse than before": -1, "the same score": 0}
    assert [trace.name for trace in figure.data] == list(wanted)
    for trace in figure.data:
        places = {(row, place) for row, place in np.argwhere(np.sign(gains) == wanted[trace.name]).tolist()}
        assert set(zip(trace.y, trace.x, strict=True)) == places
        assert [int(one[0]) for one in trace.customdata] == [shown.rows[int(row)] for row in trace.y]
        of_sign = np.abs([gains[int(row), int(place)] for row, place in zip(trace.y, trace.x, strict=True)])
        assert all(
            (a <= b) == (c <= d)
            for a, c in zip(of_sign, trace.marker.size, strict=True)
            for b, d in zip(of_sign, trace.marker.size, strict=True)
        )
        assert all(7 <= size <= 15 for size in trace.marker.size)
        for (_, text), place in zip(trace.customdata, trace.x, strict=True):
            assert ("from the version before" in text) == (place > 0)
    assert [*figure.layout.xaxis.tickvals] == [*range(5)]
    assert [*figure.layout.xaxis.ticktext] == [f"v{place}" for place in range(5)]
    assert [one.split(" ")[0] for one in figure.layout.yaxis.ticktext] == [f"#{row + 1}" for row in shown.rows]
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1]
    assert lines(figure, "x") == [0, 4]


def slopes(case, figure):
    study = case.references
    subsets = [*study.subsets, study.mean]
    of_subset = np.array([ranks(study.gains(one.scores)) for one in subsets])
    drawn = {trace.name: trace for trace in figure.data}
    assert [trace.name for trace in figure.data[-2:]] == [
        axis_name(case.looks[name]) for name in study.systems if case.looks[name].side
    ]
    for place, name in enumerate(study.systems):
        trace = drawn.pop(axis_name(case.looks[name]))
        assert near(trace.y, of_subset[:, place])
        assert len(set(trace.x)) == len(subsets)
        assert said(trace, 0) == [numbers.score(one.scores[place]) for one in subsets]
        assert trace.line.color == case.looks[name].colour
    assert not drawn
    assert [*figure.layout.yaxis.range] == [5.5, 0.5]
    by_rank = dict(zip(figure.layout.yaxis.tickvals, figure.layout.yaxis.ticktext, strict=True))
    assert all(axis_name(case.looks[name]) in by_rank[of_subset[0, n]] for n, name in enumerate(study.systems))
    assert figure.layout.showlegend is False


def growth(case, figure):
    study = case.references
    singles = np.array([one.scores for one in study.subsets if len(one.references) == 1])
    both = next(one.scores for one in study.subsets if len(one.references) == 2)
    *traces, _ends = figure.data
    drawn = {trace.name: trace for trace in traces}
    in_order = [drawn[axis_name(case.looks[name])] for name in study.systems]
    beside = [trace.x[0] for trace in in_order]
    assert beside == sorted(set(beside))
    assert beside[0] + beside[-1] == pytest.approx(2)
    for place, trace in enumerate(in_order):
        assert near(trace.y, [singles[:, place].mean(), both[place]])
        assert near(trace.error_y.array, [singles[:, place].max() - trace.y[0], 0])
        assert near(trace.error_y.arrayminus, [trace.y[0] - singles[:, place].min(), 0])
        assert trace.error_y.visible
        assert [*trace.customdata] == [1, 2]
        assert all(abs(x - size) < 0.3 for x, size in zip(trace.x, (1, 2), strict=True))
    names_at_ends(figure, [(trace.name, trace.y[-1]) for trace in traces])


def draws(case, figure):
    (bar,), flips = figure.data, case.references.draws.stability.flips
    assert [*bar.x] == [*range(flips.max() + 1)]
    assert [*bar.y] == [(flips == n).sum() for n in bar.x]
    assert near(lines(figure, "x"), [flips.mean()])
    assert figure.layout.xaxis.title.text.endswith("of 10")


def ahead(case, figure):
    (grid,), study = figure.data, case.references
    order = sorted(range(5), key=lambda place: -study.gains(study.base_subset.scores)[place])
    assert [*grid.y] == [axis_name(case.looks[study.systems[place]]) for place in order]
    assert [*grid.x] == [*grid.y]
    assert [[*map(unescape, one)] for row in grid.customdata for one in row] == [
        [study.systems[one], study.systems[other]] for one in order for other in order
    ]
    for row, one in enumerate(order):
        for column, other in enumerate(order):
            share = study.draws.stability.ahead[one, other]
            assert np.isnan(grid.z[row][column]) if row == column else near(grid.z[row][column], share)
            assert grid.text[row][column] == ("" if row == column else f"{share:.2f}")
    assert grid.texttemplate
    assert (grid.zmin, grid.zmax) == (0, 1)
    assert figure.layout.yaxis.autorange == "reversed"


def matches(case, figure):
    shares = case.references.shares
    assert bool(figure.data) == (shares is not None)
    if shares is None:
        return
    total = shares.matches.sum(axis=0)
    parts = [*shares.only.sum(axis=1), total - shares.only.sum(axis=(0, 1))]
    assert [trace.name for trace in figure.data] == ["only first", "only second", "several"]
    for trace, part in zip(figure.data, parts, strict=True):
        assert near(trace.x, 100 * part / total)
        assert [*trace.text] == [f"{value:.0f}" for value in trace.x]
        assert [*trace.y] == [f"{n}-grams" for n in range(1, 5)]
    assert near(sum(np.array(trace.x) for trace in figure.data), [100] * 4)
    assert [trace.marker.color == NEUTRAL for trace in figure.data] == [False, False, True]
    assert [bool(trace.marker.pattern.shape) for trace in figure.data] == [True, True, False]


def forest(key, low):
    def check(case, figure):
        (points,) = figure.data
        rows = builders.sheets(case)["score_sheets.systems_sheet"][0].frame.to_dict("records")
        values = [0 if np.isnan(row[key]) else row[key] for row in rows]
        assert said(points, 0) == [row["system"] for row in rows]
        assert [one[2] for one in points.customdata] == [*range(len(rows))]
        outside = [symbol in ("triangle-left", "triangle-right") for symbol in points.marker.symbol]
        for place, (value, row) in enumerate(zip(values, rows, strict=True)):
            first, last = row[f"{low}_low"], row[f"{low}_high"]
            ends = (value, value) if np.isnan(first) else (first, last)
            start, end = figure.layout.xaxis.range
            if not outside[place]:
                assert points.x[place] == pytest.approx(value)
                assert points.x[place] - points.error_x.arrayminus[place] == pytest.approx(max(ends[0], start))
                assert points.x[place] + points.error_x.array[place] == pytest.approx(min(ends[1], end))
            assert bool(points.text[place]) == outside[place]
        assert [*points.marker.color] == [case.looks[row["system"]].colour for row in rows]
        clusters = [row.get("cluster", 1) for row in rows]
        n_lines = sum(one.type == "line" for one in figure.layout.shapes)
        assert n_lines == len({one for one in clusters if not np.isnan(one)}) - 1 or n_lines == 0
        assert [*points.y] == sorted(points.y)

    return check


def precisions(case, figure):
    assert len(figure.data) == 4
    for n, points in enumerate(figure.data):
        names = said(points, 0)
        found = [case.evaluation.systems[name].score.precisions[n] for name in names]
        outside = [bool(text) for text in points.text]
        assert all(near(x, value) for x, value, far in zip(points.x, found, outside, strict=True) if not far)
        assert all(numbers.precision(value) in text for value, text in zip(found, said(points, 1), strict=True))
        assert [*points.marker.color] == [case.looks[name].colour for name in names]
        axis = figure.layout["xaxis" if n == 0 else f"xaxis{n + 1}"]
        assert axis.title.text == f"{n + 1}-gram<br>%"
    assert [*figure.layout.yaxis.ticktext] == [axis_name(case.looks[name]) for name in said(figure.data[0], 0)]


def segment_scatter(case, figure):
    (points,), rows = figure.data, [9, 3, 14, 0]
    first, second = (case.metric.known_segment_scores(name)[rows] for name in case.names)
    assert np.asarray(points.x) == pytest.approx(first, abs=0.01)
    assert np.asarray(points.y) == pytest.approx(second, abs=0.01)
    assert [(bool(one[0]), int(one[1])) for one in points.customdata] == [(False, row) for row in rows]
    assert said(points, 2) == [numbers.count(row + 1) for row in rows]
    assert said(points, 3) == [numbers.difference(value) for value in second - first]
    assert list(points.marker.color) == sides(case, second - first)
    for axis, letter, look in zip((figure.layout.xaxis, figure.layout.yaxis), "AB", case.pair_looks, strict=True):
        assert axis.title.text == f"{case.metric.name} of {letter}: {axis_name(look)}"


def setting_grid(case, figure):
    drawn = {int(one[0]): (trace, place) for trace in figure.data for place, one in enumerate(trace.customdata)}
    results = case.grid.results
    assert sorted(drawn) == [place for place, one in enumerate(results) if not one.repeats]
    assert sum(len(trace.x) for trace in figure.data) == len(drawn)
    for row, (trace, place) in drawn.items():
        is_meant = any(flip.is_significant for flip in results[row].flips)
        assert trace.text[place] == str(len(results[row].flips))
        assert trace.marker.symbol == ("square" if is_meant else "square-open")
        assert trace.marker.color[place] == (OBSERVED if results[row].flips else NEUTRAL)
        assert f"{len(results[row].flips)} of 10 reversed pairs" in trace.customdata[place][1]
        assert trace.name.startswith("some significant" if is_meant else "none")
    assert len({(trace.x[place], trace.y[place]) for trace, place in drawn.values()}) == len(drawn)


def ribbons(case, figure):
    grid = case.grid
    found = np.array([ranks(grid.gains(one.scores)) for one in grid.counted])
    present = ranks(grid.gains(grid.base.scores))
    order = np.argsort(present, kind="stable")
    *systems, now = figure.data
    for place, trace in zip(order, systems, strict=True):
        assert {*trace.y} == {axis_name(case.looks[grid.systems[place]])}
        assert [*trace.x] == sorted({*found[:, place]})
        shares = [np.mean(found[:, place] == rank) for rank in trace.x]
        assert said(trace, 0) == [numbers.percent(share) for share in shares]
        assert near((np.array(trace.marker.size) - 6) / 22, np.sqrt(shares))
        assert trace.marker.color == case.looks[grid.systems[place]].colour
    assert near(now.x, present[order])
    assert [*now.y] == [axis_name(case.looks[grid.systems[place]]) for place in order]


def distribution(bar, values):
    """Bars that hold each of the values once."""
    assert sum(bar.y) == len(values)
    assert min(bar.x) >= min(values) - 1e-9 or len(set(values)) == 1
    edges = np.append(np.array(bar.x) - np.array(bar.width) / 0.96 / 2, bar.x[-1] + bar.width[-1] / 0.96 / 2)
    assert (
        near(bar.y, np.histogram(values, edges)[0])
        or np.abs(np.array(bar.y) - np.histogram(values, edges)[0]).sum() <= 4
    )
    assert said(bar, 2) == [numbers.count(int(height)) for height in bar.y]
    assert said(bar, 0) == [numbers.statistic(edge) for edge in edges[:-1]]


def null(case, figure):
    (bar,), test = figure.data, case.comparison.null_test(*case.names[::-1])
    distribution(bar, test.null_distribution)
    assert [*bar.marker.color] == [OBSERVED if abs(x) >= abs(test.difference) else NEUTRAL for x in bar.x]
    assert near(lines(figure, "x"), [test.difference, -test.difference])
    assert figure.layout.annotations[0].text == f"observed {numbers.difference(test.difference)}"


def bootstrap(case, figure):
    (bar,) = figure.data
    distribution(bar, case.comparison.resampled_differences(*case.names[::-1]))
    assert set(bar.marker.color) == {NEUTRAL}
    assert near(bands(figure, "x"), [] if case.compared.interval is None else [case.compared.interval])
    assert near(lines(figure, "x"), [case.compared.difference, 0])
    assert figure.layout.annotations[0].text == f"observed {numbers.difference(case.compared.difference)}"


def power(case, figure):
    line, here = figure.data
    assert near(line.y, case.compared.smallest_detectable * np.sqrt(case.comparison.n_units / np.array(line.x)))
    assert [*line.x] == sorted(set(line.x))
    assert line.x[0] <= case.comparison.n_units <= line.x[-1]
    assert line.x[-1] == 4 * case.comparison.n_units
    gap = abs(case.compared.difference)
    assert ([*here.x], [*here.y]) == ([case.comparison.n_units], [gap or None])
    assert near(lines(figure, "y"), [gap] if gap else [])
    assert said(line, 1) == [numbers.score(value) for value in line.y]
    assert said(line, 0) == [numbers.counted(int(n), "document") for n in line.x]
    for axis, values in ((figure.layout.xaxis, line.x), (figure.layout.yaxis, [*line.y, *([gap] if gap else [])])):
        ends = 10.0 ** np.array(axis.range)
        assert near(ends, [min(values) / 1.2, max(values) * 1.2])
        assert min(axis.tickvals) <= min(values)
        assert max(axis.tickvals) >= max(values)


def slices(case, *figures):
    for (summary, tested), figure in zip(case.slices, figures, strict=True):
        names = list(summary.slicing.names)
        groups = (
            [*range(len(names))]
            if summary.slicing.is_ordered
            else sorted(range(len(names)), key=lambda one: -summary.delta[one])
        )
        bars = figure.data
        assert len(bars) == (1 if case.parts is None else 2)
        drawn = [summary.delta[groups], *([] if case.parts is None else [summary.parts[groups]])]
        for bar, values in zip(bars, drawn, strict=True):
            assert near(bar.x, values)
            assert [*bar.marker.color] == sides(case, values)
            assert [*bar.y] == [*range(len(groups))] == [int(one[0]) for one in bar.customdata]
            assert said(bar, 1) == [names[one] for one in groups]
            assert said(bar, 2) == [numbers.counted(int(summary.slicing.sizes[one]), "segment") for one in groups]
            assert [bool(one) for one in bar.marker.pattern.shape] == summary.is_small[groups].tolist()
        for row, group in enumerate(groups):
            test = tested.tests.get(group)
            ends = None if test is None else test.interval
            reach = (0, 0) if ends is None else (bars[0].x[row] - ends[0], ends[1] - bars[0].x[row])
            assert near([bars[0].error_x.arrayminus[row], bars[0].error_x.array[row]], reach)
            assert (", 95 % interval" in bars[0].customdata[row][3]) == (ends is not None)
        assert all(bar.error_x.array is None for bar in bars[1:])
        assert figure.layout.yaxis.autorange == "reversed"


def agreement_scatter(case, figure):
    found, metric = case.agreed, case.agreed.metrics[0]
    upper, lower, line, *points = figure.data
    assert (upper.fill, lower.fill) == (None, "tonexty")
    slope, start = np.polyfit(metric.scores, metric.people, 1)
    assert near(line.y, start + slope * np.array(line.x))
    assert all(one > two > three for one, two, three in zip(upper.y, line.y, lower.y, strict=True))
    assert near(np.array(upper.y) - line.y, np.array(line.y) - lower.y)
    intervals = dict(zip(found.people.systems, found.people.intervals, strict=True))
    by_name = {point.name: point for point in points}
    assert len(by_name) == len(metric.systems)
    for place, name in enumerate(metric.systems):
        point = by_name[axis_name(case.looks[name])]
        assert (point.x[0], point.y[0]) == (metric.scores[place], metric.people[place])
        low, high = case.score_ends.get(name, (point.x[0], point.x[0]))
        assert near([point.x[0] - point.error_x.arrayminus[0], point.x[0] + point.error_x.array[0]], [low, high])
        assert near(point.error_y.array[0], (intervals[name][1] - intervals[name][0]) / 2)
        assert point.text[0] in ("", axis_name(case.looks[name]))
        assert (point.marker.color, point.marker.symbol) == (case.looks[name].colour, case.looks[name].marker)
        assert point.marker.line.width == (3 if name in metric.outliers else 0)
        assert point.hovertext.startswith(f"{name}<br>{case.metric_name}")
    assert sum(bool(point.text[0]) for point in points) >= 3
    assert ("lower is better" in figure.layout.xaxis.title.text) == (not metric.higher_is_better)


def agreement_pairs(case, *figures):
    for metric, figure in zip(case.agreed.metrics, figures, strict=True):
        (grid,) = figure.data
        people = dict(zip(case.people.systems, case.people.scores, strict=True))
        order = sorted(metric.systems, key=lambda name: -people[name])
        pairs = {frozenset((pair.first, pair.second)): pair for pair in metric.pairs}
        assert len(grid.customdata) == len(pairs) == len({tuple(one) for one in grid.customdata})
        for place, (first, second) in enumerate(grid.customdata):
            assert order.index(first) < order.index(second)
            assert (grid.y[place], grid.x[place]) == (axis_name(case.looks[first]), axis_name(case.looks[second]))
            assert (grid.marker.color[place], grid.text[place]) == cell_of(pairs[frozenset((first, second))])
            assert (grid.textfont.color[place] == "#FFFFFF") == (grid.marker.color[place] == of_judgements.AGREE)
            assert grid.hovertext[place].startswith(f"{first} and {second}<br>da +") or people[first] == people[second]
            pair = pairs[frozenset((first, second))]
            signed = pair.metric if pair.people >= 0 else -pair.metric
            assert grid.hovertext[place].endswith(f"{metric.name} {numbers.part(signed)}")
        assert [*figure.layout.yaxis.categoryarray] == [axis_name(case.looks[name]) for name in order[:-1]][::-1]
        assert [*figure.layout.xaxis.categoryarray] == [axis_name(case.looks[name]) for name in order[1:]]


def cell_of(pair):
    """The colour and the sign of a pair."""
    assert isinstance(pair, JudgedPair)
    sure = [test.p_value < 0.05 for test in (pair.people_test, pair.metric_test)]
    letter = "R" if sure == [True, False] else "M" if sure == [False, True] else ""
    if pair.people * pair.metric > 0 or pair.people == pair.metric == 0:
        return (of_judgements.AGREE if all(sure) else of_judgements.WEAK_AGREE), f"✓{letter}"
    if pair.people * pair.metric == 0:
        return of_judgements.TIED, f"={letter}"
    return (of_judgements.OPPOSE if all(sure) else of_judgements.WEAK_OPPOSE), f"✗{letter}"


def conflicts(case, figure):
    people, metric = (first - second for first, second in case.judged_pair)
    quiet, loud = figure.data
    assert {int(one[0]) for one in loud.customdata} == {*case.conflicts.segments}
    judged = {*np.flatnonzero(~np.isnan(people)).tolist()}
    assert {int(one[0]) for one in quiet.customdata} == judged - {*case.conflicts.segments}
    for trace in (quiet, loud):
        rows = [int(one[0]) for one in trace.customdata]
        assert near(trace.x, metric[rows])
        assert near(trace.y, people[rows])
        assert trace.hovertemplate.startswith("segment %{customdata[1]}:")
        assert [int(one[1]) for one in trace.customdata] == [row + 1 for row in rows]
    assert all(x * y < 0 for x, y in zip(loud.x, loud.y, strict=True))
    assert (loud.name, loud.marker.color) == ("conflict", OBSERVED)
    assert (lines(figure, "x"), lines(figure, "y")) == ([0], [0])


def neighbours(case, figure):
    (points,), rows = figure.data, neighbour_differences(case.people)
    assert [*points.y] == [f"{axis_name(case.looks[one.better])} − {axis_name(case.looks[one.worse])}" for one in rows]
    assert near(points.x, [one.difference for one in rows])
    assert near(points.x + np.array(points.error_x.array), [one.interval[1] for one in rows])
    assert near(points.x - np.array(points.error_x.arrayminus), [one.interval[0] for one in rows])
    for text, one in zip(points.hovertext, rows, strict=True):
        assert (
            text == f"{one.better} − {one.worse}<br>{numbers.difference(one.difference)} in {one.n_segments} segments"
        )
    assert figure.layout.yaxis.autorange == "reversed"
    assert lines(figure, "x") == [0]


def side_by_side(case, *figures):
    for metric, figure in zip(case.agreed.metrics, figures, strict=True):
        order = sorted(range(5), key=lambda place: -metric.people[place])
        up = 1 if metric.higher_is_better else -1
        for trace, name, values in zip(
            figure.data, ("da", metric.name), (metric.people, up * metric.scores), strict=True
        ):
            assert trace.name == name
            assert near(trace.x, normalised(values)[order])
            assert {0.0, 1.0} <= {*np.round(trace.x, 9)}
            assert [*trace.y] == [axis_name(case.looks[metric.systems[place]]) for place in order]
            assert [*trace.hovertext] == [
                f"{metric.systems[place]}<br>{name}: {numbers.statistic(x)}"
                for place, x in zip(order, trace.x, strict=True)
            ]
        assert figure.layout.yaxis.autorange == "reversed"


def agreement_curve(case, figure):
    metric, curve = case.agreed.metrics[0], human_agreement.BLEU
    published, agreeing, others, *groups = figure.data
    assert published.y == tuple(curve.percent(x) for x in published.x)
    assert max(published.x) >= max(abs(pair.metric) for pair in metric.pairs)
    for trace, agrees in ((agreeing, True), (others, False)):
        pairs = [
            pair
            for pair in metric.pairs
            if (pair.people * pair.metric > 0 or pair.people == pair.metric == 0) == agrees
        ]
        assert near(trace.x, [abs(pair.metric) for pair in pairs])
        assert near(trace.y, [curve.percent(abs(pair.metric)) or COIN_TOSS for pair in pairs])
        for pair, (first, second), text in zip(pairs, trace.customdata, trace.hovertext, strict=True):
            assert (first, second) == (pair.first, pair.second)
            better = (first, second) if pair.metric >= 0 else (second, first)
            assert text == f"{better[0]} and {better[1]}<br>{numbers.part(abs(pair.metric))}"
    assert len(agreeing.x) + len(others.x) == len(metric.pairs)
    assert (agreeing.name, others.name) == ("pair, people agree", "pair, people do not")
    assert (agreeing.marker.color, others.marker.color) == (DRAWN, OBSERVED)
    for trace in groups:
        assert all(0 <= y <= 100 for y in trace.y)
        assert [*trace.x] == sorted(trace.x)


def ladder(case, figure):
    (trace,), kinds = figure.data, case.kinds
    values = kinds.gains if len(kinds.losses) > 1 else kinds.losses[0].segments
    assert near(trace.x, values.sum(axis=0))
    assert [numbers.difference(value) if len(kinds.losses) > 1 else numbers.score(value) for value in trace.x] == [
        *trace.text
    ]
    if len(kinds.losses) > 1:
        assert near(values.sum(axis=1), attribute_bleu(case).segments)
        assert list(trace.marker.color) == [
            SIDE_COLOURS["B"] if value > 0 else SIDE_COLOURS["A"] if value < 0 else NEUTRAL for value in trace.x
        ]
    counts = np.stack([one.tokens.sum(axis=0) for one in kinds.losses], axis=1)
    assert [[int(count) for count in re.findall(r": (\d+)", said)] for _, said in trace.customdata] == counts.tolist()
    assert figure.layout.yaxis.autorange == "reversed"


def attribute_bleu(case):
    counts = [case.evaluation.systems[name].counts for name in case.names]
    return attribute(*counts, case.evaluation.options, names=case.names)


_DRAWS = {
    "attribution_figures.waterfall_figure": waterfall,
    "block_figures.block_scores_figure": block_scores,
    "block_figures.block_differences_figure": block_differences,
    "block_figures.layouts_figure": layouts,
    "block_figures.sizes_figure": sizes,
    "difference_figures.segment_differences_figure": segment_differences,
    "difference_figures.difference_histogram": histogram,
    "difference_figures.document_differences_figure": documents,
    "kinds.figures.ladder_figure": ladder,
    "projects.figures.history_figure": history,
    "projects.figures_strips.strips_figure": strips,
    "references.figures.slope_figure": slopes,
    "references.figures.growth_figure": growth,
    "references.figures.draws_figure": draws,
    "references.figures.ahead_figure": ahead,
    "references.figures.matches_figure": matches,
    "score_figures.scores_figure": forest("bleu", "interval"),
    "score_figures.precisions_figure": precisions,
    builders.SCATTER: segment_scatter,
    "sensitivity.figures.grid_figure": setting_grid,
    "sensitivity.figures.ribbons_figure": ribbons,
    "forest.forest_figure": forest("difference", "difference_interval"),
    "significance_figures.null_figure": null,
    "significance_figures.bootstrap_figure": bootstrap,
    "significance_figures.power_figure": power,
    "slice_figures.slices_figure": slices,
    "judgements.figures.scatter_figure": agreement_scatter,
    "judgements.figures.pairs_figure": agreement_pairs,
    "judgements.figures.conflicts_figure": conflicts,
    "judgements.figures_opinions.neighbours_figure": neighbours,
    "judgements.figures_opinions.side_by_side_figure": side_by_side,
    "judgements.figures_opinions.agreement_curve_figure": agreement_curve,
}
DRAWS = of_features(_DRAWS)
"""What each figure draws: called with a case and its examples."""
