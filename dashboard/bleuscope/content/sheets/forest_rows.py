"""What a forest plot draws of a sheet, as a chart or as a table: points, intervals, their words, their scale."""

from dataclasses import dataclass

import numpy as np

from bleucore.counts import Floats
from bleuscope.content.sheets.sheet import Sheet
from bleuscope.content.sheets.values import page_texts

ROOM, LEAST_ROOM = 0.05, 0.05
"""On both sides of what is drawn: of its extent, and in its unit."""
ITSELF = "no difference from itself"


@dataclass(frozen=True)
class Panel:
    """One scale of a forest plot; it reaches from the least to the most that is drawn, and not from 0.

    Attributes:
        value: The column of the points. A missing difference stands at 0: that of the system that all are measured
            against.
        axis: Its title, with the unit.
        interval: The column of the whiskers, if there are any.
    """

    value: str
    axis: str
    interval: str | None = None


@dataclass(frozen=True)
class ForestRows:
    """One panel, read from the sheet.

    Attributes:
        values: Where the points are, (n,), NaN where there is none.
        ends: Of the whiskers, (n, 2), at the points where there are none.
        texts: The values as pages write them.
        said: The same with interval and cluster.
    """

    values: Floats
    ends: Floats
    texts: list[str]
    said: list[str]

    @classmethod
    def of(cls, sheet: Sheet, panel: Panel) -> "ForestRows":
        """Read what a panel draws of each row; before the tests a sheet has no intervals."""
        fields = {one.key: one for one in sheet.fields}
        field = fields[panel.value]
        values, texts = sheet.frame[panel.value].to_numpy(np.float64).copy(), page_texts(sheet, field, mark="")
        said, is_missing = texts, np.isnan(values)
        if field.kind == "difference":
            values[is_missing] = 0.0
            said = [ITSELF if is_missing[row] and row not in field.notes else text for row, text in enumerate(texts)]
        ends = np.column_stack([values, values])
        if panel.interval in fields:
            known = sheet.frame[[f"{panel.interval}_low", f"{panel.interval}_high"]].to_numpy(np.float64)
            ends = np.where(np.isnan(known), ends, known)
            intervals = page_texts(sheet, fields[panel.interval], mark="")
            is_known = ~np.isnan(known).any(axis=1)
            said = [
                f"{text}, 95 % interval {intervals[row]}" if is_known[row] else text for row, text in enumerate(said)
            ]
        said = [
            text if np.isnan(cluster) else f"{text}, cluster {cluster:.0f}"
            for text, cluster in zip(said, clusters(sheet).tolist(), strict=True)
        ]
        return cls(values, ends, texts, said)

    @property
    def range(self) -> list[float]:
        """The ends of the axis: a little more than what is drawn, and never below 0 for scores."""
        known = self.ends[~np.isnan(self.ends)]
        low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
        room = max(ROOM * (high - low), LEAST_ROOM)
        return [max(0.0, low - room) if low >= 0 else low - room, high + room]


def clusters(sheet: Sheet) -> Floats:
    """The number of each row's cluster, (n,), NaN where there is none."""
    if "cluster" not in sheet.frame:
        return np.full(len(sheet.frame), np.nan)
    return sheet.frame["cluster"].to_numpy(np.float64)


def cluster_starts(sheet: Sheet) -> list[int]:
    """The first row of every cluster but the first: a line stands above it."""
    numbers = clusters(sheet)
    return [row for row in range(1, len(numbers)) if numbers[row] > numbers[row - 1]]
