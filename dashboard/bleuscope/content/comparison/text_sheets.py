"""The texts as a sheet."""

import numpy as np

from bleucore import TestSet
from bleucore.corpus import CUT_LABEL
from bleuscope.content.sheets.builders import (
    FilledField,
    sheet_of,
)
from bleuscope.content.sheets.sheet import Field, Sheet
from bleuscope.content.style.unique_names import unique_name


def texts_sheet(test_set: TestSet, n_rows: int | None = None) -> Sheet:
    """Every text of the test set, or those of the first segments, one segment a row."""
    taken = {"segment", "document", "source"}
    rows, (of_source, of_target) = slice(n_rows), test_set.languages
    columns: list[FilledField] = [
        (Field("segment", "segment", "count", on_pages="#"), np.arange(1, test_set.n_segments + 1)[rows])
    ]
    if test_set.documents is not None:
        columns.append((Field("document", "document", "text"), test_set.documents[rows]))
    if test_set.source is not None:
        columns.append((Field("source", "source", "text", is_prose=True, language=of_source), test_set.source[rows]))
    names = test_set.reference_names or [f"reference {number}" for number in range(1, len(test_set.references) + 1)]
    columns += [
        (Field(unique_name(name, taken), name, "text", is_prose=True, language=of_target), texts[rows])
        for name, texts in zip(names, test_set.references, strict=True)
    ]
    columns += [
        (
            Field(unique_name(system.name, taken), system.name, "text", is_prose=True, language=of_target),
            system.hypotheses[rows],
        )
        for system in test_set.systems
    ]
    if test_set.is_resegmented:
        columns.append((Field(unique_name(CUT_LABEL, taken), CUT_LABEL, "text"), test_set.labels[CUT_LABEL][rows]))
    title = "The texts" if n_rows is None else "The first segments"
    facts = {"digest": test_set.digest}
    return sheet_of("texts", ("The texts, one segment a row.",), columns, facts, title=title)
