"""Campaigns in the switch of workspaces, and the button that opens the sample campaign."""

import streamlit as st

from bleucore import InputError
from bleuscope.features.campaign import open_campaign, sample
from bleuscope.shell.controls import widgets
from bleuscope.shell.state import links


def entries() -> None:
    """The open campaign, and the way to another."""
    try:
        opened = open_campaign.current()
    except InputError:  # the page of the campaign says what is wrong
        opened = None
    if opened is not None and widgets.switch_entry(opened.plan.title, "campaign"):
        links.go_to("campaign")
    if widgets.switch_entry("Open a campaign", "new-campaign"):
        open_campaign.close()
        links.go_to("campaign")


def sample_button() -> None:
    """What opens the sample campaign. It is in memory alone, as dropped files are."""
    if not st.button("Open the sample campaign", icon=":material/grid_on:", key="sample-campaign"):
        return
    try:
        with st.spinner("Reading …"):
            open_campaign.show(sample.plan())
    except InputError as error:
        st.error(widgets.plain(str(error)), icon=":material/error:")
        return
    links.go_to("campaign")
