"""What texts will cost, from a look at their sizes: refused before the work begins, not once memory is short."""

from collections.abc import Sequence
from dataclasses import dataclass

from bleucore.errors import InputError
from bleucore.formats.columns import Column
from bleucore.written_numbers import counted

_BLANKS = 20
"""A text with fewer blanks than one to so many characters is taken for one that is written without them."""
_UNSPACED = "\u0e00"
"""Scripts that put no blanks between words begin here, with Thai."""
_SPLIT = "Split the test set, or compare it on the command line of your own machine, which has no such bound."


@dataclass(frozen=True)
class Budget:
    """How much a test set may hold.

    Attributes:
        segments: Of one text.
        line: The longest segment, in characters.
        text_tokens: Of one text, as ``estimated_tokens`` has them.
        texts: Segments of all columns together.
        systems: Of one test set; each is compared with each.
        tokens: Of all columns together.
    """

    segments: int = 1_000_000
    line: int = 200_000
    text_tokens: int = 6_000_000
    texts: int = 2_500_000
    systems: int = 200
    tokens: int = 40_000_000

    def refuse_lines(self, file: str, text: str) -> None:
        """Refuse a text by its line ends, before a string is made of each line.

        Raises:
            InputError: It has too many lines.
        """
        n_lines = text.count("\n")
        if n_lines > self.segments:
            raise _excess("the file has too many lines", file, n_lines, self.segments)

    def refuse_columns(self, columns: Sequence[Column]) -> None:
        """Refuse what a file holds.

        Raises:
            InputError: A column has too many segments or tokens, or a segment that is too long.
        """
        for column in columns:
            if len(column.segments) > self.segments:
                raise _excess("the file has too many segments", column.file, len(column.segments), self.segments)
            lengths = [len(text) if text else 0 for text in column.segments]
            longest = max(lengths, default=0)
            if longest > self.line:
                line = lengths.index(longest) + 1
                raise InputError(
                    "a segment is too long",
                    where=f"{column.file}, segment {line:,}",
                    found=f"{longest:,} characters",
                    expected=f"at most {self.line:,}",
                    remedy="Put every segment on a line of its own.",
                )
            n_tokens = estimated_tokens(column) if sum(lengths) > self.text_tokens else 0
            if n_tokens > self.text_tokens:
                raise _excess("the text has too many tokens", column.file, f"about {n_tokens:,}", self.text_tokens)

    def refuse_test_set(self, columns: Sequence[Column]) -> None:
        """Refuse columns that are to be compared.

        Raises:
            InputError: They have too many systems, or segments or tokens together.
        """
        used = [column for column in columns if column.role != "ignore"]
        n_systems = sum(column.role == "hypothesis" for column in used)
        if n_systems > self.systems:
            raise _excess("there are too many systems", "The test set", n_systems, self.systems)
        n_texts = sum(len(column.segments) for column in used)
        if n_texts > self.texts:
            found = f"{n_texts:,} in {counted(len(used), 'column')}"
            raise _excess("all texts together have too many segments", "The test set", found, self.texts)
        if sum(len(text) for column in used for text in column.segments if text) <= self.tokens:
            return  # no token is shorter than a character
        n_tokens = sum(map(estimated_tokens, used))
        if n_tokens > self.tokens:
            found = f"about {n_tokens:,}"
            raise _excess("all texts together have too many tokens", "The test set", found, self.tokens)


def estimated_tokens(column: Column) -> int:
    """How many tokens a column has, give or take its punctuation."""
    n_tokens = 0
    for text in column.segments:
        if text:
            n_blanks = text.count(" ")
            is_spaced = text.isascii() or n_blanks * _BLANKS >= len(text) or max(text) < _UNSPACED
            n_tokens += n_blanks + 1 if is_spaced else len(text)
    return n_tokens


def _excess(problem: str, where: str, found: int | str, limit: int) -> InputError:
    shown = f"{found:,}" if isinstance(found, int) else found
    return InputError(problem, where=where, found=shown, expected=f"at most {limit:,}", remedy=_SPLIT)
