"""The dashboard's script: page settings, style and navigation."""

from pathlib import Path

import streamlit as st

from dashboard.shell import frame
from dashboard.shell.pictures import picture_buttons

STYLE = Path(__file__).parent / "content" / "style.css"
LOGO, ICON = (Path(__file__).parent / name for name in ("logo.svg", "icon.svg"))


def main() -> None:
    """Draw what every page shares, then the page."""
    st.set_page_config(page_title="bleuscope", page_icon=str(ICON), layout="wide", initial_sidebar_state="auto")
    st.logo(str(LOGO), size="large")
    st.html(STYLE)
    picture_buttons()
    start = st.Page("pages/start.py", title="bleuscope", default=True, visibility="hidden")
    pages = {
        "Data": [start, st.Page("pages/test_set.py", title="Test set", url_path="test-set")],
        "Results": [
            st.Page("pages/scores.py", title="Scores", url_path="scores"),
            st.Page("pages/significance.py", title="Significance", url_path="significance"),
        ],
        "Error analysis": [
            st.Page("pages/compare.py", title="Compare", url_path="compare"),
            st.Page("pages/segments.py", title="Segments", url_path="segments"),
            st.Page("pages/ngrams.py", title="N-grams", url_path="ngrams"),
            st.Page("pages/slices.py", title="Slices", url_path="slices"),
        ],
        "Share": [st.Page("pages/report.py", title="Report", url_path="report")],
    }
    page = st.navigation(pages, position="top")
    if page is not start:
        frame.draw(page)
    page.run()


if __name__ == "__main__":
    main()
