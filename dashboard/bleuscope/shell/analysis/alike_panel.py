"""Two systems that wrote the same in many segments: that they did, and whom to compare instead."""

import streamlit as st

from bleuscope.content.comparison import alike
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.shell.controls import widgets
from bleuscope.shell.state import links


def alike_panel(view: ComparisonContext) -> bool:
    """Say that A and B wrote the same in many segments, and offer a pair that differs more.

    Returns:
        Whether that pair was chosen: A and B are these now.
    """
    widgets.html(alike.alike_note(view))
    pair = alike.other_pair(view)
    return pair is not None and st.button(
        widgets.plain(f"Compare {pair[0]} with {pair[1]} instead"),
        key="other-pair",
        type="tertiary",
        icon=":material/arrow_forward:",
        on_click=links.choose_pair,
        args=(pair,),
    )
