"""The variance of a mean score: what is due to the items, and what to the runs, and what more of either would give."""

import math
from dataclasses import dataclass

from bleucore.optional_packages import special

USUAL_COVERAGE = 0.95
ENOUGH_FREE = 9
"""Degrees of freedom of runs from which no variance of runs is taken for none. Of fewer it is often 0 by chance."""


@dataclass(frozen=True)
class VarianceParts:
    """The variance of a weighted sum of scores of runs, by where it comes from.

    Attributes:
        items: Of what all runs of a recipe have in common: more runs leave it, more segments reduce it.
        interaction: Of what runs do differently from item to item: more runs or segments reduce it.
        runs: Of the runs themselves; segments leave it. ``None`` where no recipe has several.
        items_free: Degrees of freedom of the items.
        runs_free: Degrees of freedom of the runs; ``None`` as ``runs``.
        spread: The variance of the sum over runs as it is seen, which ``runs_free`` belong to.
    """

    items: float
    interaction: float
    runs: float | None
    items_free: float
    runs_free: float | None
    spread: float

    @property
    def variance(self) -> float:
        """Of the sum."""
        return self.items + self.interaction + (self.runs or 0.0)

    @property
    def freedom(self) -> float:
        """Satterthwaite's degrees of freedom."""
        return self._freedom(1.0, 1.0)

    def _freedom(self, more_runs: float, more_items: float) -> float:
        # of r runs of one recipe r - 1 are free, of m r runs m (r - 1) + m - 1
        of_items = (self.items + self.interaction / more_runs) / more_items
        total = of_items + (self.runs or 0.0) / more_runs
        squares = of_items**2 / self.items_free
        if self.runs_free and (self.runs or self.runs_free < ENOUGH_FREE):
            of_spread = min(self.spread, (self.runs or 0.0) + self.interaction / more_items)
            squares += (of_spread / more_runs) ** 2 / max(1.0, self.runs_free * more_runs + more_runs - 1)
        return max(1.0, total**2 / squares) if squares else self.items_free

    def half_width(self, more_runs: float = 1.0, more_items: float = 1.0, level: float = USUAL_COVERAGE) -> float:
        """Half of the width of the interval with so many times the runs and so many times the segments.

        With few runs, more segments can cost degrees of freedom and widen the interval; they are left aside then.
        """
        ways = ((runs, items) for runs in {1.0, more_runs} for items in {1.0, more_items})
        return min(self._half_width(*way, level) for way in ways)

    def _half_width(self, more_runs: float, more_items: float, level: float) -> float:
        items = self.items / more_items
        variance = items + self.interaction / (more_runs * more_items) + (self.runs or 0.0) / more_runs
        quantile = float(special.stdtrit(self._freedom(more_runs, more_items), 1 - (1 - level) / 2))
        return quantile * math.sqrt(variance)

    @property
    def run_share(self) -> float | None:
        """The share of the variance that more runs would reduce and more segments would not; ``None`` as ``runs``."""
        return None if self.runs is None or not self.variance else self.runs / self.variance
