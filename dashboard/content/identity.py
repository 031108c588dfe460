"""What a system looks like: one colour, number, line and marker each, the same on every page."""

from collections.abc import Sequence
from dataclasses import dataclass

OKABE_ITO = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#B5A800")
"""Okabe and Ito's palette without black; its yellow is darkened to be seen on white."""

BASELINE_COLOUR = "#7A8CA3"
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
MARKERS = ("circle", "square", "diamond", "triangle-up", "cross", "x", "star")
PATTERNS = ("", "/", ".", "x", "-", "\\", "+")


@dataclass(frozen=True)
class Identity:
    """How one system is drawn. Colour is never the only sign."""

    name: str
    number: int
    colour: str
    dash: str
    marker: str
    pattern: str


def identities(names: Sequence[str], baseline: str) -> dict[str, Identity]:
    """An identity for each system, fixed by its place in the test set; the baseline is grey-blue."""
    return {
        name: Identity(
            name=name,
            number=index + 1,
            colour=BASELINE_COLOUR if name == baseline else OKABE_ITO[index % len(OKABE_ITO)],
            dash=DASHES[(index // len(OKABE_ITO)) % len(DASHES)],
            marker=MARKERS[index % len(MARKERS)],
            pattern=PATTERNS[(index // len(OKABE_ITO)) % len(PATTERNS)],
        )
        for index, name in enumerate(names)
    }
