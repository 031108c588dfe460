"""Tables with the outputs of several systems in one column, none of which says whose they are."""

from collections import defaultdict
from collections.abc import Sequence

from bleucore.errors import InputError
from bleucore.formats.columns import Column
from bleucore.formats.content_kinds import is_no_text
from bleucore.formats.usual_names import role_of

_WORDS = "annotator annotators rater raters raw raw_score z z_score zscore mqm da da_score esa rating ratings"
_RATINGS = frozenset(_WORDS.split())
"""Columns of people's ratings, which are of outputs of several systems."""
_LEAST_ROWS, _MOST_REPEATED = 4, 0.35
"""Share of rows with an item of another row. In test sets of sentences it is below .1."""


def refuse_unnamed_outputs(columns: Sequence[Column]) -> None:
    """Refuse a table that was read as one output, with several texts for the same source and reference.

    Items with as many answers each may be runs, unless people rated them.

    Args:
        columns: Of one file, before runs are told apart.

    Raises:
        InputError: No column says which system a row is of.
    """
    if not columns or len(columns[0].segments) < _LEAST_ROWS or not all(column.is_cell for column in columns):
        return
    given = [column for column in columns if _role(column) in ("source", "reference") and not is_no_text(column)]
    outputs = [column for column in columns if _role(column) == "hypothesis" and not is_no_text(column)]
    if len(outputs) != 1 or not any(_role(column) == "reference" for column in given):
        return
    texts = defaultdict[tuple[str | None, ...], list[str | None]](list)
    for *item, text in zip(*(column.segments for column in given), outputs[0].segments, strict=True):
        texts[tuple(item)].append(text)
    n_repeated = sum(len(found) for found in texts.values() if len({*found}) > 1)
    if n_repeated <= _MOST_REPEATED * len(outputs[0].segments):
        return
    are_counted = len({len(found) for found in texts.values()}) == 1
    if are_counted and not any(_called(column) in _RATINGS for column in columns):
        return
    raise InputError(
        "no column says which system an output is of",
        where=outputs[0].file,
        found=f"{len(outputs[0].segments):,} outputs of {len(texts):,} sources",
        expected="one output for each source, or a column with the name of the system",
        remedy="Add a column called 'system'.",
    )


def _role(column: Column) -> str | None:
    return column.role or role_of(column.title or column.name)


def _called(column: Column) -> str:
    return (column.title or column.name).strip().casefold().replace(" ", "_").replace("-", "_")
