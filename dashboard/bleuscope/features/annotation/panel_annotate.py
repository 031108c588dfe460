"""The page of a rater, whom a link brings: their outputs, without the names of systems."""

import contextlib
from functools import partial

import streamlit as st

from bleuscope.features.annotation import params, words_pen
from bleuscope.features.annotation.open_store import open_store
from bleuscope.features.annotation.panel_pen import pen
from bleuscope.features.annotation.store import AnnotationStore
from bleuscope.registry import Page
from bleuscope.shell.page import new_session
from bleuscope.shell.state import links
from bleuscope.shell.state.page_end import end_page
from bleuscope.workspace.errors import NotFoundError, WorkspaceError


def draw(page: Page) -> None:
    """What surrounds the page: nothing but its title, in the tab and for whoever hears the page."""
    with st.container(key="head"):
        st.title(page.title, anchor=False)
    new_session.note(None)
    st.set_page_config(page_title=f"{page.title} · bleuscope", initial_sidebar_state="collapsed")


def annotate_page() -> None:
    """The pen for whoever has the link."""
    store = open_store()
    if store is None:
        st.info(words_pen.NO_WORKSPACE)
        end_page()
    token = links.given(params.RATER)
    found = None if token is None else store.annotator_of(token)
    if token is None or found is None:
        st.info(words_pen.NO_LINK)
        end_page()
    task_id, annotator = found
    pen(store, task_id, annotator, token=token)
    is_shared = annotator in store.task(task_id).shares_time
    change = partial(_share_time, store, token, is_shared=not is_shared)
    st.toggle(words_pen.SHARE_TIME, is_shared, help=words_pen.SHARE_TIME_HELP, on_change=change)


def _share_time(store: AnnotationStore, token: str, *, is_shared: bool) -> None:
    """Let others see the time of an annotator, or no longer, while their link works; a callback."""
    with contextlib.suppress(NotFoundError, WorkspaceError):  # the toggle shows what is stored
        found = store.annotator_of(token)
        if found is not None:
            store.share_time(*found, is_shared=is_shared)
