"""Segments drawn with known probabilities: more of what is worth judging, or whole documents."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from bleucore.counts import Floats, Ints, read_only
from bleucore.errors import InputError
from bleucore.values import shown
from bleucore.written_numbers import counted

MOST_STRATA = 5
FEWEST_OF_STRATUM = 4
"""Segments drawn of a stratum on average: two of each at least, so that their spread is known."""
BY_INTEREST = 0.25
"""Of the budget. On real judgements more of it makes estimates worse where scores say little of what people say."""

_NEVER = 90
"""A sum of independent numbers that lies so far above a bound is below it once in e to the 45th cases (Maurer 2003)."""


@dataclass(frozen=True, eq=False)
class Sample:
    """Segments that were drawn of a test set. Equal to itself alone.

    Attributes:
        segments: (n,), from 0, in the random order in which they are to be judged, so that those judged when somebody
            stops early are a random part of them; documents stay together.
        probabilities: (S,), how probable it is for each segment of the test set to be drawn; above 0.
        strata: (S,), among which segments each is drawn, from 1.
        unit: What is drawn.
        budget: How many segments there were to be at most.
        seed: Of the draw.
    """

    segments: Ints
    probabilities: Floats
    strata: Ints
    unit: Literal["segment", "document"]
    budget: int
    seed: int

    @property
    def weights(self) -> Floats:
        """(S,), how many segments of the test set each stands for if it is drawn."""
        return 1 / self.probabilities


def draw_segments(interest: Floats, budget: int, *, seed: int) -> Sample:
    """Segments drawn in strata of equal size, by how much each is worth judging.

    A quarter of the budget is divided among strata by their interest, the rest by their size, so that no segment weighs
    more than about a third more than it would if all were drawn alike.

    Args:
        interest: (S,), from 0.
        budget: How many segments to draw; all of them where there are no more.
        seed: For ``numpy.random.default_rng``.

    Raises:
        InputError: The budget is lower than 1.
    """
    budget = min(_checked(budget), len(interest))
    n_strata = min(MOST_STRATA, max(1, budget // FEWEST_OF_STRATUM))
    strata = np.empty(len(interest), np.int64)
    strata[np.argsort(interest, kind="stable")] = np.arange(len(interest)) * n_strata // len(interest)
    sizes = np.bincount(strata, minlength=n_strata)
    numbers = _allocated(sizes, np.bincount(strata, interest, minlength=n_strata), budget)
    random = np.random.default_rng(seed)
    drawn = [
        random.choice(np.flatnonzero(strata == stratum), number, replace=False)
        for stratum, number in enumerate(numbers)
    ]
    return Sample(
        read_only(random.permutation(np.concatenate(drawn))),
        read_only((numbers / sizes)[strata]),
        read_only(strata + 1),
        "segment",
        budget,
        seed,
    )


def draw_documents(documents: Sequence[str], budget: int, *, seed: int) -> Sample:
    """Whole documents in a random order, up to the first that does not fit into the budget.

    Args:
        documents: The document of each of S segments.
        budget: How many segments to draw at most.
        seed: For ``numpy.random.default_rng``.

    Raises:
        InputError: The budget is lower than 1, or than the segments of a document, which could never be drawn then.
    """
    budget = _checked(budget)
    names = list(dict.fromkeys(documents))
    places = {name: place for place, name in enumerate(names)}
    of_segment = np.array([places[name] for name in documents], np.int64)
    sizes = np.bincount(of_segment)
    longest = int(sizes.argmax())
    if sizes[longest] > budget:
        raise InputError(
            "a document is longer than the budget, and would never be drawn",
            where="Budget",
            found=f"{counted(budget, 'segment')}, and {sizes[longest]:,} in {shown(names[longest])}",
            expected=f"at least {sizes[longest]:,}",
            remedy="Raise the budget, or draw segments.",
        )
    order = np.random.default_rng(seed).permutation(len(names))
    taken = order[np.cumsum(sizes[order]) <= budget]
    return Sample(
        read_only(np.concatenate([np.flatnonzero(of_segment == document) for document in taken])),
        read_only(fitting_probabilities(sizes, budget)[of_segment]),
        read_only(np.ones(len(of_segment), np.int64)),
        "document",
        budget,
        seed,
    )


def fitting_probabilities(sizes: Ints, budget: int) -> Floats:
    """How probable it is for each of M documents to be among the first of a random order that fit into a budget.

    It is where its size and those before it come to no more than the budget. Let each document have a random number
    from 0 to 1, and stand in their order: if that of one is u, each other stands before it with probability u, by
    itself. Given u, the size of those before has the generating function that is the product of 1 - u + u z^size; and
    the mean over u is that of a polynomial, which Gauss and Legendre's nodes give without an error but rounding.

    Args:
        sizes: (M,), from 1 to the budget.
        budget: In the same unit.
    """
    if sizes.sum() <= budget:
        return np.ones(len(sizes))
    kinds, kind_of, numbers = np.unique(sizes, return_inverse=True, return_counts=True)
    length = 1 << int(sizes.sum()).bit_length()  # nothing wraps around
    turns = np.exp(-2j * np.pi / length * np.outer(kinds, np.arange(length // 2 + 1)))
    found = np.zeros(len(kinds))
    for u, share in zip(*_nodes(len(sizes)), strict=True):
        above = max(u * sizes.sum() - budget, 0)
        if above**2 > _NEVER * u * (sizes**2).sum():
            continue
        factors = 1 - u + u * turns
        before = np.fft.irfft((factors ** numbers[:, None]).prod(axis=0) / factors, length)
        found += share * np.array([row[: budget - kind + 1].sum() for row, kind in zip(before, kinds, strict=True)])
    return np.clip(np.round(found, 14), 0.0, 1.0)[kind_of]  # what is known to a digit or two more is rounding


def _nodes(n_documents: int) -> tuple[Floats, Floats]:
    """Nodes from 0 to 1 and their shares: exact for polynomials of this degree, or as good as exact.

    What is integrated falls from 1 to 0 no faster than over 1 / sqrt(M): eight nodes in that see all of it. An even
    number has no node at 1/2, where a factor can be 0.
    """
    number = 2 * int(np.ceil(min(n_documents / 2, 8 * np.sqrt(n_documents)) / 2) + 1)
    nodes, shares = np.polynomial.legendre.leggauss(number)
    return (nodes + 1) / 2, shares / 2


def _allocated(sizes: Ints, interest: NDArray[Any], budget: int) -> Ints:
    """How many to draw of each stratum: (H,), their sum the budget, none above its size."""
    total = interest.sum()
    shares = sizes / sizes.sum()
    shares = (1 - BY_INTEREST) * shares + BY_INTEREST * interest / total if total > 0 else shares
    is_free = np.ones(len(sizes), np.bool_)
    while True:
        rest = budget - sizes[~is_free].sum()
        wanted = np.where(is_free, rest * shares / max(shares[is_free].sum(), np.finfo(float).tiny), sizes)
        is_full = is_free & (wanted > sizes)
        if not is_full.any():
            break
        is_free &= ~is_full
    numbers = np.floor(wanted).astype(np.int64)
    missing = budget - int(numbers.sum())
    numbers[np.argsort(numbers - wanted, kind="stable")[:missing]] += 1
    return numbers


def _checked(budget: int) -> int:
    if budget < 1:
        raise InputError(
            "there is nothing to draw",
            where="Budget",
            found=counted(budget, "segment"),
            expected="at least 1",
            remedy="Set the number of segments to judge.",
        )
    return budget
