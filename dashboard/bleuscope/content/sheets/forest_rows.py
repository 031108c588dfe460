"""What a forest plot draws of a sheet, as a chart or as a table: points, intervals, their words, their scale."""

from dataclasses import dataclass

import numpy as np

from bleucore.counts import Floats, Ints
from bleuscope.content.sheets.sheet import Sheet
from bleuscope.content.sheets.values import page_texts

ROOM, LEAST_ROOM = 0.05, 0.05
"""On both sides of what is drawn: of its extent, and in its unit."""
SQUEEZED, MOST_OUTLIERS = 3, 0.25
"""Rows are outliers if they make the axis three times as long: up to a quarter of all rows, or one of three."""
LEAST_COMPARED = 3
MOST_TICKS = 4
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
        outside: Of each row, -1 or 1 if its point lies before or beyond the axis, else 0.
    """

    values: Floats
    ends: Floats
    texts: list[str]
    said: list[str]
    outside: Ints

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
        return cls(values, ends, texts, said, outliers(values, ends))

    @property
    def range(self) -> list[float]:
        """The ends of the axis: those of all intervals but of outliers, with ``ROOM``; never below 0 for scores."""
        known = self.ends[(self.outside == 0) & ~np.isnan(self.values)]
        low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
        room = max(ROOM * (high - low), LEAST_ROOM)
        return [max(0.0, low - room) if low >= 0 else low - room, high + room]

    @property
    def shown(self) -> Floats:
        """Where the points are drawn, (n,): those of outliers at the end of the axis."""
        low, high = self.range
        return np.clip(self.values, low, high)

    @property
    def shown_ends(self) -> Floats:
        """Of the whiskers, as far as they are on the axis, (n, 2)."""
        low, high = self.range
        return np.clip(self.ends, low, high)


def ticks(low: float, high: float, most: int = MOST_TICKS) -> list[float]:
    """Round numbers from low to high, low < high, at equal distances: up to ``most``, at least 2 where that is 4."""
    step = 10.0 ** np.floor(np.log10((high - low) / most))
    step *= next(times for times in (1, 2, 2.5, 5, 10) if (high - low) / (times * step) < most)
    first, last = int(np.ceil(low / step)), int(np.floor(high / step))
    return [float(step * place) for place in range(first, last + 1)]


def outliers(values: Floats, ends: Floats) -> Ints:
    """On which side of all others each outlier lies, (n,); 0 for the contenders."""
    sides = np.zeros(len(values), np.int64)
    known = np.flatnonzero(~np.isnan(values))
    order = known[np.argsort(values[known], kind="stable")]
    left = max(int(MOST_OUTLIERS * len(order)), int(len(order) >= LEAST_COMPARED))
    while left:
        tried = ((n, side) for n in range(1, left + 1) for side in (-1, 1))
        extent = _extent(ends[order])
        apart = (one for one in tried if _are_apart(values, ends, order, *one))
        found = next((one for one in apart if SQUEEZED * _extent(ends[_without(order, *one)]) <= extent), None)
        if found is None:
            break
        rest = _without(order, *found)
        sides[np.setdiff1d(order, rest)] = found[1]
        order, left = rest, left - found[0]
    return sides


def _are_apart(values: Floats, ends: Floats, order: Ints, n: int, side: int) -> bool:
    """Whether the n first points, or last, lie beyond all intervals of the others."""
    rest = ends[_without(order, n, side)]
    return bool(values[order[n - 1]] < rest.min() if side < 0 else values[order[-n]] > rest.max())


def _without(order: Ints, n: int, side: int) -> Ints:
    """The rows but the n first, or last."""
    return order[n:] if side < 0 else order[:-n]


def _extent(ends: Floats) -> float:
    return max(float(ends.max() - ends.min()), LEAST_ROOM)


def clusters(sheet: Sheet) -> Floats:
    """The number of each row's cluster, (n,), NaN where there is none."""
    if "cluster" not in sheet.frame:
        return np.full(len(sheet.frame), np.nan)
    return sheet.frame["cluster"].to_numpy(np.float64)


def cluster_starts(sheet: Sheet) -> list[int]:
    """The first row of every cluster but the first: a line stands above it."""
    numbers = clusters(sheet)
    return [row for row in range(1, len(numbers)) if numbers[row] > numbers[row - 1]]
