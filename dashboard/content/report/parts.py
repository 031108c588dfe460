"""What a report is made of: sections of blocks, which HTML and Markdown write each in their way."""

from dataclasses import dataclass
from typing import TypeAlias

import plotly.graph_objects as go
from markupsafe import Markup

from dashboard.content.comparison.study import TestedStudy
from dashboard.content.report.choices import ReportOptions, SectionName
from dashboard.content.sheets.sheet import Sheet
from dashboard.content.style.sentences import Text


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


Block: TypeAlias = Heading | Words | Table | Tables | Code | Charts | SegmentCard


@dataclass(frozen=True)
class Section:
    """One section with its blocks, top to bottom."""

    name: SectionName
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Report:
    """A report, before it is written.

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
