"""Says which files did not arrive, and asks before a person goes on without them."""

import streamlit as st

from bleucore.written_numbers import counted
from bleuscope.shell.controls import widgets
from bleuscope.shell.server.lost_uploads import lost_uploads
from bleuscope.streamlit_port import own_session

MAX_SAID = 5
"""Sentences; of further files only the number is said."""


def lost_files_panel() -> bool:
    """What did not arrive, with the button that goes on without it; whether that is still to be decided."""
    session = own_session()
    sentences = list(lost_uploads().of_session(session).values())
    if not sentences:
        return False
    with st.container(key="lost-files"):
        for sentence in sentences[:MAX_SAID]:
            st.error(widgets.plain(sentence), icon=":material/cloud_off:")
        if len(sentences) > MAX_SAID:
            st.error(f"{counted(len(sentences) - MAX_SAID, 'more file')} did not arrive.", icon=":material/cloud_off:")
        st.button(
            f"Go on without {'it' if len(sentences) == 1 else 'them'}",
            key="without-lost",
            icon=":material/remove_circle_outline:",
            on_click=lost_uploads().forget,
            args=(session,),
        )
    return True
