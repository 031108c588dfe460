"""What the checks found: on the page of the test set, and as an alarm beside scores."""

from collections.abc import Sequence

import streamlit as st
from markupsafe import Markup

from bleucore.checks import SEVERITIES, Finding
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.findings import finding_words as words
from bleuscope.content.findings.finding_sheets import findings_sheet
from bleuscope.content.style import numbers
from bleuscope.runtime.memo_cache import BackgroundTask
from bleuscope.shell.controls import widgets
from bleuscope.shell.controls.exports import export_menu
from bleuscope.shell.state import cached, links

MOST_ALIKE = 2
"""Findings of one check that stand one below the other; of more, all but the first unfold. Errors are never folded."""


def findings_panel(view: ComparisonContext) -> None:
    """Every finding with what to do, and the way to its segments; before they are known, that they are not."""
    work = _findings(view)
    if work.is_done:
        _found_panel(view, work.value())
    else:
        st.caption(words.NOT_KNOWN)
    st.caption(words.ALL_CHECKS)


def flags(view: ComparisonContext) -> tuple[str, ...]:
    """What segments can be filtered by: the findings, where they are known or the address names one."""
    work = _findings(view)
    if work.is_done or links.names_flag():
        found = widgets.waited_for("Looking for the segments of the finding …", work)
        return tuple(words.flagged_segments(found))
    return ()


def _found_panel(view: ComparisonContext, found: Sequence[Finding]) -> None:
    named = words.named_findings(found)
    widgets.html(words.findings_verdict(found))
    for severity in SEVERITIES:
        of_severity = [(name, finding) for name, finding in named if finding.severity == severity]
        if of_severity:
            widgets.html(Markup('<h3 class="bs-list-title">{}</h3>').format(words.HEADINGS[severity]))
        for alike in words.by_check(of_severity):
            n_shown = len(alike) if severity == "error" or len(alike) <= MOST_ALIKE else 1
            _show(view, alike[:n_shown], alike[0])
            if alike[n_shown:]:
                label = words.more_label([finding for _, finding in alike[n_shown:]])
                with st.expander(widgets.plain(label), key=f"more-{alike[0][1].check}-{severity}"):
                    _show(view, alike[n_shown:], alike[0])
    if found:
        export_menu(lambda: findings_sheet(found, view.test_set, view.evaluation), "checks")


def _findings(view: ComparisonContext) -> BackgroundTask[tuple[Finding, ...]]:
    return cached.findings(view.test_set, view.evaluation.options.tokenizer)


def _show(view: ComparisonContext, named: Sequence[words.NamedFinding], first: words.NamedFinding) -> None:
    for name, finding in named:
        above = first[1] if finding is not first[1] else None
        text, button = st.columns([8, 2], vertical_alignment="center")
        with text:
            widgets.html(words.finding_card(finding, words.effects_of(view.evaluation, finding), above))
        with button:
            if len(finding.segments) and st.button(
                f"Show {numbers.counted(len(finding.segments), 'segment')}",
                key=f"show-{name}",
                width="stretch",
            ):
                links.open_flag(name)
