"""The straight line between the summed counts of two systems, and integrals along it.

A score along the line is integrated by Gauss-Legendre sums over panels that shrink towards both ends, where functions
of small counts bend most, and towards kinks, at which the line is cut.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from bleucore.counts import Floats, read_only

_EDGES = 2.0 ** np.arange(-101, 0, 2)
"""Of the panels, from an end to the middle of a stretch of the line. Panels of four times the width at four times the
distance have all singularities, which lie at or behind the ends, so far away that 20 nodes are exact to rounding."""


class Line(Protocol):
    """A metric along the line between the sums of two systems, by the one rule that holds between its ends.

    A score is a product or a sum of factors, such as the precisions of orders; each is told apart.
    """

    @property
    def zero_because(self) -> str | None:
        """Why the score is 0 all along the line, in words that go on from "because"; ``None`` if it is not."""

    def limits(self) -> Floats:
        """What the score tends to at both ends, (2,); a score may differ from it there."""

    def values(self) -> Floats:
        """The integral of the gradient: what one more of each count is worth through each factor, (F, C)."""

    def lacks(self, counts: NDArray[Any]) -> list[str]:
        """What a system with such counts (C,) lacks, so that its score can jump, in words that follow its name."""


def line_nodes(
    ends: Floats, *, kinks: Sequence[float] = (), powers: tuple[float, float] = (1.0, 1.0)
) -> Iterator[tuple[Floats, Floats]]:
    """For each stretch between two kinks: counts (N, C) on it, and the weights (N,) of their integral.

    Args:
        ends: (2, C).
        kinks: The places between 0 and 1 where the derivative jumps, in order.
        powers: The power of the distance from each end to which the score goes to 0 there; 1 where it does not.
    """
    of_panel, weights_of_panel = _nodes_of_a_panel()
    nodes = (_EDGES[:-1, None] + np.diff(_EDGES)[:, None] * (of_panel + 1) / 2).ravel()
    weights = (np.diff(_EDGES)[:, None] * weights_of_panel / 2).ravel()
    for start, stop in pairwise([0.0, *kinks, 1.0]):
        # Distances from both ends of the line, so that neither loses digits near its own end.
        near = np.append(_EDGES[0], nodes) * (stop - start)
        far = (stop - start) - near
        shares_of_second = np.concatenate([start + near, start + far])
        shares_of_first = np.concatenate([(1.0 - stop) + far, (1.0 - stop) + near])
        # What lies before the first panel is proportional to a power of the distance, less 1.
        tails = [powers[0] if start == 0 else 1.0, powers[1] if stop == 1 else 1.0]
        halves = np.concatenate([np.append(_EDGES[0] / tail, weights) for tail in tails])
        counts = shares_of_first[:, None] * ends[0] + shares_of_second[:, None] * ends[1]
        yield counts, halves * (stop - start)


@cache
def _nodes_of_a_panel() -> tuple[Floats, Floats]:
    """Where a panel from -1 to 1 is looked at, and the weights of its integral."""
    nodes, weights = np.polynomial.legendre.leggauss(20)
    return read_only(nodes), read_only(weights)


@dataclass(frozen=True)
class RatioLine:
    """The line of a metric that is a sum by a number, such as edits by words, or a mean.

    Where the number of a system is 0, its ratio means nothing, and that of the other holds all along the line.

    Attributes:
        ends: (2, 2), sums and numbers.
        scale: What the ratio is multiplied by.
        what: What the number counts, in words that follow "has no" and "has a".
    """

    ends: Floats
    scale: float
    what: str

    @property
    def _is_held(self) -> bool:
        return bool((self.ends[:, 1] == 0).any())

    @cached_property
    def zero_because(self) -> str | None:
        """Why nothing is divided."""
        return None if self.ends[:, 1].any() else f"neither system has a {self.what}"

    def limits(self) -> Floats:
        """The ratios at the ends, (2,)."""
        ratios = np.zeros(2)
        np.divide(self.scale * self.ends[:, 0], self.ends[:, 1], out=ratios, where=self.ends[:, 1] != 0)
        return np.full(2, ratios[self.ends[:, 1].argmax()]) if self._is_held else ratios

    def values(self) -> Floats:
        """The integrals of the derivatives by sum and number, (1, 2)."""
        values = np.zeros((1, 2))
        if self._is_held:
            return values
        for counts, weights in line_nodes(self.ends):
            values[0, 0] += weights @ (self.scale / counts[:, 1])
            values[0, 1] -= weights @ (self.scale * counts[:, 0] / counts[:, 1] ** 2)
        return values

    def lacks(self, counts: NDArray[Any]) -> list[str]:
        """That there is nothing to divide by."""
        return [] if counts[1] else [f"has no {self.what}"]
