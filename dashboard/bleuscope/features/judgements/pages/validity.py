"""Validity: does a metric say what people say?"""

from functools import partial

import streamlit as st

from bleuscope.features.judgements import commands
from bleuscope.features.judgements import words as agreement_words
from bleuscope.features.judgements.choices import agreement_choice
from bleuscope.features.judgements.panel import validity_panel
from bleuscope.features.judgements.panel_samples import judging_panel, more_judging_panel
from bleuscope.shell.page.frame import open_view
from bleuscope.shell.page.reproduction import command_note
from bleuscope.shell.state import links
from bleuscope.shell.state.page_end import end_page

view = open_view()
choice = agreement_choice(view)
if choice is None:
    st.info(agreement_words.NO_JUDGEMENTS)
    if st.button("Bring judgements"):
        links.go_to("test_set")
    draw_command = judging_panel(view)
    if draw_command is not None:
        command_note(view, draw_command)
    end_page()
validity_panel(view, choice)
more_judging_panel(view)
command_note(view, partial(commands.agreement_command, choice=choice))
