"""Who has logged in, and the way out; at the head of the sidebar, on every page."""

import streamlit as st
from markupsafe import Markup

from dashboard.shell.controls import widgets
from dashboard.shell.state import workspace_in_use

WITH_WAY_OUT = Markup('<p class="bs-account">{} <a href="{}" target="_self">Sign out</a></p>')
WITHOUT_WAY_OUT = Markup('<p class="bs-account">{}</p>')


def account_panel() -> None:
    """The name of who has logged in; nothing where nobody was asked who they are."""
    by = workspace_in_use.entered()
    if by.identity is None:
        return
    name = by.identity.name or by.identity.email or by.identity.subject
    with st.sidebar:
        if by.sign_out is None:
            widgets.html(WITHOUT_WAY_OUT.format(name))
        else:
            widgets.html(WITH_WAY_OUT.format(name, by.sign_out))
