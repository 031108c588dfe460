"""A law: a function that tries one thing that has to hold; the first line of its docstring says what."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from bleucore.values import shown

Subject = TypeVar("Subject")
Law: TypeAlias = Callable[[Subject], None]


class BrokenLawError(Exception):
    """A law does not hold; the message says what was found."""


@dataclass(frozen=True)
class Outcome:
    """What trying a law gave.

    Attributes:
        law: What has to hold.
        fault: What was found instead; ``None`` if it holds.
    """

    law: str
    fault: str | None


def require(holds: object, found: str) -> None:
    """End a law that does not hold.

    Raises:
        BrokenLawError: It does not.
    """
    if not holds:
        raise BrokenLawError(found)


def title_of(law: Callable[..., None]) -> str:
    """What a law says has to hold."""
    return (law.__doc__ or "").partition("\n")[0]


def outcomes(laws: Sequence[Law[Subject]], subject: Subject) -> Iterator[Outcome]:
    """What trying each law gives; an error of any kind breaks the law in which it is raised."""
    for law in laws:
        fault = None
        try:
            law(subject)
        except BrokenLawError as error:
            fault = str(error)
        except Exception as error:  # noqa: BLE001  # whatever somebody else's function raises
            fault = f"{type(error).__name__}: {shown(str(error))}"
        yield Outcome(title_of(law), fault)
