"""What is said of judges that are models, measured where the truth is known: a part of ``make calibration``.

Each set has comparisons of a judge's own system with other systems: by the judge, by two other models, by one person.
The judge prefers what it sees first, or its own system, by a planted chance, or neither. The program prints how often
each test says p < .05, and ends with status 1 where that is not from 3 to 7 % without a plant, or below 78 % with one.
"""

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from bleucore.agreement.comparisons import Comparisons, Opinion
from bleucore.agreement.judged import Mask
from bleucore.agreement.judges import position_bias, self_preference
from bleucore.counts import Ints

SYSTEMS = ("own", "A", "B", "C")
LEVEL, POWER, P = (0.03, 0.07), 0.78, 0.05
"""The power is 0.8, less what chance can take in 2,000 sets."""


@dataclass(frozen=True)
class Plan:
    """How a set is made.

    Attributes:
        title: To print.
        first: The chance that the judge prefers what it sees first, of two outputs that are equal.
        own: The chance that the judge prefers its own system where the others have ``quality``, of equal outputs.
        quality: The chance that anybody prefers the judge's own system.
        ties: The share of ties.
        both_orders: Whether everybody judges each pair of outputs twice, in both orders; else in one at random.
        n_pairs: Pairs of outputs, a segment each.
    """

    title: str
    first: float = 0.5
    own: float = 0.5
    quality: float = 0.5
    ties: float = 0.0
    both_orders: bool = True
    n_pairs: int = 200


PLANS = (
    Plan("nothing planted, one order", both_orders=False),
    Plan("nothing planted, both orders"),
    Plan("nothing planted, one order, 25 % ties", ties=0.25, both_orders=False),
    Plan("nothing planted, both orders, own wins 70 %", quality=0.7),
    Plan("nothing planted, one order, own wins 70 %", quality=0.7, both_orders=False),
    Plan("first wins 60 %, one order", first=0.6, both_orders=False),
    Plan("first wins 60 %, both orders", first=0.6),
    Plan("own wins 60 %, both orders", own=0.6),
    Plan("own wins 65 %, one order", own=0.65, both_orders=False),
)


@dataclass(frozen=True)
class Found:
    """What was found in some sets: how often each test says p < .05, of how many."""

    position: int
    by_judges: int
    by_people: int
    n_sets: int


def main(arguments: Sequence[str] | None = None) -> int:
    """Print every rate; 1 if one is not as stated."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=34)
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args(arguments)
    fails = 0
    with ProcessPoolExecutor(given.processes) as pool:
        for number, plan in enumerate(PLANS):
            parts = np.array_split(np.arange(given.sets), max(1, given.sets // 50))
            seeds = [[given.seed, number, int(part[0])] for part in parts]
            found = list(pool.map(partial(measured, plan), seeds, [len(part) for part in parts]))
            whole = Found(*(sum(values) for values in zip(*(map(_values, found)), strict=True)))
            rates = [count / whole.n_sets for count in _values(whole)[:3]]
            fails += not is_as_stated(plan, rates)
            said = ", ".join(
                f"{name} {100 * rate:.1f} ± {196 * np.sqrt(rate * (1 - rate) / whole.n_sets):.1f} %"
                for name, rate in zip(("position", "self by judges", "self by one person"), rates, strict=True)
            )
            print(f"{plan.title}: {said}", flush=True)
    return int(fails > 0)


def is_as_stated(plan: Plan, rates: Sequence[float]) -> bool:
    """Whether a test that has nothing to find keeps its level, and one that has finds it."""
    position, by_judges, by_people = rates
    level = [position] * (plan.first == 0.5) + [by_judges, by_people] * (plan.own == 0.5)
    power = [position] * (plan.first != 0.5) + [by_judges] * (plan.own != 0.5)
    return all(LEVEL[0] <= rate <= LEVEL[1] for rate in level) and all(rate >= POWER for rate in power)


def measured(plan: Plan, seed: Sequence[int], n_sets: int) -> Found:
    """How often each test finds something in so many sets of a plan."""
    rng = np.random.default_rng(list(seed))
    position = by_judges = by_people = 0
    for _ in range(n_sets):
        judge, *others, person = made(plan, rng)
        position += _says(position_bias(judge).p_value)
        opinions = [Opinion(plan.n_pairs, compared=one) for one in (judge, *others, person)]
        for name, yardstick in (("judges", opinions[1:-1]), ("person", opinions[-1:])):
            found = self_preference(opinions[0], yardstick, [0], len(SYSTEMS), verdicts=judge)
            says = _says(None if found is None else found.p_value)
            by_judges, by_people = by_judges + says * (name == "judges"), by_people + says * (name == "person")
    return Found(position, by_judges, by_people, n_sets)


def made(plan: Plan, rng: np.random.Generator) -> list[Comparisons]:
    """The verdicts of the judge on one set, of two other judges and of one person."""
    rivals = rng.integers(1, len(SYSTEMS), plan.n_pairs)
    shown_first = rng.random(plan.n_pairs) < 0.5
    fair = replace(plan, first=0.5, own=0.5)
    return [_judged(one, rivals, shown_first, rng) for one in (plan, fair, fair, fair)]


def _judged(plan: Plan, rivals: Ints, shown_first: Mask, rng: np.random.Generator) -> Comparisons:
    """The verdicts of one judge."""
    orders = []
    for is_turned in (False, True)[: 1 + plan.both_orders]:
        own_first = shown_first != is_turned
        odds = _odds(plan.quality) * _odds(plan.own) * np.where(own_first, _odds(plan.first), 1 / _odds(plan.first))
        wins = rng.random(plan.n_pairs) < odds / (1 + odds)
        scores = np.where(rng.random(plan.n_pairs) < plan.ties, 0.5, wins == own_first)
        orders.append((np.where(own_first, 0, rivals), np.where(own_first, rivals, 0), scores))
    first, second, scores = (np.concatenate(one) for one in zip(*orders, strict=True))
    return Comparisons(first, second, np.tile(np.arange(plan.n_pairs), len(orders)), scores)


def _odds(chance: float) -> float:
    return chance / (1 - chance)


def _says(p_value: float | None) -> bool:
    return p_value is not None and p_value < P


def _values(found: Found) -> tuple[int, int, int, int]:
    return found.position, found.by_judges, found.by_people, found.n_sets


if __name__ == "__main__":
    sys.exit(main())
