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
    alike = list(takewhile(lambda word: _could_be_one_pattern(file, word), words))
    return found if found or len(alike) == len(words) else alike


def _could_be_one_pattern(first: str, second: str) -> bool:
    """Whether two files lie in one folder that is named, or begin alike."""
    paths = [PurePath(first), PurePath(second)]
    if paths[0].parent != paths[1].parent:
        return False
    begins = zip(paths[0].name, paths[1].name, strict=False)
    n_alike = sum(one.isalpha() for one, _ in takewhile(lambda both: both[0] == both[1], begins))
    differ_in_numbers = len({NUMBER.sub("", path.name) for path in paths}) == 1
    return paths[0].parent != PurePath() or n_alike >= LEAST_IN_COMMON or differ_in_numbers
