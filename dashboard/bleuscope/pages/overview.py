"""Overview: the answer on one screen, and the way to what it rests on."""

import streamlit as st

from bleuscope.content import commands
from bleuscope.content.overview import overview_words
from bleuscope.content.style.terms import OF_METHODS, OF_RESULTS, explaining
from bleuscope.shell.analysis import overview_panel
from bleuscope.shell.analysis.two_systems import way_to_two
from bleuscope.shell.controls import widgets
from bleuscope.shell.page import beneath_verdict, text_status, tokenizer_proposal
from bleuscope.shell.page.frame import open_view
from bleuscope.shell.page.reproduction import command_note
from bleuscope.shell.page.study_tests import StudyTests

view = open_view()
tests = StudyTests(view)
tested = tests.early()
shown = tested or view
tokenizer_proposal.scoring_alarm(view.test_set, view.evaluation.options.tokenizer)
with st.container(key="answer", gap=None):
    with st.container(key="verdict-kept" if text_status.keeps_room("overview", view.test_set) else None, gap=None):
        widgets.html(explaining(overview_words.answer(shown, view.findings), *OF_RESULTS))
    beneath_verdict.ways_on(view)
    if len(view.evaluation.names) == 1:
        way_to_two(view)
    progress = st.container()
    with progress:
        tests.offer_all_pairs()
    if tested is not None:
        widgets.clear_lines(progress)
left, right = st.columns([6, 5], gap="large")
with left:
    overview_panel.systems_panel(view, tested)
reasons = right.container(key="reasons", gap=None)
with reasons:
    overview_panel.reasons_panel(shown)
overview_panel.segments_panel(shown)
widgets.html(explaining(overview_words.how_words(shown), "references", "signature", *OF_METHODS))
command_note(view, commands.scores_command)
tests.go_on(progress)
if not (overview_panel.has_reasons(shown) or tests.wait_for_checks):
    with reasons:
        overview_panel.wait_for_reasons(shown)
    st.rerun()
