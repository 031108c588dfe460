"""What runs say about recipes: each recipe, both claims, what more runs would buy, factors."""

from functools import partial

import streamlit as st

from bleucore import InputError, MetricEvaluation
from bleucore.experiments.claims import RunStudy
from bleucore.experiments.factors import factor_table, factor_tables
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.sheets.builders import Facts
from bleuscope.content.style.sentences import note, notes
from bleuscope.features.runs import by_hand, kept, params
from bleuscope.features.runs import commands as own_commands
from bleuscope.features.runs import figures as run_figures
from bleuscope.features.runs import sheets as run_sheets
from bleuscope.features.runs import words as run_words
from bleuscope.shell.controls import charts, choices, widgets
from bleuscope.shell.controls.exports import shown_table
from bleuscope.shell.page.reproduction import command_note
from bleuscope.shell.state import links

MOST_SINGLE = 12
"""Recipes of one run each that are drawn; of more, such as checkpoints, the factors are."""
MOST_FIGURES = 3
"""Recipes whose plans are drawn; the table has all."""


def runs_panel(view: ComparisonContext) -> None:
    """Recipes and their runs; how to name files where no name tells a run and no factor varies."""
    _by_hand(view)
    design = view.design
    if not design.has_runs and not design.factors:
        st.info(run_words.NO_RUNS)
        command_note(view, partial(own_commands.runs_command, metric=view.evaluation.bleu), with_metrics=False)
        return
    metric = widgets.computed_metric_choice(view.evaluation)
    work = kept.run_study(view.test_set, metric, view.significance, view.baseline, view.by_hand)
    study = widgets.made_by("Comparing recipes …", work)
    axis = None
    if study is not None:
        facts = run_sheets.facts_of(view.test_set.digest, metric, study)
        widgets.html(run_words.runs_verdict(study, metric.name))
        if design.has_runs:
            _recipes(view, study, metric, facts)
            _plans(study, metric, facts)
            axis = _factors(study, metric, facts)
        else:
            axis = _factors(study, metric, facts)
            _recipes(view, study, metric, facts)
    command_note(view, partial(own_commands.runs_command, metric=metric, axis=axis), with_metrics=False)


def _by_hand(view: ComparisonContext) -> None:
    """Ask for runs and factors, which all pages take; say why where they cannot be."""
    with st.expander("Runs and factors by hand", key="runs-by-hand"):
        st.text_area("Runs", placeholder=run_words.RUNS_PLACEHOLDER, help=run_words.RUNS_HELP, **params.RECIPES.bound())
        st.text_input("Factors", placeholder="depth, epoch", help=run_words.FACTORS_HELP, **params.FACTOR_WORDS.bound())
    try:
        by_hand.read(view.test_set)
    except InputError as error:
        st.error(widgets.plain(str(error)))


def to_recipes(view: ComparisonContext) -> None:
    """The way from the verdict, which compares single runs, to recipes; nothing where no recipe has several."""
    design = view.design
    if design.has_runs and st.button(
        run_words.to_recipes_told(design), type="tertiary", icon=":material/arrow_forward:", key="to-recipes"
    ):
        links.go_to("runs")


def _recipes(view: ComparisonContext, study: RunStudy, metric: MetricEvaluation, facts: Facts) -> None:
    recipes = run_sheets.recipes_sheet(study, facts)
    if study.design.has_runs or len(study.recipes) <= MOST_SINGLE:
        charts.chart(run_figures.recipes_figure(study, metric.name), "recipes", recipes.title, recipes)
    if study.claims:
        widgets.html(run_words.claims_told(study, metric.name))
        widgets.heading("Claims")
        shown_table(run_sheets.claims_sheet(study, facts))
        remarks = {words(one) for one in study.claims for words in run_words.REMARKS}
        told = [run_words.variances_told(study), *sorted(remarks)]
        widgets.html(notes([one for one in told if one]))
        with st.expander("Single runs", key="run-pairs"):
            shown_table(run_sheets.pairs_sheet(study, facts), view.looks)


def _plans(study: RunStudy, metric: MetricEvaluation, facts: Facts) -> None:
    widgets.heading("Variance of items and runs")
    st.caption(run_words.VARIANCE_HELP)
    shown_table(run_sheets.variance_sheet(study, facts))
    planned = [claim for claim in study.claims if claim.reason is None]
    sheet = run_sheets.planning_sheet(study, facts)
    for place, claim in enumerate(planned[:MOST_FIGURES]):
        widgets.html(note("{}", run_words.purchase_told(claim)))
        figure = run_figures.planning_figure(study, claim, metric.name)
        charts.chart(figure, f"run-plan-{place}", sheet.title, sheet)


def _factors(study: RunStudy, metric: MetricEvaluation, facts: Facts) -> tuple[str, str] | None:
    """Every factor by itself, and one as the axis of a comparison: the factor, and the level to compare with."""
    tables = factor_tables(study)
    for place, table in enumerate(tables):
        if place == 0 or table.is_between_models:
            widgets.html(run_words.factor_note(table))
        charts.chart(run_figures.factor_figure(table, metric.name), f"factor-{place}", f"Means by {table.factor}")
    if not tables:
        return None
    shown_table(run_sheets.factors_sheet(study, facts))
    widgets.heading("Levels of a factor")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        factor = choices.selected(params.AXIS, "Factor", tuple(study.design.factors), help=run_words.AXIS_HELP)
        levels = {run_words.level_told(level): level for level in study.design.factors[factor]}
        against = choices.selected(params.AXIS_LEVEL, "Baseline level", tuple(levels))
    table = factor_table(study, factor, levels[against])
    widgets.html(notes(run_words.axis_told(study, table, metric.name)))
    shown_table(run_sheets.axis_sheet(study, facts, factor, levels[against]))
    is_usual = (factor, against) == (next(iter(study.design.factors)), next(iter(levels)))
    return None if is_usual else (factor, against)
