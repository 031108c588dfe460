"""Pairs of systems that two ways to score put in opposite orders: is that noise, or does each way mean it?

A flip is significant on both sides where the paired test calls the difference significant in either way to score, in
opposite directions. Both are tested as the base is: by the same test, on the same units, with the same draws. p is
that of the pair and not corrected: for two systems that do not differ, two such results in opposite directions come up
in less than level² / 2 of cases, 0.13 % at .05, which among 36 pairs stays below 5 %.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bleucore.corpus import TestSet
from bleucore.counts import Floats
from bleucore.metrics import Metric, MetricOptions, metric_of
from bleucore.optional_packages import special
from bleucore.robustness.rankings import orders, pairs_of
from bleucore.significance import ComparedSystems, Comparison, SignificanceOptions, TestSetUnits, compare


@dataclass(frozen=True)
class Scoring:
    """The same systems scored in one way.

    Attributes:
        names: K system names.
        counts: K arrays (S, P C): of each of P ways to count, side by side; the score is the mean of theirs.
        n_parts: P.
        options: Of the metric.
        units: What is known of the dependence between the S segments.
    """

    names: tuple[str, ...]
    counts: Sequence[NDArray[Any]]
    n_parts: int
    options: MetricOptions
    units: TestSetUnits

    @classmethod
    def of(
        cls,
        test_set: TestSet,
        parts: Sequence[Sequence[NDArray[Any]]],
        options: MetricOptions,
        kept: NDArray[np.bool_] | None = None,
    ) -> "Scoring":
        """The systems of a test set by their counts (S, C) in each part, of all segments or of those kept (S,)."""
        rows = slice(None) if kept is None else kept
        beside = [[each[rows] for each in of_system] for of_system in zip(*parts, strict=True)]
        counts = [each[0] if len(each) == 1 else np.concatenate(each, axis=1) for each in beside]
        units = TestSetUnits(test_set.n_segments, test_set.documents, test_set.items)
        units = units if kept is None else units.selected(np.flatnonzero(kept))
        return cls(test_set.system_names, counts, len(parts), options, units)

    @cached_property
    def scores(self) -> Floats:
        """The corpus scores, (K,)."""
        return self._mean(self._metric.scores, np.array([counts.sum(axis=0) for counts in self.counts]))

    @property
    def gains(self) -> Floats:
        """The same, turned so that higher is better."""
        return self.scores if self._metric.higher_is_better(self.options) else -self.scores

    def compared(self, systems: Sequence[int]) -> ComparedSystems:
        """What a test of some systems needs."""
        return ComparedSystems(
            [(self.names[place], self.counts[place]) for place in systems],
            partial(self._mean, self._metric.draw_scores),
            self._metric.higher_is_better(self.options),
            whole=self.units,
            single_precision=True,
        )

    @property
    def _metric(self) -> Metric:
        return metric_of(self.options)

    def _mean(self, score: Callable[[NDArray[Any], Any], Floats], counts: NDArray[Any]) -> Floats:
        parts = np.split(counts, self.n_parts, axis=-1)
        return np.asarray(np.mean([score(part, self.options) for part in parts], axis=0))


@dataclass(frozen=True)
class Flip:
    """A pair of systems in opposite orders.

    Attributes:
        ahead: Who leads in the base.
        behind: Who leads in the other way to score.
        base_difference: How much better the first scores than the second, in the base: above 0.
        difference: The same in the other way: below 0.
        base_p: p of the base, of this pair alone; ``None`` where there is no test.
        p_value: p of the other way; ``None`` where there is no test, where the base is within noise already, and where
            the difference is so small that a test can be spared.
        is_significant: Whether both are below the level, where small p-values count (``Comparison.has_stars``).
    """

    ahead: str
    behind: str
    base_difference: float
    difference: float
    base_p: float | None
    p_value: float | None
    is_significant: bool


@dataclass(frozen=True, kw_only=True, eq=False)
class Reordered:
    """The systems as another way to score has them. Equal to itself alone.

    Attributes:
        scores: (K,), read-only.
        flips: The pairs that it turns round against the base.
    """

    scores: Floats
    flips: tuple[Flip, ...]

    @property
    def significant_flips(self) -> int:
        """How many of the flips are significant on both sides."""
        return sum(flip.is_significant for flip in self.flips)


@dataclass(frozen=True)
class Base:
    """What other ways to score are held against.

    Attributes:
        scoring: The base.
        comparison: Its tests.
    """

    scoring: Scoring
    comparison: Comparison

    @property
    def tests(self) -> SignificanceOptions:
        """How pairs are tested: as the base, each alone."""
        return replace(self.comparison.options, correction="none")

    @classmethod
    def of(cls, scoring: Scoring, options: SignificanceOptions, comparison: Comparison | None = None) -> "Base":
        """A base with its tests, where they are not made yet."""
        return cls(scoring, comparison or compare(scoring.compared(range(len(scoring.names))), options))

    def flips(self, other: Scoring) -> tuple[Flip, ...]:
        """The pairs that another way to score turns round, those that lead by most in the base first."""
        turned = orders(self.scoring.gains) * orders(other.gains) < 0
        pairs = [pair for pair, is_turned in zip(pairs_of(len(other.names)), turned.tolist(), strict=True) if is_turned]
        found = [self._flip(pair, other) for pair in pairs]
        return tuple(sorted(found, key=lambda flip: -flip.base_difference))

    def _flip(self, pair: tuple[int, int], other: Scoring) -> Flip:
        base, level = self.scoring.gains, self.comparison.options.level
        ahead, behind = pair if base[pair[0]] > base[pair[1]] else pair[::-1]
        names = other.names[ahead], other.names[behind]
        base_p, p_value = self.comparison.pair(*names).p_value, None
        if base_p is not None and base_p < level:
            p_value = self._p_value(names, other.compared((ahead, behind)))
        return Flip(
            *names,
            base_difference=float(base[ahead] - base[behind]),
            difference=float(other.gains[ahead] - other.gains[behind]),
            base_p=base_p,
            p_value=p_value,
            is_significant=self.comparison.has_stars and p_value is not None and p_value < level,
        )

    def _p_value(self, names: tuple[str, str], compared: ComparedSystems) -> float | None:
        """The p-value of two systems by the test of the base; ``None`` where there is none, or noise is sure without.

        A difference of less than half the standard errors that the level needs has p above .3 at a level of .05. Most
        pairs that are turned round are such, and telling so takes a twentieth of the time of a test.
        """
        options = self.comparison.options
        needed = float(special.ndtri(1 - options.level / 2))
        if not options.makes_blocks and _standard_errors(compared, options) < needed / 2:
            return None
        # The draws are as many as those of the base, which are filled in, and not what a family of two needs.
        return compare(compared, options).pair(*names).p_value


def _standard_errors(compared: ComparedSystems, options: SignificanceOptions) -> float:
    """How many standard errors two systems differ by, by the jackknife over units; 0 where there is one unit."""
    counts = np.array([counts for _, counts in compared.unit_counts(compared.units(options))], np.float64)
    n_units, whole = counts.shape[1], counts.sum(axis=1)
    if n_units == 1:
        return 0.0
    first, second = compared.score(whole[:, None] - counts)
    left_out = first - second
    difference = np.subtract(*compared.score(whole))
    error = np.sqrt((n_units - 1) / n_units * ((left_out - left_out.mean()) ** 2).sum())
    return float(abs(difference) / error) if error else float("inf")
