"""Columns of data sets of instructions: "output" is what was expected, where another one was predicted."""

from collections.abc import Sequence
from dataclasses import replace

from bleucore.formats.columns import Column
from bleucore.formats.names import stem
from bleucore.formats.usual_names import role_of

_EXPECTED = ("output", "response")
_PREDICTED = frozenset(
    {"predict", "predicted", "prediction", "predictions", "pred", "preds", "generated", "hypothesis"}
)


def with_expected_outputs(columns: Sequence[Column]) -> tuple[Column, ...]:
    """The columns of one file; next to an instruction and a prediction, the output is the reference.

    Args:
        columns: With the roles that names of columns and formats say.
    """
    called = {(column.title or column.name).strip().casefold(): column for column in columns if column.is_cell}
    expected = next((called[name] for name in _EXPECTED if name in called), None)
    predicted = [column for name, column in called.items() if name in _PREDICTED or name.startswith("predicted_")]
    has_reference = any((column.role or role_of(column.name)) == "reference" for column in columns)
    if "instruction" not in called or expected is None or not predicted or has_reference:
        return tuple(columns)
    is_one = len(predicted) == 1
    return tuple(
        replace(column, role="reference", name="output")
        if column is expected
        else replace(column, name=stem(column.file), title=column.title or column.name, role="hypothesis")
        if is_one and column is predicted[0]
        else column
        for column in columns
    )
