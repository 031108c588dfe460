"""The panels of the Significance page that rest on the test chosen in the sidebar."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import streamlit as st

from bleucore import MetricEvaluation
from bleucore.significance import Comparison
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.sheets.html import html_table
from bleuscope.content.significance import (
    significance_figures,
    significance_sheets,
    significance_tables,
    significance_words,
)
from bleuscope.content.significance.significance_by_metric import disagreement, opinions_of
from bleuscope.content.significance.significance_people import people_note, people_of, people_words
from bleuscope.content.significance.study_verdict import verdict_of_pair, verdict_on
from bleuscope.content.significance.verdict_words import verdict_text
from bleuscope.content.style.sentences import Text, note
from bleuscope.content.style.terms import OF_RESULTS, explaining
from bleuscope.shell.analysis.two_systems import ask_for_two
from bleuscope.shell.controls import charts, widgets
from bleuscope.shell.controls.exports import export_menu, shown_table
from bleuscope.shell.page.significance_settings import ALL_PAIRS, POWER, TWO_SYSTEMS
from bleuscope.shell.page.study_tests import StudyTests
from bleuscope.shell.state import cached

Panel = Callable[[ComparisonContext, MetricEvaluation, Comparison], None]


def two_systems(view: ComparisonContext, metric: MetricEvaluation, tested: Comparison) -> None:
    """One pair: the verdict, and what it rests on."""
    if not view.compares:
        ask_for_two(view, "Choose two different systems to test a difference.")
        return
    first, second = view.pair
    pair = tested.pair(second, first)
    every = StudyTests(view).early()
    dispute = None if every is None else disagreement(view.evaluation, opinions_of(every), cached.attribution)
    said = Text() if dispute is None else dispute.text
    found = view.findings
    said += verdict_text(
        verdict_on(tested, metric, view.pair, found, design=view.design)
        if every is None
        else verdict_of_pair(every, found)
    )
    people = people_of(view.evaluation, metric)(second, first)
    said += note("{}", people_words(people).strip()) if people_words(people) else Text()
    said += people_note(people)
    widgets.html(explaining(said, *OF_RESULTS))
    left, right = st.columns(2, gap="large")
    with left:
        null_test = tested.null_test(second, first)
        if null_test is None:
            st.info(significance_words.NO_DRAWS if tested.is_tested else significance_words.NOT_DRAWN)
        else:
            figure = significance_figures.null_figure(null_test, metric.name)
            charts.chart(figure, "null", "Differences to expect by chance")
            st.caption(significance_words.NULL_CAPTIONS[null_test.method])
    with right:
        figure = significance_figures.bootstrap_figure(pair, tested.resampled_differences(second, first), metric.name)
        charts.chart(figure, "bootstrap", "Differences on resampled test sets")
        st.caption(significance_words.BOOTSTRAP_CAPTION)
    export_menu(lambda: significance_sheets.pair_sheet(tested, view.pair, view.evaluation, metric), "pair")


def all_pairs(view: ComparisonContext, metric: MetricEvaluation, tested: Comparison) -> None:
    """Every pair with its corrected p, and the groups that follow."""
    widgets.html(explaining(significance_words.clusters_verdict(tested), "significant", "clusters"))
    pairs = significance_sheets.pairs_sheet(tested, view.evaluation, metric)
    if len(tested.names) <= significance_tables.MOST_TO_SCROLL:
        widgets.html(significance_tables.pairs_matrix(pairs, view.looks))
        note = significance_words.PAIRS_CAPTION
    else:
        neighbours = significance_sheets.neighbours_sheet(tested, view.evaluation, metric)
        widgets.html(html_table(neighbours, view.looks, style="bs-narrow"))
        note = significance_words.NEIGHBOURS_CAPTION
    export_menu(lambda: pairs, "pairs")
    st.caption(note)
    shown_table(significance_sheets.clusters_sheet(tested, view.evaluation, metric), view.looks, style="bs-narrow")
    st.caption(significance_words.CLUSTERS_CAPTION)
    widgets.html(significance_words.remarks(tested, tuple(tested.pairs.values())))


def power(view: ComparisonContext, metric: MetricEvaluation, tested: Comparison) -> None:
    """What this test set is able to show, and what a larger one would."""
    if view.compares:
        first, second = view.pair
        pair = tested.pair(second, first)
        widgets.html(significance_words.power_verdict(tested, pair, metric.name))
        if pair.smallest_detectable is not None:
            figure = significance_figures.power_figure(tested, pair, metric.name)
            charts.chart(figure, "power", "Smallest detectable difference by size of the test set")
    against = view.measured_against
    with_all = StudyTests(view).with_every_system(metric)
    shown_table(significance_sheets.power_sheet(with_all, view.evaluation, against, metric), view.looks)
    st.caption(significance_words.POWER_CAPTION)


PANELS: Mapping[str, Panel] = MappingProxyType({TWO_SYSTEMS: two_systems, ALL_PAIRS: all_pairs, POWER: power})
