"""The segments found: a list of them, and the way from one to the next."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from bleucore import MetricEvaluation
from bleucore.counts import Floats, Ints
from dashboard.content.attribution import attribution_words
from dashboard.content.comparison.differences import segment_differences
from dashboard.content.comparison.study import Study
from dashboard.content.segments import segment_sheets, segment_table
from dashboard.content.segments.filters import DEFAULT_ORDER
from dashboard.content.segments.segment_queries import (
    SegmentQuery,
    as_declared,
    found_words,
    in_unit,
    order_after_click,
    unit_of,
)
from dashboard.content.style import numbers
from dashboard.content.style.scale import Scale
from dashboard.shell.controls import exports, widgets
from dashboard.shell.segments.segment_reading import NEXT_KEY, PREVIOUS_KEY
from dashboard.shell.state import cached, session

ROWS_PER_PAGE = 7  # so that the text beneath is on the first screen
ROW_HEIGHT = 32
NUMBER_WIDTH = 140
TEXT_WIDTH = 800  # wider than the page: columns keep their widths whatever the texts
OPEN_AND_LIST = "_open_and_list"
LISTED = "_listed"


def choose_segment(view: Study, rows: Ints, query: SegmentQuery, *, is_listed: bool = True) -> int:
    """The open segment (from 0), beneath a page of the segments found unless these are not to be listed.

    Args:
        view: What the page shows.
        rows: The segments found.
        query: That found them.
        is_listed: Whether they are listed.
    """
    table_slot = st.container()
    _leave_if_filtered_out(rows)
    with st.container(horizontal=True, vertical_alignment="center"):
        segment = _segment_navigation(view.test_set.n_segments, rows)
        _turn_to(segment, rows)
        if is_listed:
            page = st.pagination(_n_pages(rows), key="page", bind="query-params", persist_state="session")
            with table_slot:
                _listing(view, rows, segment, page)
            words = found_words(query, len(rows), view.test_set.n_segments, unit_of(view.metric))
            exports.part_of_fragment(
                partial(segment_sheets.segments_sheet, view, rows, _parts(view), view.metric, chosen=words), "segments"
            )
    return segment


def _listing(view: Study, rows: Ints, segment: int, page: int) -> None:
    """A page of the segments found; a click on a row opens it."""
    shown = rows[(page - 1) * ROWS_PER_PAGE : page * ROWS_PER_PAGE]
    open_row = np.flatnonzero(shown == segment).tolist()
    key = f"_table-{view.sides}-{shown.tolist()}-{open_row}"
    st.dataframe(
        segment_table.segments_table(view.test_set, view.evaluation, view.sides, shown, _parts(view), view.metric),
        key=key,
        hide_index=True,
        on_select=_opener(key, shown, unit_of(view.metric)),
        selection_mode=("single-row", "single-column"),
        selection_default={"selection": {"rows": open_row}},
        row_height=ROW_HEIGHT,
        height="content",
        column_config=_column_config(view.metric),
        alt="Segments found, with the scores of both systems",
    )


def order_note(view: Study, rows: Ints) -> None:
    """That the part of a segment and the difference of its scores are two things, and where they disagree."""
    if not view.compares:
        return
    attribution = cached.attribution(view.evaluation, view.metric, view.pair)
    if attribution.reason is not None:
        st.caption(f"{widgets.plain(attribution.reason)} Orders by part go by the difference of the segment scores.")
        return
    delta = segment_differences(view.evaluation, view.pair, view.metric)
    st.caption(
        attribution_words.measures_note(attribution.segments[rows], delta[rows]),
        help=attribution_words.parts_caption(view.metric).markdown(),
    )


def _parts(view: Study) -> Floats | None:
    """The part of each segment in the difference, where there are two systems and it can be divided."""
    return cached.segment_parts(view.evaluation, view.metric, view.pair) if view.compares else None


def _segment_navigation(n_segments: int, rows: Ints) -> int:
    """The number of the open segment, with buttons to the previous and the next one found."""
    before, number, after, position = (st.container(width="content") for _ in range(4))
    with number:
        segment = _segment_input(n_segments, int(rows[0]))
    place = _place(rows, segment)
    with before:
        st.button(
            "Previous",
            icon=":material/arrow_back:",
            shortcut=PREVIOUS_KEY,
            on_click=_open_place,
            args=(rows, place - 1),
            disabled=place <= 0,
        )
    with after:
        st.button(
            "Next",
            icon=":material/arrow_forward:",
            icon_position="right",
            shortcut=NEXT_KEY,
            on_click=_open_place,
            args=(rows, place + 1),
            disabled=place + 1 >= len(rows),
        )
    with position:
        st.caption(_position(place, len(rows), n_segments))
    return segment


def _position(place: int, n_found: int, n_segments: int) -> str:
    """Where the open segment stands among those found, and how many these are."""
    found = numbers.counted(n_found, "segment") + " found"
    found += "" if n_found == n_segments else f", {numbers.count(n_segments)} in all"
    return f"not among the {found}" if place == n_found else f"{numbers.count(place + 1)} of {found}"


def _segment_input(n_segments: int, first_found: int) -> int:
    """The open segment: the one chosen before, or the first one found."""
    if not 1 <= int(session.get("segment") or 1) <= n_segments:
        session.drop("segment")
    value = st.number_input(
        "Segment",
        1,
        n_segments,
        first_found + 1,
        key="segment",
        label_visibility="collapsed",
        width=NUMBER_WIDTH,
        bind="query-params",
        persist_state="session",
    )
    return int(value) - 1


def _opener(key: str, shown: Ints, unit: str) -> Callable[[], None]:
    """A click on a row opens its segment; a click on a heading orders all segments, not only this page of them."""

    def open_or_order() -> None:
        selection = session.get(key)["selection"]
        if selection["columns"]:
            column, order = selection["columns"][0], session.get("sort", DEFAULT_ORDER)
            chosen = order_after_click(as_declared(column, unit), as_declared(order, unit))
            session.put("sort", in_unit(chosen, unit))
        elif selection["rows"]:
            session.put("segment", int(shown[selection["rows"][0]]) + 1)

    return open_or_order


def _open_place(rows: Ints, place: int) -> None:
    """Open another of the segments found."""
    session.put("segment", int(rows[int(np.clip(place, 0, len(rows) - 1))]) + 1)


def _leave_if_filtered_out(rows: Ints) -> None:
    """When another filter leaves the open segment out, open the first one found."""
    chosen, listed = session.get("segment"), hash(rows.tobytes())
    if chosen is not None and session.get(LISTED, listed) != listed and _place(rows, int(chosen) - 1) == len(rows):
        session.put("segment", int(rows[0]) + 1)
    session.put(LISTED, listed)


def _turn_to(segment: int, rows: Ints) -> None:
    """Turn to the page of a segment that was just opened; to the first page of a new list or order."""
    listed = hash(rows.tobytes())
    before = session.get(OPEN_AND_LIST)
    session.put(OPEN_AND_LIST, (segment, listed))
    if before is None or before[0] != segment:
        place = _place(rows, segment)
        session.put("page", place // ROWS_PER_PAGE + 1 if place < len(rows) else 1)
    elif before[1] != listed:
        session.put("page", 1)


def _n_pages(rows: Ints) -> int:
    return -(-len(rows) // ROWS_PER_PAGE)


def _place(rows: Ints, segment: int) -> int:
    """The place of a segment among those found, or their number if it is not there."""
    found = np.flatnonzero(rows == segment)
    return int(found[0]) if len(found) else len(rows)


def _column_config(metric: MetricEvaluation) -> dict[str, Any]:
    unit, form = unit_of(metric), f"%.{Scale.of(metric).decimals}f"
    scores = {
        head: st.column_config.NumberColumn(head, format=form, width=75) for head in (unit, f"{unit} A", f"{unit} B")
    }
    return {
        "segment": st.column_config.NumberColumn("#", width=60, help="Segment, counted from 1"),
        "document": st.column_config.TextColumn("document", width=120),
        "part": st.column_config.TextColumn(
            "part", alignment="right", width=80, help="What the segment adds to the difference of the corpus scores"
        ),
        **scores,
        "Δ": st.column_config.TextColumn("Δ", alignment="right", width=75, help=f"{unit} of B minus {unit} of A"),
        "tokens": st.column_config.NumberColumn("tokens", width=70),
        "tokens A": st.column_config.NumberColumn("tokens A", width=70),
        "tokens B": st.column_config.NumberColumn("tokens B", width=70),
        "text": st.column_config.TextColumn("text", width=TEXT_WIDTH),
    }
