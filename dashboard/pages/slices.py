"""Slices: how systems differ in documents, by length, by rarity of words and by label."""

from functools import partial

import streamlit as st

from dashboard.content import commands, slice_words
from dashboard.shell import slice_panel, widgets
from dashboard.shell.frame import open_view
from dashboard.shell.reproduction import command_note

view = open_view()
chosen = slice_panel.choice(view)
widgets.html(slice_words.rule_note(chosen.summary))
if chosen.summary.compares:
    slice_panel.compared(view, chosen)
else:
    st.info("It takes two different systems A and B to see their differences. Here are the scores.")
    slice_panel.scores_alone(view, chosen)
make = partial(
    commands.slices_command,
    summary=chosen.summary,
    order=chosen.order,
    n_shown=len(chosen.shown),
    all_systems=bool(chosen.others),
)
command_note(view, make, with_metrics=view.metric is not view.evaluation.bleu, of_two=True)
