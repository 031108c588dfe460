"""Every page once: its place in the row of pages, its title, its script and its address."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

READING = "reading"
"""The part of Segments that is drawn anew, alone, when what is shown of segments changes."""


OVER_TIME = "projects"
"""The page that stands in the row of pages for all that show projects."""
CAMPAIGN = "campaign"
"""The page of many test sets."""


@dataclass(frozen=True)
class Page:
    """A page.

    Attributes:
        name: Of its script.
        title: Above it and in the row of pages.
        is_of_two: Whether it is about the systems A and B.
        shows_findings: Whether what the checks found stands there.
        is_over_time: Whether it is about the versions of a project, and reached from the page of projects.
        opens_files: Whether it opens other texts.
        part_drawn_first: Of it, when A and B are swapped: what is read, before all that takes longer.
    """

    name: str
    title: str
    is_of_two: bool = False
    shows_findings: bool = False
    is_over_time: bool = False
    opens_files: bool = False
    part_drawn_first: str | None = None

    @property
    def is_of_project(self) -> bool:
        """Whether it is about projects, and not about the comparison that is open."""
        return self.is_over_time or self.name == OVER_TIME

    @property
    def is_of_campaign(self) -> bool:
        """Whether it is about many test sets, and not about the comparison that is open."""
        return self.name == CAMPAIGN

    @property
    def can_be_shared(self) -> bool:
        """Whether it shows the open comparison, or one test set of a project, and nothing else, and opens no files."""
        return not (self.opens_files or self.is_of_campaign or self.name == OVER_TIME)

    @property
    def row_name(self) -> str:
        """The page that stands for it in the row of pages."""
        return OVER_TIME if self.is_over_time else self.name

    @property
    def script(self) -> str:
        """The file, as seen from the script of all pages."""
        return f"pages/{self.name}.py"

    @property
    def address(self) -> str:
        """How its address begins."""
        return self.name.replace("_", "-")


_PAGES = (
    Page("overview", "Overview", shows_findings=True),
    Page("scores", "Scores", shows_findings=True),
    Page("significance", "Significance", is_of_two=True),
    Page("compare", "Compare", is_of_two=True),
    Page("segments", "Segments", is_of_two=True, part_drawn_first=READING),
    Page("ngrams", "N-grams", is_of_two=True),
    Page("slices", "Slices", is_of_two=True),
    Page("references", "References"),
    Page("sensitivity", "Sensitivity"),
    Page("validity", "Validity", is_of_two=True),
    Page("test_set", "Test set", shows_findings=True, opens_files=True),
    Page("report", "Report", is_of_two=True),
    Page(CAMPAIGN, "Campaign"),
    Page(OVER_TIME, "Projects"),
    Page("leaderboard", "Leaderboard", is_over_time=True),
    Page("history", "History", is_over_time=True),
)
PAGES: Mapping[str, Page] = MappingProxyType({page.name: page for page in _PAGES})
"""By name, in their order; the bare address has none (``pages/start.py``)."""
