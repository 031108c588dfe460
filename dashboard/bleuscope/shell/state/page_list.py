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


def doors_of(subject: str) -> dict[str, Page]:
    """The doors of a feature, or of a comparison: what each is called, and the page that it opens."""
    found = {door.name: door for door in DOORS} if not subject else _places(subject)
    return {door.title: found[door.name] for door in DOORS if door.name in found}


def share_of(subject: str) -> Page | None:
    """The page that shares what is open; ``None`` where a feature shares on its own pages."""
    return SHARE if not subject else _places(subject).get(SHARE.name)


def _places(subject: str) -> dict[str, Page]:
    return {page.place: page for page in PAGES.values() if page.subject == subject and page.place}


def sections_of(page: Page) -> tuple[Page, ...]:
    """The pages behind the same door, that which opens it first; none where it stands alone."""
    behind = [one for one in PAGES.values() if one.door_name == page.door_name and one.is_listed]
    behind.sort(key=lambda one: not one.is_door)
    return tuple(behind) if len(behind) > 1 else ()


def further_pages(subject: str = "") -> tuple[Page, ...]:
    """What stands next to the doors: pages of other packages, and last the one that shares what is open."""
    added = [one for one in PAGES.values() if one.is_door and not one.subject and one not in (*DOORS, SHARE)]
    share = share_of(subject)
    return (*added, *([] if share is None else [share]))
