"""Significance: is a difference more than chance? Blocks as in Papineni et al. 2002, section 3."""

import streamlit as st

from dashboard.content import blocks, figures, tables
from dashboard.shell import widgets
from dashboard.shell.frame import open_view

view = open_view()

st.markdown(
    "The test set is cut into blocks of neighbouring segments and BLEU is computed for each block. If one system is "
    "ahead of another in nearly every block, the difference is hardly chance: the paired t-test puts a number on that."
)
layout = widgets.block_layout(view.test_set.n_segments)
analysis = blocks.analyse(view.evaluation, layout, view.baseline)
widgets.html(blocks.layout_note(layout))
test = blocks.pair_test(analysis, view.pair)
widgets.html(blocks.pair_verdict(test))
widgets.html(tables.blocks_table(analysis.rows, view.looks))
widgets.html(blocks.missing_tests_note(analysis))
st.caption(
    "Systems from the lowest to the highest corpus score. *Left* is the system one row above, which scores next lower, "
    "as the left neighbour in Papineni et al. 2002, Table 2. p-values are two-sided and not corrected for the number "
    "of comparisons. Neighbours in a ranking were chosen by the same scores that are tested, which makes their "
    "p-values a little too small: prefer a baseline that you chose beforehand."
)
if view.pair[0] != view.pair[1]:
    widgets.chart(figures.block_differences_figure(test, layout), "block-differences", "Paired block differences")
widgets.chart(
    figures.block_scores_figure(analysis.summaries, layout, view.looks), "block-scores", "Score of each block by system"
)
