"""Every page once: its place in the row of pages, its title, its script and its address."""

from collections.abc import Mapping
from types import MappingProxyType

from bleuscope.registry import Page, features, placed

READING = "reading"
"""The part of Segments that is drawn anew, alone, when what is shown of segments changes."""

_PAGES = (
    Page("overview", "Overview", shows_findings=True),
    Page("scores", "Scores", shows_findings=True),
    Page("significance", "Significance", is_of_two=True),
    Page("compare", "Compare", is_of_two=True),
    Page("segments", "Segments", is_of_two=True, part_drawn_first=READING),
    Page("ngrams", "N-grams", is_of_two=True),
    Page("slices", "Slices", is_of_two=True),
    Page("test_set", "Test set", shows_findings=True, can_be_shared=False),
    Page("report", "Report", is_of_two=True),
)
PAGES: Mapping[str, Page] = MappingProxyType(
    placed(
        {page.name: page for page in _PAGES},
        ((one.page_before, {page.name: page for page in one.pages}) for one in features()),
    )
)
"""By name, in their order; the bare address has none (``pages/start.py``)."""
