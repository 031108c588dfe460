"""At the foot of a page: the command that gives its numbers, and on Scores what to write into a paper."""

from collections.abc import Callable

import streamlit as st

from bleuscope.content import commands
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.paper import methods
from bleuscope.runtime import params
from bleuscope.shell.controls import widgets
from bleuscope.shell.page.study_tests import StudyTests
from bleuscope.shell.state import links

LABEL = "The command that gives these numbers"
BIBLIOGRAPHY_HEIGHT = 320


def command_note(
    view: ComparisonContext,
    make: Callable[[ComparisonContext], str],
    *said: str,
    with_metrics: bool = True,
    of_two: bool = False,
) -> None:
    """The command in a panel that is closed at first, with what it does not say.

    Args:
        view: What the page shows.
        make: Makes the command, as the functions of ``commands`` do.
        said: Sentences about this page.
        with_metrics: Whether the command computes more metrics.
        of_two: Whether it is about the systems A and B; no command takes the same one twice.
    """
    if of_two and not view.compares and len(view.evaluation.names) > 1:
        return
    is_upload = links.is_upload(view.loaded.origin)
    with st.expander(LABEL, icon=":material/terminal:"):
        widgets.copyable(make(view))
        for sentence in (*said, *commands.remarks(view, is_upload=is_upload, with_metrics=with_metrics)):
            st.caption(widgets.plain(sentence))


def paper_note(view: ComparisonContext) -> None:
    """What was computed in a few sentences, with the bibliography."""
    panel = st.expander("For your paper", icon=":material/article:", **params.PAPER.panel())
    if not panel.open:
        return
    shown = StudyTests(view).all_made()
    with panel:
        st.code(methods.methods_sentence(shown), language=None, wrap_lines=True)
        st.code(methods.bibtex(shown), language=None, wrap_lines=True, height=BIBLIOGRAPHY_HEIGHT)
