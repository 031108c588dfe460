"""Overview: the answer on one screen, and the way to what it rests on."""

import streamlit as st

from bleuscope.content import commands
from bleuscope.content.findings import finding_words
from bleuscope.content.overview import overview_words
from bleuscope.content.style.terms import OF_METHODS, OF_RESULTS, explaining
from bleuscope.shell.analysis import findings_panel, overview_panel
from bleuscope.shell.controls import widgets
from bleuscope.shell.page.frame import all_pairs_offer, early_tests, finish_tests, lacks_tests, open_view
from bleuscope.shell.page.reproduction import command_note
from bleuscope.shell.state import cached

view = open_view()
tested = early_tests(view)
shown = tested or view
found = findings_panel.findings_beside_scores(view)
widgets.html(finding_words.alarm(found))
with st.container(key="answer", gap=None):
    widgets.html(explaining(overview_words.answer(shown, cached.attribution), *OF_RESULTS))
    progress = st.container()
    with progress:
        all_pairs_offer(view)
    overview_panel.findings_panel(found)
left, right = st.columns([6, 5], gap="large")
with left:
    overview_panel.systems_panel(view, tested)
with right, st.container(key="reasons", gap=None):
    overview_panel.reasons_panel(shown)
overview_panel.segments_panel(shown)
widgets.html(explaining(overview_words.how_words(shown), "references", "signature", *OF_METHODS))
command_note(view, commands.scores_command)
if lacks_tests(view):
    with progress:
        finish_tests(view)
    st.rerun()
if not overview_panel.has_phrases(shown):
    with progress, st.spinner("Finding phrases …", show_time=True):
        cached.phrases(shown.test_set, shown.evaluation, shown.pair)
    st.rerun()
