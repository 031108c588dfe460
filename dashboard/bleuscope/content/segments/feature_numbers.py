"""Numbers that features know of each segment of a comparison: columns, orders, and words of conditions."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from bleucore.counts import Floats
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.registry import load, own_features

DECLARED = tuple(
    number for one in own_features() if one.segment_numbers is not None for number in one.segment_numbers.numbers
)
NAMES = frozenset(number.name for number in DECLARED)
READY: Mapping[str, str] = MappingProxyType(
    {called: condition for number in DECLARED for called, condition in number.conditions.items()}
)
"""Ready conditions by their names."""


@dataclass(frozen=True, eq=False)
class FeatureNumbers:
    """What a feature knows of each segment of two systems, S segments.

    Attributes:
        numbers: (S,) by name, whole; NaN where a score is missing.
        headings: What columns of these are called.
        told: Of a segment (from 0): a few words in its row; "" for none.
        meaning: What these words mean, in sentences.
    """

    numbers: Mapping[str, Floats]
    headings: Mapping[str, str]
    told: Callable[[int], str]
    meaning: str


def feature_numbers(study: ComparisonContext) -> tuple[FeatureNumbers, ...]:
    """What features know of the segments of a comparison."""
    offered = (one.segment_numbers for one in own_features() if one.segment_numbers is not None)
    found = (load(one.find)(study) for one in offered)
    return tuple(one for one in found if one is not None)


def numbers_of_pair(study: ComparisonContext, pair: tuple[str, str]) -> Mapping[str, Floats]:
    """The numbers by their names, with these two as A and B; NaN where only the study's own pair has them."""
    own = by_name(feature_numbers(study))
    found = own if pair == study.both else by_name(feature_numbers(replace(study, sides=tuple(dict.fromkeys(pair)))))
    return {**{name: np.full(len(values), np.nan) for name, values in own.items()}, **found}


def by_name(found: tuple[FeatureNumbers, ...]) -> Mapping[str, Floats]:
    """All numbers by their names."""
    return {name: values for one in found for name, values in one.numbers.items()}
