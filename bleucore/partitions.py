"""The half of an evaluation that adds up, for who spreads the segments of a test set over processes or machines.

A part is some segments of all systems. Its counts need nothing but its texts; counts of parts are added in any order,
and the sum is that of the whole, to the last bit. Scores are computed once, of the sum. N-grams are added by what
they are (``analysis.ngram_tables``).
"""

import builtins
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from types import MappingProxyType
from typing import Any, Literal, Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from bleucore.corpus import TestSet, refuse_other_texts
from bleucore.counts import read_only
from bleucore.errors import InputError
from bleucore.evaluation import MetricEvaluation, metric_evaluation, numbers_of_references
from bleucore.metrics import MetricOptions, metric_of
from bleucore.options import BleuOptions
from bleucore.short_reprs import short_repr

Given = TypeVar("Given")
Made = TypeVar("Made")
PARTS_AT_ONCE = 16
"""Handed over together: bounds what lies in memory where parts are read faster than they are counted."""
_LARGEST_NARROW = 2**31


class PartToRead(Protocol):
    """A part that is read where it is counted: what is handed over says where the texts are."""

    def read(self) -> TestSet:
        """The part."""


Part: TypeAlias = TestSet | PartToRead


class Map(Protocol):
    """``map`` as Python and every executor has it: what a function makes of each item, in the order of the items."""

    def __call__(self, work: Callable[[Given], Made], items: Iterable[Given], /) -> Iterable[Made]:
        """Apply the function to all items."""


@dataclass(frozen=True)
class PartCounts:
    """Counts of one metric over some segments; they are added with ``+`` or ``added``.

    Attributes:
        names: The K systems.
        options: The metric's.
        reference_names: Of all references, in their order.
        n_segments: How many segments were counted.
        numbers: How many references these have: one number where all have as many.
        sums: (K, C), read-only: over all segments.
        by_place: The counts of single segments, a (K, S, C) for each part under the part's number; ``None`` where they
            were not asked for.
    """

    names: tuple[str, ...]
    options: MetricOptions
    reference_names: tuple[str, ...]
    n_segments: int
    numbers: frozenset[int]
    sums: NDArray[Any]
    by_place: Mapping[int, NDArray[Any]] | None

    def __repr__(self) -> str:
        return short_repr(self)

    def __add__(self, other: "PartCounts") -> "PartCounts":
        """Both together."""
        return added((self, other))

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "by_place": None if self.by_place is None else dict(self.by_place)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        by_place = state["by_place"]
        self.__dict__.update(state, by_place=None if by_place is None else MappingProxyType(by_place))

    @property
    def scores(self) -> Mapping[str, float]:
        """The corpus score of each system."""
        scores = metric_of(self.options).scores(self.sums, self.options)
        return dict(zip(self.names, scores.tolist(), strict=True))

    @property
    def signature(self) -> str:
        """To cite with the scores."""
        n_references: int | Literal["var"] = next(iter(self.numbers)) if len(self.numbers) == 1 else "var"
        return metric_of(self.options).signature(self.options, n_references)

    def counts(self) -> Mapping[str, NDArray[Any]]:
        """The counts (S, C) of the segments of each system, in the order of the parts.

        Raises:
            InputError: Only sums were asked for.
        """
        if self.by_place is None:
            raise InputError(
                "only sums were kept",
                where="The counts of segments",
                remedy="Count with keeps_segments=True.",
            )
        parts = [self.by_place[place] for place in sorted(self.by_place)]
        return {
            name: read_only(np.concatenate([part[index] for part in parts]).astype(self.sums.dtype, copy=False))
            for index, name in enumerate(self.names)
        }

    def evaluation(self) -> MetricEvaluation:
        """What ``evaluate_metric`` says of the whole test set.

        Raises:
            InputError: Only sums were asked for, or what the metric needs is not installed.
        """
        return metric_evaluation(self.counts(), self.options, self.numbers, self.reference_names)


def partition_counts(part: Part, options: MetricOptions, *, place: int = 0, keeps_segments: bool = True) -> PartCounts:
    """The counts of one part.

    Args:
        part: Some segments of all systems, or what reads them.
        options: The metric's.
        place: The number of the part among all: segments are put together in this order.
        keeps_segments: Whether to save the counts of single segments, which intervals and tests need, or sums alone.

    Raises:
        InputError: It is no test set, it cannot be read, or what the metric needs is not installed.
    """
    test_set = part.read() if hasattr(part, "read") else part
    refuse_other_texts(test_set)
    columns = metric_of(options).statistics(test_set, options, None)
    return PartCounts(
        test_set.system_names,
        options,
        tuple(test_set.reference_names or ()),
        test_set.n_segments,
        numbers_of_references(test_set),
        read_only(np.stack([column.sum(axis=0) for column in columns])),
        MappingProxyType({place: _narrow(np.stack(columns))}) if keeps_segments else None,
    )


def added(parts: Iterable[PartCounts]) -> PartCounts:
    """The counts of several parts together, in whichever order they come.

    Counts are whole numbers but for TER's mean lengths of several references: sums of those are to the last bit those
    of the whole in ``counts`` and ``evaluation``; with sums alone, in any order but to rounding.

    Raises:
        InputError: There is no part, two have the same number, or they are not of the same systems and settings.
    """
    listed = list(parts)
    if not listed:
        raise InputError("there are no segments", where="The parts", remedy="Give at least one part.")
    first = listed[0]
    for one in listed:
        _refuse_other(first, one)
    return PartCounts(
        first.names,
        first.options,
        first.reference_names,
        sum(one.n_segments for one in listed),
        frozenset[int]().union(*(one.numbers for one in listed)),
        read_only(np.sum([one.sums for one in listed], axis=0)),
        None if first.by_place is None else _together([one.by_place or {} for one in listed]),
    )


def evaluate_parts(
    parts: Iterable[Part],
    options: MetricOptions | None = None,
    *,
    map: Map = builtins.map,  # noqa: A002  # as executors call theirs
    keeps_segments: bool = True,
    at_once: int = PARTS_AT_ONCE,
) -> PartCounts:
    """The counts of all parts of a test set, in their order; ``.scores`` and ``.evaluation()`` say what they mean.

    Args:
        parts: Some segments of all systems each. They are taken as they are needed, so they may be read meanwhile.
        options: The metric's; BLEU as sacreBLEU has it unless given.
        map: What spreads the work: ``map`` of any executor.
        keeps_segments: Whether to save the counts of single segments; without them memory does not grow with the test
            set.
        at_once: How many parts are handed over together.

    Raises:
        InputError: There is no part, one cannot be read, they do not belong together, or what the metric needs is not
            installed.
    """
    asked: MetricOptions = BleuOptions() if options is None else options
    work = partial(_counts_at, options=asked, keeps_segments=keeps_segments)
    places = enumerate(parts)
    counted = (one for some in iter(lambda: list(islice(places, at_once)), []) for one in map(work, some))
    return added(counted if keeps_segments else _summed(counted))


def _counts_at(item: tuple[int, Part], *, options: MetricOptions, keeps_segments: bool) -> PartCounts:
    place, part = item
    return partition_counts(part, options, place=place, keeps_segments=keeps_segments)


def _summed(counted: Iterable[PartCounts]) -> Iterator[PartCounts]:
    """All of them as one, added as they come."""
    whole: PartCounts | None = None
    for one in counted:
        whole = one if whole is None else whole + one
    if whole is not None:
        yield whole


def _narrow(counts: NDArray[Any]) -> NDArray[Any]:
    """Whole numbers in half the room where they fit."""
    if counts.dtype == np.int64 and np.abs(counts).max(initial=0) < _LARGEST_NARROW:
        counts = counts.astype(np.int32)
    return read_only(counts)


def _together(parts: Sequence[Mapping[int, NDArray[Any]]]) -> Mapping[int, NDArray[Any]]:
    """The counts of segments of several parts under the parts' numbers."""
    together: dict[int, NDArray[Any]] = {}
    for by_place in parts:
        repeated = next((place for place in by_place if place in together), None)
        if repeated is not None:
            raise InputError(
                "two parts have the same number",
                where="The parts",
                found=repeated,
                remedy="Number the parts in the order of their segments.",
            )
        together |= by_place
    return MappingProxyType(together)


def _refuse_other(first: PartCounts, other: PartCounts) -> None:
    for what, known, found in (
        ("systems", first.names, other.names),
        ("references", first.reference_names, other.reference_names),
        ("settings", first.options, other.options),
        ("kind of counts", first.by_place is None, other.by_place is None),
    ):
        if known != found:
            raise InputError(
                f"two parts are not of the same {what}",
                where="The parts",
                found=found,
                expected=known,
                remedy="Count all parts of a test set alike.",
            )
