"""A page goes on in a new session when its own has ended: what was typed before is here again, and that is said.

A browser connects again by itself and shows what it showed, over a session that knows nothing of it. It runs the page
anew only where a part of the page runs by itself, so there is one. With the values of its fields the browser sends
what the field here held: the session that drew it, and what that session had.
"""

import secrets
from datetime import timedelta

import streamlit as st
from markupsafe import Markup

from bleuscope.content.comparison.inputs import Loaded
from bleuscope.content.segments import kept_words
from bleuscope.shell.controls import widgets
from bleuscope.shell.state import open_annotations, session

RUNS_EVERY = timedelta(hours=12)
"""Seldom: it is there for the connection to be picked up, not for the time."""
TOKEN, MARK, NOTICE, GREETED = "_session_token", "_session_mark", "_session_notice", "_greeted"
MOST_WORDS = 300
UNSAVED_MARK = Markup('<span class="bs-unsaved">not saved as a file</span>')
"""Where this stands, ``unsaved.js`` asks before the page is left."""


def note(loaded: Loaded | None) -> None:
    """Say what came back, until it is seen."""
    work = None if loaded is None else open_annotations.work_on(loaded.test_set)
    words = "" if work is None else kept_words.in_words(work)
    had = _had_before(words)
    if loaded is not None and work is not None and loaded.test_set.texts_digest not in session.get(GREETED, ()):
        session.put(GREETED, (*session.get(GREETED, ()), loaded.test_set.texts_digest))
        if words and not had:
            session.put(NOTICE, kept_words.here_again(work))
    if had:
        session.put(NOTICE, kept_words.new_session(had, work))
    said = session.get(NOTICE)
    if said:
        st.info(widgets.plain(said), icon=":material/history:")
        st.button("I have seen it", on_click=session.drop, args=(NOTICE,), key="_seen")


def _had_before(words: str) -> str:
    """What the page had in an earlier session; empty where there was none, or it had nothing."""
    token = session.get(TOKEN)
    if token is not None:
        session.put(MARK, f"{token} {words}")
        _mark("")
        return ""
    token = secrets.token_hex(8)
    found = _mark(f"{token} {words}")
    session.put(TOKEN, token)  # last: a run that is broken off before begins the session anew
    earlier, _, had = found.partition(" ")
    return had[:MOST_WORDS] if earlier != token else ""


@st.fragment(run_every=RUNS_EVERY)
def _mark(value: str) -> str:
    """What the browser sends along; out of sight."""
    with st.container(key="session-mark"):
        if open_annotations.has_unsaved():
            widgets.html(UNSAVED_MARK)
        return st.text_input("Session", value, key=MARK, label_visibility="collapsed") or ""
