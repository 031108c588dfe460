"""The one error that a user can fix, and the kind of it that knows how."""

from dataclasses import dataclass

from bleucore.short_reprs import cut

MOST_TOLD = 1_000
"""Characters of a problem or a remedy: more than any of our own sentences has, whatever a value in it has."""
MOST_FOUND = 200
"""Characters of what is quoted from the input."""
MOST_EXPECTED = 400
"""Characters of what would be accepted, which can be a list of names."""


class InputError(Exception):
    """Input that cannot be used as it is: where, what is wrong, and what to do.

    Reads ``where, line N: problem (found X, expected Y). Remedy.``, leaving out what is not known.

    Attributes:
        problem: What is wrong, in a few words.
        where: The file, system, reference or option concerned.
        line: The line of the file or the segment, counted from 1.
        found: What is there.
        expected: What should be there.
        remedy: What to do about it, a sentence.
    """

    def __init__(
        self,
        problem: str,
        *,
        where: str | None = None,
        line: int | None = None,
        found: object = None,
        expected: object = None,
        remedy: str | None = None,
    ) -> None:
        self.problem = cut(problem, MOST_TOLD)
        self.where = _writable(where)
        self.line = line
        self.found = _writable(found)
        self.expected = _writable(expected, MOST_EXPECTED)
        self.remedy = None if remedy is None else cut(remedy, MOST_TOLD)
        super().__init__(self._sentence())

    def __copy__(self) -> "InputError":
        """The same error without the frames that it was raised through, and what they hold."""
        made = type(self).__new__(type(self), *self.args)
        made.__dict__.update(self.__dict__)
        return made

    def _sentence(self) -> str:
        place = ", ".join(part for part in (self.where, None if self.line is None else f"line {self.line:,}") if part)
        facts = ", ".join(
            f"{label} {value}"
            for label, value in (("found", self.found), ("expected", self.expected))
            if value is not None
        )
        sentence = f"{place}: " if place else ""
        sentence += self.problem + (f" ({facts})" if facts else "") + "."
        return f"{sentence} {self.remedy}" if self.remedy else sentence


def _writable(value: object, most: int = MOST_FOUND) -> str | None:
    """The value as a short text that can be written as UTF-8, which the name of a file need not be."""
    if value is None:
        return None
    return cut(cut(str(value), most).encode(errors="backslashreplace").decode(), most)


@dataclass(frozen=True)
class EncodingOffer:
    """An encoding that fits the bytes of a file.

    Attributes:
        encoding: Its name, as ``formats.read`` takes it.
        line: The number of the first line that is not plain ASCII, counted from 1.
        text: That line read so; a long one from just before what is not ASCII.
    """

    encoding: str
    line: int
    text: str


class EncodingError(InputError):
    """A text that is not UTF-8, with the encodings that it may be in.

    Attributes:
        offers: Encodings in which the file could be read, the most plausible first; nobody but its author knows.
    """

    def __init__(
        self,
        problem: str,
        *,
        offers: tuple[EncodingOffer, ...],
        where: str,
        line: int,
        found: str,
        expected: str,
    ) -> None:
        remedy = "Save the file as UTF-8 and load it again."
        if offers:
            best = offers[0]
            remedy = f"Save the file as UTF-8, or have it read as {best.encoding}: "
            remedy += f"line {best.line:,} is {best.text!r} then."
        super().__init__(problem, where=where, line=line, found=found, expected=expected, remedy=remedy)
        self.offers = offers
