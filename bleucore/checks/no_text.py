"""Is a file no text at all? Numbers, times, ids, paths and tags: what stands beside texts and is taken for one.

All other checks hold texts against each other, and do not see what all files share.
"""

from collections.abc import Iterator

import numpy as np

from bleucore.checks.compared_texts import Bools, CheckedColumn, Columns
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


def no_text(columns: Columns) -> Iterator[Observation]:
    """Columns of which nearly all lines are no sentences; of all systems and references, one finding."""
    found = [(column, *said) for column in columns.all if (said := _kind_of(column, columns)) is not None]
    of_targets = [one for one in found if one[0].kind != "source"]
    if len(columns.targets) > 1 and len(of_targets) == len(columns.targets):
        _, what, flagged = of_targets[0]
        yield _reported(None, columns, what, flagged)
        found = [one for one in found if one[0].kind == "source"]
    for column, what, flagged in found:
        yield _reported(column, columns, what, flagged)


def _kind_of(column: CheckedColumn, columns: Columns) -> tuple[str, Bools] | None:
    """What a column holds instead of texts, and the lines that show it."""
    filled = column.lengths > 0
    if filled.sum() < _FEW_LINES:
        return None
    flags = np.stack([columns.matches((column,), pattern)[0] & filled for _, pattern in _KINDS])
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
