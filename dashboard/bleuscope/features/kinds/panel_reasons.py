"""The kinds that make the difference, on the first screen, each with a segment that shows it."""

import streamlit as st

from bleucore.analysis.kinds import KindStudy
from bleucore.analysis.marked_kinds import MarkedKinds
from bleucore.analysis.token_kinds import KINDS
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.style.sentences import Text
from bleuscope.features.kinds import figures, sheets, words
from bleuscope.registry import load, own_features
from bleuscope.shell.controls import charts, widgets
from bleuscope.shell.state import links

GO_ON = ":material/arrow_forward:"


def ladder(view: ComparisonContext, kinds: KindStudy) -> None:
    """A bar for every kind, and what people marked of each; a click on a bar lists its segments."""
    marked = marked_of(view, kinds)
    sheet = sheets.kinds_sheet(view, kinds, marked)
    chosen = charts.clickable(
        figures.ladder_figure(kinds, [view.looks[one.system] for one in kinds.losses]),
        "kinds",
        "What each kind of error contributes to the difference, or cost",
        sheet,
        lambda row: (row,),
    )
    if chosen is not None and int(chosen[0]) < len(KINDS):  # else the total of the table
        links.open_kind(KINDS[int(chosen[0])], compares=kinds.compares)
    widgets.html(words.marked_note(marked))


def marked_of(view: ComparisonContext, kinds: KindStudy) -> MarkedKinds | None:
    """What people marked of each kind in the outputs of A and B; ``None`` where nobody annotated them."""
    makers = [load(one.marked_kinds) for one in own_features() if one.marked_kinds]
    found: MarkedKinds | None = next((one for make in makers if (one := make(view, kinds.losses)) is not None), None)
    return found


def draw(shown: ComparisonContext, kinds: KindStudy) -> None:
    """A bar for each of the three kinds that do most, and the way to the others."""
    leading = words.leading_kinds(kinds)
    if leading and kinds.compares:
        widgets.html(words.points_for(kinds))
    for one in leading:
        with st.container(horizontal=True, vertical_alignment="center", key=f"kind-bar-{one.kind.replace(' ', '-')}"):
            widgets.html(Text((one,)))
            if one.segment is not None and st.button(
                f"Read #{one.segment + 1}", key=f"read-{one.kind}", type="tertiary", help=words.MEANINGS[one.kind]
            ):
                if shown.compares:
                    links.choose_pair(shown.pair)
                links.open_segment(one.segment)
            if st.button("Read all", key=f"read-all-{one.kind}", type="tertiary", help=words.READ_ALL):
                if shown.compares:
                    links.choose_pair(shown.pair)
                links.open_kind(one.kind, compares=kinds.compares)
    if st.button("All kinds of errors", type="tertiary", icon=GO_ON):
        if shown.compares:
            links.choose_pair(shown.pair)
        links.go_to("kinds")
