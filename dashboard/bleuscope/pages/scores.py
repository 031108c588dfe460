"""Scores: how good is each system, and what is its score made of?"""

import streamlit as st

from bleuscope.content import commands
from bleuscope.content.scores import explanations, score_figures, score_sheets, verdicts
from bleuscope.content.sheets.builders import columns_of
from bleuscope.content.sheets.html import html_table
from bleuscope.content.style.terms import OF_METHODS, OF_RESULTS, explaining
from bleuscope.runtime import params
from bleuscope.shell.controls import charts, widgets
from bleuscope.shell.controls.exports import export_menu, shown_table
from bleuscope.shell.page import tokenizer_proposal
from bleuscope.shell.page.frame import open_view
from bleuscope.shell.page.reproduction import command_note, paper_note
from bleuscope.shell.page.study_tests import StudyTests
from bleuscope.shell.state import cached, text_checks

view = open_view()
tests = StudyTests(view)
tested = tests.early()  # without them the scores come first, and the page is drawn again with the tests

found = tokenizer_proposal.scoring_alarm(view.test_set, view.evaluation.options.tokenizer)
with st.container(key="verdict-to-come" if tests.take_long else None):  # as high before the tests as after
    in_texts = text_checks.found_in(view.test_set)
    said = verdicts.study_verdict(tested or view, None if in_texts is None else [*found, *in_texts])
    widgets.html(explaining(said, *OF_RESULTS, *OF_METHODS))
    progress = st.container()
    with progress:
        tests.offer_all_pairs()
widgets.heading("All systems")
tokenizer_proposal.tokenizer_note(view.test_set, view.evaluation.options.tokenizer)
systems = score_sheets.systems_sheet(tested or view)
orders = score_sheets.orders_sheet(view.evaluation)
widgets.html(html_table(systems, view.looks) + verdicts.table_notes(tested or view))
export_menu(lambda: score_sheets.systems_sheet(tested or tests.all_made()), "systems")

widgets.heading("Charts")
left, right = st.columns(2, gap="large")
with left:
    points = score_figures.scores_figure(systems, view.looks, view.sides)
    shown = columns_of(systems, ("system", "bleu", "interval"), title=systems.title)
    charts.chart(points, "scores", "Corpus BLEU of each system", shown, view.looks)
with right:
    bars = score_figures.precisions_figure(orders, view.looks, view.sides)
    charts.chart(bars, "precisions", "Precision by n-gram order and system", orders, view.looks)

with st.expander("Individual and cumulative scores by n-gram order"):
    shown_table(orders, view.looks)
    st.caption("Cumulative: brevity penalty included, as NIST's mteval prints it.")

with st.expander("Why does my number differ from …?", **params.WHY.panel()):
    st.markdown("Choose a tool to see how much each of its settings changes the score.")
    other = widgets.other_preset(view.evaluation.options)
    if other is not None:
        work = cached.explanation(view.test_set, view.evaluation.options, other)
        explanation = widgets.waited_for("Scoring with each setting …", work)
        explained = score_sheets.explanation_sheet(explanation, other)
        widgets.html(html_table(explained, view.looks))
        widgets.html(explanations.explanation_note(explanation))
        export_menu(lambda: explained, "explanation")

widgets.heading("Signatures")
st.markdown("Cite the **signature** with every score.")
several = len(view.evaluation.metrics) > 1
for metric in view.evaluation.metrics.values():
    widgets.copyable(f"{metric.name}|{metric.signature}" if several else metric.signature)
paper_note(view)
command_note(view, commands.scores_command)

tests.go_on(progress)
