"""Is a file no text at all? Numbers, times, ids, paths and tags: what stands beside texts and is taken for one.

All other checks hold texts against each other, and do not see what all files share. Plain numbers are texts where the
references are such numbers, too: the answers of GSM8K and of other sets of questions. Numbers that count lines or
documents are none, and neither are scores.
"""

from collections.abc import Iterator

import numpy as np

from bleucore.checks.compared_texts import Bools, CheckedColumn, Columns, found
from bleucore.checks.findings import Observation, of_all

_FEW_LINES, _NEARLY_ALL, _SOME = 20, 0.9, 0.1
"""Lines that tell what a file is, and the shares of them that are no sentences, and that are times of subtitles."""

_TIMES = r"\d{1,2}:\d\d[:.,]\d{2,3}\S* --> "
_KINDS = (
    ("times of subtitles", rf"^\d*\s*{_TIMES}"),
    ("numbers and signs without a letter", r"^\P{L}+$"),
    ("ids, paths or codes", r"^[!-~]*[0-9][!-~]*$"),
    ("tags", r"^(?:[A-Z]{1,5}\$?|[!-/:-@]{1,3})(?:\s+(?:[A-Z]{1,5}\$?|[!-/:-@]{1,3}))+$"),
    ("objects of JSON", r"^\{\s*\"[^\"]*\"\s*:.*\}$"),
)
"""What a line is that is no text, and a regular expression (RE2) for it."""
_ANY_KIND = "|".join(f"(?:{pattern})" for _, pattern in _KINDS)

_PLAIN_NUMBER = (
    r"^[-+−]?\s?\p{Sc}?\s?[-−]?(?:\d{1,3}(?:[,.'’\x{a0}\x{202f}]\d{3}|,\d{2})+|\d{1,9})?(?:[.,]?\d{1,9})"
    r"(?:/\d{1,9})?\s?(?:%|\p{Sc})?\.?$"
)
_OF_SCORES = r"^\D*(?:0?\.\d{3,}|\d+\.\d{4,})\D*$"
_OF_IDS = r"\d{10,}"
_RISING, _MOST, _MAX_DIGITS = 0.9, 0.5, 15
"""Share of changes from line to line that are rises, as of numbers that count; of numbers that look like scores or ids;
and digits of a number that are read."""


def no_text(columns: Columns) -> Iterator[Observation]:
    """Columns of which nearly all lines are no sentences; of all systems and references, one finding."""
    found = [(column, *said) for column in columns.all if (said := _kind_of(column)) is not None]
    answers = _answers(columns)
    if answers:
        yield _of_answers(columns, answers)
        found = [one for one in found if one[0] not in answers]
    of_targets = [one for one in found if one[0].kind != "source"]
    if len(columns.targets) > 1 and len(of_targets) == len(columns.targets):
        _, what, flagged = of_targets[0]
        yield _reported(None, columns, what, flagged)
        found = [one for one in found if one[0].kind == "source"]
    for column, what, flagged in found:
        yield _reported(column, columns, what, flagged)


def _answers(columns: Columns) -> tuple[CheckedColumn, ...]:
    """The references and those systems that hold plain numbers, as asked for; none unless all references do."""
    answering = tuple(column for column in columns.targets if _has_answers(column, columns))
    has_system = any(column.kind == "system" for column in answering)
    return answering if has_system and set(columns.references) <= set(answering) else ()


def _has_answers(column: CheckedColumn, columns: Columns) -> bool:
    """Whether nearly all lines are plain numbers that neither count something nor look like scores."""
    filled = column.lengths > 0
    plain = columns.matches((column,), _PLAIN_NUMBER)[0] & filled
    if filled.sum() < _FEW_LINES or plain.sum() < _NEARLY_ALL * filled.sum():
        return False
    if any(found(column.trimmed, pattern)[plain].mean() >= _MOST for pattern in (_OF_SCORES, _OF_IDS)):
        return False
    values = np.array([_value(column.texts[segment] or "") for segment in np.flatnonzero(plain).tolist()])
    changes = np.diff(values)[np.diff(values) != 0]
    return len(changes) == 0 or float((changes > 0).mean()) < _RISING


def _value(number: str) -> float:
    """What the digits of a number are worth without its marks: enough to tell whether numbers rise."""
    sign = -1.0 if number.strip()[0] in "-−" else 1.0
    return sign * float("".join(one for one in number if one.isdecimal())[:_MAX_DIGITS])


def _kind_of(column: CheckedColumn) -> tuple[str, Bools] | None:
    """What a column holds instead of texts, and the lines that show it."""
    filled = column.lengths > 0
    if filled.sum() < _FEW_LINES:
        return None
    n_any = (found(column.trimmed, _ANY_KIND) & filled).sum()
    if n_any < _SOME * len(filled) and n_any < _NEARLY_ALL * filled.sum():
        return None
    flags = np.stack([found(column.trimmed, pattern) & filled for _, pattern in _KINDS])
    times, *_ = flags
    if times.sum() >= _SOME * len(filled):
        return _KINDS[0][0], filled
    together: Bools = np.any(list(flags), axis=0)
    if together.sum() < _NEARLY_ALL * filled.sum():
        return None
    return _KINDS[int(flags.sum(axis=1).argmax())][0], together


def _reported(column: CheckedColumn | None, columns: Columns, what: str, flagged: Bools) -> Observation:
    where = " of all systems and references" if column is None else ""
    return Observation(
        column,
        "error" if column is None or column.kind != "source" else "warning",
        f"{of_all(int(flagged.sum()), columns.n_segments)}{where} hold {what} instead of texts.",
        "Check that this is the right file or column: scores of anything but texts mean nothing.",
        flagged,
    )


def _of_answers(columns: Columns, answers: tuple[CheckedColumn, ...]) -> Observation:
    flagged: Bools = np.any(
        [columns.matches((column,), _PLAIN_NUMBER)[0] for column in answers if column.kind == "system"], axis=0
    )
    return Observation(
        None,
        "note",
        f"{of_all(int(flagged.sum()), columns.n_segments)} hold plain numbers, and so do the references.",
        "Score answers by exact match: a number is one token to BLEU, right or wrong.",
        flagged,
    )
