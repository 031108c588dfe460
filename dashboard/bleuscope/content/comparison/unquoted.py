"""What a shell makes of a pattern without quotes behind an option: one file of the option, and further arguments."""

import re
from collections.abc import Mapping, Sequence
from itertools import takewhile
from pathlib import PurePath

NAMED: Mapping[str, re.Pattern[str]] = {
    "references": re.compile(r"(?<![A-Za-z])(?i:ref(?:erence)?s?)(?![a-z])"),
    "source": re.compile(r"(?<![A-Za-z])(?i:src|sources?)(?![a-z])"),
}
"""By what an option's files are: names that say it."""
NUMBER = re.compile(r"[0-9]+")
LEAST_IN_COMMON = 2
"""Letters with which names begin that one pattern can mean; or they differ in numbers alone."""


def like_the_file(kind: str, file: str, words: Sequence[str]) -> list[str]:
    """The first of the words behind an option's file that are named as such files are, or alike where not all are.

    Args:
        kind: What the option's files are: "references".
        file: The one that it has.
        words: What follows.
    """
    named = NAMED.get(kind)
    found = list(takewhile(lambda word: named is not None and named.search(PurePath(word).name), words))
    if found:
        return found
    for are_alike in (_begin_alike, _are_in_one_folder):
        alike = list(takewhile(lambda word: are_alike(PurePath(file), PurePath(word)), words))  # noqa: B023  # used at once
        if 0 < len(alike) < len(words):
            return alike
    return []


def _begin_alike(first: PurePath, second: PurePath) -> bool:
    """Whether the names of two files of one folder have their beginning in common, or all but numbers."""
    begins = zip(first.name, second.name, strict=False)
    n_alike = sum(one.isalpha() for one, _ in takewhile(lambda both: both[0] == both[1], begins))
    differ_in_numbers = NUMBER.sub("", first.name) == NUMBER.sub("", second.name)
    return first.parent == second.parent and (n_alike >= LEAST_IN_COMMON or differ_in_numbers)


def _are_in_one_folder(first: PurePath, second: PurePath) -> bool:
    """Whether both lie in a folder that is named."""
    return first.parent == second.parent != PurePath()
