"""The kinds that make the difference, on the first screen, each with a segment that shows it."""

import streamlit as st

from bleucore.analysis.kinds import KindStudy
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.features.kinds import words
from bleuscope.shell.controls import widgets
from bleuscope.shell.state import links

GO_ON = ":material/arrow_forward:"


def draw(shown: ComparisonContext, kinds: KindStudy) -> None:
    """A bar for each of the three kinds that do most, and the way to the others."""
    leading = words.leading_kinds(kinds)
    for one in leading:
        with st.container(horizontal=True, vertical_alignment="center", key=f"kind-bar-{one.kind.replace(' ', '-')}"):
            widgets.html(one.bar())
            if one.segment is not None and st.button(
                f"Read #{one.segment + 1}", key=f"read-{one.kind}", type="tertiary", help=words.MEANINGS[one.kind]
            ):
                if shown.compares:
                    links.choose_pair(shown.pair)
                links.open_segment(one.segment)
    if st.button("All kinds of errors", type="tertiary", icon=GO_ON):
        if shown.compares:
            links.choose_pair(shown.pair)
        links.go_to("kinds")
