"""What is said of a setting once, where its field stands: what it accepts, what it changes, how a signature says it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, TypeVar

from bleucore.values import name_among, truth, whole_number

Changes: TypeAlias = Literal["texts", "counts", "scores", "tests"]
"""What a setting changes first, and with it all that comes after: texts as they are counted, counts, how counts are
scored; or nothing of these, but how differences are tested."""
Default = TypeVar("Default")
_DECLARATION = "declaration"


@dataclass(frozen=True)
class Names:
    """One of some names.

    Attributes:
        values: All of them.
        offered: Those to choose from; the others come with presets.
    """

    values: Sequence[str]
    offered: Sequence[str] = ()

    @property
    def choices(self) -> tuple[str, ...]:
        """Those to choose from."""
        return tuple(self.offered or self.values)

    def checked(self, option: str, value: object, _options: object) -> object:
        """The value in the form in which it is kept."""
        return name_among(option, value, self.values)


@dataclass(frozen=True)
class Truth:
    """Yes or no.

    Attributes:
        also: A name that is accepted too; it comes with presets.
    """

    also: str | None = None

    def checked(self, option: str, value: object, _options: object) -> object:
        """The value in the form in which it is kept."""
        if self.also is None:
            return truth(option, value)
        if isinstance(value, str) and value == self.also:
            return self.also
        return truth(option, value, f"False, True, {self.also!r}")


@dataclass(frozen=True)
class Whole:
    """A whole number.

    Attributes:
        least: The smallest.
        most: The largest.
        usual: What ``None`` stands for, at the least, where it is a number.
        is_optional: Whether ``None`` is accepted without that.
    """

    least: int
    most: int
    usual: int | None = None
    is_optional: bool = False

    def checked(self, option: str, value: object, _options: object) -> object:
        """The value in the form in which it is kept."""
        is_absent = value is None and (self.is_optional or self.usual is not None)
        return None if is_absent else whole_number(option, value, self.least, self.most)


@dataclass(frozen=True)
class Number:
    """A number, or several: one for each of something.

    Attributes:
        check: Gives the value in the form in which it is kept, from the value and from all options: those that are
            declared before this one are in their form already.
        are_several: Whether there are several.
    """

    check: Callable[[object, Any], object]
    are_several: bool = False

    def checked(self, _option: str, value: object, options: object) -> object:
        """The value in the form in which it is kept."""
        return self.check(value, options)


Accepted: TypeAlias = Names | Truth | Whole | Number
Signed: TypeAlias = tuple[str, Callable[[Any], object]]
"""The key of a signature's field, and what it says of all options; ``None`` leaves the field out."""


@dataclass(frozen=True)
class Declaration:
    """What holds of a setting, whoever asks for it or shows it.

    Attributes:
        default: The value that it has unless chosen.
        accepts: Its values.
        changes: What it changes first.
        signed: Its fields of a signature.
        belongs_to: The setting that it is a value of, without which it need not be valid.
    """

    default: object
    accepts: Accepted
    changes: Changes
    signed: tuple[Signed, ...] = ()
    belongs_to: str | None = None


def declared(
    default: Default, accepts: Accepted, changes: Changes, *signed: Signed, belongs_to: str | None = None
) -> Default:
    """A field of a dataclass with its declaration."""
    one = Declaration(default, accepts, changes, signed, belongs_to)
    return field(default=default, metadata={_DECLARATION: one})


def declarations(options: object) -> Mapping[str, Declaration]:
    """The declarations of a class of options, or of one of its values, by the names of its fields."""
    return MappingProxyType({one.name: one.metadata[_DECLARATION] for one in fields(options)})  # type: ignore[arg-type]  # mypy has no type of such classes


def values_that_change(options: object, changes: Changes) -> tuple[object, ...]:
    """The values of all settings that change this first."""
    return tuple(getattr(options, name) for name, one in declarations(options).items() if one.changes == changes)


def keep_accepted(options: object) -> None:
    """Give every field the form in which it is kept; for ``__post_init__``.

    Raises:
        InputError: A value that is not accepted.
    """
    for name, one in declarations(options).items():
        object.__setattr__(options, name, one.accepts.checked(name, getattr(options, name), options))


def signed_fields(options: object, order: Sequence[str]) -> dict[str, str]:
    """The fields of a signature: those of ``order``, then those that it does not name, as they are declared."""
    said = {key: text(options) for one in declarations(options).values() for key, text in one.signed}
    keys = sorted(said, key=lambda key: order.index(key) if key in order else len(order))
    return {key: str(said[key]) for key in keys if said[key] is not None}


def unless_usual(name: str) -> Callable[[Any], object]:
    """What a signature says of a setting that it names only where its value is not the default."""
    return lambda options: None if (value := getattr(options, name)) == getattr(type(options), name) else value


def yes_or_no(name: str) -> Callable[[Any], str]:
    """What a signature says of a truth."""
    return lambda options: "yes" if getattr(options, name) else "no"
