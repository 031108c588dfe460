"""Compare: two systems, where their difference comes from, and in which segments and documents they differ."""

from functools import partial

import streamlit as st

from dashboard.content import attribution_figures, attribution_words, commands, comparison, figures, verdicts
from dashboard.content.figures import PART_OF_DIFFERENCE, SCORE_DIFFERENCE
from dashboard.content.sheets import analysis
from dashboard.shell import cached, links, widgets
from dashboard.shell.exports import export_menu
from dashboard.shell.frame import open_view
from dashboard.shell.reproduction import command_note

view = open_view()
pair = view.pair
looks = (view.looks[pair[0]], view.looks[pair[1]])

if pair[0] == pair[1]:
    st.info("It takes two different systems to see where they differ.")
    st.stop()
widgets.html(verdicts.comparison_headlines(view.evaluation, looks))

attribution = cached.attribution(view.evaluation, pair)
widgets.html(attribution_words.attribution_verdict(attribution))
if attribution.reason is None:
    left, right = st.columns(2, gap="large")
    with left:
        waterfall = attribution_figures.waterfall_figure(attribution, view.looks)
        widgets.chart(waterfall, "waterfall", "What each ingredient of BLEU adds to the difference")
        st.caption(attribution_words.WATERFALL_CAPTION)
        export_menu(partial(analysis.attribution_sheet, attribution, view.evaluation), "attribution")
    with right:
        curve = attribution_figures.concentration_figure(attribution)
        widgets.chart(curve, "concentration", "Parts of the segments added up")
        st.caption(attribution_words.CONCENTRATION_CAPTION)
        export_menu(partial(analysis.concentration_sheet, attribution, view.evaluation), "concentration")

by_parts = widgets.difference_basis(can_divide=attribution.reason is None)
quantity = PART_OF_DIFFERENCE if by_parts else SCORE_DIFFERENCE
delta = comparison.segment_differences(view.evaluation, pair)
texts = view.test_set.source or view.test_set.references[0]
left, right = st.columns([3, 2], gap="large")
with left:
    values = attribution.segments if by_parts else delta
    bars = figures.segment_differences_figure(values, texts, quantity)
    chosen = widgets.clicked(bars, f"sorted-{quantity.name}", f"{quantity.axis} of every segment, sorted")
    if chosen is not None:
        links.open_segment(int(chosen[0]))
    parts = None if attribution.reason is not None else attribution.segments
    export_menu(partial(analysis.differing_segments_sheet, view, values, parts), "segments")
with right:
    chosen = widgets.clicked(figures.difference_histogram(delta), "histogram", "How many segments differ by how much")
    if chosen is not None:
        links.open_differences((float(chosen[0]), float(chosen[1])))
widgets.html(verdicts.differences_note(delta, looks))
if attribution.reason is None:
    widgets.html(attribution_words.disagreement_note(attribution.segments, delta))
    st.caption(attribution_words.PARTS_CAPTION.markdown())

documents = comparison.document_differences(view.test_set, view.evaluation, pair, attribution if by_parts else None)
if documents is None:
    st.caption("This test set has no documents. XML files bring them along, or a file with one document name a line.")
    command_note(view, commands.pair_command)
    st.stop()
every = len(documents.names) <= comparison.MAX_DOCUMENTS or st.toggle(
    f"Show all {len(documents.names)} documents", key="all_documents", bind="query-params", persist_state="session"
)
shown = documents if every else documents.extremes()
chosen = widgets.clicked(
    figures.document_differences_figure(shown.names, shown.delta, shown.sizes, quantity),
    f"documents-{quantity.name}",
    f"{quantity.axis} of each document",
)
if chosen is not None:
    links.open_document(shown.names[int(chosen[0])])
export_menu(partial(analysis.documents_sheet, view, attribution), "documents")
st.caption("Click a bar or a document to read its segments.")
command_note(view, commands.pair_command)
