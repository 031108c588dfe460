"""The dashboard's script: page settings, style and navigation."""

from contextlib import suppress
from pathlib import Path

import streamlit as st

from bleuscope.shell.page import frame, page_row
from bleuscope.shell.page.account import account_panel, forget_somebody_else
from bleuscope.shell.page.plugin_pages import naming_plugin
from bleuscope.shell.page.saving_note import saving_note
from bleuscope.shell.page.shared_view import held_to_link
from bleuscope.shell.page.workspace_switch import workspace_switch
from bleuscope.shell.server.pictures import picture_buttons
from bleuscope.shell.server.server_log import happenings
from bleuscope.shell.state import session
from bleuscope.shell.state.links import noting_refused
from bleuscope.shell.state.page_end import PageEnded
from bleuscope.shell.state.page_list import PAGES

LOGO, ICON = (Path(__file__).parent / name for name in ("logo.svg", "icon.svg"))


def main() -> None:
    """Draw what every page shares, then the page."""
    happenings().run()
    st.set_page_config(page_title="bleuscope", page_icon=str(ICON), layout="wide", initial_sidebar_state="auto")
    st.logo(str(LOGO), size="large")
    forget_somebody_else()
    session.begin_run()
    picture_buttons()
    start = st.Page("pages/start.py", title="bleuscope", default=True, visibility="hidden")
    pages = [st.Page(page.script, title=page.title, url_path=page.address) for page in PAGES.values()]
    chosen = st.navigation([start, *pages], position="hidden")
    shown = next((page for page in PAGES.values() if page.address == chosen.url_path), None)
    frame.skip_link(shown)
    has_one_page = held_to_link(chosen.url_path)
    renew_row = page_row.draw(shown, frame.view_on_screen, workspace_switch, has_one_page=has_one_page)
    account_panel()
    saving_note()
    missed = st.container(key="missed-of-link")
    try:
        with suppress(PageEnded), noting_refused(), naming_plugin(shown):
            if shown is not None:
                frame.draw(shown)
            chosen.run()
    finally:  # what the page does not have is known once it was drawn, and it may end early
        with missed:
            frame.missed_note()
        renew_row()


if __name__ == "__main__":
    main()
