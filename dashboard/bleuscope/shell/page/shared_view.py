"""A session that a link let in: one page of one comparison or project, where nothing is brought and nothing written.

A page with links of its own (``PageLink``) says itself what its links lead to.
"""

from urllib.parse import parse_qs

import streamlit as st

from bleuscope.content.comparison import share_words
from bleuscope.runtime import params
from bleuscope.shell.controls import widgets
from bleuscope.shell.state import links, workspace_in_use
from bleuscope.shell.state.page_list import PAGES
from bleuscope.workspace.errors import WorkspaceError
from bleuscope.workspace.people import WITHOUT_LOGIN
from bleuscope.workspace.shares import Share


def held_to_link(address: str) -> bool:
    """Whether a link let this session in; then it is on the link's page and comparison when this returns.

    Args:
        address: Of the page that is asked for.
    """
    if not workspace_in_use.is_by_link():
        return False
    by = workspace_in_use.entered()
    if by.page == address:
        return True
    if by.share is None:
        widgets.html(share_words.OTHER_PAGE)
        st.stop()
    share = _working()
    page = next(
        (one for one in PAGES.values() if share is not None and one.can_be_shared and one.address == share.page), None
    )
    if share is None or page is None:
        widgets.html(share_words.ENDED)
        st.stop()
    named = parse_qs(share.query, keep_blank_values=True)
    if address != share.page:
        st.switch_page(page.script, query_params=named)
    for name in params.opening("texts", "project"):
        links.write_all(name, named.get(name, []))
    with st.sidebar:
        author = None if share.author.issuer in WITHOUT_LOGIN else share.author.name
        widgets.html(share_words.said(author, share.expires_at))
    return True


def _working() -> Share | None:
    try:
        return workspace_in_use.link()
    except WorkspaceError as error:
        st.error(widgets.plain(str(error)), icon=":material/error:")
        return None
