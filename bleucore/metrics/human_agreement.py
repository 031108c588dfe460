"""How often people agree with a difference of some size, as was published (Kocmi et al. 2024)."""

import math
from dataclasses import dataclass

COIN_TOSS = 50.0


@dataclass(frozen=True)
class AgreementCurve:
    """The share of pairs of systems that people order as a metric does, by the size of its difference.

    A logistic curve that was fitted to judged pairs (Kocmi et al. 2024, section 4): below a coin toss it says nothing.

    Attributes:
        ceiling: What it tends to, in percent; larger differences can exceed it.
        slope: How fast, by point of the metric.
    """

    ceiling: float
    slope: float

    def percent(self, difference: float) -> float | None:
        """The share in percent for a difference of this size either way; ``None`` where it is below a coin toss."""
        found = self.ceiling / (1 + math.exp(-self.slope * abs(difference)))
        return found if found >= COIN_TOSS else None

    def size(self, percent: float) -> float:
        """The difference for which the share is as large, from a coin toss to below the ceiling."""
        return -math.log(self.ceiling / percent - 1) / self.slope


BLEU = AgreementCurve(88.3333, 0.96639)
CHRF = AgreementCurve(93.0, 1.11427)
KIN, NOT_KIN = 74.8, 59.1
"""How often people agree with BLEU over all sizes, in percent: about versions of one system, and unrelated systems."""
