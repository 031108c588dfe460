"""A sheet: raw values in tidy columns, and what each column means, so that every format can write it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from bleucore.notebook_tables import html_table
from bleucore.short_reprs import short_repr
from bleucore.written_numbers import count_of

if TYPE_CHECKING:
    import pandas as pd

MOST_ROWS = 50
"""Of a sheet, in a notebook."""
Kind = Literal[
    "text",  # names and texts, as they are
    "count",  # whole numbers
    "score",  # 0-100, two decimals
    "metric score",  # of any metric
    "difference",  # signed, two decimals
    "part",  # signed, as many decimals as small parts need
    "precision",  # 0-100, one decimal
    "ratio",  # three decimals
    "p",  # a p-value
    "statistic",  # two decimals
    "yes or no",
    "interval",  # the ends are two columns of the frame: the key with _low and with _high
]
Ends = Literal["score", "difference", "small difference"]
"""How people read the ends of an interval: of scores, of differences, or of differences of scores around 0 to 1."""


@dataclass(frozen=True)
class Note:
    """What pages write at one place of a column instead of its value.

    Attributes:
        text: What is read: "baseline", "no test", "…".
        reason: Why, shown on hover and focus.
    """

    text: str
    reason: str | None = None


@dataclass(frozen=True)
class Field:
    """What one column of a sheet holds.

    Attributes:
        key: The column of the frame, and its name in CSV, TSV, JSON and Parquet: lower case, underscores.
        heading: What people read, as on the page.
        kind: How its values are written for people; machines get the values themselves.
        best: Which end is best and set in bold: "highest", "lowest", or neither.
        marked_by: A "yes or no" column of the frame; where it is true, people see a mark of significance at this value.
        ends: How people read the ends of an interval.
        for_machines: Left out of what people read: Markdown, LaTeX, the terminal and pages.
        explanation: What it is, in a line, which pages show at the heading.
        on_pages: The heading on pages, where it is another one.
        off_pages: Left out of pages, which have no room for it or say it elsewhere.
        names_system: Whether its texts are names of systems, which pages show in the colours of these.
        is_label: Whether its texts are labels that can be as long as those of commits: pages cut them, whole on hover.
        is_prose: Whether its texts are of the test set: pages show how each begins, in its own direction.
        language: Of such texts, where it is known.
        fraction: The columns of the frame that a precision is made of: n-grams that match, and all of them.
        decimals: How many people read in files, of scores, differences and intervals; as many as pages unless given.
        is_by_row: Whether each row has a scale of its own, as a metric in each row: its size decides on its decimals.
        notes: By row, what pages write instead of its value.
    """

    key: str
    heading: str
    kind: Kind
    best: Literal["highest", "lowest"] | None = None
    marked_by: str | None = None
    ends: Ends = "score"
    for_machines: bool = False
    explanation: str | None = None
    on_pages: str | None = None
    off_pages: bool = False
    names_system: bool = False
    is_label: bool = False
    is_prose: bool = False
    language: str | None = None
    fraction: tuple[str, str] | None = None
    decimals: int | None = None
    is_by_row: bool = False
    notes: Mapping[int, Note] = field(default_factory=dict)

    @property
    def page_heading(self) -> str:
        """The heading on pages."""
        return self.heading if self.on_pages is None else self.on_pages


@dataclass(frozen=True)
class Sheet:
    """A table as it leaves the dashboard or the command line.

    Attributes:
        name: A word for files, JSON and the command line: "systems".
        caption: One or more sentences: what the rows are, and the test, its trials, correction and signature.
        fields: The columns, in order. Columns of the frame that no field names are not written.
        frame: Raw values, one row each; missing ones are None or NaN. Not to be changed.
        facts: What holds for the whole sheet and machines want with it: signature, seed, digest.
        title: What pages call it, for screen readers.
        emphasised: Rows that stand out on pages.
        parted: Rows above which pages draw a line.
    """

    name: str
    caption: str
    fields: tuple[Field, ...]
    frame: "pd.DataFrame"
    facts: Mapping[str, str | int | float] = field(default_factory=dict)
    title: str = ""
    emphasised: tuple[int, ...] = ()
    parted: tuple[int, ...] = ()

    def __repr__(self) -> str:
        return short_repr(self)

    def _repr_html_(self) -> str:
        """The first rows as notebooks show them."""
        from bleuscope.content.sheets import values  # noqa: PLC0415  # which needs sheets

        first = replace(self, frame=self.frame.head(MOST_ROWS))
        fields, columns = values.read_fields(first), values.read_columns(first)
        cells = [[cell.text + values.STAR * cell.is_marked for cell in column] for column in columns]
        n_names = next((place for place, one in enumerate(fields) if not values.is_text(one)), len(fields))
        n_rows = len(self.frame)
        more = f" The first {MOST_ROWS} of {count_of(n_rows, 'row')}." if n_rows > MOST_ROWS else ""
        heads, rows = [one.heading for one in fields], [list(row) for row in zip(*cells, strict=True)]
        return html_table(heads, rows, n_names=n_names, caption=self.caption + more)
