"""The page of Validity: judgements of people against every metric."""

import numpy as np
import streamlit as st

from bleucore import InputError, MetricEvaluation
from bleucore.agreement.agreement import Agreement, MetricAgreement
from bleucore.agreement.conflicts import conflicts
from bleucore.agreement.judged import People
from bleucore.agreement.judged_test_set import judged_people, references_judged
from dashboard.content.comparison.study import Study
from dashboard.content.style import sentences
from dashboard.content.validity import agreement_figures, agreement_sheets, agreement_words
from dashboard.shell.controls import charts, widgets
from dashboard.shell.controls.exports import export_menu, shown_table
from dashboard.shell.page.frame import comparison
from dashboard.shell.state import cached, links, session


def judgement_choice(view: Study) -> MetricEvaluation | None:
    """The scores that are judgements of people: one of those that were read; ``None`` where there are none."""
    names = [metric.name for metric in view.evaluation.metrics.values() if metric.metric.is_read]
    if not names:
        return None
    session.keep_valid("judgement", tuple(names))
    chosen = st.selectbox("Judgements of people", names, key="judgement", bind="query-params", persist_state="session")
    return view.evaluation.metrics[chosen]


def validity_panel(view: Study, judgement: MetricEvaluation) -> None:
    """Verdict, systems, all metrics, pairs, and segments where people and a metric differ."""
    try:
        people = _people(view, judgement)
        found = _agreement(view, judgement, people)
    except InputError as error:
        st.info(widgets.plain(str(error)))
        return
    by_name = {one.name: one for one in found.metrics}
    metric = by_name.get(view.metric.name) or found.metrics[0]
    widgets.html(agreement_words.agreement_verdict(found, metric))
    widgets.html(sentences.notes(agreement_sheets.agreement_notices(found)))
    _scatter(view, found, metric)
    st.header("Every metric", anchor=False)
    shown_table(agreement_sheets.agreement_sheet(found))
    _pairs(view, found, metric)
    st.header("How far people set neighbours apart", anchor=False)
    shown_table(agreement_sheets.judged_neighbours_sheet(found), view.looks, style="bs-narrow")
    _conflicts(view, found, metric)


def _people(view: Study, judgement: MetricEvaluation) -> People:
    """The judged systems; those that are the reference word for word are left out, and that is said."""
    names, sign = view.test_set.system_names, 1 if judgement.higher_is_better else -1
    judged = sign * np.stack([judgement.known_segment_scores(name) for name in names])
    left_out = references_judged(view.test_set, judged)
    if left_out:
        widgets.html(sentences.notes([agreement_words.left_out_words(left_out)]))
    return judged_people(judgement.name, names, judged, left_out=left_out)


def _agreement(view: Study, judgement: MetricEvaluation, people: People) -> Agreement:
    if cached.is_agreed(view.evaluation, judgement, people):
        return cached.agreement_with(view.evaluation, judgement, people)
    work = (view.evaluation.digest, judgement.options, people.systems)
    report, finish = widgets.progress_reporter("Comparing metrics with people …", work)
    try:
        return cached.agreement_with(view.evaluation, judgement, people, progress=report)
    finally:
        finish()


def _scatter(view: Study, found: Agreement, metric: MetricAgreement) -> None:
    evaluated = view.evaluation.metrics[metric.name]
    tested = None if evaluated.metric.is_read else comparison(view, evaluated)
    intervals = {} if tested is None else {name: tested.intervals.get(name) for name in metric.systems}
    without = bool(metric.outliers) and st.toggle("Without outliers", key="without_outliers", bind="query-params")
    figure = agreement_figures.scatter_figure(found, metric, intervals, view.looks, without_outliers=without)
    sheet = agreement_sheets.judged_systems_sheet(found)
    charts.chart(figure, "validity", "Systems by the metric and by people", sheet, view.looks)
    st.caption(agreement_words.SCATTER_CAPTION)


def _pairs(view: Study, found: Agreement, metric: MetricAgreement) -> None:
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
    if pair:
        links.choose_pair_next((str(pair[0]), str(pair[1])))
        links.go_to("compare")


def _conflicts(view: Study, found: Agreement, metric: MetricAgreement) -> None:
    """The segments of A and B."""
    if not view.compares or not set(view.pair) <= set(metric.systems):
        return
    st.header("Where they part: segments of A and B", anchor=False)
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
