"""The dashboard's script: page settings, style and navigation."""

from pathlib import Path

import streamlit as st

from dashboard.shell import frame

STYLE = Path(__file__).parent / "content" / "style.css"
LOGO = Path(__file__).parent / "logo.svg"


def main() -> None:
    """Draw what every page shares, then the page."""
    st.set_page_config(page_title="bleuscope", page_icon="≋", layout="wide", initial_sidebar_state="auto")
    st.logo(str(LOGO), size="large")
    st.html(STYLE)
    is_open = frame.open_test_set() is not None
    pages = {
        "Data": [st.Page("pages/test_set.py", title="Test set", url_path="test-set", default=not is_open)],
        "Results": [
            st.Page("pages/scores.py", title="Scores", url_path="scores", default=is_open),
            st.Page("pages/significance.py", title="Significance", url_path="significance"),
        ],
        "Error analysis": [
            st.Page("pages/compare.py", title="Compare", url_path="compare"),
            st.Page("pages/segments.py", title="Segments", url_path="segments"),
        ],
    }
    page = st.navigation(pages, position="top")
    frame.draw(page)
    page.run()


if __name__ == "__main__":
    main()
