"""What a page offers that takes two different systems and has one: another one that is open, or to add one."""

import streamlit as st

from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.shell.controls import widgets
from bleuscope.shell.state import links


def other_of(view: ComparisonContext) -> str | None:
    """The best system other than the one that A and B are both; ``None`` where there is one system."""
    (shown,) = set(view.sides)
    return next((name for name in view.evaluation.ranked() if name != shown), None)


def way_to_two(view: ComparisonContext) -> None:
    """A button that leads to two different systems."""
    other = other_of(view)
    if other is None:
        if st.button("Add a second system", key="add-second"):
            links.go_to("test_set")
        return
    pair = (view.sides[0], other)
    st.button(widgets.plain(f"Compare with {other}"), key="other-than-itself", on_click=links.choose_pair, args=(pair,))


def ask_for_two(view: ComparisonContext, words: str) -> None:
    """Say what takes two systems, and lead to them."""
    st.info(words)
    way_to_two(view)
