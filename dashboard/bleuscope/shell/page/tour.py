"""The tour of the sample comparison: a card above the page, from the first click until somebody leaves it."""

import streamlit as st

from bleuscope.content.comparison.inputs import Inputs
from bleuscope.content.overview.tour_stops import STOPS, place
from bleuscope.registry import Page, TourStop
from bleuscope.shell.controls import widgets
from bleuscope.shell.state import links, session, workspace_in_use
from bleuscope.shell.state.page_list import PAGES

STOP = "_tour_stop"
FIRST_PAGE = STOPS[0].page


def draw(page: Page, inputs: Inputs) -> None:
    """The card of the stop that somebody is at, or on the first page the way onto the tour."""
    if not inputs.is_sample or workspace_in_use.is_by_link():
        return
    number: int | None = session.get(STOP)
    if number is not None:
        _card(number, STOPS[number], page)
    elif page.name == FIRST_PAGE:
        with st.container(key="tour-offer", horizontal=True, vertical_alignment="center"):
            st.markdown("New here? These are invented texts.")
            if st.button("Take the tour, two minutes", icon=":material/explore:", key="tour-begin"):
                _go(0)


def _card(number: int, stop: TourStop, page: Page) -> None:
    is_here = page.name == stop.page
    with st.container(key="tour", border=True, gap="small"):
        st.markdown(f"{place(number)}: **{stop.title}**")
        if is_here:
            st.markdown(stop.words)
            for key, said in (("tour-click", stop.click), ("tour-tap", stop.tap)):
                with st.container(key=key):
                    st.markdown(f":material/ads_click: {said}")
        else:
            st.markdown(f"You left the way for a look at {widgets.plain(page.title)}. It goes on where you were.")
        with st.container(horizontal=True):
            if not is_here and st.button(f"Back to {PAGES[stop.page].title}", type="primary", key="tour-back-on"):
                _go(number)
            if is_here and number + 1 < len(STOPS):
                ahead = PAGES[STOPS[number + 1].page].title
                if st.button(f"Next: {ahead}", type="primary", key="tour-next"):
                    _go(number + 1)
            if number and st.button("Back", type="tertiary", key="tour-back"):
                _go(number - 1)
            is_last = number + 1 == len(STOPS)
            st.button(
                "End the tour" if is_last else "Leave the tour", type="tertiary", key="tour-leave", on_click=_leave
            )
    if is_here:
        widgets.say(f"{place(number)}: {stop.title}")


def _go(number: int) -> None:
    session.put(STOP, number)
    stop = STOPS[number]
    for key, value in stop.values.items():
        session.put(key, value)
    links.go_to(stop.page)


def _leave() -> None:
    session.drop(STOP)
