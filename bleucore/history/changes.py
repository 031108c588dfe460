"""What changed from one version to another, segment by segment."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bleucore.analysis.attribution import Attribution, attribute
from bleucore.counts import Floats, Ints, read_only
from bleucore.errors import InputError
from bleucore.history.segment_history import gains_between
from bleucore.metrics import MetricOptions
from bleucore.written_numbers import counted

Change: TypeAlias = Literal["regressed", "improved", "reworded", "unchanged"]


@dataclass(frozen=True, eq=False)
class VersionChanges:
    """The segments of two versions, the older one first.

    Every segment is one of four: its text is the same (``unchanged``), or its score fell (``regressed``), rose
    (``improved``) or stayed (``reworded``), whichever way the metric points. All arrays are read-only.

    Attributes:
        gains: (S,), what each segment's own score gained: above 0 where the newer version is better.
        is_unchanged: (S,), whether the text is the same.
        attribution: What each segment adds to the difference of the corpus scores, newer minus older.
    """

    gains: Floats
    is_unchanged: NDArray[np.bool_]
    attribution: Attribution

    def segments(self, change: Change) -> Ints:
        """The segments of one kind, in order; regressed and improved ones in the order of how much, most first."""
        if change == "unchanged":
            return np.flatnonzero(self.is_unchanged)
        if change == "reworded":
            return np.flatnonzero(~self.is_unchanged & (self.gains == 0))
        sizes = self.gains if change == "improved" else -self.gains
        order = np.argsort(-sizes, kind="stable")
        found: Ints = order[sizes[order] > 0]
        return found

    @property
    def n_segments(self) -> int:
        """S."""
        return len(self.gains)

    def n_of(self, change: Change) -> int:
        """How many segments are of one kind."""
        return len(self.segments(change))

    def part(self, change: Change) -> float:
        """What the segments of one kind add to the difference of corpus scores: all four, that less its jump.

        Segments whose own score rose can take from the corpus score, for example where a short one grew.
        """
        return float(self.attribution.segments[self.segments(change)].sum())


def changes_between(
    older: NDArray[Any],
    newer: NDArray[Any],
    options: MetricOptions,
    texts: tuple[Sequence[str], Sequence[str]],
    *,
    names: tuple[str, str] = ("older", "newer"),
) -> VersionChanges:
    """What changed between two versions.

    Args:
        older: Counts (S, C), as the metric's statistics give them.
        newer: Those of the newer version, of the same segments.
        options: With which the counts were made, of any metric.
        texts: The outputs of both, (S,) each.
        names: Of both.

    Raises:
        InputError: There are not as many texts as counts.
    """
    for name, counts, column in zip(names, (older, newer), texts, strict=True):
        if not len(column) == len(counts) == len(older):
            raise InputError(
                "these versions do not have the same segments",
                where=f"Version {name!r}",
                found=f"{counted(len(column), 'text')} and counts of {counted(len(counts), 'segment')}",
                expected=f"{len(older):,}",
            )
    attribution = attribute(older, newer, options, names=names)
    metric = attribution.metric
    first, second = (metric.segment_scores(counts, options) for counts in (older, newer))
    unchanged = np.fromiter((one == other for one, other in zip(*texts, strict=True)), np.bool_, len(older))
    gains = gains_between(first, second, higher_is_better=metric.higher_is_better(options))
    gains[unchanged] = 0.0
    return VersionChanges(read_only(gains), read_only(unchanged), attribution)
