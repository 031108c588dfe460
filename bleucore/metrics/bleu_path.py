r"""BLEU along the straight line between the summed counts of two systems: its ends, and its gradient integrated.

``s = 100 exp(Σ w_n log p_n + log BP)`` is a product of M + 1 factors, so its gradient is a sum of as many terms. Each
is kept apart: ``values[n, j]`` is the integral over t of s · ∂(logarithm of factor n)/∂(count j) at
c(t) = (1 - t) c_A + t c_B, and ``values @ (c_B - c_A)`` adds up to the change of s between the ends.

Between the ends one rule of BLEU holds: an order has a match everywhere or nowhere, and n-grams everywhere or nowhere.
What the score tends to at an end need not be the score there:

- Without a match of order n in A, p_n goes to 0 towards A, and s as t to the power of the weights of such orders. Its
  derivative by m_n has the power less 1, whose integral is finite. The score of A itself is smoothed.
- Without an n-gram of order n in A, m_n / t_n is the same all along the line, but the derivatives by m_n and t_n have
  no finite integral each. Both counts are held as they are in B. In A the order is missing.
- Where hypotheses and references of A are empty, the same goes for the brevity penalty and the lengths.
- NLTK's methods 4 and 7 put the logarithm of the length in the place of matches, which a system of one token does not
  have. It is held as well.

Integrals are those of ``line``, with the line cut at kinks: that of the brevity penalty above all. What is
left at an end is integrated by the power that is known. Derivatives are taken with an imaginary step, which loses no
digits (Squire and Trapp 1998).
"""

import sys
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bleucore.counts import Floats
from bleucore.metrics.attribution_path import line_nodes
from bleucore.metrics.bleu import NLTK_ALPHA, NLTK_K, reference_lengths
from bleucore.options import NEIGHBOUR_SMOOTHINGS, BleuOptions
from bleucore.tokens.matching import AVERAGE_LENGTH_UNIT

_IMAGINARY_STEP = 1e-100


@dataclass(frozen=True)
class BleuLine:
    """The line between the counts of two systems, and the rule of BLEU between its ends.

    Attributes:
        options: How counts are scored.
        ends: (2, 2 + 2M), the counts with what add-k adds and the reference length in tokens; counts that are held
            have the larger value at both ends.
        held: (2 + 2M,), whether the count is held.
        reached: (M,), whether the hypotheses of a system have n-grams of all orders up to this one.
        unmatched: (M,), whether neither system has a match of an order that is reached, so that smoothing may act.
        weights: (M,), of the orders that count; they sum to 1, or to 0 where none counts.
        is_scored: Whether there is a match of any order, or a token where that is enough.
    """

    options: BleuOptions
    ends: Floats
    held: NDArray[np.bool_]
    reached: NDArray[np.bool_]
    unmatched: NDArray[np.bool_]
    weights: Floats
    is_scored: bool

    @classmethod
    def between(cls, sums: NDArray[Any], options: BleuOptions) -> "BleuLine":
        """The line between two rows of counts (2, 2 + 2M).

        Raises:
            ValueError: The counts are not of the orders of the options.
        """
        max_order = options.max_order
        if sums.shape[1] != 2 + 2 * max_order:
            raise ValueError(f"{sums.shape[1]} counts for {max_order} orders")
        ends = sums.astype(np.float64)
        ends[:, 1] = reference_lengths(sums, options)
        matched, total = ends[:, 2 : 2 + max_order], ends[:, 2 + max_order :]
        is_scored = (ends[:, 0] if options.smooths_without_match else matched).any()
        if options.smoothing == "add-k":
            matched[:, 1:] += options.effective_smoothing_value
            total[:, 1:] += options.effective_smoothing_value
        reached = np.logical_and.accumulate(total.any(axis=0))
        unmatched = reached & ~matched.any(axis=0)
        is_empty = (ends[:, :2] == 0).all(axis=1).any()
        held = np.concatenate([[is_empty, is_empty], np.tile((total == 0).any(axis=0), 2)])
        ends[:, held] = ends[:, held].max(axis=0)
        return cls(options, ends, held, reached, unmatched, _weights(reached, options), bool(is_scored))

    @cached_property
    def zero_because(self) -> str | None:
        """Why the score is 0 all along the line, in words that go on from "because"; ``None`` if it is not."""
        if not self.is_scored:
            return "neither system has a match of any order"
        if not self.weights.any():
            return "no order that the systems have n-grams of has a weight"
        if self.options.smoothing == "nltk-6" and self.held.any():
            # A precision that goes to 0 would divide one that does not; the gradient has no integral.
            return "smoothing 'nltk-6' cannot do without an order of which one of the systems has no n-gram"
        zero = (self.weights > 0) & (self.precisions(self.ends.mean(axis=0)) == 0)
        order = int(zero.argmax())
        if not zero.any():
            return None
        if not self.reached[order]:
            return f"neither system has a {order + 1}-gram"
        return (
            f"neither system has a match of order {order + 1} and smoothing {self.options.smoothing!r} changes nothing"
        )

    def scores(self, counts: Floats) -> Floats:
        """The score (...) by the rule of the line, of counts (..., 2 + 2M) like those of ``ends``."""
        if self.zero_because:
            return np.zeros(counts.shape[:-1])
        precisions = self.precisions(counts)[..., self.weights > 0]
        logs = np.full(precisions.shape, -np.inf)
        np.log(precisions, out=logs, where=precisions > 0)
        return np.asarray(100.0 * np.exp(logs @ self.weights[self.weights > 0] + self._log_brevity_penalties(counts)))

    def precisions(self, counts: NDArray[Any]) -> NDArray[Any]:
        """The precisions (..., M) of counts (..., 2 + 2M), real or complex, as shares of 1."""
        max_order = self.options.max_order
        matched, total = counts[..., 2 : 2 + max_order], counts[..., 2 + max_order :]
        precisions = np.zeros_like(total)
        np.divide(np.where(self.unmatched, self._stand_ins(counts), matched), total, out=precisions, where=self.reached)
        if self.options.smoothing == "nltk-0":
            precisions[..., self.unmatched] = sys.float_info.min
        elif self.options.smoothing == "nltk-4" and self.ends[:, 0].max() <= 1:
            precisions[..., self.unmatched] = 1.0
        elif self.options.smoothing == "nltk-6":
            self._interpolate(precisions, counts)
        elif self.options.smoothing in NEIGHBOUR_SMOOTHINGS:
            self._average_with_neighbours(precisions)
        return np.where(self.reached, precisions, 1.0) if self.options.missing_order == "one" else precisions

    def values(self) -> Floats:
        """What one more of each count is worth through each factor of the score, (M + 1, 2 + 2M).

        Row n is the precision of order n + 1, the last row the brevity penalty. 0 for counts that are held. The
        reference length is in the unit of counts.
        """
        values = np.zeros((len(self.weights) + 1, self.ends.shape[1]))
        if self.zero_because:
            return values
        powers = (self._power(0), self._power(1))
        for counts, weights in line_nodes(self.ends, kinks=self._kinks(), powers=powers):
            weighted_scores = weights * self.scores(counts)
            for column in np.flatnonzero(~self.held):
                values[:, column] += weighted_scores @ self._rates(counts, int(column))
        if self.options.reference_length == "average":
            values[:, 1] /= AVERAGE_LENGTH_UNIT
        return values

    def limits(self) -> Floats:
        """What the score tends to at both ends, (2,)."""
        return self.scores(self.ends)

    def lacks(self, counts: NDArray[Any]) -> list[str]:
        """Of which orders a system has no match or no n-gram, though the line has; or that it has too few tokens."""
        max_order = self.options.max_order
        missing = self.reached & (counts[2 + max_order :] == 0)
        unmatched = self.reached & ~self.unmatched & (counts[2 : 2 + max_order] == 0) & ~missing
        facts = [f"has no match of order {_listed(unmatched)}"] if unmatched.any() else []
        facts += [f"has no n-gram of order {_listed(missing)}"] if missing.any() else []
        return facts or ["has too few tokens to be smoothed"]

    def _stand_ins(self, counts: NDArray[Any]) -> NDArray[Any]:
        """What smoothing puts in the place of the matches of an order that has none: broadcast with (..., M)."""
        halvings = 2.0 ** np.cumsum(self.unmatched)
        if self.options.smoothing == "exp":
            return 1.0 / halvings
        if self.options.smoothing == "floor":
            return np.full(len(halvings), self.options.effective_smoothing_value)
        if self.options.smoothing in ("nltk-4", "nltk-7"):
            # the logarithm of one token is 0, and that of none is not asked for
            has_tokens = self.ends[:, 0].min() > 1
            lengths = counts[..., :1] if has_tokens else np.maximum(self.ends[:, 0].max(), 1.0)
            return np.asarray(np.log(lengths) / (halvings * NLTK_K))
        return np.zeros(len(halvings))

    def _interpolate(self, precisions: NDArray[Any], counts: NDArray[Any]) -> None:
        """NLTK's method 6, as ``bleucore.metrics.bleu`` has it; changes ``precisions``."""
        max_order = self.options.max_order
        for order in range(2, max_order):
            prior = np.zeros_like(counts[..., 0])
            one, two = precisions[..., order - 1], precisions[..., order - 2]
            np.divide(one**2, two, out=prior, where=two != 0)
            total, at_most = counts[..., 2 + max_order + order], counts[..., 0] - order
            at_most = np.where(at_most.real > 0, at_most, 0.0)
            n_ngrams = np.where(total.real <= at_most.real, total, at_most)  # np.minimum looks at imaginary parts too
            precisions[..., order] = (counts[..., 2 + order] + NLTK_ALPHA * prior) / (n_ngrams + NLTK_ALPHA)
        if not self.ends[:, 4:5].any():  # no 3-gram matches
            precisions[..., 2:] = 0.0

    def _average_with_neighbours(self, precisions: NDArray[Any]) -> None:
        """NLTK's method 5, as ``bleucore.metrics.bleu`` has it; changes ``precisions``."""
        before = precisions[..., 0] + 1.0
        if self.unmatched[-1]:
            precisions[..., -1] = 0.0  # a neighbour is not smoothed
        for order in range(self.options.max_order - 1):
            precisions[..., order] = (before + precisions[..., order] + precisions[..., order + 1]) / 3
            before = precisions[..., order]

    def _log_brevity_penalties(self, counts: NDArray[Any]) -> NDArray[Any]:
        """1 - r/c (...) where the hypotheses are shorter, else 0."""
        lengths, of_references = counts[..., 0], counts[..., 1]
        if self.options.reference_length == "none":
            return np.zeros_like(lengths)
        with np.errstate(divide="ignore", invalid="ignore"):  # no hypothesis has a token: the logarithm of 0
            return np.where(lengths.real < of_references.real, 1.0 - of_references / lengths, 0.0)

    def _rates(self, counts: Floats, column: int) -> Floats:
        """The derivative of the logarithm of each factor by one count, (..., M + 1)."""
        stepped = counts.astype(np.complex128)
        stepped[..., column] += 1j * _IMAGINARY_STEP
        precisions = self.precisions(stepped)
        relative = np.zeros(precisions.shape)
        np.divide(precisions.imag, precisions.real, out=relative, where=precisions.real > 0)
        brevity = self._log_brevity_penalties(stepped).imag
        return np.concatenate([self.weights * relative, brevity[..., None]], axis=-1) / _IMAGINARY_STEP

    def _power(self, end: int) -> float:
        """The power of the distance from an end to which the score goes to 0 there; 1 where it does not."""
        vanishing = self.precisions(self.ends[end]) == 0
        return float(self.weights[vanishing].sum()) or 1.0

    def _kinks(self) -> list[float]:
        """The places between 0 and 1 where the derivative jumps, in order."""
        lengths, of_references = self.ends[:, 0], self.ends[:, 1]
        differences = [lengths - of_references]
        if self.options.smoothing == "nltk-6":
            for order in range(2, self.options.max_order):
                at_most = lengths - order
                differences += [at_most, at_most - self.ends[:, 2 + self.options.max_order + order]]
        crossing = [difference for difference in differences if difference[0] * difference[1] < 0]
        return sorted({float(difference[0] / (difference[0] - difference[1])) for difference in crossing})


def _listed(orders: NDArray[np.bool_]) -> str:
    return ", ".join(str(order + 1) for order in np.flatnonzero(orders))


def _weights(reached: NDArray[np.bool_], options: BleuOptions) -> Floats:
    """The weights (M,) of the orders that count, divided by their sum."""
    weights = np.array(options.unequal_weights or np.ones(len(reached)))
    if options.effective_order and options.missing_order == "zero":
        weights[~reached] = 0.0
    return weights / (weights.sum() or 1.0)
