"""Segments: find one, read it, see what matched."""

from dataclasses import replace
from functools import partial

import streamlit as st
from markupsafe import Markup

from bleucore.counts import Ints
from bleuscope.content import commands
from bleuscope.content.comparison import screen_reader
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.ngrams.ngram_tables import of_address
from bleuscope.content.segments import highlights, reading_keys, reading_list, segment_sheets
from bleuscope.content.segments.highlights import SegmentView
from bleuscope.content.segments.segment_notes import segments_by_tag
from bleuscope.content.segments.segment_queries import SegmentQuery
from bleuscope.shell.analysis import findings_panel
from bleuscope.shell.controls import exports, widgets
from bleuscope.shell.page.error_spans import marked_errors
from bleuscope.shell.page.frame import open_view
from bleuscope.shell.page.reproduction import command_note
from bleuscope.shell.segments import (
    beside_segments,
    blind_mode,
    marks_panel,
    segment_charts,
    segment_downloads,
    segment_filters,
    segment_list,
    segment_notes,
    segment_panels,
    segment_reading,
)
from bleuscope.shell.segments.selection_panel import selection_panel
from bleuscope.shell.server.session_lock import turn
from bleuscope.shell.state import blind_state, cached, links, open_annotations, session
from bleuscope.shell.state.page_list import READING

OTHERS = "_drawn_beside"


@st.fragment(key=READING)
def reading(view: ComparisonContext, query: SegmentQuery, rows: Ints) -> None:
    """The list and the open segment: what is drawn anew, alone, when another segment is opened.

    The rest of the page takes longer, and changes with filters, systems, options and what is said of segments only.
    When A and B are swapped, it follows what is read.
    """
    with turn(), st.container(key="reading"):
        if segment_reading.is_swapped(view):
            view = view.swapped()
            query, rows = segment_filters.found(view, query)
        if len(rows):
            _read(view, query, rows)
    if links.next_pair() is not None:
        segment_reading.draw_the_rest()


def _read(view: ComparisonContext, query: SegmentQuery, rows: Ints) -> None:
    _draw_all_if_others_changed(view)
    blind = blind_state.state_of(view)
    if blind is None or blind.is_over:
        draw, write = partial(_draw_open, view, query, len(rows)), partial(_marked, query=query)
        segment_list.read_list(view, rows, query, draw, write)
        return
    segment_list.read_one(view, rows, partial(_draw_blindly, view, query, blind, rows))


def _draw_open(view: ComparisonContext, query: SegmentQuery, n_found: int, segment: int) -> None:
    """The open segment with its marks, scores and notes."""
    widgets.say(screen_reader.segment_words(view, segment, n_found, is_blind=False))
    _draw_texts(view, query, segment)
    segment_panels.draw(view, segment)
    segment_notes.note_inputs(view, segment)
    sheet = segment_sheets.one_segment_sheet(view, segment, segment_reading.segment_view(view, segment).systems)
    exports.shown_table(sheet, view.looks, is_part_of_fragment=True)


def _draw_blindly(
    view: ComparisonContext, query: SegmentQuery, blind: blind_state.BlindState, rows: Ints, segment: int
) -> None:
    """The open segment without names and scores."""
    widgets.say(screen_reader.segment_words(view, segment, len(rows), is_blind=True))
    _draw_texts(view, query, segment, blind.trial.sides(segment))
    blind_mode.preference_inputs(blind, segment, rows, has_keys=segment_reading.has_keys())
    segment_notes.note_inputs(view, segment)


def _draw_texts(
    view: ComparisonContext, query: SegmentQuery, segment: int, sides: tuple[str, str] | None = None
) -> None:
    shown = _shown(view, query, segment, sides)
    legend = highlights.legend_html(
        view.evaluation.options.max_order,
        compares=view.compares,
        marks_references=shown.reference_matches is not None,
        is_blind=sides is not None,
        layers=shown.layers,
        boxes_ngram=bool(shown.ngram),
        has_errors=shown.shown_errors is not None,
    )
    widgets.html(legend + reading_list.open_html(segment, cached.segment_html(view, shown)))


def _marked(view: ComparisonContext, segment: int, *, query: SegmentQuery) -> Markup:
    """The texts of a segment with their marks."""
    return cached.segment_html(view, _shown(view, query, segment))


def _shown(
    view: ComparisonContext, query: SegmentQuery, segment: int, sides: tuple[str, str] | None = None
) -> SegmentView:
    return replace(segment_reading.segment_view(view, segment, sides), ngram=of_address(query.ngram))


def _draw_all_if_others_changed(view: ComparisonContext) -> None:
    """What is said of a segment here is shown elsewhere on the page too."""
    others = (open_annotations.work_on(view.test_set), open_annotations.has_unsaved())
    if session.get(OTHERS, others) != others:
        session.drop(OTHERS)
        st.rerun()
    session.put(OTHERS, others)


view = open_view()
session.drop(OTHERS)  # all is drawn
segment_list.forget_what_was_sent()
beside_segments.look_up(view)
segment_charts.follow_click()

widgets.heading("Find segments")
with st.container(key="controls"):
    widgets.html(reading_keys.drawer_head(is_for_phones=True))
    with st.container(key="asking"):
        *fields, brushes, opener = st.columns([4, 6, 6, 7, 5], vertical_alignment="center")
    with st.container(key="drawer"):
        widgets.html(reading_keys.drawer_head())
        brushed_too, further, looks = st.container(), st.container(), st.container()
with opener:
    widgets.html(reading_keys.drawer_button())
widgets.html(reading_keys.drawer_button(is_for_phones=True))
with looks:
    blind = segment_reading.reading_inputs(view)
is_blind = blind is not None and not blind.is_over
tagged = segments_by_tag(segment_notes.notes_of(view))
asked = segment_filters.query_inputs(view, tagged, findings_panel.flags(view), (*fields, further))
segment_filters.chips(view, asked)
if not is_blind:
    segment_charts.range_charts(view, asked, (brushes, brushed_too))
if blind is not None and blind.is_over:
    blind_mode.result_panel(blind)
query, rows = segment_filters.found(view, asked)
if not len(rows):
    st.info("No segment fits this filter. Change the text, or clear the filter.")
    st.stop()
if not is_blind:
    segment_list.found_row(view, rows, query)
reading(view, query, rows)
with st.container(key="key-line"):
    segment_reading.key_line(is_blind=is_blind, can_swap=view.compares)
if is_blind:
    segment_notes.kept_notes(view)
    st.stop()
with st.container(key="whole"):
    widgets.heading("The list as a whole")
segment_list.order_note(view, rows)
segment_charts.questions(view, asked)
segment_charts.charts(view, rows)
as_corpus = selection_panel(view, rows, by_score=query.looks_at_scores)
marks_panel.marks_panel(view, segment_charts.ask)
segment_downloads.segment_scores(view)
segment_notes.kept_notes(view)
marked = marked_errors(view)
command_note(
    view,
    partial(
        commands.segments_command,
        query=query,
        as_corpus=as_corpus,
        judgements=None if marked is None else marked.judgements.file,
    ),
    of_two=True,
)
