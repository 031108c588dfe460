"""The panels of the first screen: all systems at a glance, why one is ahead, and segments that show it."""

import numpy as np
import streamlit as st
from markupsafe import Markup

from bleuscope.content.comparison.comparison_context import ComparisonContext, TestedStudy
from bleuscope.content.overview import overview_words as words
from bleuscope.content.overview.forest import forest_html
from bleuscope.content.scores.score_sheets import orders_sheet, systems_sheet
from bleuscope.content.segments import reading_list
from bleuscope.content.sheets.builders import columns_of
from bleuscope.content.sheets.html import html_table
from bleuscope.content.style.markup import sides_html
from bleuscope.content.style.sentences import Sentence, Text, paragraph
from bleuscope.content.style.terms import explaining
from bleuscope.registry import Reasons, load, own_features
from bleuscope.shell.controls import widgets
from bleuscope.shell.controls.exports import export_menu
from bleuscope.shell.page.study_tests import StudyTests
from bleuscope.shell.state import cached, links

GO_ON = ":material/arrow_forward:"
MANY_SEGMENTS = 5_000
"""Reasons of more take long enough to be waited for."""


def systems_panel(view: ComparisonContext, tested: TestedStudy | None) -> None:
    """Every system with its difference drawn; of a single one what its score is made of."""
    shown = tested or view
    widgets.heading("All systems" if len(view.looks) > 1 else "Its precisions")
    if view.compares:
        widgets.html(forest_html(systems_sheet(shown), view.looks))
        with st.container(horizontal=True, vertical_alignment="center"):
            if st.button("All about the scores", type="tertiary", icon=GO_ON):
                links.go_to("scores")
            export_menu(lambda: systems_sheet(shown), "systems")
        return
    orders = orders_sheet(view.evaluation)
    keys = [one.key for one in orders.fields if one.key.startswith("precision")]
    widgets.html(html_table(columns_of(orders, ["system", *keys], title=orders.title), view.looks))
    if st.button("All about the scores", type="tertiary", icon=GO_ON):
        links.go_to("scores")


def reasons_panel(shown: ComparisonContext) -> None:
    """Why one is ahead: ingredients, segments, documents, and kinds of errors to click."""
    if not shown.compares:
        heading("Where it loses BLEU")
        _found_reasons(shown)
        return
    heading(words.why_heading(shown))
    attribution = cached.attribution(shown.evaluation, shown.evaluation.bleu, shown.pair)
    said = (
        words.ingredients_words(shown, attribution),
        words.balance_words(shown),
        words.documents_words(attribution, shown.test_set.documents),
    )
    reasons = Text(tuple(paragraph("bs-reason", "{}", one) for one in said if one))
    widgets.html(explaining(reasons, "n-grams", "brevity penalty", "segments"))
    _found_reasons(shown)
    if st.button("What makes the difference", type="tertiary", icon=GO_ON):
        links.choose_pair(shown.pair)
        links.go_to("compare")


def has_reasons(shown: ComparisonContext) -> bool:
    """Whether what features know of reasons is there, or found so soon that nobody waits."""
    is_long = StudyTests(shown).take_long or shown.test_set.n_segments > MANY_SEGMENTS
    return not is_long or all(load(one.work)(shown).is_done for one in _reasons())


def wait_for_reasons(shown: ComparisonContext) -> None:
    """Have reasons found, with the progress in sight."""
    for one in _reasons():
        widgets.waited_for(one.label, load(one.work)(shown))


def _found_reasons(shown: ComparisonContext) -> None:
    """What features know of reasons; what is being done where that takes long."""
    if not has_reasons(shown):
        widgets.html(paragraph("bs-reason", "{}", _reasons()[0].label))
        return
    for one in _reasons():
        load(one.draw)(shown, widgets.waited_for(one.label, load(one.work)(shown)))


def _reasons() -> list[Reasons]:
    return [feature.reasons for feature in own_features() if feature.reasons is not None]


def segments_panel(shown: ComparisonContext) -> None:
    """Segments that show the difference, as in the list of all, and the way to these."""
    parts = cached.segment_parts(shown.evaluation, shown.evaluation.bleu, shown.pair) if shown.compares else None
    rows = words.telling_segments(shown, parts)
    if not rows:
        return
    heading(words.segments_heading(shown))
    if shown.compares:
        widgets.html(sides_html(shown.looks, shown.pair))
    drawn = reading_list.row_htmls(shown, np.array(rows), 1, parts, reading_list.ListView())
    for row, html in zip(rows, drawn, strict=True):
        with st.container(horizontal=True, vertical_alignment="top", key=f"shown-segment-{row}"):
            widgets.html(reading_list.list_html([html]))
            if st.button(f"Open #{row + 1}", key=f"open-{row}", type="tertiary"):
                _choose(shown)
                links.open_segment(row)
    if st.button("Read all segments", type="tertiary", icon=GO_ON):
        _choose(shown)
        links.go_to("segments")


def heading(said: str | Sentence) -> None:
    """The heading of a panel."""
    widgets.html(Markup('<h2 class="bs-list-title">{}</h2>').format(said))


def _choose(shown: ComparisonContext) -> None:
    """Make the systems of this page A and B of the next."""
    if shown.compares:
        links.choose_pair(shown.pair)
