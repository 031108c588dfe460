"""The segments found, taken as a test set of their own: scores and tests of the selection."""

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.comparison.differences import Selection
from bleuscope.content.significance import significance_words
from bleuscope.content.significance.significance_sheets import selection_sheet
from bleuscope.content.significance.study_verdict import verdict_on
from bleuscope.content.significance.verdict_words import verdict_text
from bleuscope.content.style import numbers
from bleuscope.runtime import params
from bleuscope.shell.controls import widgets
from bleuscope.shell.controls.exports import shown_table
from bleuscope.shell.page.study_tests import StudyTests

NOT_SCORED = "The file has no scores of a system in these segments. Take more segments, or another metric."


def selection_panel(view: ComparisonContext, rows: NDArray[np.int64], *, by_score: bool) -> bool:
    """Scores and tests of some segments, computed when the panel is opened.

    Args:
        view: What the page shows.
        rows: The segments, from 0.
        by_score: Whether scores decided which.

    Returns:
        Whether it is open.
    """
    label = f"Scores and tests of the {numbers.counted(len(rows), 'segment')} found"
    panel = st.expander(label, **params.SELECTION.panel())
    if not panel.open:
        return False
    metric = view.metric.metric
    if not all(metric.has_scores(result.counts[rows].sum(axis=0)) for result in view.metric.systems.values()):
        panel.info(NOT_SCORED)
        return False
    selection = Selection.of(rows, by_score=by_score)
    tests = StudyTests(view)
    with panel:
        tests.offer_all_pairs([view.metric])
    tested, with_all = (asked(view.metric, selection) for asked in (tests.shown, tests.with_every_system))
    with panel:
        if view.compares:
            widgets.html(verdict_text(verdict_on(tested, view.metric, view.pair, view.findings, design=view.design)))
        shown_table(selection_sheet(with_all, view.measured_against, view.evaluation, view.metric), view.looks)
        shown = with_all.against(view.measured_against).values()
        widgets.html(significance_words.method_note(with_all, shown))
    return True
