"""Plain outputs with several answers to each segment, one below the other -> the first of each."""

from collections import Counter
from collections.abc import Mapping
from itertools import pairwise

from bleucore.formats.pieces_alike import likeness_of_lines

_MOST_ANSWERS, _LEAST_SEGMENTS, _MOST_LINES = 20, 8, 1_000
_LIKE, _UNLIKE, _LIKE_OTHERS = 0.5, 0.5, 0.2


def with_first_answers(contents: Mapping[str, bytes]) -> dict[str, tuple[bytes, int]]:
    """Of plain files with a whole number of lines for each line of another: the first of each, and that number.

    The lines of a segment are like each other, those of two segments are not, and the first ones are in the words of a
    text with a line for each segment.

    Args:
        contents: Those of plain files, by name.
    """
    lines = {name: data.removesuffix(b"\n").split(b"\n") for name, data in contents.items()}
    lengths = Counter(map(len, lines.values()))
    found: dict[str, tuple[bytes, int]] = {}
    for name, own in lines.items():
        for number in range(2, _MOST_ANSWERS + 1):
            n_segments, rest = divmod(len(own), number)
            if rest or n_segments < _LEAST_SEGMENTS or not lengths[n_segments] or not _in_blocks(own, number):
                continue
            first = own[::number]
            others = (other for other in lines.values() if len(other) == n_segments)
            if any(likeness_of_lines(first, other) > _LIKE_OTHERS for other in others):
                found[name] = (b"\n".join(first) + b"\n", number)
                break
    return found


def _in_blocks(lines: list[bytes], number: int) -> bool:
    """Whether each line is like the next within so many lines, and unlike it between them."""
    pairs = list(pairwise(lines[:_MOST_LINES]))
    inside = [pair for place, pair in enumerate(pairs, start=1) if place % number]
    across = [pair for place, pair in enumerate(pairs, start=1) if not place % number]
    mean, other = (likeness_of_lines(*zip(*chosen, strict=True)) for chosen in (inside, across))
    return mean >= _LIKE and other < _UNLIKE * mean
