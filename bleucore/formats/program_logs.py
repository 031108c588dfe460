"""Logs of programs: what they are called, how their lines read, and whether lines are those of texts nearby."""

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import fmean

from bleucore.formats.likeness import words_in
from bleucore.formats.name_parts import path_of

_LOG = re.compile(
    r"nohup\d?\.out|(?:slurm|sbatch|lsf|pbs|sge|condor)[-_.]?[\w.%-]{0,60}\.(?:out|err|log|txt)|.{1,80}\.[oe]\d{3,12}"
    r"|.{0,80}(?:^|[._-])(?:std)?err(?:ors?)?(?:\.(?:txt|log|out))?|stderr\b.{0,40}"
    r"|(?:train|training|trainer|wandb|debug|console|tensorboard|events|validations?|history)[\w-]{0,40}\.log|validations\.txt",
    re.IGNORECASE,
)
"""Names that clusters, shells and trainers give to what programs report."""
_LOG_WORD = re.compile(r"(?:^|[^a-z])(?:slurm|sbatch|nohup|stdout|stderr|logs?|err)(?:[^a-z]|$)", re.IGNORECASE)
_LOG_LINE = re.compile(
    r"\b\d\d?:\d\d:\d\d\b|\b(?:INFO|DEBUG|WARN|WARNING|ERROR|TRACE)\b|(?<!\w)/[\w.-]{1,60}/[\w.-]{1,60}|\b[a-z_]{2,30}=[\d.]"
    r"|\b\d{1,9}(?:\.\d{1,9})? ?(?:s|ms|sec|seconds|it/s|tok/s|MB|GB|MiB|GiB)\b|\b\d{1,9}/\d{1,9}\b"
)
"""What logs have: times of the day, levels, paths, settings, seconds, sizes, progress."""
_STAMPED = re.compile(
    r"\W{0,3}(?:\d{4}-\d\d-\d\d[ T]\d\d:\d\d|\d\d?:\d\d:\d\d\b|(?:INFO|DEBUG|WARN|WARNING|ERROR|TRACE)\b|\d{1,3}%\|)"
    r"|[\w.]{1,40}=\S{1,40}(?: [\w.]{1,40}=\S{1,40}){0,40}$"
)
"""Lines that begin with a time, a level or progress, and those of settings alone."""
_LONGEST_NAME, _LONGEST_LINE, _MOST_LINES, _FEW_LINES = 300, 2_000, 400, 4
_HALF, _MOST, _TEMPLATE = 0.5, 0.8, 0.4
_SAMPLED, _NEAR, _MOST_TEXTS, _LIKE_LINE, _LIKE_LINES = 24, 8, 4, 0.3, 0.25
"""Lines that are looked up in each text, how far around their place, in how many texts, and what makes them alike."""


def is_named_log(file: str) -> bool:
    """Whether a file has a name that shells, clusters and trainers give to what programs report."""
    return _LOG.fullmatch(file.rpartition("/")[2][:_LONGEST_NAME]) is not None


def says_log(name: str) -> bool:
    """Whether one of the words of a name is one for logs."""
    return _LOG_WORD.search(name) is not None


def is_called_log(file: str) -> bool:
    """Whether a file or its folder is called a log."""
    return is_named_log(file) or any(says_log(part[:_LONGEST_NAME]) for part in path_of(file)[-2:])


def is_stamped(texts: Sequence[str | None]) -> bool:
    """Whether most lines begin with times, levels or progress, or are settings alone."""
    lines = _lines(texts)
    return sum(_STAMPED.match(line) is not None for line in lines) >= max(1, _MOST * len(lines))


def reads_like_log(texts: Sequence[str | None], *, is_called: bool) -> bool:
    """Whether most lines have numbers, and share their other words with the line before or the one after.

    Args:
        texts: The lines.
        is_called: Whether the file is called a log; else half of the lines need marks of one as well.
    """
    lines = _lines(texts)
    n_marked = sum(_LOG_LINE.search(line) is not None for line in lines)
    if not is_called and n_marked < _HALF * len(lines):
        return False
    if len(lines) < _FEW_LINES or 2 * sum(any(map(str.isdecimal, line)) for line in lines) < len(lines):
        return False
    words = [set(words_in(line)) for line in lines]
    pairs = list(pairwise(words))
    return fmean(2 * len(one & other) / max(1, len(one) + len(other)) for one, other in pairs) >= _TEMPLATE


def repeats_itself(texts: Sequence[str | None]) -> bool:
    """Whether fewer than half of the lines are different ones."""
    lines = _lines(texts)
    return len(lines) >= _FEW_LINES and 2 * len(set(lines)) < len(lines)


def are_lines_of(texts: Sequence[str | None], others: Sequence[Sequence[str | None]]) -> bool:
    """Whether some of the lines share words with lines of other texts at about the same place.

    Args:
        texts: The lines, of which some are looked up.
        others: Texts, of which the first few count.
    """
    step = max(1, min(len(texts), _MOST_LINES) // _SAMPLED)
    sampled = [
        (place, words) for place in range(0, len(texts), step)[:_SAMPLED] if (words := {*words_in(texts[place])})
    ]
    n_alike = 0
    for place, words in sampled:
        near = (text for other in others[:_MOST_TEXTS] for text in other[max(0, place - _NEAR) : place + _NEAR + 1])
        n_alike += any(
            2 * len(words & its) >= _LIKE_LINE * (len(words) + len(its)) for its in map(set, map(words_in, near))
        )
    return n_alike >= max(1, _LIKE_LINES * len(sampled))


def _lines(texts: Sequence[str | None]) -> list[str]:
    return [text[:_LONGEST_LINE] for text in texts[:_MOST_LINES] if text and text.strip()]
