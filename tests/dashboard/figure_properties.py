"""What holds for every figure, whatever it is of."""

import math
import re
from html import unescape

import numpy as np

from bleuscope.content.style.charts import DRAWN, INK, NEUTRAL, OBSERVED
from bleuscope.content.style.identity import BASELINE_COLOUR, OKABE_ITO, SIDE_COLOURS
from tests.dashboard.feature_parts import module_of

judged = module_of("judgements.figures")
COLOURS = {
    *(DRAWN, INK, NEUTRAL, OBSERVED, BASELINE_COLOUR, "#FFFFFF"),
    *OKABE_ITO,
    *SIDE_COLOURS.values(),
    *(() if judged is None else (judged.AGREE, judged.WEAK_AGREE, judged.OPPOSE, judged.WEAK_OPPOSE, judged.TIED)),
}

MOST_WORDS, MOST_IN_LEGEND = 8, 7
COUNTED = "segments|documents|blocks|resamples|trials|samples|draws|layouts|pairs|references|runs|versions|swaps"
UNITS = re.compile(
    rf"BLEU|chrF|TER|COMET|%|\bt\b|Δ|rank|{COUNTED}|judgement|da\b|step|outputs were made|version|document|"
    r"0: worst system, 1: best system|metric|settings",
    re.IGNORECASE,
)


def listed(values):
    """What a trace has in one of its places; nothing where it has none."""
    return [] if values is None else list(values)


def across(trace):
    """The two places of its points."""
    return listed(trace.x), listed(trace.y)


def has_as_much_of_all(figure):
    """Each point has its place, its words and its looks."""
    for trace in figure.data:
        if trace.type == "heatmap":
            assert np.shape(trace.z) == (len(trace.y), len(trace.x)) == np.shape(trace.text)
            continue
        x, y = across(trace)
        assert len(x) == len(y)
        parts = [trace.customdata, trace.text, trace.hovertext, trace.hovertemplate, trace.textposition]
        parts += [getattr(trace, name)[side] for name in ("error_x", "error_y") for side in ("array", "arrayminus")]
        parts += [trace.marker[name] for name in ("color", "size", "symbol") if name in trace.marker]
        for part in parts:
            assert part is None or isinstance(part, str | int | float) or len(part) == len(x), trace.name


def draws_numbers(figure):
    """No place is missing, but where the cell of a matrix is of a system and itself."""
    for trace in figure.data:
        for value in (value for places in across(trace) for value in places):
            assert value is None or not isinstance(value, float | int | np.number) or np.isfinite(value)
        for name in ("error_x", "error_y"):
            for side in ("array", "arrayminus"):
                ends = np.asarray(listed(getattr(trace, name, {})[side]) if trace.type != "heatmap" else [], np.float64)
                assert (ends >= -1e-9).all(), (trace.name, side)
        sizes = trace.marker.size if trace.type == "scatter" else None
        assert sizes is None or (np.asarray(sizes, np.float64) > 0).all()
        widths = trace.width if trace.type == "bar" else None
        assert widths is None or (np.asarray(widths, np.float64) > 0).all()


def draws_each_trace_once(figure):
    drawn = [(trace.name, trace.xaxis, str(across(trace)), str(getattr(trace, "fill", ""))) for trace in figure.data]
    assert len(set(drawn)) == len(drawn)
    has_legend = len(figure.data) > 1 and figure.layout.showlegend is not False
    named = [trace.name for trace in figure.data if has_legend and trace.showlegend is not False]
    assert None not in named
    assert len(set(named)) == len(named)


def fits_its_axes(figure):
    """What is drawn, with its whiskers and what is marked, lies within an axis that has ends."""
    for letter in "xy":
        for axis in (name for name in figure.layout.to_plotly_json() if name.startswith(f"{letter}axis")):
            ends = figure.layout[axis].range
            if ends is None:
                continue
            low, high = sorted(ends)
            for value in _on_axis(figure, letter, axis):
                at = math.log10(value) if figure.layout[axis].type == "log" else value
                assert low - 1e-9 <= at <= high + 1e-9, (axis, value, ends)


def leaves_no_row_empty(figure):
    """An axis of named rows ends less than a row before the first and beyond the last."""
    for letter in "xy":
        for name in (one for one in figure.layout.to_plotly_json() if one.startswith(f"{letter}axis")):
            axis = figure.layout[name]
            rows = [] if axis.tickvals is None or axis.range is None else list(axis.tickvals)
            if len(rows) > 1 and rows == list(range(int(rows[0]), int(rows[0]) + len(rows))) and axis.type != "log":
                low, high = sorted(axis.range)
                assert rows[0] - 1 < low < rows[0]
                assert rows[-1] < high < rows[-1] + 1


def _on_axis(figure, letter, axis):
    number = axis.removeprefix(f"{letter}axis")
    for trace in figure.data:
        if trace.type == "heatmap" or (trace[f"{letter}axis"] or letter) != f"{letter}{number}":
            continue
        names = listed(figure.layout[axis].categoryarray)
        places = [names.index(value) if value in names else value for value in listed(trace[letter])]
        bases = listed(trace.base) if trace.type == "bar" and trace.base is not None else [0.0] * len(places)
        is_length = trace.type == "bar" and (trace.orientation == "h") == (letter == "x")
        errors = trace[f"error_{letter}"]
        for row, place in enumerate(places):
            if not isinstance(place, int | float | np.number):
                continue
            yield place + (bases[row] if is_length else 0)
            if errors.array is not None and errors.visible is not False:
                yield place + errors.array[row]
                yield place - (errors.array if errors.arrayminus is None else errors.arrayminus)[row]
    for shape in figure.layout.shapes:
        if shape[f"{letter}ref"] == f"{letter}{number}":
            yield from (shape[f"{letter}0"], shape[f"{letter}1"])


def names_its_ticks(figure):
    """As many names as places, each place once and in order."""
    for name in figure.layout.to_plotly_json():
        if name.startswith(("xaxis", "yaxis")) and figure.layout[name].tickvals is not None:
            places, texts = list(figure.layout[name].tickvals), list(figure.layout[name].ticktext)
            assert len(places) == len(texts)
            assert places == sorted(set(places)) or len(set(places)) == len(places)
            assert figure.layout[name].type == "log" or places == sorted(places)


def has_our_colours(figure):
    for trace in figure.data:
        colours = [] if trace.type == "heatmap" else [trace.marker.color]
        for colour in colours:
            for one in [colour] if isinstance(colour, str) or colour is None else list(colour):
                assert one is None or one in COLOURS, one


def words(figure):
    """What people read of a figure."""
    layout = figure.layout
    yield layout.title.text or ""
    for name in layout.to_plotly_json():
        if name.startswith(("xaxis", "yaxis")):
            yield layout[name].title.text or ""
    yield from (one.text or "" for one in layout.annotations)
    for trace in figure.data:
        for data in (trace.customdata, trace.text, trace.hovertext):
            for one in listed(data) if not isinstance(data, str) else [data]:
                parts = one if isinstance(one, list | tuple | np.ndarray) else [one]
                yield from (part for part in parts if isinstance(part, str))


def reads_well(figure, sheet_properties):
    for text in map(unescape, words(figure)):
        assert not sheet_properties.WRONG_NUMBER.search(text), text
        sheet_properties.agrees_with_itself(text)
    if figure.data:
        assert figure.layout.title.text
        assert figure.layout.height > 0


def has_a_short_title(figure):
    """At most eight words, without what a line beneath adds."""
    title = unescape(figure.layout.title.text or "").partition("<br>")[0]
    assert len(title.split()) <= MOST_WORDS, title


def has_units_at_its_axes(figure):
    """An axis of numbers says what they are; one of names needs no title."""
    for name in (one for one in figure.layout.to_plotly_json() if one.startswith(("xaxis", "yaxis"))):
        axis, letter = figure.layout[name], name[0]
        if axis.ticktext is not None or axis.type == "category" or axis.matches or axis.overlaying:
            continue
        of_axis = (trace for trace in figure.data if (trace[f"{letter}axis"] or letter) == f"{letter}{name[5:]}")
        values = [value for trace in of_axis for value in listed(trace[letter])]
        if values and all(isinstance(value, int | float | np.number) for value in values):
            assert UNITS.search(axis.title.text or ""), (name, axis.title.text)


def names_systems_without_a_legend(figure):
    """A legend has names of kinds, of segments or of references: few, and none where names stand at their lines."""
    named = [trace.name for trace in figure.data if trace.showlegend is not False]
    assert figure.layout.showlegend is False or len(figure.data) == 1 or len(named) <= MOST_IN_LEGEND


ALL = (
    has_a_short_title,
    has_units_at_its_axes,
    names_systems_without_a_legend,
    has_as_much_of_all,
    draws_numbers,
    draws_each_trace_once,
    fits_its_axes,
    names_its_ticks,
    leaves_no_row_empty,
    has_our_colours,
)
