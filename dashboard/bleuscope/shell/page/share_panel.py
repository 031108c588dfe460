"""Links for who has no account: make one of this view, see one's own, take one back."""

from datetime import UTC, date, datetime, time, timedelta
from urllib.parse import urlsplit

import streamlit as st

from bleucore import InputError
from bleuscope.content.comparison import share_words
from bleuscope.registry import Page
from bleuscope.shell.controls import widgets
from bleuscope.shell.state import session, workspace_in_use
from bleuscope.shell.state.page_list import PAGES
from bleuscope.workspace import Workspace
from bleuscope.workspace.errors import WorkspaceError
from bleuscope.workspace.people import Person
from bleuscope.workspace.shares import MOST_DAYS

MADE, FAULT = "_share_made", "_share_fault"
USUAL_DAYS = 7
ADDRESS = "share"


def share_panel(page: Page, address: str, project: str | None = None) -> None:
    """Make a link that opens an address of this page, and list those that work; nothing where nothing is kept.

    Args:
        page: The page.
        address: Of this page, with everything that it holds.
        project: The project that it shows, by its name in addresses, if it shows one.
    """
    try:
        found = workspace_in_use.somebody()
    except WorkspaceError:
        return  # which the page says already
    if found is None:
        return
    st.markdown(f"**{share_words.LABEL}**")
    if not page.can_be_shared:
        st.caption(share_words.NOT_THIS_PAGE)
    elif project is not None and not workspace_in_use.may(project, "make link"):
        st.caption(share_words.NOT_FOR_READERS)
    else:
        _make(*found, page, address, project)
    for share in found[0].shares.made_by(found[1]):
        with st.container(horizontal=True, vertical_alignment="center", key=f"share-{share.id}"):
            title = next((one.title for one in PAGES.values() if one.address == share.page), share.page)
            st.caption(widgets.plain(share_words.in_list(title, share.expires_at)), width="stretch")
            st.button(
                "Take back", key=f"_revoke-{share.id}", type="tertiary", on_click=_revoke, args=(*found, share.id)
            )
    if session.get(FAULT):
        st.error(widgets.plain(session.get(FAULT)), icon=":material/error:")
        session.drop(FAULT)


def _make(kept: Workspace, who: Person, page: Page, address: str, project: str | None) -> None:
    today = datetime.now(UTC).date()
    until = st.date_input(
        "Until",
        today + timedelta(days=USUAL_DAYS),
        min_value=today,
        max_value=today + timedelta(days=MOST_DAYS - 1),
        format="YYYY-MM-DD",
        key="_share_until",
    )
    query = urlsplit(address).query
    st.button(
        "Make a link",
        icon=":material/share:",
        key="_make_share",
        on_click=_made,
        args=(kept, who, page.address, query, address, project),
        disabled=not isinstance(until, date),
    )
    made = session.get(MADE)
    if made is not None and made[0] == query:
        st.code(made[1], language=None, wrap_lines=True)
    st.caption(share_words.OF_COMPARISON if page.is_of_comparison else share_words.OF_PROJECT)


def _made(kept: Workspace, who: Person, page: str, query: str, address: str, project: str | None) -> None:
    until = session.get("_share_until")
    end = datetime.combine(until + timedelta(days=1), time(0), UTC) - timedelta(seconds=1)
    try:
        secret = kept.shares.make(who, page, query, end, project)
    except InputError as error:
        session.put(FAULT, str(error))
        return
    root = address.partition("?")[0].rpartition("/")[0]
    session.put(MADE, (query, f"{root}/{ADDRESS}/{secret}"))


def _revoke(kept: Workspace, who: Person, key: int) -> None:
    try:
        kept.shares.revoke(who, key)
    except InputError as error:
        session.put(FAULT, str(error))
    session.drop(MADE)
