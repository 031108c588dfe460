"""What is compared: the counts of several systems on the same segments."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bleucore.counts import Ints, Progress, Score
from bleucore.short_reprs import short_repr
from bleucore.significance.blocks import block_counts
from bleucore.significance.draws import NamedCounts
from bleucore.significance.few_units import MOST_FEW, few_units_interval
from bleucore.significance.resampling import Bootstrap, bootstrap
from bleucore.significance.settings import SignificanceOptions
from bleucore.significance.units import TestSetUnits, Units


@dataclass(frozen=True)
class ComparedSystems:
    """What is compared: counts of several systems and what they mean.

    Attributes:
        systems: K names with counts (S, C) of the same segments; the rows of a subset are a test of the subset.
        score: Of counts (..., C): (...).
        higher_is_better: Which way the score points.
        documents: The document of each segment, where they are known.
        items: The item of each segment, (S,), where rows repeat; see ``TestSet.items``.
        whole: What is known of the whole test set, where the segments are a selection from it.
        selected_by_score: Whether the segments are a selection that looked at the scores themselves.
        single_precision: Whether the score may be given counts in single precision; see ``Randomisation``.
    """

    systems: Sequence[NamedCounts]
    score: Score
    higher_is_better: bool = True
    documents: Sequence[str] | None = None
    items: Ints | None = None
    selected_by_score: bool = False
    single_precision: bool = False
    whole: TestSetUnits | None = None

    def __repr__(self) -> str:
        return short_repr(self)

    @property
    def n_segments(self) -> int:
        """S, the number of segments."""
        return len(self.systems[0][1]) if self.systems else 0

    @property
    def known_units(self) -> TestSetUnits:
        """What is known of the dependence between the segments."""
        return self.whole or TestSetUnits(self.n_segments, self.documents, self.items)

    def selected(self, rows: Ints) -> "ComparedSystems":
        """The same systems on some segments, which keep the units of the whole test set."""
        return replace(
            self,
            systems=[(name, counts[rows]) for name, counts in self.systems],
            documents=None if self.documents is None else tuple(self.documents[row] for row in rows.tolist()),
            items=None if self.items is None else self.items[rows],
            whole=self.known_units.selected(rows),
        )

    def units(self, options: SignificanceOptions) -> Units:
        """What the options exchange and resample.

        Raises:
            InputError: Documents are asked for and unknown.
        """
        return options.units_of(self.known_units)

    def unit_counts(self, units: Units) -> Sequence[NamedCounts]:
        """The counts of each unit: (N, C) by system."""
        layout = units.layout
        if layout is None:
            return self.systems
        return [(name, block_counts(counts, layout)) for name, counts in self.systems]

    def bootstrap(self, options: SignificanceOptions, *, progress: Progress | None = None) -> Bootstrap:
        """The resamples that the options ask for, of their unit.

        Args:
            options: The number of resamples, their seed, and the unit; nothing else counts here.
            progress: Called with the share of the work done, 0 to 1, from time to time.

        Raises:
            InputError: There is no system, counts that do not fit, or documents are asked for and unknown.
        """
        units = self.units(options)
        columns = self.unit_counts(units)
        drawn = bootstrap(
            columns, self.score, resamples=options.n_resamples, seed=options.seed, unit=units.kind, progress=progress
        )
        of_scores = None
        if 1 < units.n_units <= MOST_FEW:
            of_scores = tuple(few_units_interval(counts, units.sizes, self.score) for _, counts in columns)
        return replace(drawn, n_effective=units.n_effective, of_scores=of_scores)
