"""The segments found: a list to read, and the way from one open segment to the next."""

import re
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import streamlit as st
from markupsafe import Markup

from bleucore.counts import Floats, Ints
from bleuscope.content.attribution import attribution_words
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.comparison.differences import segment_differences
from bleuscope.content.ngrams.ngram_tables import of_address
from bleuscope.content.segments import reading_list, segment_sheets
from bleuscope.content.segments.reading_list import ROWS_PER_PAGE
from bleuscope.content.segments.segment_queries import SegmentQuery, found_words, unit_of
from bleuscope.content.style import numbers
from bleuscope.runtime import params
from bleuscope.shell.controls import exports, widgets
from bleuscope.shell.segments import beside_segments, exchanged_sides, segment_notes, segment_reading
from bleuscope.shell.state import cached, session

NUMBER_WIDTH = 150
ROWS_PER_PIECE = 5
OPEN_AND_LIST = "_open_and_list"
LISTED = "_listed"
GO = "_go"
NOTHING = Markup()
ASKED_PLACE = re.compile(r"(\d{1,9})\.\d+")
"""What the browser writes into the field ``GO``: a place among those found, from 1, or 0 to close; and a number that
makes every press a new value."""


def read_list(
    view: ComparisonContext,
    rows: Ints,
    query: SegmentQuery,
    draw_open: Callable[[int], None],
    write_texts: Callable[[ComparisonContext, int], Markup],
) -> None:
    """A page of the segments found, and the open one in the place of its row.

    Args:
        view: What the page shows.
        rows: The segments found.
        query: That found them.
        draw_open: Draws a segment (from 0).
        write_texts: The texts of a segment (from 0) with their marks, as a study shows them.
    """
    words = found_words(query, len(rows), view.test_set.n_segments, unit_of(view.metric))
    _leave_if_filtered_out(rows)
    with st.container(horizontal=True, vertical_alignment="center", key="found"):
        st.caption(widgets.plain(words), help=reading_list.NUMBERS_HELP)
        segment = _segment_input(view.test_set.n_segments)
        exports.part_of_fragment(
            partial(segment_sheets.segments_sheet, view, rows, _parts(view), view.metric, chosen=words), "segments"
        )
    _turn_to(segment, rows)
    list_slot = st.container(gap=None, key="reading-list")
    page = st.pagination(-(-len(rows) // ROWS_PER_PAGE), **params.PAGE.bound())
    with list_slot:
        _listing(view, rows, query, segment, page, draw_open)
    for_browser = _ahead(view, rows, segment, write_texts) + _exchanged(view, rows, query, segment, page, write_texts)
    _browser_field(rows, segment, for_browser)


def read_one(view: ComparisonContext, rows: Ints, draw_open: Callable[[int], None]) -> None:
    """The open segment alone, the first one found unless another was chosen."""
    if session.get(params.SEGMENT) is None:
        _open_place(rows, 0)
    with st.container(horizontal=True, vertical_alignment="center"):
        segment = _segment_input(view.test_set.n_segments) or 0
        _steps(view, rows, segment)
    draw_open(segment)
    _browser_field(rows, segment)


def _listing(  # what the page shows and what is open
    view: ComparisonContext,
    rows: Ints,
    query: SegmentQuery,
    segment: int | None,
    page: int,
    draw_open: Callable[[int], None],
) -> None:
    """The rows of a page above the open segment, that segment, and the rows beneath it."""
    first = (page - 1) * ROWS_PER_PAGE
    shown = segment_reading.list_view(view, of_address(query.ngram))
    listed = cached.listed_rows(view, rows[first : first + ROWS_PER_PAGE], first + 1, shown)
    if segment is None:
        _in_pieces(listed, range(len(listed)))
        return
    place = _place(rows, segment)
    is_here = first <= place < first + len(listed)
    offset = place - first if is_here else 0
    _in_pieces(listed, range(offset))
    widgets.html(
        reading_list.list_html(
            [reading_list.open_head(view, segment, place + 1, _parts(view), beside_segments.marked())]
        )
    )
    with st.container(key="open-segment"):
        with st.container(horizontal=True, vertical_alignment="center"):
            _steps(view, rows, segment)
            segment_notes.report_button(view, segment)
            beside_segments.buttons(segment)
            names = segment_reading.segment_view(view, segment).systems
            exports.part_of_fragment(partial(segment_sheets.example_sheet, view, segment, names), "example")
            st.button("Close", icon=":material/close:", on_click=session.put, args=(params.SEGMENT, None), key="_close")
        draw_open(segment)
    _in_pieces(listed, range(offset + is_here, len(listed)))


def _in_pieces(listed: Sequence[Markup], places: range) -> None:
    """Some of the rows of a page, in pieces that stay as they are in the browser when the next segment is opened.

    A browser reads again what has changed only; as one piece the list takes it longer than the open segment does.
    """
    with st.container(gap=None):
        for start in range(0, ROWS_PER_PAGE, ROWS_PER_PIECE):
            piece = range(start, start + ROWS_PER_PIECE)
            widgets.html(reading_list.list_html([listed[place] for place in places if place in piece]))
            if start == 0:
                segment_reading.send_what_is_swapped()


def order_note(view: ComparisonContext, rows: Ints) -> None:
    """That the part of a segment and the difference of its scores are two things, and where they disagree."""
    if not view.compares:
        return
    attribution = cached.attribution(view.evaluation, view.metric, view.pair)
    if attribution.reason is not None:
        st.caption(
            f"{widgets.plain(attribution.reason)} Orders by contribution use the difference of the segment scores."
        )
        return
    delta = segment_differences(view.evaluation, view.pair, view.metric)
    st.caption(
        attribution_words.measures_note(attribution.segments[rows], delta[rows]),
        help=attribution_words.parts_caption(view.metric).markdown(),
    )


def _parts(view: ComparisonContext) -> Floats | None:
    """The part of each segment in the difference, where there are two systems and it can be divided."""
    return cached.segment_parts(view.evaluation, view.metric, view.pair) if view.compares else None


def _steps(view: ComparisonContext, rows: Ints, segment: int) -> None:
    """Buttons to the previous and the next segment found, and where the open one stands."""
    place = _place(rows, segment)
    st.button(
        "Previous", icon=":material/arrow_upward:", on_click=_open_place, args=(rows, place - 1), disabled=place <= 0
    )
    st.button(
        "Next",
        icon=":material/arrow_downward:",
        on_click=_open_place,
        args=(rows, place + 1),
        disabled=place + 1 >= len(rows),
    )
    st.caption(_position(place, len(rows), view.test_set.n_segments))


def _position(place: int, n_found: int, n_segments: int) -> str:
    """Where the open segment stands among those found, and how many these are."""
    found = numbers.counted(n_found, "segment") + " found"
    found += "" if n_found == n_segments else f", {numbers.count(n_segments)} in all"
    return f"not among the {found}" if place == n_found else f"{numbers.count(place + 1)} of {found}"


def _segment_input(n_segments: int) -> int | None:
    """The open segment, if there is one; any can be asked for by its number."""
    session.keep_number(params.SEGMENT, n_segments)
    value = st.number_input(
        "Segment",
        1,
        n_segments,
        None,
        placeholder="open #",
        label_visibility="collapsed",
        width=NUMBER_WIDTH,
        **params.SEGMENT.bound(),
    )
    return None if value is None else int(value) - 1


def _ahead(
    view: ComparisonContext, rows: Ints, segment: int | None, write_texts: Callable[[ComparisonContext, int], Markup]
) -> Markup:
    """The segment after the open one, for the browser to show before it is drawn; nothing after the last."""
    place = len(rows) if segment is None else _place(rows, segment) + 1
    if place >= len(rows):
        return Markup()
    following = int(rows[place])
    head = reading_list.open_head(view, following, place + 1, _parts(view), beside_segments.marked())
    return reading_list.ahead_html(place + 1, head, reading_list.open_html(following, write_texts(view, following)))


def _exchanged(  # what the page shows and what is open
    view: ComparisonContext,
    rows: Ints,
    query: SegmentQuery,
    segment: int | None,
    page: int,
    write_texts: Callable[[ComparisonContext, int], Markup],
) -> Markup:
    """What lets the browser show A and B exchanged at once, where that is what the page will draw."""
    first = (page - 1) * ROWS_PER_PAGE
    listed = rows[first : first + ROWS_PER_PAGE]
    heads = listed if segment is None else np.append(listed, segment)
    note = exchanged_sides.note_for_browser(
        view, query, rows, heads, segment_reading.list_view(view, of_address(query.ngram))
    )
    if segment is None or not note:
        return note
    return note + reading_list.exchanged_open_html(
        reading_list.open_html(segment, write_texts(view.swapped(), segment))
    )


def _browser_field(rows: Ints, segment: int | None, for_browser: Markup = NOTHING) -> None:
    """The hidden field by which the browser opens a place, and what it has to know for that.

    Rows that are clicked and keys that are held ask for places, not for steps: however many arrive while a page is
    drawn, the last one is right (``segments.js``).
    """
    place = 0 if segment is None else _place(rows, segment) + 1
    widgets.html(
        Markup('<span class="bs-place" data-place="{}" data-first="{}" data-found="{}"></span>').format(
            place, (int(session.get(params.PAGE) or 1) - 1) * ROWS_PER_PAGE + 1, len(rows)
        )
        + for_browser
    )
    with st.container(key="go"):
        st.text_input("Place", key=GO, max_chars=40, on_change=_go, args=(rows,), label_visibility="collapsed")


def _go(rows: Ints) -> None:
    """Open the place that the browser asks for, or close the open one; a callback."""
    asked = ASKED_PLACE.fullmatch(session.get(GO) or "")
    if asked is None:
        return
    place = int(asked[1])
    if place:
        _open_place(rows, place - 1)
    else:
        session.put(params.SEGMENT, None)


def _open_place(rows: Ints, place: int) -> None:
    """Open another of the segments found."""
    session.put(params.SEGMENT, int(rows[int(np.clip(place, 0, len(rows) - 1))]) + 1)


def _leave_if_filtered_out(rows: Ints) -> None:
    """When another filter leaves the open segment out, close it."""
    chosen, listed = session.get(params.SEGMENT), hash(rows.tobytes())
    if chosen is not None and session.get(LISTED, listed) != listed and _place(rows, int(chosen) - 1) == len(rows):
        session.put(params.SEGMENT, None)
    session.put(LISTED, listed)


def _turn_to(segment: int | None, rows: Ints) -> None:
    """Turn to the page of a segment that was just opened; to the first page of a new list or order."""
    listed = hash(rows.tobytes())
    before = session.get(OPEN_AND_LIST)
    session.put(OPEN_AND_LIST, (segment, listed))
    if segment is not None and (before is None or before[0] != segment):
        place = _place(rows, segment)
        session.put(params.PAGE, place // ROWS_PER_PAGE + 1 if place < len(rows) else 1)
    elif before is not None and before[1] != listed:
        session.put(params.PAGE, 1)


def _place(rows: Ints, segment: int) -> int:
    """The place of a segment among those found, or their number if it is not there."""
    found = np.flatnonzero(rows == segment)
    return int(found[0]) if len(found) else len(rows)
