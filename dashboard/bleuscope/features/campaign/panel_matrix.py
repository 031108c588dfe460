"""Every cell of a campaign, in an order and in groups; and the differences by test set."""

import streamlit as st

from bleuscope.content.style.sentences import note
from bleuscope.features.campaign import params
from bleuscope.features.campaign import sheets as campaign_sheets
from bleuscope.features.campaign import words as campaign_words
from bleuscope.features.campaign.figures_matrix import legend_words, matrix_html
from bleuscope.features.campaign.figures_multiples import multiples_html
from bleuscope.features.campaign.view import BY_NAME, BY_RANK, CampaignView, Grouping, groupings_of
from bleuscope.runtime.param import Param
from bleuscope.shell.controls import choices, widgets
from bleuscope.shell.controls.exports import export_menu, shown_table

MOST_SYSTEMS, MOST_PANELS = 25, 6
"""At first; the others are a click away."""
MOST_ROWS = 2_000
"""Of all panels: with 8,000 a browser takes half a minute. The table to save has all."""


def matrix_panel(view: CampaignView) -> None:
    """Systems by test sets; a cell opens its comparison."""
    st.header("Systems by test sets", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        order, grouping = _order(view), _grouping(view)
        systems = view.order(order)
        if len(systems) > MOST_SYSTEMS and not _shows_all(f"All {len(systems)} systems", params.ALL_SYSTEMS):
            systems = systems[:MOST_SYSTEMS]
    groups = view.groups(grouping)
    widgets.html(matrix_html(view, systems, groups, leads_on=True))
    if len(systems) < len(view.systems):
        widgets.html(note("The first {} of {} systems in this order.", str(len(systems)), str(len(view.systems))))
    widgets.html(note("{}", legend_words(view, leads_on=True)))
    export_menu(lambda: campaign_sheets.matrix_sheet(view, view.order(order), groups), "matrix")
    with st.expander("All cells with their intervals, as a table", key="cells", on_change="rerun") as panel:
        if panel.open:
            export_menu(lambda: campaign_sheets.cells_sheet(view), "cells")
    if view.has_runs:
        st.header("Recipes by test sets", anchor=False)
        widgets.html(note("{}", campaign_sheets.runs_told(view)))
        shown_table(campaign_sheets.recipes_sheet(view))


def differences_panel(view: CampaignView) -> None:
    """Small multiples: a system's differences on every test set."""
    systems = view.order_of_differences
    if not systems:
        return
    st.header("Differences by test set", anchor=False)
    n_all = min(len(systems), max(MOST_PANELS, MOST_ROWS // len(view.sets)))
    if len(systems) > MOST_PANELS:
        which = "All" if n_all == len(systems) else "The first"
        n_shown = n_all if _shows_all(f"{which} {n_all} systems", params.ALL_PANELS) else MOST_PANELS
        systems = systems[:n_shown]
    widgets.html(multiples_html(view, systems, leads_on=True))
    widgets.html(campaign_words.differences_note(view))
    export_menu(lambda: campaign_sheets.differences_sheet(view), "differences")


def _order(view: CampaignView) -> str:
    names = (BY_RANK, BY_NAME, *view.campaign.set_names)
    return choices.selected(params.CAMPAIGN_ORDER, "Order of systems", names, width=320)


def _grouping(view: CampaignView) -> Grouping:
    offered = groupings_of(view.sets)
    if len(offered) == 1:
        return "none"
    return choices.segmented(params.CAMPAIGN_GROUPS, "Test sets in groups, by", offered, usual="none")


def _shows_all(words: str, key: Param) -> bool:
    return st.toggle(words, **key.bound())
