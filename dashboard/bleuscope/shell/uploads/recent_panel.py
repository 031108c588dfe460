"""Comparisons that this person opened before: open again, call otherwise, delete."""

from collections.abc import Callable
from datetime import UTC, datetime

import streamlit as st

from bleuscope.content.comparison import recent_words
from bleuscope.content.comparison.inputs import Loaded
from bleuscope.content.comparison.naming import MAX_NAME
from bleuscope.shell.controls import widgets
from bleuscope.shell.page.frame import open_test_set
from bleuscope.shell.page.workspace_switch import open_again
from bleuscope.shell.state import kept_comparisons, session
from bleuscope.workspace.comparisons import Recent
from bleuscope.workspace.errors import WorkspaceError

FAULT = "_recent_fault"


def recent_panel() -> None:
    """The list, where there is one."""
    fault = session.get(FAULT)
    if fault:
        session.drop(FAULT)
        st.error(widgets.plain(fault), icon=":material/error:")
    try:
        found = kept_comparisons.recent()
    except WorkspaceError as error:
        st.warning(widgets.plain(str(error)), icon=":material/inventory_2:")
        return
    shown = open_test_set()
    others = [one for one in found if shown is None or one.origin != kept_comparisons.origin_of(shown)]
    if not others:
        return
    st.header("Opened before", anchor=False)
    now = datetime.now(UTC)
    with st.container(key="recent"):
        for one in others:
            _row(one, now)
    st.caption(recent_words.EXPLANATION)


def not_kept_note(loaded: Loaded) -> None:
    """Say why what is open does not outlive the server, where it was meant to."""
    fault = kept_comparisons.fault(loaded)
    if fault is not None:
        st.warning(widgets.plain(recent_words.NOT_KEPT.format(fault)), icon=":material/inventory_2:")


def _row(one: Recent, now: datetime) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key=f"recent-{one.origin}"):
        label = widgets.plain(one.name)
        if st.button(label, key=f"_open-{one.origin}", type="tertiary", icon=":material/folder_open:"):
            open_again(one.origin)
        st.caption(recent_words.in_words(one.n_systems, one.n_segments, one.opened_at, now), width="stretch")
        with st.popover("Change", type="tertiary", key=f"_more-{one.origin}"):
            st.text_input(
                "Name in this list",
                one.name,
                max_chars=MAX_NAME,
                key=f"_name-{one.origin}",
                on_change=_rename,
                args=(one.origin,),
            )
            st.button(
                "Delete these texts from the disk",
                icon=":material/delete:",
                on_click=_delete,
                args=(one.origin,),
                key=f"_delete-{one.origin}",
            )


def _rename(origin: str) -> None:
    _do(kept_comparisons.rename, origin, str(session.get(f"_name-{origin}") or ""))


def _delete(origin: str) -> None:
    _do(kept_comparisons.delete, origin)


def _do(change: Callable[..., None], *arguments: str) -> None:
    """Change what is kept, or say why not."""
    try:
        change(*arguments)
    except WorkspaceError as error:
        session.put(FAULT, str(error))
