"""A sheet: raw values in tidy columns, and what each column means, so that every format can write it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import pandas as pd

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
        for_machines: Left out of what people read: Markdown, LaTeX and the terminal.
    """

    key: str
    heading: str
    kind: Kind
    best: Literal["highest", "lowest"] | None = None
    marked_by: str | None = None
    ends: Literal["score", "difference", "metric score"] = "score"
    for_machines: bool = False


@dataclass(frozen=True)
class Sheet:
    """A table as it leaves the dashboard or the command line.

    Attributes:
        name: A word for files, JSON and the command line: "systems".
        caption: One or more sentences: what the rows are, and the test, its trials, correction and signature.
        fields: The columns, in order. Columns of the frame that no field names are not written.
        frame: Raw values, one row each; missing ones are None or NaN. Not to be changed.
        facts: What holds for the whole sheet and machines want with it: signature, seed, digest.
    """

    name: str
    caption: str
    fields: tuple[Field, ...]
    frame: pd.DataFrame
    facts: Mapping[str, str | int | float] = field(default_factory=dict)
