"""Every page once: its place in the menu, its title, its script and its address."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True)
class Page:
    """A page.

    Attributes:
        name: Of its script.
        section: Of the menu.
        title: Above it and in the menu.
        is_of_two: Whether it is about the systems A and B.
        shows_findings: Whether what the checks found stands there.
    """

    name: str
    section: str
    title: str
    is_of_two: bool = False
    shows_findings: bool = False

    @property
    def script(self) -> str:
        """The file, as seen from the script of all pages."""
        return f"pages/{self.name}.py"

    @property
    def address(self) -> str:
        """How its address begins."""
        return self.name.replace("_", "-")


_PAGES = (
    Page("test_set", "Data", "Test set", shows_findings=True),
    Page("overview", "Results", "Overview", shows_findings=True),
    Page("scores", "Results", "Scores", shows_findings=True),
    Page("significance", "Results", "Significance", is_of_two=True),
    Page("compare", "Error analysis", "Compare", is_of_two=True),
    Page("segments", "Error analysis", "Segments", is_of_two=True),
    Page("ngrams", "Error analysis", "N-grams", is_of_two=True),
    Page("slices", "Error analysis", "Slices", is_of_two=True),
    Page("report", "Share", "Report", is_of_two=True),
)
PAGES: Mapping[str, Page] = MappingProxyType({page.name: page for page in _PAGES})
"""By name, in the order of the menu; the bare address has none (``pages/start.py``)."""
