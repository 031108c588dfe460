"""Test set: bring files, say what they are, see what was read."""

import streamlit as st

from bleucore.plugins import broken_plugins, left_out
from bleuscope.content import commands
from bleuscope.content.comparison import test_set_facts, text_sheets
from bleuscope.content.sheets.html import html_table
from bleuscope.content.style import markup
from bleuscope.shell.analysis import findings_panel
from bleuscope.shell.controls import widgets
from bleuscope.shell.controls.exports import export_menu
from bleuscope.shell.page import renaming, score_files
from bleuscope.shell.page.frame import open_test_set, open_view
from bleuscope.shell.page.reproduction import command_note
from bleuscope.shell.uploads import uploading
from bleuscope.shell.uploads.recent_panel import not_kept_note

if open_test_set() is None:
    uploading.upload_panel()
else:
    view = open_view()
    st.header("Loaded files", anchor=False)
    widgets.html(markup.facts(test_set_facts.test_set_facts(view.test_set)))
    for notice in view.loaded.notices:
        st.caption(widgets.plain(notice))
    for plugin, reason in broken_plugins().items():
        st.caption(widgets.plain(left_out(plugin, reason)))
    not_kept_note(view.loaded.as_read)
    st.header("Do the texts look right?", anchor=False)
    findings_panel.findings_panel(view)
    st.header("Texts", anchor=False)
    renaming.names_panel(view.loaded.as_read)
    widgets.html(html_table(text_sheets.texts_sheet(view.test_set, n_rows=5), style="bs-texts"))
    st.caption("Texts in one row must belong together.")
    export_menu(lambda: text_sheets.texts_sheet(view.test_set), "texts")
    score_files.score_files_panel(view.loaded)
    st.header("Other files", anchor=False)
    uploading.upload_panel()
    command_note(view, commands.lint_command)
