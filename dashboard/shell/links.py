"""The address bar: what it names is opened, and what is open is named there.

Widgets keep their own values in the address (``bind="query-params"``), and drop what they do not accept. Here is
what no widget holds: the test set, and the way from one page to another with the view kept.
"""

import streamlit as st

from dashboard.shell import session

ORIGIN = "data"
OF_SEGMENTS = ("segment", "find", "document", "low", "high", "page")
PAGES = {
    "test_set": "pages/test_set.py",
    "scores": "pages/scores.py",
    "significance": "pages/significance.py",
    "compare": "pages/compare.py",
    "segments": "pages/segments.py",
}


def origin() -> str | None:
    """The test set that the address names."""
    value = st.query_params.get(ORIGIN)
    return str(value) if value else None


def write_origin(value: str | None) -> None:
    """Name the open test set in the address; ``None`` drops what stands there."""
    if value is None:
        st.query_params.pop(ORIGIN, None)
    elif st.query_params.get(ORIGIN) != value:
        st.query_params[ORIGIN] = value


def go_to(page: str, **values: str) -> None:
    """Open a page with these values. What the sidebar and the systems A and B hold stays as it is."""
    origin_kept = origin()
    st.switch_page(PAGES[page], query_params=({ORIGIN: origin_kept} if origin_kept else {}) | values)


def open_segment(segment: int) -> None:
    """Open a segment (counted from 0) on the Segments page, without a filter."""
    _list_segments(segment=str(segment + 1))


def open_differences(delta_range: tuple[float, float]) -> None:
    """List the segments whose difference lies in a range."""
    _list_segments(low=f"{delta_range[0]:g}", high=f"{delta_range[1]:g}")


def open_document(document: str) -> None:
    """List the segments of a document."""
    _list_segments(document=document)


def _list_segments(**values: str) -> None:
    session.drop(*OF_SEGMENTS)
    go_to("segments", **values)
