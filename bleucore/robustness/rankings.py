"""Orders of the same systems by different scores: pairs turned round, how alike orders are, and how often who leads.

Two scores are tied where they are the same to ``TIE`` points: beyond that they differ by rounding. A pair is turned
round, flipped, where its two orders are opposite; a tie on either side is no flip.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bleucore.counts import Floats, Ints, ranked, read_only

TIE = 1e-9
"""In points of the metric."""


def pairs_of(n_systems: int) -> list[tuple[int, int]]:
    """Every pair of systems once, the earlier first: P = K (K - 1) / 2 of them, in the order of ``orders``."""
    first, second = np.triu_indices(n_systems, 1)
    return list(zip(first.tolist(), second.tolist(), strict=True))


def orders(gains: Floats) -> Ints:
    """Which of each pair is ahead by gains (..., K): (..., P), 1 for the earlier, -1 for the later, 0 for a tie."""
    first, second = np.triu_indices(gains.shape[-1], 1)
    differences = gains[..., first] - gains[..., second]
    return np.where(np.abs(differences) <= TIE, 0, np.sign(differences)).astype(np.int64)


def n_flips(base: Ints, others: Ints) -> Ints:
    """How many pairs of a base (P,) are turned round in other orders (..., P): (...)."""
    return np.asarray((base * others < 0).sum(axis=-1), np.int64)


def tau_b(base: Ints, others: Ints) -> Floats:
    """Kendall's tau-b of a base (P,) with other orders (..., P): (...), -1 to 1; NaN where either ties all systems."""
    agreement = (base * others).sum(axis=-1)
    known = np.count_nonzero(base) * np.count_nonzero(others, axis=-1).astype(np.float64)
    return np.asarray(np.divide(agreement, np.sqrt(known), out=np.full(known.shape, np.nan), where=known > 0))


def ranks(gains: Floats) -> Floats:
    """Ranks by gains (..., K), 1 for the best; those tied share the mean of their ranks."""
    return ranked(-np.round(gains / TIE) * TIE)


def footrule(base: Floats, others: Floats) -> Floats:
    """How many ranks systems are away from their ranks in a base (K,), summed, for ranks (..., K): (...)."""
    return np.asarray(np.abs(others - base).sum(axis=-1))


@dataclass(frozen=True)
class RankStability:
    """What many orders of the same systems have in common.

    Attributes:
        flips: (D,), how many pairs of the base each turns round.
        tau_b: (D,), of each with the base.
        footrule: (D,), how many ranks systems are away from the base, summed.
        ahead: (K, K), the share in which the first is ahead of the second; a tie counts half for both.
        full_order_share: The share that has every pair as the base has it.
        rank_shares: (K, K), the share in which a system has rank 1 to K; a tie counts for the better rank.
    """

    flips: Ints
    tau_b: Floats
    footrule: Floats
    ahead: Floats
    full_order_share: float
    rank_shares: Floats

    @property
    def flips_mean(self) -> float:
        """The mean number of pairs turned round."""
        return float(self.flips.mean())


def rank_stability(base: Floats, gains: Floats) -> RankStability:
    """How firm the order by a base (K,) is, among orders by gains (D, K), D at least 1."""
    n_systems = len(base)
    of_base, signs = orders(base), orders(gains)
    ahead = np.full((n_systems, n_systems), 0.5)
    first, second = np.triu_indices(n_systems, 1)
    ahead[first, second] = (signs.mean(axis=0) + 1) / 2
    ahead[second, first] = 1 - ahead[first, second]
    return RankStability(
        flips=read_only(n_flips(of_base, signs)),
        tau_b=read_only(tau_b(of_base, signs)),
        footrule=read_only(footrule(ranks(base), ranks(gains))),
        ahead=read_only(ahead),
        full_order_share=float((signs == of_base).all(axis=-1).mean()),
        rank_shares=read_only(rank_shares(gains)),
    )


def rank_shares(gains: Floats) -> Floats:
    """The share of orders by gains (D, K) in which each system has rank 1 to K: (K, K); ties have the better rank."""
    best = ranked(-np.round(gains / TIE) * TIE, ties="best").astype(np.int64)
    return np.asarray([[(column == rank).mean() for rank in range(1, gains.shape[1] + 1)] for column in best.T])


def best_first(gains: Floats, names: Sequence[str]) -> tuple[str, ...]:
    """The names by gains (K,), best first; ties keep their order."""
    return tuple(names[place] for place in np.argsort(-np.round(gains / TIE), kind="stable"))
