"""Tables of promptfoo: a column for each provider and prompt, with a verdict before each output."""

import re
from collections.abc import Sequence
from dataclasses import replace

from bleucore.formats.columns import Column

_VERDICT = re.compile(r"\[(?:PASS|FAIL|ERROR)\] ?")


def without_verdicts(columns: Sequence[Column]) -> tuple[Column, ...]:
    """The columns of one file, those of providers without "[PASS]" and the like before each output."""
    return tuple(_without(column) if column.name.startswith("[") and column.is_cell else column for column in columns)


def _without(column: Column) -> Column:
    found = [_VERDICT.match(text or "") for text in column.segments]
    if not found or None in found:
        return column
    pairs = zip(column.segments, found, strict=True)
    said = (
        f"{column.file}: the verdicts of promptfoo before the outputs of {column.name[:60]} are no part of the texts."
    )
    texts = tuple(text[match.end() :] for text, match in pairs if text is not None and match is not None)
    return replace(column, segments=texts, notices=(*column.notices, said))
