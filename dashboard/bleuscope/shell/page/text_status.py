"""One status of the texts on every page: how far the checks are, what they found, or why they found nothing.

A page that shows the checks going on keeps the room of an alarm for them: what stands beneath stays where it is.
"""

import logging
from functools import partial

import streamlit as st

from bleucore import TestSet
from bleuscope.content.findings import finding_words as words
from bleuscope.content.style.sentences import note
from bleuscope.registry import Page
from bleuscope.shell.controls import widgets
from bleuscope.shell.state import cached, links, session, text_checks, workspace_in_use
from bleuscope.shell.state.text_checks import TextChecks
from bleuscope.streamlit_port import DeltaGenerator

LOOK_EVERY_SECONDS = 1.0
FINDINGS_PAGE = "test_set"
SHOWN_GOING_ON = "_texts_shown_going_on"
"""Where the checks of many texts were seen to go on: as long as this page is open, the status keeps its room."""
QUIET, KEPT, ALARM = "texts-quiet", "texts-kept", "texts-alarm"
"""Keys of its place: next to the title; of one height in every state; as high as an alarm needs."""


def draw(page: Page, test_set: TestSet, head: DeltaGenerator) -> None:
    """Begin the checks, and show how far they are; few texts are waited for.

    Args:
        page: Where it stands.
        test_set: What is checked.
        head: Where the title is; a status without an alarm goes next to it.
    """
    checks = text_checks.follow(test_set)
    is_instant, here = text_checks.are_instant(test_set), (page.name, test_set.digest)
    if not is_instant and (checks.status == "checking" or session.get(SHOWN_GOING_ON) == here):
        session.put(SHOWN_GOING_ON, here)
        _kept(page, test_set)
        return
    session.drop(SHOWN_GOING_ON)
    if checks.status == "checking":
        checks = _waited_for(test_set, checks)
    if words.has_errors(checks.found):
        with st.container(horizontal=True, vertical_alignment="center", key=ALARM):
            _ended(page, test_set, checks)
    elif checks.status != "checked" or page.name == FINDINGS_PAGE:  # else the number of warnings stands at its door
        with head, st.container(horizontal=True, vertical_alignment="center", width="content", key=QUIET):
            _ended(page, test_set, checks)


def keeps_room(page: str, test_set: TestSet) -> bool:
    """Whether a page shows its status in the room that the checks had while they went on."""
    return bool(session.get(SHOWN_GOING_ON) == (page, test_set.digest))


def _waited_for(test_set: TestSet, checks: TextChecks) -> TextChecks:
    place = st.empty()
    with place.container(horizontal=True, vertical_alignment="center", key=KEPT):
        bar = _going_on(test_set, checks)
    try:
        cached.text_findings(test_set).value(widgets.mover(bar.progress, words.CHECKING))
    except Exception:  # the page says that they failed, instead of the findings
        logging.getLogger(__name__).exception("the checks of the texts failed")
    place.empty()
    return text_checks.follow(test_set)


def _kept(page: Page, test_set: TestSet) -> None:
    """The status of many texts: it follows the checks by itself for as long as they go on."""
    if text_checks.follow(test_set).status == "checking":
        _followed(test_set)
        return
    with st.container(horizontal=True, vertical_alignment="center", key=KEPT):
        _ended(page, test_set, text_checks.follow(test_set))


@st.fragment(run_every=LOOK_EVERY_SECONDS)
def _followed(test_set: TestSet) -> None:
    checks = text_checks.follow(test_set)
    if checks.status != "checking":
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center", key=KEPT):
        text_checks.show_going_on(test_set, widgets.mover(_going_on(test_set, checks).progress, words.CHECKING))


def _going_on(test_set: TestSet, checks: TextChecks) -> DeltaGenerator:
    bar = st.progress(checks.share, widgets.so_far(words.CHECKING, checks.share))
    st.button("Cancel", type="tertiary", on_click=text_checks.cancel, args=(test_set,), key="cancel-checks")
    return bar


def _ended(page: Page, test_set: TestSet, checks: TextChecks) -> None:
    if checks.status != "checked":
        widgets.html(note("{}", words.UNCHECKED[checks.status]))
        again = partial(text_checks.start_again, test_set)
        st.button("Check the texts", type="tertiary", on_click=again, key="check-texts", icon=":material/refresh:")
        return
    errors = words.alarm(checks.found)
    if errors:
        widgets.html(errors)
    leads_on = page.name != FINDINGS_PAGE and not workspace_in_use.is_by_link()
    said = str(words.found_words(checks.found))
    if leads_on and words.deserve_a_look(checks.found):
        label = "Show the findings" if errors else widgets.plain(said)
        if st.button(label, type="tertiary", icon=":material/fact_check:", key="findings"):
            links.go_to(FINDINGS_PAGE)
    elif not errors and page.name != FINDINGS_PAGE:
        widgets.html(note("{}", said))
