"""Asking for segments: filter, order, list, and the way from one to the next."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from bleucore import Evaluation, TestSet
from dashboard.content import numbers, tables
from dashboard.content.tables import SEGMENT_ORDERS, SegmentQuery
from dashboard.shell import session

ROWS_PER_PAGE = 10
EVERY_DOCUMENT = "all documents"
NO_FILTER = {"find": "", "document": EVERY_DOCUMENT, "low": None, "high": None}
ROW_HEIGHT = 32
TEXT_WIDTH = 800  # wider than the page: columns keep their widths whatever the texts
OPEN_AND_LIST = "_open_and_list"
LISTED = "_listed"


@dataclass(frozen=True)
class Layers:
    """What to show of a segment beside the pair: further systems, and whose matches the references show."""

    others: tuple[str, ...]
    reference_matches: str | None


def query_inputs(test_set: TestSet) -> SegmentQuery:
    """Which segments, in which order."""
    find, document, order, difference, reset = st.columns([4, 4, 3, 3, 2], vertical_alignment="bottom")
    with find:
        text = st.text_input(
            "Find text",
            key="find",
            placeholder="in any source, reference or hypothesis",
            bind="query-params",
            persist_state="session",
        )
    with document:
        chosen_document = _document_input(test_set)
    with order:
        chosen_order = st.selectbox("Order", SEGMENT_ORDERS, key="sort", bind="query-params", persist_state="session")
    with difference:
        low, high = _range_inputs()
    with reset:
        st.button("Clear", help="Clear the filter", on_click=_clear_filter, width="stretch")
    delta_range = (
        None if low is None and high is None else (-100.0 if low is None else low, 100.0 if high is None else high)
    )
    return SegmentQuery(text or "", chosen_document, delta_range, chosen_order)


def choose_segment(test_set: TestSet, evaluation: Evaluation, pair: tuple[str, str], rows: np.ndarray) -> int:
    """The segments found, a page of them at a time, and the one that is open (from 0)."""
    list_slot = st.container()
    _leave_if_filtered_out(rows)
    segment = _segment_navigation(test_set.n_segments, rows)
    _turn_to(segment, rows)
    with list_slot:
        _listing(test_set, evaluation, pair, rows, segment)
    return segment


def _listing(test_set: TestSet, evaluation: Evaluation, pair: tuple[str, str], rows: np.ndarray, segment: int) -> None:
    """A page of the segments found; a click on a row opens it."""
    table_slot = st.container()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"{numbers.counted(len(rows), 'segment')} found, of {numbers.count(test_set.n_segments)}")
        page = st.pagination(_n_pages(rows), key="page", bind="query-params", persist_state="session")
    shown = rows[(page - 1) * ROWS_PER_PAGE : page * ROWS_PER_PAGE]
    open_row = np.flatnonzero(shown == segment).tolist()
    key = f"_table-{pair}-{shown.tolist()}-{open_row}"
    with table_slot:
        st.dataframe(
            tables.segments_frame(test_set, evaluation, pair, shown),
            key=key,
            hide_index=True,
            on_select=_opener(key, shown),
            selection_mode=("single-row", "single-column"),
            selection_default={"selection": {"rows": open_row}},
            row_height=ROW_HEIGHT,
            height="content",
            column_config=_column_config(),
            alt="Segments found, with the scores of both systems",
        )


def _segment_navigation(n_segments: int, rows: np.ndarray) -> int:
    """The number of the open segment, with buttons to the previous and the next one found."""
    before, number, after, position = st.columns([2, 2, 2, 6], vertical_alignment="bottom")
    with number:
        segment = _segment_input(n_segments, int(rows[0]))
    place = _place(rows, segment)
    with before:
        st.button(
            "Previous",
            icon=":material/arrow_back:",
            shortcut="k",
            width="stretch",
            on_click=_open_place,
            args=(rows, place - 1),
            disabled=place <= 0,
        )
    with after:
        st.button(
            "Next",
            icon=":material/arrow_forward:",
            icon_position="right",
            shortcut="j",
            width="stretch",
            on_click=_open_place,
            args=(rows, place + 1),
            disabled=place + 1 >= len(rows),
        )
    with position:
        st.caption(
            f"{numbers.count(place + 1)} of the {numbers.count(len(rows))} found"
            if place < len(rows)
            else "This segment is not among those found above."
        )
    return segment


def _segment_input(n_segments: int, first_found: int) -> int:
    """The open segment: the one chosen before, or the first one found."""
    if not 1 <= int(session.get("segment") or 1) <= n_segments:
        session.drop("segment")
    value = st.number_input(
        "Segment", 1, n_segments, first_found + 1, key="segment", bind="query-params", persist_state="session"
    )
    return int(value) - 1


def layers(test_set: TestSet, pair: tuple[str, str]) -> Layers:
    """What to show beside the two systems."""
    others = [name for name in test_set.system_names if name not in pair]
    left, right = st.columns(2, vertical_alignment="bottom")
    with left:
        shows_all = bool(others) and st.toggle(
            f"Show all {len(test_set.systems)} systems", key="all", bind="query-params", persist_state="session"
        )
    with right:
        whose = st.segmented_control(
            "In the references, mark the matches of",
            ("B", "A", "nobody"),
            default="B",
            required=True,
            key="mark",
            bind="query-params",
            persist_state="session",
        )
    return Layers(tuple(others) if shows_all else (), {"A": pair[0], "B": pair[1]}.get(str(whose)))


def _clear_filter() -> None:
    for key, value in NO_FILTER.items():
        session.put(key, value)


def _document_input(test_set: TestSet) -> str | None:
    if test_set.documents is None:
        session.drop("document")
        st.selectbox("Document", ("this test set has no documents",), disabled=True, key="_no_documents")
        return None
    names = (EVERY_DOCUMENT, *dict.fromkeys(test_set.documents))
    session.keep_valid("document", names)
    chosen = st.selectbox("Document", names, key="document", bind="query-params", persist_state="session")
    return None if chosen == EVERY_DOCUMENT else str(chosen)


def _range_inputs() -> tuple[float | None, float | None]:
    is_set = session.get("low") is not None or session.get("high") is not None
    with st.popover("Difference: chosen" if is_set else "Difference: any", width="stretch"):
        low, high = (
            st.number_input(
                label,
                -100.0,
                100.0,
                None,
                step=1.0,
                key=key,
                placeholder="any",
                help="Segment score of B minus that of A.",
                bind="query-params",
                persist_state="session",
            )
            for key, label in (("low", "Δ at least"), ("high", "Δ at most"))
        )
    return low, high


def _opener(key: str, shown: np.ndarray) -> Callable[[], None]:
    """A click on a row opens its segment; a click on a heading orders all segments, not only this page of them."""

    def open_or_order() -> None:
        selection = session.get(key)["selection"]
        if selection["columns"]:
            session.put("sort", tables.order_after_click(selection["columns"][0], session.get("sort")))
        elif selection["rows"]:
            session.put("segment", int(shown[selection["rows"][0]]) + 1)

    return open_or_order


def _open_place(rows: np.ndarray, place: int) -> None:
    """Open another of the segments found."""
    session.put("segment", int(rows[int(np.clip(place, 0, len(rows) - 1))]) + 1)


def _leave_if_filtered_out(rows: np.ndarray) -> None:
    """When another filter leaves the open segment out, open the first one found."""
    chosen, listed = session.get("segment"), hash(rows.tobytes())
    if chosen is not None and session.get(LISTED, listed) != listed and _place(rows, int(chosen) - 1) == len(rows):
        session.put("segment", int(rows[0]) + 1)
    session.put(LISTED, listed)


def _turn_to(segment: int, rows: np.ndarray) -> None:
    """Turn to the page of a segment that was just opened; to the first page of a new list or order."""
    listed = hash(rows.tobytes())
    before = session.get(OPEN_AND_LIST)
    session.put(OPEN_AND_LIST, (segment, listed))
    if before is None or before[0] != segment:
        place = _place(rows, segment)
        session.put("page", place // ROWS_PER_PAGE + 1 if place < len(rows) else 1)
    elif before[1] != listed:
        session.put("page", 1)


def _n_pages(rows: np.ndarray) -> int:
    return -(-len(rows) // ROWS_PER_PAGE)


def _place(rows: np.ndarray, segment: int) -> int:
    """The place of a segment among those found, or their number if it is not there."""
    found = np.flatnonzero(rows == segment)
    return int(found[0]) if len(found) else len(rows)


def _column_config() -> dict[str, Any]:
    return {
        "segment": st.column_config.NumberColumn("#", width=60, help="Segment, counted from 1"),
        "document": st.column_config.TextColumn("document", width=120),
        "BLEU A": st.column_config.NumberColumn("BLEU A", format="%.2f", width=75),
        "BLEU B": st.column_config.NumberColumn("BLEU B", format="%.2f", width=75),
        "Δ": st.column_config.TextColumn("Δ", alignment="right", width=75, help="BLEU of B minus BLEU of A"),
        "tokens A": st.column_config.NumberColumn("tokens A", width=70),
        "tokens B": st.column_config.NumberColumn("tokens B", width=70),
        "text": st.column_config.TextColumn("text", width=TEXT_WIDTH),
    }
