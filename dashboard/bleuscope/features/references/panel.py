"""What the choice of references does: which one is held against the others, orders, draws, matches, people."""

from collections.abc import Mapping
from functools import partial

import streamlit as st

from bleucore import MetricEvaluation
from bleucore.robustness.references import DRAW_UNITS, ONE_REFERENCE, DrawOptions, DrawUnit, ReferenceStudy
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.paper import methods
from bleuscope.content.sheets.builders import Facts, evaluation_facts
from bleuscope.content.significance.significance_words import flip_test_words
from bleuscope.content.style.identity import SystemStyle
from bleuscope.content.style.sentences import note, notes, paragraph, verdict
from bleuscope.features.references import commands as own_commands
from bleuscope.features.references import figures as reference_figures
from bleuscope.features.references import kept, params
from bleuscope.features.references import sheets as reference_sheets
from bleuscope.features.references import words as reference_words
from bleuscope.shell.controls import charts, choices, widgets
from bleuscope.shell.controls.exports import shown_table
from bleuscope.shell.page.reproduction import command_note
from bleuscope.shell.state import links

ALL = "all references"


def reference_panel(view: ComparisonContext) -> None:
    """Everything about references; with one of them, what could be learnt with more."""
    metric, base, unit = view.evaluation.bleu, None, None
    if len(view.test_set.references) == 1:
        widgets.html(verdict("{}", ONE_REFERENCE))
        if st.button("Load a second reference", key="add-reference"):
            links.go_to("test_set")
    else:
        metric, base, unit = _choices(view)
        study = _study(view, metric, base, unit)
        if study is None:
            return
        widgets.html(reference_words.verdict_of(study))
        _results(view, study)
    make = partial(own_commands.references_command, metric=metric, base=base, unit=unit)
    command_note(view, make, with_metrics=False)


def _results(view: ComparisonContext, study: ReferenceStudy) -> None:
    """Orders, draws, matches and people."""
    widgets.html(notes(study.notices))
    facts = evaluation_facts(view.evaluation)
    if study.n_pairs:
        _orders(study, view.looks, facts)
        _draws(study, view.looks, facts)
    left, right = st.columns(2, gap="large")
    with left:
        if study.shares is not None:
            matches = reference_sheets.matches_sheet(study, facts)
            charts.chart(reference_figures.matches_figure(study), "matches", matches.title, matches, view.looks)
            st.caption(reference_words.MATCHED)
    with right:
        widgets.heading("References as systems")
        widgets.html(reference_words.people_words(study))
        st.caption(reference_words.AS_SYSTEMS)
        with st.expander("Systems against the same references", key="people"):
            shown_table(reference_sheets.people_sheet(study, facts))
    st.header("How near to each reference", anchor=False)
    shown_table(reference_sheets.nearness_sheet(study, facts), style="bs-narrow")
    st.caption(reference_words.NEARNESS)
    widgets.html(paragraph("bs-in-words", "{}", flip_test_words(study.tests)))
    if study.n_pairs:
        with st.expander("For your paper", icon=":material/article:", key="reference-paper"):
            said = [reference_words.references_method(study)]
            st.code(methods.written(said), language=None, wrap_lines=True)
            st.code(methods.entries(said), language=None, wrap_lines=True)


def _choices(view: ComparisonContext) -> tuple[MetricEvaluation, str | None, DrawUnit | None]:
    """The metric, what others are held against, and what one reference is drawn for, where documents are known."""
    names = view.test_set.reference_names or ()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        metric = widgets.computed_metric_choice(view.evaluation)
        base = choices.selected(
            params.HELD_AGAINST,
            "Base order",
            (ALL, *names),
            help="Every reversal is a change from the order under these references.",
        )
        unit: DrawUnit | None = None
        if view.test_set.documents is not None:
            chosen = choices.segmented(params.DRAW_UNIT, "Sample one reference per", DRAW_UNITS)
            unit = next((one for one in DRAW_UNITS[1:] if one == chosen), None)
    return metric, (None if base == ALL else base), unit


def _study(
    view: ComparisonContext, metric: MetricEvaluation, base: str | None, unit: DrawUnit | None
) -> ReferenceStudy | None:
    draws = DrawOptions(unit, seed=view.significance.seed)
    work = kept.references(view.test_set, metric, base, draws, view.significance)
    return widgets.made_by("Scoring with each choice of references …", work)


def _orders(study: ReferenceStudy, looks: Mapping[str, SystemStyle], facts: Facts) -> None:
    left, right = st.columns(2, gap="large")
    with left:
        ranks = reference_sheets.ranks_sheet(study, facts)
        charts.chart(reference_figures.slope_figure(study, looks), "reference-ranks", ranks.title, ranks, looks)
    with right:
        growth = reference_sheets.growth_sheet(study, facts)
        charts.chart(reference_figures.growth_figure(study, looks), "growth", growth.title, growth, looks)
        st.caption(reference_words.GROWTH_CAPTION)
    shown_table(reference_sheets.subsets_sheet(study, facts))
    with st.expander("Reversed pairs, one by one", key="reference-flips"):
        shown_table(reference_sheets.flips_sheet(study, facts), looks)
    with st.expander(f"{study.metric_name} of every system with each choice", key="reference-scores"):
        shown_table(reference_sheets.scores_sheet(study, facts), looks)


def _draws(study: ReferenceStudy, looks: Mapping[str, SystemStyle], facts: Facts) -> None:
    widgets.html(note("{}", reference_words.simulation_words(study)))
    left, right = st.columns(2, gap="large")
    with left:
        flips = reference_sheets.draw_flips_sheet(study, facts)
        charts.chart(reference_figures.draws_figure(study), "reference-draws", flips.title, flips)
    with right:
        draws = reference_sheets.draws_sheet(study, facts)
        charts.chart(reference_figures.ahead_figure(study, looks), "ahead", draws.title, draws, looks)
