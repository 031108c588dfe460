"""Representations of values that hold texts or arrays: what they are, and how much is in them."""

import math
import reprlib
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

MOST_CHARACTERS = 200
"""Of one value."""
_NAMED = 3


class _Short(reprlib.Repr):
    """Python's bounded ``repr``, with the sizes of arrays instead of their numbers."""

    def __init__(self, most_named: int) -> None:
        super().__init__()
        self.maxlevel = 2
        self.maxtuple = self.maxlist = self.maxdict = self.maxset = self.maxfrozenset = most_named
        self.maxstring = self.maxother = self.maxlong = MOST_CHARACTERS

    def repr_instance(self, x: Any, level: int) -> str:  # noqa: ANN401  # anything
        """The same for what is none of Python's own values."""
        shape = getattr(x, "shape", None)
        if isinstance(shape, tuple) and math.prod(shape) > self.maxlist:
            return f"<{type(x).__name__} of shape {shape}>"
        if isinstance(x, Mapping):
            return self.repr_dict(dict(x), level)
        return super().repr_instance(x, level)


_SHORT, _QUOTED = _Short(_NAMED), _Short(30)


def bounded(value: object) -> str:
    """The value as Python writes it, and cut where it is long; what is long is never written in full."""
    try:
        written = _QUOTED.repr(value)
    except ValueError:  # Python writes no number of more than some thousand digits
        return f"a value of type {type(value).__name__}"
    return cut(written)


def cut(text: str, most: int = MOST_CHARACTERS) -> str:
    """A text, and its beginning where it is longer."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def short_repr(one: Any) -> str:  # noqa: ANN401  # any dataclass
    """A dataclass with the sizes of its columns; for ``__repr__``."""
    told = [f"{field.name}={_part(getattr(one, field.name))}" for field in fields(one) if field.repr]
    return cut(f"{type(one).__name__}({', '.join(told)})", 5 * MOST_CHARACTERS)


def _part(value: object) -> str:
    if isinstance(value, Sequence) and not isinstance(value, str) and len(value) > _NAMED:
        return f"<{len(value):,} values>"
    return cut(_SHORT.repr(value))
