"""How much memory a value takes: roughly, and quickly even for the texts of a large test set."""

import sys
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import is_dataclass
from typing import Any

import numpy as np

OURS = frozenset({"bleucore", "bleuscope"})
"""Packages whose objects are looked into; of those of other packages only data classes are."""


def n_bytes(value: object) -> int:
    """The bytes of a value and of all that it holds, each object once.

    Functions, classes and objects of other packages count without what they refer to.
    """
    seen: set[int] = set()
    total, left = 0, [value]
    while left:
        one = left.pop()
        if id(one) in seen or isinstance(one, type) or callable(one):
            continue
        seen.add(id(one))
        if isinstance(one, np.ndarray):
            total += _of_array(one, seen)
            left += one.ravel().tolist() if one.dtype.hasobject else []
            continue
        total += sys.getsizeof(one)
        if isinstance(one, (list, tuple)) and set(map(type, one)) == {str}:  # the many texts of a test set
            total += sum(map(sys.getsizeof, one))
        else:
            left += _held_by(one)
    return total


def _of_array(array: np.ndarray[Any, Any], seen: set[int]) -> int:
    """The bytes of an array, which for a view are those of all that it looks at."""
    owner = array
    while isinstance(owner.base, np.ndarray):
        owner = owner.base
    if owner is not array and id(owner) in seen:
        return 0
    seen.add(id(owner))
    return int(owner.nbytes)


def _held_by(value: object) -> Iterable[object]:
    """What a value refers to."""
    if isinstance(value, (str, bytes, int, float)):
        return ()
    if isinstance(value, (list, tuple, AbstractSet)):
        return value
    if isinstance(value, Mapping):
        return [part for pair in list(value.items()) for part in pair]
    kind = type(value)
    if kind.__module__.partition(".")[0] not in OURS and not is_dataclass(kind):
        return ()
    slots = [getattr(value, name, None) for one in kind.__mro__ for name in getattr(one, "__slots__", ())]
    return [*getattr(value, "__dict__", {}).values(), *slots]
