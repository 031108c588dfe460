"""Which of several references a release is scored against: mt-metrics-eval says so for those of WMT."""

import re
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

_USUAL = "refA"
_USUAL_OF_SET = {"wmt24pp": "posteditA"}
_OTHER_STANDARDS = {
    ("wmt21.news", "en-de"): "refC",
    ("wmt21.news", "zh-en"): "refB",
    ("wmt21.tedtalks", "zh-en"): "refB",
    ("wmt22", "cs-en"): "refB",
    ("wmt22", "en-cs"): "refB",
    ("wmt23", "en-he"): "refB",
    ("wmt23", "he-en"): "refB",
    ("wmt24", "en-de"): "refB",
    ("wmt24pp", "en-de_DE"): "posteditB",
    ("wmt24pp", "en-is_IS"): "refA",
}
"""Where mt-metrics-eval does not take the usual reference of a test set as the standard one."""
_NAMED = re.compile(
    r"(?P<languages>[a-z]{2,3}(?:_[A-Za-z]+)?-[a-z]{2,3}(?:_[A-Za-z]+)?)"
    r"\.(?P<name>[A-Za-z0-9_-]{1,40})\.(?:txt|jsonl)(?:\.gz)?"
)
"""A reference as mt-metrics-eval names it: "he-en.refB.txt"."""
_LETTERED = re.compile(r"(?:ref|postedit)[A-Z]?")


def standard_reference(name: str, languages: str, references: Iterable[str]) -> str:
    """The reference that mt-metrics-eval takes unless told otherwise; the first where there is no reference A."""
    listed = list(references)
    found = re.search(r"wmt[0-9]{2}(?:pp|\.news|\.tedtalks)?", name.lower())
    test_set = found[0] if found else ""
    usual = _USUAL_OF_SET.get(test_set, _USUAL)
    standard = _OTHER_STANDARDS.get((test_set, languages), usual)
    return next((one for one in (standard, usual, _USUAL) if one in listed), listed[0])


def standard_file(files: Sequence[str], title: str = "") -> str | None:
    """Of several references of one release the one that counts; ``None`` where nothing tells, and all of them count.

    Args:
        files: Their paths, which may name the release.
        title: What else may name it: the folder or archive that they came in.
    """
    named = {file: found for file in files if (found := _NAMED.fullmatch(PurePosixPath(file).name)) is not None}
    languages = {found["languages"] for found in named.values()}
    by_name = {found["name"]: file for file, found in named.items()}
    is_release = len(by_name) == len(files) and len(languages) == 1 and any(map(_LETTERED.fullmatch, by_name))
    if len(by_name) < 2 or not is_release:  # noqa: PLR2004  # nothing to choose
        return None
    return by_name[standard_reference(f"{title}/{files[0]}", languages.pop(), by_name)]
