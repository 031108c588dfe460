"""What holds over all test sets: ranks, pairs, and the sets that go against the rest."""

import streamlit as st

from bleuscope.content.sheets.html import html_table
from bleuscope.content.style.terms import OF_METHODS, explaining
from bleuscope.features.campaign import params
from bleuscope.features.campaign import sheets as campaign_sheets
from bleuscope.features.campaign import words as campaign_words
from bleuscope.features.campaign.view import CampaignView
from bleuscope.runtime.param import Param
from bleuscope.shell.controls import widgets
from bleuscope.shell.controls.exports import export_menu, part_of_fragment

MOST_SYSTEMS, MOST_PAIRS, MOST_AGAINST, MOST_LISTED = 25, 45, 10, 200
"""At first: those that are ahead; 45 are all pairs of ten."""


def systems_panel(view: CampaignView) -> None:
    """The systems over all sets."""
    st.header("Over all test sets", anchor=False)
    systems = view.order()
    if len(systems) > MOST_SYSTEMS and not _shows_all(f"All {len(systems)} systems in this table", params.ALL_RANKS):
        systems = systems[:MOST_SYSTEMS]
    widgets.html(html_table(campaign_sheets.systems_sheet(view, systems), view.looks, style="bs-ranks"))
    widgets.html(campaign_words.ranks_note(view) + campaign_words.remarks(view))
    export_menu(lambda: campaign_sheets.systems_sheet(view), "systems")


def pairs_panel(view: CampaignView) -> None:
    """Every pair over all sets; nothing of one system."""
    if not view.pairs:
        return
    st.header("Pairs of systems", anchor=False)
    n_pairs, most = len(view.pairs), None
    if n_pairs > MOST_PAIRS and not _shows_all(f"All {n_pairs} pairs", params.ALL_PAIRS):
        most = MOST_PAIRS
    widgets.html(html_table(campaign_sheets.pairs_sheet(view, most), view.looks, style="bs-over-all"))
    widgets.html(explaining(campaign_words.pairs_note(view), *OF_METHODS))
    export_menu(lambda: campaign_sheets.pairs_sheet(view), "pairs")


def against_the_rest(view: CampaignView) -> None:
    """The test sets that order systems otherwise than the others do."""
    st.header("Test sets against the rest", anchor=False)
    widgets.html(campaign_words.against_the_rest_verdict(view))
    sets = campaign_sheets.sets_against_sheet(view)
    if not len(sets.frame):
        return
    widgets.html(html_table(campaign_sheets.first_rows(sets, MOST_AGAINST), view.looks, style="bs-narrow"))
    panel = st.expander(
        "Pairs of systems in the opposite order, by test set", key="against-the-rest", on_change="rerun"
    )
    if panel.open:
        sheet = campaign_sheets.against_the_rest_sheet(view)
        with panel:
            shown = campaign_sheets.first_rows(sheet, MOST_LISTED)
            widgets.html(html_table(shown, view.looks, style="bs-over-all"))
            part_of_fragment(lambda: sheet, "against")


def _shows_all(words: str, key: Param) -> bool:
    return st.toggle(words, **key.bound())
