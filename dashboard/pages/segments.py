"""Segments: find one, read it, see what matched."""

from dataclasses import replace
from functools import partial

import streamlit as st

from bleucore.counts import Ints
from dashboard.content import commands
from dashboard.content.comparison.study import Study
from dashboard.content.ngrams.ngram_tables import of_address
from dashboard.content.segments import highlights, segment_sheets
from dashboard.content.segments.segment_notes import segments_by_tag
from dashboard.content.segments.segment_queries import SegmentQuery
from dashboard.shell.analysis import findings_panel
from dashboard.shell.controls import exports, widgets
from dashboard.shell.page.frame import open_view
from dashboard.shell.page.reproduction import command_note
from dashboard.shell.segments import (
    blind_mode,
    segment_charts,
    segment_downloads,
    segment_filters,
    segment_list,
    segment_notes,
    segment_reading,
)
from dashboard.shell.segments.selection_panel import selection_panel
from dashboard.shell.server.turns import turn
from dashboard.shell.state import kept, session

OTHERS = "_drawn_beside"


@st.fragment
def reading(view: Study, query: SegmentQuery, rows: Ints) -> None:
    """The list and the open segment: what is drawn anew, alone, when another segment is opened.

    The rest of the page takes longer, and changes with filters, systems, options and what is said of segments only.
    """
    with turn():
        _read(view, query, rows)


def _read(view: Study, query: SegmentQuery, rows: Ints) -> None:
    _draw_all_if_others_changed(view)
    blind = blind_mode.state_of(view)
    is_blind = blind is not None and not blind.is_over
    segment = segment_list.choose_segment(view, rows, query, is_listed=not is_blind)
    sides = blind.trial.sides(segment) if blind is not None and is_blind else None
    shown = replace(segment_reading.reading_inputs(view, segment, sides), ngram=of_address(query.ngram))
    widgets.html(
        highlights.legend_html(
            view.evaluation.options.max_order,
            compares=view.compares,
            marks_references=shown.reference_matches is not None,
            is_blind=is_blind,
            layers=shown.layers,
            boxes_ngram=bool(shown.ngram),
        )
    )
    widgets.html(highlights.segment_html(view.test_set, view.evaluation, shown, view.looks))
    if blind is not None and is_blind:
        blind_mode.preference_inputs(blind, segment, rows)
    segment_notes.note_inputs(view, segment)
    if not is_blind:
        sheet = segment_sheets.one_segment_sheet(view, segment, shown.systems)
        exports.shown_table(sheet, view.looks, is_part_of_fragment=True)


def _draw_all_if_others_changed(view: Study) -> None:
    """A click here can order the list, swap the systems, or say something of a segment: others show that too."""
    chosen = (session.get(key) for key in ("sort", "a", "b"))
    others = (*chosen, kept.work_on(view.test_set), kept.has_unsaved())
    if session.get(OTHERS, others) != others:
        session.drop(OTHERS)
        st.rerun()
    session.put(OTHERS, others)


view = open_view()
session.drop(OTHERS)  # all is drawn

filters, aside = st.columns([12, 4], vertical_alignment="bottom")
with aside:
    blind = blind_mode.blind_input(view)
with filters:
    query = segment_filters.query_inputs(
        view, segments_by_tag(segment_notes.notes_of(view)), findings_panel.flags(view)
    )
if blind is not None and blind.is_over:
    blind_mode.result_panel(blind)
rows = segment_filters.found(view, query)
if not len(rows):
    st.info("No segment fits this filter. Change the text, or clear the filter.")
    st.stop()
reading(view, query, rows)
if blind is not None and not blind.is_over:
    st.stop()
segment_list.order_note(view, rows)
segment_charts.questions(view, query)
segment_charts.charts(view, rows)
as_corpus = selection_panel(view, rows, by_score=query.looks_at_scores)
segment_downloads.segment_scores(view)
command_note(view, partial(commands.segments_command, query=query, as_corpus=as_corpus), of_two=True)
