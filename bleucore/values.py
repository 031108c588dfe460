"""What is accepted as the value of an option, as one of some names and as a text, each in one form.

Options keep what these functions return: a 1, a 1.0 and a whole number of numpy's become the same float, so that
options that are equal have the same hash and the same signature.
"""

import math
import re
from collections.abc import Iterable, Sequence
from numbers import Integral, Real
from typing import TypeVar

import numpy as np

from bleucore.errors import InputError
from bleucore.short_reprs import bounded

Name = TypeVar("Name", bound=str)

HALF_A_PAIR = "half of a surrogate pair, which is not a character"
_MAX_SHOWN = 80
_SAYS_SYSTEM = re.compile(r"systems?(?![^\W\d_])", re.IGNORECASE)


def name_among(option: str, value: object, accepted: Sequence[Name]) -> Name:
    """That one of the accepted names which is the value.

    Raises:
        InputError: None of them is.
    """
    found = next((name for name in accepted if isinstance(value, str) and name == value), None)
    if found is None:
        raise not_accepted(option, value, ", ".join(accepted))
    return found


def truth(option: str, value: object, expected: str = "True or False") -> bool:
    """The value as a ``bool``, which it has to be, perhaps numpy's: a 1 or a text is none.

    Raises:
        InputError: It is something else.
    """
    if not isinstance(value, bool | np.bool_):
        raise not_accepted(option, value, expected)
    return bool(value)


def whole_number(option: str, value: object, least: int, most: int) -> int:
    """The value as an ``int``.

    Raises:
        InputError: It is no whole number, or not from ``least`` to ``most``; 4.0 and True are no whole numbers.
    """
    if isinstance(value, bool) or not isinstance(value, Integral) or not least <= int(value) <= most:
        raise not_accepted(option, value, f"a whole number from {least} to {most}")
    return int(value)


def positive_number(option: str, value: object, most: float, expected: str) -> float:
    """The value as a ``float`` from 0 to ``most``; a 0 never has a sign.

    Raises:
        InputError: It is no such number: text, True, infinite, not a number.
    """
    number = math.nan
    if not isinstance(value, bool) and isinstance(value, Real):
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
    if not 0 <= number <= most:
        raise not_accepted(option, value, expected)
    return abs(number)


def not_accepted(option: str, value: object, expected: str) -> InputError:
    """The refusal of an option's value."""
    return InputError(
        "this value is not accepted",
        where=f"Option {option}",
        found=shown(value),
        expected=expected,
        remedy="Choose one of the accepted values.",
    )


def unknown_name(what: str, name: object, known: Iterable[str], *, where: str, remedy: str) -> InputError:
    """The refusal of a name that nothing has."""
    return InputError(
        f"there is no {what} of this name",
        where=where,
        found=shown(name),
        expected=", ".join(known),
        remedy=remedy,
    )


def shown(value: object) -> str:
    """The value as it can stand in a message: as Python writes it, and cut off where it is long."""
    if isinstance(value, str):
        return repr(value if len(value) <= _MAX_SHOWN else value[:_MAX_SHOWN] + "…")
    text = bounded(value)
    return text if len(text) <= _MAX_SHOWN else text[:_MAX_SHOWN] + "…"


def system_words(name: object) -> str:
    """A system in a message: "System 'online-A'", but "'System 3'", which says already what it is."""
    return shown(name) if _SAYS_SYSTEM.match(str(name)) else f"System {shown(name)}"


def name_of(what: str, name: object) -> str:
    """The name as a plain string that can be written as UTF-8.

    Raises:
        InputError: It is something else; ``what`` it is the name of stands in the message.
    """
    place = f"{what} {shown(name)}"
    if not isinstance(name, str):
        raise InputError(
            "the name is not a string",
            where=place,
            found=type(name).__name__,
            expected="a string",
            remedy="Convert it to text first.",
        )
    surrogate = lone_surrogate(name)
    if surrogate is not None:
        raise InputError(
            f"the name holds {HALF_A_PAIR}",
            where=place,
            found=surrogate,
            expected="a name that can be written as UTF-8",
            remedy="Choose another name.",
        )
    return str.__str__(name)


def lone_surrogate(text: str) -> str | None:
    """The first half of a surrogate pair in a text, and where; ``None`` if the text can be written as UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        return f"U+{ord(error.object[error.start]):04X} at position {error.start + 1:,}"
    return None
