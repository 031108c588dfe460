"""Brackets that are opened and never closed."""

from collections.abc import Iterator

import numpy as np

from bleucore.checks import Check
from bleucore.checks.compared_texts import CheckedColumn, Columns
from bleucore.checks.findings import Observation


def _leave_open(column: CheckedColumn) -> np.ndarray:
    return np.array([(text or "").count("(") > (text or "").count(")") for text in column.texts])


def unclosed_brackets(columns: Columns) -> Iterator[Observation]:
    """Outputs that leave a bracket open where no reference does."""
    is_usual = np.any([_leave_open(column) for column in columns.references], axis=0)
    for column in columns.systems:
        flagged = _leave_open(column) & ~is_usual
        if flagged.any():
            yield Observation(
                column,
                "warning",
                f"{int(flagged.sum())} segments open a bracket that they never close.",
                "Read them: texts may have been cut.",
                flagged,
            )


CHECK = Check(unclosed_brackets, "Brackets that are opened and never closed.")
