"""Every page once: its place in the row of pages, its title, its script and its address."""

from collections.abc import Mapping
from types import MappingProxyType

from bleuscope.registry import Page, features, placed

READING = "reading"
"""The part of Segments that is drawn anew, alone, when what is shown of segments changes."""

_PAGES = (
    Page("overview", "Summary", shows_findings=True),
    Page("scores", "Scores", shows_findings=True, door="overview"),
    Page("compare", "Compare", is_of_two=True, section="Contributions"),
    Page("ngrams", "N-grams", is_of_two=True, door="compare"),
    Page("slices", "Slices", is_of_two=True, door="compare"),
    Page("segments", "Segments", is_of_two=True, part_drawn_first=READING),
    Page("trust", "Trust", is_of_two=True, section="All questions"),
    Page("significance", "Significance", is_of_two=True, door="trust"),
    Page("test_set", "Data", shows_findings=True, can_be_shared=False),
    Page("report", "Share", is_of_two=True),
)
PAGES: Mapping[str, Page] = MappingProxyType(
    placed(
        {page.name: page for page in _PAGES},
        ((one.page_before, {page.name: page for page in one.pages}) for one in features()),
    )
)
"""By name, in their order; the bare address has none (``pages/start.py``)."""
DOORS: tuple[Page, ...] = tuple(PAGES[name] for name in ("overview", "compare", "segments", "trust", "test_set"))
"""The five doors of a comparison, in their order."""
SHARE = PAGES["report"]


def sections_of(page: Page) -> tuple[Page, ...]:
    """The pages behind the same door, that which opens it first; none where it stands alone."""
    behind = [one for one in PAGES.values() if one.door_name == page.door_name]
    behind.sort(key=lambda one: not one.is_door)
    return tuple(behind) if len(behind) > 1 else ()


def further_pages() -> tuple[Page, ...]:
    """What stands next to the doors: projects, campaigns, pages of other packages, and last Share."""
    others = [one for one in PAGES.values() if one.is_door and one not in (*DOORS, SHARE)]
    return (*others, SHARE)
