"""Segments: find one, read it, see what matched."""

import streamlit as st

from dashboard.content import highlights
from dashboard.shell import cached, segment_list, widgets
from dashboard.shell.frame import open_view

view = open_view()
pair = view.pair
looks = (view.looks[pair[0]], view.looks[pair[1]])

query = segment_list.query_inputs(view.test_set)
rows = cached.found_segments(view.test_set, view.evaluation, pair, query)
if not len(rows):
    st.info("No segment fits this filter. Change the text, or clear the filter.")
    st.stop()
segment = segment_list.choose_segment(view.test_set, view.evaluation, pair, rows)

layers = segment_list.layers(view.test_set, pair)
widgets.html(highlights.legend_html(view.evaluation.options.max_order, compares=pair[0] != pair[1]))
shown = highlights.SegmentView(segment, pair, layers.others, layers.reference_matches)
widgets.html(highlights.segment_html(view.test_set, view.evaluation, shown, view.looks))
widgets.html(
    highlights.segment_scores_table(view.evaluation, segment, tuple(dict.fromkeys((*pair, *layers.others))), view.looks)
)
