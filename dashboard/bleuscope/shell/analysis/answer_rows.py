"""Questions, each with its answer in one line, and the way to what the answer depends on."""

from collections.abc import Callable

import streamlit as st

from bleuscope.content.style.sentences import Text, note
from bleuscope.content.style.terms import OF_RESULTS, explaining
from bleuscope.shell.controls import widgets
from bleuscope.shell.state import workspace_in_use


def answer_row(words: str, answer: Text, key: str, open_page: Callable[[], None]) -> None:
    """A question that opens a page, and its answer. Whoever came by a link reads both and opens nothing."""
    with st.container(horizontal=True, vertical_alignment="center", key=f"question-{key}".replace(" ", "-").lower()):
        if workspace_in_use.is_by_link():
            widgets.html(note("{}", words))
        elif st.button(words, type="tertiary", key=f"ask-{key}"):
            open_page()
        widgets.html(explaining(answer, *OF_RESULTS))
