r"""chrF along the straight line between the summed counts of two systems: its ends, and its gradient integrated.

``F = (1 + β²) P R / (β² P + R)``, with P and R the means of the orders' precisions m/h and recalls m/r; with
``eps_smoothing`` the mean of such an F of each order. Each order is a factor, told apart by the chain rule:
∂F/∂P · ∂P/∂(a count of the order) and the same of R.

Between the ends one rule holds: an order counts where both texts have n-grams of it. What F tends to at an end need not
be the score there: without an n-gram of an order in A, the order counts all along the line but in A. Its m/h is the
same as in B as far as A, but has no finite integral of its derivatives, so it is held as it is in B; so is m/r without
an n-gram in the references.

All are rational functions of t, and β² P + R has no zero t/(1 - t) with a positive real part: along the line it is a
sum of fractions of positive numbers, whose angles are smaller than that of t/(1 - t). So the panels of
``bleucore.metrics.attribution_path`` are exact to rounding.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bleucore.counts import Floats
from bleucore.metrics.attribution_path import line_nodes
from bleucore.metrics.chrf import ChrfOptions


@dataclass(frozen=True)
class ChrfLine:
    """The line between the counts of two systems, and the rule of chrF between its ends.

    Attributes:
        options: How counts are scored.
        ends: (2, 3N), the counts.
        counted: (N,), whether each side has n-grams of the order in one of the systems at least.
    """

    options: ChrfOptions
    ends: Floats
    counted: NDArray[np.bool_]

    @classmethod
    def between(cls, sums: NDArray[Any], options: ChrfOptions) -> "ChrfLine":
        """The line between two rows of counts (2, 3N).

        Raises:
            ValueError: The counts are not of the orders of the options.
        """
        if sums.shape[1] != 3 * options.n_orders:
            raise ValueError(f"{sums.shape[1]} counts for {options.n_orders} orders")
        ends = sums.astype(np.float64)
        return cls(options, ends, np.asarray(ends[:, 0::3].any(axis=0) & ends[:, 1::3].any(axis=0)))

    @cached_property
    def zero_because(self) -> str | None:
        """Why the score is 0 all along the line, in words that go on from "because"; ``None`` if it is not."""
        return None if self.ends[:, 2::3].any() else "neither system has a match of any order"

    def limits(self) -> Floats:
        """What the score tends to at both ends, (2,)."""
        if self.zero_because:
            return np.zeros(2)
        precisions, recalls = self._precisions_and_recalls(self.ends)
        scores = _f(precisions, recalls, self.options.beta**2)
        return np.asarray(self._scale * scores.sum(axis=-1))

    def values(self) -> Floats:
        """What one more of each count is worth through each order, (N, 3N)."""
        values = np.zeros((self.options.n_orders, self.ends.shape[1]))
        if self.zero_because:
            return values
        orders = np.flatnonzero(self.counted)
        for counts, weights in line_nodes(self.ends):
            by_precision, by_recall = (weights[:, None] * slopes for slopes in self._slopes(counts))
            n_hypothesis, n_reference, n_matched = (counts[:, 3 * orders + part] for part in range(3))
            by_precision = np.where(self._held(0)[orders], 0.0, by_precision)
            by_recall = np.where(self._held(1)[orders], 0.0, by_recall)
            values[orders, 3 * orders] -= (by_precision * n_matched / _or_one(n_hypothesis) ** 2).sum(axis=0)
            values[orders, 3 * orders + 1] -= (by_recall * n_matched / _or_one(n_reference) ** 2).sum(axis=0)
            of_match = by_precision / _or_one(n_hypothesis) + by_recall / _or_one(n_reference)
            values[orders, 3 * orders + 2] += of_match.sum(axis=0)
        return values

    def lacks(self, counts: NDArray[Any]) -> list[str]:
        """Of which orders that count a system, or its references, has no n-gram."""
        facts = []
        for part, where in enumerate(("", " in the references")):
            missing = np.flatnonzero(self.counted & (counts[part::3] == 0))
            names = [f"{'word' if order >= self.options.char_order else 'character'} " for order in missing]
            numbers = [order - self.options.char_order * (order >= self.options.char_order) + 1 for order in missing]
            listed = ", ".join(f"{name}{number}-gram" for name, number in zip(names, numbers, strict=True))
            facts += [f"has no {listed}{where}"] if listed else []
        return facts

    @property
    def _scale(self) -> float:
        """What the F of each order, or of all, is multiplied by."""
        return 100.0 / self.options.n_orders if self.options.eps_smoothing else 100.0

    def _held(self, part: int) -> NDArray[np.bool_]:
        """Of which orders a side (0 hypotheses, 1 references) has n-grams in one system alone, (N,)."""
        return np.asarray(self.counted & (self.ends[:, part::3] == 0).any(axis=0))

    def _shares(self, counts: Floats, part: int) -> Floats:
        """Precisions (part 0) or recalls (part 1) of the orders that count, (..., n)."""
        held = self._held(part)
        numbers, matched = counts[..., part::3].copy(), counts[..., 2::3].copy()
        numbers[..., held], matched[..., held] = self.ends[:, part::3][:, held].max(axis=0), self._held_matches(part)
        return np.asarray(matched[..., self.counted] / numbers[..., self.counted])

    def _held_matches(self, part: int) -> Floats:
        """The matches of the orders that are held in the system that has n-grams."""
        held = self._held(part)
        having = self.ends[:, part::3][:, held].argmax(axis=0)
        return np.asarray(self.ends[:, 2::3][:, held][having, np.arange(len(having))])

    def _precisions_and_recalls(self, counts: Floats) -> tuple[Floats, Floats]:
        """P and R (..., 1), means over orders; of each order (..., n) where F is."""
        precisions, recalls = self._shares(counts, 0), self._shares(counts, 1)
        if self.options.eps_smoothing:
            return precisions, recalls
        return precisions.mean(axis=-1, keepdims=True), recalls.mean(axis=-1, keepdims=True)

    def _slopes(self, counts: Floats) -> tuple[Floats, Floats]:
        """The derivative of the score by the precision and the recall of each order that counts, (..., n)."""
        weight = self.options.beta**2
        precisions, recalls = self._precisions_and_recalls(counts)
        scale = self._scale / (1 if self.options.eps_smoothing else int(self.counted.sum()))
        shape = (*counts.shape[:-1], int(self.counted.sum()))
        factor = scale * (1 + weight) / _or_one((weight * precisions + recalls) ** 2)
        slopes = factor * recalls**2, factor * weight * precisions**2
        return np.broadcast_to(slopes[0], shape), np.broadcast_to(slopes[1], shape)


def _f(precisions: Floats, recalls: Floats, weight: int) -> Floats:
    """F of precisions and recalls, 0 where both are; what it tends to where a recall goes to 0 and has no weight."""
    if weight == 0:
        return precisions
    return np.asarray((1 + weight) * precisions * recalls / _or_one(weight * precisions + recalls))


def _or_one(values: Floats) -> Floats:
    """The values, and 1 for 0: what is divided by it is 0."""
    return np.where(values == 0, 1.0, values)
