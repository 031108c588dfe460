"""What settings do to the order of systems: what is varied, the grid, pairs, ranks, what matters most."""

from dataclasses import replace
from functools import partial

import streamlit as st

from bleucore import BleuOptions, MetricEvaluation
from bleucore.robustness.sensitivity import AxisName, SensitivityGrid, SettingResult, usual_axes
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.sheets.builders import evaluation_facts
from bleuscope.content.sheets.html import html_table
from bleuscope.content.style.sentences import note, notes, paragraph
from bleuscope.content.style.wordings import BLEU
from bleuscope.features.sensitivity import commands as own_commands
from bleuscope.features.sensitivity import figures as sensitivity_figures
from bleuscope.features.sensitivity import kept, params
from bleuscope.features.sensitivity import sheets as sensitivity_sheets
from bleuscope.features.sensitivity import words as sensitivity_words
from bleuscope.features.sensitivity.segment_choices import FILTER_HELP, filters_of
from bleuscope.runtime import params as shared_params
from bleuscope.shell.controls import charts, widgets
from bleuscope.shell.controls.exports import export_menu, shown_table
from bleuscope.shell.page.reproduction import command_note
from bleuscope.shell.state import links, session


def sensitivity_panel(view: ComparisonContext) -> None:
    """The grid of settings; a click on one scores with it."""
    metric, axes, filters = _choices(view)
    if not axes and not filters:
        st.info("Choose what to vary.")
        return
    grid = _grid(view, metric, axes, filters)
    if grid is not None:
        _shown(view, grid)
    make = partial(own_commands.sensitivity_command, metric=metric, axes=axes, filters=filters)
    command_note(view, make, with_metrics=False)


def _shown(view: ComparisonContext, grid: SensitivityGrid) -> None:
    """What the grid comes to, and what it rests on."""
    widgets.html(sensitivity_words.verdict_of(grid))
    if not grid.n_pairs:  # nothing is reversed, and nothing tested
        shown_table(sensitivity_sheets.settings_sheet(grid, evaluation_facts(view.evaluation)), view.looks)
        return
    widgets.html(note("{}", sensitivity_words.NO_CHOICE))
    widgets.html(notes(sensitivity_words.repeats_told(grid)))
    _results(view, grid)
    widgets.html(paragraph("bs-in-words", "{}", sensitivity_words.method_words(grid)))


def _choices(view: ComparisonContext) -> tuple[MetricEvaluation, tuple[AxisName, ...], tuple[str, ...]]:
    offered = filters_of(view.test_set)
    session.keep_several(params.FILTERS, offered)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        metric = widgets.computed_metric_choice(view.evaluation)
        usual = tuple(usual_axes(view.test_set, metric.options))
        session.keep_several(params.AXES, usual)
        axes = st.pills("Vary", usual, selection_mode="multi", default=usual, **params.AXES.bound())
        filters = st.pills(
            "Score some segments only",
            offered,
            selection_mode="multi",
            help=f"{FILTER_HELP}.",
            **params.FILTERS.bound(),
        )
    return metric, tuple(axes), tuple(filters)


def _grid(
    view: ComparisonContext, metric: MetricEvaluation, axes: tuple[AxisName, ...], filters: tuple[str, ...]
) -> SensitivityGrid | None:
    usual = usual_axes(view.test_set, metric.options)
    asked = {name: usual[name] for name in axes}
    work = kept.sensitivity_grid(view.test_set, metric, asked, filters, view.significance)
    return widgets.made_by("Scoring in every setting …", work)


def _results(view: ComparisonContext, grid: SensitivityGrid) -> None:
    facts = evaluation_facts(view.evaluation)
    figure, sheet = sensitivity_figures.grid_figure(grid), sensitivity_sheets.settings_sheet(grid, facts)
    point = charts.clickable(figure, "settings", sheet.title, sheet, lambda row: (row,))
    is_bleu = isinstance(grid.base.setting.options, BleuOptions)
    st.caption(sensitivity_words.GRID_CAPTION if is_bleu else sensitivity_words.GRID_READ)
    if point is not None:
        _score_with(grid.results[int(point[0])])
    widgets.html(notes(sensitivity_words.least_firm(grid)))
    left, right = st.columns(2, gap="large")
    with left:
        ranks = sensitivity_sheets.ranks_sheet(grid, facts)
        ribbons = sensitivity_figures.ribbons_figure(grid, view.looks)
        charts.chart(ribbons, "setting-ranks", ranks.title, ranks, view.looks)
    with right:
        widgets.heading("What matters most")
        shown_table(sensitivity_sheets.effects_sheet(grid, facts))
        st.caption(sensitivity_words.EFFECT_HELP)
        with st.expander("Every pair of systems", key="setting-pairs"):
            widgets.html(sensitivity_words.listed_note(grid))
            leading = sensitivity_sheets.pairs_sheet(grid, facts, sensitivity_words.MOST_LISTED)
            widgets.html(html_table(leading, view.looks))
            export_menu(lambda: sensitivity_sheets.pairs_sheet(grid, facts), leading.name)


def _score_with(result: SettingResult) -> None:
    """Score with a setting, where the sidebar can say it: references and segments it cannot choose."""
    options = result.setting.options
    if not isinstance(options, BleuOptions) or isinstance(options.lowercase, str) or not _is_plain(options):
        st.info("The sidebar has no such setting.")
        return
    values: dict[str, object] = {
        str(BLEU[name].address): getattr(options, name) for name in ("tokenizer", "lowercase", "smoothing")
    }
    links.choose_settings({shared_params.PRESET: widgets.DEFAULT_PRESET, **values})


def _is_plain(options: BleuOptions) -> bool:
    """Whether tokenizer, case and smoothing are all that differs from sacreBLEU's own."""
    changed = {name: getattr(options, name) for name in ("tokenizer", "lowercase", "smoothing")}
    return replace(BleuOptions(), **changed) == options
