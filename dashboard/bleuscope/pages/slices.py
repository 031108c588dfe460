"""Slices: how systems differ in documents, by length, by rarity of words and by label."""

from functools import partial

import streamlit as st

from bleuscope.content import commands
from bleuscope.content.slices import slice_words
from bleuscope.runtime import params
from bleuscope.shell.analysis import slice_panel, word_panel
from bleuscope.shell.analysis.two_systems import ask_for_two
from bleuscope.shell.controls import choices, widgets
from bleuscope.shell.page.frame import open_view
from bleuscope.shell.page.reproduction import command_note
from bleuscope.shell.state.page_end import end_page

SEGMENTS, WORDS = "segments", "words"

view = open_view()
kind = None
if view.compares:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        of = choices.segmented(params.SLICES_OF, "Slices of", (SEGMENTS, WORDS))
        kind = word_panel.kind_choice() if of == WORDS else None
if kind is not None:
    given = word_panel.given_words(view, kind)
    if given is not None:
        word_panel.words(view, kind, given)
        make_words = partial(commands.words_command, kind=kind, given=given)
        command_note(view, make_words, *commands.words_remarks(given), with_metrics=False, of_two=True)
    end_page()
chosen = slice_panel.choice(view)
widgets.html(slice_words.rule_note(chosen.summary))
if chosen.summary.compares:
    slice_panel.compared(view, chosen)
else:
    ask_for_two(view, "Choose two different systems to see differences. Here are the scores.")
    slice_panel.scores_alone(view, chosen)
make = partial(
    commands.slices_command,
    summary=chosen.summary,
    order=chosen.order,
    n_shown=len(chosen.shown),
    all_systems=bool(chosen.others),
)
command_note(view, make, with_metrics=view.metric is not view.evaluation.bleu, of_two=True)
