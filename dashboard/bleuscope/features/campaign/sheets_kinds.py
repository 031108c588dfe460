"""Kinds of errors on each test set of a campaign, as a sheet."""

from collections.abc import Sequence

import numpy as np

from bleucore.analysis.token_kinds import KINDS
from bleucore.campaign import SetKinds
from bleuscope.content.sheets.builders import FilledField, sheet_of
from bleuscope.content.sheets.sheet import Field, Sheet

GAIN = "What this kind contributes to B's BLEU minus A's."


def kinds_of_sets_sheet(found: Sequence[SetKinds], pair: tuple[str, str], kind: str | None = None) -> Sheet:
    """What each kind contributes to the difference of two systems, a row for each test set.

    Args:
        found: Of each set, at least one.
        pair: A and B.
        kind: The one of ``KINDS`` that is shown; all of them unless given.
    """
    gains = np.array([one.gains for one in found])
    columns: list[FilledField] = [
        (Field("test_set", "test set", "text"), [one.name for one in found]),
        *(
            (Field(name.replace(" ", "_"), name, "part", explanation=GAIN), gains[:, place])
            for place, name in enumerate(KINDS)
            if kind in (None, name)
        ),
    ]
    rest = np.array([one.rest for one in found])
    if rest.any() and kind is None:
        columns.append((Field("rest", "no kind", "part"), rest))
    columns.append((Field("difference", "Δ BLEU", "difference"), np.array([one.difference for one in found])))
    return sheet_of(
        "kinds-of-sets",
        (f"What {pair[1]} gains over {pair[0]} in BLEU on each test set, by kind of error.",),
        columns,
        {"a": pair[0], "b": pair[1]},
        title="Kinds of errors on each test set",
    )
