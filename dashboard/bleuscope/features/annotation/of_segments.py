"""The pen in the open segment: one's own marks in an output, in a private task of the test set."""

import streamlit as st

from bleucore.errors import InputError
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.features.annotation import words_pen
from bleuscope.features.annotation.open_store import open_store
from bleuscope.features.annotation.own import own_item
from bleuscope.features.annotation.panel_pen import pen
from bleuscope.shell.controls import widgets
from bleuscope.shell.state import session, workspace_in_use

KEY = "e"
MARKED, OUTPUT = "_marked_segment", "_marked_output"


def works() -> bool:
    """Whether marks can be kept, of whoever reads."""
    return open_store() is not None and not workspace_in_use.is_by_link()


def button(view: ComparisonContext, segment: int) -> None:
    """A button that opens the pen for the open segment, or closes it."""
    with st.container(key=f"panel-{KEY}", width="content"):
        st.button(
            words_pen.BUTTON,
            icon=":material/ink_pen:",
            type="tertiary",
            help=words_pen.BUTTON_HELP,
            on_click=_switch,
            args=(view, segment),
            key="_mark_errors",
        )


def draw(view: ComparisonContext, segment: int) -> None:
    """The pen, where it is open for this segment."""
    store = open_store()
    if store is None or session.get(MARKED) != _place(view, segment):
        return
    sides = view.both if view.compares else view.sides
    with st.container(key="mark-errors"):
        system = sides[0]
        if view.compares:
            letters = dict(zip("AB", sides, strict=True))
            chosen = st.segmented_control(
                words_pen.OUTPUT, tuple(letters), default="B", required=True, key=OUTPUT, format_func=lambda one: one
            )
            system = letters[chosen or "B"]
        try:
            found = workspace_in_use.somebody()
            if found is None:
                st.info(words_pen.NO_WORKSPACE)
                return
            own = own_item(store, found[1], view.test_set, system, segment)
        except InputError as error:
            st.error(widgets.plain(str(error)))
            return
        pen(store, own.task_id, own.annotator, only=own.item.id)


def _switch(view: ComparisonContext, segment: int) -> None:
    """Open the pen, or close it; a callback."""
    place = _place(view, segment)
    session.put(MARKED, None if session.get(MARKED) == place else place)


def _place(view: ComparisonContext, segment: int) -> tuple[str, int]:
    return view.test_set.texts_digest, segment
