"""What the checks found: on the page of the test set, and as an alarm beside scores."""

from collections.abc import Sequence

import streamlit as st

from bleucore import TestSet
from bleucore.checks import CHECKS, SEVERITIES, Finding
from bleuscope.content.comparison.study import Study
from bleuscope.content.findings import finding_words as words
from bleuscope.content.findings.finding_sheets import findings_sheet
from bleuscope.content.style import numbers
from bleuscope.shell.controls import widgets
from bleuscope.shell.controls.exports import export_menu
from bleuscope.shell.state import cached, links

MOST_ALIKE = 2
"""Findings of one check that stand one below the other; of more, all but the first unfold. Errors are never folded."""
QUICK_TEXTS = 60_000
"""So many texts are checked within a few seconds, without being asked."""
INSTANT_TEXTS = 4_000
"""So many are checked before the scores are shown; of more the scores come first."""


def findings_panel(view: Study) -> None:
    """Every finding with what to do, and the way to its segments."""
    found = known_findings(view)
    named = words.named_findings(found)
    widgets.html(words.findings_verdict(found))
    for severity in SEVERITIES:
        of_severity = [(name, finding) for name, finding in named if finding.severity == severity]
        if of_severity:
            st.markdown(f"**{words.HEADINGS[severity]}**")
        for alike in words.by_check(of_severity):
            n_shown = len(alike) if severity == "error" or len(alike) <= MOST_ALIKE else 1
            _show(view, alike[:n_shown])
            if alike[n_shown:]:
                label = words.more_label([finding for _, finding in alike[n_shown:]])
                with st.expander(widgets.plain(label), key=f"more-{alike[0][1].check}-{severity}"):
                    _show(view, alike[n_shown:])
    if found:
        export_menu(lambda: findings_sheet(found, view.test_set, view.evaluation), "checks")
    with st.expander(f"What is looked for: {len(CHECKS)} checks", key="checks"):
        st.markdown("\n".join(f"- **{name}**: {one.explanation}" for name, one in CHECKS.items()))


def findings_beside_scores(view: Study) -> tuple[Finding, ...]:
    """What is wrong with the scores of a view: of the texts only what is known or found out at once."""
    if are_there(view.test_set) or n_texts(view.test_set) <= INSTANT_TEXTS:
        return known_findings(view)
    return cached.scoring_findings(view.test_set, view.evaluation.options.tokenizer)


def are_there(test_set: TestSet) -> bool:
    """Whether the texts were checked already."""
    return cached.is_checked(test_set)


def come_later(test_set: TestSet) -> bool:
    """Whether the findings of these texts stand beside scores, but are found only once the scores are shown."""
    return INSTANT_TEXTS < n_texts(test_set) <= QUICK_TEXTS


def flags(view: Study) -> tuple[str, ...]:
    """What segments can be filtered by: the findings, where they are known or the address names one."""
    if is_known(view.test_set) or links.names_flag():
        return tuple(words.flagged_segments(known_findings(view)))
    return ()


def is_known(test_set: TestSet) -> bool:
    """Whether the findings are there, or there so soon that nobody waits."""
    return are_there(test_set) or n_texts(test_set) <= QUICK_TEXTS


def known_findings(view: Study) -> tuple[Finding, ...]:
    """Every finding; where the texts have to be checked first, that shows its progress."""
    work = cached.findings(view.test_set, view.evaluation.options.tokenizer)
    return widgets.waited_for("Checking the texts …", work)


def n_texts(test_set: TestSet) -> int:
    """How many outputs there are to check."""
    return test_set.n_segments * len(test_set.systems)


def _show(view: Study, named: Sequence[words.NamedFinding]) -> None:
    for name, finding in named:
        text, button = st.columns([8, 2], vertical_alignment="center")
        with text:
            widgets.html(words.finding_card(finding, words.effects_of(view.evaluation, finding)))
        with button:
            if len(finding.segments) and st.button(
                f"Show {numbers.counted(len(finding.segments), 'segment')}",
                key=f"show-{name}",
                width="stretch",
            ):
                links.open_flag(name)
