"""At the foot of a page: the command that gives its numbers, and on Scores what to write into a paper."""

from collections.abc import Callable

import streamlit as st

from dashboard.content import commands, methods
from dashboard.content.commands import Subject
from dashboard.shell import links, widgets
from dashboard.shell.frame import View, study

LABEL = "The command that gives these numbers"
BIBLIOGRAPHY_HEIGHT = 320


def command_note(
    view: View, make: Callable[[Subject], str], *said: str, with_metrics: bool = True, of_two: bool = False
) -> None:
    """The command in a panel that is closed at first, with what it does not say.

    Args:
        view: What the page shows.
        make: Makes the command, as the functions of ``commands`` do.
        said: Sentences about this page.
        with_metrics: Whether the command computes further metrics.
        of_two: Whether it is about the systems A and B; no command takes the same one twice.
    """
    subject = subject_of_view(view)
    if of_two and subject.pair[0] == subject.pair[1] and len(subject.systems) > 1:
        return
    is_upload = links.is_upload(view.loaded.origin)
    with st.expander(LABEL, icon=":material/terminal:"):
        st.code(make(subject), language=None, wrap_lines=True)
        for sentence in (*said, *commands.remarks(subject, is_upload=is_upload, with_metrics=with_metrics)):
            st.caption(widgets.plain(sentence))


def paper_note(view: View) -> None:
    """What was computed in two sentences, with the bibliography."""
    panel = st.expander(
        "For your paper", icon=":material/article:", key="paper", on_change="rerun", bind="query-params"
    )
    if not panel.open:
        return
    shown = study(view)
    with panel:
        st.code(methods.methods_sentence(shown), language=None, wrap_lines=True)
        st.code(methods.bibtex(shown), language=None, wrap_lines=True, height=BIBLIOGRAPHY_HEIGHT)


def subject_of_view(view: View) -> Subject:
    """What commands about a page are about."""
    others = view.evaluation.further_metrics
    calls = dict(zip(view.test_set.system_names, _names_in_commands(view), strict=True))
    return Subject(
        view.loaded.inputs,
        tuple(calls.values()),
        view.evaluation.options,
        tuple(metric.options for metric in others),
        view.significance,
        calls[view.baseline],
        (calls[view.pair[0]], calls[view.pair[1]]),
    )


def _names_in_commands(view: View) -> tuple[str, ...]:
    """How a command knows the systems: by their names, or by their files where names were given by hand."""
    if view.loaded.inputs.is_complete:
        return view.test_set.system_names
    if view.as_read.inputs.is_complete:
        return view.as_read.test_set.system_names
    return tuple(system.file or system.name for system in view.test_set.systems)
