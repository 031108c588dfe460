"""What a system looks like: one colour, number, line and marker each, the same on every page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

OKABE_ITO = ("#0072B2", "#C28600", "#009E73", "#CA78A5", "#4A9AC7", "#D55E00", "#9F9400")
"""Okabe and Ito's palette without black; light ones are darkened until they are 3 : 1 to white."""

BASELINE_COLOUR = "#7A8CA3"
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
MARKERS = ("circle", "square", "diamond", "triangle-up", "cross", "x", "star")


@dataclass(frozen=True)
class Identity:
    """How one system is drawn. Colour is never the only sign.

    Attributes:
        name: The system's name.
        number: Its place in the test set, from 1.
        colour: Of its bars and lines.
        dash: Of its lines.
        marker: Of its points.
        file: What it was read from, where that is known.
    """

    name: str
    number: int
    colour: str
    dash: str
    marker: str
    file: str | None = None

    @property
    def tooltip(self) -> str:
        """The name, and the file in full."""
        return self.name if self.file is None else f"{self.name}: {self.file}"


def letters_of(sides: Sequence[str]) -> dict[str, str]:
    """Which of two systems is A and which is B; none of a single one is."""
    return dict(zip(sides, "AB", strict=True)) if len(sides) > 1 else {}


def identities(
    names: Sequence[str], baseline: str | None, files: Mapping[str, str | None] | None = None
) -> dict[str, Identity]:
    """An identity for each system, fixed by its place in the test set; a baseline is grey-blue."""
    return {
        name: Identity(
            name=name,
            number=index + 1,
            colour=BASELINE_COLOUR if name == baseline else OKABE_ITO[index % len(OKABE_ITO)],
            dash=DASHES[(index // len(OKABE_ITO)) % len(DASHES)],
            marker=MARKERS[index % len(MARKERS)],
            file=(files or {}).get(name),
        )
        for index, name in enumerate(names)
    }
