"""Views with a name: kept where a link is made, and opened there and on the first page."""

import streamlit as st

from bleucore import InputError
from bleuscope.content.comparison import view_links
from bleuscope.shell.controls import widgets
from bleuscope.shell.state import session, workspace_in_use
from bleuscope.shell.state.page_list import PAGES
from bleuscope.workspace.views import MAX_NAME, NamedView

NAME, FAULT = "_view_name", "_view_fault"


def keep_field(page: str, query: str) -> None:
    """A field that keeps what is shown under a name, where anything is kept.

    Args:
        page: Its name.
        query: What stands behind the question mark of its address.
    """
    if workspace_in_use.workspace() is None:
        return
    with st.container(horizontal=True, vertical_alignment="bottom", key="keep-view"):
        st.text_input("Keep this view under a name", key=NAME, max_chars=MAX_NAME)
        st.button("Keep", on_click=_keep, args=(page, query), key="_keep_view")
    fault = session.get(FAULT)
    if fault:
        session.drop(FAULT)
        st.error(widgets.plain(fault))
    _rows(_all())


def views_panel() -> None:
    """All views of this person, where there are some."""
    found = _all()
    if found:
        st.header("Your views", anchor=False)
        _rows(found)


def _rows(found: tuple[NamedView, ...]) -> None:
    """A link to each: its address says all that is shown, and nothing that was chosen before is left."""
    with st.container(key="views"):
        for place, one in enumerate(found):
            with st.container(horizontal=True, vertical_alignment="center", key=f"view-{place}"):
                widgets.html(view_links.link(one.name, PAGES[one.page].address, one.query, PAGES[one.page].title))
                st.button(
                    "Delete",
                    key=f"_unview-{place}",
                    type="tertiary",
                    help="Deletes the name alone; no text goes.",
                    on_click=_delete,
                    args=(one.name,),
                )


def _all() -> tuple[NamedView, ...]:
    try:
        found = workspace_in_use.somebody()
        kept = () if found is None else found[0].views.all(found[1])
        return tuple(one for one in kept if one.page in PAGES)
    except InputError as error:
        st.warning(widgets.plain(str(error)), icon=":material/inventory_2:")
        return ()


def _keep(page: str, query: str) -> None:
    try:
        found = workspace_in_use.somebody()
        if found is not None:
            found[0].views.keep(found[1], str(session.get(NAME) or ""), page, query)
            session.put(NAME, "")
    except InputError as error:
        session.put(FAULT, str(error))


def _delete(name: str) -> None:
    try:
        found = workspace_in_use.somebody()
        if found is not None:
            found[0].views.delete(found[1], name)
    except InputError as error:
        session.put(FAULT, str(error))
