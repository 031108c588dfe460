"""The row of doors with the switch of workspaces and what shares, and the row of pages behind the open door."""

from collections.abc import Callable

import streamlit as st

from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.findings.finding_words import n_to_look_at
from bleuscope.registry import Page
from bleuscope.shell.state import session, text_checks, workspace_in_use
from bleuscope.shell.state.page_list import PAGES, SHARE, doors_of, further_pages, sections_of
from bleuscope.streamlit_port import DeltaGenerator

OF_FINDINGS = "test_set"
FIRST = "overview"


def draw(
    shown: Page | None,
    view: Callable[[], ComparisonContext | None],
    switch: Callable[[], None],
    *,
    has_one_page: bool,
) -> Callable[[], None]:
    """Draw the row of doors: those of what the open page is about.

    Args:
        shown: The open page.
        view: Gives the comparison on screen, once there is one.
        switch: Draws the switch of workspaces.
        has_one_page: Whether a link lets its reader see this page alone.

    Returns:
        What to call when the page is drawn: the number of findings is known then.
    """
    subject = "" if shown is None else shown.subject
    with st.container(key="row", horizontal=True, wrap=False, gap=None):
        if has_one_page:
            if shown is not None:
                st.markdown(f"**{shown.title}**")
            return lambda: None
        with st.container(key="switch-place", width="content"):
            switch()
        counted = _n_findings(view())
        with st.container(key="pages", horizontal=True, wrap=False, gap=None, width="content"):
            doors = {
                page: _link(page, _with_number(page, title, counted), is_open=_is_open(page, shown))
                for title, page in doors_of(subject).items()
            }
        with st.container(key="more-pages", horizontal=True, wrap=False, gap=None, width="content"):
            for page in further_pages(subject):
                title = SHARE.title if page.place == SHARE.name else page.title
                _link(page, title, is_open=_is_open(page, shown))

    def renew() -> None:
        now, of_findings = _n_findings(view()), PAGES[OF_FINDINGS]
        if now != counted and of_findings in doors:
            label = _label(_with_number(of_findings, of_findings.title, now), is_open=_is_open(of_findings, shown))
            doors[of_findings].page_link(of_findings.script, label=label)  # in the place of the one before

    return renew


def draw_sections(shown: Page) -> None:
    """Draw the way to the other pages behind the open door. The first screen has none: it links to its page itself."""
    behind = sections_of(shown)
    if behind and shown.name != FIRST and not workspace_in_use.is_by_link():
        with st.container(key="sections", horizontal=True, gap=None):
            for page in behind:
                _link(page, page.section_title, is_open=page == shown)
    else:
        st.empty()  # what follows keeps its place among the elements, and does not jump when one goes through a door


def _is_open(page: Page, shown: Page | None) -> bool:
    return shown is not None and shown.door_name == page.name


def _link(page: Page, title: str, *, is_open: bool) -> DeltaGenerator:
    return st.page_link(page.script, label=_label(title, is_open=is_open))


def _label(title: str, *, is_open: bool) -> str:
    return f"**{title}**" if is_open else title


def _with_number(page: Page, title: str, n_findings: int) -> str:
    return f"{title} ({n_findings})" if page.name == OF_FINDINGS and n_findings else title


def _n_findings(view: ComparisonContext | None) -> int:
    """The errors and warnings of the open texts, as far as they are known."""
    if view is None or session.loaded() is None:
        return 0
    return n_to_look_at(text_checks.known(view.test_set))
