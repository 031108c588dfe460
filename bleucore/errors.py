"""The one error that a user can fix."""


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
        self.problem = problem
        self.where = _writable(where)
        self.line = line
        self.found = _writable(found)
        self.expected = _writable(expected)
        self.remedy = remedy
        super().__init__(self._sentence())

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


def _writable(value: object) -> str | None:
    """The value as text that can be written as UTF-8, which the name of a file need not be."""
    return None if value is None else str(value).encode(errors="backslashreplace").decode()
