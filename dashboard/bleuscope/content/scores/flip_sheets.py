"""Pairs of systems that are reversed, as columns of a sheet."""

from collections.abc import Sequence

import numpy as np

from bleucore.robustness.flips import Flip
from bleuscope.content.sheets.builders import FilledField
from bleuscope.content.sheets.sheet import Field

FLIPS = Field("flips", "reversed pairs", "count", explanation="Pairs in the opposite order to the base.")
SIGNIFICANT_FLIPS = Field(
    "significant_flips",
    "significant on both sides",
    "count",
    explanation="Significant in opposite directions. The other reversals are within noise.",
)
PAIRS = Field("pairs", "pairs", "count", explanation="All pairs of systems.")


def flip_columns(flips: Sequence[Flip]) -> list[FilledField]:
    """Who leads in the base, by how much in the base and in the other, and whether both mean it."""
    p_values = np.array([[one.base_p, one.p_value] for one in flips], np.float64).reshape(-1, 2)
    return [
        (Field("ahead", "better in the base", "text", names_system=True), [one.ahead for one in flips]),
        (Field("behind", "better here", "text", names_system=True), [one.behind for one in flips]),
        (Field("base_difference", "Δ in the base", "difference"), [one.base_difference for one in flips]),
        (Field("difference", "Δ here", "difference"), [one.difference for one in flips]),
        (Field("base_p", "p in the base", "p"), p_values[:, 0]),
        (
            Field(
                "p_value",
                "p here",
                "p",
                explanation="Empty if the base is within noise, or Δ here too small to test.",
            ),
            p_values[:, 1],
        ),
        (
            Field("significant", "significant on both sides", "yes or no"),
            np.array([one.is_significant for one in flips], np.bool_),
        ),
    ]
