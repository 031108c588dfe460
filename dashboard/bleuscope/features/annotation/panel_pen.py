"""The pen on a page: a part that is drawn anew alone, for each letter of the browser."""

import hashlib
from functools import partial

import streamlit as st

from bleucore.errors import InputError
from bleuscope.features.annotation import component, words_pen
from bleuscope.features.annotation.pen_letters import Answer, answered, for_browser
from bleuscope.features.annotation.store import AnnotationStore
from bleuscope.shell.controls import widgets
from bleuscope.shell.state import session

ANSWER = "_pen_answer_"


@st.fragment
def pen(  # what a pen is for
    store: AnnotationStore,
    task_id: str,
    annotator: str,
    *,
    token: str | None = None,
    only: str | None = None,
) -> None:
    """Draw the pen of an annotator.

    Args:
        store: Of the workspace.
        task_id: The task.
        annotator: Who marks.
        token: The secret of the link by which they came; ``None`` for one's own marks.
        only: The one item that is marked; ``None`` for all that the annotator has.
    """
    try:
        if not _still_works(store, task_id, annotator, token):
            st.info(words_pen.GONE)
            return
        task = store.task(task_id)
        items = task.items_of(annotator) if only is None else (task.item(only),)
        if not items:
            st.info(words_pen.NOTHING_TO_DO)
            return
        has_ended = store.has_ended(task_id)
        if has_ended:
            st.info(words_pen.ENDED)
        key = _key(task_id, annotator, only)
        data = for_browser(
            store,
            task,
            annotator,
            session.get(ANSWER + key, Answer()),
            items=items,
            is_alone=only is not None,
            is_read_only=has_ended,
        )
    except InputError as error:
        st.error(widgets.plain(str(error)))
        return
    component.draw(key, data, partial(_take, store, task_id, annotator, token, key))


def _take(store: AnnotationStore, task_id: str, annotator: str, token: str | None, key: str, letter: object) -> None:
    """Store what a letter holds; a callback."""
    try:
        if _still_works(store, task_id, annotator, token):
            session.put(ANSWER + key, answered(store, task_id, annotator, letter))
    except InputError:  # the workspace cannot be read: the browser sends it again
        return


def _still_works(store: AnnotationStore, task_id: str, annotator: str, token: str | None) -> bool:
    return token is None or store.annotator_of(token) == (task_id, annotator)


def _key(task_id: str, annotator: str, only: str | None) -> str:
    named = f"{task_id}\n{annotator}\n{only}".encode(errors="surrogatepass")
    return f"pen-{hashlib.sha256(named).hexdigest()[:12]}"
