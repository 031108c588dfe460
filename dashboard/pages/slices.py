"""Slices: how systems differ in documents, by length, by rarity of words and by label."""

import streamlit as st

from dashboard.content import slice_words
from dashboard.shell import slice_panel, widgets
from dashboard.shell.frame import open_view

view = open_view()
chosen = slice_panel.choice(view)
widgets.html(slice_words.rule_note(chosen.summary))
if chosen.summary.compares:
    slice_panel.compared(view, chosen)
else:
    st.info("It takes two different systems A and B to see their differences. Here are the scores.")
    slice_panel.scores_alone(chosen)
