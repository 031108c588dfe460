"""Compare: two systems, and where they differ."""

import streamlit as st

from dashboard.content import comparison, figures, verdicts
from dashboard.shell import links, widgets
from dashboard.shell.frame import open_view

view = open_view()
pair = view.pair
looks = (view.looks[pair[0]], view.looks[pair[1]])

if pair[0] == pair[1]:
    st.info("It takes two different systems to see where they differ.")
    st.stop()
widgets.html(verdicts.comparison_headlines(view.evaluation, looks))

delta = comparison.segment_differences(view.evaluation, pair)
texts = view.test_set.source or view.test_set.references[0]
left, right = st.columns([3, 2], gap="large")
with left:
    chosen = widgets.clicked(
        figures.segment_differences_figure(delta, texts), "sorted", "Difference of every segment, sorted"
    )
    if chosen is not None:
        links.open_segment(int(chosen[0]))
with right:
    chosen = widgets.clicked(figures.difference_histogram(delta), "histogram", "How many segments differ by how much")
    if chosen is not None:
        links.open_differences((float(chosen[0]), float(chosen[1])))
widgets.html(verdicts.differences_note(delta, looks))

documents = comparison.document_differences(view.test_set, view.evaluation, pair)
if documents is None:
    st.caption("This test set has no documents. XML files bring them along, or a file with one document name a line.")
    st.stop()
every = len(documents.names) <= comparison.MAX_DOCUMENTS or st.toggle(
    f"Show all {len(documents.names)} documents", key="all_documents"
)
shown = documents if every else documents.extremes()
chosen = widgets.clicked(
    figures.document_differences_figure(shown.names, shown.delta, shown.sizes),
    "documents",
    "Difference of each document's score",
)
if chosen is not None:
    links.open_document(shown.names[int(chosen[0])])
st.caption("Click a bar or a document to read its segments.")
