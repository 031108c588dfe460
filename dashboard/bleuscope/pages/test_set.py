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

uploading.upload_panel()

if open_test_set() is not None:
    view = open_view()
    st.header("Loaded files", anchor=False)
    widgets.html(markup.facts(test_set_facts.test_set_facts(view.test_set)))
    for notice in view.loaded.notices:
        st.caption(widgets.plain(notice))
    for plugin, reason in broken_plugins().items():
        st.caption(widgets.plain(left_out(plugin, reason)))
    not_kept_note(view.loaded.as_read)
    renaming.names_panel(view.loaded.as_read)
    widgets.html(html_table(text_sheets.texts_sheet(view.test_set, n_rows=5), style="bs-texts"))
    st.caption("Texts in one row must belong together.")
    export_menu(lambda: text_sheets.texts_sheet(view.test_set), "texts")
    st.header("Do the texts look right?", anchor=False)
    findings_panel.findings_panel(view)
    score_files.score_files_panel(view.loaded)
    command_note(view, commands.lint_command)
