"""The address bar: what it names is opened, and what is open is named there.

Widgets keep their own values in the address (``bind="query-params"``), and drop what they do not accept. Here is
what no widget holds: the test set, and the way from one page to another with the view kept.
"""

import streamlit as st

from bleucore.ngram_types import NGram
from dashboard.content.ngram_tables import address_of
from dashboard.shell import session

ORIGIN = "data"
SCORES = "scores"
OF_SEGMENTS = ("segment", "page", *session.SEGMENT_FILTERS)
PAGES = {
    "test_set": "pages/test_set.py",
    "scores": "pages/scores.py",
    "significance": "pages/significance.py",
    "compare": "pages/compare.py",
    "segments": "pages/segments.py",
    "ngrams": "pages/ngrams.py",
    "slices": "pages/slices.py",
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


def score_files() -> str | None:
    """The scores from files that the address names."""
    value = st.query_params.get(SCORES)
    return str(value) if value else None


def write_score_files(value: str | None) -> None:
    """Name the scores from files in the address; ``None`` drops what stands there."""
    if value is None:
        st.query_params.pop(SCORES, None)
    elif score_files() != value:
        st.query_params[SCORES] = value


def go_to(page: str, **values: str) -> None:
    """Open a page with these values. What the sidebar and the systems A and B hold stays as it is."""
    kept = {ORIGIN: origin(), SCORES: score_files()}
    st.switch_page(PAGES[page], query_params={key: value for key, value in kept.items() if value} | values)


def go_on_to(page: str) -> None:
    """Open a page with everything that the address holds."""
    st.switch_page(PAGES[page], query_params=st.query_params.to_dict())


def open_segment(segment: int) -> None:
    """Open a segment (counted from 0) on the Segments page, without a filter."""
    _list_segments(segment=str(segment + 1))


def open_differences(delta_range: tuple[float, float]) -> None:
    """List the segments whose difference lies in a range."""
    _list_segments(low=f"{delta_range[0]:g}", high=f"{delta_range[1]:g}")


def open_document(document: str) -> None:
    """List the segments of a document."""
    _list_segments(document=document)


def open_flag(flag: str) -> None:
    """List the segments that a check points at, by the flag's name."""
    _list_segments(flag=flag)


def open_ngram(ngram: NGram, where: str) -> None:
    """List the segments that hold an n-gram, of one of ``ngram_tables.WHERE``, with the n-gram marked."""
    _list_segments(ngram=address_of(ngram), ngram_where=where)


def open_slice(address: str) -> None:
    """List the segments of a slice, by its address of ``slice_tables``."""
    _list_segments(slice=address)


def names_flag() -> bool:
    """Whether the filter of the Segments page names a flag of the checks."""
    return bool(session.get("flag", st.query_params.get("flag")))


def named_slice() -> str | None:
    """The slice that the filter of the Segments page names."""
    value = session.get("slice", st.query_params.get("slice"))
    return str(value) if value else None


def _list_segments(**values: str) -> None:
    session.drop(*OF_SEGMENTS)
    go_to("segments", **values)
