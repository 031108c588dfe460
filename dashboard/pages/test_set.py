"""Test set: bring files, say what they are, see what was read."""

import streamlit as st

from dashboard.content import commands
from dashboard.content.comparison import test_set_facts, text_sheets
from dashboard.content.sheets.html import html_table
from dashboard.content.style import markup
from dashboard.shell.analysis import findings_panel
from dashboard.shell.controls import widgets
from dashboard.shell.controls.exports import export_menu
from dashboard.shell.page import renaming, score_files
from dashboard.shell.page.frame import open_test_set, open_view
from dashboard.shell.page.reproduction import command_note
from dashboard.shell.uploads import uploading
from dashboard.shell.uploads.recent_panel import not_kept_note

uploading.upload_panel()

if open_test_set() is not None:
    view = open_view()
    st.header("What was read", anchor=False)
    widgets.html(markup.facts(test_set_facts.test_set_facts(view.test_set)))
    for notice in view.loaded.notices:
        st.caption(widgets.plain(notice))
    not_kept_note(view.loaded.as_read)
    renaming.names_panel(view.loaded.as_read)
    widgets.html(html_table(text_sheets.texts_sheet(view.test_set, n_rows=5), style="bs-texts"))
    st.caption("The first five segments. Texts in one row must belong together.")
    export_menu(lambda: text_sheets.texts_sheet(view.test_set), "texts")
    st.header("Do the texts look right?", anchor=False)
    findings_panel.findings_panel(view)
    score_files.score_files_panel(view.loaded)
    command_note(view, commands.checks_command)
