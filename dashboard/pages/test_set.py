"""Test set: bring files, say what they are, see what was read."""

import streamlit as st

from dashboard.content import markup, tables
from dashboard.shell import findings_panel, score_files, uploading, widgets
from dashboard.shell.frame import open_test_set, open_view

uploading.upload_panel()

if open_test_set() is not None:
    view = open_view()
    st.subheader("What was read")
    widgets.html(markup.facts(tables.test_set_facts(view.test_set)))
    widgets.html(tables.texts_table(view.test_set, n_rows=5))
    st.caption("The first five segments. Texts in one row must belong together.")
    st.subheader("Do the texts look right?")
    findings_panel.findings_panel(view)
    score_files.score_files_panel(view.test_set)
