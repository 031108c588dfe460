"""What a report is made of: sections of blocks, which HTML and Markdown write each in their way."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import plotly.graph_objects as go
from markupsafe import Markup

from bleuscope.content.comparison import test_set_facts
from bleuscope.content.comparison.comparison_context import TestedStudy
from bleuscope.content.report.choices import SECTIONS, ReportOptions
from bleuscope.content.segments import highlights
from bleuscope.content.sheets.sheet import Sheet
from bleuscope.content.style.identity import SystemStyle
from bleuscope.content.style.sentences import Text

SHORT_TITLES: Mapping[str, str] = {name: "Result" if name == "verdict" else name.capitalize() for name in SECTIONS}


@dataclass(frozen=True)
class Heading:
    """Above some blocks of a section."""

    text: str


@dataclass(frozen=True)
class Words:
    """Sentences."""

    said: Text


@dataclass(frozen=True)
class Table:
    """A table as pages show it.

    Attributes:
        sheet: What it holds.
        style: A further CSS class of ours.
        title: Stands above it; empty where a heading does.
        is_matrix: Whether its pairs of systems are written as rows and columns.
    """

    sheet: Sheet
    style: str = ""
    title: str = ""
    is_matrix: bool = False


@dataclass(frozen=True)
class Tables:
    """Small tables side by side, each beneath its title."""

    tables: tuple[Table, ...]


@dataclass(frozen=True)
class Code:
    """To be copied: a signature, a command, an entry of a bibliography."""

    title: str
    text: str


@dataclass(frozen=True)
class Chart:
    """A figure with all that those need who do not see it.

    Attributes:
        key: Names it among the charts, and the files that its pictures are saved as.
        figure: What is drawn.
        alt: What it shows, in a sentence.
        data: Its data as a table.
        caption: How to read it; empty where there is nothing to say.
    """

    key: str
    figure: go.Figure
    alt: str
    data: Table
    caption: str = ""


@dataclass(frozen=True)
class Charts:
    """One chart, or two side by side where there is room."""

    charts: tuple[Chart, ...]


@dataclass(frozen=True)
class Drawn:
    """A table that pages draw in a way of their own.

    Attributes:
        html: The table as it is drawn.
        sheet: What it holds, for Markdown.
    """

    html: Markup
    sheet: Sheet


@dataclass(frozen=True)
class SegmentCard:
    """A segment that is written out.

    Attributes:
        title: Its number, and its document.
        facts: Part, difference and the like, as value and name.
        tag: What a reader called it; empty without.
        note: What a reader said about it; empty without.
        html: Its texts with marks.
        texts: The same without: name, score in words (empty where there is none) and text.
    """

    title: str
    facts: tuple[tuple[str, str], ...]
    tag: str
    note: str
    html: Markup
    texts: tuple[tuple[str, str, str | None], ...]


Block: TypeAlias = Heading | Words | Table | Tables | Code | Charts | Drawn | SegmentCard


@dataclass(frozen=True)
class Section:
    """One section with its blocks, top to bottom.

    Attributes:
        name: Of the section in addresses.
        title: Stands above it.
        blocks: What it holds.
        short_title: What the contents call it.
    """

    name: str
    title: str
    blocks: tuple[Block, ...]
    short_title: str


@dataclass(frozen=True)
class SegmentList:
    """The list of all segments of a study.

    Attributes:
        packed: For the page's own script.
        legend: What the marks mean.
        note: How to go on from one to the next.
    """

    packed: str
    legend: Text
    note: str


class Written(Protocol):
    """What the writers of HTML and Markdown need of a report, whatever it is about."""

    @property
    def title(self) -> str:
        """What stands above."""

    @property
    def options(self) -> ReportOptions:
        """The remarks and the date among them."""

    @property
    def facts(self) -> list[tuple[str, str]]:
        """Short facts on what it is about, as value and name."""

    @property
    def looks(self) -> Mapping[str, SystemStyle]:
        """How each system is drawn."""

    @property
    def sections(self) -> tuple[Section, ...]:
        """In order."""

    @property
    def segment_list(self) -> SegmentList | None:
        """The list of all segments, where it is asked for."""


@dataclass(frozen=True)
class Report:
    """A report of a study, before it is written.

    Attributes:
        study: What it is about.
        options: What was asked for.
        sections: In order, those without anything to say left out.
        every_segment: The list of all segments, packed for the page's own script; ``None`` unless asked for.
    """

    study: TestedStudy
    options: ReportOptions
    sections: tuple[Section, ...]
    every_segment: str | None

    @property
    def title(self) -> str:
        """What stands above."""
        return self.options.title or self.study.title

    @property
    def facts(self) -> list[tuple[str, str]]:
        """What the test set holds, as value and name."""
        return test_set_facts.test_set_facts(self.study.test_set)

    @property
    def looks(self) -> Mapping[str, SystemStyle]:
        """How each system is drawn."""
        return self.study.looks

    @property
    def segment_list(self) -> SegmentList | None:
        """The list of all segments, where it is asked for."""
        if self.every_segment is None:
            return None
        compares, max_order = self.study.compares, self.study.evaluation.options.max_order
        legend = highlights.legend_html(max_order, compares=compares, marks_references=False)
        note = "The arrow keys open one segment after the other."
        if compares:
            note = (
                "Matches are marked in A and B; other systems are shown as they are. The arrow keys open one after the "
                "other."
            )
        return SegmentList(self.every_segment, legend, note)
