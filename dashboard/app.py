"""The dashboard's script: page settings, style and navigation."""

from pathlib import Path

import streamlit as st

from dashboard.shell.page import frame
from dashboard.shell.server.pictures import picture_buttons
from dashboard.shell.state.page_list import PAGES

STYLE = Path(__file__).parent / "content" / "style" / "style.css"
LOGO, ICON = (Path(__file__).parent / name for name in ("logo.svg", "icon.svg"))


def main() -> None:
    """Draw what every page shares, then the page."""
    st.set_page_config(page_title="bleuscope", page_icon=str(ICON), layout="wide", initial_sidebar_state="auto")
    st.logo(str(LOGO), size="large")
    st.html(STYLE)
    picture_buttons()
    start = st.Page("pages/start.py", title="bleuscope", default=True, visibility="hidden")
    menu = {"Data": [start]}
    for page in PAGES.values():
        menu.setdefault(page.section, []).append(st.Page(page.script, title=page.title, url_path=page.address))
    chosen = st.navigation(menu, position="top")
    for page in PAGES.values():
        if page.address == chosen.url_path:
            frame.draw(page)
    chosen.run()


if __name__ == "__main__":
    main()
