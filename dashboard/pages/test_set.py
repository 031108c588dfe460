"""Test set: bring files, say what they are, see what was read."""

import streamlit as st

from dashboard.content import commands, markup, test_set_facts
from dashboard.content.sheets import results
from dashboard.content.sheets.html import html_table
from dashboard.shell import findings_panel, renaming, score_files, uploading, widgets
from dashboard.shell.exports import export_menu
from dashboard.shell.frame import open_test_set, open_view
from dashboard.shell.reproduction import command_note

uploading.upload_panel()

if open_test_set() is not None:
    view = open_view()
    st.subheader("What was read")
    widgets.html(markup.facts(test_set_facts.test_set_facts(view.test_set)))
    for notice in view.loaded.notices:
        st.caption(widgets.plain(notice))
    renaming.names_panel(view.loaded.as_read)
    widgets.html(html_table(results.texts_sheet(view.test_set, n_rows=5), style="bs-texts"))
    st.caption("The first five segments. Texts in one row must belong together.")
    export_menu(lambda: results.texts_sheet(view.test_set), "texts")
    st.subheader("Do the texts look right?")
    findings_panel.findings_panel(view)
    score_files.score_files_panel(view.test_set, view.loaded.as_read.test_set)
    command_note(view, commands.checks_command)
