"""One line on every page while nothing can be saved."""

import streamlit as st

from bleuscope.content.comparison import recent_words
from bleuscope.shell.controls import widgets
from bleuscope.shell.state import workspace_in_use


def saving_note() -> None:
    """Say why nothing can be saved, where something was to be; whoever came by a link saves nothing anyway."""
    problem = workspace_in_use.obstacle()
    if problem is not None and not workspace_in_use.is_by_link():
        st.warning(widgets.plain(recent_words.CANNOT_SAVE.format(problem)), icon=":material/edit_off:")
