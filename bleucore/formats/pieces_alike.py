"""How alike the lines of two files are, and whether files of some folders are pieces of one text each."""

from collections.abc import Sequence
from statistics import fmean

from bleucore.formats.likeness import words_in

Lines = Sequence[bytes]
_LONGEST_LINE = 2_000
_MOST_COMPARED, _LIKE, _OWN_PLACE = 200, 0.2, 1.5


def likeness_of_lines(lines: Lines, other: Lines) -> float:
    """How much some lines are like those of another text: 2 * words in both / words in each, on average."""
    step = max(1, len(lines) // _MOST_COMPARED)
    shares = []
    for one, two in list(zip(lines, other, strict=False))[::step]:
        own, others = (set(words_in(line[:_LONGEST_LINE].decode(errors="ignore"))) for line in (one, two))
        shares.append(2 * len(own & others) / max(1, len(own) + len(others)))
    return fmean(shares) if shares else 0.0


def are_pieces(files: Sequence[Lines], others: Sequence[Lines]) -> bool:
    """Whether files are pieces of one text, where as many other files are pieces of a translation of the same.

    Runs of a system and several references say the same in the same lines. A piece is like the other in its own place,
    and less like the rest.
    """
    if likeness_of_lines(files[0], files[1]) <= _LIKE:
        return True
    own, rest = (
        fmean(likeness_of_lines(one, two) for one, two in zip(files, paired, strict=True))
        for paired in (others, (*others[1:], others[0]))
    )
    return own >= _OWN_PLACE * rest
