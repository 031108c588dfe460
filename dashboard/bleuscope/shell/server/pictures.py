"""Pictures of charts for papers: two buttons in every chart's menu, made by our one script that browsers run."""

from pathlib import Path

import streamlit as st

PICTURE_SCRIPT = (Path(__file__).parent / "pictures.js").read_text(encoding="utf-8")
"""The server's security policy lets this script run, by its hash, and no other that stands in a page."""


def picture_buttons() -> None:
    """Give every chart of the page its buttons."""
    with st.container(key="picture-buttons"):
        st.html(f"<script>{PICTURE_SCRIPT}</script>", unsafe_allow_javascript=True)
