"""The page of Validity: judgements of people against every metric."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from bleucore import InputError
from bleucore.agreement.agreement import Agreement, MetricAgreement
from bleucore.agreement.conflicts import conflicts
from bleucore.agreement.opinions import neighbour_differences
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.comparison.difference_sheets import ends_of
from bleuscope.content.sheets.builders import columns_of
from bleuscope.content.sheets.html import html_table
from bleuscope.content.style import sentences
from bleuscope.features.judgements import figures as agreement_figures
from bleuscope.features.judgements import figures_opinions as opinion_figures
from bleuscope.features.judgements import kept, params
from bleuscope.features.judgements import sheets as agreement_sheets
from bleuscope.features.judgements import sheets_judges as judge_sheets
from bleuscope.features.judgements import sheets_opinions as opinion_sheets
from bleuscope.features.judgements import sheets_raters as rater_sheets
from bleuscope.features.judgements import words as agreement_words
from bleuscope.features.judgements import words_judges as judge_words
from bleuscope.features.judgements import words_opinions as opinion_words
from bleuscope.features.judgements import words_raters as rater_words
from bleuscope.features.judgements.choice import AgreementChoice
from bleuscope.shell.controls import charts, row_links, widgets
from bleuscope.shell.controls.exports import export_menu, shown_table
from bleuscope.shell.page.error_spans import draw_errors, marked_errors
from bleuscope.shell.page.study_tests import StudyTests
from bleuscope.shell.segments.marks_panel import marks_panel
from bleuscope.shell.state import links

MOST_DISPUTED, MOST_IN_SIGHT = 200, 8
MOST_RATERS = 20
"""Of a long table of raters, at either end."""
COLUMN_WIDTH, OUTPUT_WIDTH = 85, 420


def validity_panel(view: ComparisonContext, choice: AgreementChoice) -> None:
    """Verdict, systems, all metrics, pairs, segments where people and a metric differ, and who judged."""
    try:
        found = _agreement(view, choice)
    except InputError as error:
        st.info(widgets.plain(str(error)))
        return
    by_name = {one.name: one for one in found.metrics}
    metric = by_name.get(view.metric.name) or found.metrics[0]
    widgets.html(agreement_words.agreement_verdict(found, metric))
    basis = [agreement_words.measured_words(found), *agreement_words.source_words(choice.judgements)]
    widgets.html(sentences.notes([*basis, *agreement_sheets.agreement_notices(found)]))
    _scatter(view, found, metric)
    st.header("Every metric", anchor=False)
    for sheet, said in zip(agreement_sheets.metric_sheets(found), agreement_words.OF_SHEETS, strict=True):
        st.caption(said)
        shown_table(sheet)
    _pairs(view, found, metric)
    if not choice.judgements.are_of_models:  # what is published of sizes is of people
        _sizes(found, metric)
    _opinions(view, found, metric)
    _conflicts(view, found, metric)
    _raters(view, choice, found)
    _judges(found)
    _marks(view, choice)


def _agreement(view: ComparisonContext, choice: AgreementChoice) -> Agreement:
    return widgets.waited_for("Comparing metrics with raters …", kept.agreement_and_judges(view, choice))


def _scatter(view: ComparisonContext, found: Agreement, metric: MetricAgreement) -> None:
    evaluated = view.evaluation.metrics[metric.name]
    tested = None if evaluated.metric.is_read else StudyTests(view).shown(evaluated)
    intervals = {} if tested is None else {name: tested.intervals.get(name) for name in metric.systems}
    without = bool(metric.outliers) and st.toggle("Without outliers", **params.WITHOUT_OUTLIERS.bound())
    figure = agreement_figures.scatter_figure(found, metric, intervals, view.looks, without_outliers=without)
    sheet = agreement_sheets.judged_systems_sheet(found)
    charts.chart(figure, "validity", "Systems: metric and raters", sheet, view.looks)
    st.caption(agreement_words.SCATTER_CAPTION)


def _pairs(view: ComparisonContext, found: Agreement, metric: MetricAgreement) -> None:
    st.header("Every pair of systems", anchor=False)
    figure = agreement_figures.pairs_figure(found, metric, view.looks)
    sheet = agreement_sheets.judged_pairs_sheet(found, metric)
    pair = charts.clickable(
        figure,
        "validity-pairs",
        "Pairs of systems: who agrees, and who is sure",
        sheet,
        lambda row: (metric.pairs[row].first, metric.pairs[row].second),
    )
    st.caption(agreement_words.PAIRS_CAPTION)
    export_menu(lambda: agreement_sheets.judged_pairs_sheet(found), "agreement-pairs")
    _open_pair(pair)


def _sizes(found: Agreement, metric: MetricAgreement) -> None:
    """The published curve with these pairs on it."""
    st.header("Agreement by size of difference", anchor=False)
    widgets.html(sentences.note("{}", opinion_words.expected_words(found, metric)))
    if metric.curve is None:
        return
    pairs = opinion_sheets.sized_pairs(metric)
    pair = charts.clickable(
        opinion_figures.agreement_curve_figure(metric, metric.curve),
        "sizes",
        "Human agreement by size of difference",
        opinion_sheets.sizes_sheet(found, metric),
        lambda row: (pairs[row].first, pairs[row].second),
    )
    st.caption(opinion_words.CURVE_CAPTION)
    _open_pair(pair)


def _opinions(view: ComparisonContext, found: Agreement, metric: MetricAgreement) -> None:
    """How far people set neighbours apart, and where they and the metric place each system."""
    st.header("Neighbours by raters", anchor=False)
    left, right = st.columns(2, gap="large")
    with left:
        sheet = agreement_sheets.judged_neighbours_sheet(found)
        figure = opinion_figures.neighbours_figure(found, neighbour_differences(found.people), view.looks)
        charts.chart(figure, "neighbours", sheet.title, sheet, view.looks)
        st.caption(opinion_words.NEIGHBOURS_CAPTION)
    with right:
        sheet = opinion_sheets.side_by_side_sheet(found, metric)
        figure = opinion_figures.side_by_side_figure(found, metric, view.looks)
        charts.chart(figure, "side-by-side", sheet.title, sheet, view.looks)
        st.caption(opinion_words.FROM_WORST)


def _open_pair(pair: Sequence[Any] | None) -> None:
    """Open two systems on Compare, if they were chosen."""
    if pair:
        links.choose_pair_next((str(pair[0]), str(pair[1])))
        links.go_to("compare")


def _conflicts(view: ComparisonContext, found: Agreement, metric: MetricAgreement) -> None:
    """The segments of A and B."""
    if not view.compares:
        return
    st.header("Segments of A and B", anchor=False)
    if not set(view.pair) <= set(metric.systems):
        st.caption(agreement_words.NOT_BOTH_JUDGED)
        return
    names = view.pair[::-1]  # differences are B less A
    places = [found.people.systems.index(name) for name in names]
    evaluated = view.evaluation.metrics[metric.name]
    sign = 1 if metric.higher_is_better else -1
    people = found.people.judged[places]
    scored = sign * np.stack([evaluated.known_segment_scores(name) for name in names])
    parted = conflicts(people, scored)
    figure = agreement_figures.conflicts_figure(
        parted, people[0] - people[1], scored[0] - scored[1], (found.people.name, metric.name)
    )
    sheet = agreement_sheets.conflicts_sheet(view.test_set, parted, view.pair, (found.people.name, metric.name))
    clicked = charts.clickable(
        figure, "conflicts", "Segments by both differences", sheet, lambda row: (parted.segments[row],)
    )
    st.caption(agreement_words.CONFLICTS_CAPTION)
    if clicked:
        links.open_segment(int(clicked[0]))


def _marks(view: ComparisonContext, choice: AgreementChoice) -> None:
    """What BLEU credits against what people marked; errors that were read as scores alone can be drawn first."""
    if marked_errors(view) is not None:
        marks_panel(view, links.open_where)
    elif len(choice.judgements.spans):
        st.caption(agreement_words.ERRORS_AT_HAND)
        st.button("Mark these errors on the texts", on_click=draw_errors, args=(choice.key,), key="draw-errors")


def _judges(found: Agreement) -> None:
    """Judges that are models, where there are any: their biases, and their agreement with people."""
    if found.judges is None:
        return
    st.header("Model judges", anchor=False)
    widgets.html(judge_words.judges_words(found.judges))
    for sheet in judge_sheets.shown_sheets(found.judges):
        st.subheader(sheet.title, anchor=False)
        shown_table(sheet)


def _raters(view: ComparisonContext, choice: AgreementChoice, found: Agreement) -> None:
    """Who judged, and the outputs where raters differ."""
    st.header("Who judged", anchor=False)
    raters = kept.raters(view, choice, found.people.systems)
    widgets.html(rater_words.raters_words(raters, found.people))
    of_raters = rater_sheets.raters_sheet(raters, found.people)
    shown = of_raters if raters.n_shared else columns_of(of_raters, rater_sheets.OF_EACH, title=of_raters.title)
    widgets.html(html_table(ends_of(shown, MOST_RATERS), style="bs-narrow"))
    export_menu(lambda: of_raters, of_raters.name)
    if not raters.disputed:
        return
    every = partial(rater_sheets.disputed_sheet, view.test_set, raters, found.people)
    leading = every(MOST_DISPUTED)
    row = row_links.chosen_row(
        leading,
        "disputed",
        width_of=lambda key: OUTPUT_WIDTH if key == "output" else COLUMN_WIDTH,
        most_rows=MOST_IN_SIGHT,
        alt=leading.title,
        name_width=COLUMN_WIDTH,
    )
    export_menu(every, "disputed")
    st.caption(rater_words.DISPUTED_CAPTION)
    if row is not None:
        output = raters.disputed[row]
        if view.compares and output.system not in view.pair:
            links.choose_pair_next((view.pair[0], output.system))
        links.open_segment(output.segment)
