"""Who has logged in, and the way out; at the head of the sidebar, on every page."""

import streamlit as st
from markupsafe import Markup

from bleuscope.shell.controls import widgets
from bleuscope.shell.state import session, workspace_in_use

WHO = "_who_logged_in"
WITH_WAY_OUT = Markup('<p class="bs-account">{} <a href="{}" target="_self">Sign out</a></p>')
WITHOUT_WAY_OUT = Markup('<p class="bs-account">{}</p>')


def forget_somebody_else() -> None:
    """Begin anew where somebody else has logged in behind a page that was left open."""
    identity = workspace_in_use.entered().identity
    who = None if identity is None else (identity.issuer, identity.subject)  # names may change
    if session.get(WHO, who) != who:
        session.forget_all()
    session.put(WHO, who)


def account_panel() -> None:
    """The name of somebody who has logged in; nothing where nobody was asked who they are."""
    by = workspace_in_use.entered()
    if by.identity is None:
        return
    name = by.identity.name or by.identity.email or by.identity.subject
    with st.sidebar:
        if by.sign_out is None:
            widgets.html(WITHOUT_WAY_OUT.format(name))
        else:
            widgets.html(WITH_WAY_OUT.format(name, by.sign_out))
