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
from bleuscope.content.segments import reading_list, segment_sheets
from bleuscope.content.segments.reading_list import ROWS_PER_SLICE, ListName, ListView
from bleuscope.content.segments.segment_queries import SegmentQuery, found_words, unit_of
from bleuscope.content.style import numbers
from bleuscope.runtime import params
from bleuscope.shell.controls import exports, widgets
from bleuscope.shell.segments import (
    beside_segments,
    exchanged_sides,
    kind_of_list,
    segment_notes,
    segment_panels,
    segment_reading,
)
from bleuscope.shell.state import cached, links, session, workspace_in_use

NUMBER_WIDTH = 150
LISTED = "_listed"
GO, ASKS, IMPORTANT_ASKED, WANTED, SENT = "_go", "_rows", "_important", "_wanted_slices", "_sent_slices"
NONE_SENT: tuple[ListName | None, int, frozenset[int]] = (None, 0, frozenset())
"""Which list was sent last, the how manieth of the session it is, and its slices."""
NOTHING = Markup()
ASKED_PLACE = re.compile(r"(\d{1,9})\.\d+")
"""What the browser writes into the field ``GO``: a place among those found, from 1, or 0 to close; and a number that
makes every press a new value."""
ASKED_SLICES = re.compile(r"(\d{1,6})-(\d{1,6})\.\d+")
"""What it writes into the field ``ASKS``: the first and the last slice that it lacks, from 0; and such a number."""
A_PAGE = re.compile(r"[1-9]\d{0,5}")
MOST_TAGS = 2_000
"""Of those that rows show."""
MOST_SLICES = 3
"""Of those that are sent at once because the browser asked for them."""


def forget_what_was_sent() -> None:
    """Note that a page is drawn whole, for which the browser has no rows yet."""
    held, since, _ = session.get(SENT, NONE_SENT)
    session.put(SENT, (held, since, frozenset()))


def found_row(view: ComparisonContext, rows: Ints, query: SegmentQuery) -> None:
    """What was found, above the list: it is the same whichever segment is open."""
    words = found_words(query, len(rows), view.test_set.n_segments, unit_of(view.metric))
    with st.container(horizontal=True, vertical_alignment="center", key="found"):
        st.caption(widgets.plain(words), help=reading_list.NUMBERS_HELP)
        of_kind = kind_of_list.found(view, query.kind)
        sheet = partial(segment_sheets.segments_sheet, view, rows, _parts(view), view.metric, chosen=words)
        exports.export_menu(partial(sheet, of_kind=of_kind), "segments")
        widgets.html(Markup('<button type="button" class="bs-jump">Charts ↓</button>'))


def read_list(
    view: ComparisonContext,
    rows: Ints,
    query: SegmentQuery,
    draw_open: Callable[[int], None],
    write_texts: Callable[[ComparisonContext, int], Markup],
) -> None:
    """The segments found, of which slices go to the browser as they come into sight, and the open one among them.

    Args:
        view: What the page shows.
        rows: The segments found.
        query: That found them.
        draw_open: Draws a segment (from 0).
        write_texts: The texts of a segment (from 0) with their marks, as a study shows them.
    """
    _leave_if_filtered_out(rows)
    listed = st.container(gap=None, key="reading-list")
    with st.container(key="open-number"):  # it is reached after the texts, and seen above them
        segment = _segment_input(view.test_set.n_segments)
    with listed:
        slices = _listing(view, rows, query, segment, draw_open)
    for_browser = _ahead(view, rows, query, segment, write_texts)
    for_browser += _exchanged(view, rows, query, segment, slices, write_texts)
    _browser_field(view, rows, segment, for_browser)


def read_one(view: ComparisonContext, rows: Ints, draw_open: Callable[[int], None]) -> None:
    """The open segment alone, the first one found unless another was chosen."""
    if session.get(params.SEGMENT) is None:
        _open_place(rows, 0)
    with st.container(horizontal=True, vertical_alignment="center"):
        segment = _segment_input(view.test_set.n_segments) or 0
        _steps(view, rows, segment)
    draw_open(segment)
    _browser_field(view, rows, segment)


def _listing(
    view: ComparisonContext, rows: Ints, query: SegmentQuery, segment: int | None, draw_open: Callable[[int], None]
) -> list[int]:
    """The open segment between the places of the rows above and beneath it, and the slices that are sent to these."""
    widgets.html(reading_list.hosts_html("above"))
    with st.container(gap=None, key="open-place"):
        if segment is not None:
            _opened(view, rows, query, segment, draw_open)
    widgets.html(reading_list.hosts_html("beneath"))
    with st.container(gap=None, key="parcels"):
        return _send(view, rows, segment, segment_reading.list_view(view, query))


def _opened(
    view: ComparisonContext, rows: Ints, query: SegmentQuery, segment: int, draw_open: Callable[[int], None]
) -> None:
    """The open segment under its head."""
    shown = segment_reading.list_view(view, query)
    head = reading_list.open_head(view, segment, _place(rows, segment) + 1, _parts(view), shown)
    widgets.html(reading_list.list_html([head]))
    with st.container(key="open-segment"):
        with st.container(horizontal=True, vertical_alignment="center"):
            _steps(view, rows, segment)
            segment_notes.report_button(view, segment)
            beside_segments.buttons(segment)
            segment_panels.buttons(view, segment)
            names = segment_reading.segment_view(view, segment).systems
            exports.part_of_fragment(partial(segment_sheets.example_sheet, view, segment, names), "example")
            st.button("Close", icon=":material/close:", on_click=session.put, args=(params.SEGMENT, None), key="_close")
        draw_open(segment)


def _send(view: ComparisonContext, rows: Ints, segment: int | None, shown: ListView) -> list[int]:
    """Send those slices that the browser asked for, and that with the open segment, unless it has them.

    Returns:
        The numbers of all that it has asked for, and of that one, rising.
    """
    name = cached.list_name(view, rows, shown)
    asked_for = _slice_of_address(name)
    asked, wanted = session.get(WANTED, (name.rows, ()))
    slices = set(wanted) if asked == name.rows else set()
    if segment is not None and (place := _place(rows, segment)) < len(rows):
        slices.add(place // ROWS_PER_SLICE)
    if asked_for is not None:
        slices.add(asked_for)
        session.put(WANTED, (name.rows, tuple(slices)))
    slices = {number for number in slices if number < name.n_slices} or {0}
    held, since, known = session.get(SENT, NONE_SENT)
    if held != name:
        since, known = since + 1, frozenset()
    lacking = sorted(slices - known) or [min(slices)]  # a list that the browser draws anew learns its name from one
    session.put(SENT, (name, since, known | slices))
    for count, number in enumerate(lacking):
        first = number * ROWS_PER_SLICE
        listed = cached.listed_rows(view, rows[first : first + ROWS_PER_SLICE], first + 1, shown)
        widgets.html(reading_list.parcel_html(name, since, number, listed, is_asked_for=number == asked_for))
        if count == 0:
            segment_reading.send_what_is_swapped()
    with st.container(key="want"):
        st.text_input(
            "Slices", key=ASKS, max_chars=40, on_change=_want, args=(name.rows,), label_visibility="collapsed"
        )
    return sorted(slices)


def _slice_of_address(name: ListName) -> int | None:
    """The slice that an older link names as a page, which leaves the address."""
    page = links.given(params.PAGE)
    if page is None:
        return None
    links.write(params.PAGE, None)
    return min(int(page) - 1, name.n_slices - 1) if A_PAGE.fullmatch(page) else None


def _want(order: str) -> None:
    """Note which slices the browser asks for; a callback."""
    asked = ASKED_SLICES.fullmatch(session.get(ASKS) or "")
    if asked is not None:
        first, last = map(int, asked.groups())
        wanted = tuple(range(first, min(last, first + MOST_SLICES - 1) + 1))
        session.put(WANTED, (order, wanted))
        held, since, sent = session.get(SENT, NONE_SENT)
        session.put(SENT, (held, since, sent - {*wanted}))  # it no longer has them


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
    view: ComparisonContext,
    rows: Ints,
    query: SegmentQuery,
    segment: int | None,
    write_texts: Callable[[ComparisonContext, int], Markup],
) -> Markup:
    """The segment after the open one, for the browser to show before it is drawn; nothing after the last."""
    place = len(rows) if segment is None else _place(rows, segment) + 1
    if place >= len(rows):
        return Markup()
    following = int(rows[place])
    head = reading_list.open_head(view, following, place + 1, _parts(view), segment_reading.list_view(view, query))
    return reading_list.ahead_html(place + 1, head, reading_list.open_html(following, write_texts(view, following)))


def _exchanged(  # what the page shows and what is open
    view: ComparisonContext,
    rows: Ints,
    query: SegmentQuery,
    segment: int | None,
    slices: Sequence[int],
    write_texts: Callable[[ComparisonContext, int], Markup],
) -> Markup:
    """What lets the browser show A and B exchanged at once, where that is what the page will draw."""
    listed = [rows[number * ROWS_PER_SLICE : (number + 1) * ROWS_PER_SLICE] for number in slices]
    heads = np.concatenate([*listed, np.array([] if segment is None else [segment], dtype=rows.dtype)])
    shown = segment_reading.list_view(view, query)
    note = exchanged_sides.note_for_browser(view, query, rows, heads, slices, shown)
    if segment is None or not note:
        return note
    return note + reading_list.exchanged_open_html(
        reading_list.open_html(segment, write_texts(view.swapped(), segment))
    )


def _browser_field(view: ComparisonContext, rows: Ints, segment: int | None, for_browser: Markup = NOTHING) -> None:
    """The hidden field by which the browser opens a place, and what it has to know for that.

    Rows that are clicked and keys that are held ask for places, not for steps: however many arrive while a page is
    drawn, the last one is right (``segments.js``).
    """
    place = 0 if segment is None else _place(rows, segment) + 1
    widgets.html(
        Markup('<span class="bs-place" data-place="{}" data-found="{}" data-tags="{}"></span>').format(
            place, len(rows), _tags(view, rows)
        )
        + for_browser
    )
    with st.container(key="go"):
        st.text_input("Place", key=GO, max_chars=40, on_change=_go, args=(rows,), label_visibility="collapsed")
        if not workspace_in_use.is_by_link():
            st.text_input("Important", key=IMPORTANT_ASKED, max_chars=40, on_change=_mark_important, args=(view, rows))


def _tags(view: ComparisonContext, rows: Ints) -> str:
    """The places of segments with a tag, each with its tag, a line each; for the browser."""
    tagged = {segment: note.tag for segment, note in segment_notes.notes_of(view).items() if note.tag}
    places = np.flatnonzero(np.isin(rows, list(tagged)))[:MOST_TAGS].tolist() if tagged else []
    return "\n".join(f"{place + 1}\t{tagged[int(rows[place])]}" for place in places)


def _mark_important(view: ComparisonContext, rows: Ints) -> None:
    """Mark a segment as important, or take that back; a callback."""
    asked = ASKED_PLACE.fullmatch(session.get(IMPORTANT_ASKED) or "")
    if asked is not None and 1 <= int(asked[1]) <= len(rows):
        segment_notes.mark_important(view, int(rows[int(asked[1]) - 1]))


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


def _place(rows: Ints, segment: int) -> int:
    """The place of a segment among those found, or their number if it is not there."""
    found = np.flatnonzero(rows == segment)
    return int(found[0]) if len(found) else len(rows)
